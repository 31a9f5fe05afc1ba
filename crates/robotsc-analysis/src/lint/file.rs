//! The file as a whole: whether it is a robots.txt, and whether dialects agree on it.

use std::collections::HashMap;

use robotsc_compiler::{BodyKind, ByteSpan, Diagnostic, DiagnosticCode, Dialect, RobotsTxt, RuleSet};

use super::check::LintCheck;
use super::context::{Context, Parts};
use super::finding::Finding;
use crate::rules::RuleAnalysis;
use crate::rules::compare::first_difference;
use crate::search::SearchBudget;
use crate::space::Paths;

/// Returns what a body is, if it is no robots.txt and no check of lines says more of it.
pub(super) fn kind(robots: &RobotsTxt<'_>) -> Option<String> {
    let body = robots.body();
    if body.starts_with(b"\xFF\xFE\0\0") || body.starts_with(b"\0\0\xFE\xFF") {
        return Some("text in UTF-32".to_owned());
    }
    match robots.body_kind() {
        BodyKind::Robots | BodyKind::OneLine => None,
        // The parser reports the mark.
        BodyKind::Utf16 if is_utf16(body) => None,
        BodyKind::Text => {
            let is_outside = |noticed: &Diagnostic| noticed.code == DiagnosticCode::RuleOutsideGroup;
            let is_text = robots.has_no_directive() && !robots.diagnostics().iter().any(is_outside);
            is_text.then(|| "a text without a directive".to_owned())
        }
        kind => Some(kind.to_string()),
    }
}

/// Reports whether two rule sets of different dialects agree, for a reason that needs no search: they have the same
/// patterns in the same order, and each dialect compares these as they are. A `*` can reach the query, which dialects
/// escape in different ways.
fn is_plainly_same(one: &RuleSet, other: &RuleSet) -> bool {
    let is_plain = |pattern: &[u8]| {
        let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
        pattern.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte))
    };
    one.rules().len() == other.rules().len()
        && one.rules().iter().zip(other.rules()).all(|(a, b)| {
            let pattern = one.pattern(a);
            a.verdict == b.verdict && pattern == other.pattern(b) && is_plain(pattern)
        })
}

/// Reports whether a body starts with a UTF-16 byte order mark.
pub(super) fn is_utf16(body: &[u8]) -> bool {
    body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF")
}

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>, budget: &SearchBudget) {
    if context.robots.rules().is_empty() {
        let message = "no rule is in the file: everything is allowed to all agents";
        context.report(LintCheck::NoRules, 0, ByteSpan::default(), message);
    }
    dialects(context, budget);
}

/// A path on which google and rfc9309 differ, for each audience.
///
/// Two differences are left out, since nearly every file has them: escapes of letters, which no client writes, and
/// `/robots.txt` itself, which crawlers fetch in any case.
fn dialects(context: &mut Context<'_>, budget: &SearchBudget) {
    let Some(check) = context.check(LintCheck::DialectsDisagree) else { return };
    let own = context.robots.dialect();
    let other = if own.name == Dialect::RFC9309.name { Dialect::GOOGLE } else { Dialect::RFC9309 };
    let other = &Dialect { robots_txt_allowed: own.robots_txt_allowed, ..other };
    let robots = RobotsTxt::parse_with(context.body(), other);
    let parts = Parts::new(&robots);
    // The first audience with each name. A file can have thousands of names.
    let mut of_name: HashMap<&str, usize> = HashMap::new();
    for (at, audience) in parts.audiences.iter().enumerate() {
        audience.names.iter().for_each(|name| {
            of_name.entry(name).or_insert(at);
        });
    }
    let of_others = parts.audiences.iter().position(|audience| audience.has_others);
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let theirs = match obeyed.audience.names.first() {
            Some(name) => of_name.get(name.as_str()).copied(),
            None => of_others,
        };
        let Some(set) = theirs.map(|at| &parts.sets[at]) else { continue };
        if is_plainly_same(obeyed.rules.rule_set(), set) {
            continue;
        }
        let ours = RuleAnalysis::of(obeyed.rules.rule_set(), own, Paths::Plain, budget);
        let rules = RuleAnalysis::of(set, other, Paths::Plain, budget);
        match first_difference(&ours, &rules) {
            Ok(None) => {}
            Ok(Some(region)) => {
                let line = region.old.map(|at| ours.rule(at).line);
                let their_line = region.new.map(|at| rules.rule(at).line);
                let verb = |verdict: robotsc_compiler::Verdict| if verdict.is_allow() { "allows" } else { "disallows" };
                let message = format!(
                    "{} {} a path that {} {}, for {}",
                    own.name,
                    verb(ours.verdict(region.old)),
                    other.name,
                    verb(rules.verdict(region.new)),
                    obeyed.audience.title()
                );
                let at = line.or(their_line).unwrap_or(0);
                let span = context.lines.span(at.max(1));
                found.push(Finding::new(check, at, span, message).witness(&region.path).related(their_line));
            }
            Err(_) => {
                let message = format!("whether {} and {} agree was not decided", own.name, other.name);
                context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
                break;
            }
        }
    }
    context.found.extend(found);
}
