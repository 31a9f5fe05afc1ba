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

mod compile;
pub use compile::{CompileError, CompileStats, Compiled, CompiledPolicy, Compiler, Effort, Limits, Output};
pub use robotsc_runtime::{Policy, Program, ProgramError, Winner};
