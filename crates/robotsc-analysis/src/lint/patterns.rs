//! Patterns that do not mean what they seem to: signs of regular expressions, blanks, escapes, stars at the end.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::dialect::Escapes;
use robotsc_compiler::notation::is_like_regex;
use robotsc_compiler::{ByteSpan, RuleKind, RuleLine, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::odd_pattern::OddPattern;
use super::{signs, trailing_stars};
use crate::search::NotDecided;
use crate::text::encoding::encoded_once;
use crate::text::part::{find, replaced};

/// Finds odd patterns.
pub(super) fn check(context: &mut Context<'_>) {
    values(context);
    case_variants(context);
    trailing_stars::trailing_stars(context);
}

/// Finds what is odd about single patterns.
pub(super) fn values(context: &mut Context<'_>) {
    let mut closing = None;
    for rule in context.robots.rules() {
        let value = context.value(rule);
        if context.explained.contains(&rule.line) {
            continue;
        }
        if value.is_empty() {
            hash_alone(context, rule);
            continue;
        }
        let mut odd = Vec::new();
        odd.extend(hash(context, rule, &mut closing));
        odd.extend(of_value(context, rule.kind, value));
        for odd in odd {
            let Some(check) = context.check(odd.check) else { continue };
            let mut finding = Finding::new(check, rule.line, rule.value, odd.message);
            finding.severity = odd.severity.unwrap_or(check.severity());
            let fix = odd.fix.map(|(title, with)| Fix::replace(title, rule.value, with));
            finding.fix = if odd.is_safe { fix.map(Fix::safe) } else { fix };
            context.found.push(finding);
        }
    }
    if closing == Some(Err(NotDecided)) {
        let message = "whether a rule that a `#` cuts closes the whole site was not decided";
        context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
    }
}

/// A value that begins with a `#` and a path, so that all of it is a comment: `#/cart` of an address with a fragment.
fn hash_alone(context: &mut Context<'_>, rule: &RuleLine) {
    let text = context.lines.text(rule.line);
    let value = text.split(|byte| *byte == b':').nth(1).unwrap_or_default().trim_ascii();
    if value.starts_with(b"#/") && value.len() > 2 {
        let message = format!("{} is a comment, so that the line has no value: `#` begins one", quoted(value));
        context.report(LintCheck::HashCutsRule, rule.line, rule.value, message);
    }
}

/// Reports whether a check of the pattern says why no URL has such a path.
pub(super) fn explains_no_url(context: &Context<'_>, rule: &RuleLine) -> bool {
    let value = context.value(rule);
    context.explained.contains(&rule.line)
        // `not-utf8` does.
        || std::str::from_utf8(value).is_err()
        || of_value(context, rule.kind, value).iter().any(|odd| {
            matches!(
                odd.check,
                LintCheck::SpaceInPattern
                    | LintCheck::DotSegment
                    | LintCheck::UnescapedByte
                    | LintCheck::Placeholder
                    | LintCheck::StraySign
            )
        })
}

/// Returns what is odd about a value.
pub(super) fn of_value(context: &Context<'_>, kind: RuleKind, value: &[u8]) -> Vec<OddPattern> {
    // What follows an HTML comment's mark is no part of the pattern.
    if find(value, b" <!--").is_some()
        && let Some(odd) = blank(context, kind, value, value)
    {
        return vec![odd];
    }
    let is_placeholder = signs::placeholder(value).is_some();
    let regex = if is_placeholder { None } else { regex(value) };
    // A backslash of a regular expression is no slash, and a bracket of a placeholder no bracket.
    // What is after the path is another finding.
    let path = signs::without_stray_signs(value).unwrap_or(value);
    let unescaped = if regex.is_some() || is_placeholder { None } else { unescaped(context, path) };
    let has_record = has_record(value);
    let is_explained = has_record || regex.is_some();
    let signs = if is_explained { Vec::new() } else { signs::of_value(context, kind, value) };
    [
        if is_explained { None } else { dollar(value) },
        regex,
        blank(context, kind, value, path),
        entity(value),
        dots(value),
        unescaped,
        escapes(context, value),
        double_star(value),
    ]
    .into_iter()
    .flatten()
    .chain(signs)
    .collect()
}

/// Reports whether what is odd about a value has a fix, if anything is.
pub(super) fn are_mendable(context: &Context<'_>, kind: RuleKind, value: &[u8]) -> bool {
    let is_left =
        |odd: &OddPattern| odd.fix.is_none() && odd.severity.unwrap_or(odd.check.severity()) >= Severity::Warning;
    !of_value(context, kind, value).iter().any(is_left)
}

/// A `$` before the end is a byte like others.
fn dollar(value: &[u8]) -> Option<OddPattern> {
    let (_, before) = value.split_last()?;
    // `$$` and `$*` at the end are slips of the same kind. A `%24` in its place would not match `$` under google.
    let at = before.iter().position(|byte| *byte == b'$')?;
    let message = format!("the `$` in {} is not at the end: it stands for itself, not for the end", quoted(value));
    // Names such as `$price` occur in paths.
    let is_slip = matches!(value.get(at + 1), Some(b'*' | b'$' | b',' | b';' | b' ' | b')' | b'/' | b'|'));
    let severity = (!is_slip).then_some(Severity::Info);
    Some(OddPattern { severity, ..OddPattern::new(LintCheck::DollarInside, message) })
}

/// Signs that only make sense in a regular expression.
fn regex(value: &[u8]) -> Option<OddPattern> {
    is_like_regex(value).then_some(())?;
    let message = format!(
        "{} looks like a regular expression: only `*` and a `$` at the end have a meaning, all else is literal",
        quoted(value)
    );
    let with = replaced(&replaced(value, b"(.*)", b"*"), b".*", b"*");
    // What has other signs would still be for no URL that was meant.
    let is_plain = !with.iter().any(|byte| b"()[]{}^\\+|".contains(byte));
    let fix = (with != value && is_plain).then_some(("write `*` for `.*`", with));
    Some(OddPattern { fix, ..OddPattern::new(LintCheck::RegexSyntax, message) })
}

/// Reports whether a value goes on with a record of its own.
fn has_record(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    [&b"allow:"[..], b"user-agent:", b"sitemap:"].iter().any(|key| find(&lower, key).is_some())
}

/// What begins a comment in other languages, after a blank.
const COMMENTS: [&[u8]; 6] = [b"//", b"<!--", b"(", b"- ", b"-- ", b"; "];

/// A blank never occurs in a URL.
///
/// `written` is the value with signs at its end that were copied with it: those of a comment belong to it.
fn blank(context: &Context<'_>, kind: RuleKind, written: &[u8], value: &[u8]) -> Option<OddPattern> {
    let at = value.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    // A sign alone is between the path and what is said of it.
    let is_sign = |word: &[u8]| {
        std::str::from_utf8(word)
            .is_ok_and(|word| !word.contains(|char: char| char.is_alphanumeric() || "/*?&%".contains(char)))
    };
    let is_comment = |rest: &[u8]| {
        let has_mark = COMMENTS.iter().any(|mark| rest.starts_with(mark) && rest.len() > mark.len());
        let mut words = rest.split(|byte| matches!(byte, b' ' | b'\t'));
        has_mark || words.next().is_some_and(is_sign) && words.next().is_some() && kind == RuleKind::Disallow
    };
    let value = if is_comment(value[at..].trim_ascii()) { written } else { value };
    let rest = value[at..].trim_ascii();
    let check = LintCheck::SpaceInPattern;
    if has_record(value) {
        return Some(OddPattern::new(check, format!("{} holds two records: a line has one", quoted(value))));
    }
    if is_comment(rest) {
        let message = format!("{} is read as one pattern: a comment begins with `#`", quoted(value));
        return Some(
            OddPattern::new(check, message).fix("begin the comment with `#`", [&value[..at], b" # ", rest].concat()),
        );
    }
    let words: Vec<&[u8]> = value
        .split(|byte| matches!(byte, b' ' | b'\t'))
        .map(|word| word.trim_ascii_end())
        .map(|word| word.strip_suffix(b",").or_else(|| word.strip_suffix(b";")).unwrap_or(word))
        .filter(|word| !matches!(*word, b"" | b"and" | b"or" | b"|" | b"&" | b"+" | b"," | b";"))
        .collect();
    // A `*` before a path is a bullet of a list, or for nothing.
    let is_path = |word: &&[u8]| matches!(word, [b'/' | b'*', _, ..]);
    if words.len() > 1 && words.iter().all(is_path) {
        let message = format!("{} holds {} paths: a rule has one", quoted(value), words.len());
        let fix = signs::lines(context, kind, &words);
        return Some(OddPattern::new(check, message).fix("write a rule for each", fix));
    }
    let message = format!("{} contains a blank, and no URL does: clients send `%20`", quoted(value));
    let with = replaced(&replaced(value, b" ", b"%20"), b"\t", b"%09");
    let odd = OddPattern::new(check, message);
    // What matches nothing for another reason is mended first.
    let is_path = matches!(value.first(), Some(b'/' | b'*'));
    let is_sure = is_path && rest.iter().any(u8::is_ascii_alphanumeric) && !matches!(rest, [b'/' | b'*', ..]);
    if !is_sure {
        return Some(odd);
    }
    // No name of a file begins with a blank or has a tab, and none has the scheme of a URL.
    let words = rest.split(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_like_path = |rest: &[u8]| rest.iter().any(|byte| b"/.=?*".contains(byte));
    let is_sentence = value.contains(&b'\t')
        || words > 2 && !is_like_path(rest)
        || find(rest, b"//").is_some()
        || rest.windows(2).any(|two| two == b" /");
    Some(match &value[..at] {
        // `/ all` is for all paths, and `/ private/` for one.
        b"/" if words == 1 && is_like_path(rest) => odd.fix("remove the blank", [b"/", rest].concat()),
        // What an `Allow` opens is not widened.
        [.., b'/' | b'$'] if at > 1 && !is_like_path(rest) && kind == RuleKind::Disallow => {
            odd.fix("begin a comment there", [&value[..at], b" # ", rest].concat())
        }
        [.., b'/' | b'$'] => odd,
        _ if is_sentence => odd,
        _ => odd.fix("write the blank as `%20`", with),
    })
}

/// Characters that HTML writes as entities, and how URLs contain them. A `#` would begin a comment.
const ENTITIES: [(&[u8], &[u8]); 6] =
    [(b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">"), (b"&quot;", b"%22"), (b"&apos;", b"'"), (b"&nbsp;", b"%20")];

/// Returns the first entity of a letter, such as `&eacute;`.
fn letter_entity(value: &[u8]) -> Option<&[u8]> {
    const MARKS: [&[u8]; 9] = [b"acute", b"grave", b"circ", b"tilde", b"uml", b"cedil", b"ring", b"slash", b"lig"];
    value.split_inclusive(|byte| *byte == b';').find_map(|part| {
        let entity = &part[part.iter().rposition(|byte| *byte == b'&')?..];
        let name = entity.strip_prefix(b"&")?.strip_suffix(b";")?;
        MARKS.iter().any(|mark| name.len() <= mark.len() + 2 && name.ends_with(mark)).then_some(entity)
    })
}

fn entity(value: &[u8]) -> Option<OddPattern> {
    let Some((first, _)) = ENTITIES.iter().find(|(entity, _)| find(value, entity).is_some()) else {
        let entity = letter_entity(value)?;
        let message = format!("{} contains {}: write the letter itself", quoted(value), quoted(entity));
        return Some(OddPattern::new(LintCheck::HtmlEntity, message));
    };
    let message = format!("{} contains {}: robots.txt has no entities of HTML", quoted(value), quoted(first));
    // Around a value, quotes and blanks are of the page that it was copied from.
    let mut inner = value;
    let around: [&[u8]; 3] = [b"&quot;", b"&apos;", b"&nbsp;"];
    while let Some(rest) =
        around.iter().find_map(|entity| inner.strip_prefix(*entity).or_else(|| inner.strip_suffix(*entity)))
    {
        inner = rest;
    }
    let with = ENTITIES.iter().fold(inner.to_vec(), |text, (entity, meant)| replaced(&text, entity, meant));
    Some(OddPattern::new(LintCheck::HtmlEntity, message).fix("write the sign itself", with))
}

/// Dot segments of the path never arrive.
fn dots(value: &[u8]) -> Option<OddPattern> {
    let path = value.split(|byte| *byte == b'?').next()?;
    let is_dots = |segment: &&[u8]| *segment == b"." || *segment == b"..";
    // The last segment goes on, unless it is anchored.
    let mut segments: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    let last = segments.pop()?;
    let anchored = last.strip_suffix(b"$").filter(|_| path.len() == value.len());
    let found = segments.iter().any(is_dots) || anchored.as_ref().is_some_and(is_dots);
    let message = format!("{} contains a dot segment: clients resolve it before they send a request", quoted(value));
    found.then_some(OddPattern::new(LintCheck::DotSegment, message))
}

/// Bytes that clients escape, and the dialect does not.
fn unescaped(context: &Context<'_>, value: &[u8]) -> Option<OddPattern> {
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
        b'\\' if at + 1 == value.len() && value[..at].iter().any(|byte| b"*.".contains(byte)) => (Vec::new(), 1),
        b'\\' => match backslash(&value[at + 1..]) {
            Some(meant) => meant,
            None => return Some(odd),
        },
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
fn escapes(context: &Context<'_>, value: &[u8]) -> Option<OddPattern> {
    if let Some(message) = wrong_letters(value) {
        return Some(OddPattern::new(LintCheck::EscapeForm, message));
    }
    let is_canonical = context.robots.dialect().escapes == Escapes::Canonical;
    // A `*` can stand for a `?`.
    let query = value.iter().position(|byte| matches!(byte, b'?' | b'*')).unwrap_or(value.len());
    let mut is_first = true;
    for (at, _) in value.iter().enumerate().filter(|(_, byte)| **byte == b'%') {
        let byte = match &value[at + 1..] {
            [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => hex(*high) << 4 | hex(*low),
            // The start of any escape: what the `*` or the end matches goes on with it.
            [] | [b'*' | b'$', ..] => continue,
            [high] | [high, b'*' | b'$', ..] if high.is_ascii_hexdigit() => continue,
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
            return Some(OddPattern::new(LintCheck::EscapeForm, message));
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
    None
}

/// Returns what is wrong with letters that are escaped: they were lost, or encoded twice.
fn wrong_letters(value: &[u8]) -> Option<String> {
    if !value.contains(&b'%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, after @ ..] = rest {
        let (byte, left) = match rest {
            [b'%', high, low, left @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                (hex(*high) << 4 | hex(*low), left)
            }
            _ => (*first, after),
        };
        bytes.push(byte);
        rest = left;
    }
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() < value.len())?;
    let once = encoded_once(text);
    if text.contains('\u{FFFD}') || once.as_ref().is_some_and(|once| once.contains('\u{FFFD}')) {
        return Some(format!("{} has the escape of U+FFFD, which stands for a letter that was lost", quoted(value)));
    }
    once.map(|once| format!("{} is encoded twice: {} was meant", quoted(value), quoted(once.as_bytes())))
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

fn double_star(value: &[u8]) -> Option<OddPattern> {
    find(value, b"**")?;
    let message = format!("`**` in {} means `*`, and makes the rule longer", quoted(value));
    let mut with = value.to_vec();
    with.dedup_by(|one, other| *one == b'*' && *other == b'*');
    Some(OddPattern::new(LintCheck::DoubleStar, message).fix("write `*`", with))
}

/// A `#` right after the value cuts a rule that was meant to be longer.
///
/// `closing` are the lines that close the whole site, once they were asked for.
fn hash(context: &Context<'_>, rule: &RuleLine, closing: &mut Option<ClosingLines>) -> Option<OddPattern> {
    let end = rule.value.end as usize;
    let rest = context.body().get(end..)?;
    let [b'#', after @ ..] = rest else { return None };
    // `/cart# closed` is a comment; `/#/cart` and `/cart#top` are not meant as one.
    let is_path = after.first().is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b'#' | b'\n' | b'\r'));
    let value = context.value(rule);
    let word = after.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).unwrap_or(after.len());
    let whole = &context.body()[rule.value.start as usize..end + 1 + word];
    if !is_path {
        return None;
    }
    let closes = rule.kind == RuleKind::Disallow
        && context.check(LintCheck::HashCutsRule).is_some()
        && closing.get_or_insert_with(|| closing_lines(context)).as_ref().is_ok_and(|lines| lines.contains(&rule.line));
    let message = if closes {
        format!("{} is read as {}, which closes the whole site: `#` begins a comment", quoted(whole), quoted(value))
    } else {
        format!(
            "{} is read as {}: `#` begins a comment, and no URL that is fetched contains it",
            quoted(whole),
            quoted(value)
        )
    };
    let severity = closes.then_some(Severity::Error);
    Some(OddPattern { severity, ..OddPattern::new(LintCheck::HashCutsRule, message) })
}

/// The lines that close the whole site to some agents.
type ClosingLines = Result<BTreeSet<u32>, NotDecided>;

fn closing_lines(context: &Context<'_>) -> ClosingLines {
    let mut lines = BTreeSet::new();
    for obeyed in &context.obeyed {
        let (verdict, line) = obeyed.decide(b"/")?;
        if !verdict.is_allow() && obeyed.decide(b"/x/y")? == (verdict, line) {
            lines.insert(line);
        }
    }
    Ok(lines)
}

/// A path in two spellings: a third is open.
fn case_variants(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::CaseVariants) else { return };
    let mut found = Vec::new();
    for group in context.robots.groups() {
        let mut first: BTreeMap<Vec<u8>, &RuleLine> = BTreeMap::new();
        let rules = context.robots.rules_of(group).iter();
        for rule in rules.filter(|rule| rule.kind == RuleKind::Disallow) {
            let value = context.value(rule);
            let other = *first.entry(value.to_ascii_lowercase()).or_insert(rule);
            if context.value(other) != value {
                let message = format!(
                    "{} is another spelling of line {}: paths are compared with their case, and other spellings are \
                     open",
                    quoted(value),
                    other.line
                );
                found.push(Finding::new(check, rule.line, rule.value, message).related([other.line]));
            }
        }
    }
    context.found.extend(found);
}
