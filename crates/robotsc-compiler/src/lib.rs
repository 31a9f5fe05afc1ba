//! Parses robots.txt and compiles it to small automata, exactly, under five dialects.
#![forbid(unsafe_code)]

pub mod agent;
mod automaton;
mod compile;
pub mod diagnostic;
pub mod dialect;
mod escape;
mod glob;
#[doc(hidden)]
pub mod graph;
mod groups;
mod keys;
mod lines;
mod marks;
mod parse;
pub mod path;
pub mod pattern;
mod plain;
mod policy;
mod ranking;
pub mod record;
pub mod reference;
pub mod robots_txt;
pub mod rule_set;
pub mod span;
pub mod url;
pub mod user_agent;
mod utf16;

pub use agent::{Crawler, Selection, SelectionReason};
pub use automaton::drawing;
pub use compile::{CompileError, CompileStats, Compiled, Compiler, Effort, Limits, Output};
pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use dialect::Dialect;
pub use policy::CompiledPolicy;
pub use robots_txt::{AgentLine, Group, GroupId, RobotsTxt, RuleKind, RuleLine};
pub use robotsc_runtime::{Policy, Program, ProgramError, Verdict, Winner};
pub use rule_set::{Decision, Rule, RuleOrigin, RuleSet};
pub use span::ByteSpan;
pub use url::{UrlError, UrlPath};
pub use user_agent::KnownAgents;
