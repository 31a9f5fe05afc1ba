//! From a body to lines, and from a line to its key and value.

use memchr::{memchr, memchr2};

use crate::dialect::{Colon, Dialect, Nul};
use crate::parse::keys::{self, Directive, Spelling};
use crate::parse::marks::gaps_in;
use crate::parse::trim::trim;
use crate::span::ByteSpan;

/// A line of a body, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where the next line starts; `None` if the body ends without a line end.
    pub(crate) next: Option<usize>,
}

/// Reads the line that starts at `start`. CR, LF and CRLF end a line (robots.cc:453), nothing else does.
pub(crate) fn line_at(body: &[u8], start: usize) -> Line {
    match memchr2(b'\n', b'\r', &body[start..]) {
        None => Line { start, end: body.len(), next: None },
        Some(length) => {
            let end = start + length;
            let is_crlf = body[end] == b'\r' && body.get(end + 1) == Some(&b'\n');
            Line { start, end, next: Some(end + 1 + usize::from(is_crlf)) }
        }
    }
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nothing but white space.
    Blank,
    /// Nothing but a comment.
    Comment,
    /// Text that is no record; the span covers it.
    NoRecord(ByteSpan),
    /// A colon with nothing before it.
    NoKey(ByteSpan),
    /// A key and a value, both trimmed; the value may be empty.
    Record { directive: Directive, spelling: Spelling, key: ByteSpan, value: ByteSpan, has_colon: bool },
}

/// A line, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) content: Content,
    /// What was dropped because the line is over the limit.
    pub(crate) cut: Option<ByteSpan>,
    /// Where a NUL byte stands.
    pub(crate) nul: Option<usize>,
}

/// Takes a line apart under a dialect: limit, NUL, comment, white space, colon, in that order, as robots.cc does.
pub(crate) fn parts(body: &[u8], line: Line, dialect: &Dialect) -> Parts {
    let Line { start, mut end, .. } = line;
    let mut cut = None;
    if let Some(limit) = dialect.max_line
        && end - start > limit as usize
    {
        cut = Some(ByteSpan::new(start + limit as usize, end));
        end = start + limit as usize;
    }
    let mut nul = None;
    let mut has_comment = false;
    let mut from = start;
    while let Some(offset) = memchr2(0, b'#', &body[from..end]) {
        let at = from + offset;
        if body[at] == b'#' {
            has_comment = true;
        } else {
            nul = nul.or(Some(at));
            if dialect.nul == Nul::IsKept {
                from = at + 1;
                continue;
            }
        }
        end = at;
        break;
    }
    if has_comment {
        cut = None; // what was dropped is comment too
    }
    let text = trim(body, start, end, dialect.trim);
    let content = if text.is_empty() {
        if has_comment { Content::Comment } else { Content::Blank }
    } else {
        record(body, text, memchr(b':', text.of(body)).map(|at| text.start as usize + at), dialect)
    };
    Parts { content, cut, nul }
}

/// Reads a trimmed text that is not empty. `colon` is the place of its first colon.
pub(crate) fn record(body: &[u8], text: ByteSpan, colon: Option<usize>, dialect: &Dialect) -> Content {
    let separator = match colon {
        Some(at) => at,
        None if dialect.colon == Colon::Required => return Content::NoRecord(text),
        None => match gap_of_two_words(body, text) {
            Some(at) => at,
            None => return Content::NoRecord(text),
        },
    };
    let key = trim(body, text.start as usize, separator, dialect.trim);
    if key.is_empty() {
        return Content::NoKey(text);
    }
    let (directive, spelling) = keys::directive(key.of(body), dialect);
    let value = trim(body, separator + 1, text.end as usize, dialect.trim);
    Content::Record { directive, spelling, key, value, has_colon: colon.is_some() }
}

/// Returns where the first gap lies, if there is exactly one. Only SP and TAB make a gap (robots.cc:493). `text` is
/// trimmed.
fn gap_of_two_words(body: &[u8], text: ByteSpan) -> Option<usize> {
    let start = text.start as usize;
    if text.len() < 64
        && let Some(gaps) = gaps_in(body, start)
    {
        let gaps = gaps & !(u64::MAX << text.len());
        let first = gaps.trailing_zeros();
        let after = gaps.checked_shr(first)?;
        return (after >> after.trailing_ones() == 0).then_some(start + first as usize);
    }
    let bytes = text.of(body);
    let gap = memchr2(b' ', b'\t', bytes)?;
    let after = &bytes[gap..];
    let word = after.iter().position(|&byte| byte != b' ' && byte != b'\t')?;
    memchr2(b' ', b'\t', &after[word..]).is_none().then_some(start + gap)
}

#[cfg(test)]
mod tests {
    use super::{Content, Line, parts, trim};
    use crate::dialect::{Dialect, Nul, Trim};
    use crate::span::ByteSpan;

    /// Words, gaps and margins of every length around the 64 bytes that are looked at in one go, at the end of a body
    /// and before more of it.
    #[test]
    fn gaps_and_margins_of_any_length() {
        for long in (0..4).chain(60..68).chain(126..130) {
            for after in ["", "\n", &"z".repeat(70)] {
                let (word, gap) = ("w".repeat(long + 1), " ".repeat(long + 1));
                let texts = [
                    (format!("{word}{gap}v"), true),
                    (format!("v{gap}{word}"), true),
                    (format!("v{}{word}", gap.replace(' ', "\t")), true),
                    (format!("v w{gap}v"), false),
                    (format!("v{gap}{word} v"), false),
                    (word, false),
                ];
                for (text, is_record) in texts {
                    let body = format!("{gap}{text}{gap}{after}");
                    let (start, end) = (gap.len(), gap.len() + text.len());
                    let line = Line { start: 0, end: end + gap.len(), next: None };
                    assert_eq!(trim(body.as_bytes(), 0, line.end, Trim::SpaceTab), ByteSpan::new(start, end));
                    let content = parts(body.as_bytes(), line, &Dialect::GOOGLE).content;
                    assert_eq!(matches!(content, Content::Record { has_colon: false, .. }), is_record, "{body:?}");
                    assert_eq!(content == Content::NoRecord(ByteSpan::new(start, end)), !is_record, "{body:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_nul() {
        let body = b"a: b\0c\0d";
        let line = Line { start: 0, end: body.len(), next: None };
        for nul in [Nul::EndsLine, Nul::IsKept] {
            assert_eq!(parts(body, line, &Dialect { nul, ..Dialect::GOOGLE }).nul, Some(4));
        }
    }
}
