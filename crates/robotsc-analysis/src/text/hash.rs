//! Values that a `#` right after them cuts.

use robotsc_compiler::ByteSpan;

/// Returns a value with what follows it up to a blank, if a `#` that is part of a path cuts it: `/#/cart` of `/`.
/// `/cart# closed` is a comment.
#[doc(hidden)]
#[must_use]
pub fn cut_by_hash(body: &[u8], value: ByteSpan) -> Option<&[u8]> {
    let (start, end) = (value.start as usize, value.end as usize);
    let [b'#', after @ ..] = body.get(end..)? else { return None };
    let is_end = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    after.first().filter(|byte| !is_end(byte) && **byte != b'#')?;
    let word = after.iter().position(is_end).unwrap_or(after.len());
    body.get(start..end + 1 + word)
}
