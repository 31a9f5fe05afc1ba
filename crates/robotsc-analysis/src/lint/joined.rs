//! Several records on one line: line ends that were lost.
//!
//! ```text
//! User-agent: * Disallow: /admin                one record, an agent called `* Disallow: /admin`
//! User-agent: *\nDisallow: /admin\n             the same, with the letters of line ends
//! User-agent: *&#10;Disallow: /admin<br>        so here: entities and tags
//! Disallow: /wp-adminUser-agent: GPTBot         two files that were joined
//! Disallow: /a # closed Disallow: /b            the second is in the comment
//! ```

use std::ops::Range;

use robotsc_compiler::{BodyKind, ByteSpan, RobotsTxt, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use crate::text::lines::Lines;

/// Keys that begin a record. `disallow` comes before `allow`, which it ends with.
const KEYS: [&[u8]; 6] = [b"user-agent", b"useragent", b"disallow", b"allow", b"sitemap", b"crawl-delay"];

/// What is written for a line end by accident, and between records. Entities and tags are read in [`break_at_end`].
const LINE_ENDS: [&[u8]; 25] = [
    b"\\r\\n",
    b"\\n",
    b"\\r",
    b"\xE2\x80\xA8",
    b"\xE2\x80\xA9",
    b"\xC2\x85",
    b"%0D%0A",
    b"%0d%0a",
    b"%0A",
    b"%0D",
    b"%0a",
    b"%0d",
    b"\x0B",
    b"\x0C",
    // As spreadsheets, terminals, PowerShell and text programs write or show them.
    b"_x000D_",
    b"^M",
    b"`n",
    b"`r",
    b"[CR]",
    b"[LF]",
    b"\xC2\xB6",
    b"\xE2\x86\xB5",
    b"\xE2\x8F\x8E",
    b"\xE2\x90\x8D",
    b"\xE2\x90\x8A",
];

/// The entities of line ends, without their signs.
const ENTITIES: [&str; 9] = ["#10", "#13", "#x0A", "#xA", "#x000A", "#x0D", "#xD", "#x000D", "NewLine"];

/// The tags of HTML that end a line, or are around one.
const TAGS: [&str; 11] = ["br", "p", "div", "li", "ul", "span", "pre", "code", "td", "tr", "font"];

/// The maximum length of a tag.
const MAX_TAG: usize = 120;

/// Returns the length of the letters of a line end at the end of a text.
fn break_at_end(text: &[u8]) -> Option<usize> {
    if let Some(letters) = LINE_ENDS.iter().find(|letters| text.ends_with(letters)) {
        return Some(letters.len());
    }
    let is_of = |names: &[&str], name: &[u8]| names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name));
    let last = &text[text.len().saturating_sub(MAX_TAG)..];
    let after = |mark: &[u8]| last.windows(mark.len()).rposition(|part| part == mark).map(|at| &last[at..]);
    if let Some(entity) = text.strip_suffix(b";").and(after(b"&"))
        && is_of(&ENTITIES, &entity[1..entity.len() - 1])
    {
        return Some(entity.len());
    }
    [(&b"<"[..], &b">"[..]), (b"&lt;", b"&gt;")].into_iter().find_map(|(open, close)| {
        let tag = text.ends_with(close).then(|| after(open))??;
        let inner = tag.get(open.len()..tag.len() - close.len())?;
        let inner = inner.strip_prefix(b"/").unwrap_or(inner);
        let name = inner.split(|byte| matches!(byte, b' ' | b'/')).next().unwrap_or(inner);
        is_of(&TAGS, name).then_some(tag.len())
    })
}

/// Returns the length of the letters of a line end at the end of a value. There a tag such as `<code>` stands for a
/// part of a path that changes.
fn break_of_value(text: &[u8]) -> Option<usize> {
    let length = break_at_end(text)?;
    let letters = &text[text.len() - length..];
    let tag = letters.strip_prefix(b"<").or_else(|| letters.strip_prefix(b"&lt;"));
    tag.is_none_or(|tag| tag.starts_with(b"/") || is_key(tag, 0, b"br")).then_some(length)
}

/// Returns a text without the letters of line ends at its end.
fn without_breaks(mut text: &[u8]) -> &[u8] {
    while let Some(length) = break_at_end(text) {
        text = &text[..text.len() - length];
    }
    text
}

