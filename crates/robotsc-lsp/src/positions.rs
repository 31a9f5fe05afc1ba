//! Positions of the protocol and bytes of a text.
//!
//! ```text
//! Disallow: /é𝄞x      the `x` is byte 17, UTF-16 code unit 14, on line 0
//! ```
//! A position is a line from 0 and a number of code units: UTF-16, unless the editor asks for UTF-8. Lines end at CR,
//! LF and CRLF, as the protocol and the parser have it. A position beyond a line is its end, one beyond the last line
//! the end of the text, and one within a character its start.

use std::ops::Range as Bytes;

use gen_lsp_types::{Position, PositionEncodingKind, Range};
use robotsc::analysis::Lines;
use robotsc::robots_txt::ByteSpan;

/// What a position counts within a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    /// Returns the name in the protocol.
    pub(crate) const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn units(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// The positions of a text.
#[derive(Debug)]
pub(crate) struct Positions<'t> {
    text: &'t str,
    pub(crate) lines: Lines<'t>,
    encoding: Encoding,
}

impl<'t> Positions<'t> {
    /// Cost: linear.
    pub(crate) fn new(text: &'t str, encoding: Encoding) -> Self {
        Self { text, lines: Lines::new(text.as_bytes()), encoding }
    }

    /// Returns the byte of a position.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let line = self.line(position.line);
        let mut left = position.character as usize;
        for (at, char) in self.text[line.clone()].char_indices() {
            let units = match self.encoding {
                Encoding::Utf8 => char.len_utf8(),
                Encoding::Utf16 => char.len_utf16(),
            };
            if left < units {
                return line.start + at;
            }
            left -= units;
        }
        line.end
    }

    /// Returns the bytes of a range; one whose end is before its start is empty.
    pub(crate) fn bytes(&self, range: Range) -> Bytes<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Returns the position of a byte. Cost: linear in the line; for many bytes in order, use [`Walk`].
    pub(crate) fn position(&self, offset: usize) -> Position {
        Walk::new(self).position(offset)
    }

    /// Returns the range of some bytes.
    pub(crate) fn range(&self, bytes: Bytes<usize>) -> Range {
        Walk::new(self).range(bytes)
    }

    /// Returns the range of a span.
    pub(crate) fn of_span(&self, span: ByteSpan) -> Range {
        self.range(span.start as usize..span.end as usize)
    }

    /// Returns the range of the text of a line, from 1.
    pub(crate) fn of_line(&self, line: u32) -> Range {
        self.range(self.line(line.saturating_sub(1)))
    }

    /// Returns the bytes of the text of a line, from 0, without its end.
    pub(crate) fn line(&self, line: u32) -> Bytes<usize> {
        let line = line.saturating_add(1);
        let start = self.lines.whole(line).start;
        start..start + self.lines.text(line).len()
    }
}

/// Returns the start of the character that a byte is in.
pub(crate) fn floored(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Finds the positions of bytes in order. It counts the units of each line once, from the previous byte.
#[derive(Debug)]
pub(crate) struct Walk<'p, 't> {
    positions: &'p Positions<'t>,
    /// The line of the previous byte, from 0, and the bytes of its text.
    line: u32,
    text: Bytes<usize>,
    /// The previous byte, and the units before it on its line.
    at: usize,
    units: usize,
}

impl<'p, 't> Walk<'p, 't> {
    pub(crate) fn new(positions: &'p Positions<'t>) -> Self {
        let text = positions.line(0);
        Self { positions, line: 0, at: text.start, units: 0, text }
    }

    /// Returns the position of a byte. Cost: linear in the bytes since the previous one, or in the line if the previous
    /// one is after this one or on another line.
    pub(crate) fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.positions.text.len());
        if offset < self.at || self.text.end < offset {
            self.line = self.positions.lines.at(offset) - 1;
            self.text = self.positions.line(self.line);
            (self.at, self.units) = (self.text.start, 0);
        }
        let offset = floored(self.positions.text, offset.clamp(self.at, self.text.end));
        self.units += self.positions.encoding.units(&self.positions.text[self.at..offset]);
        self.at = offset;
        Position { line: self.line, character: u32::try_from(self.units).unwrap_or(u32::MAX) }
    }

    /// Returns the range of some bytes.
    pub(crate) fn range(&mut self, bytes: Bytes<usize>) -> Range {
        let start = self.position(bytes.start);
        Range { start, end: self.position(bytes.end).max(start) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn characters_beyond_ascii() {
        let text = "é𝄞x\r\n\u{FFFD}y\rz";
        for (offset, utf16, utf8) in [
            (0, at(0, 0), at(0, 0)),
            (2, at(0, 1), at(0, 2)),
            (6, at(0, 3), at(0, 6)),
            (7, at(0, 4), at(0, 7)),
            (9, at(1, 0), at(1, 0)),
            (12, at(1, 1), at(1, 3)),
            (13, at(1, 2), at(1, 4)),
            (14, at(2, 0), at(2, 0)),
            (15, at(2, 1), at(2, 1)),
        ] {
            for (encoding, wanted) in [(Encoding::Utf16, utf16), (Encoding::Utf8, utf8)] {
                let positions = Positions::new(text, encoding);
                assert_eq!(positions.position(offset), wanted, "{offset}");
                assert_eq!(positions.offset(wanted), offset, "{wanted:?}");
            }
        }
    }

    #[test]
    fn positions_that_are_not_there() {
        let positions = Positions::new("é𝄞x\r\ny\n", Encoding::Utf16);
        // Within the pair of surrogates, beyond the line, on the empty last line, and beyond that.
        for (position, offset) in [(at(0, 2), 2), (at(0, 99), 7), (at(2, 0), 11), (at(2, 5), 11), (at(9, 9), 11)] {
            assert_eq!(positions.offset(position), offset, "{position:?}");
        }
        let positions = Positions::new("é𝄞x\r\ny\n", Encoding::Utf8);
        assert_eq!(positions.offset(at(0, 1)), 0);
        // Within a character, and between CR and LF.
        assert_eq!((positions.position(1), positions.position(8)), (at(0, 0), at(0, 7)));
        assert_eq!(positions.bytes(Range { start: at(1, 0), end: at(0, 0) }), 9..9);
        assert_eq!(Positions::new("", Encoding::Utf16).position(3), at(0, 0));
    }
}
