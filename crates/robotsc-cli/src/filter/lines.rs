//! Where lines end, found 64 bytes at a time; and in the same pass, which of them hold a byte that a path may not.

use std::ops::Range;

use wide::u8x16;

use super::csv::RecordEnds;

/// The longest line that is read, in bytes. A line without an end would fill the memory.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// Bytes that are examined together.
const CHUNK_BYTES: usize = 64;

/// A line of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The line with its end; the last of a block may have none.
    pub(crate) place: Range<usize>,
    /// Whether the line holds a `%`, a `#` or a byte from 0x80. Can be true of a line with `!` or `'`, too.
    pub(crate) has_sign: bool,
}

/// Iterates over the lines of a text.
///
/// Cost: one pass, a few instructions for each 16 bytes, and for each line end and sign.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'b> {
    text: &'b [u8],
    /// Where the next line starts.
    start: usize,
    /// The start of the current chunk.
    chunk: usize,
    /// The line ends and signs of the chunk that are still to come, one bit each, the first lowest.
    marks: u64,
    /// The separator of records that may be quoted.
    quoting: Option<u8>,
}

impl<'b> Lines<'b> {
    /// Returns the lines of `text` from `start` on; if `quoting` is a separator, the records of CSV, which can hold
    /// line ends.
    pub(crate) fn new(text: &'b [u8], start: usize, quoting: Option<u8>) -> Self {
        Self { text, start, chunk: start, marks: marks_from(text, start), quoting }
    }

    /// Reports whether all lines were returned.
    #[inline]
    pub(crate) const fn is_done(&self) -> bool {
        self.start >= self.text.len()
    }

    /// Returns the next line or record.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Line> {
        let line = self.next_line()?;
        match self.quoting {
            None => Some(line),
            Some(separator) => Some(self.record(line, separator)),
        }
    }

    /// Returns the record that begins with a line. The last record of a text can lack its end.
    #[inline(never)]
    fn record(&mut self, mut line: Line, separator: u8) -> Line {
        if memchr::memchr(b'"', &self.text[line.place.clone()]).is_none() {
            return line;
        }
        let mut ends = RecordEnds::new(separator, line.place.start);
        while ends.last(&self.text[..line.place.end]) < line.place.end {
            let Some(next) = self.next_line() else { break };
            line.place.end = next.place.end;
            line.has_sign |= next.has_sign;
        }
        line
    }

    #[inline]
    fn next_line(&mut self) -> Option<Line> {
        if self.is_done() {
            return None;
        }
        let start = self.start;
        let mut has_sign = false;
        loop {
            while self.marks == 0 {
                self.chunk += CHUNK_BYTES;
                if self.chunk >= self.text.len() {
                    self.start = self.text.len();
                    return Some(Line { place: start..self.text.len(), has_sign });
                }
                self.marks = marks_from(self.text, self.chunk);
            }
            let at = self.chunk + self.marks.trailing_zeros() as usize;
            self.marks &= self.marks - 1;
            if self.text.get(at) == Some(&b'\n') {
                self.start = at + 1;
                return Some(Line { place: start..self.start, has_sign });
            }
            has_sign = true;
        }
    }
}

/// Returns the marks of the chunk at `at`. After the end of the text there are none.
#[inline(always)]
fn marks_from(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => marks(bytes),
        None => {
            let mut bytes = [b' '; CHUNK_BYTES];
            bytes[..rest.len()].copy_from_slice(rest);
            marks(&bytes)
        }
    }
}

#[inline(always)]
fn marks(bytes: &[u8; CHUNK_BYTES]) -> u64 {
    let (parts, _) = bytes.as_chunks();
    parts.iter().rev().fold(0, |marks, part| {
        let part = u8x16::new(*part);
        // With these bits set `!`, `#`, `%` and `'` are one byte, and no other is the same.
        let signs = (part | u8x16::splat(6)).simd_eq(u8x16::splat(b'#' | 6));
        // The bit mask takes the highest bit of each byte, which bytes from 0x80 have.
        marks << 16 | u64::from((part.simd_eq(u8x16::splat(b'\n')) | signs | part).to_bitmask())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the same, byte by byte.
    fn naive(text: &[u8], mut start: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        while start < text.len() {
            let end = text[start..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| start + at + 1);
            let has_sign = text[start..end].iter().any(|byte| matches!(byte, b'!' | b'#' | b'%' | b'\'' | 0x80..));
            lines.push(Line { place: start..end, has_sign });
            start = end;
        }
        lines
    }

    #[test]
    fn lines_are_those_of_the_naive_walk() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..3_000 {
            let rarity = 1 + random(120);
            let text: Vec<u8> = (0..random(400))
                .map(|_| match random(rarity) {
                    0 => b"\n\n\n%#!'\r\x80\xFF\"$&\x8A"[random(14) as usize],
                    _ => random(if round % 2 == 0 { 256 } else { 128 }) as u8,
                })
                .collect();
            let start = random(text.len() as u64 + 1) as usize;
            let mut lines = Lines::new(&text, start, None);
            let found: Vec<Line> = std::iter::from_fn(|| lines.next()).collect();
            assert_eq!(found, naive(&text, start), "{}", text.escape_ascii());
            assert!(lines.is_done());
        }
    }

    #[test]
    fn quoted_records_go_on_over_line_ends() {
        let text = b"a,\"b\nc%\",d\n\nx\"y\n\"\"\"\n\"\"\n\",z\na,\"open\n\nend";
        let mut lines = Lines::new(text, 0, Some(b','));
        let found: Vec<(&[u8], bool)> =
            std::iter::from_fn(|| lines.next()).map(|line| (&text[line.place], line.has_sign)).collect();
        let expected: [(&[u8], bool); 5] = [
            (b"a,\"b\nc%\",d\n", true),
            (b"\n", false),
            (b"x\"y\n", false),
            (b"\"\"\"\n\"\"\n\",z\n", false),
            (b"a,\"open\n\nend", false),
        ];
        assert_eq!(found, expected);
    }
}