/// Returns where the comment of a line begins: not at the sign of an entity of a line end, `&#10;`.
fn comment_start(text: &[u8]) -> usize {
    let is_entity = |at: usize| {
        let end = text[at..].iter().position(|byte| *byte == b';').map(|end| at + end + 1);
        text[..at].ends_with(b"&") && end.is_some_and(|end| break_at_end(&text[..end]) == Some(end - at + 1))
    };
    let signs = text.iter().enumerate().filter(|(_, byte)| **byte == b'#');
    signs.map(|(at, _)| at).find(|at| !is_entity(*at)).unwrap_or(text.len())
}

/// Returns the first line that holds several records, of which one at least is a rule.
///
/// Cost: linear in the body. Never panics.
#[doc(hidden)]
#[must_use]
pub fn first_joined(robots: &RobotsTxt<'_>) -> Option<u32> {
    let lines = Lines::new(robots.body());
    (1..=lines.count()).find(|line| {
        let text = without_comment(without_mark(lines.text(*line)));
        let records = records(text);
        let is_rule =
            |record: &Range<usize>| is_key(text, record.start, b"disallow") || is_key(text, record.start, b"allow");
        records.len() > 1 && records.iter().any(is_rule)
    })
}

/// Runs the check.
pub(super) fn check(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::JoinedLines) else { return };
    let is_one_line = context.robots.groups().is_empty() && context.robots.body_kind() == BodyKind::OneLine;
    for line in 1..=context.lines.count() {
        let text = without_mark(context.lines.text(line));
        // In a comment, lines are quoted. In a file without groups it can be the first of all lines.
        let hash = comment_start(text);
        let finding = in_comment(context, check, line, text, hash)
            .or_else(|| agent_in_comment(context, check, line, text, hash))
            .or_else(|| all_in_comment(context, check, line, text, hash).filter(|_| is_one_line));
        context.found.extend(finding);
        let whole = text.len();
        let text = &text[..hash];
        let parts = records(text);
        let start = context.lines.span(line).end as usize - whole;
        let ending = context.lines.end_of_line();
        let end = parts.last().map_or(0, |part| part.end);
        let span = ByteSpan::new(start, start + text.trim_ascii_end().len());
        let key = |part: &Range<usize>| text[part.clone()].split(|byte| *byte == b':').next().unwrap_or_default();
        let is_bare = |part: &Range<usize>| text[part.clone()].ends_with(b":");
        // A key that is there twice: `Sitemap: Sitemap: https://…`.
        let is_again = |at: &usize| {
            let next = parts.get(at + 1);
            is_bare(&parts[*at]) && next.is_some_and(|next| key(&parts[*at]).eq_ignore_ascii_case(key(next)))
        };
        let kept: Vec<&Range<usize>> = (0..parts.len()).filter(|at| !is_again(at)).map(|at| &parts[at]).collect();
        let lines = || kept.iter().map(|part| &text[(*part).clone()]).collect::<Vec<_>>().join(ending);
        let finding = match parts.len() {
            0 => continue,
            // After a `*`, a rule is for URLs that have the letters.
            1 if text[..end].ends_with(b"*") => continue,
            1 if end < text.trim_ascii_end().len() && ends_in_letters(text, end) => {
                let message =
                    format!("{} ends in the letters of a line end, which are read", quoted(text.trim_ascii()));
                let finding = Finding::new(check, line, span, message);
                let record = &text[parts[0].clone()];
                // What an `Allow` opens is not widened, and nothing closes the whole site.
                let is_mended = !is_key(record, 0, b"allow") && !closes_all(record);
                if is_mended { finding.fix(Fix::replace("remove them", span, lines())) } else { finding }
            }
            1 => continue,
            count => {
                let rest = if text.contains(&b'#') { "a comment" } else { "its value" };
                let message = format!(
                    "{} holds {count} records on one line: crawlers read the first, and the rest as {rest}",
                    quoted(text.trim_ascii())
                );
                let finding = Finding::new(check, line, span, message);
                // Of a record without a value nobody knows what was meant.
                let (last, others) = kept.split_last().map_or((None, &kept[..]), |(last, rest)| (Some(last), rest));
                let is_known = last.is_some() && !others.iter().any(|part| is_bare(part));
                let fix = Fix::replace("write a line for each", span, lines());
                if is_known { finding.fix(fix) } else { finding }
            }
        };
        context.explained.insert(line);
        context.found.push(finding);
    }
}

