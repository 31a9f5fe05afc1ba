//! Findings for programs: one line each, JSON Lines, annotations of GitHub Actions.

use std::io::Write;

use robotsc::{ByteSpan, Severity};
use serde_json::json;

use super::Linted;
use crate::failure::Failure;
use crate::output;
use crate::shown;

/// Returns a severity as people and SARIF call it.
pub(super) const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Returns the columns of a span in its line, from 1, in characters: that of its first, and that after its last.
pub(super) fn columns(body: &[u8], span: ByteSpan) -> (usize, usize) {
    let start = (span.start as usize).min(body.len());
    let end = (span.end as usize).clamp(start, body.len());
    let line = body[..start].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let characters = |text: &[u8]| String::from_utf8_lossy(text).chars().count();
    let first = 1 + characters(&body[line..start]);
    (first, first + characters(&body[start..end]))
}

/// Writes one line for each finding.
pub(super) fn write_lines(out: &mut dyn Write, files: &[Linted<'_>]) -> Result<(), Failure> {
    for file in files {
        for finding in &file.found {
            let (column, _) = columns(file.robots.body(), finding.span);
            let (line, severity) = (finding.line.max(1), severity(finding.severity));
            let message = shown::line(&finding.message);
            writeln!(out, "{}:{line}:{column}: {severity}[{}]: {message}", file.name, finding.check.code)?;
        }
    }
    Ok(())
}

/// Writes a JSON object for each finding.
pub(super) fn write_json(out: &mut dyn Write, files: &[Linted<'_>]) -> Result<(), Failure> {
    for file in files {
        for finding in &file.found {
            let (start, end) = columns(file.robots.body(), finding.span);
            let fix = finding.fix.as_ref().map(|fix| json!({ "title": fix.title, "safe": fix.is_safe }));
            output::json_line(
                out,
                &json!({
                    "file": file.name, "code": finding.check.code, "severity": severity(finding.severity),
                    "line": finding.line, "column": start, "end_column": end, "message": finding.message,
                    "witness": finding.witness, "related_lines": finding.related, "fix": fix,
                }),
            )?;
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
                property(finding.check.code),
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
    fn columns_count_characters() {
        let body = "a\nDisallow: /ä/b\n".as_bytes();
        assert_eq!(columns(body, ByteSpan::new(12, 17)), (11, 15));
        assert_eq!(columns(body, ByteSpan::new(99, 99)), (1, 1));
    }

    #[test]
    fn workflow_commands_are_escaped() {
        assert_eq!(data("50 %\n::error::"), "50 %25%0A::error::");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
