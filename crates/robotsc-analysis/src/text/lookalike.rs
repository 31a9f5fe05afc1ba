//! Characters that cannot be seen, or that look like another one.

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

/// Returns what a character seems to be, between others.
pub(crate) fn lookalike(char: char, is_in_ascii: bool) -> Option<Lookalike> {
    Some(match char {
        '\u{AD}' | '\u{180E}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' => Lookalike::Nothing,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Lookalike::Nothing,
        // Words of some scripts, and emoji, are written with these.
        '\u{200C}'..='\u{200F}' if is_in_ascii => Lookalike::Nothing,
        '\u{85}' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}' => Lookalike::Blank,
        '\u{202F}' | '\u{205F}' | '\u{3000}' => Lookalike::Blank,
        '\u{2044}' | '\u{2215}' | '\u{29F8}' => Lookalike::Sign('/'),
        '\u{204E}' | '\u{2217}' | '\u{22C6}' => Lookalike::Sign('*'),
        '\u{A789}' | '\u{2236}' => Lookalike::Sign(':'),
        '\u{FF01}'..='\u{FF5E}' => Lookalike::Sign(char::from_u32(u32::from(char) - 0xFEE0)?),
        _ => return None,
    })
}
