//! One slip in all lines of a body, so that crawlers read no group in it.
//!
//! ```text
//! - User-agent: *          a list                          User-agent: *
//! - Disallow: /admin                                       Disallow: /admin
//!
//! User-agent = *           another sign for the colon
//! "Disallow","/admin"      a table
//! Block: /admin            other words for the keys
//! ```
//!
//! Each line is parted into what is before its key, the key, the sign after it, the value, and what is after that. If
//! nearly all lines agree in these, the slip is one, and the lines without it are what was meant.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::RobotsTxt;
use robotsc_compiler::small_sort::SmallSort as _;

use super::comment_marks::comment_mark;
use super::context::quoted;
use super::keys::{SYNONYMS, is_switched_off, meant};
use crate::text::edit::{Edit, edited};
use crate::text::encoding::windows_1252;
use crate::text::lines::Lines;
use crate::text::lookalike::{Lookalike, is_dash, lookalike};
use crate::text::words::listed;

/// The maximum number of bytes before a key.
const MAX_BEFORE: usize = 64;

/// A slip that all lines of a body have which were meant as directives.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneSlip {
    /// The first line that has it, from 1.
    pub line: u32,
    /// The number of lines that have it.
    pub lines: usize,
    /// What they have, as the rest of a clause: "have `- ` before the key".
    pub what: String,
    /// The changes that write the directives without it. `None` if the lines can be switched off on purpose, or if a
    /// directive would be lost.
    pub edits: Option<Vec<Edit>>,
}

/// Finds the slip that all lines of a body without a group have; `None` if there is no such one.
///
/// Cost: linear in the body. Never panics.
#[doc(hidden)]
#[must_use]
pub fn one_slip(robots: &RobotsTxt<'_>) -> Option<OneSlip> {
    let body = robots.body();
    if !robots.groups().is_empty() || body.contains(&0) {
        return None;
    }
    let lines = Lines::new(body);
    let text = |line: u32| {
        let text = lines.text(line);
        windows_1252(text.strip_prefix(b"\xEF\xBB\xBF").filter(|_| line == 1).unwrap_or(text).trim_ascii())
    };
    let mut of_slip: BTreeMap<Slip, Vec<(u32, Parts)>> = BTreeMap::new();
    let (mut written, mut read, mut is_off, mut has_comment) = (0, Vec::new(), false, false);
    for line in 1..=lines.count() {
        let text = text(line);
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        written += 1;
        has_comment |= comment_mark(text.as_bytes()).is_some();
        match Parts::of(&text) {
            Some(parts) if parts.is_read() => read.push(parts),
            Some(parts) => of_slip.entry(parts.slip()).or_default().push((line, parts)),
            // What begins there can end after the directives.
            None => is_off |= text.contains("/*") || text.contains("<!--"),
        }
    }
    let with_slip: usize = of_slip.values().map(Vec::len).sum();
    let (slip, found) = of_slip.into_iter().max_by_key(|(_, found)| found.len())?;
    let has = |directives: &[&str]| found.iter().any(|(_, parts)| directives.contains(&parts.directive));
    if !has(&["User-agent"])
        || !has(&["Allow", "Disallow"])
        || found.len() * 4 < with_slip * 3
        || found.len() * 2 < written
    {
        return None;
    }
    is_off |= found
        .iter()
        .any(|(line, parts)| is_switching_off(&parts.before) || comment_mark(text(*line).as_bytes()).is_some());
    let closes = found.iter().any(|(_, parts)| parts.directive == "Disallow" && !parts.value.is_empty());
    // What crawlers make of it is what was meant.
    if (is_off || !closes) && robots.body_kind().is_robots() {
        return None;
    }
    let (first, shown) = found.first()?;
    let (line, count, what) = (*first, found.len(), slip.what(shown, &found));
    // A line with another slip would be lost.
    let is_whole = !is_off && !has_comment && found.len() == with_slip;
    let edits = is_whole.then(|| edits(&lines, &text, &slip, &found));
    let meant: Vec<&Parts> = read.iter().chain(found.iter().map(|(_, parts)| parts)).collect();
    Some(OneSlip { line, lines: count, what, edits: edits.filter(|edits| is_read_after(robots, edits, &meant)) })
}

