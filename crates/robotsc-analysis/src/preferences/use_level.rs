//! How far a use may go: the signal `use=`.

use std::fmt;

/// A level of Cloudflare's signal `use`. The stricter is the smaller: of two statements the minimum holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseLevel {
    /// Use it now and keep nothing.
    Immediate,
    /// Keep an index with links and excerpts.
    Reference,
    /// Keep all of it.
    Full,
}

impl UseLevel {
    /// All levels, the strictest first.
    pub const ALL: [Self; 3] = [Self::Immediate, Self::Reference, Self::Full];

    /// Returns the word for the level in a record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Immediate => "immediate",
            Self::Reference => "reference",
            Self::Full => "full",
        }
    }

    /// Returns the level that a word means, in any case.
    #[must_use]
    pub fn by_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|level| word.eq_ignore_ascii_case(level.as_str().as_bytes()))
    }
}

impl fmt::Display for UseLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
