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
//! 1. if a rule of the other set includes all of its paths, nothing below that rule can;
//! 2. if both rules are in both sets and rank in the same order, they form no region: each would have to outrank the
//!    other. Here `/a*` is the same rule as `/a`, since it matches the same paths;
//! 3. all that is left is searched for, pair by pair.

use std::borrow::Cow;
use std::collections::HashMap;

use robotsc_compiler::small_sort::SmallSort as _;
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
    let mut keep = |region| {
        // The question that comes after the budget is spent is not decided.
        let _ = old.budget.take(WORK_OF_A_REGION);
        regions.push(region);
    };
    let mut closed = |rule, other, path| keep(Region { old: other, new: Some(rule), path });
    one_way(new, old, None, &mut closed, WantedRegions::All)?;
    let mut opened = |rule, other, path| keep(Region { old: Some(rule), new: other, path });
    one_way(old, new, None, &mut opened, WantedRegions::All)?;
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
    one_way(new, old, within, &mut closed, WantedRegions::All)?;
    let mut opened = |rule, other, path| keep(Region { old: Some(rule), new: other, path });
    one_way(old, new, within, &mut opened, WantedRegions::All)?;
    Ok(shortest)
}

/// Returns the region with a shortest path that the first set disallows and the second allows.
///
/// # Errors
/// As [`regions`].
pub(crate) fn shortest_opened(old: &RuleAnalysis<'_>, new: &RuleAnalysis<'_>) -> Result<Option<Region>, NotDecided> {
    let mut shortest: Option<Region> = None;
    let mut opened = |rule, other, path: Vec<u8>| {
        if shortest.as_ref().is_none_or(|known| path.len() < known.path.len()) {
            shortest = Some(Region { old: Some(rule), new: other, path });
        }
    };
    one_way(old, new, None, &mut opened, WantedRegions::All)?;
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
    one_way(old, new, None, &mut found, WantedRegions::EachRule)?;
    Ok(regions)
}

/// Returns all regions of some Disallow rules of the first set that the second allows, as they were found: their paths
/// are not always the shortest, and not checked by the reference matcher.
///
/// # Errors
/// As [`regions`].
pub(crate) fn all_opened(
    old: &RuleAnalysis<'_>,
    new: &RuleAnalysis<'_>,
    is_asked: impl Fn(RuleIndex) -> bool,
) -> Result<Vec<Region>, NotDecided> {
    let mut regions = Vec::new();
    let mut found = |rule, other, path| regions.push(Region { old: Some(rule), new: other, path });
    one_way_of(old, new, None, &mut found, WantedRegions::Unchecked, is_asked)?;
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
        WantedRegions::First,
    )?;
    if found.is_none() {
        one_way(
            old,
            new,
            None,
            &mut |rule, other, path| found = Some(Region { old: Some(rule), new: other, path }),
            WantedRegions::First,
        )?;
    }
    Ok(found)
}

/// Which regions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WantedRegions {
    All,
    /// All, and the caller shows none of them.
    Unchecked,
    /// One for each Disallow rule.
    EachRule,
    First,
}

/// The work of keeping a region, and of showing it: it takes about a kilobyte.
const WORK_OF_A_REGION: u64 = 512;
/// The work of inserting a rule into the maps of both sets.
const WORK_OF_MAPS: u64 = 16;
/// The work of comparing a rule with another set, beside what it is compared with.
const WORK_OF_A_RULE: u64 = 32;

/// Finds the regions of each Disallow of `set` that `other` allows, of the paths that `within` matches.
fn one_way(
    set: &RuleAnalysis<'_>,
    other: &RuleAnalysis<'_>,
    within: Option<Term<'_>>,
    found: &mut impl FnMut(RuleIndex, Option<RuleIndex>, Vec<u8>),
    wanted: WantedRegions,
) -> Result<(), NotDecided> {
    one_way_of(set, other, within, found, wanted, |_| true)
}

