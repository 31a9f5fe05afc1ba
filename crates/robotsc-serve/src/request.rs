//! Requests: their bodies, with limits of size and time, as JSON.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::BodyExt as _;
use robotsc_answers::api::{self, bad_json};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use crate::app::App;
use crate::problem::Problem;
use crate::room::Room;

/// The media type of a request.
pub(crate) const JSON: &str = "application/json";
/// The media type of a stream.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// The path that takes a stream, too.
const CHECK: &str = "/v1/check";

/// Returns the media type of a request, without parameters.
pub(crate) fn media_type(headers: &HeaderMap) -> Option<&str> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let only = types.next().filter(|_| types.next().is_none())?.to_str().ok()?;
    let name = only.split(';').next().unwrap_or_default().trim();
    [JSON, NDJSON].into_iter().find(|known| name.eq_ignore_ascii_case(known))
}

/// The JSON of a request, and the room that it takes until it is answered.
#[derive(Debug)]
pub(crate) struct Asked<T> {
    pub(crate) value: T,
    pub(crate) room: Room,
}

impl<T: DeserializeOwned> FromRequest<App> for Asked<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let (head, body) = request.into_parts();
        let over = if head.uri.path() == CHECK { over_of_check } else { over };
        let (bytes, room) = read(&head.headers, body, app, over).await?;
        Ok(Self { value: bad_json::parse_object(&bytes)?, room })
    }
}

/// Reads the body of a request, within the limits.
async fn read(
    headers: &HeaderMap,
    mut body: Body,
    app: &App,
    over: fn(usize) -> Problem,
) -> Result<(Vec<u8>, Room), Problem> {
    if media_type(headers) != Some(JSON) {
        let detail = "only POST /v1/check takes a stream: send Content-Type: application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "no json", detail));
    }
    let limit = app.config.limits.body_bytes;
    // The layer that decodes removes the length of a body in a coding.
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > limit) {
        return Err(over(limit));
    }
    let mut until = Instant::now() + app.config.limits.body_time;
    let mut room = app.work.rooms.of_body(length);
    let mut read = Vec::new();
    while let Some(frame) = timeout_at(until, body.frame()).await.map_err(|_| slow())? {
        let Ok(bytes) = frame.map_err(|error| unread(&error))?.into_data() else { continue };
        if read.len() + bytes.len() > limit {
            return Err(over(limit));
        }
        let start = Instant::now();
        room.grow(read.len() + bytes.len()).await?;
        // The time is that of the client.
        until += start.elapsed();
        read.extend_from_slice(&bytes);
    }
    Ok((read, room))
}

/// The problem of a body whose bytes do not come.
pub(crate) fn slow() -> Problem {
    Problem::new(StatusCode::REQUEST_TIMEOUT, "too slow", "the body of the request did not come in time")
}

/// The problem of a body that is too large.
fn over(limit: usize) -> Problem {
    api::over(limit).into()
}

fn over_of_check(limit: usize) -> Problem {
    Problem::too_large(format_args!(
        "the request is over {limit} bytes: send a smaller robots.txt, or ask about fewer URLs at a time, or as a \
         stream, application/x-ndjson"
    ))
}

/// The problem of a body that cannot be read.
pub(crate) fn unread(error: &axum::Error) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "broken body", format_args!("the body of the request broke off: {error}"))
}

/// Reports whether the caller wants one answer on each line.
pub(crate) fn wants_lines(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(axum::http::header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepts.flat_map(|value| value.split(',')).any(|item| {
        let name = item.split(';').next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case(NDJSON)
    })
}

/// Returns a response of JSON.
pub(crate) fn json(body: impl Into<Body>) -> axum::response::Response {
    let mut response = axum::response::Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    response
}
