//! Preferences that have no effect, or do not reach agents that they are probably meant for.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::record::{PreferenceRecord, Record, RecordKind, RecordValue};
use robotsc_compiler::small_sort::SmallCollect as _;
use robotsc_compiler::{Dialect, GroupId, RuleKind, RuleSet, Severity};

use super::check::LintCheck;
use super::context::{Context, Obeyed, quoted};
use super::finding::{Finding, Fix};
use crate::agents::audience::{Audience, listed};
use crate::rules::RuleAnalysis;
use crate::rules::compare::opened;
use crate::search::NotDecided;
use crate::space::Paths;
use crate::text::edit::Edit;

/// The work of looking at a rule, in units of the budget.
const WORK_OF_A_RULE: u64 = 32;

/// The work of comparing two rule sets besides looking at their rules.
const WORK_OF_A_QUESTION: u64 = 1024;

/// The maximum size of a fix that copies lines. A file with thousands of lines and of groups would need gigabytes.
const MAX_FIX_BYTES: usize = 1 << 20;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    if !context.robots.records().iter().any(is_preference) {
        return;
    }
    outside(context);
    for_star_alone(context);
    without_effect(context);
}

/// Reports whether a record is a preference.
pub(super) fn is_preference(record: &Record) -> bool {
    matches!(record.kind, RecordKind::ContentSignal | RecordKind::ContentUsage)
}

/// Returns the path and the statement of a preference.
pub(super) fn split<'b>(record: &Record, body: &'b [u8]) -> Option<PreferenceRecord<'b>> {
    match record.value(body)? {
        RecordValue::ContentSignal(split) | RecordValue::ContentUsage(split) => Some(split),
        _ => None,
    }
}

/// Returns a rule set that disallows the paths of a pattern.
fn asked(dialect: &Dialect, pattern: &[u8]) -> RuleSet {
    RuleSet::from_rules(dialect, [(RuleKind::Disallow, pattern, 1)])
}

/// Reports whether an audience may fetch any path that a pattern matches.
fn may_fetch(context: &Context<'_>, obeyed: &Obeyed<'_>, pattern: &[u8]) -> Result<bool, NotDecided> {
    let dialect = context.robots.dialect();
    // The comparison of two rule sets looks at each rule.
    obeyed.rules.budget.take(WORK_OF_A_QUESTION + WORK_OF_A_RULE * obeyed.rules.rule_set().rules().len() as u64)?;
    let asked = asked(dialect, pattern);
    let asked = RuleAnalysis::of(&asked, dialect, Paths::Urls, obeyed.rules.budget);
    Ok(!opened(&asked, &obeyed.rules)?.is_empty())
}

