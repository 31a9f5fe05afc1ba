//! What the parser noticed, as findings.

use std::collections::{HashMap, HashSet};
use std::net::Ipv4Addr;

use robotsc_compiler::{ByteSpan, Diagnostic, DiagnosticCode, RuleKind, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::keys::{
    DIRECTIVES, SYNONYMS, is_directive_name, is_switched_off, is_word_of_rules, meant, meant_record, offset, written,
};
use super::known_name::KnownName;
use super::path_lines::{is_for_crawlers, path_lines};
use super::records::is_meta_tag;
use super::unread::{self, Versions};
use super::{addresses, dead_pattern, escapes, groups, named_keys, patterns, preference_syntax, separators, signs};
use crate::text::part::replaced;

/// Reports whether a text starts with a directive.
fn is_directive(text: &[u8]) -> bool {
    let starts = |key: &&str| text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key.as_bytes()));
    DIRECTIVES.iter().any(starts)
}

/// Returns a finding about a URL that stands alone on a line: the scheme is read as its key.
fn bare_url(context: &Context<'_>, noticed: &Diagnostic) -> Option<(String, Option<Fix>)> {
    let scheme = noticed.span.of(context.body());
    let is_scheme = [&b"http"[..], b"https"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
    let text = context.lines.text(noticed.line);
    let at = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let line = text[at..].trim_ascii_end();
    if !is_scheme || !line.get(scheme.len()..)?.starts_with(b"://") {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    let is_sitemap = lower.windows(7).any(|window| window == b"sitemap") || lower.ends_with(b".xml");
    let start = context.lines.whole(noticed.line).start + at;
    let span = ByteSpan::new(start, start + line.len());
    let fix = is_sitemap.then(|| Fix::replace("write `Sitemap:` before it", span, [b"Sitemap: ", line].concat()));
    Some((format!("{} is no record: a URL alone on a line does nothing", quoted(line)), fix))
}

/// Returns a fix that writes the URL of a sitemap without what surrounds it, or with its scheme and both slashes.
fn mended_sitemap(noticed: &Diagnostic, text: &[u8]) -> Option<Fix> {
    let find = |part: &[u8]| text.windows(part.len()).position(|window| window.eq_ignore_ascii_case(part));
    let ends = |byte: &u8| matches!(byte, b'>' | b'"' | b'\'' | b')' | b']' | b'`' | b' ' | b'\t' | b'<');
    let url = |at: usize| {
        let rest = &text[at..];
        &rest[..rest.iter().position(ends).unwrap_or(rest.len())]
    };
    let with = match find(b"https://").or_else(|| find(b"http://")) {
        Some(at) => url(at).to_vec(),
        None => {
            // Of the colon and the slashes some are missing or others, and perhaps the scheme is.
            let begin = text.iter().position(|byte| !b"<\"'([`".contains(byte))?;
            let begins = |scheme: &&str| find(scheme.as_bytes()) == Some(begin);
            let scheme = ["https", "http"].into_iter().find(begins);
            let rest = &text[begin + scheme.map_or(0, str::len)..];
            let signs = rest.iter().position(|byte| !b":/\\; ".contains(byte))?;
            let rest = url(text.len() - rest.len() + signs);
            let host = rest.split(|byte| matches!(byte, b'/' | b'\\')).next().filter(|host| host.len() < rest.len())?;
            let is_host = std::str::from_utf8(host).is_ok_and(|host| is_host(host, scheme.is_some()));
            // One slash begins a path.
            let has_signs = if scheme.is_some() { signs > 0 } else { signs != 1 };
            (is_host && has_signs).then_some(())?;
            let path = replaced(rest, b"\\", b"/");
            [scheme.unwrap_or("https").as_bytes(), b"://", &path].concat()
        }
    };
    (with != text).then(|| Fix::replace("write the URL alone", noticed.span, with))
}

/// Reports whether the start of an address is a host. `v1.0` and `..` are folders, and four numbers can be a version.
fn is_host(text: &str, has_scheme: bool) -> bool {
    let host = text.split(':').next().unwrap_or(text);
    let last = host.rsplit('.').next().unwrap_or(host);
    let is_name = !host.starts_with('.') && last.len() > 1 && last.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_number = || has_scheme && host.parse::<Ipv4Addr>().is_ok();
    (is_name || is_number()) && dead_pattern::is_address(text) && !text.contains('@')
}

/// Returns the number of seconds of a delay with its unit, or with a comma in place of the point.
fn seconds(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let end = text.find(|char: char| !char.is_ascii_digit() && !".,".contains(char)).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let is_unit =
        ["", "s", "sec", "secs", "second", "seconds"].iter().any(|known| known.eq_ignore_ascii_case(unit.trim()));
    // `1,000` can be a thousand, and after `10,` something is missing.
    let is_plain = number.rsplit_once([',', '.']).is_none_or(|(_, rest)| !matches!(rest.len(), 0 | 3));
    let number = number.replace(',', ".");
    let is_number = number.starts_with(|char: char| char.is_ascii_digit()) && number.parse::<f64>().is_ok();
    (is_unit && is_plain && is_number).then_some(number)
}

/// Returns a fix that writes a line without a colon with one, or a name that is alone as that of an agent.
fn with_colon(context: &Context<'_>, noticed: &Diagnostic, known: &[KnownName]) -> Option<Fix> {
    let text = written(context, noticed.line);
    let start = context.lines.whole(noticed.line).start + offset(context.lines.text(noticed.line));
    let span = ByteSpan::new(start, start + text.len());
    if let Some(lines) = separators::mended(context, text) {
        return Some(Fix::replace("write the line with a colon", span, lines));
    }
    agent_alone(text, known).map(|line| Fix::replace("write `User-agent:` before it", span, line))
}

/// Returns the `User-agent` line of a known name that is alone on a line, perhaps with a colon after it.
fn agent_alone(text: &[u8], known: &[KnownName]) -> Option<Vec<u8>> {
    let name = text.strip_suffix(b":").unwrap_or(text).trim_ascii();
    let is_known = known.iter().any(|known| known.token.as_bytes().eq_ignore_ascii_case(name));
    is_known.then(|| [b"User-agent: ", name].concat())
}

/// Reports whether a line with this diagnostic is not read as the record that it can be meant to be.
const fn is_unread(code: DiagnosticCode) -> bool {
    matches!(
        code,
        DiagnosticCode::UnknownKey
            | DiagnosticCode::RefusedKey
            | DiagnosticCode::NoColon
            | DiagnosticCode::MissingColon
            | DiagnosticCode::EmptyKey
    )
}

/// Returns the first line that is perhaps meant to begin a group: one that no crawler reads, or not as it seems, or a
/// comment that names an agent. A rule after it is not meant for all agents.
fn first_odd_line(context: &Context<'_>, known: &[KnownName]) -> Option<u32> {
    let names_agent = |line: &u32| {
        let text = context.lines.text(*line);
        let Some(at) = text.iter().position(|byte| *byte == b'#') else { return false };
        let comment = text[at..].trim_ascii_start().trim_ascii();
        let comment = comment.iter().position(|byte| *byte != b'#').map_or(&b""[..], |at| comment[at..].trim_ascii());
        let key = comment.split(|byte| *byte == b':').next().unwrap_or(comment);
        key.len() < comment.len() && meant(key) == Some("User-agent") || agent_alone(comment, known).is_some()
    };
    let unread =
        context.robots.diagnostics().iter().filter(|noticed| is_unread(noticed.code)).map(|noticed| noticed.line);
    let first_group = context.robots.agents().first().map_or(context.lines.count() + 1, |agent| agent.line);
    let comments = (1..first_group).find(names_agent);
    unread.chain(context.explained.iter().copied()).chain(comments).min()
}

/// What the notices of a file share, by line, since a file can have thousands of each.
struct Shared<'k> {
    known: &'k [KnownName],
    /// The lines of which a finding says more than the parser.
    named: HashSet<u32>,
    reported_keys: HashSet<u32>,
    /// The lines whose key was taken for a directive.
    typos: HashSet<u32>,
    /// Whether it matters that the groups of one number are read as one.
    merge_matters: HashMap<usize, bool>,
    first_odd: Option<u32>,
    versions: Versions,
    /// The lines that are a path alone after a rule, with its kind.
    paths: HashMap<u32, RuleKind>,
    /// The last line that is a rule, within a group or not.
    last_rule: u32,
}

impl<'k> Shared<'k> {
    fn of(context: &Context<'_>, known: &'k [KnownName]) -> Self {
        let versions = Versions::of(context);
        let noticed = context.robots.diagnostics();
        let typos = noticed.iter().filter(|noticed| noticed.code == DiagnosticCode::TypoKey);
        let is_outside = |noticed: &&Diagnostic| noticed.code == DiagnosticCode::RuleOutsideGroup;
        let outside = noticed.iter().rev().find(is_outside).map(|noticed| noticed.line);
        Self {
            known,
            named: lines(context, |check| check.code().starts_with("agent-")),
            reported_keys: lines(context, |check| matches!(check, LintCheck::NoindexRecord | LintCheck::RetiredRecord)),
            typos: typos.map(|noticed| noticed.line).collect(),
            merge_matters: HashMap::new(),
            first_odd: first_odd_line(context, known),
            paths: path_lines(context, versions).into_iter().map(|alone| (alone.line, alone.kind)).collect(),
            versions,
            last_rule: context.robots.rules().last().map(|rule| rule.line).max(outside).unwrap_or(0),
        }
    }

    /// Reports whether another finding says more of the same line.
    fn is_said(&mut self, noticed: &Diagnostic) -> bool {
        match noticed.code {
            DiagnosticCode::AgentNotToken | DiagnosticCode::AgentNamesNobody => !self.named.insert(noticed.line),
            DiagnosticCode::UnusedKey | DiagnosticCode::UnknownKey => self.reported_keys.contains(&noticed.line),
            _ => false,
        }
    }
}

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>, known: &[KnownName]) {
    let mut shared = Shared::of(context, known);
    for noticed in context.robots.diagnostics() {
        let check = LintCheck::of_diagnostic(noticed.code);
        let Some(check) = check.and_then(|check| context.check(check)) else { continue };
        if context.explained.contains(&noticed.line) {
            continue;
        }
        let mut message = noticed.message(context.body());
        if noticed.span.of(context.body()).is_empty() {
            message = message.replace("``", "an empty value");
        }
        let mut finding = Finding::new(check, noticed.line, noticed.span, message);
        mend(context, &shared, noticed, &mut finding);
        if explain_line(context, &shared, noticed, &mut finding) {
            // Of a line that is no record one finding is enough.
            context.explained.insert(noticed.line);
        } else {
            weigh(context, &mut shared, noticed, &mut finding);
        }
        if !shared.is_said(noticed) {
            context.found.push(finding);
        }
    }
}

