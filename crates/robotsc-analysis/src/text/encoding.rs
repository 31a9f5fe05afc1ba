//! Which encoding bytes have that are no UTF-8.

use super::part::find;

/// What windows-1252 has for the bytes from 0x80 to 0x9F.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Returns bytes of the usual 8-bit encoding of western texts as text. What is UTF-8 already stays.
pub(crate) fn windows_1252(text: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(text) {
        return text.to_owned();
    }
    let char = |byte: &u8| match byte {
        0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
        byte => char::from(*byte),
    };
    text.iter().map(char).collect()
}

/// Returns a text in UTF-8 that was taken for windows-1252 and encoded again, as it was before: `cafÃ©` is `café`.
pub(crate) fn encoded_once(text: &str) -> Option<String> {
    let byte = |char: char| match u32::from(char) {
        code @ 0..=0xFF => Some(code as u8),
        _ => HIGH.iter().position(|high| *high == char).map(|at| 0x80 + at as u8),
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|char: char| char.is_ascii() != first.is_ascii()).unwrap_or(rest.len());
        let run = &rest[..end];
        let bytes: Option<Vec<u8>> = run.chars().map(byte).collect();
        match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(once) => out.push_str(&once),
            None => out.push_str(run),
        }
        rest = &rest[end..];
    }
    (out != text).then_some(out)
}

/// Reports whether a text can be windows-1252: its letters besides ASCII are those of western words, alone between
/// letters of ASCII.
pub(crate) fn is_western(text: &[u8]) -> bool {
    let at = |index: Option<usize>| index.and_then(|index| text.get(index)).copied().unwrap_or(b' ');
    text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()).all(|(index, byte)| {
        let (before, after) = (at(index.checked_sub(1)), at(index.checked_add(1)));
        let is_upper = (0xC0..=0xDE).contains(byte);
        let is_letter = match byte | 0x20 {
            // Italian words end so; in other encodings it is a frequent letter within words.
            0xEC => !after.is_ascii_alphabetic(),
            0xE0..=0xEF | 0xF1..=0xF6 | 0xF8..=0xFC => *byte >= 0xC0,
            _ => false,
        };
        let is_in_word = before.is_ascii_alphabetic() || after.is_ascii_alphabetic();
        let is_beside = |other: &u8| other.is_ascii() || other == byte || is_pair(*byte, *other);
        let is_alone = [before, after].iter().all(is_beside);
        let fits = !is_upper || !before.is_ascii_lowercase();
        (is_letter || *byte == 0xDF) && is_in_word && is_alone && fits
    })
}

/// Reports whether two such letters stand side by side in words: one of them is no vowel, as in `größe`, `informação`
/// and `niñó`. Encodings of other scripts have a letter of a word there, too.
fn is_pair(one: u8, other: u8) -> bool {
    let is_consonant = |byte: u8| matches!(byte | 0x20, 0xE7 | 0xF1) && byte >= 0xC0 || byte == 0xDF;
    let is_vowel = |byte: u8| {
        byte >= 0xC0 && matches!(byte | 0x20, 0xE0..=0xE6 | 0xE8..=0xEB | 0xED..=0xEF | 0xF2..=0xF6 | 0xF8..=0xFC)
    };
    is_consonant(one) && is_vowel(other) || is_vowel(one) && is_consonant(other)
}

/// What begins letters of two bytes in the encoding of Japanese mail, all of whose bytes are of ASCII.
pub(crate) const ESCAPE_OF_ISO_2022: &[u8] = b"\x1B$";

/// Returns encodings that a text can have which is neither UTF-8 nor windows-1252.
pub(crate) fn likely(text: &[u8]) -> &'static [&'static str] {
    let high: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii()).collect();
    let share = |is_in: fn(&u8) -> bool| high.iter().filter(|byte| is_in(byte)).count() * 4 >= high.len() * 3;
    // A letter of ASCII beside each: one letter of a word, and not a whole word.
    let is_in_word = |(at, byte): (usize, &u8)| {
        let is_letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphabetic);
        !byte.is_ascii() && (is_letter(at.checked_sub(1)) || is_letter(Some(at + 1)))
    };
    if find(text, ESCAPE_OF_ISO_2022).is_some() {
        return &["ISO-2022-JP"];
    }
    let alone = text.iter().enumerate().filter(|pair| is_in_word(*pair)).count();
    if let Some(pairs) = double_bytes(text, |lead| matches!(lead, 0x81..=0x9F | 0xE0..=0xFC))
        && pairs.len() > 1
        && pairs.iter().any(|[lead, _]| matches!(lead, 0x81..=0x83))
    {
        return &["Shift-JIS"];
    }
    if alone * 2 >= high.len() {
        if share(|byte| *byte < 0xC0) {
            return &["Mac OS Roman", "cp850"];
        }
        // Of most lines alone windows-1252 is likely, too.
        let (western, all) = text
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_ascii())
            .fold((0, 0), |of, line| (of.0 + usize::from(is_western(line)), of.1 + 1));
        return if western * 2 > all { &["windows-1252", "windows-1250"] } else { &["windows-1250", "windows-1254"] };
    }
    if share(|byte| *byte >= 0xE0) {
        return &["windows-1251", "windows-1253"];
    }
    match double_bytes(text, |lead| (0x81..=0xFE).contains(&lead)) {
        Some(pairs) if pairs.iter().any(|[_, trail]| trail.is_ascii()) => of_ascii_trails(&pairs),
        Some(pairs) if pairs.iter().any(|[lead, _]| matches!(lead, 0xA4 | 0xA5)) => &["EUC-JP", "GBK"],
        // All syllables of Korean are there, and of other letters one half.
        Some(pairs) if pairs.len() > 3 && pairs.iter().all(|[lead, _]| matches!(lead, 0xB0..=0xC8)) => {
            &["EUC-KR", "GBK", "EUC-JP"]
        }
        Some(_) => &["GBK", "EUC-KR", "EUC-JP"],
        None if share(|byte| (0xC0..=0xDF).contains(byte)) => &["KOI8-R"],
        None if share(|byte| *byte >= 0xC0) => &["windows-1251", "KOI8-R"],
        // cp866 has lines of tables there, and letters below.
        None if high.iter().all(|byte| *byte > 0xA0) && high.iter().any(|byte| (0xB0..=0xDA).contains(byte)) => {
            &["windows-874"]
        }
        None => &["cp866", "cp437"],
    }
}

