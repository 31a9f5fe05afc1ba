//! What all programs of one file may cost together.

use crate::program::compile::{Compiled, Compiler};
use crate::program::error::CompileError;
use crate::program::options::Limits;
use crate::rules::rule_set::RuleSet;

/// Bytes of patterns and statements that all programs of a file may have together.
const MAX_BYTES: usize = 1 << 24;
/// How often the work that one rule set may cost is there for all programs of a file; the rules of those that come
/// after are matched linearly.
const WORK_TIMES: u64 = 4;

/// What the programs of one file have cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileBudget {
    bytes: usize,
    work: u64,
}

impl FileBudget {
    /// Counts bytes that are to be compiled.
    ///
    /// # Errors
    /// [`CompileError`] if they are more than all programs of a file may have.
    pub(crate) fn count(&mut self, bytes: usize) -> Result<(), CompileError> {
        let all = self.bytes.saturating_add(bytes);
        if all > MAX_BYTES {
            return Err(CompileError::POLICY_TOO_LARGE);
        }
        self.bytes = all;
        Ok(())
    }

    /// Compiles one more rule set of the file, whose bytes are counted.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub(crate) fn compile(&mut self, compiler: &Compiler, rules: &RuleSet) -> Result<Compiled, CompileError> {
        let is_spent = self.work > compiler.work_limit().saturating_mul(WORK_TIMES);
        let compiled = if is_spent {
            let limits = Limits { max_program_bytes: compiler.program_limit(), ..Limits::NONE };
            compiler.clone().limits(limits).compile(rules)?
        } else {
            compiler.compile(rules)?
        };
        self.work += compiled.stats().work;
        Ok(compiled)
    }
}
