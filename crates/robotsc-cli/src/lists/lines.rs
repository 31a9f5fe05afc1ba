//! Finds line ends, and in the same pass the lines that hold something to normalize.

use std::ops::Range;

use super::csv::RecordEnds;
use super::marks::{CHUNK_BYTES, Marks};

/// The longest line that is read, in bytes. A line without an end would fill the memory.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// A line of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The line with its end; the last of a block may have none.
    pub(crate) place: Range<usize>,
    /// Whether the line may hold something to normalize. If `false`, a path that the line ends with is normalized in
    /// [`PathForm::Escaped`](robotsc_runtime::PathForm::Escaped) as it stands.
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
    /// The marks of the chunk that are still to come, the first lowest.
    marks: u64,
    /// Those of the chunks after it.
    next_marks: Marks<'b>,
    /// The separator of records that may be quoted.
    quoting: Option<u8>,
}

impl<'b> Lines<'b> {
    /// Returns the lines of `text` from `start` on; if `quoting` is a separator, the records of CSV, which can hold
    /// line ends.
    pub(crate) fn new(text: &'b [u8], start: usize, quoting: Option<u8>) -> Self {
        let mut next_marks = Marks::new(text, start);
        let marks = next_marks.next();
        Self { text, start, chunk: start, marks, next_marks, quoting }
    }

    /// Reports whether all lines were returned.
    #[inline]
    pub(crate) const fn is_done(&self) -> bool {
        self.start >= self.text.len()
    }

    /// Returns the next line or record.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Line> {
        if self.quoting.is_some() { self.next_record() } else { self.next_line() }
    }

    /// Returns the next line, quoted or not.
    #[inline(always)]
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
                self.marks = self.next_marks.next();
            }
            let at = self.chunk + self.marks.trailing_zeros() as usize;
            self.marks &= self.marks - 1;
            match self.text.get(at) {
                Some(b'\n') => {
                    self.start = at + 1;
                    return Some(Line { place: start..self.start, has_sign });
                }
                // A carriage return before the line feed is a part of the line end.
                Some(b'\r') if self.text.get(at + 1) == Some(&b'\n') => {}
                _ => has_sign = true,
            }
        }
    }

    /// Returns the next record. The last record of a text can lack its end.
    #[inline(never)]
    fn next_record(&mut self) -> Option<Line> {
        let mut line = self.next_line()?;
        let Some(separator) = self.quoting else { return Some(line) };
        if memchr::memchr(b'"', &self.text[line.place.clone()]).is_some() {
            let mut ends = RecordEnds::new(separator, line.place.start);
            while ends.last(&self.text[..line.place.end]) < line.place.end {
                let Some(next) = self.next_line() else { break };
                line.place.end = next.place.end;
                line.has_sign |= next.has_sign;
            }
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use robotsc_runtime::PathForm;

    use super::super::layout;
    use super::super::marks::is_sign;
    use super::*;

    /// Returns the same, byte by byte.
    fn naive(text: &[u8], mut start: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        while start < text.len() {
            let end = text[start..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| start + at + 1);
            let line = layout::without_end(&text[start..end]);
            let is_cut = line.len() < end - start && text[end - 1] != b'\n';
            let has_sign =
                is_cut || line.iter().any(|byte| is_sign(*byte)) || line.windows(2).any(|pair| pair == b"/.");
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
                    0 => b"\n\n\n\n%#!'\r\x80\xFF\"$&\x8A<>\\^`{~\x7F\r"[random(23) as usize],
                    1 => b"/."[random(2) as usize],
                    _ if round % 2 == 0 => b'a' + random(26) as u8,
                    _ => random(256) as u8,
                })
                .collect();
            let start = random(text.len() as u64 + 1) as usize;
            let mut lines = Lines::new(&text, start, None);
            let found: Vec<Line> = std::iter::from_fn(|| lines.next()).collect();
            assert_eq!(found, naive(&text, start), "{}", text.escape_ascii());
            assert!(lines.is_done());
        }
    }

    /// Each byte and each pair of bytes, at each place of a chunk: an unmarked line holds nothing to normalize.
    #[test]
    fn unmarked_lines_are_normalized() {
        let pairs = (0..=u8::MAX).map(|byte| [b'a', byte]).chain([*b"/.", *b"./", *b"//", *b".."]);
        let (mut unmarked, mut lines_count) = (0, 0);
        for pair in pairs.filter(|pair| pair[1] != b'\n') {
            for before in 0..2 * CHUNK_BYTES {
                let mut text = vec![b'/'];
                text.resize(1 + before, b'b');
                text.extend_from_slice(&pair);
                text.extend_from_slice(b"ccccc");
                let path = text.clone();
                text.push(b'\n');
                let line = Lines::new(&text, 0, None).next().unwrap();
                assert_eq!(line.place, 0..text.len());
                let expected = is_sign(pair[1]) || path.windows(2).any(|pair| pair == b"/.");
                assert_eq!(line.has_sign, expected, "{}", path.escape_ascii());
                assert!(line.has_sign || PathForm::Escaped.is_normalized(&path), "{}", path.escape_ascii());
                lines_count += 1;
                unmarked += usize::from(!line.has_sign);
            }
        }
        assert!(unmarked * 4 > lines_count, "{unmarked} of {lines_count} lines are unmarked");
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
            (b"x\"y\n", true),
            (b"\"\"\"\n\"\"\n\",z\n", true),
            (b"a,\"open\n\nend", true),
        ];
        assert_eq!(found, expected);
    }
}
