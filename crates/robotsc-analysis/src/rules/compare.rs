//! Where two rule sets answer otherwise.
//!
//! ```text
//! old   Disallow: /a          new   Disallow: /a
//!                                   Allow: /a/b
//!
//! regions   (Disallow: /a, Allow: /a/b)   for example /a/b
//! ```
//!
//! A *region* is a pair of deciding rules, one of each set, that answer otherwise on some path. One of the two is a
//! Disallow. So each Disallow of either set is compared with what can decide its paths in the other set:
//! - if a rule of the other set includes all of its paths, nothing below that rule can;
//! - if both rules are in both sets and rank in the same order, they form no region: each would have to outrank the
//!   other. Here `/a*` is the same rule as `/a`, since it matches the same paths;
//! - all that is left is searched for, pair by pair.

use std::borrow::Cow;
use std::collections::HashMap;

use robotsc_compiler::{Rule, RuleOrigin, Verdict};

use crate::patterns::heads::head;
use crate::patterns::instance::fresh_byte;
use crate::patterns::stars::without_stars;
use crate::rules::{RuleAnalysis, RuleIndex};
use crate::search::{NotDecided, Term, first_tried, shortest_path};

/// A pair of deciding rules that answer otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The rule of the first set; `None` if no rule matches.
    pub old: Option<RuleIndex>,
    /// The rule of the second set; `None` if no rule matches.
    pub new: Option<RuleIndex>,
    /// A shortest path on which these two decide.
    pub path: Vec<u8>,
}

impl Region {
    /// Reports whether the region is disallowed by the first set, and so allowed by the second.
    #[must_use]
    pub fn is_opened(&self, old: &RuleAnalysis<'_>) -> bool {
        !old.verdict(self.old).is_allow()
    }
}

/// Returns all regions on which two rule sets answer otherwise, those that the second set disallows first. If there is
/// none, the sets are equal.
///
/// Both must range over the same paths. The sets can be of two dialects: then the paths are those of URLs, and each set
/// sees them in its own form.
///
/// Cost: near linear in the rules if most are in both sets; in the worst case that of a search for each pair of rules.
///
/// # Errors
/// [`NotDecided`] if the budget of the first set is spent.
pub fn regions(old: &RuleAnalysis<'_>, new: &RuleAnalysis<'_>) -> Result<Vec<Region>, NotDecided> {
    let mut regions = Vec::new();
    let mut closed = |rule, other, path| regions.push(Region { old: other, new: Some(rule), path });
    one_way(new, old, None, &mut closed, Wanted::All)?;
    let mut opened = |rule, other, path| regions.push(Region { old: Some(rule), new: other, path });
    one_way(old, new, None, &mut opened, Wanted::All)?;
    Ok(regions)
}

/// Returns the region with a shortest path on which two rule sets answer otherwise, of the paths that a pattern matches
/// if one is given. `None` if they agree there.
///
/// # Errors
/// As [`regions`].
pub(crate) fn shortest_difference(
    old: &RuleAnalysis<'_>,
    new: &RuleAnalysis<'_>,
    within: Option<Term<'_>>,
) -> Result<Option<Region>, NotDecided> {
    let mut shortest: Option<Region> = None;
    let mut keep = |region: Region| {
        if shortest.as_ref().is_none_or(|known| region.path.len() < known.path.len()) {
            shortest = Some(region);
        }
    };
    let mut closed = |rule, other, path| keep(Region { old: other, new: Some(rule), path });
    one_way(new, old, within, &mut closed, Wanted::All)?;
    let mut opened = |rule, other, path| keep(Region { old: Some(rule), new: other, path });
    one_way(old, new, within, &mut opened, Wanted::All)?;
    Ok(shortest)
}

/// Returns the Disallow rules of the first set of which the second allows a path, each with one such region: not always
/// that with the shortest path, and not checked by the reference matcher.
///
/// # Errors
/// As [`regions`].
pub(crate) fn opened(old: &RuleAnalysis<'_>, new: &RuleAnalysis<'_>) -> Result<Vec<Region>, NotDecided> {
    let mut regions = Vec::new();
    let mut found = |rule, other, path| regions.push(Region { old: Some(rule), new: other, path });
    one_way(old, new, None, &mut found, Wanted::EachRule)?;
    Ok(regions)
}

/// Returns a path on which two rule sets answer otherwise, or `None` if they are equal.
///
/// # Errors
/// As [`regions`].
pub fn first_difference(old: &RuleAnalysis<'_>, new: &RuleAnalysis<'_>) -> Result<Option<Region>, NotDecided> {
    let mut found = None;
    one_way(
        new,
        old,
        None,
        &mut |rule, other, path| found = Some(Region { old: other, new: Some(rule), path }),
        Wanted::First,
    )?;
    if found.is_none() {
        one_way(
            old,
            new,
            None,
            &mut |rule, other, path| found = Some(Region { old: Some(rule), new: other, path }),
            Wanted::First,
        )?;
    }
    Ok(found)
}

/// Which regions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    /// One for each Disallow rule.
    EachRule,
    First,
}