/// A record that follows the words of a comment after another record: the line end before it was lost. A record right
/// after the `#` was taken out on purpose.
fn in_comment(context: &Context<'_>, check: LintCheck, line: u32, text: &[u8], hash: usize) -> Option<Finding> {
    let comment = text.get(hash + 1..)?;
    if parts(&text[..hash]).is_empty() {
        return None;
    }
    // The value of such a record is the last word.
    let read = comment.trim_ascii_end();
    let last_blank = read.iter().rposition(u8::is_ascii_whitespace);
    let is_record = |at: usize| {
        let key = key_at(read, at).filter(|_| is_after_break(read, at))?;
        let before = without_breaks(&read[..at]).trim_ascii_end();
        let is_after_word = before.last().is_some_and(u8::is_ascii_alphanumeric);
        let colon = read[at + key..].iter().position(|byte| *byte == b':')? + at + key;
        let value = read[colon + 1..].iter().position(|byte| !byte.is_ascii_whitespace())? + colon + 1;
        let is_value = matches!(read[value], b'/' | b'*') && last_blank.is_none_or(|blank| blank < value);
        (is_after_word && is_value).then_some(at)
    };
    let at = hash + 1 + (1..read.len()).find_map(is_record)?;
    let record = text[at..].trim_ascii_end();
    let with = [context.lines.end_of_line(), record].concat();
    let letters = at - without_breaks(&text[..at]).len();
    let message = format!("{} is in a comment, which ends with the line: it is not read", quoted(record));
    let start = context.lines.span(line).end as usize - text.len();
    let span = ByteSpan::new(start + at - letters, start + at + record.len());
    let fix = Fix::replace("write it on a line of its own", span, with);
    let finding = Finding::new(check, line, span, message).severity(Severity::Warning);
    Some(if closes_all(record) { finding } else { finding.fix(fix) })
}

/// Words before a key that a sentence has: `# rules for User-agent: GPTBot`.
const BEFORE_KEYS: [&str; 29] = [
    "for", "to", "of", "with", "see", "the", "a", "in", "by", "all", "each", "every", "own", "as", "no", "under", "or",
    "and", "add", "use", "this", "is", "bajo", "para", "de", "pour", "sous", "unter", "von",
];

/// Words of comments that quote lines which are not to be read.
const OF_EXAMPLES: [&str; 20] = [
    "removed",
    "old",
    "was",
    "were",
    "disabled",
    "format",
    "example",
    "examples",
    "e.g",
    "eg",
    "see",
    "docs",
    "syntax",
    "usage",
    "formerly",
    "previously",
    "deprecated",
    "obsolete",
    "unused",
    "off",
];

/// Reports whether a comment says of what follows that it is an example, or that it was taken out.
fn is_example(comment: &[u8]) -> bool {
    let words = comment.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'.');
    words.into_iter().any(|word| is_one_of(&OF_EXAMPLES, word.strip_suffix(b".").unwrap_or(word)))
}

fn is_one_of(words: &[&str], word: &[u8]) -> bool {
    words.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(word))
}

/// The keys of a `User-agent` line.
const AGENT_KEYS: [&[u8]; 2] = [b"user-agent", b"useragent"];

/// The maximum number of comments and blank lines between a title and its rules.
const MAX_BLANK_LINES: usize = 16;

/// The maximum number of words of a title.
const MAX_WORDS: usize = 5;

