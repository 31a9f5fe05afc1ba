//! Findings as an editor shows them.

use std::collections::BTreeMap;

use gen_lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, Range,
};
use robotsc::analysis::lint::Finding;

use crate::document::Document;
use crate::excerpt::excerpt;
use crate::positions::Positions;

/// The maximum number of findings that are shown. A hostile file can have one on each line.
const MAX_SHOWN: usize = 1000;

/// Returns the findings of a document. The first [`MAX_SHOWN`] are shown, the rest is counted.
///
/// Cost: that of the lint if it has not run, within its work budget; linear otherwise. Never panics.
pub(crate) fn of(document: &Document, has_related: bool) -> Vec<Diagnostic> {
    let positions = document.positions();
    let found = document.findings();
    let mut related = Related::new(document, &positions, has_related);
    let mut all: Vec<Diagnostic> =
        found.iter().take(MAX_SHOWN).map(|finding| diagnostic(document, &positions, finding, &mut related)).collect();
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

/// The lines that findings refer to. Many findings can refer to one long line: its range is computed once.
pub(crate) struct Related<'d> {
    document: &'d Document,
    positions: &'d Positions<'d>,
    is_shown: bool,
    lines: BTreeMap<u32, DiagnosticRelatedInformation>,
}

impl<'d> Related<'d> {
    pub(crate) const fn new(document: &'d Document, positions: &'d Positions<'d>, is_shown: bool) -> Self {
        Self { document, positions, is_shown, lines: BTreeMap::new() }
    }

    /// Returns the lines of a finding, at most 10.
    fn of(&mut self, finding: &Finding) -> Vec<DiagnosticRelatedInformation> {
        let lines = finding.related.iter().take(if self.is_shown { 10 } else { 0 });
        let read = |line: u32| DiagnosticRelatedInformation {
            location: Location { uri: self.document.uri.clone(), range: self.positions.of_line(line) },
            message: format!("line {line}: {}", excerpt(self.positions.lines.text(line).trim_ascii())),
        };
        lines.map(|line| self.lines.entry(*line).or_insert_with(|| read(*line)).clone()).collect()
    }
}

/// Returns a finding as an editor shows it.
pub(crate) fn diagnostic(
    document: &Document,
    positions: &Positions<'_>,
    finding: &Finding,
    related: &mut Related<'_>,
) -> Diagnostic {
    let code = finding.check.code();
    let mut message = finding.message.clone();
    if let Some(witness) = &finding.witness {
        message.push_str(&format!("\nfor example {witness}"));
    }
    let related = related.of(finding);
    let tag = match code {
        "rule-never-decides" | "rule-redundant" | "rule-duplicate" | "unused-suppression" => {
            Some(DiagnosticTag::Unnecessary)
        }
        "agent-retired" | "retired-record" => Some(DiagnosticTag::Deprecated),
        _ => None,
    };
    Diagnostic {
        range: range(positions, finding),
        severity: Some(document.profile().severity(finding)),
        code: Some(code.to_owned().into()),
        code_description: Some(CodeDescription { href: finding.check.page_url().to_owned().into() }),
        source: Some("robotsc".to_owned()),
        message: message.into(),
        tags: tag.map(|tag| vec![tag]),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}
