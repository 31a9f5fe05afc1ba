//! Characters that look like those of ASCII: in names that were copied from a text, or typed with another keyboard.

/// Returns the first character of a UTF-8 name that looks like one of ASCII, what it looks like, and its index. A
/// letter that looks like a Latin one counts if no letter of the name is of another script alone: `Яндекс` is a name.
pub(crate) const fn find(name: &[u8]) -> Option<(char, char, usize)> {
    let mut found = None;
    let mut has_other_script = false;
    let mut at = 0;
    while at < name.len() {
        // Nearly all names are ASCII.
        if name[at].is_ascii() {
            at += 1;
            continue;
        }
        let (code, length) = decode(name.split_at(at).1);
        if let Some(char) = char::from_u32(code) {
            if let Some(ascii) = sign(char) {
                return Some((char, ascii, at));
            }
            match latin_letter(char) {
                Some(ascii) if found.is_none() => found = Some((char, ascii, at)),
                None if code > LAST_LATIN => has_other_script = true,
                _ => {}
            }
        }
        at += length;
    }
    if has_other_script { None } else { found }
}

/// The last of the Latin letters, which come first in Unicode.
const LAST_LATIN: u32 = 0x24F;

/// Returns the first character of a text and its length. Of bytes that are no UTF-8, one is taken for a character.
const fn decode(text: &[u8]) -> (u32, usize) {
    const fn low(byte: u8) -> u32 {
        (byte & 0x3F) as u32
    }
    match text {
        [a @ 0xC2..=0xDF, b, ..] => (((*a & 0x1F) as u32) << 6 | low(*b), 2),
        [a @ 0xE0..=0xEF, b, c, ..] => (((*a & 0xF) as u32) << 12 | low(*b) << 6 | low(*c), 3),
        [a @ 0xF0..=0xF4, b, c, d, ..] => (((*a & 7) as u32) << 18 | low(*b) << 12 | low(*c) << 6 | low(*d), 4),
        [byte, ..] => (*byte as u32, 1),
        [] => (0, 1),
    }
}

/// Returns what a dash or a wide character looks like.
const fn sign(char: char) -> Option<char> {
    match char {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => Some('-'),
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(char as u32 - 0xFEE0),
        _ => None,
    }
}

/// Returns the Latin letter that a Cyrillic or Greek letter looks like.
#[doc(hidden)]
#[must_use]
pub const fn latin_letter(char: char) -> Option<char> {
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