/// Reports whether what is before a key can switch the line off, as all but the signs of lists, quotations and tables,
/// and what is known to be put before lines, can: words, the sign of a comment, the sign of a diff, a tag of deletion.
fn is_switching_off(before: &str) -> bool {
    const PREFIXES: [&str; 13] = [
        "robots.txt:",
        "./robots.txt:",
        "echo ",
        "<p>",
        "<ul>",
        "<ol>",
        "<li>",
        "<div>",
        "<span>",
        "<table>",
        "<tr>",
        "<td>",
        "<code>",
    ];
    let mut rest = trimmed(before);
    while let Some(after) = PREFIXES.iter().find_map(|prefix| rest.strip_prefix(prefix)) {
        rest = trimmed(after);
    }
    let is_of_list = |char: char| {
        char.is_ascii_digit() || is_nothing(char) || char.is_whitespace() || "-*+>~\\|[].):\"'`•·‣◦▪●■“".contains(char)
    };
    // `-Disallow` is removed by a diff, and Markdown strikes out what is between `~~`.
    before == "-" || rest.contains("~~") || !rest.chars().all(is_of_list)
}

/// Returns the changes that write the directives of lines alone, and make a comment of each other line.
fn edits(lines: &Lines<'_>, text: &dyn Fn(u32) -> String, slip: &Slip, found: &[(u32, Parts)]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut found = found.iter().peekable();
    for line in 1..=lines.count() {
        let mut range = lines.whole(line);
        if line == 1 && lines.text(line).starts_with(b"\xEF\xBB\xBF") {
            range.start += 3;
        }
        range.end = lines.whole(line).start + lines.text(line).len();
        if let Some((_, parts)) = found.next_if(|(at, _)| *at == line) {
            let with = format!("{}: {}", parts.directive, parts.value).trim_end().to_owned().into_bytes();
            edits.push(Edit { range, with });
            continue;
        }
        let text = text(line);
        if text.is_empty() || text.starts_with('#') || Parts::of(&text).is_some_and(|parts| parts.is_read()) {
            continue;
        }
        let rest = text.strip_prefix(slip.before.as_str()).unwrap_or(&text).trim();
        let rest = rest.strip_suffix(slip.after.as_str()).unwrap_or(rest).trim();
        let is_blank = !rest.contains(char::is_alphanumeric);
        let with = match rest {
            _ if is_blank => String::new(),
            rest if rest.starts_with('#') => rest.to_owned(),
            _ => format!("# {text}"),
        };
        edits.push(Edit { range, with: with.into_bytes() });
    }
    edits
}

/// Reports whether crawlers read all that was meant after some changes.
fn is_read_after(robots: &RobotsTxt<'_>, edits: &[Edit], meant: &[&Parts]) -> bool {
    let Some(after) = edited(robots.body(), edits) else { return false };
    let after = RobotsTxt::parse_with(&after, robots.dialect());
    let count = |directives: &[&str]| meant.iter().filter(|parts| directives.contains(&parts.directive)).count();
    after.agents().len() >= count(&["User-agent"])
        && after.rules().len() >= count(&["Allow", "Disallow"])
        && after.body_kind().is_robots()
}

/// The parts of a line that was meant as a directive.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) before: String,
    key: String,
    pub(super) directive: &'static str,
    pub(super) sign: String,
    pub(super) value: String,
    after: String,
}

/// What lines with one slip have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slip {
    before: String,
    sign: String,
    after: String,
}

