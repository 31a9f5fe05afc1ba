//! What is wrong with a declared rule set, and where: shown as rustc shows it.
//!
//! This is the one place that knows annotate-snippets. Every diagnostic shows whole lines of the file, with carets
//! under what matters. Nothing that a file holds can move a terminal's cursor: controls and marks that turn the
//! direction of text are replaced where lines are shown, and escaped where messages quote them.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// The most characters of a line that are shown on either side of what matters.
const MOST_SHOWN: usize = 400;

/// The most diagnostics of a file that is wrong all over that are shown.
const MOST_DIAGNOSTICS: usize = 100;

/// The columns of a rendered diagnostic, after which long lines are cut.
const WIDTH: usize = 140;

/// What a diagnostic is about: a stable code, shown as `error[bad-regex]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A file or folder cannot be read.
    Unreadable,
    /// The file is no RON, or its values are of other types than the schema's.
    Syntax,
    /// A field that the schema does not have, or a choice that it does not offer.
    UnknownField,
    /// A field that must be there is not.
    MissingField,
    /// The version is another than the one that is understood.
    Version,
    /// Something is over a limit.
    OverLimit,
    /// A name that is not of the form of names.
    BadName,
    /// A name that is taken.
    DuplicateName,
    /// No dialect of this name.
    UnknownDialect,
    /// Not an origin pattern.
    BadOrigin,
    /// An origin that is claimed twice.
    DuplicateOrigin,
    /// `extends` names no set of the folder.
    UnknownSet,
    /// Sets that extend each other.
    ExtendsCycle,
    /// A robots.txt that is not there, cannot be read, or lies outside the folder.
    RobotsFile,
    /// Something in a robots.txt that loses rules.
    RobotsTxt,
    /// Not a product token.
    BadAgent,
    /// An expectation for an agent that nobody knows.
    UnknownAgent,
    /// An agent of a group that is nearly the name of a known crawler.
    MisspeltAgent,
    /// A declared rule with none or several of `path`, `regex` and `query`.
    BadRule,
    /// A path pattern that can match no path, or is not what was meant.
    BadPath,
    /// A rule that can never decide, since an earlier one matches whatever it matches.
    NeverDecides,
    /// A rule set, a group or a file that disallows nothing, and does not say so on purpose.
    DeniesNothing,
    /// Not a regular expression, or one that is not supported or can match no path.
    BadRegex,
    /// Not the name of a query parameter.
    BadQuery,
    /// An expectation's URL that cannot be read, or lies outside the set's origins.
    BadUrl,
    /// An expectation names a rule that the set does not have.
    UnknownRule,
    /// An expectation that does not hold.
    FailedExpectation,
}

impl Code {
    /// All codes, in the order in which they are declared.
    pub const ALL: [Self; 27] = [
        Self::Unreadable,
        Self::Syntax,
        Self::UnknownField,
        Self::MissingField,
        Self::Version,
        Self::OverLimit,
        Self::BadName,
        Self::DuplicateName,
        Self::UnknownDialect,
        Self::BadOrigin,
        Self::DuplicateOrigin,
        Self::UnknownSet,
        Self::ExtendsCycle,
        Self::RobotsFile,
        Self::RobotsTxt,
        Self::BadAgent,
        Self::UnknownAgent,
        Self::MisspeltAgent,
        Self::BadRule,
        Self::BadPath,
        Self::NeverDecides,
        Self::DeniesNothing,
        Self::BadRegex,
        Self::BadQuery,
        Self::BadUrl,
        Self::UnknownRule,
        Self::FailedExpectation,
    ];

