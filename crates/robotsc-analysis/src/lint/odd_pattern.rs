//! What a check of one pattern finds, before it has a place.

use robotsc_compiler::Severity;

use super::check::LintCheck;

/// A check of one pattern: why the pattern is odd, and what to write in its place.
pub(super) struct OddPattern {
    pub(super) check: LintCheck,
    pub(super) message: String,
    pub(super) severity: Option<Severity>,
    pub(super) fix: Option<(&'static str, Vec<u8>)>,
    /// Whether the fix keeps the meaning.
    pub(super) is_safe: bool,
}

impl OddPattern {
    pub(super) fn new(check: LintCheck, message: String) -> Self {
        Self { check, message, severity: None, fix: None, is_safe: false }
    }

    pub(super) fn fix(mut self, title: &'static str, with: Vec<u8>) -> Self {
        self.fix = Some((title, with));
        self
    }
}
