//! What the parser noticed, as findings.

use std::collections::{HashMap, HashSet};

use robotsc_compiler::near_name::is_near;
use robotsc_compiler::{ByteSpan, Diagnostic, DiagnosticCode, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::groups;

pub(super) const DIRECTIVES: [&str; 5] = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"];

/// What begins a comment in other languages, and not here.
const COMMENT_MARKS: [&str; 7] = ["//", "/*", "<!--", "--", ";", "%", "rem "];

/// Reports whether a text starts with a directive.
fn is_directive(text: &[u8]) -> bool {
    let starts = |key: &&str| text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key.as_bytes()));
    DIRECTIVES.iter().any(starts)
}

/// Returns the mark of another language's comment that a text starts with.
fn comment_mark(text: &[u8]) -> Option<&'static str> {
    let starts = |mark: &&str| text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()));
    COMMENT_MARKS.into_iter().find(starts)
}

/// Returns the directive that a key was meant to be: equal but for one letter, or for what stands around it, such as
/// the sign of a list, a quote, or a blank that cannot be seen.
fn meant(key: &[u8]) -> Option<&'static str> {
    let key = String::from_utf8_lossy(key);
    // A tag of HTML.
    let key = key.rsplit('>').next().unwrap_or_default();
    let key = key.trim_matches(|char: char| !char.is_ascii_alphabetic());
    let key = key.replace([' ', '_'], "-");
    let is_meant = |known: &&str| {
        known.eq_ignore_ascii_case(&key) || is_near(known, &key) || known.replace('-', "").eq_ignore_ascii_case(&key)
    };
    let synonym = || SYNONYMS.iter().find(|(word, _)| word.eq_ignore_ascii_case(&key)).map(|(_, meant)| *meant);
    DIRECTIVES.into_iter().find(is_meant).or_else(synonym)
}

/// What people write for a directive, from other files or by guessing.
const SYNONYMS: [(&str, &str); 19] = [
    ("deny", "Disallow"),
    ("block", "Disallow"),
    ("exclude", "Disallow"),
    ("forbid", "Disallow"),
    ("reject", "Disallow"),
    ("prohibit", "Disallow"),
    ("not-allow", "Disallow"),
    ("no-allow", "Disallow"),
    ("dont-allow", "Disallow"),
    ("permit", "Allow"),
    ("alow", "Allow"),
    ("allw", "Allow"),
    ("alllow", "Allow"),
    ("agent", "User-agent"),
    ("agents", "User-agent"),
    ("bot", "User-agent"),
    ("robot", "User-agent"),
    ("crawler", "User-agent"),
    ("user", "User-agent"),
];

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

/// Returns a fix that writes the URL of a sitemap without what surrounds it, or with both slashes of its scheme.
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
            let (at, scheme) =
                [&b"https:/"[..], b"http:/"].iter().find_map(|scheme| find(scheme).map(|at| (at, scheme.len())))?;
            let rest = url(at);
            [&rest[..scheme], b"/", &rest[scheme..]].concat()
        }
    };
    (with != text).then(|| Fix::replace("write the URL alone", noticed.span, with))
}

/// Returns a fix that writes a line without a colon with one, if its first word is a directive or nearly one, and the
/// rest one value.
fn with_colon(context: &Context<'_>, noticed: &Diagnostic) -> Option<Fix> {
    let text = context.lines.text(noticed.line);
    let text = text.split(|byte| *byte == b'#').next()?.trim_ascii();
    let start = context.lines.whole(noticed.line).start
        + context.lines.text(noticed.line).iter().position(|byte| !byte.is_ascii_whitespace())?;
    let words: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let (key, value) = match words.as_slice() {
        [user, agent, value] if meant(&[*user, b"-", *agent].concat()) == Some("User-agent") => ("User-agent", *value),
        [key, value] => (meant(key)?, *value),
        _ => return None,
    };
    // A sentence can begin with such a word.
    let is_value = match key {
        "User-agent" => value == b"*" || value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte)),
        "Sitemap" => value.starts_with(b"http"),
        "Crawl-delay" => value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'),
        _ => matches!(value.first(), Some(b'/' | b'*')),
    };
    let line = [key.as_bytes(), b": ", value].concat();
    let span = ByteSpan::new(start, start + text.len());
    is_value.then(|| Fix::replace("write the line with a colon", span, line))
}

