//! Agents in classes, so that rules are compared about once however many agents obey them.
//!
//! ```text
//! old   A, B: rules 1     C: rules 2        classes   {A, B}   rules 1 -> rules 3
//! new   A, B: rules 3     C: rules 4                  {C}      rules 2 -> rules 4
//! ```
//!
//! First [`classes`] puts agents together whose rules are equal on both sides, as text. Then [`changes`] has the rules
//! of each class compared. At last [`joined`] puts classes together whose changes are the same.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{RuleOrigin, RuleSet};

use super::agents::AgentClass;
use super::sides::Side;
use crate::rules::compare::{Region, first_difference, regions};
use crate::rules::{Identity, RuleAnalysis, RuleIndex, identity};
use crate::search::{NotDecided, SearchBudget};
use crate::space::Paths;

/// Agents with equal rules on both sides.
#[derive(Debug)]
pub(super) struct RuleClass {
    /// The numbers of the contents of their rules; `None` if the budget was spent before they were read.
    content: [Option<u32>; 2],
    /// The numbers of their pairs.
    pairs: Vec<usize>,
}

/// The path and the two rules of each change.
type ShownChanges<'r> = Vec<(Vec<u8>, Option<Identity<'r>>, Option<Identity<'r>>)>;

/// What was found for some agents.
pub(super) struct ClassChanges<'r> {
    pub(super) pairs: Vec<usize>,
    /// `None` if they were not read.
    pub(super) rules: Option<[Arc<RuleSet>; 2]>,
    pub(super) found: Result<([Rc<RuleAnalysis<'r>>; 2], Vec<Region>), NotDecided>,
}

/// Reports whether both files are read under one dialect. Between dialects no rules are equal.
fn is_one_dialect(sides: &[Side<'_, '_>; 2]) -> bool {
    sides[0].robots.dialect() == sides[1].robots.dialect()
}

/// Puts agents together that have equal rules on both sides: they have the same change.
pub(super) fn classes(pairs: &[AgentClass], sides: &mut [Side<'_, '_>; 2], budget: &SearchBudget) -> Vec<RuleClass> {
    let is_one_dialect = is_one_dialect(sides);
    let mut known = [HashMap::new(), HashMap::new()];
    let mut classes: Vec<RuleClass> = Vec::new();
    let mut at: HashMap<[Option<u32>; 2], usize> = HashMap::new();
    for (number, pair) in pairs.iter().enumerate() {
        let mut content = [None; 2];
        for (number, content) in content.iter_mut().enumerate() {
            let known = &mut known[if is_one_dialect { 0 } else { number }];
            *content = sides[number].content(pair.lists[number], known, budget).ok();
        }
        let class = *at.entry(content).or_insert(classes.len());
        if class == classes.len() {
            classes.push(RuleClass { content, pairs: Vec::new() });
        }
        classes[class].pairs.push(number);
    }
    classes
}

/// Compares the rules of each class. Returns the pairs for which nothing changed, and the changes of all others, in the
/// order of the classes.
pub(super) fn changes<'r>(
    classes: Vec<RuleClass>,
    pairs: &[AgentClass],
    sides: &'r [Side<'_, '_>; 2],
    paths: Paths,
    budget: &'r SearchBudget,
) -> (Vec<usize>, Vec<ClassChanges<'r>>) {
    let is_one_dialect = is_one_dialect(sides);
    // The cheap ones first: the work of one that cannot be decided is not theirs to lose.
    let bytes = |class: &RuleClass| -> usize {
        let lists = pairs[class.pairs[0]].lists;
        (0..2).map(|side| sides[side].pattern_bytes(lists[side])).sum()
    };
    let mut by_size: Vec<(usize, RuleClass)> = classes.into_iter().enumerate().collect();
    by_size.small_sort_by_cached_key(|(_, class)| bytes(class));
    let mut unchanged = Vec::new();
    let mut all: Vec<(usize, ClassChanges<'_>)> = Vec::new();
    // Thousands of agents can have rules of their own in one file, and share thousands in the other.
    let mut of_lists: HashMap<(usize, usize), Rc<RuleAnalysis<'_>>> = HashMap::new();
    for (number, class) in by_size {
        if matches!(class.content, [Some(old), Some(new)] if is_one_dialect && old == new) {
            unchanged.extend_from_slice(&class.pairs);
            continue;
        }
        let lists = pairs[class.pairs[0]].lists;
        let rules = sides[0].rules(lists[0]).zip(sides[1].rules(lists[1])).map(<[_; 2]>::from);
        let mut analysis = |side: usize, rules| {
            let analyzed = || Rc::new(RuleAnalysis::of(rules, sides[side].robots.dialect(), paths, budget));
            of_lists.entry((side, lists[side])).or_insert_with(analyzed).clone()
        };
        let found = match rules {
            Some([old, new]) if !budget.is_spent() => {
                let analyses = [analysis(0, old), analysis(1, new)];
                regions(&analyses[0], &analyses[1]).map(|regions| (analyses, regions))
            }
            _ => Err(NotDecided),
        };
        match found {
            Ok((_, regions)) if regions.is_empty() => unchanged.extend_from_slice(&class.pairs),
            found => {
                let rules = rules.map(|rules| rules.map(Arc::clone));
                all.push((number, ClassChanges { pairs: class.pairs, rules, found }));
            }
        }
    }
    all.small_sort_unstable_by_key(|(number, _)| *number);
    (unchanged, all.into_iter().map(|(_, changes)| changes).collect())
}

/// Puts classes together whose changes are the same. It comes last, since the work that is left decides only which
/// groups are shown as one.
pub(super) fn joined(all: Vec<ClassChanges<'_>>) -> Vec<ClassChanges<'_>> {
    let (mut groups, mut alike, mut left) = (Vec::new(), HashMap::new(), MAX_COMPARISONS);
    for found in all {
        found.join(&mut groups, &mut alike, &mut left);
    }
    groups
}

/// How often the rules of groups whose changes look the same are compared. After that, each is shown as a group.
const MAX_COMPARISONS: usize = 256;

impl<'r> ClassChanges<'r> {
    /// Adds these agents to a group with the same change, or as a new group.
    fn join(self, groups: &mut Vec<Self>, at: &mut HashMap<ShownChanges<'r>, Vec<usize>>, left: &mut usize) {
        if self.found.is_err() && self.rules.is_some() {
            // Whether two of these have the same change is not known.
            groups.push(self);
            return;
        }
        let alike = at.entry(self.shown_changes()).or_default();
        // Groups whose rules were not read are compared at no cost.
        let most = if self.rules.is_none() { usize::MAX } else { *left };
        let mut compared = 0;
        let found = alike.iter().copied().take(most).find(|at| {
            compared += 1;
            self.means(&groups[*at])
        });
        *left = left.saturating_sub(compared);
        match found {
            Some(at) => groups[at].pairs.extend(self.pairs),
            None => {
                alike.push(groups.len());
                groups.push(self);
            }
        }
    }

    /// Returns what is shown of the changes.
    fn shown_changes(&self) -> ShownChanges<'r> {
        let Ok(([old, new], regions)) = &self.found else { return Vec::new() };
        let rule = |analysis: &RuleAnalysis<'r>, at| deciding(analysis.set, at).map(|at| identity(analysis.set, at));
        regions.iter().map(|region| (region.path.clone(), rule(old, region.old), rule(new, region.new))).collect()
    }

    /// Reports whether the rules of a group with the same shown changes mean the same on both sides.
    fn means(&self, group: &Self) -> bool {
        match (&self.found, &group.found) {
            (Ok((mine, _)), Ok((others, _))) => {
                mine.iter().zip(others).all(|(mine, other)| first_difference(mine, other) == Ok(None))
            }
            // Nothing was read.
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }
}

/// Returns a rule, unless its line is empty and decides nothing.
pub(super) fn deciding(set: &RuleSet, at: Option<RuleIndex>) -> Option<RuleIndex> {
    at.filter(|at| set.rules()[*at as usize].origin != RuleOrigin::EmptyLine)
}
