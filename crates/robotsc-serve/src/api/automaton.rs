//! `POST /v1/automaton`: the compiled rules of an agent as a picture, and the walk of a URL through it.

use axum::Json;
use axum::extract::State;
use robotsc::Compiler;
use robotsc::program::{Effort, Output};
use robotsc_answers::draw::{DrawnProgram, Picture, svg, walk};
use robotsc_answers::url_path::UrlReader;
use serde::Deserialize;
use serde_json::{Value, json};

use super::form::{self, RobotsForm};
use crate::app::App;
use crate::bad_json::object;
use crate::files::SharedRules;
use crate::problem::Problem;
use crate::request::Asked;

/// A request for a picture.
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

/// Answers `POST /v1/automaton`.
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
            let site = form.robots.site("/robots")?;
            let path = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) }.path(form.url.as_bytes());
            let path = path.map_err(|error| Problem::bad("bad url", error, "/url"))?;
            let file = shared.files.parse(&form.robots.body("/robots")?, dialect);
            let rules = file.rules(&agent, &mut SharedRules::new());
            let compiler = Compiler::new().effort(Effort::Small).output(Output::DecidingRule);
            let program = match DrawnProgram::of(&agent.name, rules.decider.rules(), &compiler) {
                Ok(program) => program,
                Err(error) => return Ok(Json(json!({ "states": 0, "reason": format!("not compiled: {error}") }))),
            };
            let states: usize = program.drawing.parts.iter().map(|part| part.nodes.len()).sum();
            let picture = Picture { title: format!("dialect {}", dialect.name), programs: vec![program] };
            let (edges, most) = (picture.edges(), shared.config.limits.drawn_edges);
            if edges > most {
                let reason =
                    format!("nobody could read a picture of {edges} edges: the most that are drawn are {most}");
                return Ok(Json(json!({ "states": states, "edges": edges, "reason": reason })));
            }
            let walked = walk::walk(&picture.programs[0], 0, path.as_path().as_bytes());
            Ok(Json(json!({
                "states": states,
                "edges": edges,
                "svg": svg::text_with_ids(&picture),
                "walk": walked.ids,
            })))
        })
        .await?
}
