//! What is wrong with a file, and what an edit changes.

use std::sync::Arc;

use pyo3::prelude::*;
use robotsc_analysis::Effect;
use robotsc_analysis::lint::Lint;

use crate::agent::Names;
use crate::body::{Parsed, parse_given};
use crate::dialect;
use crate::errors::agent_error;
use crate::results::make;
use crate::robots::RobotsTxt;

/// Returns the file that an argument is, or holds.
pub(crate) fn file(robots: &Bound<'_, PyAny>, dialect: &str, force: bool) -> PyResult<Arc<Parsed>> {
    match robots.cast::<RobotsTxt>() {
        Ok(robots) => Ok(robots.get().parsed.clone()),
        Err(_) => Ok(Arc::new(parse_given(robots, dialect::by_name(dialect)?, None, force)?)),
    }
}

/// Finds what is wrong with a robots.txt, in the order of the lines.
///
/// Args:
///     robots: a file, or its body.
///     dialect: of a body; that of a ``RobotsTxt`` is its own.
///     info: also opinions and details.
///     force: also look at a body that is no robots.txt.
///
/// Raises as ``parse``. Cost: near linear for most files, bounded for all. Other threads run meanwhile.
///
/// >>> robotsc.lint(b"User-agent: *\nDisallow: /shop\nAllow: /shop\n")
/// [<robotsc.Finding allow-disallow-same in line 2>]
#[pyfunction]
#[pyo3(signature = (robots, dialect = "google", *, info = false, force = false))]
pub(crate) fn lint<'py>(
    robots: &Bound<'py, PyAny>,
    dialect: &str,
    info: bool,
    force: bool,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = robots.py();
    let parsed = file(robots, dialect, force)?;
    let lint = if info { Lint::new().with_info() } else { Lint::new() };
    let findings = py.detach(|| lint.run(&parsed.robots));
    let shown = |finding: robotsc_analysis::lint::Finding| {
        let (code, severity) = (finding.check.code(), finding.severity.as_str());
        let fix = finding.fix.map(|fix| fix.title);
        let fields = (code, severity, finding.line, finding.message, finding.witness, finding.related, fix);
        make(py, "Finding", fields)
    };
    findings.into_iter().map(shown).collect()
}

/// Compares two files: what is newly blocked and newly open, for whom, each with a shortest path as proof.
///
/// Args:
///     old: a file, or its body.
///     new: a file, or its body.
///     dialect: of bodies; that of a ``RobotsTxt`` is its own.
///     agents: whom to compare for; without them, all names of both files and all other agents. ``*`` stands for these.
///     as_written: known crawlers are compared by their names alone, and not as their operators document them.
///     force: also compare a body that is no robots.txt.
///
/// Raises as ``parse``, and ``AgentError`` if an agent is no name. Cost: at most some seconds. Other threads run
/// meanwhile.
///
/// >>> old = b"User-agent: *\nDisallow: /cart\n"
/// >>> robotsc.diff(old, old + b"Disallow: /blog/\n").changes
/// [<robotsc.Change blocked: /blog/>]
#[pyfunction]
#[pyo3(signature = (old, new, dialect = "google", *, agents = None, as_written = false, force = false))]
pub(crate) fn diff<'py>(
    old: &Bound<'py, PyAny>,
    new: &Bound<'py, PyAny>,
    dialect: &str,
    agents: Option<Names>,
    as_written: bool,
    force: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, old, new) = (old.py(), file(old, dialect, force)?, file(new, dialect, force)?);
    let agents = agents.map_or_else(Vec::new, |names| names.0);
    let options = robotsc_answers::diff::options(&agents, true, as_written);
    let diff = py.detach(|| robotsc_analysis::Diff::with(&old.robots, &new.robots, &options)).map_err(agent_error)?;
    let mut changes = Vec::new();
    for rules in &diff.rules {
        for change in rules.changes() {
            let lines = |rule: &Option<robotsc_analysis::DiffRule>| {
                rule.as_ref().map_or_else(Vec::new, |rule| rule.lines.clone())
            };
            let effect = match change.effect {
                Effect::Blocked => "blocked",
                Effect::Opened => "opened",
            };
            let path = String::from_utf8_lossy(&change.path);
            let (agents, all_others) = (rules.agents.names.clone(), rules.agents.has_others);
            let fields = (effect, path, agents, all_others, lines(&change.old), lines(&change.new));
            changes.push(make(py, "Change", fields)?);
        }
    }
    make(py, "Diff", (changes, diff.is_same(), diff.is_decided()))
}
