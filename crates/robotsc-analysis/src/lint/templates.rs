//! Lines that a template or a manual left: nothing put a value in their place.
//!
//! ```text
//! Disallow: {{ path }}                   compared as it is
//! {% if production %}                    no record
//! Sitemap: https://example.com/s.xml     the host of manuals
//! ```
//!
//! Nobody knows which value is missing, so that no fix is offered.

use robotsc_compiler::record::{Record, RecordKind};
use robotsc_compiler::{ByteSpan, Severity};

use super::check::LintCheck;
use super::comment_marks::comment_mark;
use super::context::{Context, quoted};
use super::finding::Finding;
use super::keys::{offset, written};
use crate::text::placeholder::{leftover, without_placeholders};

/// Runs the check.
pub(super) fn check(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::Placeholder) else { return };
    for line in 1..=context.lines.count() {
        let text = written(context, line);
        if context.explained.contains(&line)
            || comment_mark(text).is_some()
            || !text.iter().any(|byte| matches!(byte, b'{' | b'<' | b'[' | b'$' | b'%' | b'_' | b'@' | b'-'))
        {
            continue;
        }
        let rule = context.rule_of_line(line);
        let value = rule.map_or(text, |rule| context.value(rule));
        let whole = || whole_placeholder(value).filter(|_| rule.is_some());
        let Some(found) = leftover(value).or_else(whole) else { continue };
        let (found, shown) = (quoted(found), quoted(text));
        let message = format!("{found} in {shown} is left of a template or a manual: write what it stands for");
        let start = context.lines.whole(line).start + offset(context.lines.text(line));
        let span = ByteSpan::new(start, start + text.len());
        // The rule matches nothing.
        let is_dead = rule.is_some() && !matches!(value.first(), Some(b'/' | b'*'));
        let severity = if is_dead { Severity::Error } else { check.severity() };
        context.explained.insert(line);
        context.found.push(Finding::new(check, line, span, message).severity(severity));
    }
    let sitemaps = context.robots.records().iter().filter(|record| record.kind == RecordKind::Sitemap);
    let found: Vec<Finding> = sitemaps.filter_map(|record| sitemap(context, check, record)).collect();
    context.found.extend(found);
}

/// Returns a value that is a placeholder as a whole: `<path>`.
fn whole_placeholder(value: &[u8]) -> Option<&[u8]> {
    let is_placeholder = !value.contains(&b'/') && matches!(value.first(), Some(b'{' | b'<' | b'['));
    without_placeholders(value).filter(|_| is_placeholder).map(|(found, _)| found)
}

/// The hosts of manuals. The first three are reserved for them (RFC 2606).
const HOSTS: [&str; 7] = [
    "example.com",
    "example.org",
    "example.net",
    "yourdomain.com",
    "your-domain.com",
    "yoursite.com",
    "yourwebsite.com",
];

/// A sitemap of a host that is in manuals alone.
fn sitemap(context: &Context<'_>, check: LintCheck, record: &Record) -> Option<Finding> {
    let value = record.value.of(context.body());
    let start = value.windows(3).position(|window| window == b"://")? + 3;
    let host = value[start..].split(|byte| matches!(byte, b'/' | b':' | b'?')).next()?;
    let host = String::from_utf8_lossy(host).to_ascii_lowercase();
    let is_of_manual = HOSTS.contains(&host.strip_prefix("www.").unwrap_or(&host));
    let found = without_placeholders(value).map(|(found, _)| quoted(found));
    let found = found.or_else(|| is_of_manual.then(|| quoted(host.as_bytes())))?;
    if context.explained.contains(&record.line) {
        return None;
    }
    let message = format!("{found} in {} is left of a template or a manual: write the host of the site", quoted(value));
    Some(Finding::new(check, record.line, record.value, message))
}
