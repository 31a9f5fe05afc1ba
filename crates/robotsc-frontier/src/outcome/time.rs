//! Times from and to those of the operating system.

use std::ops::Add;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Time;

/// Times before 1970 become 1970, times after 2106 become [`Time::MAX`].
impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self(u32::try_from(seconds).unwrap_or(u32::MAX))
    }
}

impl From<Time> for SystemTime {
    fn from(time: Time) -> Self {
        UNIX_EPOCH + Duration::from_secs(u64::from(time.0))
    }
}

/// Adds whole seconds; more than [`Time::MAX`] stays that.
impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, more: Duration) -> Self {
        Self(self.0.saturating_add(u32::try_from(more.as_secs()).unwrap_or(u32::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_system_come_back() {
        for seconds in [0, 1_790_000_000, u32::MAX] {
            assert_eq!(Time::from(SystemTime::from(Time(seconds))), Time(seconds));
        }
        assert_eq!(Time::from(UNIX_EPOCH - Duration::from_secs(1)), Time(0));
        assert_eq!(Time(5) + Duration::from_millis(2_900), Time(7));
        assert_eq!(Time::MAX + Duration::from_secs(1), Time::MAX);
        assert_eq!(Time::from(UNIX_EPOCH + Duration::from_secs(1 << 40)), Time::MAX);
    }
}
