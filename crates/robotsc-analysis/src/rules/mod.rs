//! Questions about the rules of one crawler: does a rule ever decide, and would any verdict change without it.
//!
//! ```text
//! line 2   Disallow: /a*        decides /ax
//! line 3   Disallow: /a         never decides: line 2 is longer and matches all of its paths
//! line 4   Disallow: /a/b       decides /a/b, but without it line 2 would, with the same verdict
//! ```
//!
//! Most answers need no search. A path that [stands for](crate::patterns::instance) all paths of a rule shows which
//! rules include it: if one of them has a higher rank, the rule never decides; if not, it decides that path. What
//! decides without the rule is between it and the first rule below that includes it. Only the rules there that answer
//! otherwise are searched for, one by one.

pub(crate) mod compare;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{Dialect, Rule, RuleSet, UrlPath, Verdict, reference};

use crate::patterns::heads::{Heads, head};
use crate::patterns::instance::{fresh_byte, instances};
use crate::search::{
    LOOKS_PER_UNIT, NotDecided, SearchBudget, SearchSpace, Term, first_tried, match_work, shortest_path,
};
use crate::space::{Paths, Reader, Reading};

/// The index of a rule in its set, from the top rank down.
pub type RuleIndex = u32;

/// The rules of one crawler, ready for questions.
#[derive(Debug)]
pub struct RuleAnalysis<'r> {
    pub(crate) set: &'r RuleSet,
    pub(crate) reader: Reader,
    pub(crate) paths: Paths,
    pub(crate) heads: Heads<'r>,
    fresh: Option<u8>,
    pub(crate) budget: &'r SearchBudget,
}

/// Reports that a rule set is not of the dialect that was given with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DialectMismatch;

impl std::fmt::Display for DialectMismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the rules are of another dialect: give the dialect that their file was parsed with")
    }
}

impl std::error::Error for DialectMismatch {}

/// A path whose verdict changes without some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path.
    pub path: Vec<u8>,
    /// The rule that decides now.
    pub with: RuleIndex,
    /// The rule that would decide; `None` if no rule matched.
    pub without: Option<RuleIndex>,
}

/// A path whose verdict would change.
enum ChangedPath {
    /// It stands for all paths of a rule.
    Checked(Change),
    /// A search found it.
    Searched { path: Vec<u8>, without: Option<RuleIndex> },
}

impl<'r> RuleAnalysis<'r> {
    /// Prepares questions about a rule set, over a space of paths. `dialect` is the one that made the set.
    ///
    /// Cost: n log n in the rules.
    ///
    /// # Errors
    /// [`DialectMismatch`] if the rules compare paths in another form than the dialect: another one made them.
    pub fn new(
        set: &'r RuleSet,
        dialect: &Dialect,
        paths: Paths,
        budget: &'r SearchBudget,
    ) -> Result<Self, DialectMismatch> {
        if set.path_form() == dialect.path_form() {
            Ok(Self::of(set, dialect, paths, budget))
        } else {
            Err(DialectMismatch)
        }
    }

    /// As [`RuleAnalysis::new`], for a set of this dialect.
    pub(crate) fn of(set: &'r RuleSet, dialect: &Dialect, paths: Paths, budget: &'r SearchBudget) -> Self {
        debug_assert_eq!(set.path_form(), dialect.path_form(), "the dialect is the one that made the set");
        let fresh = fresh_byte(set.rules().iter().map(|rule| set.pattern(rule)));
        Self { set, reader: Reader::of(dialect, paths), paths, heads: Heads::new(set), fresh, budget }
    }

