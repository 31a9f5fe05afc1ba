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

use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::Response;
use http_body_util::BodyExt as _;
use http_body_util::channel::{Channel, Sender};
use robotsc_answers::api::bad_json::{object, parse, parse_object};
use robotsc_answers::api::form::{self, RobotsForm};
use robotsc_answers::api::verdicts::Verdicts;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{sleep, timeout};

use crate::app::App;
use crate::problem::Problem;
use crate::request::{NDJSON, slow, unread};
use crate::work::{CHUNK_BYTES, CHUNKS, stream_bytes};

/// The size of most first lines.
const SMALL_HEAD_BYTES: usize = 16 << 10;
/// The time after which answers are sent, so that other analyses have their turn.
const PART_TIME: Duration = Duration::from_millis(100);

/// The time that the connection has for the last chunk of a response that breaks off.
const LAST_WRITE_TIME: Duration = Duration::from_millis(50);

/// The first line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agents: Vec<String>,
    #[serde(default)]
    as_written: bool,
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
    // Enough for a small first line to go on with, so that few streams wait for more while they hold room.
    let chunks = stream_bytes(&app.config.limits);
    let room = app.work.stream(limit.max(chunks + 4 * SMALL_HEAD_BYTES)).await?;
    let time = app.config.limits.body_time;
    let mut lines = Lines { body, time, pending: Vec::new(), is_after_cr: false };
    if !lines.read(limit).await? {
        return Err(Problem::bad("bad json", "the stream is empty: its first line is the request without URLs", ""));
    }
    let first = lines.first();
    let head: Head = parse_object(&first)?;
    // What the stream takes from now on: its file, parsed, and the rules of its agents besides the chunks.
    let room = app.work.resize(room, chunks + 4 * first.len()).await?;
    let dialect = form::dialect(head.dialect.as_deref(), "/dialect")?;
    let agents = form::agents(&head.agents, head.as_written, &app.limits)?;
    let shared = app.clone();
    let subject = app.work.analyse_head(move || {
        let file = head.robots.parsed(&*shared, dialect, "/robots")?;
        let site = head.robots.site("/robots")?;
        Ok::<_, Problem>(Verdicts::new(file, dialect, &agents, site))
    });
    let subject = subject.await??;
    let (sender, answers) = Channel::<Bytes, std::io::Error>::new(CHUNKS);
    let stream = Stream { app, subject, lines, sender, _room: room };
    tokio::spawn(stream.run());
    let mut response = Response::new(Body::new(answers));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(NDJSON));
    Ok(response)
}

/// A stream that is being answered.
struct Stream {
    app: App,
    subject: Verdicts,
    lines: Lines,
    sender: Sender<Bytes, std::io::Error>,
    /// The room that it takes until its end.
    _room: OwnedSemaphorePermit,
}

/// Whole lines, and how far they are answered.
struct Block {
    lines: Vec<u8>,
    at: usize,
    /// The number of that line in the stream, from 1.
    number: u64,
    /// The number of the next agent for the URL at `at`: the answers of one long URL can be more than a chunk.
    agent: usize,
}

impl Stream {
    async fn run(self) {
        let Self { app, mut subject, mut lines, mut sender, _room } = self;
        let mut stopping = app.stopping.clone();
        let limit = app.config.limits.url_bytes;
        let answered: Result<(), Problem> = async {
            // The first line is the request.
            let mut number = 2;
            loop {
                let is_more = tokio::select! {
                    biased;
                    _ = stopping.wait_for(|stops| *stops) => return Err(stopped()),
                    is_more = lines.read(limit) => is_more?,
                };
                if !is_more {
                    return Ok(());
                }
                let (whole, at) = lines.whole();
                let mut block = Block { lines: whole, at, number, agent: 0 };
                while block.at < block.lines.len() {
                    if *stopping.borrow() {
                        return Err(stopped());
                    }
                    let answer = move || {
                        let (mut subject, mut block) = (subject, block);
                        let answered = block.answer(&mut subject, limit);
                        (subject, block, answered)
                    };
                    let (out, failed);
                    (subject, block, (out, failed)) = app.work.analyse_part(answer).await?;
                    app.metrics.answers.inc_by(memchr::memchr_iter(b'\n', &out).count() as u64);
                    // A client that went away needs no more.
                    if !out.is_empty() && sender.send_data(out.into()).await.is_err() {
                        return Ok(());
                    }
                    failed?;
                }
                number = block.number;
            }
        }
        .await;
        if let Err(problem) = answered {
            let line = format!("{}\n", Value::Object(problem.json()));
            if sender.send_data(line.into()).await.is_ok() {
                drain(&mut sender, app.config.limits.stop_time).await;
            }
            sender.abort(std::io::Error::other("the stream was not answered to its end"));
        }
    }
}

