//! The look of an explanation or a diagnostic: a title, a line of the file with a caret under the part that matters,
//! and notes. The only module that uses annotate-snippets.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use robotsc::robots_txt::ByteSpan;
use robotsc_answers::shown;

/// The bytes of a line that are shown before the part that matters.
const BEFORE: usize = 80;
/// The bytes that are shown of that part and what follows.
const AFTER: usize = 160;

/// The colour of a title.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    /// Allowed.
    Good,
    /// Disallowed, or an error.
    Error,
    /// A warning.
    Warning,
    /// A note.
    Note,
}

/// A place in a robots.txt.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    /// The name of the file.
    pub(crate) file: &'a str,
    /// The body that `span` points into.
    pub(crate) body: &'a [u8],
    /// The line, from 1.
    pub(crate) line: u32,
    /// What the carets underline.
    pub(crate) span: ByteSpan,
    /// The text beside the carets; can be empty.
    pub(crate) label: String,
}

/// A titled report.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    /// The colour of the title.
    pub(crate) tone: Tone,
    /// The title's first word, such as `disallowed`.
    pub(crate) name: &'a str,
    /// A code that is shown in brackets after the first word.
    pub(crate) code: Option<&'a str>,
    /// The rest of the title.
    pub(crate) title: String,
    /// The line that the report is about.
    pub(crate) place: Option<Place<'a>>,
    /// Notes: a word and a text, which may have several lines.
    pub(crate) notes: Vec<(&'a str, String)>,
}

impl Report<'_> {
    /// Renders the report with ANSI styles, for a writer that drops them if they are not wanted.
    pub(crate) fn render(&self) -> String {
        let level = match self.tone {
            Tone::Good => Level::HELP,
            Tone::Error => Level::ERROR,
            Tone::Warning => Level::WARNING,
            Tone::Note => Level::NOTE,
        };
        let mut title = level.with_name(self.name).primary_title(&self.title);
        if let Some(code) = self.code {
            title = title.id(code);
        }
        let mut group = annotate_snippets::Group::with_title(title);
        let line = self.place.as_ref().map(Line::of);
        if let (Some(place), Some(line)) = (&self.place, &line) {
            let mut annotation = AnnotationKind::Primary.span(line.start..line.end);
            if !place.label.is_empty() {
                annotation = annotation.label(place.label.as_str());
            }
            let snippet = Snippet::source(line.text.as_str()).line_start(place.line as usize).path(place.file);
            group = group.element(snippet.annotation(annotation));
        }
        for (name, note) in &self.notes {
            group = group.element(Level::NOTE.with_name(*name).message(note));
        }
        Renderer::styled().term_width(BEFORE + AFTER).render(&[group])
    }
}

/// A line of the body as text, and the position of the part that matters.
struct Line {
    text: String,
    start: usize,
    end: usize,
}

impl Line {
    fn of(place: &Place<'_>) -> Self {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let start = (place.span.start as usize).min(place.body.len());
        let end = (place.span.end as usize).clamp(start, place.body.len());
        let (before, rest) = place.body.split_at(start);
        let line_start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
        let line_end = start + rest.iter().position(is_end).unwrap_or(rest.len());
        let cut_start = line_start.max(start.saturating_sub(BEFORE));
        let cut_end = line_end.min(start + AFTER);
        let mut text = String::new();
        if cut_start > line_start {
            text.push('…');
        }
        text.push_str(&shown::written(&place.body[cut_start..start]));
        let shown_start = text.len();
        text.push_str(&shown::written(&place.body[start..end.min(cut_end)]));
        let shown_end = text.len();
        text.push_str(&shown::written(&place.body[end.min(cut_end)..cut_end]));
        if cut_end < line_end {
            text.push('…');
        }
        Self { text, start: shown_start, end: shown_end }
    }
}
