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
///
/// Cost: one look at each byte, in a table; three bytes at once of an escape.
#[inline(never)]
pub(crate) fn is_normalized_exactly(path: &[u8], form: PathForm) -> bool {
    let (canonical, decodes_query) = match form {
        PathForm::Escaped => (false, false),
        PathForm::Canonical { query_reserved } => (true, query_reserved),
    };
    let mut in_query = false;
    let mut rest = path;
    let mut plain = 0;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        let stays = match ACTIONS[usize::from(*byte)] {
            Action::Stay => {
                plain += 1;
                if plain == PLAIN_BEFORE_CHUNKS {
                    plain = 0;
                    rest = after_plain_chunks(rest);
                }
                continue;
            }
            Action::Escape => match tail.first_chunk().and_then(escaped_byte) {
                None => true,
                Some(escaped) => {
                    rest = tail.get(2..).unwrap_or_default();
                    let Escaped { value, is_upper } = escaped;
                    let is_decoded =
                        canonical && (is_unreserved(value) || (in_query && decodes_query && is_reserved(value)));
                    is_upper && !is_decoded
                }
            },
            Action::Slash => in_query || !starts_with_dot_segment(tail),
            Action::StartQuery => {
                in_query = true;
                true
            }
            Action::Change => false,
            Action::ChangeInPath => in_query && !canonical,
            Action::ChangeInQuery => !in_query || decodes_query,
            Action::ChangeIfCanonical => !canonical,
        };
        plain = 0;
        if !stays {
            return false;
        }
    }
    true
}

/// The number of bytes in a row that stay after which more of them are likely, so that sixteen are checked at once.
const PLAIN_BEFORE_CHUNKS: u32 = 8;

/// Returns what follows the chunks of sixteen bytes that hold nothing but bytes that stay, in every form, and slashes
/// that start no dot segment.
fn after_plain_chunks(mut rest: &[u8]) -> &[u8] {
    while let Some(chunk) = rest.first_chunk::<17>() {
        let mut seen = [false; 16];
        for ((seen, byte), next) in seen.iter_mut().zip(chunk).zip(&chunk[1..]) {
            let starts_dots = (*byte == b'/') & ((*next == b'.') | (*next == b'%'));
            *seen = changes_escaped(*byte) | (*byte == b'*') | (*byte == b'$') | (*byte == b'?') | starts_dots;
        }
        if seen.contains(&true) {
            break;
        }
        rest = &rest[16..];
    }
    rest
}

/// What normalization does about a byte.
#[derive(Clone, Copy)]
enum Action {
    /// Nothing, in any form.
    Stay,
    /// It looks at the two digits that follow.
    Escape,
    /// It looks for a dot segment.
    Slash,
    StartQuery,
    /// It escapes the byte, or stops before it.
    Change,
    /// It changes the byte in the path; in the query in the canonical form alone.
    ChangeInPath,
    /// It changes the byte in the query, unless reserved bytes are decoded there.
    ChangeInQuery,
    ChangeIfCanonical,
}

const ACTIONS: [Action; 256] = {
    let mut actions = [Action::Stay; 256];
    let mut byte = 0;
    while byte < 256 {
        actions[byte] = match byte as u8 {
            b'%' => Action::Escape,
            b'/' => Action::Slash,
            b'?' => Action::StartQuery,
            b'`' | b'{' | b'}' | b'\\' => Action::ChangeInPath,
            b'\'' => Action::ChangeInQuery,
            b'^' | b'|' | b'*' | b'$' => Action::ChangeIfCanonical,
            0..=0x20 | 0x7F.. | b'"' | b'<' | b'>' | b'#' => Action::Change,
            _ => Action::Stay,
        };
        byte += 1;
    }
    actions
};

/// An escape that was read.
struct Escaped {
    value: u8,
    /// Whether neither of its digits is a letter in lower case.
    is_upper: bool,
}

/// Reads the two digits of an escape; `None` if they are not hexadecimal.
#[inline(always)]
const fn escaped_byte(digits: &[u8; 2]) -> Option<Escaped> {
    let (high, low) = (DIGITS[digits[0] as usize], DIGITS[digits[1] as usize]);
    let both = high | low;
    if both & NO_DIGIT != 0 {
        return None;
    }
    Some(Escaped { value: high << 4 | low & 0x0F, is_upper: both & LOWER == 0 })
}

/// The bit of a byte in [`DIGITS`] that is no hexadecimal digit.
const NO_DIGIT: u8 = 0x80;
/// The bit of a letter in lower case.
const LOWER: u8 = 0x10;

/// The value of each hexadecimal digit.
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut byte = 0;
    while byte < 256 {
        digits[byte] = match byte as u8 {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'A'..=b'F' => digit - b'A' + 10,
            digit @ b'a'..=b'f' => (digit - b'a' + 10) | LOWER,
            _ => NO_DIGIT,
        };
        byte += 1;
    }
    digits
};

/// Reports whether RFC 3986 section 2.3 lists a byte as unreserved.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
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
