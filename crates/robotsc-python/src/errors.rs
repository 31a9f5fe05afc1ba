//! The exceptions, which `robotsc/_errors.py` defines. All are `ValueError`s that carry the library's own message, with
//! Python's names in it.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::PyString;
use robotsc::frontier::FrontierError;
use robotsc::origin::OriginError;

use crate::shown::shown_url;

pyo3::import_exception!(robotsc._errors, RobotsError);
pyo3::import_exception!(robotsc._errors, AgentError);
pyo3::import_exception!(robotsc._errors, UrlError);
pyo3::import_exception!(robotsc._errors, PackError);

/// Items of the library that its messages name, and what they are called here.
const NAMES: [(&str, &str); 8] = [
    ("a pool takes a frontier without a pack", "a pool of names has no answer in a pack: check each name"),
    ("use HeaderNames::crawler", "use RobotsTxt.crawler"),
    ("ask with Crawler::others", "ask with Crawler.others()"),
    ("HeaderNames::crawler", "RobotsTxt.crawler"),
    ("Crawler::others", "Crawler.others()"),
    ("(PackAgents::of)", "(build_pack with agents=)"),
    ("RobotsTxt::parse", "robotsc.parse"),
    ("Limits::max_program_bytes", "the limit"),
];

/// Returns a message of the library with Python's names.
pub(crate) fn message(error: &impl ToString) -> String {
    let text = error.to_string();
    let text = NAMES.iter().fold(text, |text, (rust, python)| text.replace(rust, python));
    text.replace("::", ".")
}

/// Returns the exception for an agent that is no name.
pub(crate) fn agent_error(error: robotsc::AgentError) -> PyErr {
    AgentError::new_err(message(&error))
}

/// Returns the exception for an agent that a pack was not built for.
pub(crate) fn frontier_error(error: &FrontierError) -> PyErr {
    AgentError::new_err(message(error))
}

/// Returns the exception for a question that has no answer.
pub(crate) fn query_error(py: Python<'_>, error: robotsc::QueryError, url: &[u8]) -> PyErr {
    match error {
        robotsc::QueryError::Agent(error) => agent_error(error),
        other => url_error(py, message(&other), None, Some(url)),
    }
}

/// Returns the exception for a URL without an origin.
pub(crate) fn origin_error(py: Python<'_>, error: OriginError, url: &[u8]) -> PyErr {
    url_error(py, message(&error), None, Some(url))
}

/// Returns the exception for a URL, with its place in a batch.
pub(crate) fn url_error(py: Python<'_>, message: String, index: Option<usize>, url: Option<&[u8]>) -> PyErr {
    let error = UrlError::new_err(message);
    let value = error.value(py);
    let url = url.map(|url| match str::from_utf8(url) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(shown_url(url, usize::MAX)),
    });
    // An exception of a class of Python takes attributes; without them it says the same in its message.
    let _ = value.setattr("index", index);
    let _ = value.setattr("url", url.map(|url| PyString::new(py, &url)));
    error
}
