//! What is wrong with a declared rule set, and where: shown as rustc shows it.
//!
//! This is the one place that knows annotate-snippets. Every diagnostic shows whole lines of the file, with carets
//! under what matters. Nothing that a file holds can move a terminal's cursor: controls and marks that turn the
//! direction of text are replaced where lines are shown, and escaped where messages quote them.

mod code;
mod likely;
mod source;
mod words;

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

pub use self::code::Code;
pub(crate) use self::likely::{MAX_MEANT, likely, meant};
use self::source::Lines;
pub(crate) use self::source::SourceFile;
pub use self::source::SourceSpan;
pub(crate) use self::words::{listed, quoted, shown};

/// The most diagnostics of a file that is wrong all over that are shown.
const MAX_DIAGNOSTICS: usize = 100;

/// The columns of a rendered diagnostic, after which long lines are cut.
const WIDTH: usize = 140;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rule sets are usable.
    Warning,
    /// They are not.
    Error,
}

/// A part of a file, and what is said of it.
#[derive(Clone, Debug)]
struct Label {
    spot: SourceSpan,
    text: String,
}

/// One thing that is wrong, with its place.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    code: Code,
    severity: Severity,
    message: String,
    /// The file that it is about; where there is a label, that label's.
    file: String,
    /// The first is what it is about.
    labels: Vec<Label>,
    notes: Vec<(&'static str, String)>,
}

impl Diagnostic {
    pub(crate) fn error(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            file: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(crate) fn warning(code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Says which file it is about, where no part of it can be shown.
    pub(crate) fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = file.into();
        self
    }

    /// Adds a caret. The first is under what the diagnostic is about.
    pub(crate) fn at(mut self, spot: SourceSpan, text: impl Into<String>) -> Self {
        if self.labels.is_empty() {
            self.file.clone_from(&spot.source.path);
        }
        self.labels.push(Label { spot, text: text.into() });
        self
    }

    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(("note", text.into()));
        self
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.notes.push(("help", text.into()));
        self
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Returns the severity.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// What is wrong, on one line: lower case, no full stop.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The path of the file or folder, after that of the folder as it was given.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Line and column (in characters), both from 1, where a part of the file is what it is about.
    #[must_use]
    pub fn position(&self) -> Option<(u32, u32)> {
        self.labels.first().map(|label| (label.spot.line(), label.spot.column()))
    }

    /// The diagnostic on one line, for readers that take no more: `rules/shop.robots.txt:2:1: …`.
    #[must_use]
    pub fn one_line(&self) -> String {
        match self.position() {
            Some((line, column)) => format!("{}:{line}:{column}: {}", self.file, self.message),
            None => format!("{}: {}", self.file, self.message),
        }
    }

    /// The diagnostic as rustc shows one, on several lines, without a line end after the last; `styled` is with ANSI
    /// colours.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(&self.message).id(self.code.as_str()));
        let shown: Vec<_> = self.labels.iter().map(|label| (label, Lines::of(&label.spot))).collect();
        for (number, (label, lines)) in shown.iter().enumerate() {
            let kind = if number == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(lines.start..lines.end).label(label.text.as_str());
            let snippet = Snippet::source(lines.text.as_str())
                .line_start(label.spot.line() as usize)
                .path(label.spot.source.path.as_str());
            group = group.element(snippet.annotation(annotation));
        }
        if shown.is_empty() && !self.file.is_empty() {
            group = group.element(annotate_snippets::Origin::path(self.file.as_str()));
        }
        for (name, note) in &self.notes {
            let level = if *name == "help" { Level::HELP } else { Level::NOTE };
            group = group.element(level.message(note));
        }
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(WIDTH).render(&[group])
    }

    /// What two diagnostics that say the same have in common; and their order.
    pub(crate) fn key(&self) -> (String, usize, Code, String) {
        let start = self.labels.first().map_or(0, |label| label.spot.span.start);
        (self.file.clone(), start, self.code, self.message.clone())
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

/// All that is wrong, in the order of the files, each thing once.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Sorts by place; of two that say the same of the same place one is kept.
    pub(crate) fn new(mut all: Vec<Diagnostic>) -> Self {
        all.sort_by_cached_key(Diagnostic::key);
        all.dedup_by_key(|diagnostic| diagnostic.key());
        Self(all)
    }

    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }

    /// The diagnostics.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// How many there are; never 0 in an error.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all of them as rustc shows them, with an empty line between two, and a last line with their numbers.
    /// After the first hundred the others are only counted.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        let first = self.0.iter().take(MAX_DIAGNOSTICS);
        let mut shown: String = first.map(|diagnostic| diagnostic.render(styled) + "\n\n").collect();
        if self.0.len() > MAX_DIAGNOSTICS {
            shown.push_str(&format!("and {} more\n\n", self.0.len() - MAX_DIAGNOSTICS));
        }
        let errors = self.0.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        let warnings = self.0.len() - errors;
        let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        shown.push_str(&match (errors, warnings) {
            (_, 0) => counted(errors, "error"),
            (0, _) => counted(warnings, "warning"),
            _ => format!("{} and {}", counted(errors, "error"), counted(warnings, "warning")),
        });
        shown.push_str(" in the declared rule sets");
        shown
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::words::is_safe;
    use super::*;

    #[test]
    fn what_moves_the_cursor_is_not_shown() {
        assert_eq!(quoted("a\u{202E}b\u{1B}[2J"), "`a\\u{202e}b\\u{1b}[2J`");
        let source = SourceFile::new("a", "a", "x\u{9B}\u{202E}\x1B[2J\u{FF}y".as_bytes().to_vec());
        let shown = Diagnostic::error(Code::Syntax, "m").at(SourceSpan::new(&source, 1..3), "here").render(false);
        assert!(shown.chars().all(|char| is_safe(char) || char == '\n'), "{shown:?}");
    }

    #[test]
    fn of_very_many_some_are_shown() {
        let errors = (0..1_000).map(|number| Diagnostic::error(Code::Syntax, format!("m{number}")));
        let shown = Diagnostics::new(errors.collect()).to_string();
        assert!(shown.ends_with("and 900 more\n\n1000 errors in the declared rule sets"), "{shown}");
    }

    #[test]
    fn any_span_of_any_bytes_is_shown() {
        let bytes = b"a\r\n\xFF\xFE\n\n\tb\x00".to_vec();
        let source = SourceFile::new("a", "a", bytes);
        for start in 0..14 {
            for end in 0..14 {
                let diagnostic = Diagnostic::error(Code::Syntax, "m").at(SourceSpan::new(&source, start..end), "here");
                assert!(diagnostic.render(false).contains("here"));
                assert!(diagnostic.position().is_some());
            }
        }
    }
}
