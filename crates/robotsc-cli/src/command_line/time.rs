//! Times on the command line.

use robotsc::outcome::Time;
use robotsc_answers::time;

use crate::failure::Failure;

/// Returns the time of `--now`, or the clock's.
///
/// # Errors
/// If it is no time, or after the year 2105.
pub(crate) fn now(given: Option<&str>) -> Result<Time, Failure> {
    let now = match given {
        None => time::now(),
        Some(given) => time::parse(given),
    };
    now.ok_or_else(|| {
        let given = given.map_or_else(|| "the clock".to_owned(), |given| format!("--now '{given}'"));
        Failure::new(format_args!(
            "not a time: {given}: give seconds since 1970, a date such as 2026-11-21, or RFC 3339 such as \
             2026-11-21T12:00:00Z, up to the year 2105"
        ))
    })
}