    /// Returns the rule set.
    #[must_use]
    pub const fn rule_set(&self) -> &'r RuleSet {
        self.set
    }

    /// Reports whether a rule decides any path.
    ///
    /// Cost: for most rules linear in the rules that are related to it.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is spent.
    ///
    /// # Panics
    /// If the set has no such rule.
    pub fn decides(&self, rule: RuleIndex) -> Result<bool, NotDecided> {
        self.budget.take(1)?;
        match self.instances(rule) {
            Some(paths) => Ok(paths.iter().any(|path| self.first(path, |_| false) == Some(rule))),
            None => Ok(self.shortest_decided(rule)?.is_some()),
        }
    }

    /// Returns the rules of higher rank that decide in place of one that never decides: each of its paths is matched by
    /// one of them. Empty if the rule decides, or if no path of the space matches it.
    ///
    /// # Panics
    /// If the set has no such rule.
    #[must_use]
    pub fn covered_by(&self, rule: RuleIndex) -> Vec<RuleIndex> {
        let Some(paths) = self.instances(rule) else { return Vec::new() };
        let mut above: Vec<_> = paths.iter().filter_map(|path| self.first(path, |_| false)).collect();
        above.small_sort_unstable();
        above.dedup();
        if above.contains(&rule) { Vec::new() } else { above }
    }

    /// Returns a shortest path that a rule decides, or `None` if it never decides.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is spent.
    ///
    /// # Panics
    /// If the set has no such rule.
    pub fn shortest_decided(&self, rule: RuleIndex) -> Result<Option<Vec<u8>>, NotDecided> {
        let related = self.related(self.pattern(rule))?;
        let above: Vec<_> = related.iter().take_while(|at| **at < rule).map(|at| self.term(*at)).collect();
        let found = self.shortest(&[self.term(rule)], &above)?;
        found.map(|path| self.checked(path, |decided| decided == Some(rule))).transpose()
    }

    /// Returns a path whose verdict would change without the rules of a line, or `None` if there is none. The path is
    /// not always a shortest one; [`RuleAnalysis::shortest_change`] returns such a path.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is spent.
    pub fn change_without(&self, line: u32) -> Result<Option<Change>, NotDecided> {
        self.change(line, false)
    }

    /// Returns a shortest path whose verdict would change without the rules of a line.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is spent.
    pub fn shortest_change(&self, line: u32) -> Result<Option<Change>, NotDecided> {
        self.change(line, true)
    }

    fn change(&self, line: u32, shortest: bool) -> Result<Option<Change>, NotDecided> {
        self.budget.take(self.set.rules().len() as u64)?;
        let removed: Vec<RuleIndex> =
            (0..).zip(self.set.rules()).filter(|(_, rule)| rule.line == line).map(|(at, _)| at).collect();
        let is_removed = |at: RuleIndex| self.rule(at).line == line;
        let mut best: Option<Change> = None;
        self.each_change(&removed, &|_| false, !shortest, &mut |found| {
            let change = match found {
                ChangedPath::Checked(change) => change,
                ChangedPath::Searched { path, without } => {
                    let path = self.checked(path, |decided| decided.is_some_and(is_removed))?;
                    let with = self.reference(&path)?.ok_or(NotDecided)?;
                    if self.first(&self.seen(&path), is_removed) != without {
                        return Err(NotDecided);
                    }
                    Change { path, with, without }
                }
            };
            if best.as_ref().is_none_or(|best| change.path.len() < best.path.len()) {
                best = Some(change);
            }
            Ok(if shortest { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(best)
    }

    /// Reports whether any verdict would change without some rules. Those that are `gone` count for nothing.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is spent.
    pub(crate) fn is_needed(&self, rules: &[RuleIndex], gone: &dyn Fn(RuleIndex) -> bool) -> Result<bool, NotDecided> {
        let mut is_needed = false;
        self.each_change(rules, gone, true, &mut |_| {
            is_needed = true;
            Ok(ControlFlow::Break(()))
        })?;
        Ok(is_needed)
    }

    /// Finds paths whose verdict would change without some rules, one for each pair of a rule and what decides in its
    /// place. Those that are `gone` are in no set.
    ///
    /// With `instances`, the paths that stand for all those of a rule are found first. They are not shortest paths.
    fn each_change(
        &self,
        removed: &[RuleIndex],
        gone: &dyn Fn(RuleIndex) -> bool,
        with_instances: bool,
        found: &mut dyn FnMut(ChangedPath) -> Result<ControlFlow<()>, NotDecided>,
    ) -> Result<(), NotDecided> {
        let is_removed = |at: RuleIndex| removed.contains(&at);
        let is_out = |at: RuleIndex| is_removed(at) || gone(at);
        for rule in removed.iter().copied() {
            self.budget.take(1)?;
            let is_changed = |other| self.verdict(other) != self.rule(rule).verdict;
            // What decides in their place on a path that stands for all includes the rule: no lower rule matters.
            let paths = self.instances(rule);
            let next: Vec<_> = paths.iter().flatten().map(|path| self.first(path, is_out)).collect();
            for (path, without) in paths.iter().flatten().zip(&next).filter(|_| with_instances) {
                let with = self.first(path, gone);
                if let Some(with) = with.filter(|with| is_removed(*with) && is_changed(*without)) {
                    let change = Change { path: path.clone(), with, without: *without };
                    if found(ChangedPath::Checked(change))?.is_break() {
                        return Ok(());
                    }
                }
            }
            let lowest = next.iter().copied().collect::<Option<Vec<_>>>().and_then(|next| next.into_iter().max());
            let related = self.related(self.pattern(rule))?;
            let related: Vec<_> = related.into_iter().filter(|at| !is_out(*at)).collect();
            let others = related.iter().copied().enumerate().filter(|(_, at)| *at > rule);
            let others = others.take_while(|(_, at)| lowest.is_none_or(|lowest| *at <= lowest));
            let others = others.filter(|(_, at)| is_changed(Some(*at)));
            let none = (lowest.is_none() && is_changed(None)).then_some((related.len(), None));
            for (count, without) in others.map(|(count, at)| (count, Some(at))).chain(none) {
                let mut must = vec![self.term(rule)];
                must.extend(without.map(|at| self.term(at)));
                let tried = first_tried(&must, self.space(self));
                let path = match tried.filter(|path| self.first(&self.seen(path), is_out) == without) {
                    Some(path) => Some(path),
                    None => {
                        let must_not: Vec<_> = related[..count].iter().map(|at| self.term(*at)).collect();
                        self.shortest(&must, &must_not)?
                    }
                };
                let Some(path) = path else { continue };
                if found(ChangedPath::Searched { path, without })?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns the pairs of an Allow and a Disallow of equal length that some path matches with no longer rule: there
    /// the verdict depends on the rule that a tie goes to Allow. Each comes with a shortest path.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is spent.
    pub fn ties(&self) -> Result<Vec<Tie>, NotDecided> {
        let mut ties = Vec::new();
        let disallowed: HashSet<u32> =
            self.set.rules().iter().filter(|rule| !rule.verdict.is_allow()).map(|rule| rule.length).collect();
        for (at, allow) in (0..).zip(self.set.rules()).filter(|(_, rule)| rule.verdict.is_allow() && rule.line > 0) {
            let equal = |rule: &Rule| rule.length == allow.length && !rule.verdict.is_allow();
            if !disallowed.contains(&allow.length) {
                continue;
            }
            let related = self.related(self.pattern(at))?;
            let above: Vec<_> = related.iter().take_while(|other| **other < at).map(|at| self.term(*at)).collect();
            for other in related.into_iter().filter(|other| *other > at && equal(self.rule(*other))) {
                let must = [self.term(at), self.term(other)];
                if let Some(path) = self.shortest(&must, &above)? {
                    let path = self.checked(path, |decided| decided == Some(at))?;
                    ties.push(Tie { allow: at, disallow: other, path });
                }
            }
        }
        Ok(ties)
    }

    pub(crate) fn rule(&self, at: RuleIndex) -> &'r Rule {
        &self.set.rules()[at as usize]
    }

    pub(crate) fn pattern(&self, at: RuleIndex) -> &'r [u8] {
        self.set.pattern(self.rule(at))
    }

    /// Returns the paths that both this set and another range over, and how the two see them.
    pub(crate) fn space(&self, other: &Self) -> SearchSpace {
        SearchSpace { paths: self.paths, readers: [self.reader, other.reader] }
    }

    /// Returns a shortest path that all of `must` match and none of `must_not`.
    pub(crate) fn shortest(&self, must: &[Term<'_>], must_not: &[Term<'_>]) -> Result<Option<Vec<u8>>, NotDecided> {
        shortest_path(must, must_not, self.space(self), self.budget)
    }

    pub(crate) fn term(&self, at: RuleIndex) -> Term<'r> {
        Term { pattern: self.pattern(at), pairs: self.heads.pairs(at), reader: self.reader }
    }

    /// Returns what a rule answers; without one, everything is allowed.
    pub(crate) fn verdict(&self, at: Option<RuleIndex>) -> Verdict {
        at.map_or(Verdict::Allow, |at| self.rule(at).verdict)
    }

    fn instances(&self, rule: RuleIndex) -> Option<Vec<Vec<u8>>> {
        self.instances_with(rule, self.fresh?)
    }

    /// Returns the paths that stand for all those of a rule beside patterns without the byte `fresh`.
    pub(crate) fn instances_with(&self, rule: RuleIndex, fresh: u8) -> Option<Vec<Vec<u8>>> {
        instances(self.pattern(rule), fresh, self.reader, self.paths)
    }

    pub(crate) fn patterns(&self) -> impl Iterator<Item = &'r [u8]> {
        self.set.rules().iter().map(|rule| self.set.pattern(rule))
    }

    /// Returns the rules, from the top rank down, that can match a path that a pattern matches.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is less than the work, which is then not done.
    pub(crate) fn related(&self, pattern: &[u8]) -> Result<Vec<RuleIndex>, NotDecided> {
        // Each is sorted, and looked at by the caller.
        const WORK_OF_A_RULE: u64 = 2;
        let related = self.heads.related(head(pattern));
        self.budget.take(WORK_OF_A_RULE * related.count() as u64)?;
        Ok(related.ranked())
    }

    /// Returns the first rule that matches a path as patterns see it, but for those that are skipped.
    pub(crate) fn first(&self, seen: &[u8], skip: impl Fn(RuleIndex) -> bool) -> Option<RuleIndex> {
        let path = UrlPath::assume(seen, self.set.path_form());
        let mut work = 0;
        let matches = |at: &RuleIndex| {
            work += match_work(self.pattern(*at), seen);
            self.set.matches(self.rule(*at), path) == Ok(true)
        };
        let mut candidates = self.heads.of_path(seen);
        let found = candidates.by_ref().filter(|at| !skip(*at)).find(matches);
        // The question that comes after the budget is spent is not decided.
        let _ = self.budget.take(work + (seen.len() + candidates.looks()) as u64 / LOOKS_PER_UNIT);
        found
    }

    /// Returns a path as patterns see it.
    pub(crate) fn seen<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        if self.reader == Reader::Unchanged {
            return Cow::Borrowed(path);
        }
        let mut reading = Reading::default();
        let mut seen = Vec::with_capacity(path.len());
        for byte in path {
            seen.extend_from_slice(self.reader.step(&mut reading, *byte).as_bytes());
        }
        seen.extend_from_slice(self.reader.finish(reading).as_bytes());
        Cow::Owned(seen)
    }

    /// Returns the rule that decides a path, as the reference matcher finds it.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget is less than the work, which is then not done.
    pub(crate) fn reference(&self, path: &[u8]) -> Result<Option<RuleIndex>, NotDecided> {
        // Each pattern is read twice at least: here, and by the matcher.
        const WORK_OF_A_RULE: u64 = 3;
        self.budget.take(WORK_OF_A_RULE * self.set.rules().len() as u64)?;
        let seen = self.seen(path);
        self.budget.take(reference_work(self.patterns(), &seen))?;
        let path = UrlPath::assume(&seen, self.set.path_form());
        Ok(reference::deciding_rule(self.set, path).ok().flatten().map(|rule| rule.rule))
    }

    /// Returns a path that was found, if it is in the space and the reference matcher agrees on what decides it.
    pub(crate) fn checked(
        &self,
        path: Vec<u8>,
        is_right: impl Fn(Option<RuleIndex>) -> bool,
    ) -> Result<Vec<u8>, NotDecided> {
        let is_right = self.paths.contains(&path) && is_right(self.reference(&path)?);
        debug_assert!(is_right, "a wrong path was found: {}", path.escape_ascii());
        if is_right { Ok(path) } else { Err(NotDecided) }
    }
}

/// Returns the work of the reference matcher on a path, in the units of [`SearchBudget`].
///
/// It reads a pattern byte by byte, each over all places of the path after a `*`, and stops at a byte that the path
/// does not hold.
fn reference_work<'p>(patterns: impl Iterator<Item = &'p [u8]>, path: &[u8]) -> u64 {
    // Places that are looked at in the time of a unit, and those that are cleared.
    const PLACES: u64 = 4;
    const CLEARED: u64 = 64;
    let mut holds = [false; 256];
    path.iter().for_each(|byte| holds[usize::from(*byte)] = true);
    let length = path.len() as u64;
    let work = |pattern: &[u8]| {
        let head = head(pattern);
        let start = 1 + length / CLEARED;
        if !path.starts_with(head) {
            return start;
        }
        let rest = &pattern[head.len()..];
        let read = rest.iter().take_while(|byte| **byte == b'*' || holds[usize::from(**byte)]).count() as u64;
        start + (head.len() as u64 + read * length) / PLACES
    };
    patterns.map(work).sum()
}

