//! What is allowed at a time.

use std::fmt;

use robotsc_compiler::Dialect;
use robotsc_compiler::dialect::{FetchRules, OnFailure};

use super::{FetchRecord, Outcome, Time};

/// Seconds that a result counts after it expired, if nobody fetches again: 30 days.
pub const STALE_FOR: u32 = 30 * 24 * 3_600;

/// Seconds that clocks may differ.
const CLOCK_ERROR: u32 = 24 * 3_600;

/// What is allowed, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
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
    /// Answer with what is known.
    Use,
    /// Fetch robots.txt again; what is known counts meanwhile.
    Refetch,
    /// Keep the origin's URLs back and fetch robots.txt at this time: the server fails, and nothing is allowed for now.
    Defer(Time),
}

/// What is allowed, until when, and what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effective {
    /// What is allowed.
    pub access: Access,
    /// When access or advice change without another fetch; [`Time::MAX`] for never.
    pub until: Time,
    /// The advice.
    pub next: Next,
}

/// What is known of a site from its other pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Site {
    /// Nothing, or that it is down.
    #[default]
    NotKnownUp,
    /// Other pages can be fetched: after 30 days of failures `google` then takes it for a site without rules.
    Up,
    /// The site is up and answers pages that it does not have with 5xx. So a 5xx for robots.txt means that there is
    /// none, in the dialects with [`server_error_can_mean_missing`](FetchRules::server_error_can_mean_missing).
    MissingIs5xx,
}

/// Why nothing is known of an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UnknownReason {
    /// Its robots.txt was never fetched, or what was held was dropped.
    NotHeld,
    /// The last fetch expired more than [`STALE_FOR`] ago.
    Expired,
    /// The server said that a copy is current which is not held.
    CopyNotHeld,
    /// A fetch failed, and nobody tried again at the age at which failures mean something else.
    FailedOnce,
    /// The last fetch is more than a day in the future: a clock is wrong.
    Future,
}

impl UnknownReason {
    /// Returns the word for it in reports: `not-held`, `expired`, `copy-not-held`, `failed-once` or `future`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotHeld => "not-held",
            Self::Expired => "expired",
            Self::CopyNotHeld => "copy-not-held",
            Self::FailedOnce => "failed-once",
            Self::Future => "future",
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotHeld => "its robots.txt is not held: fetch it",
            Self::Expired => "the last fetch of its robots.txt expired more than 30 days ago: fetch it again",
            Self::CopyNotHeld => "the server says that the copy is current, and none is held: fetch it again",
            Self::FailedOnce => "the last fetch of its robots.txt failed, and nobody tried again: fetch it",
            Self::Future => "the last fetch of its robots.txt is in the future: set the clock, and fetch it again",
        })
    }
}

impl FetchRecord {
    /// Reports whether the fetch was more than a day after `now`: a clock was wrong, and the record says nothing.
    #[must_use]
    #[inline]
    pub const fn is_from_future(&self, now: Time) -> bool {
        now.0.saturating_add(CLOCK_ERROR) < self.fetched_at.0
    }

    /// Returns why nothing is known at `now`, if [`effective_under`](Self::effective_under) says so.
    #[must_use]
    pub fn unknown_reason(&self, rules: &FetchRules, site: Site, now: Time) -> Option<UnknownReason> {
        if self.effective_under(rules, site, now).access != Access::Unknown {
            return None;
        }
        Some(if self.is_from_future(now) {
            UnknownReason::Future
        } else if now >= Time(self.expires_at.0.saturating_add(STALE_FOR)) {
            UnknownReason::Expired
        } else if self.outcome == Outcome::NotModified {
            UnknownReason::CopyNotHeld
        } else {
            UnknownReason::FailedOnce
        })
    }

    /// Returns what is allowed at `now` under a dialect, if nothing is known of the site but this record.
    ///
    /// Times up to a day before the fetch count as its time. If the fetch is later, a clock is wrong, and nothing is
    /// known. Never panics.
    #[must_use]
    #[inline]
    pub fn effective(&self, dialect: &Dialect, now: Time) -> Effective {
        self.effective_under(&dialect.fetch, Site::NotKnownUp, now)
    }

    /// Returns what is allowed at `now`, with what is known of the site.
    ///
    /// A failure opens a site by its age only if another attempt failed at that age. One failure that nobody repeated
    /// ends as [`Access::Unknown`], also if a good copy is held: the texts speak of a site that *keeps*
    /// failing, and a single failure says nothing about the hours after it.
    #[must_use]
    #[inline]
    pub fn effective_under(&self, rules: &FetchRules, site: Site, now: Time) -> Effective {
        if self.is_from_future(now) {
            return Effective { access: Access::Unknown, until: Time::MAX, next: Next::Refetch };
        }
        let now = now.max(self.fetched_at);
        let (access, step) = match self.outcome {
            Outcome::Rules => (Access::Rules, Time::MAX),
            Outcome::NotModified => (Access::Unknown, Time::MAX),
            Outcome::Unavailable | Outcome::TooManyRedirects => (Access::AllowAll, Time::MAX),
            Outcome::ServerError if site == Site::MissingIs5xx && rules.server_error_can_mean_missing => {
                (Access::AllowAll, Time::MAX)
            }
            Outcome::ServerError | Outcome::Unreachable => self.failing(rules.failure, site, now),
        };
        let is_fresh = now < self.expires_at;
        let forgotten = Time(self.expires_at.0.saturating_add(STALE_FOR));
        if now >= forgotten {
            return Effective { access: Access::Unknown, until: Time::MAX, next: Next::Refetch };
        }
        let next = match (is_fresh, access) {
            (false, _) | (true, Access::Unknown) => Next::Refetch,
            (true, Access::DisallowAll) => Next::Defer(self.expires_at),
            (true, _) => Next::Use,
        };
        let until = if is_fresh { self.expires_at } else { forgotten };
        Effective { access, until: until.min(step), next }
    }

    /// Returns what is allowed of an origin that fails, and when it changes.
    fn failing(&self, on_failure: OnFailure, site: Site, now: Time) -> (Access, Time) {
        let since = self.failing_since.unwrap_or(self.fetched_at).min(self.fetched_at);
        let after = |seconds: u32| Time(since.0.saturating_add(seconds));
        let copy = if self.good_at.is_some() { Access::Rules } else { Access::AllowAll };
        let by_site = if site == Site::NotKnownUp { Access::DisallowAll } else { Access::AllowAll };
        // Each stage: when it begins, and what counts in it.
        let stages = match on_failure {
            OnFailure::Disallow => [None, None],
            OnFailure::ThenGoodCopy { copy_after } => [Some((after(copy_after), copy)), None],
            OnFailure::ThenGoodCopyThenSite { copy_after, site_after } => {
                [Some((after(copy_after), copy)), Some((after(site_after), by_site))]
            }
        };
        let mut effective = Access::DisallowAll;
        for (begin, access) in stages.into_iter().flatten() {
            if now < begin {
                return (effective, begin);
            }
            effective = if self.fetched_at >= begin { access } else { Access::Unknown };
        }
        (effective, Time::MAX)
    }
}
