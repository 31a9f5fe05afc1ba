//! Yes, no, or nothing said.

use std::fmt;

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
    pub(crate) const fn or_possibly(self, other: Self) -> Self {
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
