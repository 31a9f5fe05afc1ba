//! Names of crawlers, and how they find the names of a file.
//!
//! A robots.txt names crawlers by product tokens: `User-agent: FooBot`. RFC 9309 section 2.2.1 lets a token hold
//! letters, `-` and `_`. Some crawlers have names beyond that, such as `MJ12bot` or `archive.org_bot`. Both kinds are
//! an [`AgentName`], which is checked when it is made: what can only be a mistake, such as `FooBot/1.2`, is an
//! [`AgentError`].
//!
//! # Keys
//! An index of names, such as that of a policy, holds two kinds of keys:
//!
//! | key | what it is | who finds it |
//! |---|---|---|
//! | `foobot` | the product token of a value, as the dialect reads it | names that are product tokens |
//! | `/mj12bot` | a value as written, up to a `/` or a blank | all other names |
//!
//! So `MJ12bot` obeys a group for `MJ12bot`, and not one for `MJ`, although the product token of `MJ12bot` is `MJ`.

use core::cmp::Ordering;
use core::fmt;

use crate::lookalike;

/// How the name of a crawler finds the names of a file, always without regard to case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentMatch {
    /// The names are equal.
    Exact,
    /// The longest name of the file that is the crawler's name, or a prefix of it that ends before a `-`.
    LongestPrefixAtHyphen,
    /// The longest name of the file that is a prefix of the crawler's name.
    LongestPrefix,
}

/// The name of a crawler: a product token, or a name with digits, dots or non-ASCII letters. Never empty.
///
/// ```
/// use robotsc::AgentName;
///
/// assert!(AgentName::new("FooBot")?.is_product_token());
/// assert!(!AgentName::new("archive.org_bot")?.is_product_token());
/// let error = AgentName::new("FooBot/1.2").unwrap_err();
/// assert!(error.to_string().starts_with("an agent name cannot contain '/'"));
/// # Ok::<(), robotsc::AgentError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgentName<'a> {
    bytes: &'a [u8],
    is_product_token: bool,
}

impl<'a> AgentName<'a> {
    /// Checks the name of a crawler: letters, digits, `.`, `_`, `-`, `+`, `!`, `~` and non-ASCII characters, but no
    /// blank and no invisible character: such a name finds no group, and would be allowed what the file disallows.
    /// For the same reason no character must look like one of ASCII (`GPT‑Bot` with U+2011, a Cyrillic о), unless
    /// letters of another script are in the name (`Яндекс`), and the name must not end in a version (`FooBot2.1`,
    /// `FooBot-2`) or a sign (`FooBot+`): groups name `FooBot`.
    ///
    /// Cost: linear. Never panics.
    ///
    /// # Errors
    /// [`AgentError`] if the name is empty, holds another character or one that looks like another, or ends in a
    /// version.
    pub const fn new(name: &'a str) -> Result<Self, AgentError> {
        Self::from_bytes(name.as_bytes())
    }

    /// Checks the name of a crawler, given as bytes: see [`AgentName::new`].
    ///
    /// # Errors
    /// As [`AgentName::new`].
    pub const fn from_bytes(name: &'a [u8]) -> Result<Self, AgentError> {
        if let Some((char, ascii, at)) = lookalike::find(name) {
            return Err(AgentError(Kind::Lookalike { char, ascii, at }));
        }
        match version_start(name) {
            Some(at) if Self::of_group(name).is_ok() => Err(AgentError(Kind::Version(at))),
            _ => Self::of_group(name),
        }
    }

