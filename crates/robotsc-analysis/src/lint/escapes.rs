//! Bytes of a pattern that URLs contain in another form: escaped, or not.
//!
//! ```text
//! Disallow: /a"b               URLs contain `%22`
//! Disallow: /a\b               clients send a slash
//! Disallow: /%61               URLs contain `a`
//! Disallow: /search%3Fq=       the sign before a query is written `?`
//! ```

use robotsc_compiler::Severity;
use robotsc_compiler::dialect::Escapes;

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::odd_pattern::OddPattern;
use crate::text::encoding::{encoded_once, is_western, windows_1252};
use crate::text::escapes::{byte_of_digits, escape_letters, unescape_letters};
use crate::text::lookalike::is_never_seen;
use crate::text::part::replaced;

/// Bytes that clients escape, and the dialect does not.
pub(super) fn unescaped(context: &Context<'_>, value: &[u8]) -> Option<OddPattern> {
    if context.robots.dialect().escapes == Escapes::Canonical {
        return None;
    }
    let query = value.iter().position(|byte| *byte == b'?').unwrap_or(value.len());
    let is_escaped = |(at, byte): (usize, &u8)| match byte {
        b'"' | b'<' | b'>' | 0..=0x1F | 0x7F if *byte != b'\t' => true,
        b'\\' if at + 1 == value.len() => true,
        // A star can match the `?`, after which these stand for themselves.
        b'`' | b'{' | b'}' | b'\\' => at < query && !value[..at].contains(&b'*'),
        b'\'' => at > query,
        _ => false,
    };
    let (at, byte) = value.iter().enumerate().find(|(at, byte)| is_escaped((*at, byte)))?;
    let escape = format!("%{byte:02X}");
    let is_path = matches!(value.first(), Some(b'/' | b'*'));
    // Quotes alone are no path: another finding says so.
    if value.iter().all(|byte| b"\"'`".contains(byte)) {
        return None;
    }
    // One quote in a path is left of something else. Rules for URLs with a quote have a `*` or a `?` before it.
    let is_left = matches!(byte, b'"' | b'<' | b'>' | b'`')
        && value.iter().filter(|other| *other == byte).count() == 1
        && !value[..at].iter().any(|byte| b"*?".contains(byte));
    let message = match byte {
        b'\\' => format!("{} contains a backslash: clients send a slash in its place", quoted(value)),
        _ => format!("{} contains {}, and URLs contain `{escape}`", quoted(value), quoted(&[*byte])),
    };
    let mut odd = OddPattern::new(LintCheck::UnescapedByte, message);
    if !is_path || is_left {
        return Some(odd);
    }
    let (with, length) = match byte {
        // It escaped what follows, or follows the path.
        b'\\' if value[..at].ends_with(b"/") && matches!(value[at + 1..], [] | [b'*' | b'$', ..]) => (Vec::new(), 1),
        // The line of a program goes on so.
        b'\\' if at + 1 == value.len() => {
            return Some(odd.fix("remove the backslash", value[..at].trim_ascii_end().to_vec()));
        }
        b'\\' => match backslash(&value[at + 1..]) {
            Some(meant) => meant,
            None => return Some(odd),
        },
        // A control was copied with the path, and no URL has its escape.
        0..=0x1F | 0x7F => return Some(odd),
        _ => (escape.into_bytes(), 1),
    };
    if length > 1 && !with.is_empty() {
        let (escape, meant) = (quoted(&value[at..at + length]), quoted(&with));
        odd.message =
            format!("{} contains {escape}, an escape of another notation: URLs contain {meant}", quoted(value));
    }
    // The same byte can be right in another place: after the `?`, say.
    let with = [&value[..at], &with, &value[at + length..]].concat();
    Some(odd.fix("write the byte as URLs contain it", with))
}

/// Returns what a backslash was meant to be, by what follows it, and how many bytes of the pattern that is: a letter
/// that a program escaped, nothing before a slash, or a slash between names. `None` if it is not known.
fn backslash(rest: &[u8]) -> Option<(Vec<u8>, usize)> {
    match rest {
        [b'u', digits @ ..] if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit) => {
            let code = digits[..4].iter().fold(0, |code, digit| code << 4 | u32::from(hex(*digit)));
            let mut buffer = [0; 4];
            let letter = char::from_u32(code).filter(|letter| !letter.is_ascii())?.encode_utf8(&mut buffer);
            Some((letter.bytes().flat_map(|byte| format!("%{byte:02X}").into_bytes()).collect(), 6))
        }
        [b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => None,
        [b'/', ..] => Some((Vec::new(), 1)),
        [b'*' | b'$', ..] | [] => Some((b"/".to_vec(), 1)),
        [next, ..] if next.is_ascii_alphabetic() || *next == b'_' => Some((b"/".to_vec(), 1)),
        _ => None,
    }
}