/// Adds the fix that a notice has by its code, and what the fix needs in the message.
fn mend(context: &Context<'_>, shared: &Shared<'_>, noticed: &Diagnostic, finding: &mut Finding) {
    let text = noticed.span.of(context.body());
    finding.fix = match noticed.code {
        DiagnosticCode::DeadPattern => {
            if let Some(message) = std::str::from_utf8(text).ok().and_then(|_| dead_pattern::message(text)) {
                finding.message = message;
            }
            let name = std::str::from_utf8(text).ok().and_then(|text| crawler(text, shared.known));
            if let Some(name) = name {
                finding.message = format!("`{name}` is a crawler, and no path: write a `User-agent` line for it");
            }
            if let Some((char, path)) = escapes::after_unseen(text) {
                let code = format!("U+{:04X}", u32::from(char));
                finding.message = format!(
                    "{} starts with the escape of {code}, which cannot be seen: it matches nothing",
                    quoted(text)
                );
                Some(Fix::replace("remove the escape", noticed.span, path))
            } else if name.is_some() {
                None
            } else {
                dead_pattern(context, noticed)
            }
        }
        DiagnosticCode::TypoKey | DiagnosticCode::PrefixKey | DiagnosticCode::RefusedKey => {
            // More than a misspelt directive, such as `Disallow-AI`, is perhaps not meant as one.
            let is_typo = noticed.code == DiagnosticCode::TypoKey;
            let read = || read_as(context, noticed.line).filter(|_| is_typo);
            let key = meant(text).filter(|_| !is_switched_off(text)).or_else(read);
            key.map(|key| Fix::replace(format!("write `{key}`"), noticed.span, key))
        }
        DiagnosticCode::MissingColon | DiagnosticCode::NoColon => with_colon(context, noticed, shared.known),
        DiagnosticCode::EmptyKey => without_colon(context, noticed),
        DiagnosticCode::UrlPattern => {
            if let Some(message) = addresses::of_other_host(context, text) {
                finding.message = message;
            }
            addresses::fix(context, noticed.span)
        }
        DiagnosticCode::InvalidSitemap => mended_sitemap(noticed, text),
        DiagnosticCode::InvalidCrawlDelay => {
            seconds(text).map(|number| Fix::replace("write the number alone", noticed.span, number))
        }
        DiagnosticCode::GroupMerge => groups::end_group_before(context, noticed.line),
        // A line before it was meant to begin the group.
        DiagnosticCode::RuleOutsideGroup if shared.first_odd.is_some_and(|line| line < noticed.line) => None,
        DiagnosticCode::RuleOutsideGroup => Some(groups::insert_star(context, noticed.line)),
        _ => None,
    };
    // This dialect reads the line so already. A longer key, such as `User-agent-off`, is perhaps not meant so.
    let is_meant_so = match noticed.code {
        DiagnosticCode::TypoKey | DiagnosticCode::MissingColon => true,
        DiagnosticCode::PrefixKey => is_form_of_directive(text),
        _ => false,
    };
    if is_meant_so {
        finding.fix = finding.fix.take().map(Fix::safe_for_dialect);
    }
}

