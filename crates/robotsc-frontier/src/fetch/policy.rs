//! What the dialects say about failed fetches, as data.

use robotsc_compiler::Dialect;

const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;

/// Redirects that are followed.
pub(super) const MAX_REDIRECTS: u8 = 5;

/// What failures mean, by their age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailurePolicy {
    /// Nothing is allowed, for ever (`google-2017`).
    Disallow,
    /// Nothing is allowed for so many seconds; then the last good copy counts, and without one all is allowed (`google-2019`, `rfc9309`).
    ThenGoodCopy(u32),
    /// Nothing is allowed for the first number of seconds; the last good copy counts, or all is allowed, up to the second; then all is allowed if the site is up
    /// (`google`).
    Ladder(u32, u32),
}

/// What a dialect says about fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FetchPolicy {
    /// Whether 429 counts as a server error; otherwise it is a 4xx as any other.
    pub too_many_requests_is_failure: bool,
    /// What failures mean.
    pub failure: FailurePolicy,
    /// The most seconds that an answer is kept for, whatever the server says; `None` where `max-age` may say more than a day.
    pub keep_at_most: Option<u32>,
}

impl FetchPolicy {
    /// What a dialect says, by its name: see the table in the [module documentation](super).
    #[must_use]
    pub fn of(dialect: &Dialect) -> Self {
        let (too_many_requests_is_failure, failure, keep_at_most) = match dialect.name {
            "google" => (true, FailurePolicy::Ladder(12 * HOUR, 30 * DAY), None),
            "google-2019" => (false, FailurePolicy::ThenGoodCopy(30 * DAY), None),
            "google-2017" => (false, FailurePolicy::Disallow, None),
            _ => (false, FailurePolicy::ThenGoodCopy(30 * DAY), Some(DAY)),
        };
        Self { too_many_requests_is_failure, failure, keep_at_most }
    }
}
