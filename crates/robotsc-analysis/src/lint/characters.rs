//! Characters that cannot be seen, that only look like a sign of a rule, and bytes that are no UTF-8.
//!
//! ```text
//! Disallow: <U+200B>/x/      invisible-character: matches nothing, since the pattern does not start with `/`
//! Disallow： /x/             invisible-character: a full-width colon is no colon
//! Disallow: /stra\xdfe/      not-utf8: URLs contain `/stra%C3%9Fe/`
//! ```

use robotsc_compiler::{ByteSpan, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use crate::text::edit::Edit;
use crate::text::lookalike::{Lookalike, lookalike};

/// The maximum number of other lines that a finding names.
const MAX_RELATED: usize = 8;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    if context.body().is_ascii() {
        return;
    }
    let mut not_text = Vec::new();
    for line in 1..=context.lines.count() {
        let written = context.lines.text(line);
        let end = written.iter().position(|byte| *byte == b'#').unwrap_or(written.len());
        // A byte order mark can be cut short.
        let is_mark = |mark: &&[u8]| line == 1 && written.starts_with(mark);
        let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xEF\xBB", b"\xEF"];
        let mark = marks.iter().find(|mark| is_mark(mark)).map_or(0, |mark| mark.len());
        let text = written.get(mark..end).unwrap_or_default();
        if text.is_ascii() {
            continue;
        }
        match std::str::from_utf8(text) {
            Ok(text) => invisible(context, line, mark, text),
            Err(_) if is_read(context, line) => not_text.push(line),
            Err(_) => {}
        }
    }
    not_utf8(context, &not_text);
}

/// Reports whether a line has an agent, a rule or a record.
fn is_read(context: &Context<'_>, line: u32) -> bool {
    let robots = context.robots;
    context.rule_of_line(line).is_some()
        || robots.agents().binary_search_by_key(&line, |agent| agent.line).is_ok()
        || robots.records().binary_search_by_key(&line, |record| record.line).is_ok()
}

