//! Points in time, as manifests and WARC write them.

/// Reads a point in time: seconds since 1970-01-01 00:00 UTC, or a date as RFC 3339 and W3C-DTF have it (parts from the
/// right can be missing, UTC where no zone is named), or the fourteen digits of web archives. Returns seconds since
/// 1970; fractions are dropped. `None` for anything else, and for times before 1970 or after the year 9999.
pub(crate) fn parse(text: &[u8]) -> Option<u64> {
    let text = str::from_utf8(text).ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return match text.len() {
            14 => {
                let part = |from: usize, to: usize| text.get(from..to)?.parse().ok();
                seconds(part(0, 4)?, part(4, 6)?, part(6, 8)?, part(8, 10)?, part(10, 12)?, part(12, 14)?)
            }
            5..=11 => text.parse().ok(),
            1..=4 if text.len() < 4 || text < "1970" => text.parse().ok(),
            4 => seconds(text.parse().ok()?, 1, 1, 0, 0, 0),
            _ => None,
        };
    }
    let (date, clock) = match text.split_once(['T', 't', ' ']) {
        Some((date, clock)) => (date, clock),
        None => (text, ""),
    };
    let mut parts = date.split('-').map(number);
    let year = parts.next()??;
    let month = parts.next().unwrap_or(Some(1))?;
    let day = parts.next().unwrap_or(Some(1))?;
    if parts.next().is_some() || date.len() > 10 {
        return None;
    }
    let (clock, east) = split_zone(clock)?;
    let mut parts = clock.split(':').filter(|_| !clock.is_empty());
    let part = |text: Option<&str>| text.map_or(Some(0), number);
    let hour = part(parts.next())?;
    let minute = part(parts.next())?;
    let second = part(parts.next().map(|text| text.split('.').next().unwrap_or_default()))?;
    if parts.next().is_some() {
        return None;
    }
    seconds(year, month, day, hour, minute, second)?.checked_add_signed(-east)
}

/// Splits the zone from a time of day, as seconds east of Greenwich.
fn split_zone(clock: &str) -> Option<(&str, i64)> {
    if let Some(clock) = clock.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let Some(at) = clock.find(['+', '-']) else { return Some((clock, 0)) };
    let (clock, zone) = clock.split_at(at);
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let east = i64::from(hours * 3600 + minutes * 60);
    Some((clock, if zone.starts_with('-') { -east } else { east }))
}

fn number(text: &str) -> Option<u32> {
    (!text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

fn seconds(year: u32, month: u32, day: u32, hour: u32, minute: u32, second: u32) -> Option<u64> {
    let leap = |year: u32| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap(year)),
        _ => 31,
    };
    // A leap second is the second before it.
    if !(1970..=9999).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=days).contains(&day)
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    // Days since 1970 in the Gregorian calendar, counted from March so that the leap day is a year's last.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    let days = u64::from(days.checked_sub(719_468)?);
    Some(days * 86_400 + u64::from(hour * 3600 + minute * 60 + second.min(59)))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn dates_become_seconds() {
        // `date -u -d … +%s`.
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2024-02-29T12:34:56Z", 1_709_210_096),
            ("2024-03-01T00:00:00Z", 1_709_251_200),
            ("2026-11-21T04:48:00.123456Z", 1_795_236_480),
            ("2026-11-21T06:48:00+02:00", 1_795_236_480),
            ("2026-11-21 04:48", 1_795_236_480),
            ("2026-11", 1_793_491_200),
            ("2026", 1_767_225_600),
            ("20261121044800", 1_795_236_480),
            ("1795236480", 1_795_236_480),
            ("2016-12-31T23:59:60Z", 1_483_228_799),
            ("0", 0),
        ] {
            assert_eq!(parse(text.as_bytes()), Some(seconds), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            " ",
            "now",
            "1969-12-31T23:59:59Z",
            "2025-02-29",
            "2024-13-01",
            "2024-01-32",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:00+24:00",
            "2024-01-01T00:00:00+",
            "2024-01-01T00:00:00:00",
            "2024-1--1",
            "123456789012",
            "2024-01-01T00:61",
            "-5",
            "99999-01-01",
            "2024-01-01TZ+01:00Z",
            "\u{661}",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}
