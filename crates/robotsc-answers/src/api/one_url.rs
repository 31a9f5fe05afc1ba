//! What requests about one URL of one agent contain.

use robotsc::Dialect;
use serde::Deserialize;

use super::bad_json::object;
use super::form::{self, RobotsForm};
use super::limits::Limits;
use super::problem::Problem;
use crate::chosen_agent::ChosenAgent;

/// A request about one URL.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OneUrlForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
    agent: String,
    #[serde(default)]
    as_written: bool,
    url: String,
}

/// A question about one URL.
#[derive(Debug)]
pub(super) struct OneUrl {
    pub(super) robots: RobotsForm,
    pub(super) dialect: &'static Dialect,
    pub(super) agent: ChosenAgent,
    pub(super) url: String,
}

impl OneUrlForm {
    /// Checks what can be checked without the file.
    pub(super) fn read(self, limits: &Limits) -> Result<OneUrl, Problem> {
        let dialect = form::dialect(self.dialect.as_deref(), "/dialect")?;
        let agent = form::agent(&self.agent, self.as_written, "/agent")?;
        form::check_url(&self.url, limits, "/url")?;
        Ok(OneUrl { robots: self.robots, dialect, agent, url: self.url })
    }
}