    /// Checks a name that a file has, which is written as its author liked: it can end in a version, and bytes from
    /// 0x80 are accepted. For the name of a crawler, use [`AgentName::new`] or [`AgentName::from_bytes`].
    ///
    /// # Errors
    /// [`AgentError`] if the name is empty or holds a character that no name holds.
    pub const fn of_group(name: &'a [u8]) -> Result<Self, AgentError> {
        if name.is_empty() {
            return Err(AgentError(Kind::Empty));
        }
        let mut is_product_token = true;
        let mut at = 0;
        while at < name.len() {
            let byte = name[at];
            if !byte.is_ascii() && is_blank_beyond_ascii(name.split_at(at).1) {
                return Err(AgentError(Kind::Blank(at)));
            }
            if !is_token_byte(byte) {
                is_product_token = false;
                if !matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'!' | b'~' | 0x80..) {
                    return Err(AgentError(if name.len() == 1 && byte == b'*' {
                        Kind::Star
                    } else {
                        Kind::Byte(byte, at)
                    }));
                }
            }
            at += 1;
        }
        Ok(Self { bytes: name, is_product_token })
    }

    /// Returns a name without a check, taken as a product token. For conformance with recorded answers only.
    #[doc(hidden)]
    #[must_use]
    pub const fn assume_token(token: &'a [u8]) -> Self {
        Self { bytes: token, is_product_token: true }
    }

    /// Returns the bytes, as they were given.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Reports whether the name is a product token of RFC 9309: letters, `-` and `_` only.
    #[must_use]
    pub const fn is_product_token(self) -> bool {
        self.is_product_token
    }
}

impl fmt::Display for AgentName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match core::str::from_utf8(self.bytes) {
            Ok(name) => f.write_str(name),
            Err(_) => self.bytes.escape_ascii().fmt(f),
        }
    }
}

/// Returns where the version starts that a name ends in: `2.1`, `-2`, `_v2.1`, `v3`, `2.0rc1`, `-v2-alpha`; or the
/// signs that it ends in, as `FooBot+` does. Digits after letters are a name, as `MJ12` is.
const fn version_start(name: &[u8]) -> Option<usize> {
    const fn is_sign(byte: u8) -> bool {
        matches!(byte, b'.' | b'+' | b'!' | b'~')
    }
    if let Some(at) = inner_version(name) {
        return Some(at);
    }
    let mut start = name.len();
    while start > 0 && is_sign(name[start - 1]) {
        start -= 1;
    }
    if start < name.len() {
        return if start > 0 { Some(start) } else { None };
    }
    let mut has_dot = false;
    while start > 0 && (name[start - 1].is_ascii_digit() || name[start - 1] == b'.') {
        start -= 1;
        has_dot |= name[start] == b'.';
    }
    if start == name.len() {
        return None;
    }
    if start > 0 && matches!(name[start - 1], b'v' | b'V') {
        // `v` alone before digits: a version, whatever precedes it, if anything does.
        return if start > 1 { Some(start - 1) } else { None };
    }
    let is_separated = start > 0 && matches!(name[start - 1], b'-' | b'_' | b'+' | b'!' | b'~');
    if is_separated && start > 1 {
        return Some(start - 1);
    }
    if has_dot { Some(start) } else { None }
}

/// Returns where a version starts after which more follows: digits after a dot, as in `2.1-dev`, or after `-v`.
const fn inner_version(name: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at + 1 < name.len() {
        let is_digit = name[at + 1].is_ascii_digit();
        if name[at] == b'.' && is_digit {
            let mut start = at;
            while start > 0 && (name[start - 1].is_ascii_digit() || name[start - 1] == b'.') {
                start -= 1;
            }
            if start > 1 && matches!(name[start - 1], b'v' | b'V') {
                start -= 1;
            }
            let is_separated = start > 1 && matches!(name[start - 1], b'-' | b'_' | b'+' | b'!' | b'~');
            return Some(if is_separated { start - 1 } else { start });
        }
        if matches!(name[at], b'v' | b'V') && is_digit && at > 1 && matches!(name[at - 1], b'-' | b'_') {
            return Some(at - 1);
        }
        at += 1;
    }
    None
}