/// A `User-agent` line that follows the words of a comment, and rules after it: the line end before it was lost, so
/// that the rules are of the group before.
fn agent_in_comment(context: &Context<'_>, check: LintCheck, line: u32, text: &[u8], hash: usize) -> Option<Finding> {
    let comment = text.get(hash + 1..)?;
    // The name has no colon, so the record is that of the last one.
    let colon = comment.iter().rposition(|byte| *byte == b':')?;
    let end = comment[..colon].iter().rposition(|byte| !matches!(byte, b' ' | b'\t'))? + 1;
    let starts = AGENT_KEYS.iter().filter_map(|key| end.checked_sub(key.len()).filter(|at| is_key(comment, *at, key)));
    let at = starts.into_iter().find(|at| *at > 0 && is_after_break(comment, *at))?;
    let before = without_breaks(&comment[..at]);
    let letters = at - before.len();
    let before = before.trim_ascii();
    let is_glued = letters > 0 || before.len() == at && before.last().is_some_and(u8::is_ascii_alphanumeric);
    let words: Vec<&[u8]> = before.split(|byte| *byte == b' ').take(MAX_WORDS + 1).collect();
    let is_said = words.last().is_some_and(|word| is_one_of(&BEFORE_KEYS, word));
    let is_word = before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || b".!)-=*".contains(byte));
    let value = comment[colon + 1..].trim_ascii();
    let is_name = !value.is_empty() && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.*/".contains(byte));
    if !is_word || !is_name || !is_glued && (words.len() > MAX_WORDS || is_said) || is_example(before) {
        return None;
    }
    let at = hash + 1 + at;
    // Rules come before it and after it: between them a group was to begin. A file can have thousands of comments.
    let is_blank = |line: &u32| without_comment(context.lines.text(*line)).trim_ascii().is_empty();
    let next = (line + 1..=context.lines.count()).take(MAX_BLANK_LINES).find(|line| !is_blank(line))?;
    context.rule_of_line(next)?;
    let (agents, rules) = (context.robots.agents(), context.robots.rules());
    let last_agent = agents.partition_point(|agent| agent.line < line).checked_sub(1).map_or(0, |at| agents[at].line);
    let last_rule = rules.partition_point(|rule| rule.line <= line).checked_sub(1).map(|at| rules[at].line)?;
    if last_rule < last_agent {
        return None;
    }
    let record = text[at..].trim_ascii_end();
    let message =
        format!("{} is in a comment and not read, so that the rules after it are of the group before", quoted(record));
    let start = context.lines.span(line).end as usize - text.len();
    let span = ByteSpan::new(start + at - letters, start + at + record.len());
    let with = [context.lines.end_of_line(), record].concat();
    let fix = Fix::replace("write it on a line of its own", span, with);
    Some(Finding::new(check, line, span, message).severity(Severity::Warning).fix(fix))
}

/// All records of a file in one line that is a comment: the line ends were lost.
fn all_in_comment(context: &Context<'_>, check: LintCheck, line: u32, text: &[u8], hash: usize) -> Option<Finding> {
    let comment = text.get(hash..)?;
    let first = (1..comment.len()).find(|at| key_at(comment, *at).is_some() && is_after_break(comment, *at))?;
    let records: Vec<&[u8]> = parts(&comment[first..]).into_iter().map(|part| &comment[first..][part]).collect();
    if records.len() < 2 || is_example(&comment[..first]) {
        return None;
    }
    let message = format!(
        "{} holds {} records in a comment, so that crawlers read none of them: write a line for each",
        quoted(text.trim_ascii()),
        records.len()
    );
    let ending = context.lines.end_of_line();
    let remark = &comment[..trimmed_end(comment, 0, first, break_at_end)];
    let start = context.lines.span(line).end as usize - text.len();
    let span = ByteSpan::new(start + hash, start + text.trim_ascii_end().len());
    let with = [remark, ending, &records.join(ending)].concat();
    let finding = Finding::new(check, line, span, message);
    // A file that closes all can be commented out on purpose.
    let closes_all = records.iter().any(|record| closes_all(record));
    Some(if closes_all { finding } else { finding.fix(Fix::replace("write a line for each", span, with)) })
}

/// Reports whether a record closes the whole site.
fn closes_all(record: &[u8]) -> bool {
    let value = record.split(|byte| *byte == b':').nth(1).unwrap_or_default().trim_ascii();
    is_key(record, 0, b"disallow") && value.iter().all(|byte| b"/*$".contains(byte))
}

/// Reports whether what follows the last record is letters of a line end, and not a sign between records alone.
fn ends_in_letters(text: &[u8], end: usize) -> bool {
    (end..text.len()).any(|at| break_of_value(&text[end..=at]).is_some())
}

/// Returns the records of a line of which crawlers read one at most, and not as it seems; none of a usual line.
fn records(text: &[u8]) -> Vec<Range<usize>> {
    // Nearly all lines have one colon, and end in what is read.
    let read = text.trim_ascii_end();
    let is_usual = text.iter().filter(|byte| **byte == b':').count() < 2 && break_of_value(read).is_none();
    if is_usual { Vec::new() } else { parts(text) }
}

