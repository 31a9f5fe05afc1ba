//! Parses robots.txt and compiles it to small automata, exactly, under five dialects.
//!
//! The crate `robotsc` re-exports all of it; this one has no other user.
#![forbid(unsafe_code)]

pub mod agent;
mod automaton;
mod buffer;
mod compile;
pub mod diagnostic;
pub mod dialect;
mod escape;
mod explanation;
mod glob;
#[doc(hidden)]
pub mod graph;
mod groups;
mod keys;
mod lines;
mod marks;
mod matcher;
mod parse;
mod path;
pub mod pattern;
mod plain;
mod plain_origin;
mod policy;
mod query_error;
mod question;
mod ranking;
pub mod record;
pub mod reference;
mod resolve;
pub mod robots_txt;
pub mod rule_set;
mod selected;
mod sieve;
mod site_origin;
pub mod span;
pub mod url;
mod url_path;
pub mod user_agent;
mod utf16;

pub use agent::{Crawler, CrawlerKind, IntoCrawler, Selection, SelectionReason};
pub use automaton::drawing;
pub use buffer::{PolicyBuf, ProgramBuf};
pub use compile::{CompileError, CompileStats, Compiled, Compiler, Effort, Limits, Output};
pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use dialect::Dialect;
pub use explanation::{ExplainedGroup, ExplainedRule, ExplainedSelection, Explanation};
#[doc(hidden)]
pub use glob::matches as pattern_matches;
pub use matcher::{COMPILE_AFTER, Matcher};
#[doc(hidden)]
pub use policy::agent_keys;
pub use query_error::QueryError;
pub use robots_txt::{AgentLine, Group, GroupId, RobotsTxt, RuleKind, RuleLine};
pub use robotsc_runtime::{
    AgentError, AgentMatch, AgentName, PathForm, PathFormError, Policy, Program, ProgramError, UrlPath, UrlPathError,
    Verdict, Winner,
};
pub use rule_set::{Decision, Rule, RuleOrigin, RuleSet};
pub use span::ByteSpan;
pub use url::{UrlError, UrlParts};
pub use url_path::UrlPathBuf;
pub use user_agent::KnownAgents;
