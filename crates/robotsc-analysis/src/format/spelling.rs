//! Writes the lines of a file anew, and puts back those that some dialect would then read otherwise.
//!
//! ```text
//! written                        readable                    short
//! disallow :/cart  #old          Disallow: /cart #old        Disallow:/cart
//! Disalow: /x                    Disalow: /x                 Disalow:/x
//! disallow /y                    disallow /y                 disallow /y
//! ```
//!
//! Only google and google-2017 take `Disalow` for a rule, so its spelling stays. Only google takes a line without a
//! colon for one, so a colon is not added. No list of such cases is needed: what was written is parsed under all
//! dialects, and a line of which one reads something else is put back as it was.

use std::borrow::Cow;

use robotsc_compiler::Dialect;
use robotsc_compiler::record::RecordKind;
use robotsc_compiler::small_sort::SmallSort as _;

use super::WhyUnchanged;
use super::layout::{self, Part};
use super::reading::{Item, Items, Source, trimmed};

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// For people, with comments and empty lines.
    Readable,
    /// What is read, and nothing else.
    Short,
}

/// A line that is kept.
#[derive(Debug)]
struct Kept<'b> {
    line: u32,
    part: Part,
    text: Cow<'b, [u8]>,
    /// Whether the text is that of the file.
    is_written: bool,
}

/// How often lines are put back. The second time is for lines that others were in the way of.
const ROUNDS: usize = 3;

/// The keys that are spelled in one way. All dialects compare keys without regard to case.
const KEYS: [&str; 14] = [
    "User-agent",
    "Allow",
    "Disallow",
    "Sitemap",
    "Crawl-delay",
    "Request-rate",
    "Visit-time",
    "Host",
    "Clean-param",
    "Content-Signal",
    "Content-Usage",
    "Noindex",
    "Nofollow",
    "Noarchive",
];

/// Returns a file with its lines written in a style, of which every dialect reads the same items, or why there is none.
pub(super) fn respelled(source: &Source<'_>, style: Style) -> Result<Vec<u8>, WhyUnchanged> {
    let mut lines = kept(source, style);
    let mut left = WhyUnchanged::NotProved;
    for _ in 0..ROUNDS {
        let (body, of_line) = write(source, style, &lines);
        let after = Source::new(&body);
        let wrong = differences(source, &after, &of_line);
        if wrong.is_empty() && after.is_whole() {
            return Ok(body);
        }
        left = if after.is_whole() { WhyUnchanged::NotProved } else { WhyUnchanged::TooLongAfter };
        let mut is_changed = false;
        for kept in lines.iter_mut().filter(|kept| !kept.is_written && wrong.binary_search(&kept.line).is_ok()) {
            kept.text = Cow::Borrowed(source.lines.text(kept.line));
            kept.is_written = true;
            is_changed = true;
        }
        if !is_changed {
            break;
        }
    }
    Err(left)
}

/// Returns the lines that are kept, each in the style.
fn kept<'b>(source: &Source<'b>, style: Style) -> Vec<Kept<'b>> {
    let of_lines = source.of_lines();
    let opens = source.opens();
    let mut kept = Vec::with_capacity(source.lines.count() as usize);
    for line in 1..=source.lines.count() {
        let written = source.lines.text(line);
        let items = &of_lines[line as usize];
        let is_read = items.iter().any(Option::is_some);
        let text = match (is_read, style) {
            (true, _) => spelled(written, items, style),
            (false, Style::Short) => continue,
            (false, Style::Readable) if trimmed(written).first() == Some(&b'#') => Some(trimmed(written).to_vec()),
            (false, Style::Readable) => None,
        };
        let part = layout::part(written, items, opens[line as usize]);
        let text = text.filter(|text| text != written);
        let is_written = text.is_none();
        kept.push(Kept { line, part, text: text.map_or(Cow::Borrowed(written), Cow::Owned), is_written });
    }
    kept
}

