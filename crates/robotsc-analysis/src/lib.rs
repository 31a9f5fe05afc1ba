//! Answers what the rules of a robots.txt mean.
//!
//! `RuleSet::decide` answers for one path. This crate answers for all paths at once: does a rule ever decide, would any
//! verdict change without it, do two rule sets agree, and if not, what is the shortest path on which they differ. The
//! answers are exact, and each comes with a path as proof.
//!
//! [`preferences`] answers what a file says may be done with a page.
#![forbid(unsafe_code)]

mod audience;
mod compare;
mod diff;
mod edit;
pub mod format;
mod heads;
mod instance;
mod lines;
pub mod lint;
mod meaning;
mod names;
pub mod near_name;
mod pairs;
mod paths;
pub mod preferences;
mod property;
mod rules;
mod search;
mod stars;
pub mod words;

pub use audience::{Audience, audiences};
pub use compare::{Region, first_difference, regions};
pub use diff::{Agents, DecidingRule, Diff, DiffOptions, Effect, RecordChange, RecordDiff, RuleDiff, VerdictChange};
pub use edit::{Edit, edited, fitted};
pub use lines::Lines;
pub use paths::Paths;
pub use property::{BadPattern, Counterexample, PathPattern, Property};
pub use rules::{Change, RuleAnalysis, RuleIndex, Tie};
pub use search::{Budget, NotDecided};