/// Reports whether a key is a form of the word of a directive: `Sitemaps`, `Allowed`.
fn is_form_of_directive(key: &[u8]) -> bool {
    let key = String::from_utf8_lossy(key).to_ascii_lowercase().replace('-', "");
    ["s", "ed"].iter().any(|ending| key.strip_suffix(ending).is_some_and(is_directive_name))
}

/// Returns the known crawler that a text names.
fn crawler<'k>(text: &str, known: &'k [KnownName]) -> Option<&'k str> {
    known.iter().map(|known| known.token.as_str()).find(|token| token.eq_ignore_ascii_case(text))
}

/// Returns a fix of a pattern that begins with neither `/` nor `*`.
fn dead_pattern(context: &Context<'_>, noticed: &Diagnostic) -> Option<Fix> {
    let text = noticed.span.of(context.body());
    // A `/` before what is no UTF-8 leaves it dead.
    std::str::from_utf8(text).ok()?;
    // A key of several words is a sentence.
    let line = written(context, noticed.line);
    let key = line.split(|byte| *byte == b':').next().unwrap_or(line).trim_ascii();
    if key.contains(&b' ') || !addresses::is_own(context, text) {
        return None;
    }
    // Of two colons the second was the value's.
    let is_tight = text.first() == Some(&b':');
    let blank: &[u8] =
        if is_tight && context.body()[..noticed.span.start as usize].ends_with(b":") { b" " } else { b"" };
    let kind = context.rule_of_line(noticed.line).map_or(RuleKind::Disallow, |rule| rule.kind);
    let (title, pattern) = dead_pattern::mended(text)?;
    if !patterns::are_mendable(context, kind, &pattern) {
        return None;
    }
    let later = pattern.strip_prefix(b"/*?").filter(|_| title == dead_pattern::PARAMETER);
    let pattern = match later.map(|parameter| [b"/*&", parameter].concat()) {
        Some(later) => signs::lines(context, kind, &[&pattern, &later]),
        None => pattern,
    };
    Some(Fix::replace(title, noticed.span, [blank, &pattern].concat()))
}

