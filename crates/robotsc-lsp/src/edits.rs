//! Edits of a document: from bytes to positions, and from one text to another.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types::{
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextDocumentIdentifier, TextEdit, WorkspaceEdit,
};
use robotsc::analysis::lint::Fix;
use robotsc::analysis::{Lines, changed_lines, edited, fitted};

use crate::document::Document;
use crate::positions::Positions;

/// Returns the edits that make a text of that of `positions`, line by line, so that cursors and folds stay.
pub(crate) fn between(new: &str, positions: &Positions<'_>) -> Vec<TextEdit> {
    let new_lines = Lines::new(new.as_bytes());
    // Where a run of lines is; one that is empty is before the next line.
    let bytes = |lines: &Lines<'_>, run: Range<u32>| lines.whole(run.start).start..lines.whole(run.end).start;
    changed_lines(&positions.lines, &new_lines)
        .into_iter()
        .map(|[of_old, of_new]| {
            let range = positions.range(bytes(&positions.lines, of_old));
            TextEdit { range, new_text: new[bytes(&new_lines, of_new)].to_owned() }
        })
        .collect()
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
