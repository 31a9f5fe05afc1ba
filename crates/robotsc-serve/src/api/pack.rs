//! `GET /v1/pack`: origins of the pack; `POST /v1/pack/origin`: what it holds about one.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use robotsc::origin::Origin;
use robotsc::outcome::Site;
use robotsc::pack::{Pack, PackEntry};
use robotsc_answers::{outcome, pack_entry, shown, time};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::problem::Problem;
use crate::request::Asked;

/// The number of origins that are listed if the request names none, and the maximum.
const LISTED: (usize, usize) = (50, 1000);
/// How long a search goes on.
const SEARCH_TIME: Duration = Duration::from_secs(5);

/// A search.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    #[serde(default)]
    q: String,
    limit: Option<usize>,
}

/// Returns the pack.
pub(super) fn pack(app: &App) -> Result<&Pack, Problem> {
    app.config.pack.as_ref().ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "no pack", "the server has no pack: start it with --pack PACK")
    })
}

/// Answers `GET /v1/pack`.
pub(crate) async fn search(
    State(app): State<App>,
    search: Result<Query<Search>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Value>, Problem> {
    pack(&app)?;
    let Query(Search { q, limit }) =
        search.map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "bad query", error.body_text()))?;
    let limit = limit.unwrap_or(LISTED.0).min(LISTED.1);
    let shared = app.clone();
    app.work
        .analyse(app.work.rooms.of_body(Some(0)), move || {
            let pack = pack(&shared)?;
            let wanted = q.to_ascii_lowercase().into_bytes();
            let start = Instant::now();
            let (mut total, mut matching, mut is_complete) = (0_u64, 0_u64, true);
            let mut origins = Vec::new();
            for (origin, _) in pack.entries() {
                total += 1;
                if wanted.is_empty() || memchr::memmem::find(&origin, &wanted).is_some() {
                    matching += 1;
                    if origins.len() < limit {
                        origins.push(shown::bytes(&origin));
                    }
                }
                if total.is_multiple_of(1 << 16) && start.elapsed() > SEARCH_TIME {
                    is_complete = false;
                    break;
                }
            }
            Ok(Json(json!({ "total": total, "matching": matching, "complete": is_complete, "origins": origins })))
        })
        .await?
}

/// Returns the entry of an origin. `pointer` is its place in the request.
pub(super) fn entry<'p>(pack: &'p Pack, origin: &str, pointer: &str) -> Result<(Origin, PackEntry<'p>), Problem> {
    let origin = Origin::of_url(origin.as_bytes()).map_err(|error| Problem::bad("bad origin", error, pointer))?;
    match pack.get(origin.as_bytes()) {
        Some(entry) => Ok((origin, entry)),
        None => {
            let detail = format_args!("{origin}: the pack does not hold it");
            Err(Problem::new(StatusCode::NOT_FOUND, "no origin", detail).at(pointer))
        }
    }
}

/// A request for an origin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    origin: String,
    at: Option<String>,
}

/// Answers `POST /v1/pack/origin`.
pub(crate) async fn origin(
    State(app): State<App>,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Json<Value>, Problem> {
    let _room = room;
    let pack = pack(&app)?;
    let at = match &form.at {
        None => time::now(),
        Some(at) => time::parse(at),
    };
    let at = at.ok_or_else(|| {
        let detail = "give seconds since 1970, a date, or RFC 3339 such as 2026-11-21T12:00:00Z, up to the year 2105";
        Problem::bad("bad time", detail, "/at")
    })?;
    let (origin, entry) = entry(pack, &form.origin, "/origin")?;
    let record = entry.record();
    let effective = record.effective(pack.dialect(), at);
    let unknown = entry.unknown_reason(Site::NotKnownUp, at);
    let agents = pack_entry::agents(pack, "the pack", &entry, &[])
        .map_err(|mistake| Problem::bad(mistake.what, mistake.cause, "/origin"))?;
    let rules: Vec<String> = agents
        .iter()
        .map(|agent| {
            let bytes = agent.bytes.map_or_else(|| "no rules".to_owned(), |bytes| format!("rules of {bytes} bytes"));
            let delay = agent.crawl_delay.map_or_else(String::new, |delay| format!(", crawl delay {delay} s"));
            format!("{}: {bytes}{delay}", agent.token)
        })
        .chain(entry.sitemaps().map(|sitemap| format!("sitemap: {}", shown::bytes(sitemap))))
        .collect();
    Ok(Json(json!({
        "origin": origin.as_str(),
        "outcome": record.outcome.as_str(),
        "fetched": time::shown(record.fetched_at),
        "expires": time::shown(record.expires_at),
        "at": time::shown(at),
        "policy": outcome::access(effective.access),
        "rules": entry.has_rules().then(|| rules.join("\n")),
        "entry": pack_entry::json(origin.as_str(), &entry, &agents, &effective, unknown),
    })))
}
