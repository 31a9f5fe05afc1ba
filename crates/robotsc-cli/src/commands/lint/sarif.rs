//! Findings in SARIF 2.1.0, which code scanning reads.

use std::io::Write;

use robotsc_analysis::Lines;
use robotsc_analysis::lint::{Finding, LintCheck};
use robotsc_answers::lint::{columns, severity};
use serde_json::{Value, json};

use super::Linted;
use crate::failure::Failure;

/// Writes one log for all files. What kept others from being linted or written is in it, too: a log without it would
/// look as if they were clean.
pub(super) fn write(out: &mut dyn Write, files: &[Linted<'_>], missed: &[String]) -> Result<(), Failure> {
    let mut results: Vec<Value> = Vec::new();
    for file in files {
        let lines = file.lines();
        results.extend(file.found.iter().map(|finding| result(file, &lines, finding)));
    }
    let notifications: Vec<Value> = missed.iter().map(|message| notification(message)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "robotsc",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": LintCheck::ALL.iter().map(rule).collect::<Vec<Value>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": missed.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log).map_err(std::io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}

fn notification(message: &str) -> Value {
    json!({ "level": "error", "message": { "text": sentence(message) } })
}

fn rule(check: &LintCheck) -> Value {
    json!({
        "id": check.code(),
        "shortDescription": { "text": sentence(check.summary()) },
        "fullDescription": { "text": sentence(check.summary()) },
        "helpUri": check.page_url(),
        "help": { "text": check.page(), "markdown": check.page() },
        "defaultConfiguration": { "level": severity(check.severity()) },
    })
}

/// Returns a text as a sentence, as SARIF asks for.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

fn result(file: &Linted<'_>, lines: &Lines<'_>, finding: &Finding) -> Value {
    let body = file.robots.body();
    let uri = uri(file.name);
    let (start, end) = columns(body, finding.span);
    let line = finding.line.max(1);
    let location =
        |region: Value| json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } });
    let mut message = sentence(&finding.message);
    if let Some(path) = &finding.witness {
        message.push_str(&format!(" Example: {path}"));
    }
    let related: Vec<Value> = finding
        .related
        .iter()
        .map(|line| {
            let mut place = location(json!({ "startLine": line }));
            place["message"] = json!({ "text": format!("Line {line}.") });
            place
        })
        .collect();
    // By check and text, so that lines that move stay the same finding.
    let of_line = String::from_utf8_lossy(lines.text(finding.line).trim_ascii()).into_owned();
    let fingerprint = format!("{}:{of_line}", finding.check.code());
    let mut result = json!({
        "ruleId": finding.check.code(),
        "ruleIndex": LintCheck::ALL.iter().position(|check| *check == finding.check),
        "level": severity(finding.severity),
        "message": { "text": message },
        "locations": [location(json!({ "startLine": line, "startColumn": start, "endColumn": end.max(start + 1) }))],
        "partialFingerprints": { "checkAndLine/v1": fingerprint },
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    // No fixes: each would be applied alone, and what keeps the meaning is proved for all that are applied together.
    result
}

/// Returns a file name as a relative URI.
fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
