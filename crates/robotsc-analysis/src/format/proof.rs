//! Proves that a smaller file means the same under all dialects.

use std::collections::BTreeSet;

use robotsc_compiler::record::RecordKind;
use robotsc_compiler::{Dialect, RobotsTxt};

use crate::meaning::{self, Meaning};
use crate::search::{Budget, NotDecided};

/// The maximum number of comparisons of two files.
const MAX_PROOFS: usize = 64;

/// What proofs have left to spend.
#[derive(Debug)]
pub(super) struct Prover {
    budget: Budget,
    left: usize,
}

impl Prover {
    pub(super) fn new() -> Self {
        Self { budget: Budget::default(), left: MAX_PROOFS }
    }

    /// Reports whether two files mean the same: for every agent on every URL path, with all records.
    ///
    /// The names of agents must be the same, too. A crawler with fallbacks, such as Googlebot for Googlebot-Image,
    /// obeys the first of its names that is in the file.
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
        for dialect in Dialect::ALL {
            let [old, new] = [old, new].map(|body| RobotsTxt::parse_with(body, dialect));
            if names(&old) != names(&new) || records(&old) != records(&new) {
                return Meaning::Different(BTreeSet::new());
            }
        }
        meaning::compare(old, new, Dialect::ALL, &self.budget)
    }
}

/// Returns the names of a file, by their keys.
fn names(robots: &RobotsTxt<'_>) -> BTreeSet<Vec<u8>> {
    robots.agents().iter().flat_map(|agent| robots.agent_keys(agent)).collect()
}

/// Returns all records of a file besides rules: their kinds, keys and values.
fn records<'r>(robots: &'r RobotsTxt<'_>) -> BTreeSet<(RecordKind, Vec<u8>, &'r [u8])> {
    let body = robots.body();
    let record = |record: &robotsc_compiler::record::Record| {
        (record.kind, record.key.of(body).to_ascii_lowercase(), record.value.of(body))
    };
    robots.records().iter().map(record).collect()
}
