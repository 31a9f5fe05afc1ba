//! `POST /v1/explain`: why a URL is allowed or disallowed.

use axum::Json;
use axum::extract::State;
use robotsc::bundled;
use robotsc_answers::explain::{self, Explanation};
use robotsc_answers::identity::Identity;
use robotsc_answers::token;
use robotsc_answers::url_path::UrlReader;
use serde::Deserialize;
use serde_json::Value;

use super::form::{self, RobotsForm};
use crate::app::App;
use crate::problem::Problem;
use crate::request::Asked;

/// A request for an explanation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    robots: RobotsForm,
    dialect: Option<String>,
    agent: String,
    url: String,
}

/// Answers `POST /v1/explain`.
pub(crate) async fn post(
    State(app): State<App>,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Json<Value>, Problem> {
    let dialect = form::dialect(form.dialect.as_deref(), "/dialect")?;
    let agent = token::alone(&form.agent).map_err(|error| Problem::bad("bad agent", error, "/agent"))?;
    form::check_url(&form.url, &app.config.limits, "/url")?;
    let shared = app.clone();
    app.work
        .analyse(move || {
            let _room = room;
            let body = form.robots.body("/robots")?;
            let url = form.url.as_bytes();
            let path = UrlReader { dialect, raw: false }.path(url);
            let path = path.map_err(|error| Problem::bad("bad url", error, "/url"))?;
            let file = shared.files.parse(&body, dialect);
            let identity = identity(agent);
            let crawler = identity.crawler(&file.robots).map_err(|mistake| Problem::of(&mistake, "/agent"))?;
            let others = explain::others(&body, dialect, &identity, url, false);
            let explained = Explanation::with(&file.robots, &crawler, url, &path, |explanation| {
                Json(explain::json::explanation(explanation, &others))
            });
            explained.map_err(|error| Problem::bad("bad url", error, "/url"))
        })
        .await?
}

/// Returns how an agent finds its groups: as `check` does, so that an explanation is about the same rules as a verdict.
/// An agent of the register obeys the groups of its fallbacks if no group names it.
fn identity(agent: String) -> Identity {
    match bundled::agent(&agent) {
        Some(known) if !known.fallback.is_empty() => {
            Identity::Chain([&known.token].into_iter().chain(known.fallback).map(|name| (*name).to_owned()).collect())
        }
        _ => Identity::Token(agent),
    }
}
