//! Which of several statements with paths hold for a path: the longest pattern that matches, as in Allow and Disallow.

use robotsc_compiler::record::PreferenceRecord;
use robotsc_compiler::{Dialect, PathFormError, RuleKind, RuleOrigin, RuleSet, UrlPath};

/// Statements by the paths that they are about.
#[derive(Clone, Debug)]
pub(super) struct Statements<T> {
    /// In file order, with their lines.
    all: Vec<(u32, T)>,
    /// The places in `all` of those that are about all paths.
    without_path: Vec<usize>,
    /// The patterns of the others, ranked as rules are. The line of a rule is a place in `all`.
    patterns: RuleSet,
}

impl<T> Statements<T> {
    pub(super) fn new(dialect: &Dialect, records: Vec<(u32, PreferenceRecord<'_>, T)>) -> Self {
        let mut without_path = Vec::new();
        let mut patterns = Vec::new();
        let mut all = Vec::with_capacity(records.len());
        for (at, (line, record, statement)) in records.into_iter().enumerate() {
            match record.path {
                // A body is far shorter than this.
                Some(path) => patterns.push((RuleKind::Allow, path, u32::try_from(at).unwrap_or(u32::MAX))),
                None => without_path.push(at),
            }
            all.push((line, statement));
        }
        Self { all, without_path, patterns: RuleSet::from_rules(dialect, patterns) }
    }

    /// Returns the statements that hold for a path, with their lines, in file order.
    ///
    /// Cost: linear in the patterns.
    pub(super) fn at(&self, path: UrlPath<'_>) -> Result<Vec<(u32, &T)>, PathFormError> {
        let mut found: Vec<usize> = Vec::new();
        let mut length = None;
        // Rules that lines do not state, such as that for the folder of an index page, are none of Allow and Disallow
        // alone.
        for rule in self.patterns.rules().iter().filter(|rule| rule.origin == RuleOrigin::Line) {
            if length.is_some_and(|length| rule.length < length) {
                break;
            }
            if self.patterns.matches(rule, path)? {
                length = Some(rule.length);
                found.push(rule.line as usize);
            }
        }
        if length.is_none() {
            found.clone_from(&self.without_path);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found.into_iter().filter_map(|at| self.all.get(at)).map(|(line, statement)| (*line, statement)).collect())
    }
}