impl Parts {
    pub(super) fn of(text: &str) -> Option<Self> {
        let (start, end, directive) = key(text)?;
        let (before, name) = (&text[..start], &text[start..end]);
        if before.contains('#') {
            return None;
        }
        let (sign, rest) = text[end..].split_at(sign_length(before, &text[end..]));
        let length = value_length(before, sign, rest);
        let (value, after) = (trimmed(&rest[..length]), &rest[length..]);
        let is_value = match directive {
            "Allow" | "Disallow" => value.is_empty() || value.starts_with(['/', '*']),
            _ => !value.is_empty(),
        };
        (is_value && !sign.is_empty()).then(|| Self {
            before: before.to_owned(),
            key: name.to_owned(),
            directive,
            sign: sign.to_owned(),
            value: value.to_owned(),
            after: after.to_owned(),
        })
    }

    /// Reports whether crawlers read the line as it is meant.
    fn is_read(&self) -> bool {
        let slip = self.slip();
        slip.before.is_empty()
            && slip.sign == ":"
            && slip.after.is_empty()
            && self.directive.eq_ignore_ascii_case(&self.key)
    }

    fn slip(&self) -> Slip {
        let is_joint = |char: char| char.is_ascii_whitespace() || matches!(char, ',' | ';');
        Slip {
            before: without_numbers(self.before.trim_ascii()),
            sign: self.sign.trim_ascii().to_owned(),
            after: self.after.trim_matches(is_joint).to_owned(),
        }
    }
}

impl Slip {
    /// Returns what lines with the slip have.
    fn what(&self, first: &Parts, found: &[(u32, Parts)]) -> String {
        let mut what = Vec::new();
        if !self.before.is_empty() {
            what.push(format!("{} before the key", shown(&first.before)));
        }
        let keys: BTreeSet<(&str, &str)> =
            found.iter().map(|(_, parts)| (parts.key.as_str(), parts.directive)).collect();
        let mut keys: Vec<_> =
            keys.into_iter().filter(|(key, directive)| !directive.eq_ignore_ascii_case(key)).collect();
        keys.small_sort_by_key(|(_, directive)| *directive != "User-agent");
        if !keys.is_empty() {
            let quoted = |part: &str| quoted(part.as_bytes());
            let (keys, meant): (Vec<_>, Vec<_>) =
                keys.iter().take(3).map(|(key, directive)| (quoted(key), quoted(directive))).unzip();
            what.push(format!("{} for {}", listed(&keys), listed(&meant)));
        }
        match self.sign.as_str() {
            ":" => {}
            "" => what.push("no colon after the key".to_owned()),
            sign => what.push(format!("{} where the colon after the key belongs", shown(sign))),
        }
        if !self.after.is_empty() {
            what.push(format!("{} after the value", shown(first.after.trim_ascii())));
        }
        format!("have {}", listed(&what))
    }
}

/// Returns a text as a message shows it: what cannot be seen by its numbers.
fn shown(text: &str) -> String {
    let is_seen = |char: char| char.is_ascii() && char != '\t' || !char.is_whitespace() && !is_nothing(char);
    match text.chars().find(|char| !is_seen(*char)) {
        Some('\t') => quoted(text.trim_ascii().as_bytes()),
        Some(unseen) => format!("U+{:04X}, which cannot be seen,", u32::from(unseen)),
        None => format!("`{text}`"),
    }
}

/// Returns a text in which each number is the same one: lists and `grep -n` count their lines.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '0'..='9' if out.ends_with('1') => {}
            '0'..='9' => out.push('1'),
            _ => out.push(char),
        }
    }
    out
}

fn is_nothing(char: char) -> bool {
    matches!(lookalike(char, true), Some(Lookalike::Nothing | Lookalike::Blank))
}

/// Returns a text without blanks and what cannot be seen around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|char: char| char.is_whitespace() || is_nothing(char))
}

