//! A mistake of the caller: what is wrong, and what to write instead. Where it stands, only the caller knows.

use std::fmt;

/// A value that cannot be answered for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong, in two words: `bad agent`.
    pub what: &'static str,
    /// The value, why it is wrong, and what to write instead.
    pub cause: String,
}

impl Mistake {
    /// Creates a mistake.
    pub fn new(what: &'static str, cause: impl fmt::Display) -> Self {
        Self { what, cause: cause.to_string() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.cause)
    }
}

impl std::error::Error for Mistake {}
