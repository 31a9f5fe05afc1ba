//! Byte classes of paths: which bytes keep a path from being normalized as written.
//!
//! A path such as `/shop/cart?x=1` holds no byte that any normalization changes. One pass without a branch shows that
//! for nearly every URL of a crawl; all others take the slow path, which reads byte by byte. A false positive here
//! only costs time.
//!
//! | bytes | why they are looked for |
//! |---|---|
//! | controls, space, `"`, `<`, `>`, `` ` ``, `{`, `}`, `^`, DEL, from 0x80 | percent-encoded |
//! | `'` | percent-encoded in a query |
//! | `#` | starts the fragment |
//! | `%` | starts an escape |
//! | `\` | is a slash |
//! | `/.` | may start a dot segment |
//! | `*`, `$` | percent-encoded in the canonical form |

use crate::PathForm;

/// Reports whether a path is normalized as written. Can return `false` for a path that would not change.
#[inline]
pub(crate) fn is_normalized(path: &[u8], form: PathForm) -> bool {
    match form {
        PathForm::Escaped => !any_pair(path, changes_escaped),
        PathForm::Canonical { .. } => !any_pair(path, |byte| changes_escaped(byte) | (byte == b'*') | (byte == b'$')),
    }
}

/// Reports whether a path is normalized as written, exactly: byte by byte, for the paths that
/// [`is_normalized`] is not sure of.
#[inline(never)]
pub(crate) fn is_normalized_exactly(path: &[u8], form: PathForm) -> bool {
    let (canonical, decodes_query) = match form {
        PathForm::Escaped => (false, false),
        PathForm::Canonical { query_reserved } => (true, query_reserved),
    };
    let mut in_query = false;
    let mut rest = path;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        let stays = match byte {
            0..=0x20 | 0x7F.. | b'"' | b'<' | b'>' | b'#' => false,
            b'`' | b'{' | b'}' => in_query && !canonical,
            b'\'' => !in_query || decodes_query,
            b'\\' => in_query && !canonical,
            b'^' | b'|' | b'*' | b'$' => !canonical,
            b'%' => match escaped_byte(tail) {
                None => true,
                Some(value) => {
                    let is_unreserved = value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~');
                    let is_decoded = canonical && (is_unreserved || (in_query && decodes_query && is_reserved(value)));
                    let is_upper = !tail.iter().take(2).any(u8::is_ascii_lowercase);
                    is_upper && !is_decoded
                }
            },
            b'/' if !in_query => !starts_with_dot_segment(tail),
            b'?' => {
                in_query = true;
                true
            }
            _ => true,
        };
        if !stays {
            return false;
        }
    }
    true
}

/// Returns the byte that the two hex digits at the start of `digits` stand for.
fn escaped_byte(digits: &[u8]) -> Option<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let [high, low, ..] = digits else { return None };
    Some((value(*high)? << 4 | value(*low)?) as u8)
}

/// Reports whether a byte is reserved and can be data in a query. `&` and `=` never are: they structure the query.
const fn is_reserved(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'?' | b'@' | b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b'+' | b',' | b';')
}

/// Reports whether a path segment is `.` or `..`, escaped or not (WHATWG URL standard, path state).
#[must_use]
pub(crate) fn starts_with_dot_segment(segment: &[u8]) -> bool {
    let dot = |text: &[u8]| match text {
        [b'.', ..] => 1,
        [b'%', b'2', b'e' | b'E', ..] => 3,
        _ => 0,
    };
    let first = dot(segment);
    let second = dot(segment.get(first..).unwrap_or_default());
    let ends = |length: usize| matches!(segment.get(length..), Some([] | [b'/' | b'\\' | b'?' | b'#', ..]));
    first > 0 && (ends(first) || (second > 0 && ends(first + second)))
}

/// Reports whether normalization may change a byte of a path, or stops at it, in every form.
///
/// Written for vectors of bytes: neighbours in one comparison, no table. Beyond the bytes of the table above it holds
/// for `!`, `~` and `|`.
#[inline(always)]
const fn changes_escaped(byte: u8) -> bool {
    // As a signed number, bytes from 0x80 are below all others.
    let outside = ((byte as i8) < 0x24) | ((byte as i8) > 0x7A);
    outside | (byte | 0x02 == 0x27) | (byte | 0x62 == 0x7E) | (byte == b'`')
}

/// Reports whether `wanted` holds for a byte of `text`, or `/.` occurs in it. There is no branch in the loop, so that
/// sixteen bytes are checked together.
#[inline(always)]
fn any_pair(text: &[u8], wanted: impl Fn(u8) -> bool) -> bool {
    let is_dot = |byte: u8, next: u8| (byte ^ b'/') | (next ^ b'.') == 0;
    let Some((last, before)) = text.split_last() else { return false };
    let nexts = text.get(1..).unwrap_or_default();
    let (Some(end), Some(end_nexts)) = (before.last_chunk::<16>(), nexts.last_chunk::<16>()) else {
        return wanted(*last) || before.iter().zip(nexts).any(|(byte, next)| wanted(*byte) | is_dot(*byte, *next));
    };
    let mut seen = [false; 16];
    let chunks = before.as_chunks::<16>().0.iter().zip(nexts.as_chunks::<16>().0);
    for (chunk, next_chunk) in chunks.chain([(end, end_nexts)]) {
        for ((seen, byte), next) in seen.iter_mut().zip(chunk).zip(next_chunk) {
            *seen |= wanted(*byte) | is_dot(*byte, *next);
        }
    }
    wanted(*last) || seen.contains(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow and plain form of the table above, and the three bytes that are flagged beside it.
    fn is_listed(byte: u8, canonical: bool) -> bool {
        let common = matches!(byte, 0..=0x20 | 0x7F.. | b'"' | b'<' | b'>' | b'`' | b'{' | b'}' | b'^')
            || matches!(byte, b'\'' | b'#' | b'%' | b'\\' | b'!' | b'~' | b'|');
        common || (canonical && matches!(byte, b'*' | b'$'))
    }

    #[test]
    fn classes_agree_with_their_table() {
        for byte in 0..=u8::MAX {
            assert_eq!(changes_escaped(byte), is_listed(byte, false), "{byte:#x}");
        }
    }
}
