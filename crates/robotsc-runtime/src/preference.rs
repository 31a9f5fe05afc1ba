//! What may be done with content: a use, and yes, no, or nothing said.

use core::fmt;

/// What is said about one use of the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// Nothing is said. This is neither a yes nor a no.
    #[default]
    Unknown,
    /// The use is welcome.
    Yes,
    /// The use is not wanted.
    No,
}

impl Preference {
    /// Returns what two statements say together: any no is no, else any yes is yes (draft-ietf-aipref-vocab-08, on
    /// combining preferences).
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    /// Returns what is left of this if another statement may hold in its place: the more restrictive. Nothing said is
    /// between a no and a yes.
    #[doc(hidden)]
    #[must_use]
    pub const fn or_possibly(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    /// Returns the answer as `true` for yes and `false` for no; `None` if nothing is said.
    #[must_use]
    pub const fn as_bool(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Yes => Some(true),
            Self::No => Some(false),
        }
    }
}

impl From<bool> for Preference {
    fn from(is_yes: bool) -> Self {
        if is_yes { Self::Yes } else { Self::No }
    }
}

/// Writes `yes`, `no` or `unknown`.
impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "unknown",
            Self::Yes => "yes",
            Self::No => "no",
        })
    }
}

/// A use of content that terms of both vocabularies are about. Terms of one category correspond; they are not equal:
/// search of the IETF's drafts has priority over the other two, for example, and `ai-input` is broader than `ai-use`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Category {
    /// Training a model.
    Training,
    /// Input of a model that answers now: retrieval, grounding.
    ModelInput,
    /// Building a search index, and showing links and excerpts.
    Search,
}

impl Category {
    /// All categories.
    pub const ALL: [Self; 3] = [Self::Training, Self::ModelInput, Self::Search];

    /// Returns the word that asks for the category: `train`, `input` or `search`. It is no term of a vocabulary.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Training => "train",
            Self::ModelInput => "input",
            Self::Search => "search",
        }
    }

    /// Returns the category that a word asks for.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| word == category.as_str())
    }
}

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