/// Reports whether a pattern matches the path of any URL.
fn matches_any(context: &Context<'_>, obeyed: &Obeyed<'_>, pattern: &[u8]) -> Result<bool, NotDecided> {
    let dialect = context.robots.dialect();
    let asked = asked(dialect, pattern);
    let asked = RuleAnalysis::of(&asked, dialect, Paths::Urls, obeyed.rules.budget);
    for (at, rule) in (0..).zip(asked.rule_set().rules()) {
        if !rule.verdict.is_allow() && asked.shortest(&[asked.term(at)], &[])?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Preferences before any group.
fn outside(context: &mut Context<'_>) {
    let first = context.robots.groups().first().and_then(|group| context.robots.agents_of(group).first());
    let first = first.map(|agent| agent.line);
    for record in context.robots.records().iter().filter(|record| is_preference(record)) {
        if first.is_none_or(|line| record.line < line) {
            let message = "a preference before any `User-agent` line is of no group, and is not read";
            context.report(LintCheck::PreferenceOutsideGroup, record.line, record.key, message);
        }
    }
}

/// Preferences of the group for `*`, and agents with groups of their own to which nothing is said.
fn for_star_alone(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::PreferenceOutsideGroup) else { return };
    // Whether the agents may fetch any page, by the place of their audience. Both vocabularies ask.
    let mut open: BTreeMap<usize, Result<bool, NotDecided>> = BTreeMap::new();
    for kind in [RecordKind::ContentSignal, RecordKind::ContentUsage] {
        let found = for_star_alone_of(context, check, kind, &mut open);
        context.found.extend(found);
    }
}

/// As [`for_star_alone`], for the records of one vocabulary.
fn for_star_alone_of(
    context: &Context<'_>,
    check: LintCheck,
    kind: RecordKind,
    open: &mut BTreeMap<usize, Result<bool, NotDecided>>,
) -> Vec<Finding> {
    let robots = context.robots;
    // Many audiences can obey one group: look at its records once.
    let ids = (0..).map(GroupId).zip(robots.groups());
    let of_kind = |group| robots.records_of(group).iter().filter(move |record| record.kind == kind);
    let speaking: BTreeSet<GroupId> =
        ids.filter(|(_, group)| of_kind(group).next().is_some()).map(|(id, _)| id).small_collect();
    let Some(others) = context.obeyed.iter().find(|obeyed| obeyed.audience.has_others) else { return Vec::new() };
    let groups = others.audience.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
    let stated: Vec<&Record> = groups.flat_map(of_kind).collect();
    let Some(first) = stated.first() else { return Vec::new() };
    let mut found = Vec::new();
    let mut missed: Vec<&Audience> = Vec::new();
    let mut undecided = false;
    let is_silent = |audience: &Audience| audience.groups.iter().all(|id| !speaking.contains(id));
    let named = context.obeyed.iter().enumerate().filter(|(_, obeyed)| !obeyed.audience.has_others);
    for (at, obeyed) in named.filter(|(_, obeyed)| is_silent(obeyed.audience)) {
        // What cannot be fetched needs no preference.
        match open.entry(at).or_insert_with(|| may_fetch(context, obeyed, b"/")) {
            Ok(true) => missed.push(obeyed.audience),
            Ok(false) => {}
            Err(NotDecided) => undecided = true,
        }
    }
    let key = quoted(first.key.of(context.body()));
    if undecided {
        let message = format!("whether all agents that this {key} does not reach may fetch a page was not decided");
        let finding =
            context.check(LintCheck::NotDecided).map(|check| Finding::new(check, first.line, first.key, message));
        found.extend(finding);
    }
    let names: Vec<String> = missed.iter().flat_map(|audience| audience.names.iter().cloned()).collect();
    if names.is_empty() {
        return found;
    }
    let title = listed(&names, false, if names.len() == 2 { 2 } else { 1 });
    let verb = if names.len() == 1 { "has" } else { "have" };
    let message = format!("{title} {verb} a group without {key}, and that for `*` does not reach it");
    let last_agent = |audience: &&Audience| {
        let group = robots.groups().get(audience.groups.first()?.0 as usize)?;
        robots.agents_of(group).last().map(|agent| agent.line)
    };
    let places: BTreeSet<u32> = missed.iter().filter_map(last_agent).small_collect();
    let mut finding = Finding::new(check, first.line, first.key, message);
    let end = context.lines.end_of_line();
    let copied: usize = stated.iter().map(|record| context.lines.text(record.line).len() + end.len()).sum();
    if copied.saturating_mul(places.len()) <= MAX_FIX_BYTES {
        let lines: Vec<u8> =
            stated.iter().flat_map(|record| [context.lines.text(record.line), end]).flatten().copied().collect();
        let edits = places.iter().map(|line| {
            let at = context.lines.whole(*line).end;
            Edit { range: at..at, with: lines.clone() }
        });
        let title = "copy the lines to each group".to_owned();
        finding = finding.fix(Fix { title, is_safe: false, is_of_dialect: false, edits: edits.collect() });
    }
    found.push(finding.related(places));
    found
}

/// Preferences for paths that none of their agents may fetch.
fn without_effect(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::PreferenceContradiction) else { return };
    let robots = context.robots;
    let mut found = Vec::new();
    let mut audiences: BTreeMap<GroupId, Vec<&Obeyed<'_>>> = BTreeMap::new();
    for obeyed in &context.obeyed {
        for id in &obeyed.audience.groups {
            audiences.entry(*id).or_default().push(obeyed);
        }
    }
    'groups: for (id, audiences) in &audiences {
        let Some(group) = robots.groups().get(id.0 as usize) else { continue };
        for record in robots.records_of(group).iter().filter(|record| is_preference(record)) {
            let Some(path) = split(record, context.body()).and_then(|split| split.path) else { continue };
            let mut answers = audiences.iter().map(|obeyed| may_fetch(context, obeyed, path));
            match answers.find(|answer| *answer != Ok(false)) {
                None => {}
                Some(Ok(_)) => continue,
                Some(Err(NotDecided)) => {
                    let message = "whether any agent of this preference may fetch its paths was not decided";
                    let finding = context.check(LintCheck::NotDecided);
                    found.extend(finding.map(|check| Finding::new(check, record.line, record.value, message)));
                    // The budget is spent.
                    break 'groups;
                }
            }
            let why = match audiences.first().map(|obeyed| matches_any(context, obeyed, path)) {
                Some(Ok(true)) => "is disallowed",
                Some(Ok(false)) => "matches no URL",
                // True of both.
                None | Some(Err(NotDecided)) => "matches no URL that may be fetched",
            };
            let message = format!("{} {why}: a preference for it has no effect", quoted(path));
            found.push(Finding::new(check, record.line, record.value, message).severity(Severity::Info));
        }
    }
    context.found.extend(found);
}
