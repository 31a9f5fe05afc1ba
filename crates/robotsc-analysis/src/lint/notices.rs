//! What the parser noticed, as findings.

use std::collections::{HashMap, HashSet};

use robotsc_compiler::{DiagnosticCode, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::groups;
use crate::agents::near_name::is_near;

const DIRECTIVES: [&str; 5] = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"];

/// Reports whether a text starts with a directive.
fn is_directive(text: &[u8]) -> bool {
    let starts = |key: &&str| text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key.as_bytes()));
    DIRECTIVES.iter().any(starts)
}

/// Returns the directive that a key was meant to be: equal but for one letter, or for what stands around it, such as
/// the sign of a list, a quote, or a blank that cannot be seen.
fn meant(key: &[u8]) -> Option<&'static str> {
    let key = String::from_utf8_lossy(key);
    let key = key.trim_matches(|char: char| !char.is_ascii_alphabetic());
    DIRECTIVES.into_iter().find(|known| known.eq_ignore_ascii_case(key) || is_near(known, key))
}

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    // By line, since a file can have thousands of each.
    let mut named: HashSet<u32> = lines(context, |check| check.code().starts_with("agent-"));
    let reported_keys = lines(context, |check| matches!(check, LintCheck::NoindexRecord | LintCheck::RetiredRecord));
    let typos = context.robots.diagnostics().iter().filter(|noticed| noticed.code == DiagnosticCode::TypoKey);
    let typos: HashSet<u32> = typos.map(|noticed| noticed.line).collect();
    let mut merge_matters: HashMap<usize, bool> = HashMap::new();
    for noticed in context.robots.diagnostics() {
        let check = LintCheck::of_diagnostic(noticed.code);
        let Some(check) = check.and_then(|check| context.check(check)) else { continue };
        let text = noticed.span.of(context.body());
        let mut finding = Finding::new(check, noticed.line, noticed.span, noticed.message(context.body()));
        finding.fix = match noticed.code {
            DiagnosticCode::DeadPattern => {
                Some(Fix::replace("put a `/` before it", noticed.span, [b"/", text].concat()))
            }
            DiagnosticCode::UrlPattern => {
                let path =
                    context.robots.dialect().split_url(text).ok().map(|parts| parts.path.into_cow().into_owned());
                path.map(|path| Fix::replace("write the path alone", noticed.span, path))
            }
            DiagnosticCode::RuleOutsideGroup => Some(groups::insert_star(context, noticed.line)),
            _ => None,
        };
        if noticed.code == DiagnosticCode::AgentNamesNobody && text.first().is_some_and(u8::is_ascii_digit) {
            finding.severity = Severity::Info;
            finding.message =
                format!("{}: Google sees no name in it, other crawlers compare it as it is", quoted(text));
        }
        if noticed.code == DiagnosticCode::UnknownKey
            && let Some(directive) = meant(text)
        {
            finding.severity = Severity::Warning;
            finding.message =
                format!("{} is no directive, so that the line does nothing: write `{directive}`", quoted(text));
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
            DiagnosticCode::UnknownKey => text.eq_ignore_ascii_case(b"license"),
            _ => false,
        };
        if !is_reported {
            context.found.push(finding);
        }
    }
}

/// Returns the lines of the findings so far with codes that are wanted.
fn lines(context: &Context<'_>, is_wanted: fn(LintCheck) -> bool) -> HashSet<u32> {
    context.found.iter().filter(|finding| is_wanted(finding.check)).map(|finding| finding.line).collect()
}
