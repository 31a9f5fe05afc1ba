//! Edits of a body, by ranges of bytes.
//!
//! ```text
//! body      User-agent: *\r\nDisallow: /a           no line end after the last line
//! edit      at the end: Disallow: /b\r\n
//! fitted    at the end: \r\nDisallow: /b\r\n        in a line of its own, with the line ends of the body
//! ```

use std::ops::Range;

use crate::text::lines::Lines;

/// A replacement of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of `RobotsTxt::body`.
    pub range: Range<usize>,
    /// What to put in their place.
    pub with: Vec<u8>,
}

/// Returns edits as a body takes them: lines that are inserted after a last line without an end start a line of their
/// own. The line end is that of the first line of the body.
///
/// Cost: linear in the body, and in the edits. Never panics.
#[must_use]
pub fn fitted<'e>(body: &[u8], edits: impl IntoIterator<Item = &'e Edit>) -> Vec<Edit> {
    let ends_line = |text: &[u8]| matches!(text.last(), Some(b'\n' | b'\r'));
    let mut is_open = !body.is_empty() && !ends_line(body);
    let mut fit = |edit: &Edit| {
        let is_line = edit.range == (body.len()..body.len()) && ends_line(&edit.with);
        if !(is_line && is_open) {
            return edit.clone();
        }
        is_open = false;
        Edit { range: edit.range.clone(), with: [Lines::new(body).end_of_line(), &edit.with].concat() }
    };
    edits.into_iter().map(&mut fit).collect()
}

/// Returns a body after some edits, which are sorted and do not overlap. `None` if they do, or if one is beyond the
/// end.
///
/// ```
/// use robotsc::analysis::{Edit, edited, fitted};
///
/// let body = b"User-agent: *\r\nDisallow: /a";
/// let edit = Edit { range: body.len()..body.len(), with: b"Disallow: /b\r\n".to_vec() };
/// let after = edited(body, &fitted(body, [&edit])).expect("the edits fit");
/// assert_eq!(after, b"User-agent: *\r\nDisallow: /a\r\nDisallow: /b\r\n");
/// ```
#[must_use]
pub fn edited(body: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    for Edit { range, with } in edits {
        out.extend_from_slice(body.get(at..range.start)?);
        out.extend_from_slice(with);
        at = range.start.max(range.end);
    }
    out.extend_from_slice(body.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(at: usize, with: &str) -> Edit {
        Edit { range: at..at, with: with.as_bytes().to_vec() }
    }

    #[test]
    fn lines_at_the_end_have_the_line_ends_of_the_body() {
        for (body, line, wanted) in [
            ("", "b\n", "b\n"),
            ("a", "b\n", "a\nb\n"),
            ("a\n", "b\n", "a\nb\n"),
            ("a\nb", "c\n", "a\nb\nc\n"),
            ("a\r\n", "b\r\n", "a\r\nb\r\n"),
            ("a\r\nb", "c\r\n", "a\r\nb\r\nc\r\n"),
            ("a\rb", "c\r", "a\rb\rc\r"),
            ("a\rb\r", "c\r", "a\rb\rc\r"),
            // Mixed: as the first line.
            ("a\r\nb\nc", "d\r\n", "a\r\nb\nc\r\nd\r\n"),
            ("a\nb\r\nc", "d\n", "a\nb\r\nc\nd\n"),
            // A value, and no line.
            ("a", "b", "ab"),
        ] {
            let edits = fitted(body.as_bytes(), [&insert(body.len(), line)]);
            let after = edited(body.as_bytes(), &edits).expect("it fits");
            assert_eq!(String::from_utf8_lossy(&after), wanted, "{body:?}");
        }
    }

    #[test]
    fn several_edits() {
        let body = b"a\r\nb";
        let edits =
            [insert(0, "x\r\n"), Edit { range: 0..1, with: b"A".to_vec() }, insert(4, "c\r\n"), insert(4, "d\r\n")];
        let after = edited(body, &fitted(body, &edits));
        assert_eq!(after.as_deref(), Some(&b"x\r\nA\r\nb\r\nc\r\nd\r\n"[..]));
    }

    #[test]
    fn edits_that_do_not_fit() {
        let replace = |range: Range<usize>| Edit { range, with: Vec::new() };
        for edits in
            [&[replace(0..2), replace(1..3)][..], &[replace(3..5)], &[insert(5, "x")], &[replace(2..3), insert(0, "x")]]
        {
            assert_eq!(edited(b"abcd", edits), None, "{edits:?}");
        }
    }
}
