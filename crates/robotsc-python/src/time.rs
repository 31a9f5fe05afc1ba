//! Times that callers name.

use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::prelude::*;
use robotsc::outcome::Time;

use crate::arguments::Now;
use crate::errors::RobotsError;

/// Returns a time that a caller names, or the time of the clock.
///
/// # Errors
/// `RobotsError` if it is no number of seconds from 1970 to 2106.
pub(crate) fn time(now: Option<Now>) -> PyResult<Time> {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(-1.0, |passed| passed.as_secs_f64());
    let seconds = now.map_or_else(clock, |now| now.0);
    if !(0.0..f64::from(u32::MAX)).contains(&seconds) {
        return Err(RobotsError::new_err(format!(
            "a time is in seconds since 1970, from 0 to 4294967294, not {seconds}"
        )));
    }
    Ok(Time(seconds as u32))
}
