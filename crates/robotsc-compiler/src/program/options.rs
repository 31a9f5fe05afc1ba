//! What a compilation makes, and what it may cost.

/// How hard the compiler tries to make the program small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effort {
    /// As soon as possible: no minimisation.
    #[default]
    Fast,
    /// As small as possible, for packs and static programs.
    Small,
}

/// What a program reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// The verdict: the small program.
    #[default]
    Verdict,
    /// The winning rule too: for explanations and hit counters.
    DecidingRule,
}

/// What a compilation may cost. On by default; a rule set over a limit is cut in parts, never answered differently.
///
/// Patterns of `bytes` bytes cost at most `max_work` + 1.25 × `work_per_byte` × (64 + min(`bytes`, 16,384) + `bytes` /
/// 16) units: the last attempt can begin just under `max_work`, and a quarter of it shows that an attempt is futile.
/// With the defaults that is at most 0.2 s for a robots.txt of 512,000 bytes. What cannot be compiled for that is
/// matched linearly. Limits of 0 cut every set of two rules or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes of one part that has few rules. Each 1,024 rules and each 4,096 bytes of their patterns allow as many
    /// again. Whatever this says, no part of several rules has more than 128 nodes and two for each byte of its
    /// patterns: with more, several parts take a fraction of the bytes.
    pub max_nodes: u32,
    /// Units of work (items moved) in one part for each byte of its patterns.
    pub work_per_byte: u32,
    /// Units of work in all parts together, failed attempts included, after which the remaining rules are matched
    /// linearly. A unit takes 2 to 30 ns.
    pub max_work: u64,
    /// Bytes of a program. A rule set whose program would be larger is an error.
    pub max_program_bytes: usize,
}

impl Limits {
    /// No work at all: every set of two rules or more is matched linearly.
    pub const NONE: Self = Self { max_nodes: 0, work_per_byte: 0, max_work: 0, ..Self::DEFAULT };

    /// The default limits.
    pub const DEFAULT: Self =
        Self { max_nodes: 2048, work_per_byte: 64, max_work: 1 << 21, max_program_bytes: 256 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
