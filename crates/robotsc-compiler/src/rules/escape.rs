//! One form for bytes that can be written in several: percent escapes in patterns and paths.
//!
//! Two forms exist. The *escaped* form is robots.cc's: bytes from 0x80 become `%XX`, the hex digits of an escape become
//! upper case, nothing else changes. The *canonical* form is that of RFC 9309 section 2.2.2, see [`canonical`].

use robotsc_runtime::{escaped_byte, is_query_data, is_unreserved};

/// The upper-case hex digits.
const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Whether a string is a pattern, in which `*` and a last `$` have a meaning, or a path, in which they are bytes like
/// others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Pattern,
    Path,
}

/// What the canonical form does with a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    /// Stands as it is.
    Plain = 0,
    /// Controls, space, ``"<>\^`{|}`` and bytes from 0x80: always escaped.
    Escaped = 1,
    /// `%`: begins an escape, or stands as it is.
    Percent = 2,
    /// `*` and `$`: escaped where they stand for themselves.
    Special = 4,
    /// `?`: the first begins the query; as [`Class::Reserved`] after that.
    Question = 8,
    /// Reserved bytes that can be data in a query: their escapes are decoded there if the dialect says so. (Those of
    /// `&` and `=` never are: these two give the query its shape.)
    Reserved = 16,
    /// `#`: stands as it is, but is in no path: the quick looks stop at it.
    Hash = 32,
}

impl Class {
    /// The classes whose bytes change wherever they stand, save that `*` and `$` have a meaning in patterns; and `#`.
    const CHANGES: u8 = Self::Escaped as u8 | Self::Percent as u8 | Self::Special as u8 | Self::Hash as u8;
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0..=0x20 | 0x7F..=0xFF | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => Class::Escaped,
            b'%' => Class::Percent,
            b'#' => Class::Hash,
            b'*' | b'$' => Class::Special,
            b'?' => Class::Question,
            b':' | b'/' | b'@' | b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b'+' | b',' | b';' => Class::Reserved,
            _ => Class::Plain,
        };
        byte += 1;
    }
    table
};

/// Returns the value of the two hex digits at the start of `digits`, or `None` if there are none.
fn hex_pair(digits: &[u8]) -> Option<u8> {
    digits.first_chunk().and_then(escaped_byte).map(|escaped| escaped.value)
}

pub(crate) fn push_escape(byte: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&[b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
}

/// Reports whether [`escaped`] would change `text`. Exact: `%AF` alone is no reason.
pub(crate) fn escaped_differs(text: &[u8]) -> bool {
    if !text.is_ascii() {
        return true;
    }
    // Without a branch in the loop: where there is one escape there are often many.
    let (Some(high), Some(low)) = (text.get(1..), text.get(2..)) else { return false };
    text.iter().zip(high).zip(low).fold(false, |differs, ((percent, high), low)| {
        let are_digits = is_hex_digit(*high) & is_hex_digit(*low);
        let is_lower = (*high >= b'a') | (*low >= b'a');
        differs | ((*percent == b'%') & are_digits & is_lower)
    })
}

/// Reports whether a byte is a hex digit, without a branch.
const fn is_hex_digit(byte: u8) -> bool {
    (byte.wrapping_sub(b'0') < 10) | ((byte | 0x20).wrapping_sub(b'a') < 6)
}

/// Reports whether [`escaped`] could change `text`: whether it holds a `%` or a byte from 0x80. For short texts, such
/// as most patterns.
#[inline]
pub(crate) fn escaped_may_differ(text: &[u8]) -> bool {
    const LOW: u64 = u64::MAX / 255;
    const HIGH: u64 = LOW << 7;
    // Eight bytes at once: the high bit of each is set where it is set in the byte, or where the byte is `%`.
    let signs = |word: u64| {
        let percent = word ^ (LOW * b'%' as u64);
        (word | percent.wrapping_sub(LOW) & !percent) & HIGH
    };
    let (words, rest) = text.as_chunks::<8>();
    let in_words = words.iter().fold(0, |seen, word| seen | signs(u64::from_le_bytes(*word)));
    let in_rest = match text.last_chunk::<8>() {
        Some(last) => signs(u64::from_le_bytes(*last)),
        None => rest.iter().fold(0, |seen, &byte| seen | u64::from(byte == b'%' || byte >= 0x80)),
    };
    in_words | in_rest != 0
}

/// Appends the escaped form of `text`, as robots.cc's `MaybeEscapePattern` returns it.
pub(crate) fn escaped(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match (byte, hex_pair(tail)) {
            (b'%', Some(value)) => {
                push_escape(value, out);
                rest = &tail[2..];
            }
            (0x80.., _) => push_escape(*byte, out),
            _ => out.push(*byte),
        }
    }
}

