//! The work that searches can cost, and the answer if it is spent.

use std::cell::Cell;

/// Reports that a question was not decided within its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDecided;

impl std::fmt::Display for NotDecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not decided: the rules are too complex for the work budget")
    }
}

impl std::error::Error for NotDecided {}

/// Counts the work of searches, in words of positions moved.
#[derive(Debug)]
pub struct SearchBudget {
    left: Cell<u64>,
    pub(super) per_search: u64,
}

impl SearchBudget {
    /// The work of one search, by default: some 200 ms.
    pub const PER_SEARCH: u64 = 1 << 26;
    /// The work of all searches on a file, by default: about a second.
    pub const IN_ALL: u64 = 1 << 27;

    /// Allows `per_search` units of work to each search, and `in_all` to all together.
    #[must_use]
    pub const fn new(per_search: u64, in_all: u64) -> Self {
        Self { left: Cell::new(in_all), per_search }
    }

    /// Reports whether no work is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns the work that is left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes some work, up to all that is left.
    ///
    /// # Errors
    /// If there was less.
    pub fn take(&self, work: u64) -> Result<(), NotDecided> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(work));
        if work > left { Err(NotDecided) } else { Ok(()) }
    }
}

impl Default for SearchBudget {
    fn default() -> Self {
        Self::new(Self::PER_SEARCH, Self::IN_ALL)
    }
}

/// The number of patterns that are ruled out in the time of a unit of [`SearchBudget`], or of bytes of which pairs are
/// read.
pub(crate) const LOOKS_PER_UNIT: u64 = 4;

/// Returns the work of matching one pattern with one path. A `*` makes the match read on.
pub(crate) fn match_work(pattern: &[u8], path: &[u8]) -> u64 {
    const START: u64 = 4;
    if pattern.contains(&b'*') { START + (pattern.len() + path.len()) as u64 / 2 } else { START }
}
