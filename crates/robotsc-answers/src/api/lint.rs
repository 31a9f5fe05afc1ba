//! `POST /v1/lint`: what is wrong with a file, and how to mend it; `GET /v1/lint/{code}`: the page of a check.

use robotsc::Dialect;
use robotsc_analysis::lint::LintCheck;
use serde::Deserialize;
use serde_json::{Value, json};

use super::bad_json::object;
use super::form::{self, RobotsForm};
use super::limits::Limits;
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::lint;

/// A request for findings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LintForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
}

/// See [`LintForm`].
#[derive(Debug)]
pub struct LintQuestion {
    robots: RobotsForm,
    dialect: &'static Dialect,
}

impl Form for LintForm {
    type Question = LintQuestion;

    fn question(self, _: &Limits) -> Result<LintQuestion, Problem> {
        let dialect = form::dialect(self.dialect.as_deref(), "/dialect")?;
        Ok(LintQuestion { robots: self.robots, dialect })
    }
}

impl Question for LintQuestion {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        let body = self.robots.body("/robots")?;
        let file = desk.file(&body, self.dialect);
        let found = desk.lint().run(&file.robots);
        let undecided = found.iter().filter(|finding| finding.check.code() == "not-decided").count();
        let body = file.robots.body();
        let findings: Vec<Value> = found.iter().map(|found| lint::json_with_edits(body, found)).collect();
        Ok(json!({ "findings": findings, "undecided": undecided }).to_string().into_bytes())
    }
}

/// Returns the page of the check of a code.
///
/// # Errors
/// If there is none.
pub fn page(code: &str) -> Result<Value, Problem> {
    let check = LintCheck::by_code(code)
        .ok_or_else(|| Problem::not_found("no check", "there is none of this code: GET /v1/about lists the checks"))?;
    Ok(json!({
        "code": check.code(),
        "severity": lint::severity(check.severity()),
        "title": check.summary(),
        "markdown": check.page(),
    }))
}
