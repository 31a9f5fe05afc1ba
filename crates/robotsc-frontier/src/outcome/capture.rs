//! A fetch record together with the body that belongs to it.

use std::fmt;

use robotsc_compiler::Dialect;
use robotsc_compiler::dialect::FetchRules;

use super::result::KEEP_AT_MOST;
use super::{FetchEnd, FetchRecord, NetworkError, Outcome, Response, Time};

/// The record of a fetch, with the body that its rules come from.
///
/// A capture holds a body only if its record has [rules](FetchRecord::good_at). The fields are private, so that the
/// body of an error page cannot replace a good copy.
///
/// ```
/// use robotsc::Dialect;
/// use robotsc::outcome::{Capture, Response, Time};
///
/// let now = Time(1_790_000_000);
/// let good = Capture::after(None, &Response::new(200, b"User-agent: *\nDisallow: /\n"), now, &Dialect::GOOGLE);
/// assert!(good.body().is_some());
/// let error = Response::new(503, b"<html>come back later</html>");
/// let failed = Capture::after(Some(good.record()), &error, now, &Dialect::GOOGLE);
/// assert!(failed.body().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture<'b> {
    record: FetchRecord,
    body: Option<&'b [u8]>,
    /// The rules that the response was read under, if that is known.
    rules: Option<FetchRules>,
    is_challenge: bool,
}

impl<'b> Capture<'b> {
    /// Makes the record of a response that arrived at `at`. `before` is the record of the same origin before it.
    ///
    /// The body counts only if the outcome is rules, and never for a 304. A body that is [no
    /// robots.txt](robotsc_compiler::BodyKind) counts as a file without rules, unless the dialect takes
    /// [other bodies for failures](FetchRules::other_body_is_failure). Then a [challenge](fn@super::challenge) in place
    /// of the file is a failure, too, whatever its status and its body.
    #[must_use]
    pub fn after(before: Option<&FetchRecord>, response: &Response<'b>, at: Time, dialect: &Dialect) -> Self {
        let mut result = response.result(at);
        if dialect.fetch.other_body_is_failure {
            match result.end {
                // What came says nothing of the file: it is as if nothing had come.
                FetchEnd::Status(200..=499) | FetchEnd::BodyBroken(200..=499) if response.is_challenge() => {
                    result.end = FetchEnd::Network(NetworkError::Protocol);
                }
                FetchEnd::Status(status) if response.body_kind(dialect).is_some_and(|kind| !kind.is_robots()) => {
                    result.end = FetchEnd::BodyBroken(status);
                }
                _ => {}
            }
        }
        let record = FetchRecord::after(before, &result, dialect);
        let is_new = record.outcome == Outcome::Rules && result.end != FetchEnd::Status(304);
        let body = is_new.then_some(response.body());
        Self { record, body, rules: Some(dialect.fetch), is_challenge: response.is_challenge() }
    }

    /// Restores a capture that was stored earlier: `good_copy` is the body of the fetch at
    /// [`good_at`](FetchRecord::good_at), and never that of a failed fetch.
    ///
    /// # Errors
    /// [`CaptureError`] if the record has rules and there is no good copy, or the other way round, or if no fetch
    /// leaves such a record.
    pub fn restored(record: FetchRecord, good_copy: Option<&'b [u8]>) -> Result<Self, CaptureError> {
        let is_failure = record.outcome.is_failure();
        let has_good_copy = record.good_at.is_some();
        let wrong = |what| Err(CaptureError(what));
        if record.outcome == Outcome::Rules && !has_good_copy {
            return wrong("the outcome is rules, but no time of a good copy is stated: set `good_at`");
        }
        if record.outcome != Outcome::Rules && !is_failure && has_good_copy {
            return wrong("after this outcome no good copy is left: clear `good_at`");
        }
        if record.failing_since.is_some() != is_failure {
            return wrong("`failing_since` is set if and only if the fetch failed");
        }
        if record.good_at > Some(record.fetched_at) || record.failing_since > Some(record.fetched_at) {
            return wrong("`good_at` and `failing_since` are not after `fetched_at`");
        }
        if record.failing_since.is_some_and(|since| Some(since) < record.good_at) {
            return wrong("`failing_since` is not before `good_at`");
        }
        let longest = Time(record.fetched_at.0.saturating_add(KEEP_AT_MOST));
        if !(record.fetched_at..=longest).contains(&record.expires_at) {
            return wrong("`expires_at` is at most 30 days after `fetched_at`, and not before it");
        }
        match (has_good_copy, good_copy) {
            (true, None) => wrong("the record has rules, but there is no body: pass the body of the good copy"),
            (false, Some(_)) => wrong("the record has no rules, but there is a body: pass none"),
            _ => Ok(Self { record, body: good_copy, rules: None, is_challenge: false }),
        }
    }

    /// Reports whether the record means the same under a dialect, as far as is known.
    pub(crate) fn is_of(&self, dialect: &Dialect) -> bool {
        self.rules.is_none_or(|rules| rules == dialect.fetch)
    }

    /// Returns the record.
    #[must_use]
    pub const fn record(&self) -> &FetchRecord {
        &self.record
    }

    /// Reports whether the server said that it sent a [challenge](fn@super::challenge) in place of the file.
    #[must_use]
    pub const fn is_challenge(&self) -> bool {
        self.is_challenge
    }

    /// Returns the body of the rules, if this capture brought or restored one.
    #[must_use]
    pub const fn body(&self) -> Option<&'b [u8]> {
        self.body
    }
}

/// Why a record and a body do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureError(&'static str);

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for CaptureError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_and_a_body_that_do_not_belong_together_are_an_error() {
        let at = Time(1_000);
        let record = |outcome, good_at, failing_since| FetchRecord {
            outcome,
            fetched_at: at,
            expires_at: Time(2_000),
            good_at,
            failing_since,
        };
        let (body, early, late) = (Some(&b"User-agent: *\n"[..]), Some(Time(900)), Some(Time(1_001)));
        for (record, body, is_valid) in [
            (record(Outcome::Rules, Some(at), None), body, true),
            (record(Outcome::Rules, early, None), body, true),
            (record(Outcome::Rules, late, None), body, false),
            (record(Outcome::Rules, Some(at), None), None, false),
            (record(Outcome::Rules, None, None), None, false),
            (record(Outcome::Rules, Some(at), Some(at)), body, false),
            (record(Outcome::ServerError, early, Some(at)), body, true),
            (record(Outcome::ServerError, None, Some(at)), None, true),
            (record(Outcome::ServerError, None, Some(at)), body, false),
            (record(Outcome::Unreachable, early, Some(at)), None, false),
            (record(Outcome::Unreachable, None, None), None, false),
            (record(Outcome::Unreachable, None, late), None, false),
            (record(Outcome::Unavailable, None, None), None, true),
            (record(Outcome::Unavailable, None, None), body, false),
            (record(Outcome::Unavailable, early, None), body, false),
            (record(Outcome::NotModified, None, None), None, true),
            (record(Outcome::NotModified, early, None), body, false),
            (record(Outcome::ServerError, Some(at), early), body, false),
            (FetchRecord { expires_at: Time(999), ..record(Outcome::Unavailable, None, None) }, None, false),
            (FetchRecord { expires_at: Time(3_000_000), ..record(Outcome::Unavailable, None, None) }, None, false),
        ] {
            assert_eq!(Capture::restored(record, body).is_ok(), is_valid, "{record:?} {}", body.is_some());
        }
    }
}
