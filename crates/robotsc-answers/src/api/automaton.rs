//! `POST /v1/automaton`: the compiled rules of an agent as a picture, and the walk of a URL through it.

use robotsc::program::{Effort, Output};
use robotsc::{Compiler, Dialect};
use serde::Deserialize;
use serde_json::{Value, json};

use super::bad_json::object;
use super::file::SharedRules;
use super::form::{self, RobotsForm};
use super::limits::Limits;
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::chosen_agent::ChosenAgent;
use crate::draw::{DrawnProgram, Picture, svg, walk};
use crate::url_path::UrlReader;

/// A request for a picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomatonForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agent: String,
    #[serde(default)]
    as_written: bool,
    url: String,
}

/// See [`AutomatonForm`].
#[derive(Debug)]
pub struct AutomatonQuestion {
    robots: RobotsForm,
    dialect: &'static Dialect,
    agent: ChosenAgent,
    url: String,
}

impl Form for AutomatonForm {
    type Question = AutomatonQuestion;

    fn question(self, limits: &Limits) -> Result<AutomatonQuestion, Problem> {
        let dialect = form::dialect(self.dialect.as_deref(), "/dialect")?;
        let agent = form::agent(&self.agent, self.as_written, "/agent")?;
        form::check_url(&self.url, limits, "/url")?;
        Ok(AutomatonQuestion { robots: self.robots, dialect, agent, url: self.url })
    }
}

impl Question for AutomatonQuestion {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        self.drawn(desk).map(|answer| answer.to_string().into_bytes())
    }
}

impl AutomatonQuestion {
    fn drawn(&self, desk: &dyn Desk) -> Result<Value, Problem> {
        let site = self.robots.site("/robots")?;
        let path = UrlReader { site: site.as_ref(), ..UrlReader::new(self.dialect) }.path(self.url.as_bytes());
        let path = path.map_err(|error| Problem::bad("bad url", error, "/url"))?;
        let file = desk.file(&self.robots.body("/robots")?, self.dialect);
        let rules = file.rules(&self.agent, &mut SharedRules::new());
        let compiler = Compiler::new().effort(Effort::Small).output(Output::DecidingRule);
        let program = match DrawnProgram::of(&self.agent.name, rules.decider.rules(), &compiler) {
            Ok(program) => program,
            Err(error) => return Ok(json!({ "states": 0, "reason": format!("not compiled: {error}") })),
        };
        let states: usize = program.drawing.parts.iter().map(|part| part.nodes.len()).sum();
        let picture = Picture { title: format!("dialect {}", self.dialect.name), programs: vec![program] };
        let (edges, most) = (picture.edges(), desk.limits().drawn_edges);
        if edges > most {
            let reason = format!("nobody could read a picture of {edges} edges: the most that are drawn are {most}");
            return Ok(json!({ "states": states, "edges": edges, "reason": reason }));
        }
        let walked = walk::walk(&picture.programs[0], 0, path.as_path().as_bytes());
        Ok(json!({
            "states": states,
            "edges": edges,
            "svg": svg::text_with_ids(&picture),
            "walk": walked.ids,
        }))
    }
}
