//! What patterns that start with neither `/` nor `*` were meant to be.
//!
//! ```text
//! Disallow: cart         `/cart`
//! Disallow: .pdf$        `/*.pdf$`
//! Disallow: None         what a program wrote: nobody knows
//! ```

use super::context::quoted;

/// Words that are no paths: what programs write for a value that is missing, and what people write for all or nothing.
const WORDS: [&str; 22] = [
    "none",
    "null",
    "nil",
    "nan",
    "undefined",
    "nothing",
    "empty",
    "n/a",
    "na",
    "true",
    "false",
    "yes",
    "no",
    "on",
    "off",
    "all",
    "any",
    "everything",
    "everyone",
    "default",
    "object",
    "[object object]",
];

/// What begins a path in which a program wrote a value that is missing.
const MISSING: [&str; 4] = ["undefined/", "null/", "nan/", "[object"];

/// Signs that are written between a key and its value by accident.
const SEPARATORS: &[u8] = b":=>, \t";

/// Returns what is said of a pattern that is a word and no path.
pub(super) fn message(text: &[u8]) -> Option<String> {
    is_word(text).then(|| {
        format!("{} is no path, and matches nothing: `/` stands for all paths, and no value for none", quoted(text))
    })
}

/// Reports whether a pattern is a word and no path.
fn is_word(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text).trim().to_ascii_lowercase();
    let inner = text.trim_matches(|char: char| "()<>{}\"'`-.".contains(char));
    WORDS.contains(&text.as_str())
        || WORDS.contains(&inner)
        || MISSING.iter().any(|start| text.starts_with(start))
        || !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the pattern that a dead one was probably meant to be, and what that changes: without quotes, and with a `/`
/// or `*` before it. `None` if it is not known.
pub(super) fn mended(text: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b')');
    let signs = text.iter().position(|byte| !SEPARATORS.contains(byte)).unwrap_or(text.len());
    if signs > 0 && matches!(text.get(signs), Some(b'/' | b'*')) {
        return Some(("remove what is before the path", text[signs..].to_vec()));
    }
    let start = text.iter().position(|byte| !is_quote(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_quote(byte)).map_or(start, |at| at + 1);
    let inner = &text[start..end];
    if let [b'/' | b'*', ..] = inner {
        return Some(("remove the quotes", inner.to_vec()));
    }
    // A sign alone, a word, a sentence or an address.
    let has_blank = inner.iter().any(u8::is_ascii_whitespace) && !inner.contains(&b'/');
    let is_address = inner.windows(2).any(|window| window == b":/");
    if is_word(text)
        || has_blank
        || is_address
        || !inner.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte > 0x7F)
    {
        return None;
    }
    match inner {
        [b'.', b'/', ..] => Some(("write the path from the root", inner[1..].to_vec())),
        [b'.', b'.', b'/', ..] => Some(("write the path from the root", inner[2..].to_vec())),
        [b'\\', ..] => {
            let slash = |byte: &u8| if *byte == b'\\' { b'/' } else { *byte };
            Some(("write slashes", inner.iter().map(slash).collect()))
        }
        [b'^', b'/', ..] => Some(("remove the `^`", inner[1..].to_vec())),
        // An entity of HTML is another finding.
        [b'&', rest @ ..] if rest.contains(&b';') => None,
        [b'.' | b'?' | b'&', next, ..] if next.is_ascii_alphanumeric() || *next == b'_' => {
            Some(("put `/*` before it", [b"/*", inner].concat()))
        }
        [b'=', ..] => Some(("put `/*` before it", [b"/*", inner].concat())),
        _ if inner.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"www.")) => {
            let path = inner.iter().position(|byte| *byte == b'/')?;
            Some(("write the path alone", inner[path..].to_vec()))
        }
        [first, ..] if first.is_ascii_alphanumeric() || b"_~%@".contains(first) || *first > 0x7F => {
            Some(("put a `/` before it", [b"/", inner].concat()))
        }
        _ => None,
    }
}