/// Escapes of letters, which URLs contain as they are, and `%` without two digits.
pub(super) fn escapes(context: &Context<'_>, value: &[u8]) -> Option<OddPattern> {
    if let Some((message, meant)) = wrong_letters(value) {
        let odd = OddPattern::new(LintCheck::EscapeForm, message);
        return Some(match meant {
            Some(meant) => odd.fix("write it as it was before", meant),
            None => odd,
        });
    }
    if let Some(odd) = unseen(value) {
        return Some(odd);
    }
    let is_canonical = context.robots.dialect().escapes == Escapes::Canonical;
    // A `*` can stand for a `?`.
    let query = value.iter().position(|byte| matches!(byte, b'?' | b'*')).unwrap_or(value.len());
    let mut is_first = true;
    let mut cut = None;
    for (at, _) in value.iter().enumerate().filter(|(_, byte)| **byte == b'%') {
        let byte = match &value[at + 1..] {
            [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => hex(*high) << 4 | hex(*low),
            // The start of any escape: what the `*` or the end matches goes on with it.
            [] | [b'*' | b'$', ..] => {
                cut = cut.or_else(|| cut_short(value, at, 1));
                continue;
            }
            [high] | [high, b'*' | b'$', ..] if high.is_ascii_hexdigit() => {
                cut = cut.or_else(|| cut_short(value, at, 2));
                continue;
            }
            _ => {
                let message = format!("a `%` in {} is followed by no two hex digits", quoted(value));
                return Some(OddPattern::new(LintCheck::EscapeForm, message));
            }
        };
        // The first alone: it is the one before a query.
        if byte == b'?' && std::mem::take(&mut is_first) && is_meant_as_query(context, value, at) {
            let message = format!(
                "{} contains {}: the sign before a query is written `?`",
                quoted(value),
                quoted(&value[at..at + 3])
            );
            return Some(OddPattern::new(LintCheck::EscapeForm, message));
        }
        if let Some(message) = odd_escape(value, at, byte, at > query, is_canonical) {
            let odd = OddPattern::new(LintCheck::EscapeForm, message);
            return Some(match western(value).filter(|_| !byte.is_ascii()) {
                Some(meant) => odd.fix("escape it in UTF-8, read as windows-1252", meant),
                None => odd,
            });
        }
        if !is_canonical && (byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')) {
            let written = &value[at..at + 3];
            let message = format!(
                "{} contains {}: URLs contain `{}` as it is, and Google compares escapes as they are",
                quoted(value),
                quoted(written),
                char::from(byte)
            );
            let with = replaced(value, written, &[byte]);
            return Some(OddPattern::new(LintCheck::EscapeForm, message).fix("write the byte itself", with));
        }
    }
    cut
}

/// Returns the character that escapes stand for, if they are those of one and nobody sees it.
fn unseen_char(text: &[u8]) -> Option<char> {
    let byte = |escape: &[u8]| match escape {
        [b'%', high, low] => byte_of_digits(*high, *low),
        _ => None,
    };
    let bytes: Vec<u8> = text.chunks(3).map_while(byte).collect();
    let char = std::str::from_utf8(&bytes).ok()?.chars().next().filter(|char| 3 * char.len_utf8() == text.len())?;
    (is_never_seen(char) || char.is_ascii_control() && char != '\0').then_some(char)
}

/// The lengths of escapes of one character, which has four bytes at most.
const ESCAPED: [usize; 4] = [3, 6, 9, 12];

/// Returns the first of the escapes at the start of a pattern that stand for what nobody sees, and the path after them.
pub(super) fn after_unseen(value: &[u8]) -> Option<(char, &[u8])> {
    let (mut rest, mut first) = (value, None);
    let at_start = |text: &[u8]| ESCAPED.iter().find_map(|end| Some((unseen_char(text.get(..*end)?)?, *end)));
    while let Some((char, end)) = at_start(rest) {
        first = first.or(Some(char));
        rest = &rest[end..];
    }
    first.filter(|_| rest.first() == Some(&b'/')).map(|char| (char, rest))
}

/// The escape of a character that nobody sees at the end of a pattern: it was copied with the path, and a program
/// escaped it. Within a path it is of the title that the URL was made of.
fn unseen(value: &[u8]) -> Option<OddPattern> {
    let anchor = usize::from(value.ends_with(b"$"));
    let (mut inner, mut found) = (&value[..value.len() - anchor], None);
    let at_end = |text: &[u8]| {
        let starts = ESCAPED.iter().filter_map(|length| text.len().checked_sub(*length));
        starts.filter_map(|at| Some((unseen_char(&text[at..])?, at))).next()
    };
    while let Some((char, at)) = at_end(inner) {
        found = Some(char);
        inner = &inner[..at];
    }
    let char = found?;
    // Rules for URLs that have it.
    if inner.len() < 2 || inner.ends_with(b"*") || inner.ends_with(b"=") {
        return None;
    }
    let code = format!("U+{:04X}", u32::from(char));
    let message = format!("{} ends in the escape of {code}, which cannot be seen: few URLs do", quoted(value));
    let with = [inner, &value[value.len() - anchor..]].concat();
    Some(OddPattern::new(LintCheck::EscapeForm, message).fix("remove the escape", with))
}

/// An escape at the end of a pattern that is cut short, as a note: the pattern matches each escape that begins so.
///
/// After a slash or a `*` it stands for all escapes, which is meant: `/%`, `/%E`, `/itm/*/%`.
fn cut_short(value: &[u8], at: usize, length: usize) -> Option<OddPattern> {
    let is_after_name = at > 0 && !b"/*%".contains(&value[at - 1]);
    let (escape, rest) = value[at..].split_at(length);
    if !is_after_name || !matches!(rest, [] | [b'*'] | [b'$']) {
        return None;
    }
    let (shown, written) = (quoted(value), quoted(escape));
    let message = match rest {
        [b'$'] => format!("{shown} ends in {written}, as few URLs do: they have `%` and two hex digits"),
        _ => format!("{shown} ends in {written}, and matches every escape that begins so: perhaps it was cut short"),
    };
    let severity = Some(Severity::Info);
    Some(OddPattern { severity, ..OddPattern::new(LintCheck::EscapeForm, message) })
}

/// Returns a value with its escapes in UTF-8, if they are of windows-1252.
fn western(value: &[u8]) -> Option<Vec<u8>> {
    let bytes = unescape_letters(value);
    (is_plain(&bytes) && value.is_ascii() && is_western(&bytes))
        .then(|| escape_letters(windows_1252(&bytes).as_bytes()))
}

/// Reports whether nothing of ASCII is escaped in what was decoded.
fn is_plain(decoded: &[u8]) -> bool {
    !decoded.contains(&b'%')
}

/// Returns what is wrong with letters that are escaped, and the value that was meant: they were lost, or encoded twice.
fn wrong_letters(value: &[u8]) -> Option<(String, Option<Vec<u8>>)> {
    if !value.contains(&b'%') {
        return None;
    }
    let bytes = unescape_letters(value);
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() < value.len())?;
    let once = encoded_once(text);
    if text.contains('\u{FFFD}') || once.as_ref().is_some_and(|once| once.contains('\u{FFFD}')) {
        let message = format!("{} has the escape of U+FFFD, which stands for a letter that was lost", quoted(value));
        return Some((message, None));
    }
    let once = once?;
    let message = format!("{} is encoded twice: {} was meant", quoted(value), quoted(once.as_bytes()));
    Some((message, is_plain(&bytes).then(|| escape_letters(once.as_bytes()))))
}

