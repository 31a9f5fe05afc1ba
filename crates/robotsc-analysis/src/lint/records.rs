//! Records besides rules: crawl delays, preferences, licenses, sitemaps, and those that nobody reads.

use robotsc_compiler::record::{Record, RecordKind, RecordValue};
use robotsc_compiler::{ByteSpan, Severity};

use super::context::{Context, quoted};
use super::finding::{Finding, Fix};

/// A crawl delay, in seconds, above which most crawlers cap it or skip the site.
const LONG_DELAY_SECONDS: u64 = 30;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    let groups = context.robots.groups();
    let first_group = groups.first().and_then(|group| context.robots.agents_of(group).first()).map(|agent| agent.line);
    for record in context.robots.records() {
        let is_outside = first_group.is_none_or(|line| record.line < line);
        let value = record.value.of(context.body());
        let key = record.key.of(context.body());
        match record.kind {
            RecordKind::Noindex => {
                let message = "no known crawler obeys `Noindex` in robots.txt: use a `noindex` header or meta tag";
                context.report("noindex-record", record.line, record.key, message);
            }
            RecordKind::Host | RecordKind::CleanParam | RecordKind::RequestRate | RecordKind::VisitTime => {
                let message = format!("{} is read by few crawlers or none any more", quoted(key));
                let whole = context.lines.whole(record.line);
                if let Some(check) = context.check("retired-record") {
                    let mut fix = Fix::remove(whole);
                    fix.is_safe = false;
                    context.found.push(Finding::new(check, record.line, record.key, message).fix(fix));
                }
            }
            RecordKind::CrawlDelay => delay(context, record),
            RecordKind::ContentSignal => {
                signal(context, record, value);
                outside(context, record, is_outside);
            }
            RecordKind::ContentUsage => {
                usage(context, record, value);
                outside(context, record, is_outside);
            }
            RecordKind::Unknown if key.eq_ignore_ascii_case(b"license") => license(context, record, value, is_outside),
            RecordKind::Unknown if key.eq_ignore_ascii_case(b"content-signal-policy") => {}
            _ => {}
        }
    }
    contradictions(context);
}

fn delay(context: &mut Context<'_>, record: &Record) {
    let Some(RecordValue::CrawlDelay(delay)) = record.value(context.body()) else { return };
    if delay.as_secs() > LONG_DELAY_SECONDS {
        let message = format!(
            "a crawl delay of {} seconds: many crawlers cap it at {LONG_DELAY_SECONDS}, and some skip the site",
            delay.as_secs()
        );
        context.report("crawl-delay-ignored", record.line, record.value, message);
        return;
    }
    let Some(check) = context.check("crawl-delay-ignored") else { return };
    let names_google_alone = context.robots.groups().iter().any(|group| {
        let agents = context.robots.agents_of(group);
        let records = context.robots.records_of(group);
        !agents.is_empty()
            && records.iter().any(|own| own.line == record.line)
            && agents.iter().all(|agent| agent.written(context.body()).to_ascii_lowercase().starts_with(b"googlebot"))
    });
    if names_google_alone {
        let finding = Finding::new(check, record.line, record.value, "Googlebot does not obey `Crawl-delay`");
        context.found.push(finding.severity(Severity::Info));
    }
}

/// The labels of AIPREF drafts, of which Content-Signal has others.
const AIPREF_LABELS: [&[u8]; 5] = [b"train-ai", b"train-genai", b"ai-use", b"bots", b"ai-output"];

/// Returns the path before a preference, and the preference.
fn split_path(value: &[u8]) -> (Option<&[u8]>, &[u8]) {
    if !value.starts_with(b"/") {
        return (None, value);
    }
    let end = value.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(value.len());
    (Some(&value[..end]), value[end..].trim_ascii())
}

/// Reports whether a Content-Signal is a list of signals, without a path before it.
pub(super) fn has_signals(value: &[u8]) -> bool {
    !value.starts_with(b"/") && value.iter().any(|byte| !matches!(byte, b',' | b' ' | b'\t'))
}

fn signal(context: &mut Context<'_>, record: &Record, value: &[u8]) {
    let (_, list) = split_path(value);
    let mut report = |message: String, span: ByteSpan| {
        context.report("content-signal-syntax", record.line, span, message);
    };
    if list.contains(&b';') {
        report(format!("{} is separated by `;`: write commas", quoted(list)), record.value);
        return;
    }
    for item in list.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|item| !item.is_empty()) {
        let (key, wanted) = match item.iter().position(|byte| *byte == b'=') {
            Some(at) => (item[..at].trim_ascii(), item[at + 1..].trim_ascii()),
            None => (item, &b""[..]),
        };
        let is = |names: &[&[u8]], text: &[u8]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
        let message = if is(&[b"search", b"ai-input", b"ai-train"], key) {
            (!is(&[b"yes", b"no"], wanted))
                .then(|| format!("{} takes `yes` or `no`, not {}", quoted(key), quoted(wanted)))
        } else if is(&[b"use"], key) {
            let levels: [&[u8]; 3] = [b"immediate", b"reference", b"full"];
            (!is(&levels, wanted))
                .then(|| format!("`use` takes `immediate`, `reference` or `full`, not {}", quoted(wanted)))
        } else if is(&AIPREF_LABELS, key) {
            Some(format!("{} is a label of Content-Usage: here write `search`, `ai-input` or `ai-train`", quoted(key)))
        } else {
            Some(format!("{} is no signal: write `search`, `ai-input`, `ai-train` or `use`", quoted(key)))
        };
        if let Some(message) = message {
            report(message, record.value);
        }
    }
}

