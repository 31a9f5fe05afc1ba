//! Text in comments and summaries in GitHub's Markdown. Nothing of a file acts there: no markup, no link, no mention.

use std::fmt::Write as _;

/// Returns text as code within a line or a cell of a table. What could act is written as an entity, and in code no name
/// is mentioned and no number linked.
pub(crate) fn code(text: &str) -> String {
    let mut out = String::from("<code>");
    for char in text.chars() {
        match char {
            ' ' | '/' | '-' | ',' | ';' => out.push(char),
            _ if char.is_ascii_punctuation() => {
                let _ = write!(out, "&#{};", u32::from(char));
            }
            _ => out.push(char),
        }
    }
    out + "</code>"
}

/// Returns text of several lines as a block of code. No line of the text ends the block.
pub(crate) fn block(text: &str) -> String {
    let longest = text.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_acts() {
        assert_eq!(code("/a-b,c/1 d"), "<code>/a-b,c/1 d</code>");
        let inside = code("</code><b>|*_`[x](https://www.x.example)@me#1&amp;\\|$a$~~:tada:!");
        let inside = inside.strip_prefix("<code>").and_then(|text| text.strip_suffix("</code>")).unwrap();
        for entity in inside.split('&').skip(1) {
            let number = entity.strip_prefix('#').and_then(|rest| rest.split(';').next()).unwrap();
            assert!(number.parse::<u32>().is_ok(), "{entity}");
        }
        assert!(
            !inside.contains(['<', '>', '|', '*', '_', '`', '[', ']', '(', '@', ':', '.', '\\', '$', '~', '!', '"'])
        );
    }

    #[test]
    fn no_line_ends_a_block() {
        assert_eq!(block("a\n"), "```text\na\n```\n");
        assert_eq!(block("a\n`````\n```` b"), "``````text\na\n`````\n```` b\n``````\n");
    }
}
