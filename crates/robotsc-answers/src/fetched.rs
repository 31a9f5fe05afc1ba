//! A fetch, and what a dialect makes of it, as JSON.

use std::time::Duration;

use robotsc::fetch::{Fetched, Hop};
use robotsc::outcome::{CHALLENGE_FIELDS, Capture, Effective, FetchRecord, Outcome};
use robotsc::robots_txt::{BodyKind, Severity};
use robotsc::{Dialect, RobotsTxt};
use serde_json::{Map, Value, json};

use crate::{lint, outcome, shown, time};

/// The header fields that say something about a robots.txt.
const FIELDS: [&str; 10] = [
    "content-type",
    "content-encoding",
    "content-length",
    "cache-control",
    "expires",
    "age",
    "date",
    "etag",
    "last-modified",
    "retry-after",
];

/// Returns the header fields that say something about a robots.txt, in lower case.
pub fn fields() -> impl Iterator<Item = &'static str> {
    FIELDS.into_iter().chain(CHALLENGE_FIELDS)
}

/// A fetch, and what a dialect makes of it.
#[derive(Debug)]
pub struct Judged<'f> {
    /// The fetch.
    pub fetched: &'f Fetched,
    /// The dialect.
    pub dialect: &'static Dialect,
    /// What is recorded of the fetch.
    pub record: FetchRecord,
    /// What holds when it ends.
    pub effective: Effective,
    /// The severities of the findings, if there are rules.
    pub findings: Option<Vec<Severity>>,
}

/// Returns the record of a fetch of an origin of which nothing else is known.
#[must_use]
pub fn record(fetched: &Fetched, dialect: &Dialect) -> FetchRecord {
    *Capture::after(None, &fetched.response(), fetched.at, dialect).record()
}

impl<'f> Judged<'f> {
    /// Judges a fetch. Lints the body if it has rules.
    #[must_use]
    pub fn new(fetched: &'f Fetched, dialect: &'static Dialect) -> Self {
        let mut judged = Self::unread(fetched, dialect);
        judged.findings = (judged.record.outcome == Outcome::Rules).then(|| {
            let found = lint::default_lint().run(&RobotsTxt::parse_with(&fetched.body, dialect));
            found.iter().map(|finding| finding.severity).collect()
        });
        judged
    }

    /// Judges a fetch without a look at the rules.
    #[must_use]
    pub fn unread(fetched: &'f Fetched, dialect: &'static Dialect) -> Self {
        let record = record(fetched, dialect);
        let effective = record.effective(dialect, fetched.at);
        Self { fetched, dialect, record, effective, findings: None }
    }

    /// Returns the fetch as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let judged = self;
        let fetched = self.fetched;
        let (end, status) = (fetched.end.as_str(), fetched.end.status());
        let findings = judged.findings.as_ref().map(|findings| {
            let count = |severity| findings.iter().filter(|found| **found == severity).count();
            json!({
                "errors": count(Severity::Error),
                "warnings": count(Severity::Warning),
                "notes": count(Severity::Info),
            })
        });
        json!({
            "type": "fetch",
            "origin": fetched.origin.as_str(),
            "fetched_at": time::shown(fetched.at),
            "took_ms": milliseconds(fetched.took),
            "end": end,
            "status": status,
            "redirects": fetched.redirects,
            "problem": fetched.problem,
            "body_bytes": fetched.body.len(),
            "body_kind": fetched.body_kind.map(BodyKind::name),
            "encoded_bytes": fetched.encoded.as_ref().map(Vec::len),
            "dialect": judged.dialect.name,
            "outcome": judged.record.outcome.as_str(),
            "policy": outcome::access(judged.effective.access),
            "expires_at": time::shown(judged.record.expires_at),
            "findings": findings,
            "hops": fetched.hops.iter().map(hop).collect::<Vec<Value>>(),
        })
    }
}

fn hop(hop: &Hop) -> Value {
    let mut fields = Map::new();
    for name in self::fields().chain(["location"]) {
        if let Some(value) = hop.headers.get(name) {
            shown::put(&mut fields, name, value.as_bytes());
        }
    }
    let timings = &hop.timings;
    json!({
        "url": hop.url,
        "status": hop.status.map(|(status, _)| status),
        "version": hop.status.map(|(_, protocol)| protocol.to_string()),
        "address": timings.address.map(|address| address.to_string()),
        "dns_ms": timings.dns.map(milliseconds),
        "connect_ms": timings.connect.map(milliseconds),
        "tls_ms": timings.tls.map(milliseconds),
        "head_ms": timings.head.map(milliseconds),
        "body_ms": timings.body.map(milliseconds),
        "headers": fields,
    })
}

/// Returns a time in milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1_000.0
}