/// Reports whether `wanted` holds for any byte of `text`. Without a branch in the loop, so that sixteen bytes are
/// looked at together.
#[inline]
fn any_byte(text: &[u8], wanted: impl Fn(u8) -> bool) -> bool {
    let Some(last) = text.last_chunk::<16>() else { return text.iter().any(|&byte| wanted(byte)) };
    let mut seen = [false; 16];
    let (chunks, _) = text.as_chunks::<16>();
    for chunk in chunks.iter().chain([last]) {
        for (seen, byte) in seen.iter_mut().zip(chunk) {
            *seen |= wanted(*byte);
        }
    }
    seen.contains(&true)
}

/// Reports whether a byte is one of [`Class::CHANGES`].
#[inline]
fn may_change(byte: u8) -> bool {
    // Written for vectors of bytes: neighbours in one comparison, no table.
    (byte <= b' ')
        | (byte.wrapping_sub(b'"') <= b'%' - b'"')
        | (byte == b'*')
        | (byte | 2 == b'>')
        | (byte | 2 == b'^')
        | (byte == b'`')
        | ((byte >= b'{') & (byte != b'~'))
}

/// Reports whether [`canonical`] could change `text`, or `text` holds a `#`. If neither is so, returns `false` for
/// sure.
#[inline]
pub(crate) fn canonical_may_differ(text: &[u8], side: Side) -> bool {
    let is_path = side == Side::Path;
    // Wildcards and the anchor stay in a pattern; a `$` before its end does not.
    let body = if is_path { text } else { text.strip_suffix(b"$").unwrap_or(text) };
    if body.len() < 16 {
        // Too short for vectors.
        let changes = |byte: u8| CLASS[usize::from(byte)] as u8 & Class::CHANGES != 0 && (is_path || byte != b'*');
        body.iter().any(|&byte| changes(byte))
    } else if is_path {
        any_byte(body, may_change)
    } else {
        any_byte(body, |byte| may_change(byte) & (byte != b'*'))
    }
}

/// Appends the canonical form of `text`:
///
/// 1. escapes of unreserved bytes are decoded, the hex digits of all others become upper case; a `%` without two hex
///    digits stays;
/// 2. controls, space, ``"<>\^`{|}`` and bytes from 0x80 are escaped;
/// 3. `*` and `$` are escaped where they stand for themselves: anywhere in a path, a `$` before the end of a pattern;
/// 4. with `query_reserved`, the escapes of ``:/?@[]!'()+,;`` are decoded after the first `?`, so that these bytes
///    equal their escapes there. They equal them nowhere else: a `/` in a path is never a `%2F`. (In a pattern, the
///    text before the first `?` can match in a query too: see [`query_patterns`].)
pub(crate) fn canonical(text: &[u8], side: Side, query_reserved: bool, out: &mut Vec<u8>) {
    let mut in_query = false;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        let escape = match CLASS[usize::from(*byte)] {
            Class::Plain | Class::Hash | Class::Reserved => false,
            Class::Escaped => true,
            Class::Percent => {
                match hex_pair(tail) {
                    Some(value) if is_unreserved(value) => out.push(value),
                    Some(value) if query_reserved && in_query && is_query_data(value) => out.push(value),
                    Some(value) => push_escape(value, out),
                    None => {
                        out.push(b'%');
                        continue;
                    }
                }
                rest = &tail[2..];
                continue;
            }
            Class::Special => side == Side::Path || (*byte == b'$' && !tail.is_empty()),
            Class::Question => {
                in_query = true;
                false
            }
        };
        if escape {
            push_escape(*byte, out);
        } else {
            out.push(*byte);
        }
    }
}

/// The maximum number of `*` for which [`query_patterns`] is exact.
const MAX_CROSSINGS: usize = 8;

