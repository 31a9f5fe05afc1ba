//! An explanation for a person.

use std::fmt::Write as _;
use std::io;

use robotsc::Dialect;
use robotsc::agent::{CrawlerKind, SelectionReason};
use robotsc::robots_txt::RuleKind;
use robotsc::rules::{Rule, RuleOrigin};
use robotsc_analysis::words::counted;
use robotsc_answers::explain::near::{self, LineEdit};
use robotsc_answers::explain::not_obeyed::NotObeyed;
use robotsc_answers::explain::{ExplanationReport, Other, Said};
use robotsc_answers::shown;

use crate::io::report::{Place, Report, Tone};

/// The most rules, groups and diagnostics that are listed; the rest is counted.
const MAX_LISTED: usize = 10;
/// The most characters of a pattern or a path that are shown.
const MAX_SHOWN: usize = 160;

pub(super) fn write(
    out: &mut dyn io::Write,
    file: &str,
    told: &ExplanationReport<'_>,
    others: &[Other],
    note: Option<&str>,
) -> io::Result<()> {
    let mut notes = vec![("agent", agent(told)), ("group", group(told)), ("path", path(told))];
    if let Some(note) = note {
        notes.insert(1, ("known crawler", note.to_owned()));
    }
    if let Some(note) = rule_note(told) {
        notes.push(("rule", note));
    }
    let runners_up = told.matching.get(usize::from(told.decides)..).unwrap_or_default();
    if !runners_up.is_empty() {
        notes.push(("also matching", listed(runners_up.iter(), |rule| describe(told, rule))));
    }
    nearby(told, &mut notes);
    if !told.library.names_beyond_rfc9309.is_empty() {
        let names = told.library.names_beyond_rfc9309.join(", ");
        notes.push((
            "name",
            format!(
                "{} is no product token of RFC 9309 (letters, `-`, `_`); it is compared with the values of the file as \
                 written, up to a `/` or a blank",
                shown::cut(names.as_bytes(), MAX_SHOWN)
            ),
        ));
    }
    if told.library.order_undefined {
        let name = told.robots.dialect().name;
        let least = told
            .library
            .least_restrictive_line
            .map(|line| format!("; the least restrictive rule, line {line}, would answer allowed"));
        notes.push((
            "undefined",
            format!(
                "the specification of {name} leaves the order of an Allow and a Disallow with wildcards \
                 undefined; the length decides here{}",
                least.unwrap_or_default()
            ),
        ));
    }
    if !told.diagnostics.is_empty() {
        let body = told.robots.body();
        notes.push((
            "noticed",
            listed(told.diagnostics.iter(), |noticed| {
                format!("line {}: {} ({})", noticed.line, shown::line(&noticed.message(body)), noticed.code)
            }),
        ));
    }
    let differing: Vec<String> = others.iter().filter_map(|other| differs(told, other)).collect();
    if differing.is_empty() {
        notes.push(("other dialects", "all say the same".to_owned()));
    } else {
        notes.push(("other dialects", differing.join("\n")));
    }
    let allowed = told.verdict.is_allow();
    let report = Report {
        tone: if allowed { Tone::Good } else { Tone::Error },
        name: if allowed { "allowed" } else { "disallowed" },
        code: None,
        title: shown::cut(told.url, MAX_SHOWN),
        place: place(file, told),
        notes,
    };
    writeln!(out, "{}", report.render())
}

/// What is near another verdict.
fn nearby(told: &ExplanationReport<'_>, notes: &mut Vec<(&'static str, String)>) {
    let near = &told.near;
    let clauses = near.misses.found.iter().map(|miss| near::clauses(miss, told.rules));
    let mut lines: Vec<String> = clauses.map(|[why, what]| format!("{why}:\n  {what}")).collect();
    if !near.misses.is_complete {
        let others = if lines.is_empty() { "" } else { "perhaps others: " };
        lines.push(format!("{others}not all rules were compared"));
    }
    if !lines.is_empty() {
        notes.push(("nearly matching", lines.join("\n")));
    }
    if !near.not_obeyed.is_empty() {
        notes.push(("not obeyed", near.not_obeyed.iter().map(NotObeyed::sentence).collect::<Vec<_>>().join("\n")));
    }
    if !near.openings.is_empty() {
        notes.push(("to open it", near.openings.iter().map(LineEdit::sentence).collect::<Vec<_>>().join("\n")));
    }
    if let (Some(address), Some((other, line))) = (&near.robots_url, &near.other_site) {
        notes.push((
            "address",
            format!("{address} counts for this URL; the file names {} in line {line}", shown::line(other)),
        ));
    }
}

