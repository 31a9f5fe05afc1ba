//! Characters that cannot be seen, or that look like another one.

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

/// Returns the Latin letter that a Cyrillic or Greek letter looks like.
pub(crate) const fn latin_letter(char: char) -> Option<char> {
    Some(match char {
        '\u{430}' => 'a',
        '\u{435}' => 'e',
        '\u{43E}' | '\u{3BF}' => 'o',
        '\u{440}' | '\u{3C1}' => 'p',
        '\u{441}' | '\u{3F2}' => 'c',
        '\u{443}' => 'y',
        '\u{445}' | '\u{3C7}' => 'x',
        '\u{455}' => 's',
        '\u{456}' => 'i',
        '\u{458}' | '\u{3F3}' => 'j',
        '\u{501}' => 'd',
        '\u{4BB}' => 'h',
        '\u{4CF}' => 'l',
        '\u{3BD}' => 'v',
        '\u{410}' | '\u{391}' => 'A',
        '\u{412}' | '\u{392}' => 'B',
        '\u{415}' | '\u{395}' => 'E',
        '\u{41A}' | '\u{39A}' => 'K',
        '\u{41C}' | '\u{39C}' => 'M',
        '\u{41D}' | '\u{397}' => 'H',
        '\u{41E}' | '\u{39F}' => 'O',
        '\u{420}' | '\u{3A1}' => 'P',
        '\u{421}' | '\u{3F9}' => 'C',
        '\u{422}' | '\u{3A4}' => 'T',
        '\u{425}' | '\u{3A7}' => 'X',
        '\u{405}' => 'S',
        '\u{406}' | '\u{399}' => 'I',
        '\u{408}' => 'J',
        '\u{396}' => 'Z',
        '\u{39D}' => 'N',
        '\u{3A5}' => 'Y',
        _ => return None,
    })
}