/// Finds the regions of each Disallow of `set` that `other` allows, of the paths that `within` matches.
fn one_way(
    set: &RuleAnalysis<'_>,
    other: &RuleAnalysis<'_>,
    within: Option<Term<'_>>,
    found: &mut impl FnMut(RuleIndex, Option<RuleIndex>, Vec<u8>),
    wanted: Wanted,
) -> Result<(), NotDecided> {
    assert_eq!(set.paths, other.paths, "rule sets are compared over one space of paths");
    let is_same_form = set.reader == other.reader;
    let first_of = |rules| if is_same_form { first_of_patterns(rules) } else { HashMap::new() };
    let (of_other, of_set) = (first_of(other), first_of(set));
    let fresh = fresh_byte(set.patterns().chain(other.patterns())).filter(|_| is_same_form);
    let last_allow_above = last_above(other, |allow| {
        of_set.get(&(without_stars(other.pattern(allow)), true)).copied().unwrap_or(RuleIndex::MAX)
    });
    for (at, rule) in (0..).zip(set.set.rules()).filter(|(_, rule)| rule.verdict == Verdict::Disallow) {
        debug_assert_ne!(rule.origin, RuleOrigin::EmptyLine, "empty lines allow");
        set.budget.take(1)?;
        let same = of_other.get(&(without_stars(set.pattern(at)), false)).copied();
        if same.is_some_and(|same| last_allow_above[same as usize] < at) {
            // The same rule is in the other set, and each Allow above it there is above this one here.
            continue;
        }
        let paths = fresh.and_then(|fresh| set.instances_with(at, fresh));
        if let Some(paths) = &paths
            && paths.iter().all(|path| set.first(path, 0, |_| false) != Some(at))
        {
            // It never decides.
            continue;
        }
        // The rules of the other set that include this one: what decides on a path that stands for all, and the same
        // rule.
        let next: Option<Vec<_>> = paths.iter().flatten().map(|path| other.first(path, 0, |_| false)).collect();
        let lowest = next.filter(|_| paths.is_some()).and_then(|next| next.into_iter().max());
        let lowest = lowest.into_iter().chain(same).min();
        let own = related(set, set.pattern(at), true);
        let own: Vec<_> = own.into_iter().take_while(|above| *above < at).collect();
        let others = related(other, set.pattern(at), is_same_form);
        set.budget.take((own.len() + others.len()) as u64)?;
        let allows = |(_, at): &(usize, RuleIndex)| other.rule(*at).verdict.is_allow();
        let candidates = others.iter().copied().enumerate();
        let candidates = candidates.take_while(|(_, at)| lowest.is_none_or(|lowest| *at <= lowest)).filter(allows);
        let is_above = |allow: RuleIndex| {
            of_set.get(&(without_stars(other.pattern(allow)), true)).is_some_and(|above| *above < at)
        };
        let candidates = candidates.filter(|(_, allow)| !is_above(*allow));
        let none = lowest.is_none().then_some((others.len(), None));
        let mut candidates: Vec<_> = candidates.map(|(count, at)| (count, Some(at))).chain(none).collect();
        if wanted != Wanted::All {
            // Most rules below are general, and quick to find a path for.
            candidates.reverse();
        }
        for (count, allow) in candidates {
            let mut must = vec![set.term(at)];
            must.extend(allow.map(|allow| other.term(allow)));
            must.extend(within);
            let space = set.space(other);
            let is_region = |path: &Vec<u8>| {
                set.first(&set.seen(path), 0, |_| false) == Some(at)
                    && other.first(&other.seen(path), 0, |_| false) == allow
            };
            let path = match first_tried(&must, space).filter(is_region) {
                Some(path) => Some(path),
                None => {
                    let above = own.iter().map(|at| set.term(*at));
                    let must_not: Vec<_> = above.chain(others[..count].iter().map(|at| other.term(*at))).collect();
                    shortest_path(&must, &must_not, space, set.budget)?
                }
            };
            if let Some(path) = path {
                // One for each rule: they are not all shown, and the caller checks what it shows.
                let path = if wanted == Wanted::EachRule {
                    path
                } else {
                    let path = set.checked(path, |decided| decided == Some(at))?;
                    other.checked(path, |decided| decided == allow)?
                };
                found(at, allow, path);
                match wanted {
                    Wanted::All => {}
                    Wanted::EachRule => break,
                    Wanted::First => return Ok(()),
                }
            }
        }
    }
    Ok(())
}

/// Returns for each rule of a set the maximum of `index_of` for the Allow rules above it; zero if there is none.
fn last_above(rules: &RuleAnalysis<'_>, index_of: impl Fn(RuleIndex) -> RuleIndex) -> Vec<RuleIndex> {
    let mut last = 0;
    let above = |(at, rule): (RuleIndex, &Rule)| {
        let above = last;
        if rule.verdict.is_allow() {
            last = last.max(index_of(at));
        }
        above
    };
    (0..).zip(rules.set.rules()).map(above).collect()
}

/// Returns the first rule of a set with each pattern and verdict.
fn first_of_patterns<'r>(rules: &RuleAnalysis<'r>) -> HashMap<(Cow<'r, [u8]>, bool), RuleIndex> {
    let mut first = HashMap::with_capacity(rules.set.rules().len());
    for (at, rule) in (0..).zip(rules.set.rules()) {
        first.entry((without_stars(rules.set.pattern(rule)), rule.verdict.is_allow())).or_insert(at);
    }
    first
}

/// Returns the rules of a set that can match a path that a pattern matches.
fn related(set: &RuleAnalysis<'_>, pattern: &[u8], is_same_form: bool) -> Vec<RuleIndex> {
    let head = head(pattern);
    if is_same_form {
        return set.heads.related(head);
    }
    // Bytes that both forms see as they are lead to the same bytes; others may not.
    let is_plain = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte));
    if !is_plain(head) {
        return (0..set.set.rules().len() as RuleIndex).collect();
    }
    let mut related = set.heads.related(head);
    related.extend(
        (0..).zip(set.patterns()).filter(|(_, other)| !is_plain(crate::patterns::heads::head(other))).map(|(at, _)| at),
    );
    related.sort_unstable();
    related.dedup();
    related
}
