//! What a cache keeps of an origin besides its rules.

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
    /// There is none: 4xx, except 429 if the dialect takes it for a failure.
    Unavailable = 1,
    /// More redirects than are followed, or a loop.
    TooManyRedirects = 2,
    /// The server failed: 5xx.
    ServerError = 3,
    /// There is no usable response: DNS, connection, timeout, a broken body, a redirect that was not followed, and 429
    /// if the dialect takes it for a failure.
    Unreachable = 4,
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