/// Reports whether the UTF-8 text begins with a blank or an invisible character beyond ASCII, such as U+00A0, U+200B
/// or a byte order mark, which come with names that were copied from a page; or with U+FFFD, which stands where a
/// character was lost. (What Unicode calls white space, control or default ignorable, and the blank of braille.)
#[doc(hidden)]
#[must_use]
pub const fn is_blank_beyond_ascii(text: &[u8]) -> bool {
    match text {
        [0xC2, b, ..] => matches!(b, 0x80..=0xA0 | 0xAD),
        [0xCD, b, ..] => *b == 0x8F,
        [0xD8, b, ..] => *b == 0x9C,
        [0xE1, b, c, ..] => {
            matches!((b, c), (0x85, 0x9F..=0xA0) | (0x9A, 0x80) | (0x9E, 0xB4..=0xB5) | (0xA0, 0x8B..=0x8F))
        }
        [0xE2, b, c, ..] => {
            matches!((b, c), (0x80, 0x80..=0x8F | 0xA8..=0xAF) | (0x81, 0x9F..=0xAF) | (0xA0, 0x80))
        }
        [0xE3, b, c, ..] => matches!((b, c), (0x80, 0x80) | (0x85, 0xA4)),
        [0xEF, b, c, ..] => {
            matches!((b, c), (0xB8, 0x80..=0x8F) | (0xBB, 0xBF) | (0xBE, 0xA0) | (0xBF, 0xB0..=0xBB | 0xBD))
        }
        [0xF0, b, c, d, ..] => {
            matches!((b, c, d), (0x9B, 0xB2, 0xA0..=0xA3) | (0x9D, 0x85, 0xB3..=0xBA))
        }
        // U+E0000 to U+E0FFF: tags and variation selectors.
        [0xF3, b, ..] => *b == 0xA0,
        _ => false,
    }
}

/// Reports whether a byte can be part of a product token (RFC 9309 section 2.2.1).
#[doc(hidden)]
#[must_use]
pub const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
}

/// The first byte of a key that is a value as written: see the module's table of keys. No name holds it.
#[doc(hidden)]
pub const WRITTEN_KEY: u8 = b'/';

/// Looks up the entry for a name: that of the longest key that `agent_match` accepts.
///
/// `find` is called with the bytes of a key, of which all but [`WRITTEN_KEY`] are as in the name, in any case; it
/// returns the entry with that key. Keys are tried from the longest.
///
/// Cost: one call of `find`; under matches by prefix, one for each prefix that can be a key. Never panics.
#[doc(hidden)]
#[inline]
pub fn look_up<T>(
    name: AgentName<'_>,
    agent_match: AgentMatch,
    mut find: impl FnMut(&AgentKey<'_>) -> Option<T>,
) -> Option<T> {
    let mut length = name.bytes.len();
    while let Some((head, rest)) = name.bytes.split_at_checked(length).filter(|(head, _)| !head.is_empty()) {
        let can_be_key = match agent_match {
            AgentMatch::Exact | AgentMatch::LongestPrefix => true,
            AgentMatch::LongestPrefixAtHyphen => rest.first().is_none_or(|byte| *byte == b'-'),
        };
        if can_be_key && let Some(found) = find(&AgentKey { name: head, is_written: !name.is_product_token }) {
            return Some(found);
        }
        if agent_match == AgentMatch::Exact {
            return None;
        }
        length -= 1;
    }
    None
}

/// A key that is looked for: see the module's table.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AgentKey<'a> {
    name: &'a [u8],
    is_written: bool,
}

impl AgentKey<'_> {
    /// Returns the name without its mark, in any case.
    #[must_use]
    pub const fn name(&self) -> &[u8] {
        self.name
    }

    /// Reports whether the key is a value as written, not a product token.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        self.is_written
    }

    /// Compares a key of an index, which is in lower case, with this one.
    #[must_use]
    pub fn compare_with(&self, known: &[u8]) -> Ordering {
        let mark = self.is_written.then_some(WRITTEN_KEY);
        known.iter().copied().cmp(mark.into_iter().chain(self.name.iter().map(u8::to_ascii_lowercase)))
    }
}

/// Returns the name that a key shows to a reader; `None` if another key shows it: a product token has a key of its own.
#[doc(hidden)]
#[must_use]
pub fn name_of_key(key: &[u8]) -> Option<&[u8]> {
    match key {
        [WRITTEN_KEY, name @ ..] if name.iter().all(|byte| is_token_byte(*byte)) => None,
        [WRITTEN_KEY, name @ ..] => Some(name),
        _ => Some(key),
    }
}

