//! Bytes of a file in Markdown: nothing that a file holds is read as markup. And what is written here, without markup.

use gen_lsp_types::{MarkupContent, MarkupKind};
use robotsc::analysis::words::is_unprintable;

/// The maximum number of bytes of a file that are quoted in one place.
const MAX_QUOTED: usize = 120;

/// Returns bytes of a file as code, on one line, cut if they are long.
///
/// Escapes of characters beyond ASCII are decoded, since crawlers compare them as escapes and people read letters.
pub(crate) fn code(text: &[u8]) -> String {
    let text = decoded(text);
    let mut shown: String =
        text.chars().take(MAX_QUOTED).map(|char| if is_unprintable(char) { '\u{FFFD}' } else { char }).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    // A fence is longer than any run of backticks in it.
    let longest = shown.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if shown.is_empty() || shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{shown}{space}{fence}")
}

/// Returns a text for an editor that shows Markdown, or for one that shows plain text.
pub(crate) fn content(text: String, has_markdown: bool) -> MarkupContent {
    match has_markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value: text },
        false => MarkupContent { kind: MarkupKind::PlainText, value: plain(&text) },
    }
}

/// Returns Markdown of this crate without its markup: code as [`code`] writes it, `**`, and the signs around `<links>`.
fn plain(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find(['`', '*', '<', '>']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = rest.len() - rest.trim_start_matches('`').len();
        let (fence, after) = rest.split_at(length);
        // A fence ends at the next run of as many backticks, which is no part of a longer run.
        let end = || {
            let mut fences = after.match_indices(fence).map(|(at, _)| at);
            fences.find(|&at| !after[..at].ends_with('`') && !after[at + length..].starts_with('`'))
        };
        if let Some(end) = (length > 0).then(end).flatten() {
            let code = &after[..end];
            let padded = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' '));
            plain.push_str(
                padded.filter(|code| code.is_empty() || code.starts_with('`') || code.ends_with('`')).unwrap_or(code),
            );
            rest = &after[end + length..];
        } else if let Some(after) = rest.strip_prefix("**") {
            rest = after;
        } else if let Some((link, after)) = rest.strip_prefix("<http").and_then(|rest| rest.split_once('>')) {
            plain.push_str("http");
            plain.push_str(link);
            rest = after;
        } else {
            let (sign, after) = rest.split_at(length.max(1));
            plain.push_str(sign);
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

/// Decodes the escapes of bytes from 0x80, if what they make is UTF-8.
fn decoded(text: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|digits| *first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let value = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match value.filter(|value| *value >= 0x80) {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| String::from_utf8_lossy(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_markup() {
        for text in ["/cart", "a`b", "`", "``a", "/*.pdf$", "**", "<b>", "", " x "] {
            let shown =
                format!("**Disallow** {}: see <https://shop.example/>, {}.", code(text.as_bytes()), code(b"/x"));
            assert_eq!(plain(&shown), format!("Disallow {text}: see https://shop.example/, /x."));
        }
        assert_eq!(plain("2 * 3, a ` b, 2 > 1, <b>"), "2 * 3, a ` b, 2 > 1, <b>");
        assert_eq!(content("`/cart`".to_owned(), false).value, "/cart");
        assert_eq!(content("`/cart`".to_owned(), true).value, "`/cart`");
    }

    #[test]
    fn text_is_never_markup() {
        for (text, wanted) in [
            ("/cart", "`/cart`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("[x](http://h)<script>", "`[x](http://h)<script>`"),
            ("a\u{1b}[31m", "`a\u{FFFD}[31m`"),
            // It would turn the direction of the text after it.
            ("/a\u{202E}b", "`/a\u{FFFD}b`"),
            ("/%E2%80%AEb", "`/\u{FFFD}b`"),
            ("%C3%A9%2f", "`é%2f`"),
            ("%C3", "`%C3`"),
            ("%", "`%`"),
            ("", "`  `"),
        ] {
            assert_eq!(code(text.as_bytes()), wanted);
        }
        assert!(code(&[b'x'; 500]).ends_with("x…`"));
    }
}
