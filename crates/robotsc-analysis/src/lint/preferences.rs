//! Preferences that disagree, have no effect, or do not reach agents that they are probably meant for.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::record::{PreferenceRecord, Record, RecordKind, RecordValue};
use robotsc_compiler::{Group, GroupId, RobotsTxt, RuleKind, RuleSet, Severity};

use super::context::{Context, Obeyed, quoted};
use super::finding::{Edit, Finding, Fix};
use crate::compare::opened;
use crate::paths::Paths;
use crate::preferences::{Category, Dictionary, SignalMeaning, Vocabulary, signals};
use crate::rules::RuleAnalysis;
use crate::search::NotDecided;

/// The work of looking at a rule, in units of the budget.
const WORK_OF_A_RULE: u64 = 32;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    if !context.robots.records().iter().any(is_preference) {
        return;
    }
    outside(context);
    for_star_alone(context);
    contradictions(context);
    without_effect(context);
}

fn is_preference(record: &Record) -> bool {
    matches!(record.kind, RecordKind::ContentSignal | RecordKind::ContentUsage)
}

/// Returns the path and the statement of a preference.
fn split<'b>(record: &Record, body: &'b [u8]) -> Option<PreferenceRecord<'b>> {
    match record.value(body)? {
        RecordValue::ContentSignal(split) | RecordValue::ContentUsage(split) => Some(split),
        _ => None,
    }
}

/// Returns the groups of an audience.
fn groups<'c>(robots: &'c RobotsTxt<'c>, obeyed: &Obeyed<'c>) -> impl Iterator<Item = &'c Group> {
    obeyed.audience.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize))
}

/// Returns the preferences for an audience.
fn preferences<'c>(robots: &'c RobotsTxt<'c>, obeyed: &Obeyed<'c>) -> impl Iterator<Item = &'c Record> {
    groups(robots, obeyed).flat_map(|group| robots.records_of(group)).filter(|record| is_preference(record))
}

/// Reports whether an audience may fetch any path that a pattern matches.
fn may_fetch(context: &Context<'_>, obeyed: &Obeyed<'_>, pattern: &[u8]) -> Result<bool, NotDecided> {
    let dialect = context.robots.dialect();
    // The comparison of two rule sets looks at each rule.
    obeyed.rules.budget.take(WORK_OF_A_RULE * obeyed.rules.rule_set().rules().len() as u64)?;
    let asked = RuleSet::from_rules(dialect, [(RuleKind::Disallow, pattern, 1)]);
    let asked = RuleAnalysis::new(&asked, dialect, Paths::Urls, obeyed.rules.budget);
    Ok(!opened(&asked, &obeyed.rules)?.is_empty())
}

/// Preferences before any group.
fn outside(context: &mut Context<'_>) {
    let first = context.robots.groups().first().and_then(|group| context.robots.agents_of(group).first());
    let first = first.map(|agent| agent.line);
    for record in context.robots.records().iter().filter(|record| is_preference(record)) {
        if first.is_none_or(|line| record.line < line) {
            let message = "a preference before any `User-agent` line is of no group, and is not read";
            context.report("preference-outside-group", record.line, record.key, message);
        }
    }
}

/// Preferences of the group for `*`, and agents with groups of their own to which nothing is said.
fn for_star_alone(context: &mut Context<'_>) {
    let Some(check) = context.check("preference-outside-group") else { return };
    let robots = context.robots;
    let Some(others) = context.obeyed.iter().find(|obeyed| obeyed.audience.has_others) else { return };
    let stated: Vec<&Record> = preferences(robots, others).collect();
    let Some(first) = stated.first() else { return };
    let mut missed: Vec<&Obeyed<'_>> = Vec::new();
    let mut undecided = false;
    let is_silent = |obeyed: &&Obeyed<'_>| !obeyed.audience.has_others && preferences(robots, obeyed).next().is_none();
    for obeyed in context.obeyed.iter().filter(is_silent) {
        // What cannot be fetched needs no preference.
        match may_fetch(context, obeyed, b"/") {
            Ok(true) => missed.push(obeyed),
            Ok(false) => {}
            Err(NotDecided) => undecided = true,
        }
    }
    if undecided {
        let message = "whether all agents that this preference does not reach may fetch a page was not decided";
        let finding = context.check("not-decided").map(|check| Finding::new(check, first.line, first.key, message));
        context.found.extend(finding);
    }
    let title = match missed.as_slice() {
        [] => return,
        [one] => one.audience.title(),
        [one, rest @ ..] => {
            let more: usize = rest.iter().map(|obeyed| obeyed.audience.names.len()).sum();
            format!("{} and {more} more", one.audience.names.first().map_or("", String::as_str))
        }
    };
    let verb = if title.contains(" and ") { "have" } else { "has" };
    let message = format!("{title} {verb} a group without preferences, and a preference for `*` does not reach it");
    let mut lines = Vec::new();
    for record in &stated {
        lines.extend_from_slice(context.lines.text(record.line));
        lines.extend_from_slice(context.lines.end_of_line());
    }
    let last_agent = |obeyed: &&Obeyed<'_>| {
        let group = groups(robots, obeyed).next()?;
        robots.agents_of(group).last().map(|agent| agent.line)
    };
    let places: BTreeSet<u32> = missed.iter().filter_map(last_agent).collect();
    let edits = places.iter().map(|line| {
        let at = context.lines.whole(*line).end;
        Edit { range: at..at, with: lines.clone() }
    });
    let fix = Fix { title: "copy the lines to each group".to_owned(), is_safe: false, edits: edits.collect() };
    let found = Finding::new(check, first.line, first.key, message).related(places).fix(fix);
    context.found.push(found);
}

