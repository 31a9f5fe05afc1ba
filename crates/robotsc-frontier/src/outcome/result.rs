//! From the result of a fetch to the record that is kept.

use robotsc_compiler::Dialect;
use robotsc_compiler::dialect::FetchRules;

use super::{Caching, FetchRecord, Outcome, Time};

/// The number of redirects that a crawler follows.
const MAX_REDIRECTS: u8 = 5;

/// How a fetch of robots.txt ended, redirects followed. The file applies to the origin of the first request, wherever
/// redirects led (RFC 9309 section 2.3.1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchEnd {
    /// With this status, and a body that is whole.
    Status(u16),
    /// With this status, and a body that broke off: a bad chunk, fewer bytes than announced, a coding that cannot be
    /// read.
    BodyBroken(u16),
    /// With a redirect to a URL that the fetch had visited before.
    RedirectLoop,
    /// With a redirect that has no `Location`, so that there can be no file under some dialects. One whose `Location`
    /// is no URL is [`NetworkError::Protocol`]: there is a file, and it was not read.
    LostRedirect,
    /// Without a response.
    Network(NetworkError),
}

impl FetchEnd {
    /// Returns the word for it, as reports and JSON have it: `status`, `incomplete` or another.
    ///
    /// ```
    /// use robotsc::outcome::FetchEnd;
    ///
    /// assert_eq!((FetchEnd::Status(404).as_str(), FetchEnd::Status(404).status()), ("status", Some(404)));
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status(_) => "status",
            Self::BodyBroken(_) => "incomplete",
            Self::RedirectLoop => "redirect-loop",
            Self::LostRedirect => "lost-redirect",
            Self::Network(error) => error.as_str(),
        }
    }

    /// Returns the status, if the fetch ended with one.
    #[must_use]
    pub const fn status(self) -> Option<u16> {
        match self {
            Self::Status(status) | Self::BodyBroken(status) => Some(status),
            Self::RedirectLoop | Self::LostRedirect | Self::Network(_) => None,
        }
    }
}

/// Why there was no response. All mean the same to the dialects; the names are for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetworkError {
    /// The name was not resolved.
    Dns,
    /// No connection.
    Connect,
    /// No secure connection.
    Tls,
    /// The response took too long.
    Timeout,
    /// The connection broke off before the head was read.
    Reset,
    /// The response is not HTTP.
    Protocol,
    /// The crawler refused to connect: an address that is not public, or a scheme that it does not fetch.
    Refused,
}

impl NetworkError {
    /// All of them, in the order in which a fetch meets them.
    pub const ALL: [Self; 7] =
        [Self::Dns, Self::Connect, Self::Tls, Self::Timeout, Self::Reset, Self::Protocol, Self::Refused];

    /// Returns the word for it, as reports and WARC files have it.
    ///
    /// ```
    /// use robotsc::outcome::NetworkError;
    ///
    /// assert_eq!(NetworkError::Timeout.as_str(), "timeout");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Reset => "reset",
            Self::Protocol => "protocol",
            Self::Refused => "refused",
        }
    }
}

/// Reports whether a status is that of a redirect that is followed: 301, 302, 303, 307 or 308 (RFC 9309, section
/// 2.3.1.2; RFC 9110, section 15.4). Never panics.
///
/// ```
/// assert!(robotsc::outcome::is_redirect(308) && !robotsc::outcome::is_redirect(304));
/// ```
#[must_use]
pub const fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// The result of a fetch, as a crawler reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FetchResult {
    /// How it ended.
    pub end: FetchEnd,
    /// The number of redirects that were followed.
    pub redirects: u8,
    /// How long the server allows the response to be kept.
    pub caching: Caching,
    /// When it ended.
    pub at: Time,
}

