//! The block in a file: where it is, what it declares, and the file around it.
//!
//! ```text
//! User-agent: *
//! Disallow: /cart
//!
//! # robotsc: begin
//! # deny: ai-training
//! ...
//! # robotsc: end 1b2c3d4e      the checksum of the lines between: whether somebody edited them
//! ```
//!
//! A block is put at the end of a file, after an empty line. If the file has no end of line at its end, the block has
//! none either. So the file before can be restored, byte by byte.

use std::ops::Range;

use robotsc_analysis::Lines;
use xxhash_rust::xxh3::xxh3_64;

use super::declaration::Declaration;
use super::refusal::{Refusal, Why};
use crate::shown;

const BEGIN: &[u8] = b"# robotsc: begin";
const END: &[u8] = b"# robotsc: end";
/// A byte order mark, which stays first.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A block that a file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The lines, from 1, with both marks.
    pub lines: Range<u32>,
    /// What it declares.
    pub declaration: Declaration,
    /// Whether its lines are not those that were written.
    pub is_edited: bool,
    /// The bytes, with both marks and the last end of line.
    bytes: Range<usize>,
}

/// Where a block is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where one was.
    Kept,
    /// After all lines.
    End,
    /// Before all lines.
    Start,
}

/// The parts of a file around a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outside {
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
    /// Whether a block that ends the file ends its last line.
    ends_line: bool,
}

impl Block {
    /// Finds the block of a body; `None` if there is none.
    ///
    /// # Errors
    /// The line of a mark that has no other, or that begins a second block.
    pub fn find(body: &[u8]) -> Result<Option<Self>, Refusal> {
        let lines = Lines::new(body);
        let (mut begin, mut found) = (None, None);
        let refused = |line: u32, cause: &str| Err(Refusal::new(Why::Block, cause).at(line));
        for line in 1..=lines.count() {
            let text = lines.text(line);
            let text = if line == 1 { text.strip_prefix(MARK).unwrap_or(text) } else { text };
            match (mark(text), begin) {
                (Some(Mark::Begin), Some(_)) => {
                    return refused(line, "a block begins in another: remove one of the marks");
                }
                (Some(Mark::Begin), None) if found.is_some() => {
                    return refused(line, "a second block begins: remove one of the two");
                }
                (Some(Mark::Begin), None) => begin = Some(line),
                (Some(Mark::End), Some(first)) => {
                    found = Some(Self::read(&lines, body, first, line));
                    begin = None;
                }
                (Some(Mark::End), None) => return refused(line, "a block ends that does not begin: remove the mark"),
                (None, _) => {}
            }
        }
        match begin {
            Some(line) => {
                refused(line, "a block begins that does not end: write `# robotsc: end` after it, or remove it")
            }
            None => Ok(found),
        }
    }

    /// Returns the names of its `User-agent` lines, each once.
    #[must_use]
    pub fn agents(&self, body: &[u8]) -> Vec<String> {
        let lines = Lines::new(body);
        let mut names: Vec<String> = Vec::new();
        for line in self.lines.clone() {
            let name = lines.text(line).strip_prefix(b"User-agent: ").map(shown::bytes);
            names.extend(name.filter(|name| !names.contains(name)));
        }
        names
    }

    fn read(lines: &Lines<'_>, body: &[u8], first: u32, last: u32) -> Self {
        let mut declaration = Declaration::default();
        for line in first + 1..last {
            let text = str::from_utf8(lines.text(line)).ok().and_then(|text| text.trim_end().strip_prefix("# "));
            if !text.is_some_and(|text| declaration.read(text)) {
                break;
            }
        }
        let inner: Vec<&[u8]> = (first + 1..last).map(|line| lines.text(line)).collect();
        let is_edited = lines.text(last).trim_ascii() != end_mark(&inner);
        let start = lines.whole(first).start;
        let start = if start == 0 && body.starts_with(MARK) { MARK.len() } else { start };
        Self { lines: first..last + 1, declaration, is_edited, bytes: start..lines.whole(last).end }
    }
}

