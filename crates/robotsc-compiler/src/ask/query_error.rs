//! Why a question about a robots.txt has no answer.

use std::fmt;

use robotsc_runtime::{AgentError, PathFormError};

use crate::url::UrlError;

/// Reports why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryError {
    /// The agent is no agent name.
    Agent(AgentError),
    /// The URL has no path on this site.
    Url(UrlError),
    /// The path is in another form than the rules.
    PathForm(PathFormError),
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(error) => error.fmt(f),
            Self::Url(error) => error.fmt(f),
            Self::PathForm(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for QueryError {}

impl From<AgentError> for QueryError {
    fn from(error: AgentError) -> Self {
        Self::Agent(error)
    }
}

impl From<UrlError> for QueryError {
    fn from(error: UrlError) -> Self {
        Self::Url(error)
    }
}

impl From<PathFormError> for QueryError {
    fn from(error: PathFormError) -> Self {
        Self::PathForm(error)
    }
}
