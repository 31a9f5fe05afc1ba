//! The body of a robots.txt, parsed: what files, matchers and fetches share.

use pyo3::prelude::*;
use pyo3::types::PyString;
use robotsc::Dialect;
use robotsc::dialect::MAX_BYTES_PAST_LIMIT;
use robotsc::robots_txt::{BodyKind, DiagnosticCode};
use robotsc_answers::body_fault::BodyFault;

use crate::errors::{RobotsError, message, url_error};
use crate::shown::shown;
use crate::text;

/// A file and the origin that it is for, as it was named.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) robots: robotsc::RobotsTxt<'static>,
    pub(crate) origin: Option<String>,
}

impl PartialEq for Parsed {
    fn eq(&self, other: &Self) -> bool {
        self.robots.body() == other.robots.body()
            && self.robots.dialect() == other.robots.dialect()
            && self.origin == other.origin
    }
}

/// Parses a robots.txt, whatever its body is. Of a body over the dialect's limit only the part that can count is kept.
pub(crate) fn parse_body(
    py: Python<'_>,
    body: &[u8],
    dialect: &'static Dialect,
    origin: Option<&str>,
) -> PyResult<Parsed> {
    let limit = dialect.max_file.map_or(body.len(), |limit| limit as usize + MAX_BYTES_PAST_LIMIT + 1);
    let body = &body[..body.len().min(limit)];
    let robots = match origin {
        None => robotsc::RobotsTxt::parse_with(body, dialect),
        Some(origin) => robotsc::RobotsTxt::for_origin_with(origin, body, dialect)
            .map_err(|error| url_error(py, message(&error), None, Some(origin.as_bytes())))?,
    };
    Ok(Parsed { robots: robots.into_owned(), origin: origin.map(str::to_owned) })
}

/// Parses a robots.txt that a caller passes.
///
/// # Errors
/// `RobotsError` if it is no robots.txt, unless it is read by `force`: it would allow everything.
pub(crate) fn parse_given(
    body: &Bound<'_, PyAny>,
    dialect: &'static Dialect,
    origin: Option<&str>,
    force: bool,
) -> PyResult<Parsed> {
    let parsed = parse_body(body.py(), &text::body(body)?, dialect, origin)?;
    match other_body(&parsed.robots) {
        Some(wrong) if !force => Err(RobotsError::new_err(format!("no robots.txt: {wrong}"))),
        _ => Ok(parsed),
    }
}

/// Returns what is wrong with a body that is no robots.txt, and what to do.
pub(crate) fn other_body(robots: &robotsc::RobotsTxt<'_>) -> Option<String> {
    let BodyFault { what, way_out } = BodyFault::of(robots)?;
    let body = robots.body();
    Some(match robots.body_kind() {
        BodyKind::Text if is_place(body) && !body.trim_ascii().contains(&b' ') && !has_rules_outside(robots) => {
            format!("{} has no directive: pass the text, not its place", shown(body.trim_ascii()))
        }
        _ => format!("{what}: {way_out}, or pass force=True"),
    })
}

/// Reports whether a file has rules before any group.
fn has_rules_outside(robots: &robotsc::RobotsTxt<'_>) -> bool {
    robots.diagnostics().iter().any(|diagnostic| diagnostic.code == DiagnosticCode::RuleOutsideGroup)
}

/// Reports whether a body without a directive is one line, such as a path or a URL.
pub(crate) fn is_place(body: &[u8]) -> bool {
    !body.trim_ascii().contains(&b'\n') && !body.trim_ascii().contains(&b'\r')
}

/// Returns the error for a `str` that is a place rather than what was fetched from it.
pub(crate) fn place_error(body: &Bound<'_, PyAny>, dialect: &'static Dialect) -> PyResult<()> {
    let Ok(line) = body.cast::<PyString>() else { return Ok(()) };
    let line = line.to_str()?.as_bytes();
    if is_place(line) && BodyKind::of(line, dialect) == BodyKind::Text {
        let given = shown(line.trim_ascii());
        return Err(RobotsError::new_err(format!(
            "no robots.txt: {given} has no directive: pass the bytes that were fetched, not their place"
        )));
    }
    Ok(())
}
