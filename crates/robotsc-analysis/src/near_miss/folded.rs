//! A text of a pattern or a path with some differences left out: case, escapes, slashes.
//!
//! ```text
//! /Img//A%2Db?x     without case, escapes and slashes     /img/a-b?x
//! ```

/// The differences that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Without {
    pub(super) case: bool,
    pub(super) escapes: bool,
    pub(super) slashes: bool,
}

impl Without {
    /// All choices, those that leave out least first.
    pub(super) fn all() -> [Self; 8] {
        [0, 1, 2, 4, 3, 5, 6, 7].map(|bits: u8| Self {
            case: bits & 1 > 0,
            escapes: bits & 2 > 0,
            slashes: bits & 4 > 0,
        })
    }
}

/// A folded text, and where each of its characters begins in the text as written.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded {
    pub(super) chars: Vec<char>,
    /// One more than there are characters: the last is the end of the text.
    pub(super) starts: Vec<usize>,
}

/// Folds a text.
pub(super) fn folded(text: &[u8], without: Without) -> Folded {
    let mut folded = Folded::default();
    let mut at = 0;
    let mut is_query = false;
    while at < text.len() {
        let (char, length) = match decoded(&text[at..]) {
            letter if without.escapes || (without.case && letter.0.is_alphabetic() && letter.1 > 3) => letter,
            _ => (char::from(text[at]), 1),
        };
        is_query |= text[at] == b'?';
        let char = match char {
            '+' if without.escapes && is_query => ' ',
            '\\' if without.slashes => '/',
            char if without.case => lower(char),
            char => char,
        };
        let last = folded.chars.last();
        let is_repeated = without.slashes && char == '/' && last == Some(&'/') && !is_query;
        if without.slashes && char == '?' && last == Some(&'/') && folded.chars.len() > 1 {
            folded.chars.pop();
            folded.starts.pop();
        }
        if !is_repeated {
            folded.chars.push(char);
            folded.starts.push(at);
        }
        at += length;
    }
    folded.starts.push(text.len());
    folded
}

/// Returns a character in lower case, if that is one character.
fn lower(char: char) -> char {
    let mut lower = char.to_lowercase();
    lower.next().filter(|_| lower.next().is_none()).unwrap_or(char)
}

/// Returns the first character of a text whose escapes are read, and the number of bytes that it takes. A byte that is
/// no text is a character of its own.
pub(super) fn decoded(text: &[u8]) -> (char, usize) {
    let (first, length) = byte(text);
    let more = match first {
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF4 => 3,
        _ => 0,
    };
    let mut bytes = [first, 0, 0, 0];
    let mut end = length;
    for place in &mut bytes[1..=more] {
        let (next, length) = byte(text.get(end..).unwrap_or_default());
        *place = next;
        end += length;
    }
    match std::str::from_utf8(&bytes[..=more]).ok().and_then(|text| text.chars().next()) {
        Some(char) => (char, end),
        // No text has these characters.
        None => (char::from_u32(NO_TEXT + u32::from(first)).unwrap_or_default(), length),
    }
}

/// Where the characters begin that stand for bytes which are no text.
const NO_TEXT: u32 = 0x10_FF00;

/// Returns the byte that a character stands for, if the byte is no text.
pub(super) fn of_byte(char: char) -> Option<u8> {
    u32::from(char).checked_sub(NO_TEXT).and_then(|byte| u8::try_from(byte).ok())
}

/// Returns the first byte of a text, and the number of bytes that it is written with.
fn byte(text: &[u8]) -> (u8, usize) {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    match text {
        [b'%', high, low, ..] => match (digit(*high), digit(*low)) {
            (Some(high), Some(low)) => (high << 4 | low, 3),
            _ => (b'%', 1),
        },
        [first, ..] => (*first, 1),
        [] => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_left_out() {
        let text = |text: &str, bits: [bool; 3]| {
            let without = Without { case: bits[0], escapes: bits[1], slashes: bits[2] };
            folded(text.as_bytes(), without).chars.into_iter().collect::<String>()
        };
        for (written, bits, wanted) in [
            ("/Img/%C3%84%2f%41", [true, false, false], "/img/\u{e4}%2f%41"),
            ("/Img/%C3%84", [true, true, false], "/img/\u{e4}"),
            ("/a%2Fb%zz%", [false, true, false], "/a/b%zz%"),
            ("//a///b\\c", [false, false, true], "/a/b/c"),
            ("/a/?b=//", [false, false, true], "/a?b=//"),
            ("/?b", [false, false, true], "/?b"),
            ("/a+b?c+d", [false, true, false], "/a+b?c d"),
            ("/%E2%80%8Bx%FF", [false, true, false], "/\u{200B}x\u{10FFFF}"),
        ] {
            assert_eq!(text(written, bits), wanted, "{written}");
        }
    }
}
