//! Removes rules without which every verdict is the same.
//!
//! ```text
//! Disallow: /cart
//! Disallow: /cart/old      removed: without it, line 1 disallows the same paths
//! Allow: /blog             removed: without it, nothing disallows the path
//! ```
//!
//! A line can go if it is needed under no dialect and for none of the agents that obey it. Lines are tried one by one,
//! each against what is left. The lowest rank is tried first: a rule matters only for what would decide in its place,
//! and that has a lower rank.
//!
//! A group keeps one rule, since without any it would be read as one with the next.
//!
//! This is the proof, too: each removal is a question that was decided for all agents under all dialects. What is left
//! is parsed, and must have the items and groups of the file but for these lines.

use std::cmp::Reverse;
use std::collections::HashMap;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{Dialect, RobotsTxt, RuleKind, RuleOrigin, RuleSet};

use super::edits::{LineEdit, edited};
use super::reading::{Item, Source};
use crate::agents::audience::audiences;
use crate::rules::{RuleAnalysis, RuleIndex};
use crate::search::{NotDecided, SearchBudget};
use crate::space::Paths;

/// The work of reading a rule for some agents, and of a byte of its value, in the units of [`SearchBudget`].
const WORK_OF_RULE: u64 = 256;
const WORK_OF_BYTE: u64 = 8;

/// A file without redundant rules.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) body: Vec<u8>,
    /// The lines of the body that are redundant, too, and stay since their groups have no other rule.
    pub(super) idle: Vec<u32>,
    /// Whether all questions were decided.
    pub(super) is_decided: bool,
}

/// Returns a body without rules that are not needed.
pub(super) fn without_redundant(body: &[u8], budget: &SearchBudget) -> Result<Rest, NotDecided> {
    let source = Source::new(body);
    let sets = source.parsed.iter().map(|robots| sets(robots, budget)).collect::<Result<Vec<_>, _>>()?;
    let readers: Vec<DialectReader<'_>> =
        source.parsed.iter().zip(&sets).map(|(robots, sets)| DialectReader::new(robots, sets, budget)).collect();
    let mut lines = lines(&source);
    lines.small_sort_unstable();
    let mut left = KeptRules { readers, gone: vec![false; source.lines.count() as usize + 2], is_decided: true };
    let mut idle = Vec::new();
    loop {
        let mut is_changed = false;
        idle.clear();
        for (.., Reverse(line)) in &lines {
            if left.gone[*line as usize] || budget.is_spent() || left.is_needed(*line) {
                continue;
            }
            if left.is_last_of_group(*line) {
                idle.push(*line);
            } else {
                left.remove(*line);
                is_changed = true;
            }
        }
        if !is_changed || budget.is_spent() {
            break;
        }
    }
    let is_gone = |line: &u32| left.gone[*line as usize];
    let removed: Vec<LineEdit> = (0..left.gone.len() as u32).filter(is_gone).map(|line| (line, None)).collect();
    let rest = edited(body, &removed);
    if !source.has_rest(&Source::new(&rest), &left.gone) {
        return Err(NotDecided);
    }
    let line_after = |line: u32| line - removed.iter().filter(|(before, _)| *before < line).count() as u32;
    let mut idle: Vec<u32> = idle.into_iter().map(line_after).collect();
    idle.small_sort_unstable();
    Ok(Rest { body: rest, idle, is_decided: left.is_decided && !budget.is_spent() })
}

