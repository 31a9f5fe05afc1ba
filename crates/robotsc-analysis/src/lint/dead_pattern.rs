//! What patterns that start with neither `/` nor `*` were meant to be.
//!
//! ```text
//! Disallow: cart         `/cart`
//! Disallow: .pdf$        `/*.pdf$`
//! Disallow: None         what a program wrote: nobody knows
//! ```

use super::context::quoted;
use super::signs::ENDINGS;

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

/// What is written before a path by accident: separators, arrows and the marks of a list.
const MARKS: &str = ":=>,;|+-\u{2010}\u{2013}\u{2014}\u{2022}\u{B7}\u{2192}\u{21D2} \t";

/// What surrounds a value that was copied, in pairs.
const PAIRS: [(char, char); 7] = [('"', '"'), ('\'', '\''), ('`', '`'), ('<', '>'), ('(', ')'), ('[', ']'), ('{', '}')];

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

/// The title of a fix for a parameter, which takes a second rule: `/*?a=` matches it first in a query alone.
pub(super) const PARAMETER: &str = "match the parameter wherever it is in a query";

/// Returns the pattern that a dead one was probably meant to be, and what that changes: without quotes, and with a `/`
/// or `*` before it. `None` if it is not known: a host, an address or a sentence is no path.
pub(super) fn mended(text: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let text = std::str::from_utf8(text).ok()?;
    let marked = without_marks(text);
    let inner = unquoted(marked.unwrap_or(text));
    let is_quoted = inner.len() < marked.unwrap_or(text).len();
    // Within quotes a blank is of the path. Another sign is left of something else.
    if inner.contains(['"', '`', '<', '>', '|']) || inner.ends_with([',', ';', '\'']) {
        return None;
    }
    // An empty value in quotes is none.
    if inner.is_empty() && is_quoted {
        return Some(("remove the quotes", Vec::new()));
    }
    if inner.starts_with(['/', '*']) {
        let title = if marked.is_some() { "remove what is before the path" } else { "remove the quotes" };
        let has_blank = inner.contains([' ', '\t']) && !is_quoted;
        return (!has_blank).then(|| (title, inner.as_bytes().to_vec()));
    }
    let with = |title, before: &str, rest: &str| Some((title, format!("{before}{rest}").into_bytes()));
    let is_known = inner.contains(char::is_alphanumeric) && !is_word(text.as_bytes());
    if !is_known || inner.contains([' ', '\t']) {
        return None;
    }
    if let Some(rest) = inner.strip_prefix("./").or_else(|| inner.strip_prefix("../")) {
        return with("write the path from the root", "/", rest);
    }
    if inner.starts_with('\\') {
        return with("write slashes", "", &inner.replace('\\', "/"));
    }
    if inner.starts_with("^/") {
        return with("remove the `^`", "", &inner[1..]);
    }
    if let Some(rest) = inner.strip_prefix('.') {
        // Files such as `.env` and folders such as `.git/` have names that begin so.
        let is_ending = is_file_ending(rest.trim_end_matches(['*', '$']));
        return if is_ending {
            with("put `/*` before it", "/*", inner)
        } else {
            with("put a `/` before it", "/", inner)
        };
    }
    if inner.starts_with('=') {
        return with("put `/*` before it", "/*", inner);
    }
    if let Some(parameter) = parameter(inner) {
        return with(PARAMETER, "/*?", parameter);
    }
    if inner.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) {
        let (_, path) = inner.split_once('/').filter(|(_, path)| !path.is_empty())?;
        return with("write the path alone", "/", path);
    }
    let first = inner.split('/').next().unwrap_or(inner);
    let is_name = first.starts_with(|char: char| char.is_alphanumeric() || "_~%@".contains(char));
    let is_sign =
        !first.contains(char::is_alphanumeric) || first.len() < inner.len() && first.ends_with(['=', '(', '[', ':']);
    (is_name && !is_sign && !is_address(first)).then(|| ("put a `/` before it", format!("/{inner}").into_bytes()))
}

