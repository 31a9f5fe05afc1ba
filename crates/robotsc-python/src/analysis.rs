//! What is wrong with a file, and what an edit changes.

use std::sync::Arc;

use pyo3::prelude::*;
use robotsc::bundled::{self, KnownAgent};
use robotsc_analysis::lint::Lint;
use robotsc_analysis::{DiffOptions, Effect};

use crate::body::{Parsed, parse_body};
use crate::errors::agent_error;
use crate::robots::RobotsTxt;
use crate::text;

/// Something that a check found.
#[pyclass(module = "robotsc", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Finding {
    code: &'static str,
    severity: &'static str,
    line: u32,
    message: String,
    witness: Option<String>,
    related: Vec<u32>,
    fix: Option<String>,
}

#[pymethods]
impl Finding {
    fn __str__(&self) -> String {
        format!("line {}: {}: {} [{}]", self.line, self.severity, self.message, self.code)
    }

    fn __repr__(&self) -> String {
        format!("<robotsc.Finding {} in line {}>", self.code, self.line)
    }
}

/// Paths whose verdict changed, for some agents.
#[pyclass(module = "robotsc", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Change {
    effect: &'static str,
    path: String,
    agents: Vec<String>,
    all_others: bool,
    old_lines: Vec<u32>,
    new_lines: Vec<u32>,
}

#[pymethods]
impl Change {
    fn __repr__(&self) -> String {
        format!("<robotsc.Change {}: {}>", self.effect, self.path)
    }
}

/// What changed from one robots.txt to another.
#[pyclass(module = "robotsc", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Diff {
    changes: Vec<Py<Change>>,
    is_same: bool,
    is_decided: bool,
}

#[pymethods]
impl Diff {
    fn __repr__(&self) -> String {
        let more = if self.is_decided { "" } else { " and perhaps more" };
        format!("<robotsc.Diff of {} changes{more}>", self.changes.len())
    }
}

/// Returns the file that an argument is, or holds.
fn file(robots: &Bound<'_, PyAny>, dialect: &str) -> PyResult<Arc<Parsed>> {
    match robots.cast::<RobotsTxt>() {
        Ok(robots) => Ok(robots.get().parsed.clone()),
        Err(_) => Ok(Arc::new(parse_body(text::body(robots)?, dialect, None)?)),
    }
}

/// Finds what is wrong with a robots.txt.
#[pyfunction]
#[pyo3(signature = (robots, dialect = "google", *, info = false))]
pub(crate) fn lint(robots: &Bound<'_, PyAny>, dialect: &str, info: bool) -> PyResult<Vec<Finding>> {
    let parsed = file(robots, dialect)?;
    let lint = if info { Lint::new().with_info() } else { Lint::new() };
    let findings = robots.py().detach(|| lint.run(&parsed.robots));
    let shown = |finding: robotsc_analysis::lint::Finding| Finding {
        code: finding.check.code(),
        severity: finding.severity.as_str(),
        line: finding.line,
        message: finding.message,
        witness: finding.witness,
        related: finding.related,
        fix: finding.fix.map(|fix| fix.title),
    };
    Ok(findings.into_iter().map(shown).collect())
}

/// Compares two files: what is newly blocked, and what is newly open, for whom.
#[pyfunction]
#[pyo3(signature = (old, new, dialect = "google", *, agents = None, as_written = false))]
pub(crate) fn diff(
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    dialect: &str,
    agents: Option<Vec<String>>,
    as_written: bool,
) -> PyResult<Diff> {
    let (py, old, new) = (old.py(), file(old, dialect)?, file(new, dialect)?);
    let agents = agents.unwrap_or_default();
    let documented: fn(&str) -> Option<robotsc::Crawler> =
        if as_written { |_| None } else { |name| bundled::agent(name).map(KnownAgent::crawler) };
    let options = DiffOptions { agents: &agents, documented, ..DiffOptions::default() };
    let diff = py.detach(|| robotsc_analysis::Diff::with(&old.robots, &new.robots, &options)).map_err(agent_error)?;
    let mut changes = Vec::new();
    for rules in &diff.rules {
        for change in rules.changes() {
            let lines = |rule: &Option<robotsc_analysis::DiffRule>| {
                rule.as_ref().map_or_else(Vec::new, |rule| rule.lines.clone())
            };
            changes.push(Py::new(
                py,
                Change {
                    effect: match change.effect {
                        Effect::Blocked => "blocked",
                        Effect::Opened => "opened",
                    },
                    path: String::from_utf8_lossy(&change.path).into_owned(),
                    agents: rules.agents.names.clone(),
                    all_others: rules.agents.has_others,
                    old_lines: lines(&change.old),
                    new_lines: lines(&change.new),
                },
            )?);
        }
    }
    Ok(Diff { changes, is_same: diff.is_same(), is_decided: diff.is_decided() })
}
