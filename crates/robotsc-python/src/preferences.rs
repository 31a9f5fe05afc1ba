//! What may be done with a page, for an agent and a URL.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use robotsc_analysis::preferences as rust;

use crate::errors::RobotsError;
use crate::results::make;

/// Returns the revision of the draft with a number; without one the newest.
///
/// # Errors
/// `RobotsError` with the known numbers.
pub(crate) fn reading(vocabulary: Option<&str>) -> PyResult<rust::Reading> {
    let Some(name) = vocabulary else { return Ok(rust::Reading::default()) };
    let vocabulary = rust::Vocabulary::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = rust::Vocabulary::REVISIONS.iter().map(|revision| revision.name).collect();
        RobotsError::new_err(format!("no revision has the number {name:?}: use one of {}", known.join(", ")))
    })?;
    Ok(rust::Reading { vocabulary, ..rust::Reading::default() })
}

/// Returns what a file says may be done with a page, as Python has it.
pub(crate) fn preferences<'py>(py: Python<'py>, effective: &rust::EffectivePreferences) -> PyResult<Bound<'py, PyAny>> {
    let usage = stated(py, &effective.usage.stated)?;
    let signals = stated(py, &effective.signals.stated)?;
    let level = effective.signals.use_level.map(rust::UseLevel::as_str);
    make(py, "Preferences", (usage, signals, level, effective.signals.use_lines.clone()))
}

fn stated<'py>(py: Python<'py>, all: &[rust::StatedPreference]) -> PyResult<Bound<'py, PyDict>> {
    let stated = PyDict::new(py);
    for one in all {
        let lines: Vec<u32> = one.lines().collect();
        let is_in_header = one.sources.contains(&rust::Source::Header);
        let fields = (one.label.name, one.preference.as_bool(), lines, is_in_header);
        stated.set_item(one.label.name, make(py, "StatedPreference", fields)?)?;
    }
    Ok(stated)
}