    /// The code as it is shown: lower case words joined by `-`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Syntax => "syntax",
            Self::UnknownField => "unknown-field",
            Self::MissingField => "missing-field",
            Self::Version => "version",
            Self::OverLimit => "over-limit",
            Self::BadName => "bad-name",
            Self::DuplicateName => "duplicate-name",
            Self::UnknownDialect => "unknown-dialect",
            Self::BadOrigin => "bad-origin",
            Self::DuplicateOrigin => "duplicate-origin",
            Self::UnknownSet => "unknown-set",
            Self::ExtendsCycle => "extends-cycle",
            Self::RobotsFile => "robots-file",
            Self::RobotsTxt => "robots-txt",
            Self::BadAgent => "bad-agent",
            Self::UnknownAgent => "unknown-agent",
            Self::MisspeltAgent => "misspelt-agent",
            Self::BadRule => "bad-rule",
            Self::BadPath => "bad-path",
            Self::NeverDecides => "never-decides",
            Self::DeniesNothing => "denies-nothing",
            Self::BadRegex => "bad-regex",
            Self::BadQuery => "bad-query",
            Self::BadUrl => "bad-url",
            Self::UnknownRule => "unknown-rule",
            Self::FailedExpectation => "failed-expectation",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rule sets are usable.
    Warning,
    /// They are not.
    Error,
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// Its name, relative to the folder of the rule sets.
    pub(crate) name: String,
    /// Its path, as it is shown.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// Where its lines start, once that was asked.
    line_starts: OnceLock<Vec<usize>>,
}

impl SourceFile {
    pub(crate) fn new(name: impl Into<String>, path: impl Into<String>, bytes: Vec<u8>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), path: path.into(), bytes, line_starts: OnceLock::new() })
    }

    /// The start of each line. A line ends at CR, LF or CRLF, as in robots.txt.
    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let ends = memchr::memchr2_iter(b'\n', b'\r', &self.bytes);
            let ends = ends.filter(|&at| !self.bytes[at..].starts_with(b"\r\n"));
            std::iter::once(0).chain(ends.map(|at| at + 1)).collect()
        })
    }
}

/// A part of a file that was read.
#[derive(Clone, Debug)]
pub struct SourceSpan {
    pub(crate) source: Arc<SourceFile>,
    pub(crate) span: Range<usize>,
}

impl SourceSpan {
    pub(crate) fn new(source: &Arc<SourceFile>, span: Range<usize>) -> Self {
        Self { source: Arc::clone(source), span }
    }

    /// Returns the path of the file, after that of the folder as it was given.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.source.path
    }

    /// Returns what the file holds.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.source.bytes
    }

    /// Returns the bytes of the part, in the file.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the line of its start, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        let lines = self.source.line_starts().partition_point(|&start| start <= self.span.start);
        u32::try_from(lines).unwrap_or(u32::MAX)
    }

    /// The bytes of the line of its start, without the line's end.
    fn line_span(&self) -> Range<usize> {
        let starts = self.source.line_starts();
        let line = starts.partition_point(|&start| start <= self.span.start);
        let start = starts[line - 1];
        let end = starts.get(line).copied().unwrap_or(self.source.bytes.len());
        let text = &self.source.bytes[start..end];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        start..start + text.len()
    }

    /// The column of its start in characters, from 1.
    fn column(&self) -> u32 {
        let line = self.line_span();
        let before = line.start..self.span.start.clamp(line.start, line.end);
        let before = String::from_utf8_lossy(&self.source.bytes[before]);
        u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX)
    }
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

/// The first line of a spot, made safe, and where the spot stands in it.
struct Lines {
    text: String,
    start: usize,
    end: usize,
}

impl Lines {
    fn of(spot: &SourceSpan) -> Self {
        let bytes = &spot.source.bytes;
        let Range { start: line_start, end: line_end } = spot.line_span();
        let start = spot.span.start.clamp(line_start, line_end);
        // Cut after what matters; what stands before is needed for the column.
        let end = spot.span.end.clamp(start, line_end).min(start.saturating_add(MOST_SHOWN));
        let line_end = line_end.min(end.saturating_add(MOST_SHOWN));
        let mut text = safe(&bytes[line_start..start]);
        let shown_start = text.len();
        text.push_str(&safe(&bytes[start..end]));
        let shown_end = text.len();
        text.push_str(&safe(&bytes[end..line_end]));
        Self { start: shown_start, end: shown_end, text }
    }
}

/// Bytes as text in which every character that is no graphic one is a replacement character. Others are kept, so that
/// columns are right.
fn safe(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().map(|char| if is_safe(char) || char == '\t' { char } else { '\u{FFFD}' }).collect()
}

