//! Findings as an editor shows them.

use gen_lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, Range,
};
use robotsc::analysis::lint::Finding;

use crate::document::Document;
use crate::positions::Positions;

/// The maximum number of findings that are shown. A hostile file can have one on each line.
const MAX_SHOWN: usize = 1000;

/// Where the pages of the checks are.
const PAGES: &str = "https://github.com/robotsc/robotsc/blob/main/crates/robotsc-analysis/src/lint/pages";

/// Returns the findings of a document. The first [`MAX_SHOWN`] are shown, the rest is counted.
///
/// Cost: that of the lint if it has not run, within its work budget; linear otherwise. Never panics.
pub(crate) fn of(document: &Document, has_related: bool) -> Vec<Diagnostic> {
    let positions = document.positions();
    let found = document.findings();
    let mut all: Vec<Diagnostic> =
        found.iter().take(MAX_SHOWN).map(|finding| diagnostic(document, &positions, finding, has_related)).collect();
    if found.len() > MAX_SHOWN {
        all.push(Diagnostic {
            range: positions.range(0..0),
            severity: Some(DiagnosticSeverity::Information),
            source: Some("robotsc".to_owned()),
            message: format!("{} more findings are not shown", found.len() - MAX_SHOWN).into(),
            ..Diagnostic::default()
        });
    }
    all
}

/// Returns the range of a finding: its bytes, or the first line if it is about the whole file.
pub(crate) fn range(positions: &Positions<'_>, finding: &Finding) -> Range {
    match finding.line {
        0 => positions.of_line(1),
        _ => positions.of_span(finding.span),
    }
}

/// Returns a finding as an editor shows it.
pub(crate) fn diagnostic(
    document: &Document,
    positions: &Positions<'_>,
    finding: &Finding,
    has_related: bool,
) -> Diagnostic {
    let code = finding.check.code;
    let mut message = finding.message.clone();
    if let Some(witness) = &finding.witness {
        message.push_str(&format!("\nfor example {witness}"));
    }
    let related = |line: &u32| {
        let text = positions.lines.text(*line).trim_ascii();
        DiagnosticRelatedInformation {
            location: Location { uri: document.uri.clone(), range: positions.of_line(*line) },
            message: format!("line {line}: {}", String::from_utf8_lossy(text)),
        }
    };
    let related: Vec<_> = finding.related.iter().take(if has_related { 10 } else { 0 }).map(related).collect();
    let tag = match code {
        "rule-never-decides" | "rule-redundant" | "rule-duplicate" | "unused-suppression" => {
            Some(DiagnosticTag::Unnecessary)
        }
        "agent-retired" | "retired-record" => Some(DiagnosticTag::Deprecated),
        _ => None,
    };
    Diagnostic {
        range: range(positions, finding),
        severity: Some(document.profile.severity(finding)),
        code: Some(code.to_owned().into()),
        code_description: Some(CodeDescription { href: format!("{PAGES}/{code}.md").into() }),
        source: Some("robotsc".to_owned()),
        message: message.into(),
        tags: tag.map(|tag| vec![tag]),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}
