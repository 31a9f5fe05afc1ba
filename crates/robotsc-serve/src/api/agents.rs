//! `GET /v1/agents`: the register of known crawlers.

use std::sync::LazyLock;

use axum::response::Response;
use robotsc::bundled;
use robotsc_answers::known_agent;
use serde_json::{Value, json};

use crate::request::json as json_response;

/// The register does not change while the server runs.
static REGISTER: LazyLock<String> = LazyLock::new(|| {
    let agents: Vec<Value> = bundled::agents().iter().map(known_agent::json).collect();
    json!({ "agents": agents }).to_string()
});

/// Answers `GET /v1/agents`.
pub(crate) async fn get() -> Response {
    json_response(REGISTER.as_str())
}
