//! `POST /v1/explain`: why a URL is allowed or disallowed.

use serde::Deserialize;

use super::limits::Limits;
use super::one_url::{OneUrl, OneUrlForm};
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::explain::{self, ExplanationReport};
use crate::url_path::UrlReader;

/// A request for an explanation.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct ExplainForm(OneUrlForm);

/// See [`ExplainForm`].
#[derive(Debug)]
pub struct ExplainQuestion(OneUrl);

impl Form for ExplainForm {
    type Question = ExplainQuestion;

    fn question(self, limits: &Limits) -> Result<ExplainQuestion, Problem> {
        self.0.read(limits).map(ExplainQuestion)
    }
}

impl Question for ExplainQuestion {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        let OneUrl { robots, dialect, agent, url } = self.0;
        let body = robots.body("/robots")?;
        let url = url.as_bytes();
        let site = robots.site("/robots")?;
        let path = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) }.path(url);
        let path = path.map_err(|error| Problem::bad("bad url", error, "/url"))?;
        let file = robots.parsed(desk, dialect, "/robots")?;
        let others = explain::others(&body, dialect, |_| Ok(agent.crawler.clone()), url, false);
        let explained = ExplanationReport::with(&file.robots, &agent.crawler, url, &path, |explanation| {
            let note = agent.note_for(&file.robots);
            let told = explain::json::explanation(explanation, &others, &agent.name, note.as_deref());
            told.to_string().into_bytes()
        });
        explained.map_err(|error| Problem::bad("bad url", error, "/url"))
    }
}
