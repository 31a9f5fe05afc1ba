//! Parses robots.txt and compiles it to small automata, exactly, under five dialects.
#![forbid(unsafe_code)]

pub mod agent;
pub mod diagnostic;
pub mod dialect;
mod keys;
mod lines;
mod parse;
pub mod path;
pub mod pattern;
mod plain;
pub mod record;
pub mod reference;
pub mod robots_txt;
pub mod rule_set;
pub mod span;
pub mod user_agent;

pub use agent::{Crawler, Selection, SelectionReason};
pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use dialect::Dialect;
pub use robots_txt::{AgentLine, Group, GroupId, RobotsTxt, RuleKind, RuleLine};
pub use robotsc_runtime::Verdict;
pub use rule_set::{Decision, Rule, RuleOrigin, RuleSet};
pub use span::ByteSpan;

mod automaton;
mod compile;
mod policy;
pub use compile::{CompileError, CompileStats, Compiled, Compiler, Effort, Limits, Output};
pub use policy::CompiledPolicy;
pub use robotsc_runtime::{Policy, Program, ProgramError, Winner};
