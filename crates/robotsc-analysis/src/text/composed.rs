//! Letters with marks: as one character, as a letter and a mark after it, and as an entity of HTML.
//!
//! ```text
//! é    %C3%A9      one character, as most pages write it
//! é   e%CC%81     a letter and a mark, as some systems of files do
//! ```
//!
//! These are the letters of western and central Europe. A library has the tables of all scripts, which each page that
//! explains would have to load.

/// The marks, what entities call them, and letters with each, after which the letter without it stands.
const MARKS: [(char, &str, &str); 8] = [
    ('\u{300}', "grave", "ÀAÈEÌIÒOÙUàaèeìiòoùu"),
    ('\u{301}', "acute", "ÁAÉEÍIÓOÚUÝYáaéeíióoúuýyĆCćcŃNńnŚSśsŹZźz"),
    ('\u{302}', "circ", "ÂAÊEÎIÔOÛUâaêeîiôoûu"),
    ('\u{303}', "tilde", "ÃAÑNÕOãañnõo"),
    ('\u{308}', "uml", "ÄAËEÏIÖOÜUäaëeïiöoüuÿy"),
    ('\u{30A}', "ring", "ÅAåaŮUůu"),
    ('\u{30C}', "caron", "ČCčcĎDďdĚEěeŇNňnŘRřrŠSšsŤTťtŽZžz"),
    ('\u{327}', "cedil", "ÇCçcŞSşs"),
];

/// Returns all letters with marks: the letter, the one without the mark, and the mark.
fn letters() -> impl Iterator<Item = (char, char, char, &'static str)> {
    MARKS.into_iter().flat_map(|(mark, name, letters)| {
        let (with, without) = (letters.chars().step_by(2), letters.chars().skip(1).step_by(2));
        with.zip(without).map(move |(with, without)| (with, without, mark, name))
    })
}

/// Returns a letter in lower case without its mark; `None` for a mark alone.
pub(crate) fn without_mark(char: char) -> Option<char> {
    if char.is_ascii() {
        return Some(char);
    }
    if MARKS.iter().any(|(mark, ..)| *mark == char) {
        return None;
    }
    let letter = letters().find(|(with, ..)| *with == char);
    Some(letter.map_or(char, |(_, without, ..)| without.to_ascii_lowercase()))
}

/// Returns a text with each letter and the mark after it as one character.
pub(crate) fn composed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        let is_mark = MARKS.iter().any(|(mark, ..)| *mark == char);
        let last = out.chars().next_back().filter(|_| is_mark);
        let both = last.and_then(|last| letters().find(|(_, without, mark, _)| (*without, *mark) == (last, char)));
        match both {
            Some((with, ..)) => {
                out.pop();
                out.push(with);
            }
            None => out.push(char),
        }
    }
    out
}

/// Returns a text with each letter that has a mark as two characters.
pub(crate) fn decomposed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        let letter = if char.is_ascii() { None } else { letters().find(|(with, ..)| *with == char) };
        match letter {
            Some((_, without, mark, _)) => out.extend([without, mark]),
            None => out.push(char),
        }
    }
    out
}

/// Returns the letter of an entity of HTML, without the signs around it: `uuml`, `#252`, `#xFC`.
pub(crate) fn of_entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let number = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return char::from_u32(number.ok()?).filter(|char| char.is_alphabetic());
    }
    if name == "szlig" {
        return Some('ß');
    }
    let without = name.chars().next()?;
    let mark = &name[without.len_utf8()..];
    letters().find(|(_, letter, _, name)| (*letter, *name) == (without, mark)).map(|(with, ..)| with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_marks() {
        for (one, two) in
            [("café", "cafe\u{301}"), ("Ärger", "A\u{308}rger"), ("x", "x"), ("ça ž", "c\u{327}a z\u{30C}")]
        {
            assert_eq!((composed(two).as_str(), decomposed(one).as_str()), (one, two));
            assert_eq!((composed(one).as_str(), decomposed(two).as_str()), (one, two));
        }
        assert_eq!(composed("\u{301}x\u{301}"), "\u{301}x\u{301}");
        assert_eq!("\u{c9}e\u{301}\u{436}".chars().filter_map(without_mark).collect::<String>(), "ee\u{436}");
        for (name, wanted) in [
            ("uuml", Some('ü')),
            ("Eacute", Some('É')),
            ("szlig", Some('ß')),
            ("#252", Some('ü')),
            ("#xFC", Some('ü')),
            ("#32", None),
            ("#99999999999", None),
            ("amp", None),
            ("", None),
        ] {
            assert_eq!(of_entity(name), wanted, "{name}");
        }
    }
}
