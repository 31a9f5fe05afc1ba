//! Which policy counts at a time.

use robotsc_compiler::Dialect;

use super::{FailurePolicy, FetchPolicy, FetchRecord, Outcome, Time};

/// Seconds that an answer counts after it expired, where nobody fetched again: 30 days.
pub const STALE_FOR: u32 = 30 * 24 * 3_600;

/// The policy that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Force {
    /// The rules that are held.
    Rules,
    /// Everything is allowed.
    AllowAll,
    /// Nothing is allowed.
    DisallowAll,
    /// Nothing is known: no allow.
    Unknown,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next {
    /// Answer with the policy.
    Use,
    /// Fetch robots.txt again; the policy counts meanwhile.
    Refetch,
    /// Keep the origin's URLs back and fetch robots.txt at this time: the server fails, and nothing is allowed for now.
    Defer(Time),
}

/// Which policy counts, until when, and what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InForce {
    /// The policy.
    pub policy: Force,
    /// When policy or advice change without another fetch; [`Time::MAX`] for never.
    pub until: Time,
    /// The advice.
    pub next: Next,
}

/// What is known of a site whose robots.txt fails, from its other pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Site {
    /// Nothing, or that it is down.
    #[default]
    NotKnownUp,
    /// Other pages can be fetched: after 30 days of failures `google` then takes it for a site without rules.
    Up,
}

impl FetchRecord {
    /// Which policy counts at `now` under a dialect, where nothing is known of the site but this record.
    ///
    /// Times before the fetch are taken for its time.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    #[inline]
    pub fn in_force(&self, dialect: &Dialect, now: Time) -> InForce {
        self.in_force_under(FetchPolicy::of(dialect), Site::NotKnownUp, now)
    }

    /// The same under a policy that was looked up before, and with what is known of the site.
    #[must_use]
    #[inline]
    pub fn in_force_under(&self, policy: FetchPolicy, site: Site, now: Time) -> InForce {
        let now = now.max(self.fetched_at);
        let (force, step) = match self.outcome {
            Outcome::Rules => (Force::Rules, Time::MAX),
            Outcome::Unavailable | Outcome::TooManyRedirects => (Force::AllowAll, Time::MAX),
            Outcome::ServerError | Outcome::Unreachable => self.failing(policy.failure, site, now),
        };
        let is_fresh = now < self.expires_at;
        let forgotten = Time(self.expires_at.0.saturating_add(STALE_FOR));
        if now >= forgotten {
            return InForce { policy: Force::Unknown, until: Time::MAX, next: Next::Refetch };
        }
        let next = match (is_fresh, force) {
            (false, _) => Next::Refetch,
            (true, Force::DisallowAll) => Next::Defer(self.expires_at),
            (true, _) => Next::Use,
        };
        let until = if is_fresh { self.expires_at } else { forgotten };
        InForce { policy: force, until: until.min(step), next }
    }

    /// The policy of an origin that fails, and when the next one takes its place.
    fn failing(&self, policy: FailurePolicy, site: Site, now: Time) -> (Force, Time) {
        let since = self.failing_since.unwrap_or(self.fetched_at);
        let after = |seconds: u32| Time(since.0.saturating_add(seconds));
        let copy = if self.good_at.is_some() { Force::Rules } else { Force::AllowAll };
        match policy {
            FailurePolicy::Disallow => (Force::DisallowAll, Time::MAX),
            FailurePolicy::ThenGoodCopy(first) if now < after(first) => (Force::DisallowAll, after(first)),
            FailurePolicy::ThenGoodCopy(_) => (copy, Time::MAX),
            FailurePolicy::Ladder(first, _) if now < after(first) => (Force::DisallowAll, after(first)),
            FailurePolicy::Ladder(_, second) if now < after(second) => (copy, after(second)),
            FailurePolicy::Ladder(..) => {
                (if site == Site::Up { Force::AllowAll } else { Force::DisallowAll }, Time::MAX)
            }
        }
    }
}
