//! `POST /v1/diff`: what an edit of a file changes, for whom; or what one file means under two dialects.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use robotsc::Dialect;
use robotsc_analysis::Diff;
use robotsc_answers::diff::flips::{Flips, totals};
use robotsc_answers::diff::words::Words;
use robotsc_answers::diff::{self, Side, json as as_json};
use robotsc_answers::url_path::UrlReader;
use serde::Deserialize;
use serde_json::{Value, json};

use super::form::{self, RobotsForm};
use crate::app::App;
use crate::bad_json::object;
use crate::problem::Problem;
use crate::request::Asked;

/// A request to compare.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    #[serde(deserialize_with = "object")]
    old: RobotsForm,
    #[serde(deserialize_with = "object")]
    new: RobotsForm,
    /// None, one for both, or one for each.
    #[serde(default)]
    dialects: Vec<String>,
    #[serde(default)]
    agents: Vec<String>,
    #[serde(default)]
    as_written: bool,
    #[serde(default)]
    urls: Vec<String>,
}

/// Answers `POST /v1/diff`.
pub(crate) async fn post(
    State(app): State<App>,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Json<Value>, Problem> {
    let dialect = |number: usize| form::dialect(Some(&form.dialects[number]), &format!("/dialects/{number}"));
    let dialects = match form.dialects.len() {
        0 => [form::dialect(None, "")?; 2],
        1 => [dialect(0)?; 2],
        2 => [dialect(0)?, dialect(1)?],
        _ => return Err(Problem::bad("bad dialects", "give one for both files, or one for each", "/dialects")),
    };
    if !form.urls.is_empty() {
        form::check_urls(&form.urls, 1, &app.config.limits, form::IN_PARTS)?;
    }
    if form.agents.len() > app.config.limits.agents {
        return Err(Problem::too_large("there are too many agents").at("/agents"));
    }
    let shared = app.clone();
    app.work
        .analyse(room, move || {
            let is_edit = dialects[0] == dialects[1];
            let old = form.old.parsed(&shared.files, dialects[0], "/old")?;
            let new = form.new.parsed(&shared.files, dialects[1], "/new")?;
            check_sites(&form, dialects)?;
            let compared = Diff::with(&old.robots, &new.robots, &diff::options(&form.agents, is_edit, form.as_written));
            let compared = compared.map_err(|error| Problem::bad("bad agent", error, "/agents"))?;
            let names = if is_edit { None } else { Some(dialects.map(|dialect| dialect.name)) };
            let words = Words::new(&compared, names, false);
            let sides = [Side { name: "old", robots: &old.robots }, Side { name: "new", robots: &new.robots }];
            let mut changes = as_json::objects(&compared, &words, sides);
            let summary = changes.pop();
            let flips = Flips::new(&compared, [&old.robots, &new.robots]);
            let mut flipped = Vec::new();
            let mut count = 0;
            let start = Instant::now();
            for (number, url) in form.urls.iter().enumerate() {
                let found = flips.of(url.as_bytes()).map_err(|error| bad_url(number, error))?;
                count += u64::from(!found.is_empty());
                form::check_time(start, &shared.config.limits, form::IN_PARTS)?;
                flipped.extend(found.iter().map(|flip| flip.json(url.as_bytes())));
            }
            let mut answer = json!({ "changes": changes, "summary": summary });
            if !form.urls.is_empty() {
                answer["urls"] = json!({ "flips": flipped, "totals": totals(form.urls.len() as u64, count) });
            }
            Ok(Json(answer))
        })
        .await?
}

/// Checks that the URLs are such, and of the sites that the files are of.
fn check_sites(form: &Form, dialects: [&'static Dialect; 2]) -> Result<(), Problem> {
    let sites = [form.old.site("/old")?, form.new.site("/new")?];
    for (number, url) in form.urls.iter().enumerate() {
        for (site, dialect) in sites.iter().zip(dialects) {
            let reader = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) };
            reader.path(url.as_bytes()).map_err(|error| bad_url(number, error))?;
        }
    }
    Ok(())
}

fn bad_url(number: usize, error: String) -> Problem {
    Problem::bad("bad url", error, format!("/urls/{number}"))
}
