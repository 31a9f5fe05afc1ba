//! Records besides rules: crawl delays, licenses, and those that nobody reads.

use std::collections::{HashMap, HashSet};

use robotsc_compiler::Severity;
use robotsc_compiler::record::{Record, RecordKind, RecordValue};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::sitemaps;

/// A crawl delay, in seconds, above which most crawlers cap it or skip the site.
const LONG_DELAY_SECONDS: u64 = 30;

/// The maximum number of other licenses that a finding names.
const MAX_RELATED: usize = 8;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    let groups = context.robots.groups();
    let first_group = groups.first().and_then(|group| context.robots.agents_of(group).first()).map(|agent| agent.line);
    let licenses = licenses(context);
    let mut listed = HashMap::new();
    for record in context.robots.records() {
        let is_outside = first_group.is_none_or(|line| record.line < line);
        let value = record.value.of(context.body());
        let key = record.key.of(context.body());
        match record.kind {
            RecordKind::Noindex => {
                let message = "no known crawler obeys `Noindex` in robots.txt: use a `noindex` header or meta tag";
                context.report(LintCheck::NoindexRecord, record.line, record.key, message);
            }
            // Yandex reads `Clean-param` wherever it is.
            RecordKind::Host | RecordKind::RequestRate | RecordKind::VisitTime => {
                let message = format!("{} is read by few crawlers or none any more", quoted(key));
                let whole = context.lines.whole(record.line);
                if let Some(check) = context.check(LintCheck::RetiredRecord) {
                    let mut fix = Fix::remove(whole);
                    fix.is_safe = false;
                    context.found.push(Finding::new(check, record.line, record.key, message).fix(fix));
                }
            }
            RecordKind::CrawlDelay if is_outside => {
                let message =
                    "the crawl delay is in no group, so that no crawler obeys it: write it after a `User-agent` line";
                context.report(LintCheck::CrawlDelayIgnored, record.line, record.key, message);
            }
            RecordKind::CrawlDelay => delay(context, record),
            RecordKind::Sitemap => {
                sitemaps::check(context, record, value, &mut listed);
            }
            RecordKind::Unknown if is_meta_value(key) => {
                let message =
                    format!("{} does nothing in robots.txt: it is a value of a header or meta tag", quoted(key));
                context.report(LintCheck::NoindexRecord, record.line, record.key, message);
            }
            RecordKind::Unknown if key.eq_ignore_ascii_case(b"x-robots-tag") => {
                let message = format!("{} is a header of answers, and does nothing in robots.txt", quoted(key));
                context.report(LintCheck::NoindexRecord, record.line, record.key, message);
                // That it lacks a colon would only repeat it.
                if context.check(LintCheck::NoindexRecord).is_some() && !context.lines.text(record.line).contains(&b':')
                {
                    context.explained.insert(record.line);
                }
            }
            RecordKind::Unknown if is_meta_tag(key, value) => {
                let message = format!("{} is a meta tag of pages, and does nothing in robots.txt", quoted(key));
                context.report(LintCheck::NoindexRecord, record.line, record.key, message);
            }
            RecordKind::Unknown if is_license(key) => license(context, record, value, is_outside, &licenses),
            RecordKind::Unknown if key.eq_ignore_ascii_case(b"content-signal-policy") => {}
            _ => {}
        }
    }
}

/// Reports whether a text is a value of the robots meta tag that closes something, with any signs between its words, or
/// a list of values with such a one.
pub(super) fn is_meta_value(text: &[u8]) -> bool {
    // `no index` is one value, and `noindex follow` are two.
    let mut values = text.split(|byte| b", \t".contains(byte)).filter(|word| !word.is_empty());
    text.split(|byte| matches!(byte, b',' | b';' | b'+' | b'&' | b'/')).all(is_closing_meta_value)
        || values.clone().all(is_any_meta_value) && values.any(is_closing_meta_value)
}

/// Reports whether a record is the robots meta tag as a key and a value: `robots: index, follow`.
pub(super) fn is_meta_tag(key: &[u8], value: &[u8]) -> bool {
    let is_key =
        [&b"robots"[..], b"robot", b"meta robots", b"meta-robots"].iter().any(|own| own.eq_ignore_ascii_case(key));
    is_key && value.split(|byte| *byte == b',').all(|word| is_any_meta_value(word.trim_ascii()))
}

fn is_any_meta_value(word: &[u8]) -> bool {
    const OPEN: [&[u8]; 3] = [b"index", b"follow", b"all"];
    is_closing_meta_value(word) || OPEN.iter().any(|open| open.eq_ignore_ascii_case(word))
}

/// Reports whether a word is a value of the robots meta tag that closes something.
pub(super) fn is_closing_meta_value(word: &[u8]) -> bool {
    const VALUES: [&[u8]; 7] =
        [b"noindex", b"nofollow", b"noarchive", b"nosnippet", b"noimageindex", b"noai", b"noimageai"];
    let letters = word.iter().filter(|byte| !matches!(byte, b'-' | b'_' | b' ' | b'\t'));
    let letters: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    VALUES.contains(&letters.as_slice())
}

fn is_license(key: &[u8]) -> bool {
    key.eq_ignore_ascii_case(b"license")
}

/// Returns the licenses that the file states, each with its first line, in the order of the lines.
fn licenses<'c>(context: &Context<'c>) -> Vec<(u32, &'c [u8])> {
    let body = context.body();
    let mut seen = HashSet::new();
    let records = context.robots.records().iter();
    let records = records.filter(|record| record.kind == RecordKind::Unknown && is_license(record.key.of(body)));
    records.map(|record| (record.line, record.value.of(body))).filter(|(_, value)| seen.insert(*value)).collect()
}

fn delay(context: &mut Context<'_>, record: &Record) {
    let Some(RecordValue::CrawlDelay(delay)) = record.value(context.body()) else { return };
    if delay.as_secs() > LONG_DELAY_SECONDS {
        let message = format!(
            "a crawl delay of {} seconds: many crawlers cap it at {LONG_DELAY_SECONDS}, and some skip the site",
            delay.as_secs()
        );
        context.report(LintCheck::CrawlDelayIgnored, record.line, record.value, message);
        return;
    }
    let Some(check) = context.check(LintCheck::CrawlDelayIgnored) else { return };
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

fn license(context: &mut Context<'_>, record: &Record, value: &[u8], is_outside: bool, licenses: &[(u32, &[u8])]) {
    let is_absolute = [&b"https://"[..], b"http://"].iter().any(|scheme| {
        value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) && value.len() > scheme.len()
    });
    if !is_absolute {
        let message = format!("{} is no absolute URL of a license", quoted(value));
        context.report(LintCheck::LicenseForm, record.line, record.value, message);
    } else if !is_outside {
        // In a group it is read as of the whole file; only a second, other one is a contradiction.
        let others = licenses.iter().filter(|(_, other)| *other != value);
        let others: Vec<u32> = others.take(MAX_RELATED).map(|(line, _)| *line).collect();
        if let (Some(first), Some(check)) = (others.first(), context.check(LintCheck::LicenseForm)) {
            let message = format!("line {first} states another license, and both are of the whole file");
            context.found.push(Finding::new(check, record.line, record.value, message).related(others));
        }
    }
}
