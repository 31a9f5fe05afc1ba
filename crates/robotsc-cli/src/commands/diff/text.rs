//! A diff for a person.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use robotsc_analysis::{Diff, Effect, RecordChange, RecordDiff, RuleDiff, VerdictChange};
use robotsc_answers::diff::differing_lines;
use robotsc_answers::diff::words::Words;

use super::{DiffArgs, Side};

/// The most changes by one Disallow that are listed; the rest is counted.
const MAX_LISTED: usize = 5;
/// The most Disallow rules of a group of agents that are listed.
const MAX_RULES: usize = 20;

const HEAD: Style = Style::new().bold();
const BLOCKED: Style = AnsiColor::Red.on_default();
const OPENED: Style = AnsiColor::Green.on_default();

/// Writes what changed, for whom, and for whom nothing did.
pub(super) fn write(
    out: &mut dyn Write,
    diff: &Diff,
    words: &Words,
    sides: [&Side<'_>; 2],
    args: &DiffArgs,
) -> io::Result<()> {
    if diff.is_same() {
        return writeln!(out, "{}", same(sides, args, words.unchanged(&diff.unchanged)));
    }
    for rules in &diff.rules {
        writeln!(out, "{HEAD}{}{HEAD:#}", words.who(&rules.agents))?;
        group(out, rules, words)?;
        let notes = words.notes(rules);
        for records in diff.records.iter().filter(|records| records.agents == rules.agents) {
            changed_records(out, &records.changes, words)?;
            let more = words.record_notes(records).into_iter().filter(|note| !notes.contains(note));
            write_notes(out, more)?;
        }
    }
    let is_shown = |records: &&RecordDiff| diff.rules.iter().any(|rules| rules.agents == records.agents);
    for records in diff.records.iter().filter(|records| !is_shown(records)) {
        writeln!(out, "{HEAD}{}{HEAD:#}", words.who(&records.agents))?;
        changed_records(out, &records.changes, words)?;
        write_notes(out, words.record_notes(records))?;
    }
    if !diff.file_records.is_empty() {
        writeln!(out, "{HEAD}the whole file{HEAD:#}")?;
        changed_records(out, &diff.file_records, words)?;
    }
    if !diff.unchanged.is_empty() {
        let same = if args.dialects.is_empty() { "the same paths as before" } else { "the same paths under both" };
        writeln!(out, "{same}: {}", words.unchanged(&diff.unchanged))?;
    }
    Ok(())
}

fn changed_records(out: &mut dyn Write, changes: &[RecordChange], words: &Words) -> io::Result<()> {
    for change in changes {
        writeln!(out, "  ~ {}", words.record(change))?;
    }
    Ok(())
}

/// Writes the changes of a group of agents.
fn group(out: &mut dyn Write, rules: &RuleDiff, words: &Words) -> io::Result<()> {
    if rules.outcome.is_err() {
        writeln!(out, "  ? not decided: the rules are too complex for the work budget")?;
    }
    // Changes by one Disallow are neighbours.
    let mut rest: &[VerdictChange] = rules.changes();
    let mut count = 0;
    while let Some(first) = rest.first() {
        if count == MAX_RULES && !words.is_full {
            writeln!(out, "  and {} more changes: --all lists all", rest.len())?;
            break;
        }
        count += 1;
        let is_same = |change: &&VerdictChange| change.effect == first.effect && change.disallow() == first.disallow();
        let (same, others) = rest.split_at(rest.iter().take_while(is_same).count());
        rest = others;
        let (style, sign) = match first.effect {
            Effect::Blocked => (BLOCKED, '-'),
            Effect::Opened => (OPENED, '+'),
        };
        writeln!(out, "  {style}{sign}{style:#} {}", words.change(rules, first))?;
        let most = if words.is_full { usize::MAX } else { MAX_LISTED };
        for change in same.iter().skip(1).take(most) {
            writeln!(out, "    {}", words.more(rules, change))?;
        }
        if same.len() > most.saturating_add(1) {
            writeln!(out, "    and {} more such pairs of rules", same.len() - 1 - most)?;
        }
    }
    write_notes(out, words.notes(rules))
}

fn write_notes(out: &mut dyn Write, notes: impl IntoIterator<Item = String>) -> io::Result<()> {
    notes.into_iter().try_for_each(|note| writeln!(out, "  note: {note}"))
}

/// Returns the sentence for files of one meaning.
fn same([old, new]: [&Side<'_>; 2], args: &DiffArgs, who: String) -> String {
    if let [one, other] = args.dialects[..] {
        return format!("same meaning for {who} under {} and {}", one.name, other.name);
    }
    let who = if args.agents.is_empty() { "all agents".to_owned() } else { who };
    let (one, other) = (old.robots.body(), new.robots.body());
    if one == other {
        return format!("same meaning for {who}; the files are equal");
    }
    let difference = match differing_lines(one, other) {
        0 => "only the order of lines, or their ends, differ".to_owned(),
        1 => "1 line differs".to_owned(),
        count => format!("{count} lines differ"),
    };
    format!("same meaning for {who}; {difference}")
}
