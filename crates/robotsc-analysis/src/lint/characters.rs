//! Characters that cannot be seen, or that only look like a sign or a letter, and text in another encoding.
//!
//! ```text
//! Disallow: <U+200B>/x/      invisible-character: matches nothing, since the pattern does not start with `/`
//! Disallow： /x/             invisible-character: a full-width colon is no colon
//! Disallow: /\u{441}art/       invisible-character: the first letter is Cyrillic
//! Disallow: /stra\xdfe/      not-utf8: URLs contain `/stra%C3%9Fe/`
//! Disallow: /cafÃ©/          not-utf8: `/café/` was encoded twice
//! ```

use robotsc_compiler::{ByteSpan, Group, Severity};

use super::blanks::has_record;
use super::check::LintCheck;
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use super::known_name::KnownName;
use crate::text::edit::Edit;
use crate::text::encoding::{ESCAPE_OF_ISO_2022, encoded_once, is_western, likely, windows_1252};
use crate::text::lookalike::{Lookalike, is_dash, is_quote, latin_letter, lookalike, modifies, typed};
use crate::text::part::find;

/// The maximum number of other lines that a finding names.
const MAX_RELATED: usize = 8;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>, known: &[KnownName]) {
    if is_plain(context.body()) {
        return;
    }
    let (mut not_text, mut lost, mut twice) = (Vec::new(), Vec::new(), Vec::new());
    for line in 1..=context.lines.count() {
        let written = context.lines.text(line);
        let end = written.iter().position(|byte| *byte == b'#').unwrap_or(written.len());
        let written = &written[..end];
        let mark = if line == 1 { mark_length(written) } else { 0 };
        let text = &written[mark..];
        if is_plain(text) || context.explained.contains(&line) {
            continue;
        }
        match std::str::from_utf8(text) {
            // Each byte is of ASCII.
            Ok(_) if find(text, ESCAPE_OF_ISO_2022).is_some() && is_read(context, line) => {
                context.explained.insert(line);
                not_text.push(line);
            }
            Ok(text) if is_lost(text) && is_read(context, line) => lost.push(line),
            Ok(text) if encoded_once(text).is_some() && is_read(context, line) => twice.push(line),
            // `agent-list` says more of it.
            Ok(text) if is_list_of_agents(context, line) && names_between_dashes(text, known) => {}
            Ok(text) => {
                invisible(context, line, mark, text);
                typographic(context, line);
            }
            // Quotes and blanks of another encoding, around a path of ASCII.
            Err(_) if mended(&windows_1252(text)).is_some_and(|(_, _, text)| text.is_ascii()) => {
                invisible(context, line, mark, &windows_1252(text));
            }
            Err(_) if is_read(context, line) => not_text.push(line),
            Err(_) => {}
        }
    }
    not_utf8(context, &not_text);
    lost_letters(context, &lost);
    encoded_twice(context, &twice);
}

/// Reports whether a text has nothing but letters and signs of ASCII, and blanks.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t'..=b'\r' | 0))
}

/// Reports whether a letter of a text was lost, also if the text was encoded twice since.
fn is_lost(text: &str) -> bool {
    text.contains('\u{FFFD}') || encoded_once(text).is_some_and(|once| once.contains('\u{FFFD}'))
}

/// Returns the length of the byte order mark at the start of a file, which can be cut short.
fn mark_length(text: &[u8]) -> usize {
    let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xEF\xBB", b"\xEF"];
    // Letters of other scripts begin with the same byte.
    let is_mark = |mark: &&&[u8]| text.starts_with(mark) && (mark.len() == 3 || std::str::from_utf8(text).is_err());
    marks.iter().find(is_mark).map_or(0, |mark| mark.len())
}

/// Reports whether a line has an agent, a rule or a record.
fn is_read(context: &Context<'_>, line: u32) -> bool {
    let robots = context.robots;
    context.rule_of_line(line).is_some()
        || robots.agents().binary_search_by_key(&line, |agent| agent.line).is_ok()
        || robots.records().binary_search_by_key(&line, |record| record.line).is_ok()
}

