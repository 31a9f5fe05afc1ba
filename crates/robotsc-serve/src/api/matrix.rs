//! `POST /v1/matrix`: which agents may fetch which URLs, and how many.

use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use robotsc_answers::check;
use robotsc_answers::matrix::Column;
use robotsc_answers::url_path::UrlReader;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::form::{self, RobotsForm};
use crate::app::App;
use crate::bad_json::object;
use crate::files::SharedRules;
use crate::problem::Problem;
use crate::request::{Asked, json as json_response};

/// A request for a matrix.
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

/// Answers `POST /v1/matrix`.
pub(crate) async fn post(
    State(app): State<App>,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Response, Problem> {
    let dialect = form::dialect(form.dialect.as_deref(), "/dialect")?;
    let agents = form::agents(&form.agents, form.as_written, &app)?;
    let limits = &app.config.limits;
    form::check_urls(&form.urls, agents.len(), limits, form::IN_PARTS)?;
    // Each answer repeats its URL.
    let bytes = form.urls.iter().map(String::len).sum::<usize>().saturating_mul(agents.len());
    if bytes > limits.answer_bytes {
        let detail = format_args!("the answers are over {} bytes: ask in parts", limits.answer_bytes);
        return Err(Problem::too_large(detail).at("/urls"));
    }
    app.metrics.answers.inc_by((form.urls.len() * agents.len()) as u64);
    let shared = app.clone();
    app.work
        .analyse(room, move || {
            let file = form.robots.parsed(&shared.files, dialect, "/robots")?;
            let mut rules_of_groups = SharedRules::new();
            let column = |agent| {
                let rules = file.rules(&agent, &mut rules_of_groups);
                Column::with(agent.for_file(&file.robots), rules.decider.clone())
            };
            let mut columns: Vec<Column<'_>> = agents.into_iter().map(column).collect();
            let site = form.robots.site("/robots")?;
            let reader = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) };
            let mut cells: Vec<Map<String, Value>> = Vec::with_capacity(form.urls.len() * columns.len());
            let mut urls = 0;
            let start = Instant::now();
            for url in form.urls.iter().map(String::as_bytes) {
                let path = reader.path(url);
                urls += u64::from(path.is_ok());
                form::check_time(start, &shared.config.limits, form::IN_PARTS)?;
                for column in &mut columns {
                    let cell = path
                        .as_ref()
                        .map_err(Clone::clone)
                        .and_then(|path| column.answer(path.as_path()).map_err(|error| error.to_string()));
                    let agent = &column.agent;
                    let failed = |error: String| check::error(url, Some(&agent.name), &error);
                    cells.push(cell.map_or_else(failed, |cell| cell.json(url, agent)));
                }
            }
            let agents: Vec<_> = columns.iter().map(|column| column.json(urls)).collect();
            Ok(json_response(json!({ "verdicts": cells, "agents": agents }).to_string()))
        })
        .await?
}
