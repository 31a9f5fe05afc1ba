//! What may be done with a page, for an agent and a URL.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use robotsc_analysis::preferences as rust;

use crate::errors::RobotsError;

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

/// What a file says may be done with a page that may be fetched.
#[pyclass(module = "robotsc", frozen, eq)]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Preferences(pub(crate) rust::EffectivePreferences);

/// What is said of one use, and where.
#[pyclass(module = "robotsc", frozen, eq)]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StatedPreference(rust::StatedPreference);

fn stated(all: &[rust::StatedPreference]) -> BTreeMap<&'static str, StatedPreference> {
    all.iter().map(|stated| (stated.label.name, StatedPreference(stated.clone()))).collect()
}

#[pymethods]
impl Preferences {
    /// What `Content-Usage` says, by label.
    #[getter]
    fn content_usage(&self) -> BTreeMap<&'static str, StatedPreference> {
        stated(&self.0.usage.stated)
    }

    /// What `Content-Signal` says, by label.
    #[getter]
    fn content_signal(&self) -> BTreeMap<&'static str, StatedPreference> {
        stated(&self.0.signals.stated)
    }

    /// How far a use may go.
    #[getter]
    fn use_level(&self) -> Option<&'static str> {
        self.0.signals.use_level.map(rust::UseLevel::as_str)
    }

    /// The lines that say so.
    #[getter]
    fn use_lines(&self) -> Vec<u32> {
        self.0.signals.use_lines.clone()
    }

    fn __repr__(&self) -> String {
        let list = |all: &[rust::StatedPreference]| {
            let words = all.iter().map(|stated| format!("{} {}", stated.label.name, stated.preference));
            words.collect::<Vec<_>>().join(", ")
        };
        let (usage, signals) = (list(&self.0.usage.stated), list(&self.0.signals.stated));
        let level = self.use_level().unwrap_or("unknown");
        format!("<robotsc.Preferences content_usage: {usage}; content_signal: {signals}, use {level}>")
    }
}

#[pymethods]
impl StatedPreference {
    /// Whether the use is welcome; `None` if nothing is said.
    #[getter]
    fn preference(&self) -> Option<bool> {
        self.0.preference.as_bool()
    }

    /// The lines that say so.
    #[getter]
    fn lines(&self) -> Vec<u32> {
        self.0.lines().collect()
    }

    /// Whether the header of the response says so.
    #[getter]
    fn is_in_header(&self) -> bool {
        self.0.sources.contains(&rust::Source::Header)
    }

    fn __repr__(&self) -> String {
        format!("<robotsc.StatedPreference {} {}>", self.0.label.name, self.0.preference)
    }
}