/// Reports whether a line is one of agents, and lists in such lines are reported.
fn is_list_of_agents(context: &Context<'_>, line: u32) -> bool {
    context.check(LintCheck::AgentList).is_some()
        && context.robots.agents().binary_search_by_key(&line, |agent| agent.line).is_ok()
}

/// Reports whether a line has nothing but names of known crawlers after its colon, between such dashes.
fn names_between_dashes(text: &str, known: &[KnownName]) -> bool {
    let Some((_, value)) = text.split_once(':').filter(|(_, value)| value.contains(is_dash)) else { return false };
    let is_known = |name: &str| known.iter().any(|known| known.token.eq_ignore_ascii_case(name));
    value.split(is_dash).all(|name| is_known(name.trim()))
}

/// What a character seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seems {
    /// Nothing, a blank or a sign.
    Like(Lookalike),
    /// A quotation mark around a value.
    Quote,
    /// This Latin letter, in a word of Latin letters.
    Letter(char),
}

/// A line with a character that is not what it seems.
fn invisible(context: &mut Context<'_>, line: u32, mark: usize, text: &str) {
    let Some(check) = context.check(LintCheck::InvisibleCharacter) else { return };
    let Some((shown, seems, mended)) = mended(text) else { return };
    if !names_directive(&mended) && !is_read(context, line) {
        return;
    }
    let written = context.lines.text(line);
    let written = written.split(|byte| *byte == b'#').next().and_then(|written| written.get(mark..));
    let written = written.unwrap_or_default().trim_ascii_end();
    let start = context.lines.whole(line).start + mark;
    let span = ByteSpan::new(start, start + written.len());
    let code = format!("U+{:04X}", u32::from(shown));
    let text = quoted(written.trim_ascii());
    let (message, title) = match seems {
        Seems::Like(Lookalike::Nothing) => (
            format!("{text} contains {code}, which cannot be seen, and crawlers compare it"),
            "remove what cannot be seen",
        ),
        Seems::Like(Lookalike::Blank) => (
            format!("{text} contains {code}, which looks like a blank and is none to crawlers"),
            "remove what cannot be seen",
        ),
        Seems::Like(Lookalike::Sign(sign)) => (
            format!("{text} contains {code}, which looks like `{sign}` and is none to crawlers"),
            "write the sign that is meant",
        ),
        Seems::Quote => (
            format!("{text} contains {code}, a quotation mark, which crawlers compare as it is"),
            "remove the quotation marks",
        ),
        Seems::Letter(letter) => (
            format!("{text} contains {code}, which looks like `{letter}` and is another letter to crawlers"),
            "write Latin letters",
        ),
    };
    // A line end was lost there, and with nothing in its place two records would be one.
    let is_apart = !mended.split_once(':').is_some_and(|(_, value)| has_record(value.as_bytes()));
    let fix = Some(Fix::replace(title, span, names_apart(context, &mended))).filter(|_| is_apart);
    context.explained.insert(line);
    let mut finding = Finding::new(check, line, span, message);
    let is_read_so = context.rule_of_line(line).is_some_and(|rule| is_of_all(context.value(rule)));
    if closes_all(&mended) && !is_read_so {
        let reading = as_read(context, line);
        finding.message.push_str(&format!(": as it is read, {reading}; `{mended}` would close the whole site"));
        // Whoever is meant, the fix must not take a site out of search engines.
        finding.fix = fix.filter(|_| !is_for_search(context, line));
    } else {
        finding.fix = fix;
    }
    context.found.push(finding);
}

/// Reports whether a line is a Disallow of every path.
fn closes_all(line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else { return false };
    key.trim().eq_ignore_ascii_case("disallow") && is_of_all(value.trim().as_bytes())
}

const fn is_of_all(pattern: &[u8]) -> bool {
    matches!(pattern, b"/" | b"*" | b"/*")
}

