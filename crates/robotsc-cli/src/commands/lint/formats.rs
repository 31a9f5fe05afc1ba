//! Findings for programs: one line each, JSON Lines, annotations of GitHub Actions.

use std::io::Write;

use robotsc::robots_txt::Severity;
use robotsc_answers::lint::{columns, json, severity};
use robotsc_answers::shown;
use serde_json::Map;

use super::Linted;
use crate::failure::Failure;
use crate::io::output;

/// Writes one line for each finding.
pub(super) fn write_lines(out: &mut dyn Write, files: &[Linted<'_>]) -> Result<(), Failure> {
    for file in files {
        for finding in &file.found {
            let (column, _) = columns(file.robots.body(), finding.span);
            let (line, severity) = (finding.line.max(1), severity(finding.severity));
            let message = shown::line(&finding.message);
            writeln!(out, "{}:{line}:{column}: {severity}[{}]: {message}", file.name, finding.check.code())?;
        }
    }
    Ok(())
}

/// Writes a JSON object for each finding.
pub(super) fn write_json(out: &mut dyn Write, files: &[Linted<'_>]) -> Result<(), Failure> {
    for file in files {
        for finding in &file.found {
            let mut object = Map::new();
            object.insert("file".to_owned(), file.name.into());
            object.extend(json(file.robots.body(), finding));
            output::json_line(out, &object)?;
        }
    }
    Ok(())
}

/// Writes a workflow command for each finding.
pub(super) fn write_github(out: &mut dyn Write, files: &[Linted<'_>]) -> Result<(), Failure> {
    for file in files {
        for finding in &file.found {
            let command = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let (start, end) = columns(file.robots.body(), finding.span);
            let mut message = finding.message.clone();
            if let Some(path) = &finding.witness {
                message.push_str(&format!(" (example: {path})"));
            }
            writeln!(
                out,
                "::{command} title={},file={},line={},endLine={},col={start},endColumn={end}::{}",
                property(finding.check.code()),
                property(file.name),
                finding.line.max(1),
                finding.line.max(1),
                data(&message)
            )?;
        }
    }
    Ok(())
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workflow_commands_are_escaped() {
        assert_eq!(data("50 %\n::error::"), "50 %25%0A::error::");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
