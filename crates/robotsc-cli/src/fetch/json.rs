//! A fetch as a line of JSON.

use std::io::Write;
use std::time::Duration;

use robotsc::Severity;
use robotsc::fetch::{EffectivePolicy, FetchEnd};
use robotsc::fetcher::Hop;
use serde_json::{Map, Value, json};

use super::Judged;
use super::text::FIELDS;
use crate::failure::Failure;
use crate::{output, time};
use robotsc_answers::shown;

/// Writes a fetch.
pub(super) fn write(out: &mut dyn Write, judged: &Judged<'_>) -> Result<(), Failure> {
    let fetched = judged.fetched;
    let policy = match judged.effective.policy {
        EffectivePolicy::Rules => "rules",
        EffectivePolicy::AllowAll => "allow-all",
        EffectivePolicy::DisallowAll => "disallow-all",
        EffectivePolicy::Unknown => "unknown",
    };
    let (end, status) = match fetched.end {
        FetchEnd::Status(status) => ("status".to_owned(), Some(status)),
        FetchEnd::BodyBroken(status) => ("incomplete".to_owned(), Some(status)),
        FetchEnd::RedirectLoop => ("redirect-loop".to_owned(), None),
        FetchEnd::LostRedirect => ("lost-redirect".to_owned(), None),
        FetchEnd::Network(error) => (format!("{error:?}").to_lowercase(), None),
    };
    let findings = judged.findings.as_ref().map(|findings| {
        let count = |severity| findings.iter().filter(|found| **found == severity).count();
        json!({
            "errors": count(Severity::Error),
            "warnings": count(Severity::Warning),
            "notes": count(Severity::Info),
        })
    });
    let value = json!({
        "type": "fetch",
        "origin": fetched.origin.as_str(),
        "fetched_at": time::shown(fetched.at),
        "took_ms": milliseconds(fetched.took),
        "end": end,
        "status": status,
        "redirects": fetched.redirects,
        "problem": fetched.problem,
        "body_bytes": fetched.body.len(),
        "encoded_bytes": fetched.encoded.as_ref().map(Vec::len),
        "dialect": judged.dialect.name,
        "outcome": crate::pack::outcome(judged.record.outcome),
        "policy": policy,
        "expires_at": time::shown(judged.record.expires_at),
        "findings": findings,
        "hops": fetched.hops.iter().map(hop).collect::<Vec<Value>>(),
    });
    output::json_line(out, &value)
}

fn hop(hop: &Hop) -> Value {
    let mut fields = Map::new();
    for name in FIELDS.into_iter().chain(["location"]) {
        if let Some(value) = hop.headers.get(name) {
            shown::put(&mut fields, name, value.as_bytes());
        }
    }
    let steps = &hop.steps;
    json!({
        "url": hop.url,
        "status": hop.status.map(|(status, _)| status),
        "version": hop.status.map(|(_, version)| format!("{version:?}")),
        "address": steps.address.map(|address| address.to_string()),
        "dns_ms": steps.dns.map(milliseconds),
        "connect_ms": steps.connect.map(milliseconds),
        "tls_ms": steps.tls.map(milliseconds),
        "head_ms": steps.head.map(milliseconds),
        "body_ms": steps.body.map(milliseconds),
        "headers": fields,
    })
}

/// Returns a time in milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1_000.0
}
