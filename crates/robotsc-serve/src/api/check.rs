//! `POST /v1/check`: a verdict for each URL and agent.

use std::time::Instant;

use axum::extract::{FromRequest as _, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use robotsc::fetch::EffectivePolicy;
use robotsc::pack::PackPolicy;
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::time;
use robotsc_answers::url_path::UrlReader;
use serde::Deserialize;

use super::form::{self, Robots, RobotsForm};
use super::{pack, stream};
use crate::answers::{self, Subject};
use crate::app::App;
use crate::config::Limits;
use crate::problem::Problem;
use crate::request::{Asked, NDJSON, json, media_type, wants_lines};

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
pub(crate) async fn post(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    if media_type(request.headers()) == Some(NDJSON) {
        return stream::post(app, request.into_body()).await;
    }
    let lines = wants_lines(request.headers());
    let Asked { value: form, room } = Asked::<Form>::from_request(request, &app).await?;
    let dialect = form::dialect(form.dialect.as_deref(), "/dialect")?;
    let agents = form::agents(&form.agents, &app)?;
    form::check_urls(&form.urls, agents.len(), &app.config.limits)?;
    let answers = form.urls.len() * agents.len();
    let bytes = match form.robots.robots("/robots")? {
        Robots::PackOrigin(origin) => {
            app.metrics.answers.inc_by(answers as u64);
            return Ok(respond(check_pack(&app, origin, &agents, &form.urls, lines)?, lines));
        }
        Robots::Body(body) => body.len(),
    };
    app.metrics.answers.inc_by(answers as u64);
    let shared = app.clone();
    let answer = move || -> Result<Response, Problem> {
        let _room = room;
        let body = form.robots.body("/robots")?;
        let mut subject = Subject::new(shared.files.parse(&body, dialect), dialect, &agents);
        write(&mut subject, &form.urls, lines, &shared.config.limits)
    };
    if answers <= AT_ONCE.0 && bytes <= AT_ONCE.1 { answer() } else { app.work.analyse(answer).await? }
}

/// Writes all answers: each with a comma or an end of line after it.
fn write(subject: &mut Subject, urls: &[String], lines: bool, limits: &Limits) -> Result<Response, Problem> {
    let start = Instant::now();
    let mut out = Vec::with_capacity(256 * urls.len().min(1024));
    for url in urls {
        subject.write(url.as_bytes(), &mut out, if lines { b"\n" } else { b"," });
        if out.len() > limits.answer_bytes {
            let detail =
                format_args!("the answers are over {} bytes: ask in parts, or as a stream", limits.answer_bytes);
            return Err(Problem::too_large(detail).at("/urls"));
        }
        form::check_time(start, limits)?;
    }
    Ok(respond(out, lines))
}

/// Returns answers as lines, or as an array.
fn respond(mut answers: Vec<u8>, lines: bool) -> Response {
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
fn check_pack(
    app: &App,
    origin: &str,
    agents: &[ChosenAgent],
    urls: &[String],
    lines: bool,
) -> Result<Vec<u8>, Problem> {
    let pack = pack::pack(app)?;
    let (origin, entry) = pack::entry(pack, origin, "/robots/pack_origin")?;
    let now = time::now().ok_or_else(|| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no time", "set the clock"))?;
    let reader = UrlReader { dialect: pack.dialect(), raw: false };
    let site = entry.record().effective(pack.dialect(), now);
    let mut policies = Vec::with_capacity(agents.len());
    for agent in agents {
        let known = pack.crawler(&agent.crawler).ok_or_else(|| {
            let detail = format_args!("the pack was built for others than {}", agent.name);
            Problem::bad("bad agent", detail, "/agents")
        })?;
        let policy = match site.policy {
            EffectivePolicy::Rules => entry.program(&known).map_or(PackPolicy::DisallowAll, PackPolicy::Rules),
            EffectivePolicy::AllowAll => PackPolicy::AllowAll,
            EffectivePolicy::DisallowAll => PackPolicy::DisallowAll,
            EffectivePolicy::Unknown => PackPolicy::Unknown,
        };
        policies.push((agent.name.as_str(), policy));
    }
    let mut out = Vec::new();
    for url in urls {
        answers::write_of_pack(&origin, &policies, reader, url.as_bytes(), &mut out, if lines { b"\n" } else { b"," });
        if out.len() > app.config.limits.answer_bytes {
            return Err(Problem::too_large("the answers are too long: ask in parts").at("/urls"));
        }
    }
    Ok(out)
}
