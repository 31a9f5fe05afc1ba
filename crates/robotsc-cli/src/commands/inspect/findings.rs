//! What the parser found wrong with a robots.txt, each with its line and a caret.

use std::io::Write;

use robotsc::RobotsTxt;
use robotsc::robots_txt::{Diagnostic, Severity};
use robotsc_answers::shown;
use serde_json::json;

use crate::failure::{End, Failure};
use crate::io::output;
use crate::io::report::{Place, Report, Tone};

/// The diagnostics that are shown if not all are asked for: a binary file has one a line.
const MAX_SHOWN: usize = 20;

/// Returns how a run ends: errors and warnings are findings, notes are not.
pub(super) fn end(robots: &RobotsTxt<'_>) -> End {
    let is_finding = |found: &Diagnostic| found.severity >= Severity::Warning;
    if robots.diagnostics().iter().any(is_finding) { End::Findings } else { End::Clean }
}

/// Writes the diagnostics, the most severe first and those of one severity in the order of the file.
pub(super) fn write(out: &mut dyn Write, file: &str, robots: &RobotsTxt<'_>, all: bool) -> Result<(), Failure> {
    let body = robots.body();
    let mut found: Vec<&Diagnostic> = robots.diagnostics().iter().collect();
    found.sort_by_key(|found| (std::cmp::Reverse(found.severity), found.line));
    let limit = if all { found.len() } else { MAX_SHOWN };
    for found in found.iter().take(limit) {
        let report = Report {
            tone: match found.severity {
                Severity::Error => Tone::Error,
                Severity::Warning => Tone::Warning,
                Severity::Info => Tone::Note,
            },
            name: match found.severity {
                Severity::Info => "note",
                severity => severity.as_str(),
            },
            code: Some(found.code.as_str()),
            title: shown::line(&found.message(body)),
            place: Some(Place { file, body, line: found.line, span: found.span, label: String::new() }),
            notes: Vec::new(),
        };
        writeln!(out, "\n{}", report.render())?;
    }
    if found.len() > limit {
        writeln!(out, "\nand {} more: --all shows all", found.len() - limit)?;
    }
    Ok(())
}

/// Writes the diagnostics in JSON Lines, in the order of the file.
pub(super) fn write_json(out: &mut dyn Write, robots: &RobotsTxt<'_>) -> Result<(), Failure> {
    for found in robots.diagnostics() {
        output::json_line(
            out,
            &json!({
                "type": "diagnostic", "code": found.code.as_str(), "severity": found.severity.as_str(),
                "line": found.line, "start": found.span.start, "end": found.span.end,
                "message": found.message(robots.body()),
            }),
        )?;
    }
    Ok(())
}