/// Reports why a name is no name of a crawler, and what to write instead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AgentError(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    Star,
    /// A blank or an invisible character beyond ASCII begins at this index.
    Blank(usize),
    /// The name ends in a version, which starts at this index.
    Version(usize),
    /// A character that looks like one of ASCII, which that is, and its index.
    Lookalike {
        char: char,
        ascii: char,
        at: usize,
    },
    /// A byte that no name holds, and its index.
    Byte(u8, usize),
}

/// Writes the message too: a `main` that returns the error prints nothing else.
impl fmt::Debug for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgentError").field(&format_args!("{self}")).finish()
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Empty => {
                f.write_str("the agent name is empty: write the product token of the crawler, such as FooBot")
            }
            Kind::Star => f.write_str("'*' is no agent name: it stands for all other agents: ask for these alone"),
            Kind::Blank(at) => {
                write!(
                    f,
                    "an agent name cannot contain a blank or an invisible character (byte {}): type it again",
                    at + 1
                )
            }
            Kind::Lookalike { char, ascii, at } => {
                let code = u32::from(char);
                write!(f, "U+{code:04X} looks like '{ascii}' and is none (byte {}): type the name again", at + 1)
            }
            Kind::Version(at) => {
                write!(
                    f,
                    "an agent name cannot end in a version or a sign (from byte {}): write the name before it alone",
                    at + 1
                )
            }
            Kind::Byte(byte, at) => {
                write!(f, "an agent name cannot contain '{}' (byte {}): ", byte.escape_ascii(), at + 1)?;
                f.write_str(match byte {
                    b'/' => "write the name before it alone; for a whole User-Agent header, use HeaderNames::crawler",
                    b' ' | b'\t' | b'(' | b')' | b';' => "for a whole User-Agent header, use HeaderNames::crawler",
                    b',' => "give several names one by one, as a chain or a pool",
                    _ => "a name has letters, digits, '.', '_', '-', '+', '!' and '~'",
                })
            }
        }
    }
}

/// What is wrong with a name: see [`AgentError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentErrorKind {
    /// The name is empty.
    Empty,
    /// The name is `*`, which stands for all agents that no group names.
    Star,
    /// The name holds a byte or a character that no name holds.
    Character,
    /// The name ends in a version.
    Version,
}

impl AgentError {
    /// Returns what is wrong with the name.
    #[must_use]
    pub const fn kind(&self) -> AgentErrorKind {
        match self.0 {
            Kind::Empty => AgentErrorKind::Empty,
            Kind::Star => AgentErrorKind::Star,
            Kind::Blank(_) | Kind::Lookalike { .. } | Kind::Byte(..) => AgentErrorKind::Character,
            Kind::Version(_) => AgentErrorKind::Version,
        }
    }
}