fn stopped() -> Problem {
    let detail = "the server stops: send the URLs without an answer to another one";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", detail)
}

/// Waits until the connection has taken all chunks, and some time for it to write the last: what is not written when
/// the response breaks off is lost. A client that reads nothing loses the rest.
async fn drain(sender: &mut Sender<Bytes, std::io::Error>, limit: Duration) {
    let taken = async {
        while sender.capacity() < sender.max_capacity() {
            sleep(LAST_WRITE_TIME).await;
        }
        sleep(LAST_WRITE_TIME).await;
    };
    let _ = timeout(limit, taken).await;
}

impl Block {
    /// Answers lines until there is a chunk, or the time of a part is over.
    fn answer(&mut self, subject: &mut Verdicts, limit: usize) -> (Vec<u8>, Result<(), Problem>) {
        let start = Instant::now();
        let mut out = Vec::with_capacity(CHUNK_BYTES + 4096);
        let goes_on = |out: &[u8]| out.len() < CHUNK_BYTES && start.elapsed() < PART_TIME;
        while self.at < self.lines.len() && goes_on(&out) {
            let rest = &self.lines[self.at..];
            let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            let line = rest[..length].trim_ascii();
            let end = if rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
            let mut write = |url: &[u8]| subject.write(url, self.agent, &mut out, b"\n", goes_on);
            let answered = match line.first() {
                _ if line.len() > limit => Err(Problem::too_large(format_args!("it is over {limit} bytes"))),
                None => Ok(None),
                Some(b'"') => parse::<String>(line).map(|url| write(url.as_bytes())).map_err(Problem::from),
                Some(b'{') => parse_object::<Line>(line).map(|line| write(line.url.as_bytes())).map_err(Problem::from),
                Some(_) => Ok(write(line)),
            };
            match answered {
                Ok(Some(agent)) => self.agent = agent,
                Ok(None) => {
                    self.at += (length + end).min(rest.len());
                    self.number += 1;
                    self.agent = 0;
                }
                Err(problem) => return (out, Err(problem.in_line(self.number))),
            }
        }
        (out, Ok(()))
    }
}

fn too_long(limit: usize) -> Problem {
    Problem::too_large(format_args!("a line of the stream is over {limit} bytes"))
}

/// The lines of a body.
struct Lines {
    body: Body,
    /// The time for the rest of a line, however its bytes come.
    time: Duration,
    /// Bytes that were received and not taken.
    pending: Vec<u8>,
    /// Whether what was taken ends with a CR, so that an LF that comes next ends no other line.
    is_after_cr: bool,
}

impl Lines {
    /// Waits until there is a whole line, or the last one. Returns whether there is any.
    ///
    /// # Errors
    /// If a line is longer than `limit`, or does not come in time.
    async fn read(&mut self, limit: usize) -> Result<bool, Problem> {
        timeout(self.time, self.receive(limit)).await.map_err(|_| slow())?
    }

    async fn receive(&mut self, limit: usize) -> Result<bool, Problem> {
        let mut has_line = memchr::memchr2(b'\n', b'\r', &self.pending).is_some();
        while !has_line {
            if self.pending.len() > limit {
                return Err(too_long(limit));
            }
            match self.body.frame().await {
                None => return Ok(!self.pending.is_empty()),
                Some(Err(error)) => return Err(unread(&error)),
                Some(Ok(frame)) => {
                    if let Ok(bytes) = frame.into_data() {
                        has_line = memchr::memchr2(b'\n', b'\r', &bytes).is_some();
                        self.pending.extend_from_slice(&bytes);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Takes the first line.
    fn first(&mut self) -> Vec<u8> {
        let end = memchr::memchr2(b'\n', b'\r', &self.pending).unwrap_or(self.pending.len());
        self.is_after_cr = self.pending.get(end) == Some(&b'\r');
        self.pending.drain(..(end + 1).min(self.pending.len())).collect()
    }

    /// Takes all whole lines; at the end of the body, the rest. Returns where they begin, too: after an LF that belongs
    /// to the line before.
    fn whole(&mut self) -> (Vec<u8>, usize) {
        let start = usize::from(self.is_after_cr && self.pending.starts_with(b"\n"));
        let lines = match memchr::memrchr2(b'\n', b'\r', &self.pending) {
            Some(at) => {
                let rest = self.pending.split_off(at + 1);
                std::mem::replace(&mut self.pending, rest)
            }
            None => std::mem::take(&mut self.pending),
        };
        self.is_after_cr = lines.ends_with(b"\r");
        (lines, start)
    }
}
