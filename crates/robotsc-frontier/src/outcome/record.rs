//! What a cache keeps of an origin besides its rules.

use std::fmt;

/// Seconds since 1970-01-01 00:00 UTC. Time is always passed in; nothing here reads a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u32);

impl Time {
    /// Later than every time: in the year 2106.
    pub const MAX: Self = Self(u32::MAX);
}

/// How the last fetch of an origin's robots.txt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// A body to parse (2xx, complete).
    Rules = 0,
    /// There is none: 4xx, except 429 if the dialect takes it for a failure. RFC 9309 section 2.3.1.3 calls it so, and
    /// allows everything.
    Unavailable = 1,
    /// More redirects than are followed, or a loop.
    TooManyRedirects = 2,
    /// The server failed: 5xx.
    ServerError = 3,
    /// There is no usable response: DNS, connection, timeout, a broken body, a redirect that was not followed, and 429
    /// if the dialect takes it for a failure. RFC 9309 section 2.3.1.4 calls it so, and a 5xx too, and allows nothing.
    Unreachable = 4,
    /// The server says that the copy which the crawler asked about is current (304), but it is not held. Nothing is
    /// known of the rules: fetch again, without conditions.
    NotModified = 5,
}

impl Outcome {
    /// All outcomes, each at the place of its number.
    pub(crate) const ALL: [Self; 6] = [
        Self::Rules,
        Self::Unavailable,
        Self::TooManyRedirects,
        Self::ServerError,
        Self::Unreachable,
        Self::NotModified,
    ];

    /// Returns the word for it, as reports and JSON have it.
    ///
    /// ```
    /// use robotsc::outcome::Outcome;
    ///
    /// assert_eq!(Outcome::ServerError.as_str(), "server-error");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Unavailable => "unavailable",
            Self::TooManyRedirects => "redirects",
            Self::ServerError => "server-error",
            Self::Unreachable => "unreachable",
            Self::NotModified => "not-modified",
        }
    }

    /// Returns the outcome with a number; [`Unreachable`](Self::Unreachable), which allows nothing, if there is none.
    pub(crate) fn of(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Unreachable)
    }

    /// Reports whether the fetch failed, so that what was known before still counts.
    pub(crate) const fn is_failure(self) -> bool {
        matches!(self, Self::ServerError | Self::Unreachable)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rules => "rules",
            Self::Unavailable => "no robots.txt",
            Self::TooManyRedirects => "too many redirects",
            Self::ServerError => "an error of the server",
            Self::Unreachable => "no usable response",
            Self::NotModified => "not modified, but no copy is held",
        })
    }
}

/// What a cache keeps of an origin besides its rules: enough to answer as the dialect says at any later time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FetchRecord {
    /// How the last fetch ended.
    pub outcome: Outcome,
    /// When it ended.
    pub fetched_at: Time,
    /// Until when its result counts without another fetch.
    pub expires_at: Time,
    /// When the rules that are held were fetched; `None` if none are held.
    pub good_at: Option<Time>,
    /// When the first of the consecutive failures ended; `None` after a success.
    pub failing_since: Option<Time>,
}

impl FetchRecord {
    /// Returns the record for somebody who lacks the copy that belongs to it. It opens nothing: what a copy would allow
    /// is not known, and neither is since when failures without it count.
    pub(crate) fn without_copy(self) -> Self {
        if self.good_at.is_none() {
            return self;
        }
        let is_failure = self.outcome.is_failure();
        Self {
            outcome: if is_failure { self.outcome } else { Outcome::NotModified },
            good_at: None,
            failing_since: is_failure.then_some(self.fetched_at),
            ..self
        }
    }
}
