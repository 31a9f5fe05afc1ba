//! `POST /v1/check`: a verdict for each URL and agent.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;

use super::form::{self, RobotsForm};
use crate::answers::Subject;
use crate::app::App;
use crate::problem::Problem;
use crate::request::{Asked, NDJSON, json, wants_lines};

/// The answers up to which a request is answered at once, and the bytes of its file: it takes less than a millisecond.
const AT_ONCE: (usize, usize) = (64, 64 << 10);

/// A request for verdicts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    robots: RobotsForm,
    dialect: Option<String>,
    agents: Vec<String>,
    urls: Vec<String>,
}

/// Answers `POST /v1/check`.
pub(crate) async fn post(
    State(app): State<App>,
    headers: HeaderMap,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Response, Problem> {
    let dialect = form::dialect(form.dialect.as_deref(), "/dialect")?;
    let agents = form::agents(&form.agents, &app)?;
    form::check_urls(&form.urls, agents.len(), &app.config.limits)?;
    let answers = form.urls.len() * agents.len();
    let bytes = form.robots.body("/robots")?.len();
    app.metrics.answers.inc_by(answers as u64);
    let lines = wants_lines(&headers);
    let shared = app.clone();
    let answer = move || -> Result<Response, Problem> {
        let _room = room;
        let body = form.robots.body("/robots")?;
        let subject = Subject::new(shared.files.parse(&body, dialect), dialect, &agents);
        write(&subject, &form.urls, lines, shared.config.limits.answer_bytes)
    };
    if answers <= AT_ONCE.0 && bytes <= AT_ONCE.1 { answer() } else { app.work.analyse(answer).await? }
}

/// Writes all answers: as an array, or one on each line.
fn write(subject: &Subject, urls: &[String], lines: bool, limit: usize) -> Result<Response, Problem> {
    const HEAD: &[u8] = br#"{"answers":["#;
    let mut out = Vec::with_capacity(256 * urls.len().min(1024));
    for url in urls {
        subject.write(url.as_bytes(), &mut out, if lines { b"\n" } else { b"," });
        if out.len() > limit {
            let detail = format_args!("the answers are over {limit} bytes: ask in parts, or as a stream");
            return Err(Problem::too_large(detail).at("/urls"));
        }
    }
    if lines {
        out.push(b'\n');
        return Ok(([(CONTENT_TYPE, NDJSON)], out).into_response());
    }
    let mut body = Vec::with_capacity(HEAD.len() + out.len() + 2);
    body.extend_from_slice(HEAD);
    body.append(&mut out);
    body.extend_from_slice(b"]}");
    Ok(json(body))
}