/// Returns the path of a value that has marks alone before it: a sign, or the number of a list.
fn without_marks(text: &str) -> Option<&str> {
    // The pictures of fonts that pages show in a list.
    let is_picture = |char| matches!(char, '\u{E000}'..='\u{F8FF}');
    let at = text.find(|char| !MARKS.contains(char) && !is_picture(char)).unwrap_or(text.len());
    let rest = &text[at..];
    // After a mark a path can be in quotes.
    if at > 0 && unquoted(rest).starts_with(['/', '*']) {
        return Some(rest);
    }
    let (number, path) = rest.split_once([' ', '\t'])?;
    let name = number.trim_start_matches('(').strip_suffix(['.', ')'])?;
    let is_number = !name.is_empty() && name.len() < 4 && name.bytes().all(|byte| byte.is_ascii_digit())
        || name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let path = path.trim_start();
    (is_number && unquoted(path).starts_with('/')).then_some(path)
}

/// The bytes of the longest text whose quotes are looked for.
const MAX_QUOTED_BYTES: usize = 4096;

/// Returns a text without the quotes and brackets around it, and without one that has no partner.
pub(crate) fn unquoted(text: &str) -> &str {
    let mut inner = text.trim();
    // Each sign takes a pass over the text, and nobody quotes so much.
    if inner.len() > MAX_QUOTED_BYTES {
        return inner;
    }
    loop {
        let without = PAIRS.iter().find_map(|(open, close)| {
            let is_single = |sign: char| inner.matches(sign).count() == 1;
            let both = inner.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close));
            let start = || inner.strip_prefix(*open).filter(|rest| !rest.contains(*close));
            let end = || {
                inner.strip_suffix(*close).filter(|_| is_single(*close) && (open == close || !inner.contains(*open)))
            };
            both.or_else(start).or_else(end)
        });
        match without {
            Some(without) => inner = without.trim(),
            None => return inner,
        }
    }
}

/// Returns a query parameter with its value, without the sign before it: `sort=` of `?sort=`, `&sort=` and `sort=`.
fn parameter(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['?', '&']);
    let (name, value) = match rest.unwrap_or(text).split_once('=') {
        Some(parts) => parts,
        // `?print`
        None => (rest?, ""),
    };
    let is_name = |char: char| char.is_ascii_alphanumeric() || "_-[].%".contains(char);
    let is_parameter = name.contains(|char: char| char.is_ascii_alphabetic() || char == '_')
        && name.trim_end_matches(['*', '$']).chars().all(is_name)
        && !value.contains(['/', '?', ';']);
    is_parameter.then(|| rest.unwrap_or(text))
}

/// Reports whether the first part of a value is no folder but a host, perhaps with a port, an address or a scheme.
pub(crate) fn is_address(first: &str) -> bool {
    let (host, after) = first.split_once(':').unwrap_or((first, ""));
    let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let last = host.rsplit('.').next().unwrap_or(host);
    let has_dot = host.len() > last.len() && host.bytes().all(is_of_host);
    let is_host = has_dot && (is_port(after) || last.bytes().all(|byte| byte.is_ascii_digit()))
        || has_dot && last.bytes().all(|byte| byte.is_ascii_alphabetic()) && last.len() > 1 && !is_file_ending(last);
    // `Special:Search` is a page.
    let is_scheme = first.contains(':') && host.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'+');
    is_host || is_scheme || first.find('@').is_some_and(|at| at > 0)
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reports whether a text is an ending of files.
pub(super) fn is_file_ending(text: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "cfm", "do", "action", "axd", "ashx", "asmx", "shtml", "xhtml", "phtml", "jspx", "pl", "ini", "log", "bak",
        "sql", "tar",
    ];
    ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(text.as_bytes()))
        || OTHERS.iter().any(|known| known.eq_ignore_ascii_case(text))
}