/// Reports whether an escaped `?` was meant as the one before a query: a parameter or nothing follows it, and no rule
/// is for the `?` itself, so that this one is not for addresses that are escaped, too.
fn is_meant_as_query(context: &Context<'_>, value: &[u8], at: usize) -> bool {
    const MAX_RULES: usize = 1000;
    let rest = &value[at + 3..];
    let is_parameter = matches!(rest, [] | [b'*'] | [b'$']) || rest.contains(&b'=');
    let is_plain = |other: &[u8]| {
        other.len() + 2 == value.len() && other[..at] == value[..at] && other[at] == b'?' && other[at + 1..] == *rest
    };
    let rules = context.robots.rules();
    let is_in_query = value[..at].contains(&b'?');
    is_parameter && !is_in_query && rules.len() <= MAX_RULES && !rules.iter().any(|rule| is_plain(context.value(rule)))
}

/// Returns what is odd about an escape of a sign: a separator that URLs contain as it is, an escape of an escape, or
/// bytes of another encoding.
fn odd_escape(value: &[u8], at: usize, byte: u8, is_in_query: bool, is_canonical: bool) -> Option<String> {
    if is_in_query {
        return None;
    }
    let is_hex = |at: usize| value.get(at).is_some_and(u8::is_ascii_hexdigit);
    // Escapes of one letter are looked at together, from the first.
    let begins = at < 3 || value[at - 3] != b'%';
    let what = match byte {
        b'/' => "contains {}: the slashes between folders are written `/`",
        b' ' if at + 3 == value.len() => "ends in {}, an escaped blank: few URLs have one",
        b'%' if is_hex(at + 3) && is_hex(at + 4) => "is escaped twice: {} stands for the `%` of another escape",
        b'*' if !is_canonical => "contains {}, which is no wildcard: `*` is",
        0x80.. if begins && !is_escaped_utf8(&value[at..]) => {
            "contains {}, which is no UTF-8: URLs of other letters are escaped in UTF-8"
        }
        _ => return None,
    };
    Some(format!("{} {}", quoted(value), what.replace("{}", &quoted(&value[at..at + 3]))))
}

/// Reports whether the escapes at the start of a text are of UTF-8.
fn is_escaped_utf8(text: &[u8]) -> bool {
    let mut bytes = Vec::new();
    for escape in text.chunks(3) {
        match escape {
            [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(hex(*high) << 4 | hex(*low));
            }
            _ => break,
        }
    }
    // The pattern can end within a letter.
    let is_end = matches!(text.get(3 * bytes.len()), None | Some(b'*' | b'$' | b'%'));
    std::str::from_utf8(&bytes).err().is_none_or(|error| is_end && error.error_len().is_none())
}

/// Returns the value of a hex digit.
fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).map_or(0, |value| value as u8)
}
