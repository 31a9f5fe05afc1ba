//! The quick way to read a line.
//!
//! It gives up (`None`) on a line with NUL, on one that may be over the limit, and on the last of a body that does not
//! end in a line end; [`lines::parts`] then reads the line from its start, step by step. A test compares the two ways.

use crate::parse::Parser;
use crate::parse::diagnostic::DiagnosticCode;
use crate::parse::keys;
use crate::parse::lines::{self, Content};
use crate::parse::marks::Marks;
use crate::parse::record::{Record, RecordKind};
use crate::parse::trim::trim;
use crate::robots_txt::RuleKind;
use crate::span::ByteSpan;

impl Parser<'_> {
    /// Reads the line at `start`, where `marks` stands, and returns where the next one starts.
    #[inline(always)]
    pub(crate) fn read_plain_line(
        &mut self,
        body: &[u8],
        marks: &mut Marks<'_>,
        start: usize,
        number: u32,
    ) -> Option<usize> {
        let limit = start.saturating_add(self.max_line);
        let mark = marks.next();
        if *body.get(mark)? != b':' {
            return self.line_without_colon(body, marks, start, mark, number, limit);
        }
        let (end, next) = stop(body, marks)?;
        if next > limit {
            return None;
        }
        let value = self.trimmed(body, mark + 1 + usize::from(body[mark + 1] == b' '), end);
        let value = if value.is_empty() { ByteSpan::new(mark + 1, mark + 1) } else { value };
        let word = body.get(start..)?.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        match mark - start {
            8 if is_disallow(word) => self.add_rule(RuleKind::Disallow, value, number),
            5 if is_allow(word) => self.add_rule(RuleKind::Allow, value, number),
            10 if is_user_agent(word)
                && matches!(body.get(start + 8..start + 10), Some([b'n' | b'N', b't' | b'T'])) =>
            {
                self.add_agent(value, number);
            }
            7 if is_sitemap(word) => {
                let key = ByteSpan { start: start as u32, end: mark as u32 };
                self.add_record(Record { kind: RecordKind::Sitemap, key, value, line: number });
            }
            _ => {
                let key = self.trimmed(body, start, mark);
                if key.is_empty() {
                    self.apply(Content::NoKey(self.trimmed(body, mark, end)), number);
                } else {
                    let (directive, spelling) = keys::directive(key.of(body), self.dialect);
                    self.apply(Content::Record { directive, spelling, key, value, has_colon: true }, number);
                }
            }
        }
        Some(next)
    }

    /// Reads a line whose first mark is no colon.
    #[inline(always)]
    fn line_without_colon(
        &mut self,
        body: &[u8],
        marks: &mut Marks<'_>,
        start: usize,
        mark: usize,
        number: u32,
        limit: usize,
    ) -> Option<usize> {
        let next = match body[mark] {
            b'\n' => mark + 1,
            b'\r' => after_cr(body, marks, mark),
            b'#' => after_comment(body, marks)?,
            _ => return None,
        };
        if next > limit {
            return None;
        }
        let text = self.trimmed(body, start, mark);
        if !text.is_empty() {
            match lines::record(body, text, None, self.dialect) {
                Content::NoRecord(span) => self.notice(DiagnosticCode::NoColon, span, number, 0),
                content => self.apply(content, number),
            }
        } else if body[mark] != b'#' {
            self.end_at_blank_line();
        }
        Some(next)
    }

    #[inline(always)]
    fn trimmed(&self, body: &[u8], start: usize, end: usize) -> ByteSpan {
        let is_tight = start < end && body[start] > b' ' && body[end - 1] > b' ';
        if is_tight {
            ByteSpan { start: start as u32, end: end as u32 }
        } else {
            trim(body, start, end, self.dialect.trim)
        }
    }
}

/// Returns where the value after a colon ends, and where the next line starts.
#[inline(always)]
fn stop(body: &[u8], marks: &mut Marks<'_>) -> Option<(usize, usize)> {
    loop {
        let mark = marks.next();
        let next = match *body.get(mark)? {
            b'\n' => mark + 1,
            b':' => continue,
            b'\r' => after_cr(body, marks, mark),
            b'#' => after_comment(body, marks)?,
            _ => return None,
        };
        return Some((mark, next));
    }
}

#[inline(always)]
fn after_cr(body: &[u8], marks: &mut Marks<'_>, cr: usize) -> usize {
    if body.get(cr + 1) == Some(&b'\n') {
        marks.next();
        return cr + 2;
    }
    cr + 1
}

#[inline(never)]
fn after_comment(body: &[u8], marks: &mut Marks<'_>) -> Option<usize> {
    loop {
        let mark = marks.next();
        match *body.get(mark)? {
            b'\n' => return Some(mark + 1),
            b'\r' => return Some(after_cr(body, marks, mark)),
            _ => {}
        }
    }
}

// Bit 0x20 turns upper-case letters, and no byte else, into lower-case letters; `-` and `:` must not be touched.

#[inline(always)]
fn is_disallow(word: u64) -> bool {
    word | 0x2020_2020_2020_2020 == u64::from_le_bytes(*b"disallow")
}

#[inline(always)]
fn is_allow(word: u64) -> bool {
    (word | 0x0020_2020_2020) & 0xFF_FFFF_FFFF == u64::from_le_bytes(*b"allow\0\0\0")
}

#[inline(always)]
fn is_user_agent(word: u64) -> bool {
    word | 0x2020_2000_2020_2020 == u64::from_le_bytes(*b"user-age")
}

#[inline(always)]
fn is_sitemap(word: u64) -> bool {
    (word | 0x0020_2020_2020_2020) & 0x00FF_FFFF_FFFF_FFFF == u64::from_le_bytes(*b"sitemap\0")
}
