//! `POST /v1/automaton`: the compiled rules of an agent as a picture, and the walk of a URL through it.

use robotsc::Compiler;
use robotsc::program::{Effort, Output};
use serde::Deserialize;
use serde_json::{Value, json};

use super::file::SharedRules;
use super::limits::Limits;
use super::one_url::{OneUrl, OneUrlForm};
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::draw::{DrawnProgram, Picture, svg, walk};
use crate::url_path::UrlReader;

/// A request for a picture.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct AutomatonForm(OneUrlForm);

/// See [`AutomatonForm`].
#[derive(Debug)]
pub struct AutomatonQuestion(OneUrl);

impl Form for AutomatonForm {
    type Question = AutomatonQuestion;

    fn question(self, limits: &Limits) -> Result<AutomatonQuestion, Problem> {
        self.0.read(limits).map(AutomatonQuestion)
    }
}

impl Question for AutomatonQuestion {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        self.drawn(desk).map(|answer| answer.to_string().into_bytes())
    }
}

impl AutomatonQuestion {
    fn drawn(&self, desk: &dyn Desk) -> Result<Value, Problem> {
        let OneUrl { robots, dialect, agent, url } = &self.0;
        let site = robots.site("/robots")?;
        let path = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) }.path(url.as_bytes());
        let path = path.map_err(|error| Problem::bad("bad url", error, "/url"))?;
        let file = desk.file(&robots.body("/robots")?, dialect);
        let rules = file.rules(agent, &mut SharedRules::new());
        let compiler = Compiler::new().effort(Effort::Small).output(Output::DecidingRule);
        let program = match DrawnProgram::of(&agent.name, rules.decider.rules(), &compiler) {
            Ok(program) => program,
            Err(error) => return Ok(json!({ "states": 0, "reason": format!("not compiled: {error}") })),
        };
        let states: usize = program.drawing.parts.iter().map(|part| part.nodes.len()).sum();
        let picture = Picture { title: format!("dialect {}", dialect.name), programs: vec![program] };
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
