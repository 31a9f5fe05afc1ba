//! Answers that wait to be read: how much memory they take, and for how long.
//!
//! An answer of 30 MB to a client that reads 1 KB a second would be in memory for hours. So large answers of the API
//! have room for a number of bytes together, and a time in which each must be read. Small ones are not limited;
//! streams never hold more than some chunks.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;

use crate::app::App;
use crate::problem::Problem;

/// The size up to which an answer is not limited: it goes out at once, into the buffers of the connection.
const SMALL_BYTES: usize = 64 << 10;

/// Lets answers out that are not too large, and holds the large ones until they are read.
pub(crate) async fn hold(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/v1/");
    let response = next.run(request).await;
    let size = response.body().size_hint().exact().map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    match size {
        Some(size) if is_api && size > SMALL_BYTES => match held(&app, response, size).await {
            Ok(response) => response,
            Err(problem) => problem.into_response(),
        },
        _ => response,
    }
}

async fn held(app: &App, response: Response, size: usize) -> Result<Response, Problem> {
    let limits = &app.config.limits;
    if size > limits.answer_bytes {
        let detail = format_args!("the answer is over {} bytes: ask for less", limits.answer_bytes);
        return Err(Problem::too_large(detail));
    }
    let room = app.work.answer(size)?;
    let (parts, body) = response.into_parts();
    let rest = body.collect().await.map_err(|_| Problem::internal("the answer broke off"))?.to_bytes();
    let held = Held { rest, until: Instant::now() + limits.read_time, _room: room };
    Ok(Response::from_parts(parts, Body::new(held)))
}

/// What is left of an answer.
struct Held {
    rest: Bytes,
    until: Instant,
    /// The room that it takes until it is read.
    _room: OwnedSemaphorePermit,
}

impl hyper::body::Body for Held {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        if Instant::now() > self.until {
            return Poll::Ready(Some(Err(io::Error::other("the answer was not read in time"))));
        }
        // A copy: a part of the whole would keep all of it in memory until the client has read the last part.
        let size = self.rest.len().min(SMALL_BYTES);
        Poll::Ready(Some(Ok(Frame::data(Bytes::copy_from_slice(&self.rest.split_to(size))))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
