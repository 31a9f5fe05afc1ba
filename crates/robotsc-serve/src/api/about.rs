//! `GET /v1/about`: the version, the dialects, the limits, and what is on.

use axum::Json;
use axum::extract::{Request, State};
use robotsc::bundled::Purpose;
use robotsc_analysis::lint::LintCheck;
use serde_json::{Value, json};

use crate::app::App;
use crate::guard::{Peer, is_local};

/// Answers `GET /v1/about`.
pub(crate) async fn get(State(app): State<App>, request: Request) -> Json<Value> {
    let limits = &app.config.limits;
    let dialects: Vec<Value> = robotsc_answers::dialect::all()
        .map(|(dialect, meaning)| json!({ "name": dialect.name, "description": meaning }))
        .collect();
    let checks: Vec<Value> = LintCheck::ALL
        .iter()
        .map(|check| {
            let severity = robotsc_answers::lint::severity(check.severity());
            json!({ "code": check.code(), "severity": severity, "summary": check.summary() })
        })
        .collect();
    let is_local = is_local(&app, request.extensions().get::<Peer>(), request.headers());
    Json(json!({
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
        "pack": app.config.pack.is_some(),
        "fetch": may_fetch(&app, is_local),
    }))
}

/// Reports whether a caller may have sites fetched.
fn may_fetch(app: &App, is_local: bool) -> bool {
    #[cfg(feature = "fetch")]
    let has_fetcher = app.config.fetcher.is_some();
    #[cfg(not(feature = "fetch"))]
    let has_fetcher = false;
    has_fetcher && (is_local || app.config.allow_fetch)
}
