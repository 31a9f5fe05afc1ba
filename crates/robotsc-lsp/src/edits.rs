//! Edits of a document: from bytes to positions, and from one text to another.

use std::collections::HashMap;
use std::ops::Range as Bytes;
use std::time::{Duration, Instant};

use gen_lsp_types::{
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextDocumentIdentifier, TextEdit, WorkspaceEdit,
};
use robotsc::analysis::lint::Fix;
use robotsc::analysis::{Lines, edited, fitted};
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};

use crate::document::Document;
use crate::positions::Positions;

/// How long the smallest difference of two texts is looked for. After that, a larger one is sent.
const TIMEOUT: Duration = Duration::from_millis(200);

/// Returns the edits that make one text of another, line by line, so that cursors and folds stay.
pub(crate) fn between(old: &str, new: &str, positions: &Positions<'_>) -> Vec<TextEdit> {
    let new_lines = Lines::new(new.as_bytes());
    let [of_old, of_new] = [(&positions.lines, old), (&new_lines, new)]
        .map(|(lines, text)| (1..=lines.count()).map(|line| &text[lines.whole(line)]).collect::<Vec<&str>>());
    // Where a run of lines is; one that is empty is before the next line.
    let bytes = |lines: &Lines<'_>, run: Bytes<usize>| {
        let start = |at: usize| lines.whole(u32::try_from(at + 1).unwrap_or(u32::MAX)).start;
        start(run.start)..start(run.end)
    };
    let deadline = Instant::now() + TIMEOUT;
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &of_old, &of_new, Some(deadline));
    let mut edits = Vec::new();
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        let text = &new[bytes(&new_lines, op.new_range())];
        let range = positions.range(bytes(&positions.lines, op.old_range()));
        edits.push(TextEdit { range, new_text: text.to_owned() });
    }
    edits
}

/// Returns the edits of a fix, and the text after it. `None` if they do not fit the text.
pub(crate) fn of_fix(text: &str, fix: &Fix, positions: &Positions<'_>) -> Option<(Vec<TextEdit>, String)> {
    let edits = fitted(text.as_bytes(), &fix.edits);
    let after = String::from_utf8(edited(text.as_bytes(), &edits)?).ok()?;
    let edits = edits.into_iter().map(|edit| {
        let new_text = String::from_utf8(edit.with).ok()?;
        Some(TextEdit { range: positions.range(edit.range), new_text })
    });
    Some((edits.collect::<Option<_>>()?, after))
}

/// Returns the edit of a document, of this version if the editor knows versions.
pub(crate) fn of_document(document: &Document, edits: Vec<TextEdit>, knows_versions: bool) -> WorkspaceEdit {
    let uri = document.uri.clone();
    if !knows_versions {
        return WorkspaceEdit { changes: Some(HashMap::from([(uri, edits)])), ..WorkspaceEdit::default() };
    }
    let text_document = OptionalVersionedTextDocumentIdentifier {
        version: Some(document.version),
        text_document_identifier: TextDocumentIdentifier { uri },
    };
    let edits = edits.into_iter().map(Into::into).collect();
    let change = TextDocumentEdit { text_document, edits };
    WorkspaceEdit { document_changes: Some(vec![change.into()]), ..WorkspaceEdit::default() }
}
