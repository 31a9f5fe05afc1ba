//! What the parser noticed. Parsing never fails; what could not be used, or was used in a way that may surprise, is a [`Diagnostic`].

use crate::span::ByteSpan;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Something was lost.
    Error,
}

/// What was noticed: a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// A misspelt key was taken for the directive that was meant.
    TypoKey,
    // (the parse module's owner completes this list)
}

/// One thing that was noticed, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What was noticed.
    pub code: DiagnosticCode,
    /// How much it matters.
    pub severity: Severity,
    /// Where, in the body.
    pub span: ByteSpan,
    /// The line, from 1.
    pub line: u32,
    /// What was noticed, for a person: lower case, no full stop.
    pub message: String,
}
