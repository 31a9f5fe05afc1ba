//! `POST /v1/check` as a stream: the first line is the request without URLs, each further line a URL. Answers are
//! lines, too, and are sent while URLs still come.
//!
//! ```text
//! {"robots":{"text":"User-agent: *\nDisallow: /cart"},"agents":["FooBot"]}
//! "https://shop.example/cart"
//! /help
//! ```
//!
//! A URL is a string of JSON, an object with a `url`, or the URL itself. Memory is bounded whatever the stream: the
//! first line as a whole request, each other line as a URL, and answers wait for the client to read them. What goes
//! wrong later is a last line, the problem; then the response breaks off, so that no client takes it for complete.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::Response;
use http_body_util::BodyExt as _;
use http_body_util::channel::{Channel, Sender};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{sleep, timeout};

use super::form::{self, RobotsForm};
use crate::answers::Subject;
use crate::app::App;
use crate::problem::Problem;
use crate::request::{NDJSON, parse, slow, unread};

/// The size from which answers are sent.
const CHUNK_BYTES: usize = 64 << 10;
/// The number of chunks that wait for the client.
const CHUNKS: usize = 4;

/// The time that the connection has for the last chunk of a response that breaks off.
const LAST_WRITE_TIME: Duration = Duration::from_millis(50);

/// The first line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    robots: RobotsForm,
    dialect: Option<String>,
    agents: Vec<String>,
}

/// A line that is an object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    url: String,
}

/// Answers a stream.
pub(super) async fn post(app: App, body: Body) -> Result<Response, Problem> {
    let limit = app.config.limits.body_bytes;
    let room = app.work.memory(limit).await?;
    let mut lines = Lines { app: app.clone(), body, pending: Vec::new(), at: 0, searched: 0, has_ended: false };
    let Some(head) = lines.next(limit).await? else {
        return Err(Problem::bad("bad json", "the stream is empty: its first line is the request without URLs", ""));
    };
    let head: Head = parse(head)?;
    let dialect = form::dialect(head.dialect.as_deref(), "/dialect")?;
    let agents = form::agents(&head.agents, &app)?;
    let shared = app.clone();
    let subject = app.work.analyse(move || {
        let body = head.robots.body("/robots")?;
        Ok::<_, Problem>(Subject::new(shared.files.parse(&body, dialect), dialect, &agents))
    });
    let subject = subject.await??;
    let (sender, answers) = Channel::<Bytes, std::io::Error>::new(CHUNKS);
    let stream = Stream { app, subject, lines, sender, out: Vec::new(), _room: room };
    tokio::spawn(stream.run());
    let mut response = Response::new(Body::new(answers));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(NDJSON));
    Ok(response)
}

/// A stream that is being answered.
struct Stream {
    app: App,
    subject: Subject,
    lines: Lines,
    sender: Sender<Bytes, std::io::Error>,
    out: Vec<u8>,
    /// The room of the first line and of one URL.
    _room: OwnedSemaphorePermit,
}

impl Stream {
    async fn run(mut self) {
        if let Err(problem) = self.answer().await {
            let line = format!("{}\n", Value::Object(problem.json()));
            self.out.extend_from_slice(line.as_bytes());
            self.send().await;
            self.drain().await;
            self.sender.abort(std::io::Error::other("the stream was not answered to its end"));
        }
    }

    async fn answer(&mut self) -> Result<(), Problem> {
        let limit = self.app.config.limits.url_bytes;
        let mut stopping = self.app.stopping.clone();
        loop {
            // What is answered is sent before the stream waits for more.
            if (self.out.len() >= CHUNK_BYTES || !self.lines.has_line()) && !self.send().await {
                return Ok(());
            }
            if *stopping.borrow_and_update() {
                let detail = "the server stops: send the URLs without an answer to another one";
                return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", detail));
            }
            let line = tokio::select! {
                biased;
                line = self.lines.next(limit) => line?,
                _ = stopping.changed() => continue,
            };
            let Some(line) = line else { break };
            if line.is_empty() {
                continue;
            }
            self.app.metrics.answers.inc_by(self.subject.agents() as u64);
            match line[0] {
                b'"' => self.subject.write(parse::<String>(line)?.as_bytes(), &mut self.out, b"\n"),
                b'{' => self.subject.write(parse::<Line>(line)?.url.as_bytes(), &mut self.out, b"\n"),
                _ => self.subject.write(line, &mut self.out, b"\n"),
            }
        }
        self.send().await;
        Ok(())
    }

    /// Waits until the connection has taken all chunks, and some time for it to write the last: what is not written
    /// when the response breaks off is lost.
    async fn drain(&mut self) {
        let limit = self.app.config.limits.stop_time;
        let taken = async {
            while self.sender.capacity() < self.sender.max_capacity() {
                sleep(LAST_WRITE_TIME).await;
            }
            sleep(LAST_WRITE_TIME).await;
        };
        // A client that reads nothing loses the rest.
        let _ = timeout(limit, taken).await;
    }

    /// Sends what is answered. Returns whether the client still reads.
    async fn send(&mut self) -> bool {
        if self.out.is_empty() {
            return true;
        }
        let chunk = std::mem::replace(&mut self.out, Vec::with_capacity(CHUNK_BYTES + 4096));
        self.sender.send_data(chunk.into()).await.is_ok()
    }
}

/// The lines of a body.
struct Lines {
    app: App,
    body: Body,
    /// Bytes that were received, from the first line that is not read yet at `at`.
    pending: Vec<u8>,
    at: usize,
    /// How far there is no end of a line.
    searched: usize,
    has_ended: bool,
}

impl Lines {
    /// Reports whether a whole line is here.
    fn has_line(&mut self) -> bool {
        let found = memchr::memchr(b'\n', &self.pending[self.searched..]);
        self.searched = found.map_or(self.pending.len(), |at| self.searched + at);
        found.is_some()
    }

    /// Returns the next line, without blanks around it.
    ///
    /// # Errors
    /// If it is longer than `limit`, or its bytes do not come in time.
    async fn next(&mut self, limit: usize) -> Result<Option<&[u8]>, Problem> {
        while !self.has_line() {
            if self.pending.len() - self.at > limit {
                return Err(Problem::too_large(format_args!("a line of the stream is over {limit} bytes")));
            }
            if self.has_ended {
                let last = std::mem::replace(&mut self.at, self.pending.len());
                let line = self.pending[last..].trim_ascii();
                return Ok((!line.is_empty()).then_some(line));
            }
            let frame = timeout(self.app.config.limits.body_time, self.body.frame()).await.map_err(|_| slow())?;
            match frame {
                None => self.has_ended = true,
                Some(Err(error)) => return Err(unread(&error, limit)),
                Some(Ok(frame)) => {
                    if let Ok(bytes) = frame.into_data() {
                        self.pending.drain(..self.at);
                        self.searched -= self.at;
                        self.at = 0;
                        self.pending.extend_from_slice(&bytes);
                    }
                }
            }
        }
        let line = self.at..self.searched;
        (self.at, self.searched) = (self.searched + 1, self.searched + 1);
        if line.len() > limit {
            return Err(Problem::too_large(format_args!("a line of the stream is over {limit} bytes")));
        }
        Ok(Some(self.pending[line].trim_ascii()))
    }
}