impl FetchResult {
    /// Returns how the fetch ended, under the rules of a dialect.
    fn outcome(&self, rules: &FetchRules) -> Outcome {
        match self.end {
            // A part of a file can lack the part that disallows.
            FetchEnd::Status(206) if !rules.partial_content_is_rules => Outcome::Unreachable,
            // What came is not the file: it was not ready, or a challenge was sent in its place.
            FetchEnd::Status(202) if !rules.accepted_is_rules => Outcome::Unreachable,
            FetchEnd::Status(200..=299) => Outcome::Rules,
            FetchEnd::Status(429) | FetchEnd::BodyBroken(429) if rules.too_many_requests_is_failure => {
                Outcome::Unreachable
            }
            FetchEnd::Status(401 | 403) | FetchEnd::BodyBroken(401 | 403) if rules.refusal_is_failure => {
                Outcome::Unreachable
            }
            FetchEnd::Status(400..=499) | FetchEnd::BodyBroken(400..=499) => Outcome::Unavailable,
            FetchEnd::Status(status) | FetchEnd::BodyBroken(status)
                if is_redirect(status) && self.redirects >= MAX_REDIRECTS =>
            {
                Outcome::TooManyRedirects
            }
            FetchEnd::RedirectLoop => Outcome::TooManyRedirects,
            FetchEnd::LostRedirect if self.redirects >= MAX_REDIRECTS => Outcome::TooManyRedirects,
            FetchEnd::LostRedirect if rules.lost_redirect_is_missing => Outcome::Unavailable,
            FetchEnd::Status(500..=599) | FetchEnd::BodyBroken(500..=599) => Outcome::ServerError,
            FetchEnd::Status(304) => Outcome::NotModified,
            // A redirect that was not followed means nothing for the file, nor does any other status: they must not
            // open the site.
            FetchEnd::Status(_) | FetchEnd::BodyBroken(_) | FetchEnd::LostRedirect | FetchEnd::Network(_) => {
                Outcome::Unreachable
            }
        }
    }
}

const MINUTE: u32 = 60;
const DAY: u32 = 24 * 60 * MINUTE;
/// Seconds that a result counts even if the server forbids to keep it: a crawler needs time to use it.
const KEEP_AT_LEAST: u32 = 5 * MINUTE;
/// The maximum of `max-age`, in seconds.
pub(super) const KEEP_AT_MOST: u32 = 30 * DAY;
/// The wait after the first failure, in seconds; after others it is half the time since the first.
const RETRY_FIRST: u32 = 5 * MINUTE;

impl FetchRecord {
    /// Returns the record after a fetch; `before` is that of the same origin, if there is one.
    ///
    /// The caller keeps the rules that belong to it: those of the body if the outcome is [`Outcome::Rules`] (on 304
    /// those of the body before), those from before if [`good_at`](Self::good_at) is still set, else none. A clock that
    /// is set back loses no copy. A 304 without a held copy is [`Outcome::NotModified`]: so send a conditional request
    /// only if `good_at` is set.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn after(before: Option<&Self>, result: &FetchResult, dialect: &Dialect) -> Self {
        let at = result.at;
        let held = before.and_then(|before| before.good_at);
        let not_modified = result.end == FetchEnd::Status(304) && held.is_some();
        let outcome = if not_modified { Outcome::Rules } else { result.outcome(&dialect.fetch) };
        let is_failure = outcome.is_failure();
        let keep = if is_failure {
            let since = before.and_then(|before| before.failing_since).map_or(0, |since| at.0.saturating_sub(since.0));
            result.caching.retry_after.unwrap_or(0).max(RETRY_FIRST).max(since / 2).min(DAY)
        } else {
            let most = dialect.fetch.max_age_seconds.unwrap_or(KEEP_AT_MOST).clamp(KEEP_AT_LEAST, KEEP_AT_MOST);
            // A dialect that takes 429 for a missing file still comes back when the server wants it, or a day later.
            let is_refusal = matches!(result.end, FetchEnd::Status(429) | FetchEnd::BodyBroken(429));
            let wait = result.caching.retry_after.filter(|_| is_refusal).unwrap_or(0).min(DAY);
            result.caching.fresh_for(at).unwrap_or(DAY).max(wait).clamp(KEEP_AT_LEAST, most)
        };
        let good_at = match outcome {
            Outcome::Rules if not_modified => held,
            Outcome::Rules => Some(at),
            Outcome::Unavailable | Outcome::TooManyRedirects | Outcome::NotModified => None,
            Outcome::ServerError | Outcome::Unreachable => held,
        };
        let failing_since = is_failure
            .then(|| before.and_then(|before| before.failing_since).filter(|since| *since <= at).unwrap_or(at));
        Self { outcome, fetched_at: at, expires_at: Time(at.0.saturating_add(keep)), good_at, failing_since }
    }
}
