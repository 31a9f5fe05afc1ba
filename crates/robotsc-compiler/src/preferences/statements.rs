//! Which of several statements with paths hold for a path: the longest pattern that matches, as in Allow and Disallow.
//!
//! One kind of pattern is not decided exactly. Under RFC 9309, `/*a*b*c*d*e*f*g*h*i%2Fp` has more `*` before an escape
//! than a rule set has exact patterns for: as an Allow it matches too little, as a Disallow too much. What only the
//! Disallow matches *may match*. Such a statement overrides no other, and can only restrict what they say.

use crate::parse::record::PreferenceRecord;
use crate::rules::pattern::more_patterns;
use crate::small_sort::SmallSort as _;
use crate::{Dialect, PathFormError, RuleKind, RuleOrigin, RuleSet, UrlPath};

/// Statements by the paths that they are about.
#[derive(Clone, Debug)]
pub(super) struct Statements<T> {
    /// In file order, with their lines.
    all: Vec<(u32, T)>,
    /// The places in `all` of those that are about all paths.
    without_path: Vec<usize>,
    /// The patterns of the others, ranked as rules are. The line of a rule is a place in `all`.
    patterns: RuleSet,
    /// Those of them that match more as a Disallow.
    wide: RuleSet,
    /// Whether a pattern is not decided exactly.
    has_possible_matches: bool,
}

/// The statements that hold for a path, with their lines, in file order.
#[derive(Clone, Debug)]
pub(super) struct Holding<'s, T> {
    /// Those whose pattern matches, and is the longest.
    pub(super) decided: Vec<(u32, &'s T)>,
    /// Those whose pattern may match, and is no shorter.
    pub(super) possible: Vec<(u32, &'s T)>,
}

impl<T> Holding<'_, T> {
    /// Returns the lines of all.
    pub(super) fn lines(&self) -> Vec<u32> {
        let mut lines: Vec<u32> = self.decided.iter().chain(&self.possible).map(|(line, _)| *line).collect();
        lines.small_sort_unstable();
        lines
    }
}

impl<T> Statements<T> {
    pub(super) fn new(dialect: &Dialect, records: Vec<(u32, PreferenceRecord<'_>, T)>) -> Self {
        let mut without_path = Vec::new();
        let mut patterns = Vec::new();
        let mut wide = Vec::new();
        let mut all = Vec::with_capacity(records.len());
        let mut has_possible_matches = false;
        for (at, (line, record, statement)) in records.into_iter().enumerate() {
            match record.path {
                Some(path) => {
                    // A body is far shorter than this.
                    let at = u32::try_from(at).unwrap_or(u32::MAX);
                    patterns.push((RuleKind::Allow, path, at));
                    let normal = dialect.normalize_pattern(path);
                    if !dialect.is_whole_pattern(&normal) {
                        has_possible_matches |=
                            more_patterns(dialect, &normal, false) != more_patterns(dialect, &normal, true);
                        wide.push((RuleKind::Disallow, path, at));
                    }
                }
                None => without_path.push(at),
            }
            all.push((line, statement));
        }
        let [patterns, wide] = [patterns, wide].map(|rules| RuleSet::from_rules(dialect, rules));
        Self { all, without_path, patterns, wide, has_possible_matches }
    }

    /// Reports whether a pattern is not decided exactly: see the [module documentation](self).
    pub(super) const fn has_possible_matches(&self) -> bool {
        self.has_possible_matches
    }

    /// Returns the statements that are about all paths.
    pub(super) fn without_path(&self) -> impl Iterator<Item = &T> {
        self.without_path.iter().filter_map(|at| self.all.get(*at)).map(|(_, statement)| statement)
    }

    /// Returns the others, each with the length and the normal form of its patterns.
    pub(super) fn patterns(&self) -> impl Iterator<Item = (u32, &[u8], &T)> {
        let rules = self.patterns.rules().iter().filter(|rule| rule.origin == RuleOrigin::Line);
        rules.filter_map(|rule| {
            let (_, statement) = self.all.get(rule.line as usize)?;
            Some((rule.length, self.patterns.pattern(rule), statement))
        })
    }

    /// Returns the statements that hold for a path.
    ///
    /// Cost: linear in the patterns.
    pub(super) fn at(&self, path: UrlPath<'_>) -> Result<Holding<'_, T>, PathFormError> {
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
        found.small_sort_unstable();
        let mut possible: Vec<usize> = Vec::new();
        for rule in self.wide.rules().iter().filter(|rule| rule.origin == RuleOrigin::Line) {
            if length.is_some_and(|length| rule.length < length) {
                break;
            }
            if self.wide.matches(rule, path)? && found.binary_search(&(rule.line as usize)).is_err() {
                possible.push(rule.line as usize);
            }
        }
        let stated = |mut places: Vec<usize>| {
            places.small_sort_unstable();
            places.dedup();
            places.into_iter().filter_map(|at| self.all.get(at)).map(|(line, statement)| (*line, statement)).collect()
        };
        Ok(Holding { decided: stated(found), possible: stated(possible) })
    }
}