/// Returns what a Disallow closes as crawlers read it.
fn as_read(context: &Context<'_>, line: u32) -> String {
    let value = context.rule_of_line(line).map_or(&b""[..], |rule| context.value(rule));
    let pattern = context.robots.dialect().normalize_pattern(value);
    match pattern.strip_prefix(b"*") {
        _ if pattern.starts_with(b"/") => format!("it closes only URLs that begin with {}", quoted(&pattern)),
        Some(rest) => format!("it closes only URLs that contain {}", quoted(rest)),
        None => "it closes nothing".to_owned(),
    }
}

/// Reports whether search engines, or crawlers that no group names, obey the group that a line stands in.
fn is_for_search(context: &Context<'_>, line: u32) -> bool {
    let agents = context.robots.agents();
    let Some(before) = agents.partition_point(|agent| agent.line < line).checked_sub(1) else { return true };
    let begins =
        |group: &Group| context.robots.agents_of(group).first().is_none_or(|one| one.line <= agents[before].line);
    let Some(at) = context.robots.groups().partition_point(begins).checked_sub(1) else { return true };
    let mut searching = SEARCH_AGENTS.iter().filter_map(|agent| context.obeyed_by(agent));
    let others = context.obeyed.iter().find(|obeyed| obeyed.audience.has_others);
    let is_of = |obeyed: &Obeyed<'_>| obeyed.audience.groups.iter().any(|id| id.0 as usize == at);
    searching.any(is_of) || others.is_some_and(is_of)
}

/// A path of ASCII with a sign that programs for writing texts put in the place of another, such as a dash or an
/// ellipsis. A URL can have it, so that no fix rewrites it.
fn typographic(context: &mut Context<'_>, line: u32) {
    let Some(check) = context.check(LintCheck::InvisibleCharacter) else { return };
    let Some(rule) = context.rule_of_line(line).filter(|_| !context.explained.contains(&line)) else { return };
    let value = context.value(rule);
    let Some((shown, meant)) = std::str::from_utf8(value).ok().and_then(in_ascii) else { return };
    let code = format!("U+{:04X}", u32::from(shown));
    let message = format!(
        "{} contains {code}, which text programs write for another sign: {} is another path",
        quoted(value),
        quoted(meant.as_bytes())
    );
    let finding = Finding::new(check, line, rule.value, message).severity(Severity::Warning);
    context.found.push(finding);
}

/// Returns the first typographic sign of a path, and the path in ASCII. `None` if it has other letters, too, or if it
/// is one that a site makes of its titles, with their signs: `/Budget-2013-–-2014`.
fn in_ascii(path: &str) -> Option<(char, String)> {
    let mut found = None;
    let mut out = String::with_capacity(path.len());
    for char in path.chars() {
        if char.is_ascii_uppercase() || char == '-' {
            return None;
        }
        if char.is_ascii() {
            out.push(char);
            continue;
        }
        out.push_str(typed(char)?);
        found = found.or(Some(char));
    }
    found.map(|char| (char, out))
}

/// Returns a line, or one for each name if it is a `User-agent` line with several.
fn names_apart(context: &Context<'_>, line: &str) -> Vec<u8> {
    let Some((key, value)) = line.split_once(':') else { return line.as_bytes().to_vec() };
    let names: Vec<&str> = value.split([',', ';']).map(str::trim).filter(|name| !name.is_empty()).collect();
    if !key.eq_ignore_ascii_case("user-agent") || names.len() < 2 {
        return line.as_bytes().to_vec();
    }
    let joint = format!("{}User-agent: ", String::from_utf8_lossy(context.lines.end_of_line()));
    format!("User-agent: {}", names.join(&joint)).into_bytes()
}

