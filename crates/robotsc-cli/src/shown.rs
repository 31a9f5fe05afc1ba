//! Octets for people and for JSON. robots.txt and URLs are octets, not text: what is no printable UTF-8 is shown by
//! escapes.

use base64::Engine as _;
use serde_json::{Map, Value};

/// Octets as text on one line: controls and what is no UTF-8 as `\n` or `\xff`, a backslash as `\\`, all else as it
/// stands.
pub(crate) fn octets(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        for char in chunk.valid().chars() {
            push(&mut text, char);
        }
        for octet in chunk.invalid() {
            push_octet(&mut text, *octet);
        }
    }
    text
}

/// Text on one line: what could move a terminal's cursor is escaped.
pub(crate) fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if is_unprintable(char) {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Octets as text on one line, cut in the middle where they are longer than `most` characters.
pub(crate) fn cut(given: &[u8], most: usize) -> String {
    let text = octets(given);
    let length = text.chars().count();
    if length <= most {
        return text;
    }
    let head: String = text.chars().take(most / 2).collect();
    let tail: String = text.chars().skip(length - (most - most / 2)).collect();
    format!("{head}…{tail}")
}

/// The length that ranks a rule, in octets; `None` for one that stands above all lengths.
pub(crate) fn length(length: u32) -> Option<u32> {
    // What a compiled program can record.
    const LONGEST: u32 = (1 << 30) - 1;
    (length < LONGEST).then_some(length)
}

/// One octet of a line as it is shown, added to `text`: what [`octets`] shows for it where it is no part of a printable
/// character.
fn push_octet(text: &mut String, octet: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    text.push_str("\\x");
    text.push(HEX[usize::from(octet >> 4)].into());
    text.push(HEX[usize::from(octet & 15)].into());
}

/// One character as it is shown, added to `text`.
fn push(text: &mut String, char: char) {
    match char {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        _ if char.is_ascii_control() => push_octet(text, char as u8),
        _ if is_unprintable(char) => text.extend(char.escape_unicode()),
        _ => text.push(char),
    }
}

/// Whether a character is a control or changes the direction of the text after it, which could make a line show what it
/// does not hold.
fn is_unprintable(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Puts octets into a JSON object: under `key` where they are UTF-8, else in base64 under `key_b64`.
pub(crate) fn put(object: &mut Map<String, Value>, key: &str, octets: &[u8]) {
    match str::from_utf8(octets) {
        Ok(text) => object.insert(key.to_owned(), text.into()),
        Err(_) => object.insert(format!("{key}_b64"), base64::engine::general_purpose::STANDARD.encode(octets).into()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_shown_on_one_line() {
        assert_eq!(octets("/ä\\b".as_bytes()), "/ä\\\\b");
        assert_eq!(octets(b"a\xff\0\n\x1b[1m"), "a\\xff\\x00\\n\\x1b[1m");
        assert_eq!(octets("\u{202e}x".as_bytes()), "\\u{202e}x");
        assert_eq!(cut(b"0123456789", 4), "01…89");
        assert_eq!(line("a\nb\\c"), "a\\nb\\c");
    }

    #[test]
    fn octets_that_are_no_utf8_are_base64_in_json() {
        let mut object = Map::new();
        put(&mut object, "url", b"/a");
        put(&mut object, "path", b"/\xff");
        assert_eq!(Value::Object(object).to_string(), r#"{"url":"/a","path_b64":"L/8="}"#);
    }
}
