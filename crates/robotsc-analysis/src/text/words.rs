//! Words for people: what messages, hovers and titles have in common.

use std::fmt::Display;

/// Returns items as a list: `a`, `a and b`, `a, b and c`.
///
/// ```
/// use robotsc::analysis::words::listed;
///
/// assert_eq!(listed(&["GPTBot", "CCBot", "FooBot"]), "GPTBot, CCBot and FooBot");
/// ```
#[must_use]
pub fn listed<T: AsRef<str>>(items: &[T]) -> String {
    let mut text = String::new();
    for (at, item) in items.iter().enumerate() {
        match items.len() - at {
            _ if at == 0 => {}
            1 => text.push_str(" and "),
            _ => text.push_str(", "),
        }
        text.push_str(item.as_ref());
    }
    text
}

/// Returns a number of things: `1 rule`, `2 rules`.
///
/// ```
/// use robotsc::analysis::words::counted;
///
/// assert_eq!([counted(1, "rule"), counted(0, "rule")], ["1 rule", "0 rules"]);
/// ```
#[must_use]
pub fn counted<N: Display + From<u8> + PartialEq>(number: N, thing: &str) -> String {
    format!("{number} {thing}{}", if number == N::from(1) { "" } else { "s" })
}

/// Returns text with its first letter in upper case.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Reports whether a character is a control or changes the direction of text, so that a line could show what it does
/// not contain.
#[must_use]
pub fn is_unprintable(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        // A byte order mark, and what XML cannot hold.
        || matches!(char, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_capitals() {
        for (items, wanted) in
            [(&[][..], ""), (&["a"], "a"), (&["a", "b"], "a and b"), (&["a", "b", "c", "d"], "a, b, c and d")]
        {
            assert_eq!(listed(items), wanted);
        }
        for (text, wanted) in [("", ""), ("remove the line", "Remove the line"), ("éa", "Éa"), ("/a", "/a")] {
            assert_eq!(capitalized(text), wanted);
        }
    }

    #[test]
    fn what_a_line_must_not_hold() {
        assert!("\0\n\u{7f}\u{9b}\u{200b}\u{202e}\u{2069}\u{feff}\u{ffff}".chars().all(is_unprintable));
        assert!(!"aä /\u{a0}\u{3042}".chars().any(is_unprintable));
    }
}
