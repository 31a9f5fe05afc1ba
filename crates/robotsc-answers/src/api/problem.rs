//! Errors as problem details (RFC 9457): what is wrong, with which value of the request, and what to do.
//!
//! ```json
//! {"type":"urn:robotsc:problem:bad-agent","title":"bad agent","status":400,
//!  "detail":"'Foo Bot': a product token has no ' '; …","where":"/agents/0"}
//! ```

use std::fmt;

use serde_json::{Map, Value};

use crate::mistake::Mistake;

/// An error of a request.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The status of HTTP.
    pub status: u16,
    /// Two words, which name the type, too.
    title: &'static str,
    detail: String,
    /// A JSON pointer into the request.
    pointer: Option<String>,
}

impl Problem {
    /// Creates a problem.
    #[must_use]
    pub fn new(status: u16, title: &'static str, detail: impl fmt::Display) -> Self {
        Self { status, title, detail: detail.to_string(), pointer: None }
    }

    /// Creates the problem of a value that cannot be answered for.
    #[must_use]
    pub fn bad(title: &'static str, detail: impl fmt::Display, pointer: impl Into<String>) -> Self {
        Self::new(400, title, detail).at(pointer)
    }

    /// Creates the problem of a mistake in a value.
    #[must_use]
    pub fn of(mistake: &Mistake, pointer: impl Into<String>) -> Self {
        Self::bad(mistake.what, &mistake.cause, pointer)
    }

    /// Creates the problem of a request that exceeds a limit.
    #[must_use]
    pub fn too_large(detail: impl fmt::Display) -> Self {
        Self::new(413, "too large", detail)
    }

    /// Creates the problem of a request for what is not there.
    #[must_use]
    pub fn not_found(title: &'static str, detail: impl fmt::Display) -> Self {
        Self::new(404, title, detail)
    }

    /// Says in which line of a stream this is; the JSON of a line has no lines of its own.
    #[must_use]
    pub fn in_line(mut self, number: u64) -> Self {
        let detail = self.detail.rsplit_once(" at line ").map_or(&*self.detail, |(detail, _)| detail);
        self.detail = format!("line {number} of the stream: {detail}");
        self
    }

    /// Returns the problem with the place of the value in the request.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Returns the problem as JSON.
    #[must_use]
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let name = self.title.replace(' ', "-");
        object.insert("type".to_owned(), format!("urn:robotsc:problem:{name}").into());
        object.insert("title".to_owned(), self.title.into());
        object.insert("status".to_owned(), self.status.into());
        object.insert("detail".to_owned(), self.detail.as_str().into());
        object.extend(self.pointer.as_ref().map(|pointer| ("where".to_owned(), pointer.as_str().into())));
        object
    }
}
