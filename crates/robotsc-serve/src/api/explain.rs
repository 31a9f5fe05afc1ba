//! `POST /v1/explain`: why a URL is allowed or disallowed.

use axum::Json;
use axum::extract::State;
use robotsc_answers::explain::{self, Explanation};
use robotsc_answers::url_path::UrlReader;
use serde::Deserialize;
use serde_json::Value;

use super::form::{self, RobotsForm};
use crate::app::App;
use crate::bad_json::object;
use crate::problem::Problem;
use crate::request::Asked;

/// A request for an explanation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agent: String,
    #[serde(default)]
    as_written: bool,
    url: String,
}

/// Answers `POST /v1/explain`.
pub(crate) async fn post(
    State(app): State<App>,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Json<Value>, Problem> {
    let dialect = form::dialect(form.dialect.as_deref(), "/dialect")?;
    let agent = form::agent(&form.agent, form.as_written, "/agent")?;
    form::check_url(&form.url, &app.config.limits, "/url")?;
    let shared = app.clone();
    app.work
        .analyse(room, move || {
            let body = form.robots.body("/robots")?;
            let url = form.url.as_bytes();
            let site = form.robots.site("/robots")?;
            let path = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) }.path(url);
            let path = path.map_err(|error| Problem::bad("bad url", error, "/url"))?;
            let file = form.robots.parsed(&shared.files, dialect, "/robots")?;
            let others = explain::others(&body, dialect, |_| Ok(agent.crawler.clone()), url, false);
            let explained = Explanation::with(&file.robots, &agent.crawler, url, &path, |explanation| {
                let note = agent.note_for(&file.robots);
                Json(explain::json::explanation(explanation, &others, &agent.name, note.as_deref()))
            });
            explained.map_err(|error| Problem::bad("bad url", error, "/url"))
        })
        .await?
}
