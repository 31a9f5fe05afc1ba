//! Patterns with letters and signs as URLs contain them: without what cannot be seen, without quotes, in UTF-8.

use super::folded::decoded;
use crate::lint::dead_pattern::unquoted;
use crate::text::encoding::{encoded_once, is_western, windows_1252};
use crate::text::lookalike::{Lookalike, is_quote, lookalike, typed};

/// Without blanks and characters that cannot be seen, and with the signs that others look like or were typed for.
pub(super) fn without_unseen(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut without = Vec::with_capacity(pattern.len());
    let mut with_blanks = Vec::with_capacity(pattern.len());
    let mut at = 0;
    while at < pattern.len() {
        let (char, length) = decoded(&pattern[at..]);
        let written = &pattern[at..at + length];
        match (char, lookalike(char, true)) {
            (' ' | '\t', _) | (_, Some(Lookalike::Blank)) => with_blanks.extend_from_slice(b"%20"),
            (_, Some(Lookalike::Nothing)) => {}
            (_, Some(Lookalike::Sign(sign))) => {
                let mut bytes = [0; 4];
                without.extend_from_slice(sign.encode_utf8(&mut bytes).as_bytes());
                with_blanks.extend_from_slice(sign.encode_utf8(&mut bytes).as_bytes());
            }
            _ => {
                let written = typed(char).map_or(written, str::as_bytes);
                without.extend_from_slice(written);
                with_blanks.extend_from_slice(written);
            }
        }
        at += length;
    }
    let both = if with_blanks == without { vec![without] } else { vec![without, with_blanks] };
    both.into_iter().filter(|text| !text.is_empty()).collect()
}

/// Without quotes or brackets around it.
pub(super) fn without_quotes(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut text = pattern;
    while let (char, length) = decoded(text)
        && is_quote(char)
    {
        text = &text[length..];
    }
    // The quotes of text programs are not ASCII: three bytes, each with an escape.
    while let Some(start) = [9, 3, 6, 2].into_iter().find_map(|length| {
        let at = text.len().checked_sub(length)?;
        let (char, read) = decoded(&text[at..]);
        (is_quote(char) && read == length).then_some(at)
    }) {
        text = &text[..start];
    }
    let text = std::str::from_utf8(text).map_or(text, |text| unquoted(text).as_bytes());
    if text.len() == pattern.len() || text.is_empty() { Vec::new() } else { vec![text.to_vec()] }
}

/// In UTF-8, read as windows-1252, or as it was before it was encoded twice.
pub(super) fn in_utf8(pattern: &[u8]) -> Vec<Vec<u8>> {
    let bytes = unescaped(pattern);
    if bytes.is_ascii() {
        return Vec::new();
    }
    let meant = match std::str::from_utf8(&bytes) {
        Ok(text) => encoded_once(text),
        Err(_) => is_western(&bytes).then(|| windows_1252(&bytes)),
    };
    let escaped = |text: String| {
        let escape = |byte: u8| if byte.is_ascii() { vec![byte] } else { format!("%{byte:02X}").into_bytes() };
        text.bytes().flat_map(escape).collect()
    };
    meant.map(escaped).into_iter().collect()
}

/// Reports whether a pattern has letters in another encoding, or quotes that are not ASCII around it.
pub(super) fn has_other_letters(pattern: &[u8]) -> bool {
    let bytes = unescaped(pattern);
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.is_ascii() => false,
        Ok(text) => text.starts_with(is_quote) || text.ends_with(is_quote) || encoded_once(text).is_some(),
        Err(_) => true,
    }
}

/// Returns a pattern with the escapes of bytes that are no ASCII read.
fn unescaped(pattern: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut out = Vec::with_capacity(pattern.len());
    let mut rest = pattern;
    while let [first, after @ ..] = rest {
        let escape = match rest {
            [b'%', high, low, ..] => digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        match escape.filter(|byte| !byte.is_ascii()) {
            Some(byte) => {
                out.push(byte);
                rest = &rest[3..];
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_as_urls_contain_them() {
        let text = |found: Vec<Vec<u8>>| {
            found.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect::<Vec<_>>().join(" ")
        };
        for (found, wanted) in [
            (without_unseen(b"%E2%80%8B/x/"), "/x/"),
            (without_unseen(b"%C2%A0/my files/"), "/myfiles/ %20/my%20files/"),
            (without_unseen(b"%EF%BC%8Fx"), "/x"),
            (without_quotes(b"%E2%80%9C/x/%E2%80%9D"), "/x/"),
            (without_quotes("\u{201C}/x/\u{201D}".as_bytes()), "/x/"),
            (without_quotes(b"%C2%AB/x/%C2%BB"), "/x/"),
            (without_quotes(b"\"/x/\""), "/x/"),
            (without_quotes(b"[/x/]"), "/x/"),
            (without_quotes(b"/x/(y)"), ""),
            (without_quotes(b"/x/"), ""),
            (without_quotes(b"\"\""), ""),
            (in_utf8(b"/stra%DFe"), "/stra%C3%9Fe"),
            (in_utf8(b"/stra\xDFe"), "/stra%C3%9Fe"),
            (in_utf8(b"/caf%C3%83%C2%A9"), "/caf%C3%A9"),
            (in_utf8(b"/caf%C3%A9"), ""),
            (in_utf8(b"/%2F%zz%"), ""),
        ] {
            assert_eq!(text(found), wanted);
        }
    }
}
