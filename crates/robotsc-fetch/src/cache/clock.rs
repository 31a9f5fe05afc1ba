//! The clock of a cache: the time of the system, which never goes back.
//!
//! ```text
//! the system's clock jumps back an hour     the cache's clock goes on: no file counts for an hour longer
//! the system's clock jumps on an hour       so does the cache's: files expire early, and are asked again
//! the machine sleeps for an hour            only the system's clock counts it: the later one counts
//! ```

use std::time::{Duration, Instant, SystemTime};

use robotsc_frontier::outcome::Time;

/// Returns the time.
pub(crate) type Clock = dyn Fn() -> Time + Send + Sync;

/// Returns a clock that starts at the time of the system.
pub(crate) fn steady() -> Box<Clock> {
    let (start, since) = (SystemTime::now(), Instant::now());
    Box::new(move || later(SystemTime::now(), start, since.elapsed()))
}

fn later(system: SystemTime, start: SystemTime, elapsed: Duration) -> Time {
    Time::from(start.checked_add(elapsed).map_or(system, |steady| steady.max(system)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_never_goes_back() {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_790_000_000);
        let (hour, minute) = (Duration::from_secs(3_600), Duration::from_secs(60));
        for (system, time) in
            [(start + minute, 1_790_000_060), (start - hour, 1_790_000_060), (start + hour, 1_790_003_600)]
        {
            assert_eq!(later(system, start, minute), Time(time));
        }
    }
}