/// Returns a line without the byte order mark of a file.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Returns a line up to its comment.
fn without_comment(text: &[u8]) -> &[u8] {
    &text[..comment_start(text)]
}

/// Returns the records of a line: none if it does not start with one.
fn parts(text: &[u8]) -> Vec<Range<usize>> {
    let first = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(text.len());
    if key_at(text, first).is_none() {
        return Vec::new();
    }
    let mut starts = vec![first];
    let mut at = first;
    while at < text.len() {
        match key_at(text, at) {
            Some(length) => {
                if at > first && is_after_break(text, at) {
                    starts.push(at);
                }
                at += length;
            }
            None => at += 1,
        }
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let record = |(start, end): (&usize, usize)| {
        let break_at = if end < text.len() { break_at_end } else { break_of_value };
        *start..trimmed_end(text, *start, end, break_at)
    };
    starts.iter().zip(ends).map(record).collect()
}

/// Reports whether a text has a key at a place.
fn is_key(text: &[u8], at: usize, key: &[u8]) -> bool {
    text.get(at..at + key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key))
}

/// Returns the length of the key that is at a place, if a colon follows it.
fn key_at(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let key = KEYS.iter().find(|key| is_key(rest, 0, key))?;
    let after = rest[key.len()..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    (after == Some(&b':')).then_some(key.len())
}

/// Reports whether a record can begin at a place: after a blank, a sign between records, or letters of a line end, or
/// in the middle of a word if it begins with a capital letter.
fn is_after_break(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    let is_joint = |byte: &u8| matches!(byte, b' ' | b'\t' | b';' | b',' | b'|' | b'"' | b'\'');
    before.last().is_some_and(is_joint)
        || break_at_end(before).is_some()
        || is_of_star(before)
        || text[at].is_ascii_uppercase()
            && text.get(at + 1).is_some_and(u8::is_ascii_lowercase)
            && before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"/*$".contains(byte))
}

/// Reports whether a text is a `User-agent` line of `*`, after which a key in lower case begins a record, too.
fn is_of_star(text: &[u8]) -> bool {
    const MAX_BYTES: usize = 16;
    let key =
        text.strip_suffix(b"*").filter(|_| text.len() <= MAX_BYTES).and_then(|key| key.trim_ascii().strip_suffix(b":"));
    key.is_some_and(|key| AGENT_KEYS.iter().any(|agent| agent.eq_ignore_ascii_case(key.trim_ascii())))
}

/// Returns the end of a record without what separates it from the next.
fn trimmed_end(text: &[u8], start: usize, end: usize, break_at: fn(&[u8]) -> Option<usize>) -> usize {
    let mut end = end;
    loop {
        let part = &text[start..end];
        let is_joint = |byte: &u8| matches!(byte, b' ' | b'\t' | b';' | b',' | b'|');
        match break_at(part).filter(|length| *length < part.len()) {
            Some(length) => end -= length,
            None if part.last().is_some_and(is_joint) => end -= 1,
            None => return end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_a_line() {
        for (text, wanted) in [
            ("User-agent: * Disallow: /a", &["User-agent: *", "Disallow: /a"][..]),
            (r"User-agent: *\nDisallow: /a\nAllow: /b\n", &["User-agent: *", "Disallow: /a", "Allow: /b"]),
            ("User-agent: *<br>Disallow: /a", &["User-agent: *", "Disallow: /a"]),
            ("User-agent: *; Disallow: /", &["User-agent: *", "Disallow: /"]),
            ("Disallow: /wp-adminUser-agent: GPTBot", &["Disallow: /wp-admin", "User-agent: GPTBot"]),
            ("Disallow: /a Disallow: /b", &["Disallow: /a", "Disallow: /b"]),
            (r"Disallow: /a\n", &["Disallow: /a"]),
            ("Disallow: /a?allow:x", &["Disallow: /a?allow:x"]),
            ("Disallow: /disallow/x", &["Disallow: /disallow/x"]),
            ("see User-agent: x", &[]),
        ] {
            let found: Vec<&str> = parts(text.as_bytes()).into_iter().map(|part| &text[part]).collect();
            assert_eq!(found, wanted, "{text}");
        }
    }
}
