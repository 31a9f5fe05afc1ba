//! What is wrong with a call.

use std::fmt::Display;

/// The kinds of mistakes, as the numbers that calls return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Kind {
    /// The call itself is wrong: an object of another kind, or an argument that means nothing.
    Call = -1,
    /// The agent is no agent name.
    #[cfg(feature = "matching")]
    Agent = -2,
    /// The URL has no path on this site.
    Url = -3,
    /// The bytes are no program, or the rules are too large for one.
    Program = -4,
    /// The request is wrong: the message is a problem as JSON.
    #[cfg(feature = "page")]
    Request = -5,
}

/// Something that is wrong with a call: its kind, what to say, and which of several URLs it is about.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    pub(crate) index: u32,
}

impl Mistake {
    pub(crate) fn new(kind: Kind, message: impl Display) -> Self {
        Self { kind, message: message.to_string(), index: 0 }
    }

    pub(crate) fn call(message: impl Display) -> Self {
        Self::new(Kind::Call, message)
    }
}

#[cfg(feature = "matching")]
impl From<robotsc::AgentError> for Mistake {
    fn from(error: robotsc::AgentError) -> Self {
        Self::new(Kind::Agent, error)
    }
}

#[cfg(feature = "matching")]
impl From<robotsc::UrlError> for Mistake {
    fn from(error: robotsc::UrlError) -> Self {
        Self::new(Kind::Url, error)
    }
}

#[cfg(feature = "matching")]
impl From<robotsc::QueryError> for Mistake {
    fn from(error: robotsc::QueryError) -> Self {
        match error {
            robotsc::QueryError::Agent(error) => error.into(),
            other => Self::new(Kind::Url, other),
        }
    }
}

impl From<robotsc_runtime::PathFormError> for Mistake {
    fn from(error: robotsc_runtime::PathFormError) -> Self {
        Self::new(Kind::Url, error)
    }
}

impl From<robotsc_runtime::UrlPathError> for Mistake {
    fn from(error: robotsc_runtime::UrlPathError) -> Self {
        Self::new(Kind::Url, error)
    }
}

impl From<robotsc_runtime::ProgramError> for Mistake {
    fn from(error: robotsc_runtime::ProgramError) -> Self {
        Self::new(Kind::Program, error)
    }
}
