//! Errors as responses: problem details (RFC 9457), as [`robotsc_answers::api::problem`] writes them.

use std::fmt;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use robotsc_answers::api::problem;
use serde_json::{Map, Value};

/// The media type of problem details.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// An error of a request.
#[derive(Clone, Debug)]
pub(crate) struct Problem(problem::Problem);

impl From<problem::Problem> for Problem {
    fn from(problem: problem::Problem) -> Self {
        Self(problem)
    }
}

impl Problem {
    pub(crate) fn new(status: StatusCode, title: &'static str, detail: impl fmt::Display) -> Self {
        Self(problem::Problem::new(status.as_u16(), title, detail))
    }

    /// Creates the problem of what should not happen.
    pub(crate) fn internal(detail: &str) -> Self {
        let detail = format_args!("{detail}: please report it");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error", detail)
    }

    /// Creates the problem of a request whose turn does not come.
    pub(crate) fn busy() -> Self {
        let detail = "the server has more requests than it can answer: try again later";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "too busy", detail)
    }

    /// Creates the problem of a value that cannot be answered for.
    pub(crate) fn bad(title: &'static str, detail: impl fmt::Display, pointer: impl Into<String>) -> Self {
        Self(problem::Problem::bad(title, detail, pointer))
    }

    /// Creates the problem of a request that exceeds a limit.
    pub(crate) fn too_large(detail: impl fmt::Display) -> Self {
        Self(problem::Problem::too_large(detail))
    }

    /// Says in which line of a stream this is.
    pub(crate) fn in_line(self, number: u64) -> Self {
        Self(self.0.in_line(number))
    }

    /// Returns the problem with the place of the value in the request.
    pub(crate) fn at(self, pointer: impl Into<String>) -> Self {
        Self(self.0.at(pointer))
    }

    /// Returns the problem as JSON.
    pub(crate) fn json(&self) -> Map<String, Value> {
        self.0.json()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = Value::Object(self.json()).to_string();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            StatusCode::UNAUTHORIZED => {
                headers.insert(axum::http::header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