/// The winning rule in its line.
fn place<'a>(file: &'a str, told: &'a ExplanationReport<'_>) -> Option<Place<'a>> {
    let rule = *told.matching.first().filter(|rule| told.decides && rule.line > 0)?;
    let length = counted(rule.length, "byte");
    let label = match rule.origin {
        RuleOrigin::IndexHtm => format!("{}: {length}, for the directory that the index page stands in", told.verdict),
        _ if told.matching.get(1).is_some_and(|next| next.length == rule.length && next.verdict != rule.verdict) => {
            format!("{}: {length}, and of two rules as long the Allow decides", told.verdict)
        }
        _ if told.matching.len() > 1 => format!("{}: {length}, the longest rule that matches", told.verdict),
        _ => format!("{}: {length}, the only rule that matches", told.verdict),
    };
    Some(Place { file, body: told.robots.body(), line: rule.line, span: rule.source, label })
}

/// Who asks, and under which dialect.
fn agent(told: &ExplanationReport<'_>) -> String {
    let name = match told.crawler.kind() {
        CrawlerKind::Others => "no name of the file is in the header".to_owned(),
        _ => shown::cut(told.crawler.to_string().as_bytes(), MAX_SHOWN),
    };
    format!("{name}, dialect {}", told.robots.dialect().name)
}

/// The groups chosen, and why.
fn group(told: &ExplanationReport<'_>) -> String {
    let mut text = match told.reason {
        SelectionReason::NoGroup => {
            return "none names the agent and none is for all: everything is allowed".to_owned();
        }
        SelectionReason::StarIgnored => {
            return "none names the agent, which obeys only groups that name it: everything is allowed".to_owned();
        }
        SelectionReason::Star => "none names the agent, so those for all (`*`) count: ".to_owned(),
        SelectionReason::Named(tokens) => {
            let named: Vec<_> = tokens.iter().map(|token| format!("`{}`", shown::cut(token, MAX_SHOWN))).collect();
            let step = match (told.chain_step, told.crawler) {
                (Some(step), crawler) if crawler.names().len() > 1 => {
                    format!(" (step {} of {} of the chain)", step + 1, crawler.names().len())
                }
                _ => String::new(),
            };
            format!("{}{step}: ", named.join(", "))
        }
    };
    if told.groups.len() > 1 {
        let _ = write!(text, "{} groups, merged: ", told.groups.len());
    }
    let spans = told.library.groups.iter().take(MAX_LISTED).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    text.push_str(&spans);
    if told.groups.len() > MAX_LISTED {
        let _ = write!(text, " and {} more", told.groups.len() - MAX_LISTED);
    }
    text
}

/// The path as it was matched, and as it stands in the URL if that differs.
fn path(told: &ExplanationReport<'_>) -> String {
    let matched = shown::cut(told.path, MAX_SHOWN);
    let given = Dialect::GOOGLE.raw_url_path(told.url).into_cow();
    // A backslash begins the path, too, which the path as it stands does not show.
    let is_hidden = *given == *b"/" && told.url.contains(&b'\\');
    let path = if *given == *told.path || is_hidden {
        matched
    } else {
        format!("{matched} from {}", shown::cut(&given, MAX_SHOWN))
    };
    match told.url.iter().position(|byte| *byte == b'#') {
        Some(at) => format!("{path}; clients never send what `#` begins: {}", shown::cut(&told.url[at..], MAX_SHOWN)),
        None => path,
    }
}

