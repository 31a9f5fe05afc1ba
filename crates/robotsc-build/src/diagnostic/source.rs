//! Files that were read, parts of them, and the lines in which these are shown.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::words::is_safe;

/// The most characters of a line that are shown on either side of what matters.
const MAX_SHOWN: usize = 400;

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
    pub(super) fn column(&self) -> u32 {
        let line = self.line_span();
        let before = line.start..self.span.start.clamp(line.start, line.end);
        let before = String::from_utf8_lossy(&self.source.bytes[before]);
        u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX)
    }
}

/// The first line of a spot, made safe, and where the spot stands in it.
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Lines {
    pub(super) fn of(spot: &SourceSpan) -> Self {
        let bytes = &spot.source.bytes;
        let Range { start: line_start, end: line_end } = spot.line_span();
        let start = spot.span.start.clamp(line_start, line_end);
        // Cut after what matters; what stands before is needed for the column.
        let end = spot.span.end.clamp(start, line_end).min(start.saturating_add(MAX_SHOWN));
        let line_end = line_end.min(end.saturating_add(MAX_SHOWN));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_robots_txt() {
        let source = SourceFile::new("a", "a", b"a\rb\r\nc\n\nd".to_vec());
        let places = [(0, 1, 1), (2, 2, 1), (5, 3, 1), (7, 4, 1), (8, 5, 1), (9, 5, 2), (99, 5, 2)];
        for (at, line, column) in places {
            let spot = SourceSpan::new(&source, at..at);
            assert_eq!((spot.line(), spot.column()), (line, column), "{at}");
        }
    }
}
