//! White space at the ends of keys and values.

use crate::dialect::Trim;
use crate::parse::marks::gaps_in;
use crate::span::ByteSpan;

/// Returns `start..end` without white space at either end.
pub(crate) fn trim(body: &[u8], mut start: usize, mut end: usize, trim: Trim) -> ByteSpan {
    while start < end && is_white(body[start], trim) {
        start += gaps_in(body, start).map_or(1, |gaps| gaps.trailing_ones().max(1) as usize);
    }
    start = start.min(end);
    while start < end && is_white(body[end - 1], trim) {
        end -= 1;
    }
    ByteSpan { start: start as u32, end: end as u32 }
}

const fn is_white(byte: u8, trim: Trim) -> bool {
    match byte {
        b' ' | b'\t' => true,
        b'\n' | b'\r' | 0x0B | 0x0C => matches!(trim, Trim::AsciiWhiteSpace),
        _ => false,
    }
}
