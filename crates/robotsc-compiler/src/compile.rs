//! From a [`RuleSet`] to program bytes.
use std::fmt;

use robotsc_runtime::{Policy, Program};

use crate::agent::Crawler;
use crate::robots_txt::RobotsTxt;
use crate::rule_set::RuleSet;

/// How hard the compiler tries to make the program small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As soon as possible: no minimisation.
    #[default]
    Fast,
    /// As small as possible, for packs and static programs.
    Small,
}

/// What a program tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// The verdict: the small program.
    #[default]
    Verdict,
    /// The winning rule too: for explanations and hit counters.
    Winner,
}

/// What a compilation may cost. On by default; a rule set over them is cut in parts, never answered differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of one part.
    pub max_states: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_states: 4096 }
    }
}

/// Figures of a compilation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompileStats {
    /// Rules that went in.
    pub rules: u32,
    /// Parts that the rules were cut into.
    pub parts: u32,
    /// States over all parts.
    pub states: u32,
    /// Parts that were cut further because a limit was hit.
    pub limits_hit: u32,
    /// Units of work (items moved).
    pub work: u64,
}

/// Why a rule set could not be compiled: it holds more pattern octets than a program can address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError(());

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rule set too large")
    }
}

impl std::error::Error for CompileError {}

/// A compiled rule set that owns its bytes.
#[derive(Clone, Debug)]
pub struct Compiled {
    bytes: Vec<u8>,
    stats: CompileStats,
}

impl Compiled {
    /// The program bytes: the same for the same rules and settings.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The program, ready to walk.
    #[must_use]
    pub fn program(&self) -> Program<'_> {
        todo!()
    }

    /// What it cost.
    #[must_use]
    pub const fn stats(&self) -> &CompileStats {
        &self.stats
    }
}

/// A compiled policy (all agents of a file, or some) that owns its bytes.
#[derive(Clone, Debug)]
pub struct CompiledPolicy {
    bytes: Vec<u8>,
}

impl CompiledPolicy {
    /// The policy bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The policy, ready to use.
    #[must_use]
    pub fn policy(&self) -> Policy<'_> {
        todo!()
    }
}

/// Compiles rule sets. Settings by value, limits on by default.
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    effort: Effort,
    output: Output,
    limits: Limits,
}

impl Compiler {
    /// A compiler with default settings: [`Effort::Fast`], [`Output::Verdict`], default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the effort.
    #[must_use]
    pub const fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Sets the output.
    #[must_use]
    pub const fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Compiles a rule set.
    pub fn compile(&self, _rules: &RuleSet) -> Result<Compiled, CompileError> {
        todo!()
    }

    /// Compiles all agents of a file into one policy.
    pub fn compile_policy(&self, _robots: &RobotsTxt<'_>) -> Result<CompiledPolicy, CompileError> {
        todo!()
    }

    /// Compiles the named crawlers only.
    pub fn compile_policy_for(
        &self,
        _robots: &RobotsTxt<'_>,
        _crawlers: &[Crawler],
    ) -> Result<CompiledPolicy, CompileError> {
        todo!()
    }

    /// The automaton as Graphviz DOT text: literal runs as one edge, verdicts coloured.
    pub fn dot(&self, _rules: &RuleSet) -> Result<String, CompileError> {
        todo!()
    }
}
