//! Why no block was written.

use std::fmt;

use crate::mistake::Mistake;

/// Reports that nothing is written, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of reason it is.
    pub why: Why,
    /// The line of the file, from 1, if it is about one.
    pub line: Option<u32>,
    /// What is wrong, and what to do.
    pub cause: String,
}

/// The kinds of reasons for which nothing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// The policy asks for what cannot be, such as a crawler that is denied and allowed.
    Declaration,
    /// The marks of the block are not a pair.
    Block,
    /// The block was edited.
    Edited,
    /// The file is none that can be edited, such as one that is longer than crawlers read.
    File,
    /// A line outside the block says the opposite of the policy.
    Conflict,
    /// Something else would change, or what was asked would not hold.
    NotProved,
    /// The work budget was spent before it was decided.
    NotDecided,
}

impl Refusal {
    /// Creates a refusal that is about no line.
    pub(super) fn new(why: Why, cause: impl fmt::Display) -> Self {
        Self { why, line: None, cause: cause.to_string() }
    }

    /// Returns the refusal as one about a line.
    pub(super) fn at(self, line: u32) -> Self {
        Self { line: Some(line), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.cause),
            None => f.write_str(&self.cause),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Mistake> for Refusal {
    fn from(mistake: Mistake) -> Self {
        Self::new(Why::Declaration, mistake)
    }
}
