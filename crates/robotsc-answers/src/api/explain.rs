//! `POST /v1/explain`: why a URL is allowed or disallowed.

use robotsc::Dialect;
use serde::Deserialize;

use super::bad_json::object;
use super::form::{self, RobotsForm};
use super::limits::Limits;
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::chosen_agent::ChosenAgent;
use crate::explain::{self, Explanation};
use crate::url_path::UrlReader;

/// A request for an explanation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agent: String,
    #[serde(default)]
    as_written: bool,
    url: String,
}

/// See [`ExplainForm`].
#[derive(Debug)]
pub struct ExplainQuestion {
    robots: RobotsForm,
    dialect: &'static Dialect,
    agent: ChosenAgent,
    url: String,
}

impl Form for ExplainForm {
    type Question = ExplainQuestion;

    fn question(self, limits: &Limits) -> Result<ExplainQuestion, Problem> {
        let dialect = form::dialect(self.dialect.as_deref(), "/dialect")?;
        let agent = form::agent(&self.agent, self.as_written, "/agent")?;
        form::check_url(&self.url, limits, "/url")?;
        Ok(ExplainQuestion { robots: self.robots, dialect, agent, url: self.url })
    }
}

impl Question for ExplainQuestion {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        let Self { robots, dialect, agent, url } = self;
        let body = robots.body("/robots")?;
        let url = url.as_bytes();
        let site = robots.site("/robots")?;
        let path = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) }.path(url);
        let path = path.map_err(|error| Problem::bad("bad url", error, "/url"))?;
        let file = robots.parsed(desk, dialect, "/robots")?;
        let others = explain::others(&body, dialect, |_| Ok(agent.crawler.clone()), url, false);
        let explained = Explanation::with(&file.robots, &agent.crawler, url, &path, |explanation| {
            let note = agent.note_for(&file.robots);
            let told = explain::json::explanation(explanation, &others, &agent.name, note.as_deref());
            told.to_string().into_bytes()
        });
        explained.map_err(|error| Problem::bad("bad url", error, "/url"))
    }
}