/// Returns where the key of a line begins and ends, and the directive that it is or was meant to be.
fn key(text: &str) -> Option<(usize, usize, &'static str)> {
    const KEYS: [(&str, &str, &str); 7] = [
        ("user", "agent", "User-agent"),
        ("disallow", "", "Disallow"),
        ("allow", "", "Allow"),
        ("sitemap", "", "Sitemap"),
        ("crawl", "delay", "Crawl-delay"),
        ("request", "rate", "Request-rate"),
        ("host", "", "Host"),
    ];
    let begins = |at: usize| {
        let before = text[..at].chars().next_back();
        let is_joined =
            |char: char| char.is_alphanumeric() || is_word_joint(char) && text[..at].contains(char::is_alphabetic);
        text[at..].starts_with(|char: char| char.is_ascii_alphabetic()) && !before.is_some_and(is_joined)
    };
    let starts = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= MAX_BEFORE).filter(|at| begins(*at));
    for at in starts {
        let rest = &text[at..];
        let of = |(one, other, directive): &(&str, &str, &'static str)| {
            let after = without_start(rest, one)?;
            let joint = after.chars().next().filter(|char| !other.is_empty() && (*char == ' ' || is_word_joint(*char)));
            let after = without_start(&after[joint.map_or(0, char::len_utf8)..], other)?;
            let is_end = !after.starts_with(|char: char| char.is_alphanumeric() || matches!(char, '-' | '_'));
            is_end.then(|| (at, text.len() - after.len(), *directive))
        };
        if let Some(found) = KEYS.iter().find_map(of) {
            return Some(found);
        }
    }
    // A word for a directive is one only if it is the first of its line.
    let start = text.find(|char: char| char.is_alphanumeric()).filter(|at| *at <= MAX_BEFORE)?;
    let rest = &text[start..];
    let end = rest.find(|char: char| !char.is_ascii_alphabetic() && !matches!(char, '-' | '_'))?;
    let word = &rest[..end];
    let directive =
        SYNONYMS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, directive)| *directive);
    Some((
        start,
        start + end,
        directive.or_else(|| meant(word.as_bytes()).filter(|_| word.len() > 4 && !is_switched_off(word.as_bytes())))?,
    ))
}

fn is_word_joint(char: char) -> bool {
    matches!(char, '-' | '_') || is_dash(char)
}

/// Returns what follows the start of a text, in any case.
fn without_start<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    text.get(..start.len()).filter(|head| head.eq_ignore_ascii_case(start)).map(|_| &text[start.len()..])
}

/// Returns the length of the signs after a key: up to a value, with the end of what began before the key.
fn sign_length(before: &str, rest: &str) -> usize {
    let stars = before.len() - before.trim_end_matches('*').len();
    let (mut at, mut open) = (0, stars);
    while let Some(char) = rest[at..].chars().next() {
        let part = &rest[at..];
        if open > 0 && part.len() >= open && part.bytes().take(open).all(|byte| byte == b'*') {
            at += std::mem::take(&mut open);
        } else if part.starts_with("</") {
            at += part.find('>').map_or(part.len(), |end| end + 1);
        } else if char.is_alphanumeric() || matches!(char, '/' | '*' | '$' | '#') {
            break;
        } else {
            at += char.len_utf8();
        }
    }
    at
}

/// Returns the length of a value, up to what ends that which began before it: a quotation, a column, a tag, a bracket.
fn value_length(before: &str, sign: &str, rest: &str) -> usize {
    let quote = [sign, before].iter().find_map(|text| {
        let last = text.chars().next_back()?;
        matches!(last, '"' | '\'' | '`' | '\u{201D}' | '\u{201C}').then_some(last)
    });
    if let Some(end) = quote.and_then(|quote| {
        let ends = |char: char| char == quote || quote == '\u{201C}' && char == '\u{201D}';
        rest.find(ends)
    }) {
        return end;
    }
    if before.contains('<')
        && let Some(end) = rest.find("</").or_else(|| rest.find("<br"))
    {
        return end;
    }
    let opened = |open: char| before.contains(open) || sign.contains(open);
    let is_end = |char: char| match char {
        '|' => opened('|'),
        ']' => opened('['),
        ')' => opened('('),
        '}' => opened('{'),
        ',' | ';' => true,
        char => char.is_whitespace(),
    };
    let value = rest.trim_end_matches(is_end);
    // A comma alone can be of the path.
    if rest[value.len()..].contains(['|', ']', ')', '}']) { value.len() } else { rest.len() }
}
