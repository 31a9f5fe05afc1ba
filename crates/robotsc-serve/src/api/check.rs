//! `POST /v1/check`: a verdict for each URL and agent.

use axum::extract::{FromRequest as _, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use robotsc::outcome::Site;
use robotsc_answers::api::check::{CheckForm, CheckQuestion, as_array};
use robotsc_answers::api::form::Robots;
use robotsc_answers::api::question::{Form as _, Question as _};
use robotsc_answers::url_path::UrlReader;
use robotsc_answers::{pack_entry, time};

use super::{pack, stream};
use crate::answers;
use crate::app::App;
use crate::problem::Problem;
use crate::request::{Asked, NDJSON, json, media_type, wants_lines};

/// The answers up to which a request is answered at once.
const ANSWERS_AT_ONCE: u64 = 64;

/// The bytes of its file up to which it is.
const FILE_AT_ONCE: usize = 64 << 10;

/// The bytes of its file times its agents times the bytes of its URLs up to which it is. Rules with many stars cost as
/// many steps.
const STEPS_AT_ONCE: usize = 1 << 22;

/// Answers `POST /v1/check`.
pub(crate) async fn post(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    if media_type(request.headers()) == Some(NDJSON) {
        return stream::post(app, request.into_body()).await;
    }
    let lines = wants_lines(request.headers());
    let Asked { value: form, room } = Asked::<CheckForm>::from_request(request, &app).await?;
    let question = form.question(&app.limits)?;
    let is_small = is_small(&question)?;
    app.metrics.answers.inc_by(question.verdicts());
    let shared = app.clone();
    let answer = move || -> Result<Response, Problem> {
        let after: &[u8] = if lines { b"\n" } else { b"," };
        let answers = match question.robots.robots("/robots")? {
            Robots::PackOrigin(origin) => check_pack(&shared, origin, &question, after)?,
            Robots::Body(_) => question.write(&*shared, after)?,
        };
        Ok(if lines { ([(CONTENT_TYPE, NDJSON)], answers).into_response() } else { json(as_array(answers)) })
    };
    if is_small { answer() } else { app.work.analyse(room, answer).await? }
}

/// Reports whether a request is answered at once.
fn is_small(question: &CheckQuestion) -> Result<bool, Problem> {
    let Robots::Body(body) = question.robots.robots("/robots")? else { return Ok(false) };
    let url_bytes: usize = question.urls.iter().map(String::len).sum();
    let steps = body.len().saturating_mul(question.agents.len()).saturating_mul(url_bytes);
    Ok(question.verdicts() <= ANSWERS_AT_ONCE && body.len() <= FILE_AT_ONCE && steps <= STEPS_AT_ONCE)
}

/// Answers for an origin of the pack, from its compiled rules and what holds now.
fn check_pack(app: &App, origin: &str, question: &CheckQuestion, after: &[u8]) -> Result<Vec<u8>, Problem> {
    let pack = pack::pack(app)?;
    let name = pack.dialect().name;
    if question.has_dialect && question.dialect.name != name {
        let detail = format_args!("the pack was built for the dialect {name}: leave `dialect` out, or give this one");
        return Err(Problem::bad("bad dialect", detail, "/dialect"));
    }
    let (origin, entry) = pack::entry(pack, origin, "/robots/pack_origin")?;
    let now = time::now().ok_or_else(|| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no time", "set the clock"))?;
    let reader = UrlReader { site: Some(&origin), ..UrlReader::new(pack.dialect()) };
    let unknown = entry.unknown_reason(Site::NotKnownUp, now);
    let mut policies = Vec::with_capacity(question.agents.len());
    for agent in &question.agents {
        let known = pack.crawler(&agent.crawler).ok_or_else(|| {
            let detail = format_args!("{}: the pack was built for {}", agent.name, pack_entry::built_for(pack));
            Problem::bad("bad agent", detail, "/agents")
        })?;
        let policy = entry.access_at(&known, Site::NotKnownUp, now);
        policies.push((agent, policy));
    }
    let answers = question.write_with(&app.limits, |url, out, goes_on| {
        answers::write_of_pack(&policies, unknown, reader, url, out, after, goes_on);
    });
    Ok(answers?)
}
