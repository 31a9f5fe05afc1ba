//! Records besides rules: crawl delays, licenses, and those that nobody reads.

use robotsc_compiler::Severity;
use robotsc_compiler::record::{Record, RecordKind, RecordValue};

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
            RecordKind::Unknown if key.eq_ignore_ascii_case(b"license") => license(context, record, value, is_outside),
            RecordKind::Unknown if key.eq_ignore_ascii_case(b"content-signal-policy") => {}
            _ => {}
        }
    }
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