/// Returns the lines that are rules under all dialects, with what they are sorted by: the lowest rank first. Of equal
/// rules, the last comes first.
fn lines(source: &Source<'_>) -> Vec<(usize, bool, Reverse<u32>)> {
    let is_rule = |item: &Option<Item<'_>>| matches!(item, Some(Item::Rule(..)));
    let sorted_by = |(line, items): (u32, [Option<Item<'_>>; Dialect::ALL.len()])| match items[0] {
        Some(Item::Rule(kind, value)) if items.iter().all(is_rule) => {
            Some((value.len(), kind == RuleKind::Allow, Reverse(line)))
        }
        _ => None,
    };
    (0..).zip(source.of_lines()).filter_map(sorted_by).collect()
}

/// Returns the rule sets of all agents.
fn sets(robots: &RobotsTxt<'_>, budget: &SearchBudget) -> Result<Vec<RuleSet>, NotDecided> {
    let mut sets = Vec::new();
    for audience in audiences(robots) {
        let groups = audience.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
        let rules = groups.flat_map(|group| robots.rules_of(group));
        budget.take(rules.map(|rule| WORK_OF_RULE + WORK_OF_BYTE * rule.value.len() as u64).sum())?;
        sets.push(audience.rule_set(robots));
    }
    Ok(sets)
}

/// A file under one dialect.
#[derive(Debug)]
struct DialectReader<'r> {
    /// The rules of agents that obey the same groups.
    sets: Vec<RuleAnalysis<'r>>,
    /// The rules of a line, in each set.
    of_line: HashMap<u32, Vec<(usize, Vec<RuleIndex>)>>,
    /// The group of a line.
    group_of: HashMap<u32, usize>,
    /// The number of rules that each group still has.
    counts: Vec<usize>,
}

impl<'r> DialectReader<'r> {
    fn new(robots: &RobotsTxt<'_>, sets: &'r [RuleSet], budget: &'r SearchBudget) -> Self {
        let mut of_line: HashMap<u32, Vec<(usize, Vec<RuleIndex>)>> = HashMap::new();
        for (number, set) in sets.iter().enumerate() {
            for (at, rule) in (0..).zip(set.rules()).filter(|(_, rule)| rule.origin != RuleOrigin::EmptyLine) {
                let of_line = of_line.entry(rule.line).or_default();
                match of_line.last_mut() {
                    Some((last, rules)) if *last == number => rules.push(at),
                    _ => of_line.push((number, vec![at])),
                }
            }
        }
        let mut group_of = HashMap::new();
        let mut counts = Vec::with_capacity(robots.groups().len());
        for (number, group) in robots.groups().iter().enumerate() {
            let rules = robots.rules_of(group);
            counts.push(rules.len());
            group_of.extend(rules.iter().map(|rule| (rule.line, number)));
        }
        let sets = sets.iter().map(|set| RuleAnalysis::of(set, robots.dialect(), Paths::Urls, budget)).collect();
        Self { sets, of_line, group_of, counts }
    }

    /// Reports whether a verdict would change without a line.
    fn is_needed(&self, line: u32, gone: &[bool]) -> Result<bool, NotDecided> {
        for (set, rules) in self.of_line.get(&line).map_or(&[][..], Vec::as_slice) {
            let set = &self.sets[*set];
            if set.is_needed(rules, &|at| gone[set.rule(at).line as usize])? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What is left of a file.
#[derive(Debug)]
struct KeptRules<'r> {
    /// Under each dialect.
    readers: Vec<DialectReader<'r>>,
    /// By line: whether it was removed.
    gone: Vec<bool>,
    /// Whether all questions were decided.
    is_decided: bool,
}

impl KeptRules<'_> {
    /// Reports whether a line is needed under some dialect, or this was not decided.
    fn is_needed(&mut self, line: u32) -> bool {
        for reader in &self.readers {
            match reader.is_needed(line, &self.gone) {
                Ok(false) => {}
                Ok(true) => return true,
                Err(NotDecided) => {
                    self.is_decided = false;
                    return true;
                }
            }
        }
        false
    }

    /// Reports whether a line is the only rule that is left of its group under some dialect.
    fn is_last_of_group(&self, line: u32) -> bool {
        self.readers.iter().any(|reader| reader.group_of.get(&line).is_some_and(|group| reader.counts[*group] == 1))
    }

    fn remove(&mut self, line: u32) {
        self.gone[line as usize] = true;
        for reader in &mut self.readers {
            if let Some(group) = reader.group_of.get(&line) {
                reader.counts[*group] -= 1;
            }
        }
    }
}