/// Reports whether a character is a dash that programs for writing texts put in the place of `-`.
const fn is_dash(char: char) -> bool {
    matches!(char, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Reports whether a character is a quotation mark of a text program.
const fn is_quote(char: char) -> bool {
    matches!(char, '\u{2018}'..='\u{201F}' | '\u{AB}' | '\u{BB}')
}

/// A line with a character that is not what it seems.
fn invisible(context: &mut Context<'_>, line: u32, mark: usize, text: &str) {
    let Some(check) = context.check(LintCheck::InvisibleCharacter) else { return };
    let Some((shown, seems, mended)) = mended(text) else { return };
    if !names_directive(&mended) && !is_read(context, line) {
        return;
    }
    let start = context.lines.whole(line).start + mark;
    let span = ByteSpan::new(start, start + text.trim_end().len());
    let code = format!("U+{:04X}", u32::from(shown));
    let text = quoted(text.trim().as_bytes());
    let message = match seems {
        Lookalike::Nothing => format!("{text} contains {code}, which cannot be seen, and crawlers compare it"),
        Lookalike::Blank => format!("{text} contains {code}, which looks like a blank and is none to crawlers"),
        Lookalike::Sign(sign) => format!("{text} contains {code}, which looks like `{sign}` and is none to crawlers"),
    };
    let title = match seems {
        Lookalike::Sign(_) => "write the sign that is meant",
        _ => "remove what cannot be seen",
    };
    let fix = Fix::replace(title, span, mended.into_bytes());
    context.explained.insert(line);
    context.found.push(Finding::new(check, line, span, message).fix(fix));
}

/// Returns the first character of a line that is not what it seems, and the line as it seems to be. `None` if all
/// characters are what they seem.
fn mended(text: &str) -> Option<(char, Lookalike, String)> {
    let chars: Vec<char> = text.trim_end().chars().collect();
    let colon = chars.iter().position(|char| matches!(char, ':' | '\u{FF1A}' | '\u{A789}' | '\u{2236}'));
    let is_agent = text.trim_start().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("user"));
    let value_start = colon.map_or(0, |colon| colon + 1);
    let is_blank = |char: &char| char.is_whitespace() || lookalike(*char, true) == Some(Lookalike::Blank);
    let first = chars.iter().skip(value_start).position(|char| !is_blank(char)).map_or(0, |at| at + value_start);
    let last = chars.iter().rposition(|char| !is_blank(char)).unwrap_or(0);
    let mut found = None;
    let mut out = String::with_capacity(text.len());
    for (at, char) in chars.iter().copied().enumerate() {
        let is_ascii = |char: Option<&char>| char.is_none_or(char::is_ascii);
        let is_in_ascii = is_ascii(at.checked_sub(1).and_then(|at| chars.get(at))) || is_ascii(chars.get(at + 1));
        let is_in_name = is_agent || at < value_start;
        let seems = match lookalike(char, is_in_ascii) {
            None if is_dash(char) && is_in_name => Some(Lookalike::Sign('-')),
            None if is_quote(char) && (at == first || at == last) => Some(Lookalike::Nothing),
            seems => seems,
        };
        match seems {
            None => out.push(char),
            Some(Lookalike::Nothing) => {}
            // After the colon or at the end it was typed by accident. Within a path it can be meant.
            Some(Lookalike::Blank) if at < value_start || (at > first && at < last) => out.push(' '),
            Some(Lookalike::Blank) => {}
            Some(Lookalike::Sign(sign)) => out.push(sign),
        }
        if let (None, Some(seems)) = (found, seems) {
            found = Some((char, seems));
        }
    }
    // What began with such a character begins with a blank after the colon now.
    let out = match out.split_once(':') {
        Some((key, value)) => format!("{}: {}", key.trim(), value.trim()),
        None => out.trim().to_owned(),
    };
    found.map(|(char, seems)| (char, seems, out))
}

/// Reports whether a line starts with a directive.
fn names_directive(text: &str) -> bool {
    let key = text.split(':').next().unwrap_or_default().trim();
    text.contains(':') && super::notices::DIRECTIVES.iter().any(|known| known.eq_ignore_ascii_case(key))
}

/// Lines that are no UTF-8: one finding, since the whole file has another encoding.
fn not_utf8(context: &mut Context<'_>, lines: &[u32]) {
    let Some(check) = context.check(LintCheck::NotUtf8) else { return };
    // A rule shows best what is lost.
    let Some(line) = lines.iter().find(|line| context.rule_of_line(**line).is_some()).or(lines.first()) else { return };
    let text = context.lines.text(*line);
    let written = text.split(|byte| *byte == b'#').next().unwrap_or_default();
    let decoded = windows_1252(written);
    let value = decoded.split_once(':').map_or(decoded.as_str(), |(_, value)| value).trim();
    let start = context.lines.whole(*line).start;
    let span = ByteSpan::new(start, start + written.trim_ascii_end().len());
    let message = match context.rule_of_line(*line) {
        Some(_) => format!(
            "{} is no UTF-8: URLs contain `{}`, which it does not match",
            quoted(written.trim_ascii()),
            escaped(value)
        ),
        None => format!("{} is no UTF-8: crawlers read other letters in it", quoted(written.trim_ascii())),
    };
    let edits = lines.iter().map(|line| {
        let range =
            context.lines.whole(*line).start..context.lines.whole(*line).start + context.lines.text(*line).len();
        Edit { range, with: windows_1252(context.lines.text(*line)).into_bytes() }
    });
    let title = "write it in UTF-8, read as windows-1252".to_owned();
    let fix = Fix { title, is_safe: false, is_of_dialect: false, edits: edits.collect() };
    let related = lines.iter().copied().filter(|other| other != line).take(MAX_RELATED);
    let finding = Finding::new(check, *line, span, message).severity(Severity::Error).related(related).fix(fix);
    context.found.push(finding);
}

/// Returns bytes of the usual 8-bit encoding of western texts as text.
fn windows_1252(text: &[u8]) -> String {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    // What is UTF-8 already stays.
    if let Ok(text) = std::str::from_utf8(text) {
        return text.to_owned();
    }
    text.iter()
        .map(|byte| match byte {
            0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
            byte => char::from(*byte),
        })
        .collect()
}

/// Returns a path as URLs contain it.
fn escaped(path: &str) -> String {
    path.bytes()
        .map(|byte| if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_as_they_seem_to_be() {
        for (text, wanted) in [
            ("Disallow: \u{200B}/x/", Some("Disallow: /x/")),
            ("Disallow: \u{A0}/x/", Some("Disallow: /x/")),
            ("Disallow: \u{FF0F}x\u{FF0F}", Some("Disallow: /x/")),
            ("Disallow\u{FF1A} /x/", Some("Disallow: /x/")),
            ("User\u{2013}agent: *", Some("User-agent: *")),
            ("User-agent: Google\u{200B}bot", Some("User-agent: Googlebot")),
            ("Disallow: \u{201C}/x/\u{201D}", Some("Disallow: /x/")),
            ("\u{A0}Disallow: /x/", Some("Disallow: /x/")),
            // Words of other scripts, and typography within a path.
            ("Disallow: /\u{646}\u{200C}\u{647}", None),
            ("Disallow: /l\u{2019}\u{E9}t\u{E9}", None),
            ("Disallow: /a\u{2013}b", None),
        ] {
            assert_eq!(mended(text).map(|(_, _, text)| text).as_deref(), wanted, "{text:?}");
        }
    }
}