/// As [`one_way`], of some Disallow rules of `set`.
fn one_way_of(
    set: &RuleAnalysis<'_>,
    other: &RuleAnalysis<'_>,
    within: Option<Term<'_>>,
    found: &mut impl FnMut(RuleIndex, Option<RuleIndex>, Vec<u8>),
    wanted: WantedRegions,
    is_asked: impl Fn(RuleIndex) -> bool,
) -> Result<(), NotDecided> {
    assert_eq!(set.paths, other.paths, "rule sets are compared over one space of paths");
    set.budget.take(WORK_OF_MAPS * (set.set.rules().len() + other.set.rules().len()) as u64)?;
    let sides = OneWay::new(set, other, within);
    for (disallow, rule) in (0..).zip(set.set.rules()).filter(|(_, rule)| rule.verdict == Verdict::Disallow) {
        debug_assert_ne!(rule.origin, RuleOrigin::EmptyLine, "empty lines allow");
        set.budget.take(1)?;
        if !is_asked(disallow) {
            continue;
        }
        // 2. Both sets have the rule, in the same order.
        let same = sides.same_rule(disallow);
        if same.is_some_and(|same| sides.ranks_alike(disallow, same)) {
            continue;
        }
        set.budget.take(WORK_OF_A_RULE)?;
        let instances = sides.fresh.and_then(|fresh| set.instances_with(disallow, fresh));
        if let Some(paths) = &instances
            && paths.iter().all(|path| set.first(path, |_| false) != Some(disallow))
        {
            // It never decides.
            continue;
        }
        // 1. What includes the rule ends the list of those that can decide in the other set.
        let lowest = sides.lowest_that_decides(instances.as_deref(), same);
        let of_other = sides.beside_in_other(disallow)?;
        // 3. The rest, pair by pair.
        let mut candidates = sides.candidates(disallow, lowest, &of_other);
        if matches!(wanted, WantedRegions::EachRule | WantedRegions::First) {
            // Most rules below are general, and quick to find a path for.
            candidates.reverse();
        }
        let mut above_disallow = None;
        for (above, allow) in candidates {
            let Some(path) = sides.path_of((disallow, &mut above_disallow), (allow, &of_other[..above]))? else {
                continue;
            };
            // One for each rule: they are not all shown, and the caller checks what it shows.
            let path = if matches!(wanted, WantedRegions::EachRule | WantedRegions::Unchecked) {
                path
            } else {
                let path = set.checked(path, |decided| decided == Some(disallow))?;
                other.checked(path, |decided| decided == allow)?
            };
            found(disallow, allow, path);
            match wanted {
                WantedRegions::All | WantedRegions::Unchecked => {}
                WantedRegions::EachRule => break,
                WantedRegions::First => return Ok(()),
            }
        }
    }
    Ok(())
}

