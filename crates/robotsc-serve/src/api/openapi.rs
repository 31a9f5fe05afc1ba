//! `GET /openapi.json`: the description of the API.

use axum::response::Response;

use crate::request::json;

/// The description, which is kept by hand and compared with the routes and their answers by the tests.
pub(crate) const OPENAPI: &str = include_str!("openapi.json");

/// Answers `GET /openapi.json`.
pub(crate) async fn get() -> Response {
    json(OPENAPI)
}