impl core::error::Error for AgentError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for name in ["FooBot", "a", "_-", "MJ12bot", "archive.org_bot", "AI2Bot", "b\u{f6}t", "a+b!c~d", "3"] {
            assert!(AgentName::new(name).is_ok(), "{name}");
        }
        for name in ["FooBot\u{a0}", "\u{feff}FooBot", "Foo\u{200b}Bot", "Foo\u{3000}Bot", "Foo\u{ad}Bot"] {
            assert!(matches!(AgentName::new(name), Err(AgentError(Kind::Blank(_)))), "{name}");
        }
        for code in [
            0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180E, 0x202E, 0x2060, 0x2800, 0x3164, 0xFE0F, 0xFFA0,
            0xFFF9, 0xFFFD, 0x1_BCA0, 0x1_D173, 0xE_0020, 0xE_0100,
        ] {
            let mut name = *b"FooBot\0\0\0\0";
            let length = 6 + char::from_u32(code).unwrap().encode_utf8(&mut name[6..]).len();
            assert!(matches!(AgentName::of_group(&name[..length]), Err(AgentError(Kind::Blank(6)))), "{code:x}");
        }
        for name in ["", "*", "FooBot/1.2", "Foo Bot", " FooBot", "FooBot\t", "A,B", "a*", "a:b", "(x)", "a\0", "a\"b"]
        {
            assert!(AgentName::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn names_of_crawlers_end_in_no_version() {
        for (name, at) in [
            ("FooBot2.1", 6),
            ("FooBot-2.1", 6),
            ("FooBot_2.1.0", 6),
            ("FooBot.2", 6),
            ("FooBot-2", 6),
            ("FooBot+2", 6),
            ("FooBotv2", 6),
            ("FooBotV2.1", 6),
            ("MJ12bot1.4", 7),
            ("FooBot2.1-dev", 6),
            ("FooBot-2.1b", 6),
            ("FooBot2.0rc1", 6),
            ("FooBot-1.0-beta", 6),
            ("FooBot-v2-alpha", 6),
            ("FooBotv2.1.x", 6),
            ("FooBot.1a", 6),
            ("FooBot+", 6),
            ("FooBot.", 6),
            ("FooBot!~", 6),
            ("FooBot2+", 7),
            ("2.1", 0),
        ] {
            assert_eq!(AgentName::new(name), Err(AgentError(Kind::Version(at))), "{name}");
            assert!(AgentName::of_group(name.as_bytes()).is_ok(), "{name}");
        }
        for name in
            ["FooBot2", "MJ12bot", "archive.org_bot", "Mail.Ru", "Mail.RU_Bot", "AI2Bot", "360Spider", "008", "W3C-v"]
        {
            assert!(AgentName::new(name).is_ok(), "{name}");
        }
        assert!(matches!(AgentName::new("FooBot/2.1"), Err(AgentError(Kind::Byte(b'/', 6)))));
    }

    #[test]
    fn lookalikes_are_no_part_of_a_name() {
        for (name, char, at) in [
            ("GPT\u{2011}Bot", "U+2011 looks like '-'", 4),
            ("F\u{43e}\u{43e}Bot", "U+043E looks like 'o'", 2),
            ("Foo\u{412}ot", "U+0412 looks like 'B'", 4),
            ("F\u{f6}\u{43e}Bot", "U+043E looks like 'o'", 4),
            ("\u{ff26}ooBot", "U+FF26 looks like 'F'", 1),
            ("\u{421}\u{421}", "U+0421 looks like 'C'", 1),
        ] {
            let error = AgentName::new(name).expect_err(name);
            assert_eq!(error.kind(), AgentErrorKind::Character);
            extern crate std;
            let message = std::string::ToString::to_string(&error);
            assert_eq!(message, std::format!("{char} and is none (byte {at}): type the name again"));
            // A file can have such a name.
            assert!(AgentName::of_group(name.as_bytes()).is_ok(), "{name}");
        }
        for name in
            ["\u{42f}\u{43d}\u{434}\u{435}\u{43a}\u{441}", "Foo\u{431}\u{43e}\u{442}", "b\u{f6}t", "\u{4e2d}Bot"]
        {
            assert!(AgentName::new(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn keys_are_tried_from_the_longest() {
        let tried = |name, agent_match| {
            let mut count = 0;
            let mut longest = 0;
            let name = AgentName::new(name).expect("a name");
            let none: Option<()> = look_up(name, agent_match, |key| {
                count += 1;
                longest = longest.max(key.name().len());
                None
            });
            (none, count, longest)
        };
        assert_eq!(tried("a-b-cd", AgentMatch::Exact), (None, 1, 6));
        assert_eq!(tried("a-b-cd", AgentMatch::LongestPrefixAtHyphen), (None, 3, 6));
        assert_eq!(tried("a-b-cd", AgentMatch::LongestPrefix), (None, 6, 6));
    }

    #[test]
    fn written_keys_are_marked() {
        let key = |name| {
            let name = AgentName::new(name).expect("a name");
            look_up(name, AgentMatch::Exact, |key| Some(key.is_written())).expect("it is called")
        };
        assert!(!key("MJ") && key("MJ12bot"));
        let name = AgentName::new("MJ12bot").expect("a name");
        let found = look_up(name, AgentMatch::Exact, |key| Some(key.compare_with(b"/mj12bot")));
        assert_eq!(found, Some(Ordering::Equal));
    }
}
