//! What a check found, and how to mend it.

use std::ops::Range;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{ByteSpan, Severity};

use super::check::LintCheck;
use crate::text::edit::Edit;

/// Something that a check found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check.
    pub check: LintCheck,
    /// How much it matters.
    pub severity: Severity,
    /// The line, from 1; 0 if it is about the whole file.
    pub line: u32,
    /// The bytes of `RobotsTxt::body` that it is about.
    pub span: ByteSpan,
    /// What is wrong, for a person: lower case, no full stop.
    pub message: String,
    /// A path that shows it, as a client sends it.
    pub witness: Option<String>,
    /// Other lines that have a part in it, from 1.
    pub related: Vec<u32>,
    /// What to change.
    pub fix: Option<Fix>,
}

/// A change of the file that resolves a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, for a person: "remove the line".
    pub title: String,
    /// Whether it keeps the meaning of the file: each verdict of each agent, and each other record. What is said here
    /// is proved before it is applied.
    pub is_safe: bool,
    /// Whether that holds under the dialect of the run alone, since others read the line otherwise.
    pub is_of_dialect: bool,
    /// The bytes to replace. They do not overlap.
    pub edits: Vec<Edit>,
}

impl Finding {
    pub(super) fn new(check: LintCheck, line: u32, span: ByteSpan, message: impl Into<String>) -> Self {
        Self {
            check,
            severity: check.severity(),
            line,
            span,
            message: message.into(),
            witness: None,
            related: Vec::new(),
            fix: None,
        }
    }

    pub(super) fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    pub(super) fn witness(mut self, path: &[u8]) -> Self {
        self.witness = Some(String::from_utf8_lossy(path).into_owned());
        self
    }

    pub(super) fn related(mut self, lines: impl IntoIterator<Item = u32>) -> Self {
        self.related.extend(lines);
        self.related.retain(|line| *line != self.line && *line > 0);
        self.related.small_sort_unstable();
        self.related.dedup();
        self
    }

    pub(super) fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}

impl Fix {
    /// Removes a line, which changes no verdict.
    pub(super) fn remove(line: Range<usize>) -> Self {
        let edits = vec![Edit { range: line, with: Vec::new() }];
        Self { title: "remove the line".to_owned(), is_safe: true, is_of_dialect: false, edits }
    }

    /// Replaces some bytes, which changes what the file means.
    pub(super) fn replace(title: impl Into<String>, span: ByteSpan, with: impl Into<Vec<u8>>) -> Self {
        let range = span.start as usize..span.end as usize;
        Self::unsafe_edit(title, Edit { range, with: with.into() })
    }

    /// Inserts lines before a place, which changes what the file means.
    pub(super) fn insert(title: impl Into<String>, at: usize, lines: impl Into<Vec<u8>>) -> Self {
        Self::unsafe_edit(title, Edit { range: at..at, with: lines.into() })
    }

    fn unsafe_edit(title: impl Into<String>, edit: Edit) -> Self {
        Self { title: title.into(), is_safe: false, is_of_dialect: false, edits: vec![edit] }
    }

    /// Says that the dialect of the run reads the line so already.
    pub(super) fn safe_for_dialect(mut self) -> Self {
        (self.is_safe, self.is_of_dialect) = (true, true);
        self
    }

    /// Says that the change keeps the meaning under every dialect.
    pub(super) fn safe(mut self) -> Self {
        self.is_safe = true;
        self
    }
}
