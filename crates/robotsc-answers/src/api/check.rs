//! `POST /v1/check`: a verdict for each URL and agent.

use robotsc::Dialect;
use serde::Deserialize;

use super::bad_json::object;
use super::form::{self, RobotsForm};
use super::limits::{Deadline, Limits};
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use super::verdicts::Verdicts;
use crate::chosen_agent::ChosenAgent;

/// What to do with more URLs than a request may have.
const AS_STREAM: &str = "send the URLs as a stream, application/x-ndjson, or in parts";

/// A request for verdicts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agents: Vec<String>,
    #[serde(default)]
    as_written: bool,
    urls: Vec<String>,
}

/// See [`CheckForm`].
#[derive(Debug)]
pub struct CheckQuestion {
    /// The file.
    pub robots: RobotsForm,
    /// The dialect; that of a pack is its own.
    pub dialect: &'static Dialect,
    /// Whether the request names the dialect.
    pub has_dialect: bool,
    /// The agents.
    pub agents: Vec<ChosenAgent>,
    /// The URLs.
    pub urls: Vec<String>,
}

impl Form for CheckForm {
    type Question = CheckQuestion;

    fn question(self, limits: &Limits) -> Result<CheckQuestion, Problem> {
        let dialect = form::dialect(self.dialect.as_deref(), "/dialect")?;
        let agents = form::agents(&self.agents, self.as_written, limits)?;
        form::check_urls(&self.urls, agents.len(), limits, AS_STREAM)?;
        self.robots.robots("/robots")?;
        let has_dialect = self.dialect.is_some();
        Ok(CheckQuestion { robots: self.robots, dialect, has_dialect, agents, urls: self.urls })
    }
}

impl Question for CheckQuestion {
    fn verdicts(&self) -> u64 {
        (self.urls.len() * self.agents.len()) as u64
    }

    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        self.write(desk, b",").map(as_array)
    }
}

impl CheckQuestion {
    /// Returns the answers, each with `after` after it.
    ///
    /// # Errors
    /// If the file is none, or the answers are too long or take too long.
    pub fn write(&self, desk: &dyn Desk, after: &[u8]) -> Result<Vec<u8>, Problem> {
        let file = self.robots.parsed(desk, self.dialect, "/robots")?;
        let site = self.robots.site("/robots")?;
        let mut verdicts = Verdicts::new(file, self.dialect, &self.agents, site);
        self.write_with(desk.limits(), |url, out, goes_on| {
            verdicts.write(url, 0, out, after, goes_on);
        })
    }

    /// Returns what `write` writes for each URL. It writes at least one answer, and ends early when its last argument
    /// says so.
    ///
    /// # Errors
    /// If the answers are too long or take too long.
    pub fn write_with(
        &self,
        limits: &Limits,
        mut write: impl FnMut(&[u8], &mut Vec<u8>, &dyn Fn(&[u8]) -> bool),
    ) -> Result<Vec<u8>, Problem> {
        let deadline = Deadline::start(limits);
        let goes_on = |out: &[u8]| out.len() <= limits.answer_bytes && !deadline.is_over();
        let mut out = Vec::with_capacity(256 * self.urls.len().min(1024));
        for url in &self.urls {
            write(url.as_bytes(), &mut out, &goes_on);
            check_size(&out, limits)?;
            deadline.check(AS_STREAM)?;
        }
        Ok(out)
    }
}

/// Checks that answers are not too long.
fn check_size(out: &[u8], limits: &Limits) -> Result<(), Problem> {
    if out.len() <= limits.answer_bytes {
        return Ok(());
    }
    let detail = format_args!("the answers are over {} bytes: ask in parts, or as a stream", limits.answer_bytes);
    Err(Problem::too_large(detail).at("/urls"))
}

/// Returns answers, each with a comma after it, as the array of a response.
#[must_use]
pub fn as_array(mut answers: Vec<u8>) -> Vec<u8> {
    const HEAD: &[u8] = br#"{"answers":["#;
    answers.pop();
    let mut body = Vec::with_capacity(HEAD.len() + answers.len() + 2);
    body.extend_from_slice(HEAD);
    body.append(&mut answers);
    body.extend_from_slice(b"]}");
    body
}