/// What decides, where no line of the file does.
fn rule_note(told: &ExplanationReport<'_>) -> Option<String> {
    match told.matching.first() {
        Some(rule) if told.decides && rule.line == 0 => Some(describe(told, rule)),
        Some(rule) if told.decides && rule.origin == RuleOrigin::EmptyInverse => {
            Some(format!("the value is empty, which means `{}`", inverse(rule.kind)))
        }
        Some(rule) if told.decides => match told.cut_by_hash() {
            Some(whole) => Some(format!("`{}` is cut: `#` begins a comment", shown::cut(whole, MAX_SHOWN))),
            None => read_as(told, rule).map(|pattern| format!("read as `{pattern}`")),
        },
        _ if matches!(told.reason, SelectionReason::NoGroup | SelectionReason::StarIgnored) => None,
        _ => Some("none matches that decides, and what no rule matches is allowed".to_owned()),
    }
}

/// A rule in a line.
fn describe(told: &ExplanationReport<'_>, rule: &Rule) -> String {
    let kind = rule.kind.as_str();
    let source = shown::cut(rule.source.of(told.robots.body()), MAX_SHOWN);
    let pattern = shown::cut(told.rules.pattern(rule), MAX_SHOWN);
    let place = if rule.line == 0 { "the dialect".to_owned() } else { format!("line {}", rule.line) };
    let origin = match rule.origin {
        RuleOrigin::Line => String::new(),
        RuleOrigin::EmptyLine => ", empty: decides nothing".to_owned(),
        RuleOrigin::EmptyInverse => format!(", empty: means `{}`", inverse(rule.kind)),
        RuleOrigin::IndexHtm => ", as its directory".to_owned(),
        RuleOrigin::RobotsTxtPath => return format!("`{kind}: {pattern}`, which stands above all rules in {place}"),
    };
    let read = read_as(told, rule).map_or_else(String::new, |pattern| format!(" read as `{pattern}`"));
    let line = format!("{kind}: {source}");
    format!("{place}: `{}`{read}, {}, {}{origin}", line.trim_end(), counted(rule.length, "byte"), rule.verdict)
}

/// What a directive without a value means in a dialect that reads it as the other one.
const fn inverse(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Allow => "Disallow: /",
        RuleKind::Disallow => "Allow: /",
    }
}

/// The pattern of a rule, where it is not what its line says.
fn read_as(told: &ExplanationReport<'_>, rule: &Rule) -> Option<String> {
    let pattern = told.rules.pattern(rule);
    let differs = rule.origin == RuleOrigin::IndexHtm
        || (rule.origin == RuleOrigin::Line && pattern != rule.source.of(told.robots.body()));
    differs.then(|| shown::cut(pattern, MAX_SHOWN))
}

/// Items one a line, the rest counted.
fn listed<T>(items: impl ExactSizeIterator<Item = T>, describe: impl Fn(T) -> String) -> String {
    let rest = items.len().saturating_sub(MAX_LISTED);
    let mut lines: Vec<String> = items.take(MAX_LISTED).map(describe).collect();
    if rest > 0 {
        lines.push(format!("and {rest} more"));
    }
    lines.join("\n")
}

/// What another dialect says, where it differs.
fn differs(told: &ExplanationReport<'_>, other: &Other) -> Option<String> {
    let name = other.dialect.name;
    match &other.said {
        Err(reason) => Some(format!("{name}: no verdict: {reason}")),
        Ok(said) if said.verdict == told.verdict => None,
        Ok(said) if said.line == 0 => Some(format!("{name}: {}, no line of the file decides", said.verdict)),
        Ok(Said { rule: Some((kind, RuleOrigin::EmptyInverse)), verdict, line, .. }) => {
            Some(format!("{name}: {verdict} by line {line}, whose empty value means `{}`", inverse(*kind)))
        }
        Ok(Said { rule: Some((_, RuleOrigin::EmptyLine)), verdict, line, .. }) => {
            Some(format!("{name}: {verdict}, since the value of line {line} is empty and decides nothing"))
        }
        Ok(said) => {
            Some(format!("{name}: {} by line {}: `{}`", said.verdict, said.line, shown::cut(&said.source, MAX_SHOWN)))
        }
    }
}
