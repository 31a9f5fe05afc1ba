//! Times as people and programs write them.

use robotsc::outcome::Time;

/// Parses seconds since 1970, a date (its midnight in UTC), or RFC 3339 with a zone. Returns `None` if it is none of
/// these, or after the year 2105.
#[must_use]
pub fn parse(given: &str) -> Option<Time> {
    // 20261121 is meant as a date. As seconds it is in 1970, when nothing has expired.
    if given.len() == "20261121".len() && given.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if let Ok(seconds) = given.parse() {
        return Some(Time(seconds));
    }
    let is_date = given.len() == "2026-11-21".len() && given.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    let time: jiff::Timestamp = match is_date {
        true => format!("{given}T00:00:00Z").parse().ok()?,
        false => given.parse().ok()?,
    };
    u32::try_from(time.as_second()).ok().map(Time)
}

/// Returns the time of the clock; `None` if it is before 1970 or after the year 2105.
#[must_use]
pub fn now() -> Option<Time> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    u32::try_from(since.as_secs()).ok().map(Time)
}

/// Returns a time in RFC 3339.
#[must_use]
pub fn shown(time: Time) -> String {
    jiff::Timestamp::from_second(i64::from(time.0)).map_or_else(|_| time.0.to_string(), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (given, seconds) in [
            ("0", Some(0)),
            ("1795219200", Some(1_795_219_200)),
            ("2026-11-21", Some(1_795_219_200)),
            ("2026-11-21T00:00:00Z", Some(1_795_219_200)),
            ("2026-11-21T02:00:00+02:00", Some(1_795_219_200)),
            ("20261121", None),
            ("2026112", Some(2_026_112)),
            ("2026-11-21T00:00:00", None),
            ("2026-11-21Z", None),
            ("2026-02-30", None),
            ("2026-11-2", None),
            ("1969-12-31", None),
            ("2150-01-01", None),
            ("----------", None),
            ("", None),
        ] {
            assert_eq!(parse(given), seconds.map(Time), "{given}");
        }
    }
}