/// Two rule sets, of which the second is asked what it does with the Disallow rules of the first.
struct OneWay<'a, 'r> {
    set: &'a RuleAnalysis<'r>,
    other: &'a RuleAnalysis<'r>,
    within: Option<Term<'a>>,
    /// The first rule of each set with each pattern and verdict. If the sets see paths in two forms, no rule of one is
    /// a rule of the other, and these are empty.
    of_set: HashMap<(Cow<'r, [u8]>, bool), RuleIndex>,
    of_other: HashMap<(Cow<'r, [u8]>, bool), RuleIndex>,
    /// For each rule of the other set the lowest place, in the first set, of an Allow that is above it in the other.
    last_allow_above: Vec<RuleIndex>,
    /// The rules of the other set whose heads are not [plain](is_plain), if the sets see paths in two forms.
    odd_of_other: Option<Vec<RuleIndex>>,
    /// A byte that no pattern of either set holds.
    fresh: Option<u8>,
}

impl<'a, 'r> OneWay<'a, 'r> {
    fn new(set: &'a RuleAnalysis<'r>, other: &'a RuleAnalysis<'r>, within: Option<Term<'a>>) -> Self {
        let is_same_form = set.reader == other.reader;
        let first_of = |rules| if is_same_form { first_of_patterns(rules) } else { HashMap::new() };
        let (of_set, of_other) = (first_of(set), first_of(other));
        let last_allow_above = last_above(other, |allow| {
            of_set.get(&(without_stars(other.pattern(allow)), true)).copied().unwrap_or(RuleIndex::MAX)
        });
        let fresh = fresh_byte(set.patterns().chain(other.patterns())).filter(|_| is_same_form);
        let odd = || (0..).zip(other.patterns()).filter(|(_, pattern)| !is_plain(head(pattern))).map(|(at, _)| at);
        let odd_of_other = (!is_same_form).then(|| odd().collect());
        Self { set, other, within, of_set, of_other, last_allow_above, odd_of_other, fresh }
    }

    /// Returns the rule of the other set with the pattern and the verdict of a Disallow.
    fn same_rule(&self, disallow: RuleIndex) -> Option<RuleIndex> {
        self.of_other.get(&(without_stars(self.set.pattern(disallow)), false)).copied()
    }

    /// Reports whether each Allow above a rule of the other set is above the same rule here.
    fn ranks_alike(&self, disallow: RuleIndex, same: RuleIndex) -> bool {
        self.last_allow_above[same as usize] < disallow
    }

    /// Returns the lowest rule of the other set that can decide a path of a Disallow: the first that includes it, which
    /// is what decides on the paths that stand for all, or the same rule.
    fn lowest_that_decides(&self, instances: Option<&[Vec<u8>]>, same: Option<RuleIndex>) -> Option<RuleIndex> {
        let on_instances = instances.and_then(|paths| {
            let decided = paths.iter().map(|path| self.other.first(path, |_| false));
            decided.collect::<Option<Vec<_>>>()?.into_iter().max()
        });
        on_instances.into_iter().chain(same).min()
    }

    /// Returns the rules of the other set that can match a path which a Disallow matches.
    fn beside_in_other(&self, disallow: RuleIndex) -> Result<Vec<RuleIndex>, NotDecided> {
        let pattern = self.set.pattern(disallow);
        match &self.odd_of_other {
            None => self.other.related(pattern),
            Some(odd) => related_in_other_form(self.set, self.other, odd, pattern),
        }
    }

    /// Returns what can allow paths of a Disallow in the other set: rules, and last that no rule matches. Each comes
    /// with the number of rules of the other set that are above it.
    fn candidates(
        &self,
        disallow: RuleIndex,
        lowest: Option<RuleIndex>,
        of_other: &[RuleIndex],
    ) -> Vec<(usize, Option<RuleIndex>)> {
        let allows = |(_, at): &(usize, RuleIndex)| self.other.rule(*at).verdict.is_allow();
        // 2. The same Allow is above the Disallow in the first set.
        let is_above = |allow: RuleIndex| {
            self.of_set.get(&(without_stars(self.other.pattern(allow)), true)).is_some_and(|above| *above < disallow)
        };
        let rules = of_other.iter().copied().enumerate();
        let rules = rules.take_while(|(_, at)| lowest.is_none_or(|lowest| *at <= lowest)).filter(allows);
        let rules = rules.filter(|(_, allow)| !is_above(*allow)).map(|(count, at)| (count, Some(at)));
        let none = lowest.is_none().then_some((of_other.len(), None));
        rules.chain(none).collect()
    }

    /// Returns a path that a Disallow decides in the first set and `allow` in the other, below these rules of it. What
    /// is above the Disallow is looked up if the first path that is tried is none, and kept.
    fn path_of(
        &self,
        (disallow, above_disallow): (RuleIndex, &mut Option<Vec<RuleIndex>>),
        (allow, above_allow): (Option<RuleIndex>, &[RuleIndex]),
    ) -> Result<Option<Vec<u8>>, NotDecided> {
        let Self { set, other, .. } = self;
        let mut must = vec![set.term(disallow)];
        must.extend(allow.map(|allow| other.term(allow)));
        must.extend(self.within);
        let space = set.space(other);
        let is_region = |path: &Vec<u8>| {
            set.first(&set.seen(path), |_| false) == Some(disallow)
                && other.first(&other.seen(path), |_| false) == allow
        };
        if let Some(path) = first_tried(&must, space).filter(is_region) {
            return Ok(Some(path));
        }
        let above_disallow = match above_disallow {
            Some(above) => above,
            None => {
                let related = set.related(set.pattern(disallow))?;
                above_disallow.insert(related.into_iter().take_while(|above| *above < disallow).collect())
            }
        };
        let above = above_disallow.iter().map(|at| set.term(*at));
        let must_not: Vec<_> = above.chain(above_allow.iter().map(|at| other.term(*at))).collect();
        shortest_path(&must, &must_not, space, set.budget)
    }
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

/// Reports whether a text is of bytes that both forms see as they are: they lead to the same bytes, others may not.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte))
}

/// Returns the rules of another set that can match a path that a pattern of a set matches, if the two see paths in two
/// forms. `odd` are those of the other set whose heads are not [plain](is_plain).
fn related_in_other_form(
    set: &RuleAnalysis<'_>,
    other: &RuleAnalysis<'_>,
    odd: &[RuleIndex],
    pattern: &[u8],
) -> Result<Vec<RuleIndex>, NotDecided> {
    if !is_plain(head(pattern)) {
        let all = other.set.rules().len() as RuleIndex;
        set.budget.take(all.into())?;
        return Ok((0..all).collect());
    }
    set.budget.take(odd.len() as u64)?;
    let mut related = other.related(pattern)?;
    related.extend_from_slice(odd);
    related.small_sort_unstable();
    related.dedup();
    Ok(related)
}
