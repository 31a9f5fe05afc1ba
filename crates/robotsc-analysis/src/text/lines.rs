//! The lines of a body as written, comments included.

use std::ops::Range;

use robotsc_compiler::ByteSpan;

/// Where the lines of a body are.
///
/// ```
/// use robotsc::analysis::Lines;
///
/// let lines = Lines::new(b"User-agent: *\r\nDisallow: /\r\n");
/// assert_eq!((lines.count(), lines.text(2)), (2, &b"Disallow: /"[..]));
/// ```
#[derive(Debug)]
pub struct Lines<'b> {
    body: &'b [u8],
    /// Where each line starts, and where the next does.
    lines: Vec<Range<usize>>,
}

impl<'b> Lines<'b> {
    /// Cuts a body at CR, LF and CRLF, as the parser does. Cost: linear.
    #[must_use]
    pub fn new(body: &'b [u8]) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        while let Some(length) = body[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let end = start + length;
            let is_crlf = body[end] == b'\r' && body.get(end + 1) == Some(&b'\n');
            let next = end + 1 + usize::from(is_crlf);
            lines.push(start..next);
            start = next;
        }
        if start < body.len() {
            lines.push(start..body.len());
        }
        Self { body, lines }
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Returns where a line is, from 1, with its end; empty beyond the last.
    #[must_use]
    pub fn whole(&self, line: u32) -> Range<usize> {
        let at = (line as usize).checked_sub(1).and_then(|at| self.lines.get(at));
        at.cloned().unwrap_or(self.body.len()..self.body.len())
    }

    /// Returns the text of a line, from 1, with its end; empty beyond the last.
    #[must_use]
    pub fn whole_text(&self, line: u32) -> &'b [u8] {
        &self.body[self.whole(line)]
    }

    /// Returns the text of a line, from 1, without its end; empty beyond the last.
    #[must_use]
    pub fn text(&self, line: u32) -> &'b [u8] {
        self.text_of(&self.whole(line))
    }

    fn text_of(&self, line: &Range<usize>) -> &'b [u8] {
        let whole = &self.body[line.clone()];
        let whole = whole.strip_suffix(b"\n").unwrap_or(whole);
        whole.strip_suffix(b"\r").unwrap_or(whole)
    }

    /// Returns the line of a byte, from 1. If the body ends with a line end, its end is on a line of its own.
    ///
    /// Cost: a binary search.
    #[must_use]
    pub fn at(&self, offset: usize) -> u32 {
        let line = self.lines.partition_point(|line| line.end <= offset) + 1;
        let is_open = self.lines.last().is_some_and(|line| self.text_of(line).len() == line.len());
        // A last line without an end has the end of the body, too.
        let last = self.lines.len() + usize::from(!is_open);
        u32::try_from(line.min(last.max(1))).unwrap_or(u32::MAX)
    }

    /// Returns where the text of a line is.
    pub(crate) fn span(&self, line: u32) -> ByteSpan {
        let start = self.whole(line).start;
        ByteSpan::new(start, start + self.text(line).len())
    }

    /// Returns the end of line that the body uses.
    #[must_use]
    pub fn end_of_line(&self) -> &'static [u8] {
        let first = self.lines.first().map_or(&b""[..], |line| &self.body[line.clone()]);
        match first {
            [.., b'\r', b'\n'] => b"\r\n",
            [.., b'\r'] => b"\r",
            _ => b"\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_as_the_parser_counts_them() {
        let lines = Lines::new(b"a\r\nb\rc\n\nd");
        let text: Vec<&[u8]> = (1..=lines.count()).map(|line| lines.text(line)).collect();
        assert_eq!(text, [&b"a"[..], b"b", b"c", b"", b"d"]);
        assert_eq!((lines.whole(1), lines.whole(5), lines.whole(6)), (0..3, 8..9, 9..9));
        assert_eq!(lines.end_of_line(), b"\r\n");
    }

    #[test]
    fn lines_of_bytes() {
        for (body, wanted) in [
            ("", &[1][..]),
            ("a", &[1, 1]),
            ("\n", &[1, 2]),
            ("a\n\rb", &[1, 1, 2, 3, 3]),
            ("a\r\nb\r\n", &[1, 1, 1, 2, 2, 2, 3]),
        ] {
            let lines = Lines::new(body.as_bytes());
            let found: Vec<u32> = (0..=body.len()).map(|offset| lines.at(offset)).collect();
            assert_eq!(found, wanted, "{body:?}");
        }
    }
}