/// Returns a line that some dialect reads, as a style has it. `None` if it is to stay.
fn spelled(written: &[u8], items: &[Option<Item<'_>>; Dialect::ALL.len()], style: Style) -> Option<Vec<u8>> {
    let hash = written.iter().position(|byte| *byte == b'#').unwrap_or(written.len());
    let (record, comment) = written.split_at(hash);
    let mut text = Vec::with_capacity(written.len() + 2);
    match record.iter().position(|byte| *byte == b':').and_then(|colon| key(record, colon, items).zip(Some(colon))) {
        Some((key, colon)) => {
            let value = trimmed(&record[colon + 1..]);
            text.extend_from_slice(key);
            text.push(b':');
            if style == Style::Readable && !value.is_empty() {
                text.push(b' ');
            }
            text.extend_from_slice(value);
        }
        // Other systems may read it in their own ways.
        None if style == Style::Readable => return None,
        None => text.extend_from_slice(trimmed(record)),
    }
    if style == Style::Readable && !comment.is_empty() {
        text.push(b' ');
        text.extend_from_slice(trimmed(comment));
    }
    Some(text)
}

/// Returns the key of a record as it is spelled. `None` if no dialect knows it, or if it is more than a word.
fn key<'b>(record: &'b [u8], colon: usize, items: &[Option<Item<'_>>]) -> Option<&'b [u8]> {
    let is_known = |item: &Item<'_>| !matches!(item, Item::Record(RecordKind::Unknown, ..));
    if !items.iter().flatten().any(is_known) {
        return None;
    }
    let key = trimmed(&record[..colon]);
    if let Some(known) = KEYS.iter().find(|known| key.eq_ignore_ascii_case(known.as_bytes())) {
        return Some(known.as_bytes());
    }
    let is_word = key.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    (is_word || key.eq_ignore_ascii_case(b"user agent")).then_some(key)
}

/// Writes the lines. Also returns the line of the source that each line comes from; 0 for an empty line.
fn write(source: &Source<'_>, style: Style, lines: &[Kept<'_>]) -> (Vec<u8>, Vec<u32>) {
    // Old readers take a file of CR alone for one line. CRLF stays, so that tools which turn LF into it agree.
    let end: &[u8] = match style {
        Style::Readable if source.lines.end_of_line() == b"\r\n" => b"\r\n",
        _ => b"\n",
    };
    let gaps = match style {
        Style::Readable => layout::gaps(&lines.iter().map(|kept| kept.part).collect::<Vec<_>>()),
        Style::Short => vec![false; lines.len()],
    };
    let first = lines.iter().find(|kept| kept.part != Part::Empty);
    let mut body = first.map_or_else(Vec::new, |first| mark_before(source, &first.text).to_vec());
    let mut of_line = vec![0];
    // An empty line before text stays, too: the text can look like a mark, or like the beginning of gzip.
    if first.is_some_and(|first| style == Style::Readable && first.line > 1 && !is_plain_text(&first.text)) {
        body.extend_from_slice(end);
        of_line.push(0);
    }
    for (kept, has_gap) in lines.iter().zip(gaps).filter(|(kept, _)| kept.part != Part::Empty) {
        if has_gap {
            body.extend_from_slice(end);
            of_line.push(0);
        }
        body.extend_from_slice(&kept.text);
        body.extend_from_slice(end);
        of_line.push(kept.line);
    }
    (body, of_line)
}

/// Returns the byte order mark that a file keeps before its first line.
///
/// All dialects skip the mark. But without it, the file can look like one of another kind: `1F 8B` is the beginning of
/// gzip, `BZh` of bzip2, and `EF BB BF` is another mark. So it goes only before a comment or a known directive.
pub(super) fn mark_before<'b>(source: &Source<'b>, first: &[u8]) -> &'b [u8] {
    if is_plain_text(first) { &[] } else { source.mark }
}

/// Reports whether a line is a comment or begins as a known directive, so that a file can begin with it.
fn is_plain_text(line: &[u8]) -> bool {
    let text = trimmed(line);
    let is_directive =
        |key: &&str| text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key.as_bytes()));
    text.starts_with(b"#") || KEYS.iter().any(is_directive)
}

/// Returns the lines of the source in which a dialect reads something else than in the new lines, sorted.
fn differences(source: &Source<'_>, after: &Source<'_>, of_line: &[u32]) -> Vec<u32> {
    let mut wrong = Vec::new();
    for (old, new) in source.items().iter().zip(after.items()) {
        let new: Items<'_> =
            new.iter().map(|(line, item)| (of_line.get(*line as usize).copied().unwrap_or(0), *item)).collect();
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        loop {
            match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some((line, item)), Some((other_line, other))) if line == other_line => {
                    if item != other {
                        wrong.push(*line);
                    }
                    old.next();
                    new.next();
                }
                (Some((line, _)), other) if other.is_none_or(|(other, _)| line < other) => {
                    wrong.push(*line);
                    old.next();
                }
                (_, Some((line, _))) => {
                    wrong.push(*line);
                    new.next();
                }
                (Some(_), None) => break,
            }
        }
    }
    wrong.small_sort_unstable();
    wrong.dedup();
    wrong
}