/// A line that begins or ends a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Begin,
    End,
}

fn mark(text: &[u8]) -> Option<Mark> {
    let text = text.trim_ascii();
    let is = |mark: &[u8]| text.strip_prefix(mark).is_some_and(|rest| matches!(rest, [] | [b' ' | b'\t', ..]));
    if is(BEGIN) {
        Some(Mark::Begin)
    } else if is(END) {
        Some(Mark::End)
    } else {
        None
    }
}

/// Returns the last line of a block, with the checksum of those between the marks.
fn end_mark(inner: &[&[u8]]) -> Vec<u8> {
    let sum = xxh3_64(&inner.join(&b'\n')) as u32;
    [END, format!(" {sum:08x}").as_bytes()].concat()
}

/// Returns the lines of a block with its marks.
pub(super) fn marked(inner: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let texts: Vec<&[u8]> = inner.iter().map(Vec::as_slice).collect();
    let mut lines = vec![BEGIN.to_vec()];
    lines.extend_from_slice(inner);
    lines.push(end_mark(&texts));
    lines
}

impl Outside {
    /// Returns the parts around a block; all is before one that is not there yet.
    pub(super) fn of(body: &[u8], block: Option<&Block>) -> Self {
        let range = block.map_or(body.len()..body.len(), |block| block.bytes.clone());
        Self {
            before: body[..range.start].to_vec(),
            after: body[range.end..].to_vec(),
            ends_line: ends_line(&body[..range.end]),
        }
    }

    /// Returns both parts as one file.
    pub(super) fn joined(&self) -> Vec<u8> {
        [self.before.as_slice(), &self.after].concat()
    }

    /// Returns the parts of an edited file: the block was or will be at `split`.
    pub(super) fn edited(&self, body: &[u8], split: usize) -> Self {
        let (before, after) = body.split_at(split.min(body.len()));
        Self { before: before.to_vec(), after: after.to_vec(), ends_line: self.ends_line }
    }

    /// Returns the file with a block, and the line on which it begins.
    pub(super) fn with(&self, block: &[Vec<u8>], place: Place) -> (Vec<u8>, u32) {
        let joined = self.joined();
        let eol = match Lines::new(&joined).end_of_line() {
            // After a CR, an LF would not end another line.
            b"\n" if joined.ends_with(b"\r") => b"\r",
            eol => eol,
        };
        let mut text = block.join(eol);
        let (before, after) = match place {
            Place::Kept => {
                if self.ends_line || !self.after.is_empty() {
                    text.extend_from_slice(eol);
                }
                (self.before.clone(), self.after.clone())
            }
            Place::End => {
                let mut before = joined.clone();
                let is_open = !joined.is_empty() && !ends_line(&joined);
                for is_missing in [is_open, !joined.is_empty()] {
                    if is_missing {
                        before.extend_from_slice(eol);
                    }
                }
                if !is_open {
                    text.extend_from_slice(eol);
                }
                (before, Vec::new())
            }
            Place::Start => {
                let (mark, rest) = match joined.strip_prefix(MARK) {
                    Some(rest) => (MARK, rest),
                    None => (&[][..], joined.as_slice()),
                };
                text.extend_from_slice(eol);
                text.extend_from_slice(eol);
                (mark.to_vec(), rest.to_vec())
            }
        };
        let line = Lines::new(&before).count() + 1 - u32::from(before == MARK);
        ([before, text, after].concat(), line)
    }

    /// Returns the file as it was before the block was put in.
    pub(super) fn restored(&self) -> Vec<u8> {
        let Self { before, after, .. } = self;
        let is_first = before.is_empty() || before == MARK;
        if is_first && !after.is_empty() {
            let end = first_line_end(after);
            return [before.as_slice(), &after[end..]].concat();
        }
        let mut before = without_empty_line(before);
        if after.is_empty() && !self.ends_line {
            before = without_end(before);
        }
        [before, after].concat()
    }
}

