//! The marks of comments in other languages, which are none in robots.txt.

/// What begins a comment in other languages, and not here.
const COMMENT_MARKS: [&str; 22] = [
    "//", "/*", "<!--", "--", ";", "%", "rem ", "@rem ", "dnl ", "::", "\"\"\"", "'''", "\"", "'", "!", "{#", "<%#",
    "<#", "{{!", "<?", "\\#", "&#35;",
];

/// Returns the mark of another language's comment that a text starts with.
pub(super) fn comment_mark(text: &[u8]) -> Option<&'static str> {
    let starts = |mark: &&str| text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()));
    let mark = COMMENT_MARKS.into_iter().find(starts)?;
    let after = text.get(mark.len());
    let is_mark = match mark {
        // A line of dashes, and the end of a comment of HTML.
        "--" => after.is_some_and(|byte| !matches!(byte, b'-' | b'>')),
        // A path without a key.
        "/*" => after.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'*')),
        "%" => after.is_none_or(u8::is_ascii_whitespace),
        "::" | "\"\"\"" | "'''" => after.is_some_and(u8::is_ascii_whitespace),
        // A quote that is closed. One right before a key was left of a text.
        "\"" => after.is_some_and(u8::is_ascii_whitespace) && !text[1..].contains(&b'"'),
        "'" => !text[1..].contains(&b'\''),
        _ => true,
    };
    is_mark.then_some(mark)
}
