//! Bytes for people and for JSON. robots.txt and URLs are bytes, not text: what is no printable UTF-8 is escaped.

use std::borrow::Cow;

use base64::Engine as _;
use robotsc_analysis::words::is_unprintable;
use serde_json::{Map, Value};

/// Returns bytes as text on one line: controls and what is no UTF-8 as `\n` or `\xff`, a backslash as `\\`, everything
/// else unchanged.
pub fn bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            push(&mut text, char);
        }
        for byte in chunk.invalid() {
            push_byte(&mut text, *byte);
        }
    }
    text
}

/// Returns a URL as one column of a row. JSON and quoted fields can hold line ends and tabs: a URL that has one is
/// shown with escapes, so that no URL can look like two rows or two columns.
pub fn column(url: &[u8]) -> Cow<'_, [u8]> {
    match memchr::memchr3(b'\n', b'\t', b'\r', url) {
        None => Cow::Borrowed(url),
        Some(_) => Cow::Owned(bytes(url).into_bytes()),
    }
}

/// Returns a part of a line of a file as people see it there: as [`bytes`], but a backslash is one.
pub fn written(bytes: &[u8]) -> String {
    let text = self::bytes(bytes);
    // Each backslash of the text is two, and no escape begins with two.
    text.replace("\\\\", "\\")
}

/// Returns text on one line: what could move a terminal's cursor is escaped.
pub fn line(text: &str) -> String {
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

/// Returns a part of a line as [`written`] does, cut in the middle if it is longer than `limit` characters.
pub fn cut(text: &[u8], limit: usize) -> String {
    let text = written(text);
    let length = text.chars().count();
    if length <= limit {
        return text;
    }
    let head: String = text.chars().take(limit / 2).collect();
    let tail: String = text.chars().skip(length - (limit - limit / 2)).collect();
    format!("{head}…{tail}")
}

/// Returns the length that ranks a rule, in bytes; `None` for a rule that has priority over all lengths.
pub fn length(length: u32) -> Option<u32> {
    // The longest that a compiled program can record.
    const LONGEST: u32 = (1 << 30) - 1;
    (length < LONGEST).then_some(length)
}

/// Adds an escaped byte to `text`.
fn push_byte(text: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    text.push_str("\\x");
    text.push(HEX[usize::from(byte >> 4)].into());
    text.push(HEX[usize::from(byte & 15)].into());
}

/// Adds a character to `text`, escaped if need be.
fn push(text: &mut String, char: char) {
    match char {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        _ if char.is_ascii_control() => push_byte(text, char as u8),
        _ if is_unprintable(char) => text.extend(char.escape_unicode()),
        _ => text.push(char),
    }
}

/// Inserts bytes into a JSON object: under `key` if they are UTF-8, else in base64 under `key_b64`.
pub fn put(object: &mut Map<String, Value>, key: &str, bytes: &[u8]) {
    match str::from_utf8(bytes) {
        Ok(text) => object.insert(key.to_owned(), text.into()),
        Err(_) => object.insert(format!("{key}_b64"), base64::engine::general_purpose::STANDARD.encode(bytes).into()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_of_a_line_is_one() {
        assert_eq!(written(b"/a\\.b\\\\c\x1b\n"), "/a\\.b\\\\c\\x1b\\n");
    }

    #[test]
    fn bytes_are_shown_on_one_line() {
        assert_eq!(bytes("/ä\\b".as_bytes()), "/ä\\\\b");
        assert_eq!(bytes(b"a\xff\0\n\x1b[1m"), "a\\xff\\x00\\n\\x1b[1m");
        assert_eq!(bytes("\u{202e}x".as_bytes()), "\\u{202e}x");
        assert_eq!(cut(b"0123456789", 4), "01…89");
        assert_eq!(cut(b"/x/\\w+/y\n", 40), "/x/\\w+/y\\n");
        assert_eq!(line("a\nb\\c"), "a\\nb\\c");
    }

    #[test]
    fn bytes_that_are_no_utf8_are_base64_in_json() {
        let mut object = Map::new();
        put(&mut object, "url", b"/a");
        put(&mut object, "path", b"/\xff");
        assert_eq!(Value::Object(object).to_string(), r#"{"url":"/a","path_b64":"L/8="}"#);
    }
}