/// Says what a line seems to be that no crawler reads as a record, or not as this one. Returns whether it is none at
/// all.
fn explain_line(context: &Context<'_>, shared: &Shared<'_>, noticed: &Diagnostic, finding: &mut Finding) -> bool {
    let has_colon = noticed.code != DiagnosticCode::NoColon;
    let has_key = !matches!(noticed.code, DiagnosticCode::NoColon | DiagnosticCode::MissingColon);
    if let Some(kind) = shared.paths.get(&noticed.line).filter(|_| !has_key) {
        (finding.message, finding.fix) = path_alone(context, noticed.line, *kind);
        return true;
    }
    if is_unread(noticed.code)
        && let Some(unread) = unread::of_line(context, shared.versions, noticed.line, has_colon)
    {
        (finding.severity, finding.message, finding.fix) = (unread.severity, unread.message, unread.fix);
        return true;
    }
    if noticed.code == DiagnosticCode::UnknownKey
        && let Some((message, fix)) = unknown_key(context, shared, noticed)
    {
        (finding.severity, finding.message, finding.fix) = (Severity::Warning, message, fix);
    }
    false
}

/// Returns the message for a path alone on a line after a rule, with a fix if that is a Disallow. What an `Allow` opens
/// is not widened, and nothing closes the whole site.
fn path_alone(context: &Context<'_>, line: u32, kind: RuleKind) -> (String, Option<Fix>) {
    let text = written(context, line);
    let path = text.strip_prefix(b"- ").map_or(text, <[u8]>::trim_ascii_start);
    if is_for_crawlers(path) {
        return (format!("{} is a path alone, and no record", quoted(path)), None);
    }
    let message = format!("{} is a path alone, and no record: a line has its own `{}:`", quoted(path), kind.as_str());
    let is_known = kind == RuleKind::Disallow && !path.iter().all(|byte| b"/*$".contains(byte));
    let start = context.lines.whole(line).start + offset(context.lines.text(line));
    let span = ByteSpan::new(start, start + text.len());
    let with = [b"Disallow: ", path].concat();
    (message, is_known.then(|| Fix::replace("write `Disallow:` before it", span, with)))
}

