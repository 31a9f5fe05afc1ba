//! Patterns with letters and signs as URLs contain them: without what cannot be seen, without quotes, in UTF-8.

use super::folded::decoded;
use crate::lint::dead_pattern::unquoted;
use crate::text::composed::{composed, decomposed, of_entity};
use crate::text::encoding::{encoded_once, is_western, windows_1252};
use crate::text::escapes::{escape_letters, unescape_letters};
use crate::text::lookalike::{Lookalike, is_quote, lookalike, typed};

/// The maximum number of bytes of the name of an entity, and one more.
const MAX_ENTITY: usize = 10;

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

/// With its letters as a path has them: in UTF-8 or in Latin-1, and with marks in one character or in two.
pub(super) fn in_letters_of(pattern: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let mut all = in_utf8(pattern);
    all.extend(without_entities(pattern));
    let bytes = unescape_letters(pattern);
    let is_escaped = path.contains(&b'%') || !path.is_ascii();
    let Some(text) = std::str::from_utf8(&bytes).ok().filter(|_| is_escaped) else { return all };
    all.extend(
        [composed(text), decomposed(text)]
            .into_iter()
            .filter(|new| new != text)
            .map(|text| escape_letters(text.as_bytes())),
    );
    let latin: Option<Vec<u8>> = text.chars().map(|char| u8::try_from(u32::from(char)).ok()).collect();
    all.extend(latin.filter(|_| !text.is_ascii()).map(|bytes| escape_letters(&bytes)));
    all
}

/// With the letters that entities of HTML stand for: `/m&uuml;ller/`; none if it has no such entity.
pub(super) fn without_entities(pattern: &[u8]) -> Option<Vec<u8>> {
    let mut written = Vec::with_capacity(pattern.len());
    let mut has_entity = false;
    let mut rest = pattern;
    while let [first, after @ ..] = rest {
        let name = after.iter().take(MAX_ENTITY).position(|byte| *byte == b';').filter(|_| *first == b'&');
        let name = name.and_then(|end| std::str::from_utf8(&after[..end]).ok());
        match name.and_then(|name| Some((name.len() + 1, of_entity(name)?))) {
            Some((length, letter)) => {
                has_entity = true;
                written.extend(escape_letters(letter.to_string().as_bytes()));
                rest = &after[length..];
            }
            None => {
                written.push(*first);
                rest = after;
            }
        }
    }
    has_entity.then_some(written)
}

/// With escapes that were escaped again as they were before: `%25C3` is `%C3`.
pub(super) fn escaped_once(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut written = Vec::with_capacity(pattern.len());
    let mut rest = pattern;
    while let [first, after @ ..] = rest {
        let is_twice =
            matches!(rest, [b'%', b'2', b'5', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
        written.push(*first);
        rest = if is_twice { &after[2..] } else { after };
    }
    if written.len() == pattern.len() { Vec::new() } else { vec![written] }
}

/// In UTF-8, read as windows-1252, or as it was before it was encoded twice.
pub(super) fn in_utf8(pattern: &[u8]) -> Vec<Vec<u8>> {
    let bytes = unescape_letters(pattern);
    if bytes.is_ascii() {
        return Vec::new();
    }
    let meant = match std::str::from_utf8(&bytes) {
        Ok(text) => encoded_once(text),
        Err(_) => is_western(&bytes).then(|| windows_1252(&bytes)),
    };
    meant.map(|text| escape_letters(text.as_bytes())).into_iter().collect()
}

/// Reports whether a pattern has letters in another encoding, or quotes that are not ASCII around it.
pub(super) fn has_other_letters(pattern: &[u8]) -> bool {
    let bytes = unescape_letters(pattern);
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.is_ascii() => false,
        Ok(text) => text.starts_with(is_quote) || text.ends_with(is_quote) || encoded_once(text).is_some(),
        Err(_) => true,
    }
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
            (in_letters_of(b"/caf%C3%A9", b"/cafe%CC%81"), "/cafe%CC%81 /caf%E9"),
            (in_letters_of(b"/cafe%CC%81", b"/caf%C3%A9"), "/caf%C3%A9"),
            (in_letters_of(b"/m&uuml;ller&x;", b"/m%C3%BCller"), "/m%C3%BCller&x;"),
            (escaped_once(b"/caf%25C3%25A9/%25"), "/caf%C3%A9/%25"),
            (escaped_once(b"/caf%C3%A9"), ""),
        ] {
            assert_eq!(text(found), wanted);
        }
    }
}
