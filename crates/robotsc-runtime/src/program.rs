//! A compiled rule set: bytes that are walked.
use core::fmt;

use crate::Verdict;

/// A compiled rule set, borrowed from its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    bytes: &'p [u8],
}

/// Why bytes are no program. (Will be opaque: a private kind with Display.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramError(());

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a program")
    }
}

impl core::error::Error for ProgramError {}

/// The rule that decided, as recorded by a program that was compiled with its rules' table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winner {
    /// Its verdict.
    pub verdict: Verdict,
    /// Its place in the rule set, from the top rank, from 0: equals `robotsc_compiler::Decision::rule`.
    pub rule: u32,
    /// Its line in the robots.txt, from 1; 0 where no line states it.
    pub line: u32,
    /// The length that ranks it.
    pub length: u32,
    /// Whether the line says `Allow`.
    pub is_allow_line: bool,
}

impl<'p> Program<'p> {
    /// Checks bytes and borrows a program from them.
    pub fn from_bytes(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        Ok(Self { bytes })
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// The verdict for a path in the dialect's form, which starts with `/`.
    #[must_use]
    pub fn verdict(&self, _path: &[u8]) -> Verdict {
        todo!()
    }

    /// Whether the program names the winning rule.
    #[must_use]
    pub fn names_winner(&self) -> bool {
        todo!()
    }

    /// The winning rule, of a program that names it; `None` where no rule matched, or the program holds verdicts only.
    #[must_use]
    pub fn winner(&self, _path: &[u8]) -> Option<Winner> {
        todo!()
    }
}