/// Returns what a line with an unknown key was probably meant to be, with a fix if that is sure.
fn unknown_key(context: &Context<'_>, shared: &Shared<'_>, noticed: &Diagnostic) -> Option<(String, Option<Fix>)> {
    let text = noticed.span.of(context.body());
    let shown = quoted(text);
    let line = written(context, noticed.line);
    if agent_alone(line, shared.known).is_some() {
        let message = format!("{shown} is the name of a crawler, and no directive: write `User-agent`");
        return Some((message, with_colon(context, noticed, shared.known)));
    }
    if let Some(of_name) = named_keys::rule_of_name(context, noticed, shared.known) {
        return Some(of_name);
    }
    if let Some(url) = bare_url(context, noticed) {
        return Some(url);
    }
    if let Some(directive) = meant(text).filter(|directive| is_value_of(context, noticed, directive)) {
        let message = format!("{shown} is no directive, so that the line does nothing: write `{directive}`");
        // A group without rules would let its crawler in.
        let fix = (directive != "User-agent" || noticed.line < shared.last_rule)
            .then(|| Fix::replace(format!("write `{directive}`"), noticed.span, directive));
        return Some((message, fix));
    }
    if let Some(key) = meant_record(text) {
        let message = format!("{shown} is no known key, so that the line says nothing: write `{key}`");
        return Some((message, Some(Fix::replace(format!("write `{key}`"), noticed.span, key))));
    }
    if let Some(record) = preference_syntax::record_of(line) {
        let message = format!("{shown} is no key, so that the line says nothing: write {}", quoted(&record));
        let start = noticed.span.start as usize;
        let span = ByteSpan::new(start, start + line.len());
        return Some((message, Some(Fix::replace("write the record", span, record))));
    }
    is_like_a_rule(context, noticed).then(|| {
        let message =
            format!("{shown} is no directive, so that the line does nothing: `Disallow` closes, and `Allow` opens");
        (message, None)
    })
}

/// Makes a notice as severe as the harm is.
fn weigh(context: &Context<'_>, shared: &mut Shared<'_>, noticed: &Diagnostic, finding: &mut Finding) {
    let text = noticed.span.of(context.body());
    match noticed.code {
        DiagnosticCode::AgentNamesNobody if text.first().is_some_and(u8::is_ascii_digit) => {
            finding.severity = Severity::Info;
            finding.message =
                format!("{}: Google sees no name in it, other crawlers compare it as it is", quoted(text));
        }
        // What it asks for is closed by a header or a meta tag alone.
        DiagnosticCode::UnusedKey
            if [&b"nofollow"[..], b"noarchive", b"nosnippet"].iter().any(|key| key.eq_ignore_ascii_case(text)) =>
        {
            finding.severity = Severity::Warning;
        }
        // Two agents in one group are a matter of taste, unless rules reach an agent that they were not meant for.
        DiagnosticCode::GroupMerge => {
            let group = groups::group_of(context, noticed.line);
            let mut matters =
                |group| *shared.merge_matters.entry(group).or_insert_with(|| groups::merge_matters(context, group));
            if group.is_some_and(|group| !matters(group)) {
                finding.severity = Severity::Info;
            }
        }
        // Text without a colon is a record only if its first word is a directive, or was taken for one.
        DiagnosticCode::MissingColon if !is_directive(text) && !shared.typos.contains(&noticed.line) => {
            finding.message = format!("the line of {} is no record: it has no colon", quoted(text));
        }
        _ => {}
    }
}