/// Returns encodings of letters with two bytes, of which some have a second byte of ASCII.
fn of_ascii_trails(pairs: &[[u8; 2]]) -> &'static [&'static str] {
    let all = |is_lead: fn(u8) -> bool| pairs.iter().all(|[lead, _]| is_lead(*lead));
    if all(|lead| lead > 0xA0) {
        &["Big5", "GBK"]
    } else if all(|lead| matches!(lead, 0x88..=0x9F | 0xE0..=0xEA)) {
        &["Shift-JIS", "GBK"]
    } else {
        &["GBK"]
    }
}

/// Returns the letters of a text that takes two bytes for each, or `None` if it is no such text.
fn double_bytes(text: &[u8], is_lead: fn(u8) -> bool) -> Option<Vec<[u8; 2]>> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        rest = after;
        if byte.is_ascii() {
            continue;
        }
        let (trail, after) = after.split_first()?;
        if !is_lead(*byte) || !matches!(trail, 0x40..=0x7E | 0x80..=0xFE) {
            return None;
        }
        pairs.push([*byte, *trail]);
        rest = after;
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn western_words_and_others() {
        for text in [
            &b"/stra\xDFe/"[..],
            b"/caf\xE9/",
            b"/\xDCber/",
            b"/cr\xE9\xE9e/",
            b"/luned\xEC/",
            b"/MA\xD1ANA/",
            b"/gr\xF6\xDFe/",
            b"/informa\xE7\xE3o/",
            b"/op\xE7\xF5es/",
        ] {
            assert!(is_western(text), "{}", text.escape_ascii());
        }
        for (text, wanted) in [
            (&b"/\xEA\xEE\xF0\xE7\xE8\xED\xE0/"[..], "windows-1251"),
            (b"/\xEB\xCF\xD2\xDA\xC9\xCE\xC1/", "KOI8-R"),
            (b"/\x83J\x81[\x83g/", "Shift-JIS"),
            (b"/\xB9\xBA\xCE\xEF\xB3\xB5/", "GBK"),
            (b"/\xB2\xFA\xC6\xB7/ /\xB9\xD8\xD3\xDA\xCE\xD2\xC3\xC7/", "GBK"),
            (b"/\x90\xBB\x95i/ /\x89\xEF\x8E\xD0\x8AT\x97v/", "Shift-JIS"),
            (b"/\xC1\xA6\xC7\xB0/ /\xC8\xB8\xBB\xE7\xBC\xD2\xB0\xB3/", "EUC-KR"),
            (b"/\xB2\xA3\xAB~/ /\xC3\xF6\xA9\xF3\xA7\xDA\xAD\xCC/", "Big5"),
            (b"# \xB8T\xA4\xEE\xA7\xEC\xA8\xFA /\xB2\xA3\xAB~/", "Big5"),
            (b"/\xCA\xD4\xB9\xA4\xE9\xD2/ /\xE0\xA1\xD5\xE8\xC2\xC7\xA1\xD1\xBA/", "windows-874"),
            (b"/\x1B$B@=IJ\x1B(B/", "ISO-2022-JP"),
            (b"/\xAA\xAE\xE0\xA7\xA8\xAD\xA0/", "cp866"),
            (b"/\xA5\xAB\xA1\xBC\xA5\xC8/", "EUC-JP"),
            (b"/caf\x8E/", "Mac OS Roman"),
            (b"/caf\x82/", "Mac OS Roman"),
            (b"/k\xF9\xF2/", "windows-1250"),
            (b"/p\xF8\xEDrucka/", "windows-1250"),
            (b"/caf\xE9/\n/stra\xDFe/\n/p\xF8\xEDrucka/", "windows-1252"),
        ] {
            assert!(text.is_ascii() || !is_western(text), "{}", text.escape_ascii());
            assert_eq!(likely(text)[0], wanted, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn texts_that_were_encoded_twice() {
        for (text, wanted) in [
            ("/caf\u{C3}\u{A9}/", Some("/café/")),
            ("/stra\u{C3}\u{178}e/", Some("/straße/")),
            ("/a\u{E2}\u{20AC}\u{201C}b/", Some("/a–b/")),
            ("/café/\u{C3}\u{BC}/", Some("/café/ü/")),
            ("/café/", None),
            ("/корзина/", None),
            ("/São/", None),
        ] {
            assert_eq!(encoded_once(text).as_deref(), wanted, "{text}");
        }
    }
}
