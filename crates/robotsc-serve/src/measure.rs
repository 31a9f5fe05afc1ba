//! Counts requests, and shows the counts.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::app::App;

/// Counts the requests of a route and measures them.
pub(crate) async fn measure(State(app): State<App>, path: MatchedPath, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let response = next.run(request).await;
    app.metrics.answered(path.as_str(), response.status().as_u16(), start.elapsed());
    response
}

/// Answers `GET /metrics`.
pub(crate) async fn get(State(app): State<App>) -> Response {
    let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, media_type)], app.metrics.text()).into_response()
}