/// Returns the pattern that a dead one was probably meant to be: without quotes, and with a `/` or `*` before it.
fn mended_pattern(text: &[u8]) -> (&'static str, Vec<u8>) {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b')');
    let start = text.iter().position(|byte| !is_quote(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_quote(byte)).map_or(start, |at| at + 1);
    let inner = &text[start..end];
    match inner {
        [b'/' | b'*', ..] => ("remove the quotes", inner.to_vec()),
        [b'.', b'/', ..] => ("write the path from the root", inner[1..].to_vec()),
        [b'.', b'.', b'/', ..] => ("write the path from the root", inner[2..].to_vec()),
        [b'\\', ..] => ("write slashes", inner.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect()),
        [b'^', b'/', ..] => ("remove the `^`", inner[1..].to_vec()),
        [b'?' | b'.' | b'&' | b'=', ..] => ("put `/*` before it", [b"/*", inner].concat()),
        _ => ("put a `/` before it", [b"/", inner].concat()),
    }
}

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    // By line, since a file can have thousands of each.
    let mut named: HashSet<u32> = lines(context, |check| check.code().starts_with("agent-"));
    let reported_keys = lines(context, |check| matches!(check, LintCheck::NoindexRecord | LintCheck::RetiredRecord));
    let typos = context.robots.diagnostics().iter().filter(|noticed| noticed.code == DiagnosticCode::TypoKey);
    let typos: HashSet<u32> = typos.map(|noticed| noticed.line).collect();
    let mut merge_matters: HashMap<usize, bool> = HashMap::new();
    let is_agent = |noticed: &&Diagnostic| {
        matches!(noticed.code, DiagnosticCode::UnknownKey | DiagnosticCode::RefusedKey)
            && meant(noticed.span.of(context.body())) == Some("User-agent")
    };
    let agent_line = context.robots.diagnostics().iter().find(is_agent).map(|noticed| noticed.line);
    for noticed in context.robots.diagnostics() {
        let check = LintCheck::of_diagnostic(noticed.code);
        let Some(check) = check.and_then(|check| context.check(check)) else { continue };
        if context.explained.contains(&noticed.line) {
            continue;
        }
        let text = noticed.span.of(context.body());
        let mut finding = Finding::new(check, noticed.line, noticed.span, noticed.message(context.body()));
        finding.fix = match noticed.code {
            // A `/` before what is no UTF-8 leaves it dead.
            DiagnosticCode::DeadPattern if std::str::from_utf8(text).is_err() => None,
            DiagnosticCode::DeadPattern => {
                let (title, pattern) = mended_pattern(text);
                Some(Fix::replace(title, noticed.span, pattern))
            }
            DiagnosticCode::TypoKey | DiagnosticCode::PrefixKey | DiagnosticCode::RefusedKey => {
                meant(text).map(|key| Fix::replace(format!("write `{key}`"), noticed.span, key))
            }
            DiagnosticCode::MissingColon | DiagnosticCode::NoColon => with_colon(context, noticed),
            DiagnosticCode::UrlPattern => {
                let path =
                    context.robots.dialect().split_url(text).ok().map(|parts| parts.path.into_cow().into_owned());
                path.map(|path| Fix::replace("write the path alone", noticed.span, path))
            }
            DiagnosticCode::InvalidSitemap => mended_sitemap(noticed, text),
            DiagnosticCode::GroupMerge => groups::end_group_before(context, noticed.line),
            // A line before it was meant to begin the group.
            DiagnosticCode::RuleOutsideGroup if agent_line.is_some_and(|line| line < noticed.line) => None,
            DiagnosticCode::RuleOutsideGroup => Some(groups::insert_star(context, noticed.line)),
            _ => None,
        };
        if noticed.code == DiagnosticCode::AgentNamesNobody && text.first().is_some_and(u8::is_ascii_digit) {
            finding.severity = Severity::Info;
            finding.message =
                format!("{}: Google sees no name in it, other crawlers compare it as it is", quoted(text));
        }
        // This dialect reads the line so already.
        if matches!(noticed.code, DiagnosticCode::TypoKey | DiagnosticCode::MissingColon) {
            finding.fix = finding.fix.map(Fix::safe_for_dialect);
        }
        let written = context.lines.text(noticed.line).trim_ascii();
        let is_unread = matches!(
            noticed.code,
            DiagnosticCode::UnknownKey
                | DiagnosticCode::RefusedKey
                | DiagnosticCode::NoColon
                | DiagnosticCode::MissingColon
                | DiagnosticCode::EmptyKey
        );
        if is_unread && let Some(mark) = comment_mark(written).filter(|_| !is_read(context, noticed.line)) {
            finding.severity = Severity::Warning;
            finding.message =
                format!("{} is no comment: a comment begins with `#`, not `{}`", quoted(written), mark.trim());
            let fix = as_comment(context, noticed.line, mark);
            // Without a colon it is no record that some program could read.
            let is_record = noticed.code != DiagnosticCode::NoColon;
            finding.fix = Some(if is_record { fix } else { fix.safe() });
        } else if noticed.code == DiagnosticCode::UnknownKey
            && let Some((message, fix)) = bare_url(context, noticed)
        {
            (finding.severity, finding.message, finding.fix) = (Severity::Warning, message, fix);
        } else if noticed.code == DiagnosticCode::UnknownKey
            && let Some(directive) = meant(text).filter(|directive| is_value_of(context, noticed, directive))
        {
            finding.severity = Severity::Warning;
            finding.message =
                format!("{} is no directive, so that the line does nothing: write `{directive}`", quoted(text));
            finding.fix = Some(Fix::replace(format!("write `{directive}`"), noticed.span, directive));
        }
        // What it asks for is closed by a header or a meta tag alone.
        if noticed.code == DiagnosticCode::UnusedKey
            && [&b"nofollow"[..], b"noarchive", b"nosnippet"].iter().any(|key| key.eq_ignore_ascii_case(text))
        {
            finding.severity = Severity::Warning;
        }
        // Two agents in one group are a matter of taste, unless rules reach an agent that they were not meant for.
        if noticed.code == DiagnosticCode::GroupMerge
            && let Some(group) = groups::group_of(context, noticed.line)
            && !*merge_matters.entry(group).or_insert_with(|| groups::merge_matters(context, group))
        {
            finding.severity = Severity::Info;
        }
        // Text without a colon is a record only if its first word is a directive, or was taken for one.
        let is_typo = typos.contains(&noticed.line);
        if noticed.code == DiagnosticCode::MissingColon && !is_directive(text) && !is_typo {
            finding.message = format!("the line of {} is no record: it has no colon", quoted(text));
        }
        // A second finding says more of the same line.
        let is_reported = match noticed.code {
            DiagnosticCode::AgentNotToken | DiagnosticCode::AgentNamesNobody => !named.insert(noticed.line),
            DiagnosticCode::UnusedKey => reported_keys.contains(&noticed.line),
            _ => false,
        };
        if !is_reported {
            context.found.push(finding);
        }
    }
}

