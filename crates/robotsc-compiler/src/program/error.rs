//! Why rules have no program.

use std::fmt;

use robotsc_runtime::ProgramError;

/// Why a rule set could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    pub(super) kind: CompileErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CompileErrorKind {
    Patterns(usize),
    Program {
        bytes: usize,
        limit: usize,
    },
    Ranks,
    Code,
    Policy,
    NoName,
    TwoOfAName,
    #[cfg(feature = "preferences")]
    PreferencePattern,
    #[cfg(feature = "preferences")]
    PreferenceLayers,
    Internal,
}

/// Bytes of patterns that one rule set may hold: far more than any robots.txt that a dialect reads.
pub(super) const MAX_PATTERN_BYTES: usize = 1 << 28;

impl CompileError {
    pub(crate) const POLICY_TOO_LARGE: Self = Self { kind: CompileErrorKind::Policy };
    pub(crate) const NO_NAME: Self = Self { kind: CompileErrorKind::NoName };
    pub(crate) const TWO_OF_A_NAME: Self = Self { kind: CompileErrorKind::TwoOfAName };
    #[cfg(feature = "preferences")]
    pub(crate) const PREFERENCE_PATTERN: Self = Self { kind: CompileErrorKind::PreferencePattern };
    #[cfg(feature = "preferences")]
    pub(crate) const PREFERENCE_LAYERS: Self = Self { kind: CompileErrorKind::PreferenceLayers };
}

impl CompileError {
    /// Reports whether the rules are over a limit of size, so that fewer or shorter ones would compile.
    #[must_use]
    pub const fn is_limit_exceeded(&self) -> bool {
        !matches!(self.kind, CompileErrorKind::NoName | CompileErrorKind::TwoOfAName | CompileErrorKind::Internal)
    }
}

impl From<ProgramError> for CompileError {
    /// What the compiler writes is a program. If it ever is not, that is an error, never an answer.
    fn from(_: ProgramError) -> Self {
        Self { kind: CompileErrorKind::Internal }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            CompileErrorKind::Patterns(bytes) => {
                write!(f, "the patterns have {bytes} bytes, the limit is {MAX_PATTERN_BYTES}: split the rule set")
            }
            CompileErrorKind::Program { bytes, limit } => {
                write!(f, "the program would have {bytes} bytes, the limit is {limit}: raise Limits::max_program_bytes")
            }
            CompileErrorKind::Internal => f.write_str("the compiler made no valid program: please report the rules"),
            CompileErrorKind::Ranks => f.write_str("the rules have more than 8,388,607 ranks: split the rule set"),
            CompileErrorKind::Code => f.write_str("the code would be longer than 4 GiB: split the rule set"),
            CompileErrorKind::NoName => f.write_str("a crawler without a name: compile the policy of all agents"),
            CompileErrorKind::TwoOfAName => {
                f.write_str("two crawlers have the same first name and obey different rules: compile them apart")
            }
            #[cfg(feature = "preferences")]
            CompileErrorKind::PreferencePattern => {
                f.write_str("a preference has more `*` before an escape such as `%2F` than are matched exactly")
            }
            #[cfg(feature = "preferences")]
            CompileErrorKind::PreferenceLayers => {
                f.write_str("too many preferences of equal length say different things of paths that they share")
            }
            CompileErrorKind::Policy => {
                f.write_str("the agents together obey more than 16 MiB of patterns: compile fewer agents")
            }
        }
    }
}

impl std::error::Error for CompileError {}
