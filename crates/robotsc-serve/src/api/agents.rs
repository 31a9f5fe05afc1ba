//! `GET /v1/agents`: the register of known crawlers.

use std::sync::LazyLock;

use axum::response::Response;
use robotsc_answers::api::agents;

use crate::request::json;

/// The register does not change while the server runs.
static REGISTER: LazyLock<String> = LazyLock::new(|| agents::json().to_string());

/// Answers `GET /v1/agents`.
pub(crate) async fn get() -> Response {
    json(REGISTER.as_str())
}
