//! Blanks within a pattern: a comment of another language, words after a path, several paths, a name with a blank.
//!
//! ```text
//! Disallow: /a/ <!-- old -->   a comment begins with `#`
//! Disallow: /a/ old stuff      the words say something of the folder
//! Disallow: /a /b              two paths
//! Disallow: /my files/         clients send `%20`
//! ```

use robotsc_compiler::RuleKind;

use super::check::LintCheck;
use super::comment_marks::comment_mark;
use super::context::{Context, quoted};
use super::dead_pattern::is_file_ending;
use super::odd_pattern::OddPattern;
use super::records::is_meta_value;
use super::signs;
use crate::text::part::{find, replaced};

/// Reports whether a value goes on with a record of its own.
pub(super) fn has_record(value: &[u8]) -> bool {
    if !value.contains(&b':') {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    [&b"allow:"[..], b"user-agent:", b"sitemap:"].iter().any(|key| find(&lower, key).is_some())
}

/// Reports whether words after a blank begin with the mark of a comment. A single sign can begin a name.
fn has_mark(rest: &[u8]) -> bool {
    let is_mark = |mark: &str| rest.len() > mark.len() && (mark.len() > 1 || rest[1..].starts_with(b" "));
    comment_mark(rest).is_some_and(is_mark) || rest.starts_with(b"- ") || rest.starts_with(b"(")
}

/// Reports whether a `(` after a blank is of a name: `x (1)` is what systems call a copy of `x`, and what goes on after
/// the `)` is no comment.
fn is_copy(rest: &[u8]) -> bool {
    let Some(inner) = rest.strip_prefix(b"(") else { return false };
    let end = inner.iter().rposition(|byte| !b",;.".contains(byte)).map_or(0, |at| at + 1);
    inner[..end].strip_suffix(b")").is_none_or(|inner| inner.contains(&b')') || inner.iter().all(u8::is_ascii_digit))
}

/// Reports whether a sign after a blank can be within the name of a file or a folder: `x - y.pdf`, `x & y/`.
fn can_be_in_name(rest: &[u8]) -> bool {
    let has_words = !rest.first().is_some_and(|sign| b"/<(;".contains(sign)) && find(rest, b" /").is_none();
    let end = rest.iter().rposition(|byte| !b"*$".contains(byte)).map_or(0, |at| at + 1);
    let last = rest[..end].rsplit(|byte| b" \t/".contains(byte)).next().unwrap_or_default();
    let ending = last.iter().position(|byte| *byte == b'.').map_or(&b""[..], |dot| &last[dot + 1..]);
    has_words && (rest[..end].ends_with(b"/") || !ending.is_empty() && ending.iter().all(u8::is_ascii_alphanumeric))
}

/// Reports whether a text is one word that ends as files or folders do: of more words the last can be of a sentence.
fn is_end_of_name(text: &[u8]) -> bool {
    let end = text.iter().rposition(|byte| !b"*$".contains(byte)).map_or(0, |at| at + 1);
    let word = &text[..end];
    let ending = word.rsplit(|byte| *byte == b'.').next().filter(|ending| ending.len() < word.len());
    let is_file = || ending.and_then(|ending| std::str::from_utf8(ending).ok()).is_some_and(is_file_ending);
    !word.iter().any(|byte| matches!(byte, b' ' | b'\t')) && (word.ends_with(b"/") || is_file())
}

/// Reports whether words after a colon say what the path is. `Part Two` goes on with a title.
fn is_label(rest: &[u8]) -> bool {
    let mut words = rest.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
    let is_lower = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| !word.starts_with(char::is_uppercase));
    !rest.starts_with(b"/") && !can_be_in_name(rest) && words.clone().count() > 1 && words.all(is_lower)
}

/// A blank never occurs in a URL.
///
/// `written` is the value with signs at its end that were copied with it: those of a comment belong to it.
pub(super) fn blank(context: &Context<'_>, kind: RuleKind, written: &[u8], value: &[u8]) -> Option<OddPattern> {
    let at = value.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    // `unescaped-byte` says more of it.
    if value[at..].trim_ascii() == b"\\" {
        return None;
    }
    // A sign alone is between the path and what is said of it.
    let is_sign = |word: &[u8]| {
        std::str::from_utf8(word)
            .is_ok_and(|word| !word.contains(|char: char| char.is_alphanumeric() || "/*?&%".contains(char)))
    };
    let is_marked = |rest: &[u8]| {
        let mut words = rest.split(|byte| matches!(byte, b' ' | b'\t'));
        let has_sign = words.next().is_some_and(is_sign) && words.next().is_some() && kind == RuleKind::Disallow;
        has_sign || has_mark(rest) && !is_copy(rest)
    };
    let is_after_colon = value[..at].ends_with(b":");
    let is_comment = |rest: &[u8]| is_marked(rest) && !can_be_in_name(rest) || is_after_colon && is_label(rest);
    let value = if is_comment(value[at..].trim_ascii()) { written } else { value };
    let rest = value[at..].trim_ascii();
    let check = LintCheck::SpaceInPattern;
    if is_meta_value(rest) {
        let message = format!("{} after a path is read as a part of it: it is a value of a meta tag", quoted(rest));
        let path = value[..at].strip_suffix(b",").unwrap_or(&value[..at]);
        let odd = OddPattern::new(check, message);
        return Some(if kind == RuleKind::Disallow {
            odd.fix("begin a comment there", [path, b" # ", rest].concat())
        } else {
            odd
        });
    }
    if has_record(value) {
        return Some(OddPattern::new(check, format!("{} holds two records: a line has one", quoted(value))));
    }
    if is_comment(rest) {
        let message = format!("{} is read as one pattern: a comment begins with `#`", quoted(value));
        let odd = OddPattern::new(check, message);
        // What an `Allow` opens is not widened.
        return Some(match kind {
            RuleKind::Allow => odd,
            RuleKind::Disallow => {
                let path = value[..at].strip_suffix(b":").unwrap_or(&value[..at]);
                odd.fix("begin the comment with `#`", [path, b" # ", rest].concat())
            }
        });
    }
    let words: Vec<&[u8]> = value
        .split(|byte| matches!(byte, b' ' | b'\t'))
        .map(|word| word.trim_ascii_end())
        .map(|word| [b",", b";", b":"].iter().find_map(|sign| word.strip_suffix(*sign)).unwrap_or(word))
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
    let after_sign = rest.iter().position(|byte| matches!(byte, b' ' | b'\t')).map_or(&b""[..], |at| &rest[at + 1..]);
    let is_sentence = value.contains(&b'\t')
        || is_marked(rest) && !is_end_of_name(after_sign)
        || is_after_colon && !is_end_of_name(rest)
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
