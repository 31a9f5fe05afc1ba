//! Paths alone on the lines after a rule, whose key was written once.
//!
//! ```text
//! Disallow: /a
//!   /b             no record: `Disallow: /b` was meant
//! ```

use robotsc_compiler::RuleKind;

use super::comment_marks::comment_mark;
use super::context::Context;
use super::keys::{is_read, written};
use super::unread::Versions;

/// A path alone on a line.
pub(super) struct PathLine<'c> {
    pub(super) line: u32,
    /// The kind of the rule before it.
    pub(super) kind: RuleKind,
    pub(super) path: &'c [u8],
}

/// Returns the paths that are alone on the lines after a rule, in order, without the mark of a list.
///
/// Cost: linear in the lines of the file.
pub(super) fn path_lines<'c>(context: &Context<'c>, versions: Versions) -> Vec<PathLine<'c>> {
    let mut found = Vec::new();
    let mut kind: Option<RuleKind> = None;
    for line in 1..=context.lines.count() {
        if let Some(rule) = context.rule_of_line(line) {
            kind = Some(rule.kind);
            continue;
        }
        let text = written(context, line);
        let path = text.strip_prefix(b"- ").map_or(text, <[u8]>::trim_ascii_start);
        let is_path = path.starts_with(b"/") && !path.iter().any(u8::is_ascii_whitespace);
        let is_other = || is_read(context, line) || comment_mark(text).is_some() || versions.is_mark(text);
        kind = kind.filter(|_| is_path && !is_other());
        found.extend(kind.map(|kind| PathLine { line, kind, path }));
    }
    found
}

/// Reports whether a path is of a sitemap or of a robots.txt, which nobody closes.
pub(super) fn is_for_crawlers(path: &[u8]) -> bool {
    let lower = path.to_ascii_lowercase();
    lower == b"/robots.txt" || lower.ends_with(b".xml") && lower.windows(7).any(|part| part == b"sitemap")
}
