//! Errors as problem details (RFC 9457): what is wrong, with which value of the request, and what to do.
//!
//! ```json
//! {"type":"urn:robotsc:problem:bad-agent","title":"bad agent","status":400,
//!  "detail":"'Foo Bot': a product token has no ' '; …","where":"/agents/0"}
//! ```

use std::fmt;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use robotsc_answers::mistake::Mistake;
use serde_json::{Map, Value};

/// The media type of problem details.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// An error of a request.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// Two words, which name the type, too.
    title: &'static str,
    detail: String,
    /// A JSON pointer into the request.
    pointer: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, title: &'static str, detail: impl fmt::Display) -> Self {
        Self { status, title, detail: detail.to_string(), pointer: None }
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
        Self { pointer: Some(pointer.into()), ..Self::new(StatusCode::BAD_REQUEST, title, detail) }
    }

    /// Creates the problem of a mistake in a value.
    pub(crate) fn of(mistake: &Mistake, pointer: impl Into<String>) -> Self {
        Self::bad(mistake.what, &mistake.cause, pointer)
    }

    /// Creates the problem of a request that exceeds a limit.
    pub(crate) fn too_large(detail: impl fmt::Display) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too large", detail)
    }

    /// Says in which line of a stream this is; the JSON of a line has no lines of its own.
    pub(crate) fn in_line(mut self, number: u64) -> Self {
        let detail = self.detail.rsplit_once(" at line ").map_or(&*self.detail, |(detail, _)| detail);
        self.detail = format!("line {number} of the stream: {detail}");
        self
    }

    /// Returns the problem with the place of the value in the request.
    pub(crate) fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Returns the problem as JSON.
    pub(crate) fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let name = self.title.replace(' ', "-");
        object.insert("type".to_owned(), format!("urn:robotsc:problem:{name}").into());
        object.insert("title".to_owned(), self.title.into());
        object.insert("status".to_owned(), self.status.as_u16().into());
        object.insert("detail".to_owned(), self.detail.as_str().into());
        object.extend(self.pointer.as_ref().map(|pointer| ("where".to_owned(), pointer.as_str().into())));
        object
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = Value::Object(self.json()).to_string();
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match self.status {
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
