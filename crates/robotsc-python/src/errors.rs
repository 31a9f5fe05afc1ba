//! The exceptions. All are `ValueError`s that carry the library's own message.

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(robotsc, RobotsError, PyValueError, "A question that has no answer, and what to write instead.");
create_exception!(robotsc, AgentError, RobotsError, "The agent is no agent name.");
create_exception!(robotsc, UrlError, RobotsError, "The URL has no path on this site, or no origin.");
create_exception!(robotsc, PackError, RobotsError, "The pack cannot be read, is closed, or was built for others.");

/// Returns the exception for an agent that is no name.
pub(crate) fn agent_error(error: robotsc::AgentError) -> PyErr {
    AgentError::new_err(error.to_string())
}

/// Returns the exception for a question that has no answer.
pub(crate) fn query_error(error: robotsc::QueryError) -> PyErr {
    match error {
        robotsc::QueryError::Agent(error) => agent_error(error),
        other => UrlError::new_err(other.to_string()),
    }
}
