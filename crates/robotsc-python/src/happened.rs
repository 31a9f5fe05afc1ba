//! What happened when a robots.txt was fetched, in words.

use pyo3::prelude::*;
use robotsc::outcome::{FetchRecord, Outcome, Time, UnknownReason};
use robotsc::robots_txt::BodyKind;

use crate::results::{make, verdicts};

/// What is known of a response besides its record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Happened {
    pub(crate) status: Option<u16>,
    /// The name of the failure.
    pub(crate) error: Option<String>,
    /// What the body of a success is: its word in reports, and what it is called.
    pub(crate) body_kind: Option<(String, String)>,
    /// Whether the server marked the response as a challenge.
    pub(crate) is_challenge: bool,
}

/// Returns how a fetch ended, in a word or two.
pub(crate) const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Rules => "rules",
        Outcome::Unavailable => "missing",
        Outcome::TooManyRedirects => "too many redirects",
        Outcome::ServerError => "server error",
        Outcome::Unreachable => "unreachable",
        Outcome::NotModified => "not modified",
    }
}

/// Returns the word of a reason for how a fetch ended.
pub(crate) const fn outcome_reason(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotModified => UnknownReason::CopyNotHeld.name(),
        outcome => outcome.as_str(),
    }
}

impl Happened {
    /// Returns it as words: `429 Too Many Requests`, `a timeout`, `200 OK with HTML in place of a robots.txt`.
    pub(crate) fn text(&self, outcome: Outcome) -> String {
        let mut text = match (self.status, self.error.as_deref()) {
            (Some(status), _) => format!("{status}{}", phrase(status)),
            (None, Some(error)) => error_text(error).to_owned(),
            (None, None) => outcome_name(outcome).to_owned(),
        };
        if self.error.as_deref() == Some("incomplete") && self.status.is_some() {
            text.push_str(" with a body that broke off");
        }
        if self.is_challenge {
            text.push_str(" with a challenge");
        }
        if let Some((_, shown)) = self.body_kind.as_ref().filter(|(name, _)| *name != BodyKind::Robots.name()) {
            text.push_str(&format!(" with {shown} in place of a robots.txt"));
        }
        if self.status.is_some_and(|status| (200..300).contains(&status)) && outcome == Outcome::Unreachable {
            text.push_str(", which is no success");
        }
        text
    }
}

fn error_text(error: &str) -> &str {
    match error {
        "connect" => "no connection",
        "dns" => "no address for the host",
        "incomplete" => "a body that broke off",
        "lost-redirect" => "a redirect without a target",
        "protocol" => "a response that is not HTTP",
        "redirect-loop" => "a loop of redirects",
        "refused" => "a host that the crawler refuses",
        "reset" => "a connection that broke off",
        "timeout" => "a timeout",
        "tls" => "no secure connection",
        other => other,
    }
}

/// Returns the reason phrase of a status that robots.txt files are answered with, after a blank.
const fn phrase(status: u16) -> &'static str {
    match status {
        200 => " OK",
        202 => " Accepted",
        204 => " No Content",
        206 => " Partial Content",
        301 => " Moved Permanently",
        302 => " Found",
        304 => " Not Modified",
        400 => " Bad Request",
        401 => " Unauthorized",
        402 => " Payment Required",
        403 => " Forbidden",
        404 => " Not Found",
        410 => " Gone",
        429 => " Too Many Requests",
        451 => " Unavailable For Legal Reasons",
        500 => " Internal Server Error",
        502 => " Bad Gateway",
        503 => " Service Unavailable",
        504 => " Gateway Timeout",
        _ => "",
    }
}

/// Returns a number of seconds as words: `75 days`.
fn span(seconds: u32) -> String {
    let (number, unit) = match seconds {
        0..120 => (seconds, "second"),
        120..7_200 => (seconds / 60, "minute"),
        7_200..172_800 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// Returns why nothing is known of an origin, with the age of what was known.
pub(crate) fn unknown_text(reason: UnknownReason, record: Option<&FetchRecord>, now: Time) -> String {
    match (reason, record) {
        (UnknownReason::Expired, Some(record)) => {
            let since = |time: Time| span(now.0.saturating_sub(time.0));
            let (fetched, expired) = (since(record.fetched_at), since(record.expires_at));
            format!("its robots.txt was fetched {fetched} ago and expired {expired} ago: fetch it again")
        }
        _ => reason.to_string(),
    }
}

/// A verdict and what decided, before it is one of Python.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    /// A code of [`VERDICTS`](crate::answers::VERDICTS).
    pub(crate) verdict: usize,
    pub(crate) reason: &'a str,
    pub(crate) line: Option<u32>,
    pub(crate) rule: Option<String>,
    pub(crate) origin: &'a str,
    pub(crate) happened: Option<&'a Happened>,
    pub(crate) record: Option<&'a FetchRecord>,
    pub(crate) text: String,
}

impl Answer<'_> {
    /// Returns it as Python has it.
    pub(crate) fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let status = self.happened.and_then(|happened| happened.status);
        let body_kind = self.happened.and_then(|happened| happened.body_kind.as_ref()).map(|(name, _)| name.clone());
        let (fetched_at, expires_at) =
            (self.record.map(|record| record.fetched_at.0), self.record.map(|record| record.expires_at.0));
        let verdict = verdicts(py)?[self.verdict].clone_ref(py);
        let fields = (
            verdict,
            self.reason,
            self.line,
            self.rule,
            self.origin,
            status,
            body_kind,
            fetched_at,
            expires_at,
            self.text,
        );
        make(py, "Answer", fields)
    }
}
