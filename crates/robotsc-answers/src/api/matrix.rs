//! `POST /v1/matrix`: which agents may fetch which URLs, and how many.

use robotsc::Dialect;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::bad_json::object;
use super::file::SharedRules;
use super::form::{self, RobotsForm};
use super::limits::{Deadline, IN_PARTS, Limits};
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::check;
use crate::chosen_agent::ChosenAgent;
use crate::matrix::Column;
use crate::url_path::UrlReader;

/// A request for a matrix.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agents: Vec<String>,
    #[serde(default)]
    as_written: bool,
    urls: Vec<String>,
}

/// See [`MatrixForm`].
#[derive(Debug)]
pub struct MatrixQuestion {
    robots: RobotsForm,
    dialect: &'static Dialect,
    agents: Vec<ChosenAgent>,
    urls: Vec<String>,
}

impl Form for MatrixForm {
    type Question = MatrixQuestion;

    fn question(self, limits: &Limits) -> Result<MatrixQuestion, Problem> {
        let dialect = form::dialect(self.dialect.as_deref(), "/dialect")?;
        let agents = form::agents(&self.agents, self.as_written, limits)?;
        form::check_urls(&self.urls, agents.len(), limits, IN_PARTS)?;
        // Each answer repeats its URL.
        let bytes = self.urls.iter().map(String::len).sum::<usize>().saturating_mul(agents.len());
        if bytes > limits.answer_bytes {
            let detail = format_args!("the answers are over {} bytes: ask in parts", limits.answer_bytes);
            return Err(Problem::too_large(detail).at("/urls"));
        }
        Ok(MatrixQuestion { robots: self.robots, dialect, agents, urls: self.urls })
    }
}

impl Question for MatrixQuestion {
    fn verdicts(&self) -> u64 {
        (self.urls.len() * self.agents.len()) as u64
    }

    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        let file = self.robots.parsed(desk, self.dialect, "/robots")?;
        let mut rules_of_groups = SharedRules::new();
        let column = |agent| {
            let rules = file.rules(&agent, &mut rules_of_groups);
            Column::with(agent.for_file(&file.robots), rules.decider.clone())
        };
        let mut columns: Vec<Column<'_>> = self.agents.into_iter().map(column).collect();
        let site = self.robots.site("/robots")?;
        let reader = UrlReader { site: site.as_ref(), ..UrlReader::new(self.dialect) };
        let mut cells: Vec<Map<String, Value>> = Vec::with_capacity(self.urls.len() * columns.len());
        let mut urls = 0;
        let deadline = Deadline::start(desk.limits());
        for url in self.urls.iter().map(String::as_bytes) {
            let path = reader.path(url);
            urls += u64::from(path.is_ok());
            deadline.check(IN_PARTS)?;
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
        Ok(json!({ "verdicts": cells, "agents": agents }).to_string().into_bytes())
    }
}
