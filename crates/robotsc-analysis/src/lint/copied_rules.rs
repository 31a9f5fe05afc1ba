//! A fix that gives a named group the rules that it lacks of the group which it replaces: mostly that of `*`.
//!
//! ```text
//! User-agent: *                User-agent: FooBot
//! Disallow: /help/             Disallow: /tmp/
//! Allow: /help/faq             Disallow: /help/    copied
//!                              Allow: /help/faq    copied, too: otherwise it closes what neither group closes
//! ```
//!
//! After it, the named agents are allowed what both groups allow, and nothing else. This is proved for all paths. If no
//! copies of its lines lead there, there is no fix: an `Allow` of one group can outrank a `Disallow` of the other.

use std::collections::{BTreeSet, HashMap, HashSet};

use robotsc_compiler::{GroupId, RuleLine, RuleSet};

use super::context::{Context, Obeyed};
use super::finding::Fix;
use super::groups::copies;
use crate::rules::RuleAnalysis;
use crate::rules::compare::{all_opened, opened};
use crate::search::{NotDecided, SearchBudget};
use crate::space::Paths;

/// The maximum number of rules that a fix copies.
const MAX_COPIED: usize = 64;

/// The maximum work of a proof: a fix is worth less than the findings that the rest of the budget decides.
const MAX_WORK: u64 = SearchBudget::IN_ALL / 64;

/// As [`missing_lines_within`], within a part of the budget.
pub(super) fn missing_lines(
    context: &Context<'_>,
    [star, named]: [&Obeyed<'_>; 2],
    first: &BTreeSet<u32>,
) -> Result<Option<BTreeSet<u32>>, NotDecided> {
    let budget = star.rules.budget;
    let most = MAX_WORK.min(budget.left());
    let part = SearchBudget::new(most, most);
    let lines = missing_lines_within(context, [star, named], first, &part);
    budget.take(most - part.left())?;
    lines
}

/// Returns the lines of the other group that a named group has to have, too, so that its agents are allowed what both
/// groups allow. `None` if copies of lines do not do it. It starts with the lines of which something is known to be
/// missing.
fn missing_lines_within(
    context: &Context<'_>,
    [star, named]: [&Obeyed<'_>; 2],
    first: &BTreeSet<u32>,
    budget: &SearchBudget,
) -> Result<Option<BTreeSet<u32>>, NotDecided> {
    let dialect = context.robots.dialect();
    let [of_star, of_named] =
        [star, named].map(|obeyed| RuleAnalysis::of(obeyed.rules.rule_set(), dialect, Paths::Urls, budget));
    // Copies come after all lines of the file.
    let after_all = context.lines.count() + 1;
    let mut copied = first.clone();
    while copied.len() <= MAX_COPIED {
        let own = lines_of(context, named.audience.groups.iter());
        let copies = copied.iter().filter_map(|line| Some((context.rule_of_line(*line)?, after_all)));
        let rules = own.map(|rule| (rule, 0)).chain(copies);
        let rules = rules.map(|(rule, added)| (rule.kind, context.value(rule), rule.line + added));
        let set = RuleSet::from_rules(dialect, rules);
        budget.take(set.rules().len() as u64)?;
        let joined = RuleAnalysis::of(&set, dialect, Paths::Urls, budget);
        let mut missing = BTreeSet::new();
        // What a copy closes and `*` allows: where its own rule disallows, the group of `*` has no say.
        let closed = all_opened(&joined, &of_star, |at| joined.rule(at).line >= after_all)?;
        // What `*` disallows, and the group as it would be allows.
        let opened_still = opened(&of_star, &joined)?;
        let of_star_there = closed.iter().map(|region| region.new).chain(opened_still.iter().map(|region| region.old));
        for decided in of_star_there {
            // The line of `*` that says otherwise is there already, or is none: a rule of its own outranks it.
            match decided.map(|at| of_star.rule(at).line) {
                Some(line) if line > 0 && !copied.contains(&line) => missing.insert(line),
                _ => return Ok(None),
            };
        }
        if missing.is_empty() {
            let is_opened = !opened(&of_named, &joined)?.is_empty();
            return Ok((!is_opened).then_some(copied));
        }
        copied.extend(missing);
    }
    Ok(None)
}

/// Returns the rules of some groups.
fn lines_of<'c>(
    context: &Context<'c>,
    groups: impl Iterator<Item = &'c GroupId>,
) -> impl Iterator<Item = &'c RuleLine> {
    let robots = context.robots;
    let groups = groups.filter_map(|id| robots.groups().get(id.0 as usize));
    groups.flat_map(|group| robots.rules_of(group))
}

/// The groups of a file that one audience obeys.
pub(super) struct OwnGroups(HashSet<GroupId>);

impl OwnGroups {
    pub(super) fn of(context: &Context<'_>) -> Self {
        let mut counts: HashMap<GroupId, usize> = HashMap::new();
        for id in context.obeyed.iter().flat_map(|obeyed| &obeyed.audience.groups) {
            *counts.entry(*id).or_default() += 1;
        }
        Self(counts.into_iter().filter(|(_, count)| *count == 1).map(|(id, _)| id).collect())
    }

    /// Returns the last line of a group that these agents obey and no others. `None` if there is no such group with a
    /// rule.
    pub(super) fn place(&self, context: &Context<'_>, named: &Obeyed<'_>) -> Option<u32> {
        let id = named.audience.groups.iter().rev().find(|id| self.0.contains(id))?;
        let group = context.robots.groups().get(id.0 as usize)?;
        Some(context.robots.rules_of(group).last()?.line)
    }
}

/// Returns a fix that copies lines of the groups for a name, such as `*`, below a line.
pub(super) fn fix(context: &Context<'_>, name: &str, place: u32, lines: &BTreeSet<u32>) -> Fix {
    let copied = copies(context, lines.iter().filter_map(|line| context.rule_of_line(*line)));
    Fix::insert(format!("copy the rules of `{name}`"), context.lines.whole(place).end, copied)
}
