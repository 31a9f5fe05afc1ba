//! What can be folded: groups, and comments of several lines.

use gen_lsp_types::{FoldingRange, FoldingRangeKind};

use crate::document::Document;
use crate::symbols::lines_of;

/// Returns the folds of a document. Cost: linear.
pub(crate) fn folds(document: &Document) -> Vec<FoldingRange> {
    let positions = document.positions();
    let robots = document.robots();
    let groups = robots.groups().iter().filter_map(|group| lines_of(&robots, group));
    let mut folds: Vec<FoldingRange> = groups.filter_map(|(first, last)| fold(first, last, None)).collect();
    let mut start: Option<u32> = None;
    for line in 1..=positions.lines.count() + 1 {
        let is_comment =
            line <= positions.lines.count() && positions.lines.text(line).trim_ascii_start().first() == Some(&b'#');
        match start {
            None if is_comment => start = Some(line),
            Some(first) if !is_comment => {
                folds.extend(fold(first, line - 1, Some(FoldingRangeKind::Comment)));
                start = None;
            }
            _ => {}
        }
    }
    folds.sort_by_key(|fold| (fold.start_line, fold.end_line));
    folds
}

/// Returns the fold of some lines, from 1; none for one line.
fn fold(first: u32, last: u32, kind: Option<FoldingRangeKind>) -> Option<FoldingRange> {
    (first < last).then(|| FoldingRange { start_line: first - 1, end_line: last - 1, kind, ..FoldingRange::default() })
}