/// Labels of earlier drafts, which readers of today ignore.
const RETIRED_LABELS: [&[u8]; 8] =
    [b"bots", b"all", b"ai", b"genai", b"tdm", b"inference", b"train-genai", b"ai-output"];

fn usage(context: &mut Context<'_>, record: &Record, value: &[u8]) {
    let (_, list) = split_path(value);
    let mut seen: Vec<&[u8]> = Vec::new();
    let mut found: Vec<String> = Vec::new();
    if value.starts_with(b"*") {
        found.push(format!("a path starts with `/`: {} is read as a preference, and is none", quoted(value)));
    } else if list.ends_with(b",") {
        found.push("a comma at the end makes the whole line unreadable".to_owned());
    } else {
        for item in list.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            let item = item.split(|byte| *byte == b';').next().unwrap_or(item).trim_ascii();
            let (key, wanted) = match item.iter().position(|byte| *byte == b'=') {
                Some(at) => (&item[..at], Some(&item[at + 1..])),
                None => (item, None),
            };
            if key.is_empty() && list.is_empty() {
                continue;
            }
            if key.iter().any(u8::is_ascii_uppercase) {
                found.push(format!("{} has an upper-case letter, which makes the whole line unreadable", quoted(key)));
            } else if item.iter().any(|byte| matches!(byte, b' ' | b'\t')) {
                found.push(format!(
                    "{} has a blank where a comma is expected: the whole line is unreadable",
                    quoted(item)
                ));
            } else if RETIRED_LABELS.contains(&key) {
                found.push(format!("{} is a label of an earlier draft, and is ignored", quoted(key)));
            } else if wanted.is_none_or(|wanted| !matches!(wanted, b"y" | b"n")) {
                found.push(format!("{} takes `y` or `n`: anything else means nothing", quoted(key)));
            } else if seen.contains(&key) {
                found.push(format!("{} is there twice: the last counts", quoted(key)));
            }
            seen.push(key);
        }
    }
    for message in found {
        context.report("content-usage-syntax", record.line, record.value, message);
    }
}

fn outside(context: &mut Context<'_>, record: &Record, is_outside: bool) {
    if is_outside {
        let message = "a preference before any `User-agent` line is of no group, and is not read";
        context.report("preference-outside-group", record.line, record.key, message);
    }
}

fn license(context: &mut Context<'_>, record: &Record, value: &[u8], is_outside: bool) {
    let is_absolute = [&b"https://"[..], b"http://"].iter().any(|scheme| {
        value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) && value.len() > scheme.len()
    });
    if !is_absolute {
        let message = format!("{} is no absolute URL of a license", quoted(value));
        context.report("license-form", record.line, record.value, message);
    } else if !is_outside {
        // In a group it is read as of the whole file; only a second, other one is a contradiction.
        let others = context.robots.records().iter().filter(|other| {
            other.kind == RecordKind::Unknown
                && other.key.of(context.body()).eq_ignore_ascii_case(b"license")
                && other.value.of(context.body()) != value
        });
        let others: Vec<u32> = others.map(|other| other.line).collect();
        if let (Some(first), Some(check)) = (others.first(), context.check("license-form")) {
            let message = format!("line {first} states another license, and both are of the whole file");
            context.found.push(Finding::new(check, record.line, record.value, message).related(others));
        }
    }
}

/// Content-Signal and Content-Usage of one group that disagree.
fn contradictions(context: &mut Context<'_>) {
    let Some(check) = context.check("preference-contradiction") else { return };
    const PAIRS: [(&str, &str); 3] = [("ai-train", "train-ai"), ("ai-input", "ai-use"), ("search", "search")];
    let mut found = Vec::new();
    for group in context.robots.groups() {
        let records = context.robots.records_of(group);
        let values = |kind, key: &str| -> Vec<(u32, Option<bool>)> {
            let of_kind = records.iter().filter(move |record| record.kind == kind);
            let stated = of_kind.filter(|record| split_path(record.value.of(context.body())).0.is_none());
            stated.map(|record| (record.line, stated_value(record.value.of(context.body()), key))).collect()
        };
        for (signal, usage) in PAIRS {
            for (line, one) in values(RecordKind::ContentSignal, signal) {
                for (other_line, other) in values(RecordKind::ContentUsage, usage) {
                    let (Some(one), Some(other)) = (one, other) else { continue };
                    if one == other {
                        continue;
                    }
                    let say = |yes| if yes { "yes" } else { "no" };
                    let message = format!(
                        "`{signal}={}` says otherwise than line {other_line}, `{usage}={}`",
                        say(one),
                        if other { "y" } else { "n" }
                    );
                    let span = context.lines.span(line);
                    found.push(Finding::new(check, line, span, message).related([other_line]));
                }
            }
        }
    }
    context.found.extend(found);
}

/// Returns what a list says of a key.
fn stated_value(list: &[u8], key: &str) -> Option<bool> {
    list.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).find_map(|item| {
        let at = item.iter().position(|byte| *byte == b'=')?;
        let value = item[at + 1..].trim_ascii();
        item[..at].trim_ascii().eq_ignore_ascii_case(key.as_bytes()).then_some(())?;
        match value.to_ascii_lowercase().as_slice() {
            b"yes" | b"y" => Some(true),
            b"no" | b"n" => Some(false),
            _ => None,
        }
    })
}
