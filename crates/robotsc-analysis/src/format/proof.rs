//! The comparisons of a file with smaller ones, under all dialects. Their number and their work are limited together.

use robotsc_compiler::Dialect;

use crate::diff::meaning::{self, Meaning};
use crate::search::{NotDecided, SearchBudget};

/// The maximum number of comparisons of two files.
const MAX_PROOFS: usize = 64;

/// What proofs have left to spend.
#[derive(Debug)]
pub(super) struct Prover {
    budget: SearchBudget,
    left: usize,
}

impl Prover {
    pub(super) fn new() -> Self {
        Self { budget: SearchBudget::default(), left: MAX_PROOFS }
    }

    /// Reports whether two files mean the same.
    pub(super) fn is_same(&mut self, old: &[u8], new: &[u8]) -> Result<bool, NotDecided> {
        match self.compare(old, new) {
            Meaning::Same => Ok(true),
            Meaning::Different(_) => Ok(false),
            Meaning::NotDecided => Err(NotDecided),
        }
    }

    /// As [`Prover::is_same`]. If the files differ, also returns the lines that decide where they do.
    pub(super) fn compare(&mut self, old: &[u8], new: &[u8]) -> Meaning {
        let Some(left) = self.left.checked_sub(1) else { return Meaning::NotDecided };
        self.left = left;
        meaning::compare(old, new, Dialect::ALL, &self.budget)
    }
}
