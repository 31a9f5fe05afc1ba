//! The rest of a refused body: it is read and dropped, so that its sender sees why.
//!
//! Many clients read nothing before they have sent everything: a connection that closes before that is all they see of
//! an error. What is dropped is what the client sends, before any decoding: a body in a coding is not read on, since
//! to see its end could cost as much as to decode it, and neither is that of a client that waits to be asked.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_ENCODING, EXPECT};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Frame, SizeHint};
use tokio::time::{Instant, timeout_at};

use crate::app::App;

/// The maximum number of bytes that are dropped.
const MAX_BYTES: usize = 64 << 20;

/// Answers a request, and after an error of the client reads what it still sends. That has the rest of the time for the
/// body of a request.
pub(crate) async fn drop_rest(State(app): State<App>, request: Request, next: Next) -> Response {
    let until = Instant::now() + app.config.limits.body_time;
    let (head, body) = request.into_parts();
    if body.is_end_stream() || head.headers.contains_key(EXPECT) || head.headers.contains_key(CONTENT_ENCODING) {
        return next.run(Request::from_parts(head, body)).await;
    }
    let mut body = Shared(Arc::new(Mutex::new(body)));
    let response = next.run(Request::from_parts(head, Body::new(body.clone()))).await;
    if response.status().is_client_error() && response.status() != StatusCode::REQUEST_TIMEOUT {
        let _ = timeout_at(until, drop_all(&mut body)).await;
    }
    response
}

async fn drop_all(body: &mut Shared) {
    let mut left = MAX_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        let Some(rest) = left.checked_sub(bytes) else { return };
        left = rest;
    }
}

/// A body whose rest can be read when the handler has dropped it.
#[derive(Clone, Debug)]
struct Shared(Arc<Mutex<Body>>);

impl hyper::body::Body for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}
