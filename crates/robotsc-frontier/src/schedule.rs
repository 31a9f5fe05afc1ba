//! Whether robots.txt is to be fetched before, after or beside an answer.
//!
//! ```text
//! fetched            ahead              expired              stale ends
//!    |-- answer ------|-- answer, and ---|-- answer, and -----|-- fetch, then
//!                        refresh            refresh              answer
//! ```
//! Without `stale_for` the third part is empty. After a failure there is no refresh: the server is asked again when the
//! record expires, which is after its `Retry-After` and after the back-off.

use std::time::Duration;

use robotsc_compiler::dialect::FetchRules;

use crate::outcome::{FetchRecord, Outcome, Time};

/// What to do besides the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing: the answer counts.
    Nothing,
    /// Fetch in the background; the answer counts.
    Refresh,
    /// Fetch, then answer.
    Fetch,
}

/// When to fetch.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The maximum number of seconds before the expiry in which a file is refreshed.
    pub ahead: u32,
    /// Seconds after the expiry in which the old answer is returned while the file is refreshed.
    pub stale_for: u32,
    /// The maximum age of an answer in the dialect, in seconds.
    max_age: Option<u32>,
}

/// The part of its lifetime in which a file is refreshed ahead: the last tenth, if that is shorter than `ahead`.
const AHEAD_PART: u32 = 10;

/// Seconds until a server is asked again that answered 304 without being asked whether the file changed: nothing is
/// known after it, and nothing in its answer says when to come back.
const AFTER_NOT_MODIFIED: u32 = 300;

impl Schedule {
    /// Creates a schedule.
    #[must_use]
    pub fn new(ahead: Duration, stale_for: Duration, rules: &FetchRules) -> Self {
        let seconds = |duration: Duration| u32::try_from(duration.as_secs()).unwrap_or(u32::MAX);
        Self { ahead: seconds(ahead), stale_for: seconds(stale_for), max_age: rules.max_age_seconds }
    }

    /// Returns what to do about an answer that came from a record; `is_unknown` if nothing in it counts.
    #[inline]
    #[must_use]
    pub fn due(&self, is_unknown: bool, record: Option<&FetchRecord>, now: Time) -> Due {
        let Some(record) = record else {
            // Without a record only the overlay answers, and the URL of robots.txt itself.
            return if is_unknown { Due::Fetch } else { Due::Nothing };
        };
        if record.is_from_future(now) {
            return if is_unknown { Due::Fetch } else { Due::Nothing };
        }
        if now < retry_at(record) {
            return Due::Nothing;
        }
        if is_unknown {
            return Due::Fetch;
        }
        if now < self.ahead_of(record) {
            return Due::Nothing;
        }
        if now < self.stale_until(record) { Due::Refresh } else { Due::Fetch }
    }

    /// Returns from when a file is refreshed before it expires.
    fn ahead_of(&self, record: &FetchRecord) -> Time {
        let lifetime = record.expires_at.0.saturating_sub(record.fetched_at.0);
        Time(record.expires_at.0 - (lifetime / AHEAD_PART).min(self.ahead))
    }

    /// Returns until when an answer is returned while the file is refreshed.
    fn stale_until(&self, record: &FetchRecord) -> Time {
        let stale = record.expires_at.0.saturating_add(self.stale_for);
        let oldest = self.max_age.map_or(u32::MAX, |age| record.fetched_at.0.saturating_add(age));
        Time(stale.min(oldest).max(record.expires_at.0))
    }
}

/// Returns before when a server is not asked again, whatever is known of it.
#[must_use]
pub fn retry_at(record: &FetchRecord) -> Time {
    match record.outcome {
        Outcome::ServerError | Outcome::Unreachable => record.expires_at,
        Outcome::NotModified => Time(record.fetched_at.0.saturating_add(AFTER_NOT_MODIFIED)),
        Outcome::Rules | Outcome::Unavailable | Outcome::TooManyRedirects => record.fetched_at,
    }
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::Dialect;

    use super::*;

    #[test]
    fn each_part_of_a_lifetime() {
        let at = |outcome, lifetime: u32| FetchRecord {
            outcome,
            fetched_at: Time(100_000),
            expires_at: Time(100_000 + lifetime),
            good_at: None,
            failing_since: None,
        };
        let (known, unknown) = (false, true);
        let hour = Duration::from_secs(3_600);
        let day = 24 * 3_600;
        let google = Schedule::new(hour, hour, &Dialect::GOOGLE.fetch);
        let rfc = Schedule::new(hour, hour, &Dialect::RFC9309.fetch);
        let plain = Schedule::new(Duration::ZERO, Duration::ZERO, &Dialect::GOOGLE.fetch);
        let rules = Some(at(Outcome::Rules, day));
        let short = Some(at(Outcome::Rules, 300));
        let failed = Some(at(Outcome::Unreachable, 600));
        let not_modified = Some(at(Outcome::NotModified, day));
        for (schedule, is_unknown, record, after, due) in [
            (google, known, None, 0, Due::Nothing),
            (google, unknown, None, 0, Due::Fetch),
            (google, known, rules, 0, Due::Nothing),
            (google, known, rules, day - 3_601, Due::Nothing),
            (google, known, rules, day - 3_600, Due::Refresh),
            (google, known, rules, day + 3_599, Due::Refresh),
            (google, known, rules, day + 3_600, Due::Fetch),
            // Under the RFC no answer is older than a day.
            (rfc, known, rules, day, Due::Fetch),
            (rfc, known, short, 300 + 3_599, Due::Refresh),
            (plain, known, rules, day - 1, Due::Nothing),
            (plain, known, rules, day, Due::Fetch),
            (google, known, short, 269, Due::Nothing),
            (google, known, short, 270, Due::Refresh),
            // A server that fails is left alone until the record expires.
            (google, known, failed, 599, Due::Nothing),
            (google, unknown, failed, 599, Due::Nothing),
            (google, unknown, failed, 600, Due::Fetch),
            (plain, known, failed, 600, Due::Fetch),
            (google, unknown, not_modified, 299, Due::Nothing),
            (google, unknown, not_modified, 300, Due::Fetch),
        ] {
            let now = Time(100_000 + after);
            assert_eq!(schedule.due(is_unknown, record.as_ref(), now), due, "{is_unknown} {record:?} {after}");
        }
        let early = Time(1_000);
        assert_eq!(google.due(unknown, rules.as_ref(), early), Due::Fetch, "a clock was wrong");
    }
}
