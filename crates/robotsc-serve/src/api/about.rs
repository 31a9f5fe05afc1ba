//! `GET /v1/about`: the version, the dialects, the limits, and what is on.

use axum::Json;
use axum::extract::{Request, State};
use robotsc_answers::api::about;
use serde_json::Value;

use crate::app::App;
use crate::guard::{Peer, is_local};

/// Answers `GET /v1/about`.
pub(crate) async fn get(State(app): State<App>, request: Request) -> Json<Value> {
    let is_local = is_local(&app, request.extensions().get::<Peer>(), request.headers());
    Json(about::json(&app.limits, app.config.pack.is_some(), may_fetch(&app, is_local)))
}

/// Reports whether a caller may have sites fetched.
fn may_fetch(app: &App, is_local: bool) -> bool {
    #[cfg(feature = "fetch")]
    let has_fetcher = app.config.fetcher.is_some();
    #[cfg(not(feature = "fetch"))]
    let has_fetcher = false;
    has_fetcher && (is_local || app.config.allow_fetch)
}
