//! Times as they are typed and shown.

use std::time::{SystemTime, UNIX_EPOCH};

use robotsc::fetch::Time;

use crate::failure::Failure;

/// The time that is asked about: what was typed behind `--now`, or the clock's.
pub(crate) fn now(given: Option<&str>) -> Result<Time, Failure> {
    let seconds = match given {
        None => SystemTime::now().duration_since(UNIX_EPOCH).ok().and_then(|since| u32::try_from(since.as_secs()).ok()),
        Some(given) => given.parse().ok().or_else(|| {
            let time: jiff::Timestamp = given.parse().ok()?;
            u32::try_from(time.as_second()).ok()
        }),
    };
    seconds.map(Time).ok_or_else(|| {
        let given = given.map_or_else(|| "the clock".to_owned(), |given| format!("--now '{given}'"));
        Failure::new(format_args!(
            "not a time: {given}: give seconds since 1970, or RFC 3339 such as 2026-11-21T12:00:00Z, up to the year 2105"
        ))
    })
}

/// A time in RFC 3339.
pub(crate) fn shown(time: Time) -> String {
    jiff::Timestamp::from_second(i64::from(time.0)).map_or_else(|_| time.0.to_string(), |time| time.to_string())
}
