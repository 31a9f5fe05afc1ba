//! Findings for people: the line with carets, the path that shows it, and what to do.

use std::io::Write;

use robotsc::Severity;
use robotsc_analysis::lint::Finding;

use super::Linted;
use crate::failure::Failure;
use crate::report::{Place, Report, Tone};
use crate::shown;

/// Writes the findings of all files, and how many there are.
pub(super) fn write(out: &mut dyn Write, files: &[Linted<'_>]) -> Result<(), Failure> {
    for file in files {
        for finding in &file.found {
            writeln!(out, "{}\n", report(file, finding).render())?;
        }
    }
    let severities: Vec<Severity> = files.iter().flat_map(|file| &file.found).map(|found| found.severity).collect();
    let counts = counted(&severities);
    let in_files = if files.len() == 1 { "1 file".to_owned() } else { format!("{} files", files.len()) };
    if counts.is_empty() {
        writeln!(out, "nothing found in {in_files}")?;
    } else {
        writeln!(out, "{counts} in {in_files}")?;
    }
    Ok(())
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

fn report<'f>(file: &'f Linted<'_>, finding: &'f Finding) -> Report<'f> {
    let mut notes = Vec::new();
    if let Some(path) = &finding.witness {
        notes.push(("example", shown::line(path)));
    }
    for line in finding.related.iter().take(3) {
        notes.push(("see", format!("line {line}: {}", shown::cut(line_of(file.robots.body(), *line), 100))));
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
        name: super::formats::severity(finding.severity),
        code: Some(finding.check.code),
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

/// Returns the text of a line, from 1.
pub(super) fn line_of(body: &[u8], line: u32) -> &[u8] {
    let mut rest = body;
    for number in 1.. {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let Some(end) = end else { return if number == line { rest } else { b"" } };
        if number == line {
            return &rest[..end];
        }
        let is_crlf = rest[end] == b'\r' && rest.get(end + 1) == Some(&b'\n');
        rest = &rest[end + 1 + usize::from(is_crlf)..];
    }
    b""
}

/// Writes the lines that differ, as `diff -u` does without context.
pub(super) fn write_diff(out: &mut dyn Write, name: &str, old: &[u8], new: &[u8]) -> Result<(), Failure> {
    let (before, after): (Vec<&[u8]>, Vec<&[u8]>) =
        (old.split_inclusive(|byte| *byte == b'\n').collect(), new.split_inclusive(|byte| *byte == b'\n').collect());
    if old == new {
        return Ok(());
    }
    writeln!(out, "--- {name}\n+++ {name}")?;
    let mut patch = |sign: char, line: &[u8]| -> Result<(), Failure> {
        Ok(writeln!(out, "{sign}{}", shown::bytes(line.trim_ascii_end()))?)
    };
    let (mut at, mut other) = (0, 0);
    while at < before.len() || other < after.len() {
        if before.get(at) == after.get(other) {
            at += 1;
            other += 1;
            continue;
        }
        // Fixes remove, change and insert few lines: the next line in common is near.
        let near = |count: usize| (0..=count).map(move |ahead| (ahead, count - ahead));
        let is_common = |(ahead, beside): &(usize, usize)| {
            before.get(at + ahead).is_some() && before.get(at + ahead) == after.get(other + beside)
        };
        let left = (before.len() - at).max(after.len() - other);
        let next = (1..=left.min(64) * 2).flat_map(near).find(is_common);
        let (ahead, beside) = next.unwrap_or((before.len() - at, after.len() - other));
        for line in &before[at..at + ahead] {
            patch('-', line)?;
        }
        for line in &after[other..other + beside] {
            patch('+', line)?;
        }
        at += ahead;
        other += beside;
    }
    Ok(())
}
