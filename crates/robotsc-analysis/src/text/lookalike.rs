//! Characters that cannot be seen, or that look like another one.

use robotsc_runtime::is_blank_beyond_ascii;
pub(crate) use robotsc_runtime::latin_letter;

/// What a character stands for that is not what it seems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookalike {
    /// It cannot be seen.
    Nothing,
    /// It looks like a blank.
    Blank,
    /// It looks like this sign.
    Sign(char),
}

/// Reports whether a character is a quotation mark of a text program.
pub(crate) const fn is_quote(char: char) -> bool {
    matches!(char, '\u{2018}'..='\u{201F}' | '\u{AB}' | '\u{BB}' | '\u{2039}' | '\u{203A}')
}

/// Reports whether a character is a dash that programs for writing texts put in the place of `-`.
pub(crate) const fn is_dash(char: char) -> bool {
    matches!(char, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Returns what was typed where a program for writing texts put a character.
pub(crate) const fn typed(char: char) -> Option<&'static str> {
    match char {
        char if is_dash(char) => Some("-"),
        '\u{2026}' => Some("..."),
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{2032}' => Some("'"),
        '\u{201C}' | '\u{201D}' | '\u{2033}' => Some("\""),
        _ => None,
    }
}

/// Reports whether a character looks like a blank and is none of ASCII.
fn is_blank(char: char) -> bool {
    !char.is_ascii() && char.is_whitespace() || char == '\u{2800}'
}

/// Reports whether nobody sees a character, blanks among them. A tab and what can end a line are read as such, and a
/// NUL has a check of its own.
fn is_unseen(char: char) -> bool {
    match char {
        '\0' | '\t'..='\r' => false,
        _ if char.is_ascii() => char.is_ascii_control(),
        // It stands for a picture, and U+FFFD for a letter that was lost.
        '\u{FFFC}' => true,
        '\u{FFFD}' => false,
        _ => is_blank_beyond_ascii(char.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Reports whether nobody sees a character wherever it is.
pub(crate) fn is_never_seen(char: char) -> bool {
    is_unseen(char) || is_blank(char)
}

/// Reports whether words of some scripts, or emoji, are written with a character that nobody sees between others.
const fn is_of_words(char: char) -> bool {
    modifies(char)
        || matches!(char, '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{200C}'..='\u{200F}')
        || matches!(char, '\u{2800}' | '\u{3164}' | '\u{FFA0}')
}

/// Reports whether a character that nobody sees belongs to the one before it, such as the second of `❤️`.
pub(crate) const fn modifies(char: char) -> bool {
    matches!(char, '\u{34F}' | '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}')
        || matches!(char, '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Returns what a character seems to be, between others.
pub(crate) fn lookalike(char: char, is_in_ascii: bool) -> Option<Lookalike> {
    Some(match char {
        _ if !is_in_ascii && is_of_words(char) => return None,
        _ if is_blank(char) => Lookalike::Blank,
        _ if is_unseen(char) => Lookalike::Nothing,
        '\u{2044}' | '\u{2215}' | '\u{29F8}' => Lookalike::Sign('/'),
        '\u{204E}' | '\u{2217}' | '\u{22C6}' => Lookalike::Sign('*'),
        '\u{A789}' | '\u{2236}' => Lookalike::Sign(':'),
        '\u{FF01}'..='\u{FF5E}' => Lookalike::Sign(char::from_u32(u32::from(char) - 0xFEE0)?),
        _ => return None,
    })
}