/// Returns the first character of a line that is not what it seems, and the line as it seems to be. `None` if all
/// characters are what they seem.
fn mended(text: &str) -> Option<(char, Seems, String)> {
    let chars: Vec<char> = text.trim_end_matches(|char: char| char.is_ascii_whitespace()).chars().collect();
    let letters = latin_letters(&chars);
    let colon = chars.iter().position(|char| matches!(char, ':' | '\u{FF1A}' | '\u{A789}' | '\u{2236}'));
    let is_agent = text.trim_start().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("user"));
    let value_start = colon.map_or(0, |colon| colon + 1);
    let is_blank = |char: &char| char.is_whitespace() || lookalike(*char, true) == Some(Lookalike::Blank);
    let first = chars.iter().skip(value_start).position(|char| !is_blank(char)).map_or(0, |at| at + value_start);
    let last = chars.iter().rposition(|char| !is_blank(char)).unwrap_or(0);
    let mut found = None;
    let mut out = String::with_capacity(text.len());
    for (at, char) in chars.iter().copied().enumerate() {
        let is_ascii = |char: Option<char>| char.is_none_or(|char| char.is_ascii());
        // What was taken away is no letter.
        let (before, after) = (out.chars().next_back(), chars.get(at + 1).copied());
        // `1️⃣` is a key.
        let is_in_ascii = is_ascii(before) && after != Some('\u{20E3}') || !modifies(char) && is_ascii(after);
        let is_in_name = is_agent || at < value_start;
        let seems = match lookalike(char, is_in_ascii) {
            None if is_dash(char) && is_in_name => Some(Seems::Like(Lookalike::Sign('-'))),
            None if is_quote(char) && (at == first || at == last) => Some(Seems::Quote),
            None => letters.get(at).copied().flatten().map(Seems::Letter),
            Some(seems) => Some(Seems::Like(seems)),
        };
        match seems {
            None => out.push(char),
            Some(Seems::Like(Lookalike::Nothing) | Seems::Quote) => {}
            // After the colon or at the end it was typed by accident. Within a path it can be meant.
            Some(Seems::Like(Lookalike::Blank)) if at < value_start || (at > first && at < last) => out.push(' '),
            Some(Seems::Like(Lookalike::Blank)) => {}
            Some(Seems::Like(Lookalike::Sign(sign)) | Seems::Letter(sign)) => out.push(sign),
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

/// Returns for each character the Latin letter that it looks like, if it is one of another script within a word of
/// Latin letters and of such alone.
fn latin_letters(chars: &[char]) -> Vec<Option<char>> {
    let mut out = Vec::with_capacity(chars.len());
    for word in chars.chunk_by(|one, other| one.is_alphabetic() == other.is_alphabetic()) {
        let is_mixed = word.iter().any(char::is_ascii_alphabetic)
            && word.iter().all(|char| char.is_ascii() || latin_letter(*char).is_some());
        out.extend(word.iter().map(|char| latin_letter(*char).filter(|_| is_mixed)));
    }
    out
}

/// Reports whether a line starts with a directive.
fn names_directive(text: &str) -> bool {
    let key = text.split(':').next().unwrap_or_default().trim();
    text.contains(':') && super::keys::DIRECTIVES.iter().any(|known| known.eq_ignore_ascii_case(key))
}

/// Lines that are no UTF-8: one finding, since the whole file has another encoding.
fn not_utf8(context: &mut Context<'_>, lines: &[u32]) {
    let Some(check) = context.check(LintCheck::NotUtf8) else { return };
    let Some((line, span)) = shown_line(context, lines) else { return };
    let written = |line: u32| {
        let text = context.lines.text(line);
        text.split(|byte| *byte == b'#').next().unwrap_or_default()
    };
    let text = quoted(written(line).trim_ascii());
    let others: Vec<u8> = lines.iter().flat_map(|line| [written(*line), b"\n"].concat()).collect();
    let decoded = windows_1252(written(line));
    let value = decoded.split_once(':').map_or(decoded.as_str(), |(_, value)| value).trim();
    let is_rule = context.rule_of_line(line).is_some();
    let (message, fix) = if !others.is_ascii() && is_western(&others) {
        let message = match is_rule {
            true => {
                format!(
                    "{text} is no UTF-8: URLs contain {}, which it does not match",
                    quoted(escaped(value).as_bytes())
                )
            }
            false => format!("{text} is no UTF-8: crawlers read other letters in it"),
        };
        (message, Some(rewritten(context, lines, "write it in UTF-8, read as windows-1252", windows_1252)))
    } else {
        let what = if is_rule { "it matches no URL with these letters" } else { "crawlers read other letters in it" };
        // Comments have words of the language, too.
        let lines = (1..=context.lines.count()).map(|line| context.lines.text(line));
        let is_other = |line: &&[u8]| std::str::from_utf8(line).is_err() || find(line, ESCAPE_OF_ISO_2022).is_some();
        let lines: Vec<&[u8]> = lines.filter(is_other).collect();
        let names = likely(&lines.join(&b"\n"[..])).join(" or ");
        (format!("{text} is no UTF-8, so that {what}: write the file in UTF-8; it seems to be {names}"), None)
    };
    let related = lines.iter().copied().filter(|other| *other != line).take(MAX_RELATED);
    let mut finding = Finding::new(check, line, span, message).severity(Severity::Error).related(related);
    finding.fix = fix;
    context.found.push(finding);
}

/// Lines with the character that programs write for what they could not read: one finding.
fn lost_letters(context: &mut Context<'_>, lines: &[u32]) {
    let Some(check) = context.check(LintCheck::NotUtf8) else { return };
    let Some((line, span)) = shown_line(context, lines) else { return };
    let text = quoted(span.of(context.body()).trim_ascii());
    let message = format!("{text} contains U+FFFD, which stands for a letter that was lost: URLs contain the letter");
    let related = lines.iter().copied().filter(|other| *other != line).take(MAX_RELATED);
    context.found.push(Finding::new(check, line, span, message).related(related));
}

/// Lines in UTF-8 that was taken for windows-1252 and encoded again: one finding.
fn encoded_twice(context: &mut Context<'_>, lines: &[u32]) {
    let Some(check) = context.check(LintCheck::NotUtf8) else { return };
    let Some((line, span)) = shown_line(context, lines) else { return };
    let once = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        // A byte order mark or the like, which does nothing there.
        let once = encoded_once(&text).unwrap_or_else(|| text.into_owned());
        once.trim_start_matches(|char| lookalike(char, true) == Some(Lookalike::Nothing)).to_owned()
    };
    let text = span.of(context.body());
    let meant = once(text);
    let message =
        format!("{} is encoded twice: {} was meant", quoted(text.trim_ascii()), quoted(meant.trim().as_bytes()));
    let fix = rewritten(context, lines, "write it as it was before", once);
    // The byte order mark before a key makes it another, and nothing else is wrong with it.
    let has_mark = context.lines.text(line).starts_with("\u{EF}\u{BB}\u{BF}".as_bytes());
    context.explained.extend((has_mark && line == 1).then_some(line));
    let related = lines.iter().copied().filter(|other| *other != line).take(MAX_RELATED);
    context.found.push(Finding::new(check, line, span, message).related(related).fix(fix));
}

/// Returns which of some lines shows best what is lost, a rule, and its bytes without a comment.
fn shown_line(context: &Context<'_>, lines: &[u32]) -> Option<(u32, ByteSpan)> {
    let line = *lines.iter().find(|line| context.rule_of_line(**line).is_some()).or(lines.first())?;
    let text = context.lines.text(line).split(|byte| *byte == b'#').next().unwrap_or_default();
    let start = context.lines.whole(line).start;
    Some((line, ByteSpan::new(start, start + text.trim_ascii_end().len())))
}

/// Returns a fix that writes lines in another way.
fn rewritten(context: &Context<'_>, lines: &[u32], title: &str, write: impl Fn(&[u8]) -> String) -> Fix {
    let edits = lines.iter().map(|line| {
        let (start, text) = (context.lines.whole(*line).start, context.lines.text(*line));
        Edit { range: start..start + text.len(), with: write(text).into_bytes() }
    });
    Fix { title: title.to_owned(), is_safe: false, is_of_dialect: false, edits: edits.collect() }
}

/// Returns a path as URLs contain it.
fn escaped(path: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>');
    path.bytes().map(|byte| if is_kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
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
            ("Disallow: /x/\u{A0}", Some("Disallow: /x/")),
            ("Disallow: /x/\u{3000}", Some("Disallow: /x/")),
            ("\u{FEFF}User-agent: *", Some("User-agent: *")),
            ("\u{FF35}ser-agent: *", Some("User-agent: *")),
            ("User-agent: GPTBot\u{FF0C} CCBot", Some("User-agent: GPTBot, CCBot")),
            ("Disallow: /\u{441}art/", Some("Disallow: /cart/")),
            ("User-agent: GPTB\u{43E}t", Some("User-agent: GPTBot")),
            ("Dis\u{430}llow: /x/", Some("Disallow: /x/")),
            ("User-agent: \u{39F}nePage", Some("User-agent: OnePage")),
            ("Disallow: /\u{441}\u{43E}\u{440}/", None),
            ("Disallow: /web\u{438}\u{43D}\u{430}\u{440}/", None),
            ("Disallow: /pdf-\u{440}\u{435}\u{441}/", None),
            // Words of other scripts, and typography within a path.
            ("Disallow: /\u{646}\u{200C}\u{647}", None),
            ("Disallow: /l\u{2019}\u{E9}t\u{E9}", None),
            ("Disallow: /a\u{2013}b", None),
            // Nobody sees these, at the start, inside or at the end.
            ("Disallow: \u{3164}/x/", Some("Disallow: /x/")),
            ("Disallow: \u{FE0F}/x/", Some("Disallow: /x/")),
            ("Disallow: \u{2800}/x/", Some("Disallow: /x/")),
            ("Disallow: \u{E0001}/x/", Some("Disallow: /x/")),
            ("Disallow: \u{7}/x/", Some("Disallow: /x/")),
            ("Disallow: /x/\u{FE0F}", Some("Disallow: /x/")),
            ("Disallow: /x/\u{2800}", Some("Disallow: /x/")),
            ("Disallow: /x/\u{FFFC}", Some("Disallow: /x/")),
            ("Disallow: /x/\u{E0041}\u{E0042}\u{E007F}", Some("Disallow: /x/")),
            ("Disallow: /x/\u{1A}", Some("Disallow: /x/")),
            ("Disallow: /x\u{34F}y/", Some("Disallow: /xy/")),
            ("Disallow: /x\u{FFA0}y/", Some("Disallow: /xy/")),
            ("Disallow: /x\u{8}y/", Some("Disallow: /xy/")),
            ("User-agent: GPT\u{3164}Bot", Some("User-agent: GPTBot")),
            ("User-agent: CC\u{34F}Bot", Some("User-agent: CCBot")),
            ("\u{3164}Disallow: /x/", Some("Disallow: /x/")),
            ("\u{2800}Disallow: /x/", Some("Disallow: /x/")),
            ("Disallow\u{115F}: /x/", Some("Disallow: /x/")),
            // Emoji, and words that are written with them.
            ("Disallow: /\u{2764}\u{FE0F}/", None),
            ("Disallow: /1\u{FE0F}\u{20E3}/", None),
            ("Disallow: /\u{1F3F4}\u{E0067}\u{E007F}/", None),
            ("Disallow: /\u{1820}\u{180B}/", None),
            ("Disallow: /\u{AC00}\u{3164}\u{AC01}", None),
            ("Disallow: /\u{280B}\u{2800}\u{280B}", None),
        ] {
            assert_eq!(mended(text).map(|(_, _, text)| text).as_deref(), wanted, "{text:?}");
        }
    }
}