/// Whether a character is shown as it is: no control, and no mark that turns or hides text.
fn is_safe(char: char) -> bool {
    !char.is_control()
        && !matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        && !matches!(char, '\u{61C}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Text on one line, in which what is not graphic is escaped.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if is_safe(char) {
            shown.push(char);
        } else {
            shown.extend(char.escape_default());
        }
    }
    shown
}

/// Text for a message, in backticks: what is not graphic is escaped, and what is long is cut.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}…`", shown(&text[..end])),
        None => format!("`{}`", shown(text)),
    }
}

/// The most errors for which a likely name is looked for, which takes long beside the rest; not many more are shown.
pub(crate) const MOST_LIKELY: usize = 50;

/// The one of `known` that was likely meant by `given`, of the first thousand.
pub(crate) fn likely<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    const MOST: usize = 1_000;
    // The measure takes the product of the lengths: whoever writes a long name did not mistype a short one.
    if given.len() > 64 {
        return None;
    }
    let given = given.to_lowercase();
    let distance = |known: &str| strsim::osa_distance(&given, &known.to_lowercase());
    let near = known.into_iter().filter(|known| known.len() <= 64).take(MOST);
    let near = near.map(|known| (distance(known), known)).min();
    near.filter(|(distance, known)| *distance <= 1.max(known.len().max(given.len()) / 3)).map(|(_, known)| known)
}

/// Returns the label under an unknown name: what was likely meant, or `otherwise`.
pub(crate) fn meant<'k>(given: &str, known: impl IntoIterator<Item = &'k str>, otherwise: &str) -> String {
    match likely(given, known) {
        Some(meant) => format!("did you mean {}?", quoted(meant)),
        None => otherwise.to_owned(),
    }
}

/// Some of `names`, for a message.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const MOST: usize = 12;
    let mut names = names.into_iter();
    let mut list = names.by_ref().take(MOST).map(quoted).collect::<Vec<_>>().join(", ");
    let more = names.count();
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    list
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
        let first = self.0.iter().take(MOST_DIAGNOSTICS);
        let mut shown: String = first.map(|diagnostic| diagnostic.render(styled) + "\n\n").collect();
        if self.0.len() > MOST_DIAGNOSTICS {
            shown.push_str(&format!("and {} more\n\n", self.0.len() - MOST_DIAGNOSTICS));
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
    use super::*;

    #[test]
    fn likely_names() {
        for (given, known, meant) in [
            ("orgins", &["origins", "robots"][..], Some("origins")),
            ("GooglBot", &["googlebot", "bingbot"], Some("googlebot")),
            ("xyz", &["origins", "robots"], None),
            ("rfc-9309", &["rfc9309", "google"], Some("rfc9309")),
            ("", &["a-b-c"], None),
        ] {
            assert_eq!(likely(given, known.iter().copied()), meant, "{given}");
        }
        assert_eq!(likely(&"a".repeat(1 << 20), ["aa"]), None);
    }

    #[test]
    fn what_moves_the_cursor_is_not_shown() {
        assert_eq!(quoted("a\u{202E}b\u{1B}[2J"), "`a\\u{202e}b\\u{1b}[2J`");
        let source = SourceFile::new("a", "a", "x\u{9B}\u{202E}\x1B[2J\u{FF}y".as_bytes().to_vec());
        let shown = Diagnostic::error(Code::Syntax, "m").at(SourceSpan::new(&source, 1..3), "here").render(false);
        assert!(shown.chars().all(|char| is_safe(char) || char == '\n'), "{shown:?}");
    }

    #[test]
    fn lines_end_as_in_robots_txt() {
        let source = SourceFile::new("a", "a", b"a\rb\r\nc\n\nd".to_vec());
        let places = [(0, 1, 1), (2, 2, 1), (5, 3, 1), (7, 4, 1), (8, 5, 1), (9, 5, 2), (99, 5, 2)];
        for (at, line, column) in places {
            let spot = SourceSpan::new(&source, at..at);
            assert_eq!((spot.line(), spot.column()), (line, column), "{at}");
        }
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
