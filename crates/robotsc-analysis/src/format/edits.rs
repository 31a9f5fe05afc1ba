//! Edits of whole lines.

use robotsc_compiler::small_sort::SmallSort as _;

use crate::text::lines::Lines;

/// A line, from 1, and what is in its place; `None` if it is removed.
pub(super) type LineEdit = (u32, Option<Vec<u8>>);

/// Returns a body after some edits, each of another line. The lines of the body end in LF.
pub(super) fn edited(body: &[u8], edits: &[LineEdit]) -> Vec<u8> {
    let lines = Lines::new(body);
    let mut edits: Vec<&LineEdit> = edits.iter().collect();
    edits.small_sort_by_key(|(line, _)| *line);
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    for (line, with) in edits {
        let whole = lines.whole(*line);
        out.extend_from_slice(&body[at..whole.start.max(at)]);
        if let Some(with) = with {
            out.extend_from_slice(with);
            out.push(b'\n');
        }
        at = whole.end;
    }
    out.extend_from_slice(&body[at..]);
    out
}