/// Reports whether the value of an unknown key is such as a directive has.
fn is_value_of(context: &Context<'_>, noticed: &Diagnostic, directive: &str) -> bool {
    let text = context.lines.text(noticed.line);
    let value = text.split(|byte| *byte == b':').nth(1).unwrap_or_default().trim_ascii();
    let is_synonym = |(word, _): &(&str, &str)| noticed.span.of(context.body()).eq_ignore_ascii_case(word.as_bytes());
    match directive {
        // A word that a text can have, too.
        "User-agent" if SYNONYMS.iter().any(is_synonym) => {
            value == b"*"
                || !value.is_empty() && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
        }
        "Allow" | "Disallow" if SYNONYMS.iter().any(is_synonym) => matches!(value.first(), Some(b'/' | b'*')),
        _ => true,
    }
}

/// Reports whether a line is read as an agent or a rule.
fn is_read(context: &Context<'_>, line: u32) -> bool {
    let agents = context.robots.agents();
    context.rule_of_line(line).is_some() || agents.binary_search_by_key(&line, |agent| agent.line).is_ok()
}

/// Returns a fix that makes a line the comment that it was meant to be. Nothing reads the line before or after.
fn as_comment(context: &Context<'_>, line: u32, mark: &str) -> Fix {
    let text = context.lines.text(line);
    let at = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let rest = text[at..].trim_ascii();
    let rest = rest.get(mark.len()..).unwrap_or_default();
    let rest = ["-->", "*/"].iter().find_map(|end| rest.strip_suffix(end.as_bytes())).unwrap_or(rest).trim_ascii();
    let start = context.lines.whole(line).start;
    let span = ByteSpan::new(start + at, start + text.trim_ascii_end().len());
    Fix::replace("begin the comment with `#`", span, [b"# ", rest].concat())
}

/// Returns the lines of the findings so far with codes that are wanted.
fn lines(context: &Context<'_>, is_wanted: fn(LintCheck) -> bool) -> HashSet<u32> {
    context.found.iter().filter(|finding| is_wanted(finding.check)).map(|finding| finding.line).collect()
}
