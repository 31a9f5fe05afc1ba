//! `POST /v1/check`: a verdict for each URL and agent.

use std::time::Instant;

use axum::extract::{FromRequest as _, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use robotsc::outcome::Site;
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::url_path::UrlReader;
use robotsc_answers::{pack_entry, time};
use serde::Deserialize;

use super::form::{self, Robots, RobotsForm};
use super::{pack, stream};
use crate::answers::{self, Subject};
use crate::app::App;
use crate::bad_json::object;
use crate::config::Limits;
use crate::problem::Problem;
use crate::request::{Asked, NDJSON, json, media_type, wants_lines};

/// The answers up to which a request is answered at once.
const ANSWERS_AT_ONCE: usize = 64;

/// The bytes of its file up to which it is.
const FILE_AT_ONCE: usize = 64 << 10;

/// The bytes of its file times its agents times the bytes of its URLs up to which it is. Rules with many stars cost as
/// many steps.
const STEPS_AT_ONCE: usize = 1 << 22;

/// What to do with more URLs than a request may have.
const AS_STREAM: &str = "send the URLs as a stream, application/x-ndjson, or in parts";

/// A request for verdicts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agents: Vec<String>,
    #[serde(default)]
    as_written: bool,
    urls: Vec<String>,
}

/// Answers `POST /v1/check`.
pub(crate) async fn post(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    if media_type(request.headers()) == Some(NDJSON) {
        return stream::post(app, request.into_body()).await;
    }
    let lines = wants_lines(request.headers());
    let Asked { value: form, room } = Asked::<Form>::from_request(request, &app).await?;
    let dialect = form::dialect(form.dialect.as_deref(), "/dialect")?;
    let agents = form::agents(&form.agents, form.as_written, &app)?;
    form::check_urls(&form.urls, agents.len(), &app.config.limits, AS_STREAM)?;
    let answers = form.urls.len() * agents.len();
    let file_bytes = match form.robots.robots("/robots")? {
        Robots::PackOrigin(_) => None,
        Robots::Body(body) => Some(body.len()),
    };
    let url_bytes: usize = form.urls.iter().map(String::len).sum();
    let is_small = answers <= ANSWERS_AT_ONCE
        && file_bytes.is_some_and(|bytes| {
            bytes <= FILE_AT_ONCE && bytes.saturating_mul(agents.len()).saturating_mul(url_bytes) <= STEPS_AT_ONCE
        });
    app.metrics.answers.inc_by(answers as u64);
    let shared = app.clone();
    let answer = move || -> Result<Response, Problem> {
        if let Robots::PackOrigin(origin) = form.robots.robots("/robots")? {
            return check_pack(&shared, origin, &form, &agents, lines);
        }
        let file = form.robots.parsed(&shared.files, dialect, "/robots")?;
        let site = form.robots.site("/robots")?;
        let mut subject = Subject::new(file, dialect, &agents, site);
        let write = |url: &[u8], out: &mut _, after: &_, goes_on: &GoesOn<'_>| {
            subject.write(url, 0, out, after, goes_on);
        };
        respond(&form.urls, lines, &shared.config.limits, write)
    };
    if is_small { answer() } else { app.work.analyse(room, answer).await? }
}

/// Reports whether more answers for a URL are written after those that are.
type GoesOn<'l> = dyn Fn(&[u8]) -> bool + 'l;

/// Answers with what `write` writes for each URL, as lines or as an array: it writes its third argument, a comma or an
/// end of line, after each answer, and ends early when its last argument says so.
fn respond(
    urls: &[String],
    lines: bool,
    limits: &Limits,
    mut write: impl FnMut(&[u8], &mut Vec<u8>, &[u8], &GoesOn<'_>),
) -> Result<Response, Problem> {
    let start = Instant::now();
    let goes_on = |out: &[u8]| out.len() <= limits.answer_bytes && start.elapsed() < limits.answer_time;
    let mut out = Vec::with_capacity(256 * urls.len().min(1024));
    for url in urls {
        write(url.as_bytes(), &mut out, if lines { b"\n" } else { b"," }, &goes_on);
        check_size(&out, limits)?;
        form::check_time(start, limits, AS_STREAM)?;
    }
    Ok(with_head(out, lines))
}

/// Checks that answers are not too long.
fn check_size(out: &[u8], limits: &Limits) -> Result<(), Problem> {
    if out.len() <= limits.answer_bytes {
        return Ok(());
    }
    let detail = format_args!("the answers are over {} bytes: ask in parts, or as a stream", limits.answer_bytes);
    Err(Problem::too_large(detail).at("/urls"))
}

/// Returns answers as lines, or as an array.
fn with_head(mut answers: Vec<u8>, lines: bool) -> Response {
    if lines {
        return ([(CONTENT_TYPE, NDJSON)], answers).into_response();
    }
    const HEAD: &[u8] = br#"{"answers":["#;
    answers.pop();
    let mut body = Vec::with_capacity(HEAD.len() + answers.len() + 2);
    body.extend_from_slice(HEAD);
    body.append(&mut answers);
    body.extend_from_slice(b"]}");
    json(body)
}

/// Answers for an origin of the pack, from its compiled rules and what holds now.
fn check_pack(app: &App, origin: &str, form: &Form, agents: &[ChosenAgent], lines: bool) -> Result<Response, Problem> {
    let pack = pack::pack(app)?;
    let name = pack.dialect().name;
    if form.dialect.as_deref().is_some_and(|given| given != name) {
        let detail = format_args!("the pack was built for the dialect {name}: leave `dialect` out, or give this one");
        return Err(Problem::bad("bad dialect", detail, "/dialect"));
    }
    let (origin, entry) = pack::entry(pack, origin, "/robots/pack_origin")?;
    let now = time::now().ok_or_else(|| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no time", "set the clock"))?;
    let reader = UrlReader { site: Some(&origin), ..UrlReader::new(pack.dialect()) };
    let unknown = entry.unknown_reason(Site::NotKnownUp, now);
    let mut policies = Vec::with_capacity(agents.len());
    for agent in agents {
        let known = pack.crawler(&agent.crawler).ok_or_else(|| {
            let detail = format_args!("{}: the pack was built for {}", agent.name, pack_entry::built_for(pack));
            Problem::bad("bad agent", detail, "/agents")
        })?;
        let policy = entry.access_at(&known, Site::NotKnownUp, now);
        policies.push((agent, policy));
    }
    respond(&form.urls, lines, &app.config.limits, |url, out, after, goes_on| {
        answers::write_of_pack(&policies, unknown, reader, url, out, after, goes_on);
    })
}
