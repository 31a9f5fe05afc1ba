//! A diff for a program: JSON objects.

use robotsc_analysis::{Agents, Diff, DiffRule, Effect, RecordChange, VerdictChange};
use serde_json::{Map, Value};

use super::words::Words;
use super::{Side, differing_lines};
use crate::shown;

/// Returns an object for each change, and a summary.
#[must_use]
pub fn objects(diff: &Diff, words: &Words, sides: [Side<'_>; 2]) -> Vec<Map<String, Value>> {
    let mut objects = Vec::new();
    for rules in &diff.rules {
        if rules.outcome.is_err() {
            let mut object = start("not-decided", Some(&rules.agents));
            object.insert("reason".to_owned(), "the rules are too complex for the work budget".into());
            objects.push(object);
        }
        for change in rules.changes() {
            let mut object = start("rules", Some(&rules.agents));
            object.insert("change".to_owned(), effect(change.effect).into());
            shown::put(&mut object, "path", &change.path);
            object.insert("old".to_owned(), rule(change.old.as_ref()));
            object.insert("new".to_owned(), rule(change.new.as_ref()));
            let named = |names: &[String]| names.iter().map(|name| shown::line(name)).collect::<Vec<_>>();
            object.insert("newly_named".to_owned(), named(&rules.newly_named).into());
            object.insert("no_longer_named".to_owned(), named(&rules.no_longer_named).into());
            object.insert("notes".to_owned(), words.notes(rules).into());
            object.insert("sentence".to_owned(), sentence(words, rules, change).into());
            objects.push(object);
        }
    }
    for records in &diff.records {
        for change in &records.changes {
            let mut object = record(change, words, Some(&records.agents));
            object.insert("notes".to_owned(), words.record_notes(records).into());
            objects.push(object);
        }
    }
    objects.extend(diff.file_records.iter().map(|change| record(change, words, None)));
    objects.push(summary(diff, sides));
    objects
}

fn summary(diff: &Diff, sides: [Side<'_>; 2]) -> Map<String, Value> {
    let mut summary = start("summary", None);
    let result = match (diff.is_decided(), diff.is_same()) {
        (false, _) => "not-decided",
        (true, true) => "same",
        (true, false) => "different",
    };
    summary.insert("result".to_owned(), result.into());
    summary.insert("old".to_owned(), sides[0].name.into());
    summary.insert("new".to_owned(), sides[1].name.into());
    summary.insert("old_dialect".to_owned(), sides[0].robots.dialect().name.into());
    summary.insert("new_dialect".to_owned(), sides[1].robots.dialect().name.into());
    for (name, wanted) in [("newly_blocked", Effect::Blocked), ("newly_allowed", Effect::Opened)] {
        let changes = diff.rules.iter().flat_map(|rules| rules.changes());
        summary.insert(name.to_owned(), changes.filter(|change| change.effect == wanted).count().into());
    }
    let lines = differing_lines(sides[0].robots.body(), sides[1].robots.body());
    summary.insert("differing_lines".to_owned(), lines.into());
    summary.insert("unchanged".to_owned(), agents(&diff.unchanged));
    summary
}

/// Returns the whole sentence for a change.
fn sentence(words: &Words, rules: &robotsc_analysis::RuleDiff, change: &VerdictChange) -> String {
    format!("{} {}", words.who(&rules.agents), words.change(rules, change))
}

/// Returns the name of an effect.
pub(super) const fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Blocked => "newly-blocked",
        Effect::Opened => "newly-allowed",
    }
}

/// Returns an object of a type, with agents.
pub(super) fn start(name: &str, of: Option<&Agents>) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), name.into());
    object.extend(of.map(|of| ("agents".to_owned(), agents(of))));
    object
}

/// Returns agents as names; `*` stands for all other agents.
pub(super) fn agents(agents: &Agents) -> Value {
    let others = agents.has_others.then(|| "*".to_owned());
    agents.names.iter().map(|name| shown::line(name)).chain(others).collect::<Vec<_>>().into()
}

fn rule(rule: Option<&DiffRule>) -> Value {
    let Some(rule) = rule else { return Value::Null };
    let mut object = Map::new();
    object.insert("lines".to_owned(), rule.lines.clone().into());
    object.insert("kind".to_owned(), rule.kind.as_str().to_ascii_lowercase().into());
    shown::put(&mut object, "value", &rule.value);
    shown::put(&mut object, "pattern", &rule.pattern);
    object.insert("is_in_both".to_owned(), rule.is_in_both.into());
    object.insert("other_line".to_owned(), rule.other_line.into());
    object.insert("origin".to_owned(), rule.origin.as_str().into());
    object.into()
}

fn record(change: &RecordChange, words: &Words, of: Option<&Agents>) -> Map<String, Value> {
    let mut object = start("record", of);
    let kind = words.record(change);
    let (name, _) = kind.split_once(':').unwrap_or((&kind, ""));
    object.insert("record".to_owned(), name.replace(' ', "-").into());
    let values = |values: &[Vec<u8>]| values.iter().map(|value| shown::bytes(value)).collect::<Vec<_>>();
    object.insert("removed".to_owned(), values(&change.removed).into());
    object.insert("added".to_owned(), values(&change.added).into());
    object
}
