//! The quick way to read a line, for lines that are written as almost all are.
//!
//! It gives up (`None`) wherever anything is out of the ordinary; [`lines::parts`] then reads the line from its start, step by
//! step. What it does read means the same in every dialect. A test compares the two ways.

use memchr::{memchr2, memchr3};

use crate::lines::{self, Line};
use crate::parse::Parser;
use crate::record::{Record, RecordKind};
use crate::robots_txt::RuleKind;
use crate::span::ByteSpan;

impl Parser<'_> {
    /// Reads the line at `start` and says where the next one starts.
    #[inline(always)]
    pub(crate) fn plain_line(&mut self, body: &[u8], start: usize, number: u32) -> Option<usize> {
        let limit = start.saturating_add(self.max_line);
        let mut first = start;
        loop {
            let text = body.get(first..)?;
            let word = first_word(text);
            if is_disallow(word) && text.get(8) == Some(&b':') {
                let (value, next) = value(body, first + 9, limit)?;
                self.rule(RuleKind::Disallow, value, number);
                return Some(next);
            }
            if is_allow(word) {
                let (value, next) = value(body, first + 6, limit)?;
                self.rule(RuleKind::Allow, value, number);
                return Some(next);
            }
            match *text.first()? {
                b'\n' | b'\r' if self.dialect.blank_line_closes || first > limit => return None,
                b'\n' => return Some(first + 1),
                b'\r' => return Some(first + 1 + usize::from(text.get(1) == Some(&b'\n'))),
                b'#' if first < limit => return lines::line_at(body, first).next,
                b' ' | b'\t' => {
                    first = skip_white(body, first);
                    continue;
                }
                _ => {}
            }
            if is_user_agent(word) && matches!(text.get(8..11), Some([b'n' | b'N', b't' | b'T', b':'])) {
                let (value, next) = value(body, first + 11, limit)?;
                self.agent(value, number);
                return Some(next);
            }
            if is_sitemap(word) {
                let (value, next) = value(body, first + 8, limit)?;
                let key = ByteSpan { start: first as u32, end: first as u32 + 7 };
                self.record(Record { kind: RecordKind::Sitemap, key, value, line: number });
                return Some(next);
            }
            return self.other_line(body, first, limit, number);
        }
    }

    /// Reads a line whose key is not one of the four, or is written unusually.
    fn other_line(&mut self, body: &[u8], first: usize, limit: usize, number: u32) -> Option<usize> {
        // without CR and NUL in the body, one search finds the line end, the comment or the colon
        let (colon, end, next) = if *self.has_no_cr_nor_nul.get_or_insert_with(|| memchr2(b'\r', 0, body).is_none()) {
            let mark = first + memchr3(b'\n', b'#', b':', &body[first..])?;
            let (colon, end) = match body[mark] {
                b':' => (Some(mark), mark + memchr2(b'\n', b'#', &body[mark..])?),
                _ => (None, mark),
            };
            (colon, end, if body[end] == b'\n' { end + 1 } else { lines::line_at(body, end).next? })
        } else {
            let Line { end, next, .. } = lines::line_at(body, first);
            let mark = memchr3(0, b'#', b':', &body[first..end]).map_or(end, |at| first + at);
            let (colon, end) = match body.get(mark)? {
                b':' => (Some(mark), memchr2(0, b'#', &body[mark..end]).map_or(end, |at| mark + at)),
                _ => (None, mark),
            };
            if *body.get(end)? == 0 {
                return None;
            }
            (colon, end, next?)
        };
        let text = lines::trim(body, first, end, self.dialect.trim);
        if next > limit || text.is_empty() {
            return None;
        }
        self.content(lines::record(body, text, colon, self.dialect), number);
        Some(next)
    }
}

#[inline(always)]
fn skip_white(body: &[u8], mut at: usize) -> usize {
    const SPACES: u64 = u64::from_le_bytes([b' '; 8]);
    loop {
        if let Some(octets) = body.get(at..).and_then(|rest| rest.first_chunk()) {
            at += ((u64::from_le_bytes(*octets) ^ SPACES).trailing_zeros() / 8) as usize;
        }
        match body.get(at) {
            Some(b' ' | b'\t') => at += 1,
            _ => return at,
        }
    }
}

// Bit 0x20 turns upper-case letters, and no octet else, into lower-case letters; `-` and `:` must not be touched.

#[inline(always)]
fn first_word(text: &[u8]) -> u64 {
    text.first_chunk().map_or(0, |octets| u64::from_le_bytes(*octets))
}

#[inline(always)]
fn is_disallow(word: u64) -> bool {
    word | 0x2020_2020_2020_2020 == u64::from_le_bytes(*b"disallow")
}

#[inline(always)]
fn is_allow(word: u64) -> bool {
    (word | 0x0020_2020_2020) & 0xFFFF_FFFF_FFFF == u64::from_le_bytes(*b"allow:\0\0")
}

#[inline(always)]
fn is_user_agent(word: u64) -> bool {
    word | 0x2020_2000_2020_2020 == u64::from_le_bytes(*b"user-age")
}

#[inline(always)]
fn is_sitemap(word: u64) -> bool {
    word | 0x0020_2020_2020_2020 == u64::from_le_bytes(*b"sitemap:")
}

/// The value behind a colon, and where the next line starts; both before `limit`.
#[inline(always)]
fn value(body: &[u8], behind_colon: usize, limit: usize) -> Option<(ByteSpan, usize)> {
    let mut start = behind_colon + usize::from(body.get(behind_colon) == Some(&b' '));
    let mut at = start;
    let (end, next) = loop {
        let low = low_octet(body, at)?;
        let octet = body[low];
        if octet == b'\n' {
            break (low, low + 1);
        } else if octet == b'\r' {
            break (low, low + 1 + usize::from(body.get(low + 1) == Some(&b'\n')));
        } else if octet == b' ' || octet == b'\t' {
            at = skip_white(body, low);
            if low == start {
                start = at;
            } else if let b'\n' | b'\r' | b'#' = body.get(at)? {
                break (low, lines::line_at(body, at).next?);
            }
        } else if octet == b'#' {
            break (low, lines::line_at(body, low).next?);
        } else if octet == b'!' || octet == b'"' {
            at = low + 1;
        } else {
            return None;
        }
    };
    // an empty value stands right behind the colon
    let (start, end) = if start == end { (behind_colon, behind_colon) } else { (start, end) };
    (next <= limit).then_some((ByteSpan { start: start as u32, end: end as u32 }, next))
}

/// The first place from `from` on where an octet below 0x24 stands; `None` where the body ends first.
///
/// All octets that can end a value are below: NUL, TAB, LF, VT, FF, CR, SP and `#`; `!` and `"` are too, and the caller passes over them.
/// Eight octets at a time: in the difference of an octet and 0x24 the high bit is set for octets below 0x24 and from 0xA4, and the
/// latter have their own high bit set. A borrow only spoils octets behind a hit.
#[inline(always)]
fn low_octet(body: &[u8], from: usize) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let hits = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        ((word.wrapping_sub(EACH * 0x24) & !word & (EACH * 0x80)) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    let (blocks, rest) = body.get(from..)?.as_chunks::<32>();
    let mut at = from;
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        let [a, b, c, d] = words else { return None };
        let mask = hits(a) | hits(b) << 8 | hits(c) << 16 | hits(d) << 24;
        if mask != 0 {
            return Some(at + mask.trailing_zeros() as usize);
        }
        at += 32;
    }
    rest.iter().position(|&octet| octet < 0x24).map(|offset| at + offset)
}
