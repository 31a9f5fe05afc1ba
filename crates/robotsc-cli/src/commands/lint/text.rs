//! Findings for people: the line with carets, the path that shows it, and what to do.

use std::collections::BTreeMap;
use std::io::Write;

use robotsc::robots_txt::Severity;
use robotsc_analysis::Lines;
use robotsc_analysis::lint::Finding;
use robotsc_analysis::words;
use robotsc_answers::lint::severity;
use robotsc_answers::shown;

use super::Linted;
use crate::failure::Failure;
use crate::io::report::{Place, Report, Tone};

/// The findings of one check from which the last line names `--statistics`: more than a screen or two shows.
const MANY: usize = 11;

/// Writes the findings of all files, and how many there are unless it is to be `quiet`.
pub(super) fn write(out: &mut dyn Write, files: &[Linted<'_>], quiet: bool) -> Result<(), Failure> {
    for file in files {
        let lines = file.lines();
        for finding in &file.found {
            writeln!(out, "{}\n", report(file, &lines, finding).render())?;
        }
    }
    if quiet {
        return Ok(());
    }
    let mut of_code: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in files.iter().flat_map(|file| &file.found) {
        *of_code.entry(finding.check.code()).or_default() += 1;
    }
    let is_many = of_code.values().any(|count| *count >= MANY);
    let counts = if is_many { "; --statistics counts them by code" } else { "" };
    writeln!(out, "{}{counts}", total(files))?;
    Ok(())
}

/// Returns how many findings there are, and how many of them a fix removes, in words.
pub(super) fn total(files: &[Linted<'_>]) -> String {
    let found = files.iter().flat_map(|file| &file.found);
    let (safe, other): (Vec<_>, Vec<_>) = found.filter_map(|finding| finding.fix.as_ref()).partition(|fix| fix.is_safe);
    let options = match (safe.len(), other.len()) {
        (0, 0) => None,
        (_, 0) => Some("--fix".to_owned()),
        (0, _) => Some("--unsafe-fixes".to_owned()),
        (safe, _) => Some(format!("{safe} with --fix, all with --unsafe-fixes")),
    };
    let fixes =
        options.map_or_else(String::new, |options| format!(", {} can be fixed ({options})", safe.len() + other.len()));
    let severities: Vec<Severity> = files.iter().flat_map(|file| &file.found).map(|found| found.severity).collect();
    let counts = counted(&severities);
    let in_files = words::counted(files.len(), "file");
    if counts.is_empty() { format!("nothing found in {in_files}") } else { format!("{counts} in {in_files}{fixes}") }
}

/// Returns how many findings there are of each severity, in words; nothing if there are none.
pub(crate) fn counted(severities: &[Severity]) -> String {
    let count = |severity| severities.iter().filter(|found| **found == severity).count();
    let mut parts = Vec::new();
    for (severity, one, several) in [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "note", "notes"),
    ] {
        match count(severity) {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            count => parts.push(format!("{count} {several}")),
        }
    }
    parts.join(", ")
}

fn report<'f>(file: &'f Linted<'_>, lines: &Lines<'_>, finding: &'f Finding) -> Report<'f> {
    let mut notes = Vec::new();
    if let Some(path) = &finding.witness {
        notes.push(("example", shown::line(path)));
    }
    for line in finding.related.iter().take(3) {
        notes.push(("see", format!("line {line}: {}", shown::cut(lines.text(*line), 100))));
    }
    if let Some(fix) = &finding.fix {
        let option = if fix.is_safe { "--fix" } else { "--unsafe-fixes" };
        notes.push(("fix", format!("{} ({option})", fix.title)));
    }
    Report {
        tone: match finding.severity {
            Severity::Error => Tone::Error,
            Severity::Warning => Tone::Warning,
            Severity::Info => Tone::Note,
        },
        name: severity(finding.severity),
        code: Some(finding.check.code()),
        title: shown::line(&finding.message),
        place: Some(Place {
            file: file.name,
            body: file.robots.body(),
            line: finding.line.max(1),
            span: finding.span,
            label: String::new(),
        }),
        notes,
    }
}
