//! Answers what the rules of a robots.txt mean.
//!
//! `RuleSet::verdict` answers for one path. This crate answers for all paths at once: does a rule ever decide, would
//! any verdict change without it, do two rule sets agree, and if not, what is the shortest path on which they differ.
//! The answers are exact, and each comes with a path as proof.
//!
//! [`preferences`] answers what a file says may be done with a page.
#![forbid(unsafe_code)]

mod agents;
mod diff;
pub mod format;
pub mod lint;
pub mod near_miss;
mod patterns;
mod properties;
mod rules;
mod search;
mod space;
mod text;

pub use agents::audience::{Audience, audiences};
pub use diff::{
    AgentMove, Agents, ChangedLine, ChangedLines, Diff, DiffOptions, DiffRule, Effect, GroupChange, LineText,
    ObeyedGroups, OtherAgents, OtherLine, RecordChange, RecordDiff, Regrouping, RuleDiff, VerdictChange,
};
pub use properties::{BadPattern, Counterexample, PathPattern, Property, PropertyError, path_for_use};
#[doc(hidden)]
pub use robotsc_compiler::small_sort;
pub use robotsc_compiler::{near_name, preferences};
pub use rules::compare::{Region, first_difference, regions};
pub use rules::{Change, DialectMismatch, RuleAnalysis, RuleIndex, Tie};
pub use search::{NotDecided, SearchBudget};
pub use space::Paths;
pub use text::alignment::changed_lines;
pub use text::edit::{Edit, edited, fitted};
#[doc(hidden)]
pub use text::hash::cut_by_hash;
pub use text::lines::Lines;
pub use text::words;