/// A term of a vocabulary, by its record.
type Term = (RecordKind, &'static str, Option<Category>);

/// The first line that says yes to a term, and the first that says no.
type Stated = BTreeMap<Term, [Option<u32>; 2]>;

/// Adds what a record says.
fn add(stated: &mut Stated, record: &Record, split: PreferenceRecord<'_>) {
    let mut add = |name, category, is_yes: bool| {
        let lines = stated.entry((record.kind, name, category)).or_default();
        lines[usize::from(!is_yes)].get_or_insert(record.line);
    };
    if record.kind == RecordKind::ContentSignal {
        for signal in signals(split.statement) {
            if let Some(SignalMeaning::Label(label, is_yes)) = signal.meaning {
                add(label.name, label.category, is_yes);
            }
        }
    } else if let Ok(dictionary) = Dictionary::parse(split.statement) {
        for label in Vocabulary::NEWEST.labels {
            if let Some(is_yes) = dictionary.preference(label.name).as_bool() {
                add(label.name, label.category, is_yes);
            }
        }
    }
}

/// Preferences for one path that disagree.
fn contradictions(context: &mut Context<'_>) {
    let Some(check) = context.check("preference-contradiction") else { return };
    let mut known: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let mut of_paths: BTreeMap<Option<Vec<u8>>, Stated> = BTreeMap::new();
        for record in preferences(context.robots, obeyed) {
            let Some(split) = split(record, context.body()) else { continue };
            let path = split.path.map(|path| context.robots.dialect().normalize_pattern(path));
            add(of_paths.entry(path).or_default(), record, split);
        }
        for stated in of_paths.values() {
            for (said, other) in disagreeing(stated) {
                if !known.insert((said.line, other.line)) {
                    continue;
                }
                let holds = if said.term.0 == other.term.0 { ": no holds" } else { "" };
                let message = format!("`{said}` says otherwise than line {}, `{other}`{holds}", other.line);
                let span = context.lines.span(said.line);
                found.push(Finding::new(check, said.line, span, message).related([other.line]));
            }
        }
    }
    context.found.extend(found);
}

/// What a line says of a term.
struct Said {
    term: Term,
    is_yes: bool,
    line: u32,
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = if self.term.0 == RecordKind::ContentSignal { ["no", "yes"] } else { ["n", "y"] };
        write!(f, "{}={}", self.term.1, words[usize::from(self.is_yes)])
    }
}

/// Returns the statements that disagree: on one term, and on terms that correspond.
fn disagreeing(stated: &Stated) -> Vec<(Said, Said)> {
    let mut found = Vec::new();
    let said = |term: Term, is_yes, line: Option<u32>| Some(Said { term, is_yes, line: line? });
    for (&term, &[yes, no]) in stated {
        if let (Some(yes), Some(no)) = (said(term, true, yes), said(term, false, no))
            && yes.line != no.line
        {
            found.push((yes, no));
        }
        let others = stated.iter().filter(|(other, _)| other.0 != term.0 && other.2 == term.2 && term.2.is_some());
        for (&other, &[other_yes, other_no]) in others.filter(|_| term.0 == RecordKind::ContentSignal) {
            let pairs = [
                (said(term, true, yes), said(other, false, other_no)),
                (said(term, false, no), said(other, true, other_yes)),
            ];
            found.extend(pairs.into_iter().filter_map(|(one, other)| Some((one?, other?))));
        }
    }
    found
}

/// Preferences for paths that none of their agents may fetch.
fn without_effect(context: &mut Context<'_>) {
    let Some(check) = context.check("preference-contradiction") else { return };
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
                    let finding = context.check("not-decided");
                    found.extend(finding.map(|check| Finding::new(check, record.line, record.value, message)));
                    // The budget is spent.
                    break 'groups;
                }
            }
            let message = format!("{} is disallowed: a preference for it has no effect", quoted(path));
            found.push(Finding::new(check, record.line, record.value, message).severity(Severity::Info));
        }
    }
    context.found.extend(found);
}