/// Returns what a canonical pattern means in addition to itself, under `query_reserved`: patterns for paths whose query
/// begins before an escape such as `%2F`, where that escape is decoded.
///
/// The text of a pattern after its first `?` always matches in the query of a path, so [`canonical`] decodes escapes
/// there. The text before it matches outside the query, unless a `*` matches the path's first `?`: `/*%2Fprint` means
/// `/a%2Fprint`, and also `/a?u=/print`. So each `*` that precedes such an escape has a pattern of its own, in which it
/// matches the `?` and all escapes after it are decoded: here `/*?*/print`. Outside the query `%2F` never equals `/`.
///
/// A pattern with more than [`MAX_CROSSINGS`] such `*` has one that matches more instead, with `*` for each escape, if
/// `is_disallow`, and none otherwise: it can only disallow too much.
///
/// Cost: linear, and without allocation for a pattern without escapes after a `*`; else at most [`MAX_CROSSINGS`] times
/// the pattern, none of the results longer than it.
pub(crate) fn query_patterns(pattern: &[u8], is_disallow: bool) -> Vec<Vec<u8>> {
    let head = memchr::memchr(b'?', pattern).map_or(pattern, |at| &pattern[..at]);
    let rest = &pattern[head.len()..];
    let Some(first) = memchr::memchr(b'*', head) else { return Vec::new() };
    let escape_at = |at: usize| match &head[at..] {
        [b'%', digits @ ..] => hex_pair(digits).filter(|value| is_query_data(*value)),
        _ => None,
    };
    let Some(last) = memchr::memrchr_iter(b'%', head).find(|at| escape_at(*at).is_some()) else { return Vec::new() };
    let decoded = |start: usize, decode: &dyn Fn(u8) -> u8, out: &mut Vec<u8>| {
        let mut at = start;
        while at < head.len() {
            let value = escape_at(at);
            out.push(value.map_or(head[at], decode));
            at += if value.is_some() { 3 } else { 1 };
        }
        out.extend_from_slice(rest);
    };
    // Of stars in a row the last stands for all.
    let crossings = || memchr::memchr_iter(b'*', &head[..last]).filter(|at| head[at + 1] != b'*');
    if crossings().count() > MAX_CROSSINGS {
        let mut wide = head[..first].to_vec();
        decoded(first, &|_| b'*', &mut wide);
        return if is_disallow { vec![wide] } else { Vec::new() };
    }
    let crossing = |star: usize| {
        let mut pattern = [&head[..star], b"*?*"].concat();
        decoded(star + 1, &|value| value, &mut pattern);
        pattern
    };
    crossings().map(crossing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_looks_agree_with_the_classes() {
        for byte in 0..=u8::MAX {
            let class = CLASS[usize::from(byte)];
            assert_eq!(may_change(byte), class as u8 & Class::CHANGES != 0, "{byte:#x}");
            assert_eq!(is_query_data(byte), matches!(class, Class::Question | Class::Reserved), "{byte:#x}");
            // At every place of a short, a whole and an uneven text.
            for (len, at) in [(1, 0), (15, 14), (16, 0), (16, 15), (17, 16), (40, 0), (40, 31), (40, 32), (40, 39)] {
                let mut text = vec![b'a'; len];
                text[at] = byte;
                assert_eq!(escaped_may_differ(&text), byte == b'%' || !byte.is_ascii(), "{byte:#x} {len} {at}");
            }
        }
    }

    #[test]
    fn where_nothing_can_change_nothing_does() {
        let alphabet = b"a/?:$*%1#\x80";
        for number in 0..alphabet.len().pow(5) {
            let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            let text: Vec<u8> = (0..5).map(digit).collect();
            let mut form = Vec::new();
            escaped(&text, &mut form);
            assert_eq!(escaped_differs(&text), form != text, "{}", text.escape_ascii());
            assert!(escaped_may_differ(&text) || form == text, "{}", text.escape_ascii());
            for (side, query_reserved) in
                [(Side::Path, true), (Side::Path, false), (Side::Pattern, true), (Side::Pattern, false)]
            {
                form.clear();
                canonical(&text, side, query_reserved, &mut form);
                let may_differ = canonical_may_differ(&text, side);
                assert!(may_differ || form == text, "{}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn each_star_before_an_escape_can_match_the_question_mark() {
        for (pattern, others) in [
            ("/a%2Fb", &[][..]),
            ("/a%2Fb*c", &[]),
            ("/*%2A%26%25", &[]),
            ("/*?a%2F", &[]),
            ("/*%2Fprint", &["/*?*/print"]),
            ("*%3A$", &["*?*:$"]),
            ("/**%2F*a", &["/**?*/*a"]),
            ("/*a*%2F?b", &["/*?*a*/?b", "/*a*?*/?b"]),
            ("/*%2Fa*%3Ab", &["/*?*/a*:b", "/*%2Fa*?*:b"]),
        ] {
            let found = query_patterns(pattern.as_bytes(), true);
            let found: Vec<_> = found.iter().map(|pattern| String::from_utf8_lossy(pattern)).collect();
            assert_eq!(found, others, "{pattern}");
            for other in &found {
                assert!(other.len() <= pattern.len(), "{other} {pattern}");
            }
        }
        let many = format!("/%2F{}%2Fb", "*a".repeat(MAX_CROSSINGS + 1));
        let wide = format!("/%2F{}*b", "*a".repeat(MAX_CROSSINGS + 1));
        assert_eq!(query_patterns(many.as_bytes(), true), [wide.into_bytes()]);
        assert!(query_patterns(many.as_bytes(), false).is_empty());
    }

    #[test]
    fn either_digit_of_an_escape_in_lower_case_differs() {
        for (text, differs) in
            [("%Aa", true), ("%aA", true), ("%AA", false), ("%1a", true), ("%a", false), ("%ag", false)]
        {
            assert_eq!(escaped_differs(text.as_bytes()), differs, "{text}");
        }
    }
}
