//! Whether two files mean the same: each verdict of each agent on each URL path, and each other record.

use std::collections::BTreeSet;

use robotsc_compiler::{Dialect, RobotsTxt};

use crate::diff::{Diff, RuleDiff};
use crate::search::Budget;

/// What a comparison of two files found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// They mean the same, which is proved.
    Same,
    /// They do not. These lines of either file decide paths whose verdict changes.
    Different(BTreeSet<u32>),
    /// The budget was spent.
    NotDecided,
}

/// Compares what two files mean under some dialects. Cost: that of a [`Diff`] for each, within the budget.
pub(crate) fn compare<'d>(
    old: &[u8],
    new: &[u8],
    dialects: impl IntoIterator<Item = &'d Dialect>,
    budget: &Budget,
) -> Meaning {
    let mut found = Meaning::Same;
    for dialect in dialects {
        let diff = Diff::within(&RobotsTxt::parse_with(old, dialect), &RobotsTxt::parse_with(new, dialect), budget);
        let changes = diff.rules.iter().flat_map(RuleDiff::changes);
        let lines = changes.flat_map(|change| change.old.iter().chain(&change.new)).flat_map(|rule| rule.lines.clone());
        let lines: BTreeSet<u32> = lines.collect();
        if !lines.is_empty() || !diff.records.is_empty() || !diff.file_records.is_empty() {
            return Meaning::Different(lines);
        }
        if !diff.is_same() {
            found = Meaning::NotDecided;
        }
    }
    found
}
