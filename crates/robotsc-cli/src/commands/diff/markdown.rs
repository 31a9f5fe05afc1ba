//! A diff for a pull request: a sentence, a table of agents and paths, and folded what decides.

use std::io::Write;

use robotsc_analysis::words::{counted, listed};
use robotsc_analysis::{Agents, Diff, Effect, RecordChange, RuleDiff, VerdictChange};
use robotsc_answers::diff::words::Words;
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::markdown::{block, code};

/// The most rows of a table, and paths of a cell; the rest is counted.
const MAX_ROWS: usize = 50;
const MAX_PATHS: usize = 3;
/// The most bytes of what is folded: GitHub takes comments of 65,536 characters.
const MAX_FOLDED: usize = 30_000;

/// Writes a diff. `text` is the same for people, and `dialects` are those that one file is compared under.
pub(super) fn write(
    out: &mut dyn Write,
    diff: &Diff,
    words: &Words,
    text: &str,
    dialects: Option<[&str; 2]>,
) -> Result<(), Failure> {
    writeln!(out, "**{}.**\n", sentence(diff, dialects))?;
    if diff.is_same() {
        return Ok(writeln!(out, "{}", code(text.trim_end()))?);
    }
    let heads = match dialects {
        None => ["closed", "opened"].map(str::to_owned),
        Some(dialects) => dialects.map(|dialect| format!("open under {dialect} alone")),
    };
    writeln!(out, "| crawlers | {} | else |\n|-|-|-|-|", heads.join(" | "))?;
    let most = if words.is_full { usize::MAX } else { MAX_ROWS };
    let rows = rows(diff, words);
    for row in rows.iter().take(most) {
        writeln!(out, "| {} |", row.join(" | "))?;
    }
    if rows.len() > most {
        writeln!(out, "\nand {} more rows: `robotsc diff --all` lists all", rows.len() - most)?;
    }
    fold(out, "Which lines decide", text, words.is_full)
}

/// Writes text as a folded block of code, cut after a line if it is long.
pub(super) fn fold(out: &mut dyn Write, title: &str, text: &str, is_full: bool) -> Result<(), Failure> {
    let mut shown = text;
    if text.len() > MAX_FOLDED && !is_full {
        let end = text.as_bytes().iter().take(MAX_FOLDED).rposition(|byte| *byte == b'\n');
        shown = text.get(..end.unwrap_or_default()).unwrap_or_default();
    }
    writeln!(out, "\n<details>\n<summary>{title}</summary>\n\n{}", block(shown))?;
    if shown.len() < text.len() {
        writeln!(out, "The rest is cut: `robotsc diff` without `--emit markdown` shows it.\n")?;
    }
    Ok(writeln!(out, "</details>")?)
}

/// Returns what changed in a sentence, without its stop.
fn sentence(diff: &Diff, dialects: Option<[&str; 2]>) -> String {
    let of = |is_one: &dyn Fn(&RuleDiff) -> bool| diff.rules.iter().filter(|rules| is_one(rules)).count();
    let has = |effect| of(&|rules| rules.changes().iter().any(|change| change.effect == effect));
    let mut parts = Vec::new();
    for (count, verb) in [
        (has(Effect::Blocked), "closes paths to"),
        (has(Effect::Opened), "opens paths to"),
        (of(&|rules| rules.outcome.is_err()), "was not decided for"),
    ] {
        if count > 0 {
            parts.push(format!("{verb} {} of crawlers", counted(count as u64, "group")));
        }
    }
    if !diff.records.is_empty() || !diff.file_records.is_empty() {
        parts.push("changes what is no rule, such as crawl delays or sitemaps".to_owned());
    }
    if parts.is_empty() {
        parts.push("changes nothing for any of the crawlers".to_owned());
    }
    let subject = match dialects {
        None => "This edit".to_owned(),
        Some([one, other]) => format!("To read this file under {other} in place of {one}"),
    };
    format!("{subject} {}", listed(&parts))
}

/// Returns the cells of each row.
fn rows(diff: &Diff, words: &Words) -> Vec<[String; 4]> {
    let records = |changes: &[RecordChange]| -> Vec<String> {
        changes.iter().map(|change| code(&words.record(change))).collect()
    };
    let mut rows = Vec::new();
    for rules in &diff.rules {
        let [blocked, opened] = [Effect::Blocked, Effect::Opened].map(|effect| paths(rules, effect, words));
        let mut others = Vec::new();
        if rules.outcome.is_err() {
            others.push("not decided".to_owned());
        }
        for of in diff.records.iter().filter(|records| records.agents == rules.agents) {
            others.extend(records(&of.changes));
        }
        rows.push([who(&rules.agents, words), blocked, opened, others.join("<br>")]);
    }
    let is_shown = |agents: &Agents| diff.rules.iter().any(|rules| rules.agents == *agents);
    for of in diff.records.iter().filter(|records| !is_shown(&records.agents)) {
        rows.push([who(&of.agents, words), String::new(), String::new(), records(&of.changes).join("<br>")]);
    }
    if !diff.file_records.is_empty() {
        let others = records(&diff.file_records).join("<br>");
        rows.push(["the whole file".to_owned(), String::new(), String::new(), others]);
    }
    rows
}

/// Returns the paths of a cell.
fn paths(rules: &RuleDiff, effect: Effect, words: &Words) -> String {
    let changes: Vec<&VerdictChange> = rules.changes().iter().filter(|change| change.effect == effect).collect();
    let most = if words.is_full { usize::MAX } else { MAX_PATHS };
    let mut parts: Vec<String> = changes.iter().take(most).map(|change| code(&words.path(change))).collect();
    if changes.len() > most {
        parts.push(format!("and {} more", changes.len() - most));
    }
    parts.join("<br>")
}

/// Returns the agents of a row.
fn who(agents: &Agents, words: &Words) -> String {
    words.listed(agents, |name| code(&shown::line(name)), ["all crawlers", "all others"], " that obey <code>*</code>")
}