/// What a rule answers on which paths, and how it ranks: its pattern, whether it allows, and its length.
pub(crate) type Identity<'r> = (&'r [u8], bool, u32);

/// Returns the identity of a rule of a set. Rules of one dialect with one identity differ in their lines alone.
pub(crate) fn identity(set: &RuleSet, at: RuleIndex) -> Identity<'_> {
    let rule = &set.rules()[at as usize];
    (set.pattern(rule), rule.verdict.is_allow(), rule.length)
}

/// Returns the identities of all rules of a set, from the top rank down.
pub(crate) fn ranked_identities(set: &RuleSet) -> impl Iterator<Item = Identity<'_>> {
    (0..set.rules().len() as RuleIndex).map(|at| identity(set, at))
}

/// A pair of rules of equal length that a path matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The rule that decides.
    pub allow: RuleIndex,
    /// The rule that other readers may choose.
    pub disallow: RuleIndex,
    /// A shortest such path.
    pub path: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_compiler::RuleKind;

    /// `*/a` matches `/a`, which line 2 decides in its place, and `/x/a`, which line 3 does.
    #[test]
    fn a_rule_has_two_kinds_of_paths() {
        let rules = [(RuleKind::Disallow, "*/a", 1), (RuleKind::Disallow, "/a", 2), (RuleKind::Allow, "/", 3)];
        let set = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let budget = SearchBudget::default();
        let analysis = RuleAnalysis::of(&set, &Dialect::GOOGLE, Paths::Urls, &budget);
        let change = analysis.shortest_change(1).expect("decided").expect("a change");
        assert_eq!(change.without.map(|at| set.rules()[at as usize].line), Some(3));
    }

    /// The reference matcher costs the product of pattern and path. It is not run if the budget is less.
    #[test]
    fn the_reference_matcher_is_paid_for() {
        let pattern = format!("/*{}b", "a".repeat(2000));
        let path = format!("/{}b", "a".repeat(4000));
        let rules = (1..=10).map(|line| (RuleKind::Disallow, pattern.as_str(), line));
        let set = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let reference = |work: u64| {
            let budget = SearchBudget::new(work, work);
            let found = RuleAnalysis::of(&set, &Dialect::GOOGLE, Paths::Urls, &budget).reference(path.as_bytes());
            (found.map(|rule| rule.map(|at| set.rules()[at as usize].line)), work - budget.left())
        };
        let (found, work) = reference(SearchBudget::IN_ALL);
        assert_eq!(found, Ok(Some(1)));
        assert!((10 * 2000 * 4000 / 8..10 * 2000 * 4000).contains(&work), "{work}");
        assert_eq!(reference(work / 2), (Err(NotDecided), work / 2));
    }
}