fn ends_line(text: &[u8]) -> bool {
    matches!(text.last(), Some(b'\n' | b'\r'))
}

/// Returns a text without the end of its last line.
fn without_end(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}

/// Returns a text without its last line, if that is empty.
fn without_empty_line(text: &[u8]) -> &[u8] {
    let lines = Lines::new(text);
    let last = lines.whole(lines.count());
    if lines.count() > 0 && lines.text(lines.count()).is_empty() { &text[..last.start] } else { text }
}

/// Returns the bytes of the first line, if it is empty.
fn first_line_end(text: &[u8]) -> usize {
    let lines = Lines::new(text);
    if lines.text(1).is_empty() { lines.whole(1).end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Vec<Vec<u8>> {
        marked(&[b"# deny: GPTBot".to_vec(), b"User-agent: GPTBot".to_vec(), b"Disallow: /".to_vec()])
    }

    #[test]
    fn a_file_is_restored_byte_by_byte() {
        let bodies: [&[u8]; 14] = [
            b"",
            b"\n",
            b"\r\n\r\n",
            b"User-agent: *\nDisallow: /a",
            b"User-agent: *\nDisallow: /a\n",
            b"User-agent: *\nDisallow: /a\n\n\n",
            b"User-agent: *\r\nDisallow: /a\r\n",
            b"User-agent: *\r\nDisallow: /a",
            b"User-agent: *\rDisallow: /a\r",
            b"User-agent: *\rDisallow: /a",
            b"\xEF\xBB\xBFUser-agent: *\nDisallow: /\xE4\0x\n",
            b"\xEF\xBB\xBF",
            b"# a\nUser-agent: b",
            b"a\n\r",
        ];
        for body in bodies {
            for place in [Place::End, Place::Start] {
                if place == Place::Start && (body.is_empty() || body == MARK) {
                    continue;
                }
                let (with, line) = Outside::of(body, None).with(&block(), place);
                let found = Block::find(&with).expect("marks").expect("a block");
                assert_eq!(found.lines, line..line + 5, "{}", body.escape_ascii());
                assert!(!found.is_edited);
                assert_eq!(found.declaration.deny, ["GPTBot"]);
                let outside = Outside::of(&with, Some(&found));
                assert_eq!(outside.with(&block(), Place::Kept).0, with);
                let restored = outside.restored();
                assert_eq!(restored.escape_ascii().to_string(), body.escape_ascii().to_string(), "{place:?}");
            }
        }
    }

    #[test]
    fn marks_that_are_no_pair() {
        for (body, line, cause) in [
            ("a\n# robotsc: begin\nb\n", 2, "does not end"),
            ("# robotsc: end 00000000\n", 1, "does not begin"),
            ("# robotsc: begin\n# robotsc: begin\n# robotsc: end\n", 2, "in another"),
            ("# robotsc: begin\n# robotsc: end\n\n  # robotsc: begin\n# robotsc: end\n", 4, "second"),
        ] {
            let refusal = Block::find(body.as_bytes()).expect_err(body);
            assert_eq!((refusal.line, refusal.why), (Some(line), Why::Block));
            assert!(refusal.cause.contains(cause), "{}", refusal.cause);
        }
        assert_eq!(Block::find(b"# robotsc: ignore x\n# robotsc: beginning\n"), Ok(None));
    }

    #[test]
    fn an_edit_is_seen_but_not_other_line_ends() {
        let text = block().join(&b'\n');
        let edited = |body: &[u8]| Block::find(body).expect("marks").expect("a block").is_edited;
        assert!(!edited(&text));
        assert!(!edited(&block().join(&b"\r\n"[..])));
        let text = String::from_utf8(text).expect("text");
        assert!(edited(text.replace("Disallow: /", "Disallow: /x").as_bytes()));
        assert!(edited(text.replace("# deny: GPTBot", "# deny: CCBot").as_bytes()));
        assert!(edited(b"# robotsc: begin\n# deny: GPTBot\n# robotsc: end\n"));
    }
}
