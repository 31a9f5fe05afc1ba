//! `GET /v1/about`: the version, the dialects, the limits, and what is on.

use robotsc::bundled::Purpose;
use robotsc_analysis::lint::LintCheck;
use serde_json::{Value, json};

use super::limits::Limits;
use crate::{dialect, lint};

/// Returns the answer of one that has a pack, or not, and fetches, or not.
#[must_use]
pub fn json(limits: &Limits, has_pack: bool, may_fetch: bool) -> Value {
    let dialects: Vec<Value> =
        dialect::all().map(|(dialect, meaning)| json!({ "name": dialect.name, "description": meaning })).collect();
    let checks: Vec<Value> = LintCheck::ALL
        .iter()
        .map(|check| {
            let severity = lint::severity(check.severity());
            json!({ "code": check.code(), "severity": severity, "summary": check.summary() })
        })
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "dialects": dialects,
        "purposes": Purpose::ALL.map(Purpose::name),
        "lints": checks,
        "limits": {
            "body_bytes": limits.body_bytes,
            "url_bytes": limits.url_bytes,
            "urls": limits.urls,
            "agents": limits.agents,
            "answers": limits.answers,
            "answer_bytes": limits.answer_bytes,
            "drawn_edges": limits.drawn_edges,
        },
        "pack": has_pack,
        "fetch": may_fetch,
    })
}
