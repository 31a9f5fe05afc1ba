//! Parses robots.txt and compiles it to small automata, exactly, under five dialects.
//!
//! The crate `robotsc` re-exports what its users need; the other crates of the workspace use this one directly.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ask;
mod automaton;
pub mod dialect;
#[cfg(feature = "near-names")]
pub mod near_name;
mod parse;
#[cfg(feature = "preferences")]
pub mod preferences;
mod program;
pub mod register;
pub mod robots_txt;
mod rules;
#[doc(hidden)]
pub mod small_sort;
pub mod span;
pub mod url;

pub use ask::agent::{Crawler, CrawlerKind, IntoCrawler, Selection, SelectionReason};
pub use ask::explanation::{ExplainedGroup, ExplainedRule, ExplainedSelection, Explanation};
pub use ask::header_names::HeaderNames;
pub use ask::matcher::{COMPILE_AFTER, Matcher};
pub use ask::query_error::QueryError;
pub use ask::{agent, header_names};
#[doc(hidden)]
pub use automaton::drawing;
pub use dialect::Dialect;
pub use parse::body_kind::BodyKind;
pub use parse::diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use parse::{diagnostic, record};
#[doc(hidden)]
pub use program::budget::FileBudget;
pub use program::buffer::{PolicyBuf, ProgramBuf};
pub use program::compile::{CompileStats, Compiled, Compiler};
pub use program::error::CompileError;
pub use program::options::{Effort, Limits, Output};
#[doc(hidden)]
pub use program::policy::agent_keys;
#[doc(hidden)]
pub use program::same::have_same_verdicts;
pub use robots_txt::{AgentLine, Group, GroupId, RobotsTxt, RuleKind, RuleLine};
pub use robotsc_runtime::{
    AgentError, AgentErrorKind, AgentMatch, AgentName, DecidingRule, PathForm, PathFormError, Policy, Program,
    ProgramError, UrlPath, UrlPathError, Verdict,
};
#[doc(hidden)]
pub use rules::glob::matches as pattern_matches;
#[doc(hidden)]
pub use rules::notation;
pub use rules::rule_set::{Rule, RuleOrigin, RulePatternError, RuleSet};
pub use rules::{pattern, reference, rule_set};
pub use span::ByteSpan;
pub use url::url_path::UrlPathBuf;
pub use url::{UrlError, UrlErrorKind, UrlParts};