/// Returns the directive that the parser takes a line for.
fn read_as(context: &Context<'_>, line: u32) -> Option<&'static str> {
    if let Some(rule) = context.rule_of_line(line) {
        return Some(rule.kind.as_str());
    }
    let agents = context.robots.agents();
    agents.binary_search_by_key(&line, |agent| agent.line).is_ok().then_some("User-agent")
}

/// Reports whether the line of an unknown key stands in a group and has a path, as a rule does: its key is a word of
/// another language, or a guess.
fn is_like_a_rule(context: &Context<'_>, noticed: &Diagnostic) -> bool {
    let key = String::from_utf8_lossy(noticed.span.of(context.body()));
    let text = written(context, noticed.line);
    let value = text.split(|byte| *byte == b':').nth(1).unwrap_or_default().trim_ascii();
    let is_word = key.chars().all(|char| char.is_alphabetic() || matches!(char, ' ' | '-' | '_'));
    is_word
        && is_word_of_rules(&key)
        && !is_switched_off(key.as_bytes())
        && value.len() > 1
        && value.first() == Some(&b'/')
        && !value.starts_with(b"//")
        && !value.iter().any(u8::is_ascii_whitespace)
        && context.robots.agents().first().is_some_and(|agent| agent.line < noticed.line)
}

/// Reports whether the value of an unknown key is such as a directive has.
fn is_value_of(context: &Context<'_>, noticed: &Diagnostic, directive: &str) -> bool {
    let text = context.lines.text(noticed.line);
    let value = text.split(|byte| *byte == b':').nth(1).unwrap_or_default().trim_ascii();
    let is_synonym = |(word, _): &(&str, &str)| noticed.span.of(context.body()).eq_ignore_ascii_case(word.as_bytes());
    match directive {
        "Sitemap" => value.starts_with(b"/") || text.windows(3).any(|part| part == b"://"),
        "User-agent" if is_meta_tag(noticed.span.of(context.body()), value) => false,
        // A word that a text can have, too.
        "User-agent" if SYNONYMS.iter().any(is_synonym) => {
            value == b"*"
                || !value.is_empty() && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
        }
        "Crawl-delay" if SYNONYMS.iter().any(is_synonym) => {
            !value.is_empty() && value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
        }
        "Allow" | "Disallow" if SYNONYMS.iter().any(is_synonym) => matches!(value.first(), Some(b'/' | b'*')),
        _ => true,
    }
}

/// Returns a fix that removes colons before a directive.
fn without_colon(context: &Context<'_>, noticed: &Diagnostic) -> Option<Fix> {
    let text = written(context, noticed.line);
    let record = text.trim_ascii_start();
    let signs = record.iter().position(|byte| !matches!(byte, b':' | b' ' | b'\t'))?;
    let record = &record[signs..];
    let key = record.split(|byte| *byte == b':').next().unwrap_or(record);
    if key.len() == record.len() || !is_directive_name(&String::from_utf8_lossy(key).replace('-', "")) {
        return None;
    }
    let start = context.lines.whole(noticed.line).start + offset(context.lines.text(noticed.line));
    Some(Fix::replace("remove the first colon", ByteSpan::new(start, start + text.len()), record))
}

/// Returns the lines of the findings so far with codes that are wanted.
fn lines(context: &Context<'_>, is_wanted: fn(LintCheck) -> bool) -> HashSet<u32> {
    context.found.iter().filter(|finding| is_wanted(finding.check)).map(|finding| finding.line).collect()
}
