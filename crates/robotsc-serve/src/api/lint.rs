//! `GET /v1/lint/{code}`: the page of a check.

use axum::Json;
use axum::extract::Path;
use robotsc_answers::api::lint;
use serde_json::Value;

use crate::problem::Problem;

/// Answers `GET /v1/lint/{code}`.
pub(crate) async fn page(Path(code): Path<String>) -> Result<Json<Value>, Problem> {
    Ok(Json(lint::page(&code)?))
}
