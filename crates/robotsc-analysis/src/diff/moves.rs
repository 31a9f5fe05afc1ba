//! Agents that obey other groups than before, and why lines that both files have count for other agents.
//!
//! ```text
//! User-agent: FooBot       User-agent: FooBot
//! Allow: /
//! User-agent: BarBot       User-agent: BarBot
//! Disallow: /              Disallow: /
//! ```
//!
//! The last line is old. It blocks FooBot since line 2 is gone: the group of BarBot now begins at line 1.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{DiagnosticCode, RobotsTxt};

use crate::agents::group_of_rule;
use crate::text::lines::Lines;

/// The maximum number of lines that are named as the cause.
const MAX_CAUSES: usize = 3;

/// Which groups an agent obeys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObeyedGroups {
    /// Those that name it.
    Own,
    /// Those of another name, as its operator documents it.
    Of(String),
    /// Those for all other agents.
    Others,
    /// None: it obeys only groups that name it, and none does.
    Nobody,
}

/// Agents that obey other groups than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentMove {
    /// Their names.
    pub names: Vec<String>,
    /// What they obeyed.
    pub from: ObeyedGroups,
    /// What they obey now.
    pub to: ObeyedGroups,
}

/// A line of one of the files, with its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineText {
    /// The line, from 1.
    pub line: u32,
    /// The text, without blanks at its ends.
    pub text: Vec<u8>,
}

/// A rule that both files have, and that counts for other agents since lines near it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regrouping {
    /// The line of the rule in the old file and in the new one.
    pub lines: [u32; 2],
    /// What became of its group.
    pub change: GroupChange,
}

/// What became of the group of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupChange {
    /// It begins earlier, and holds the agents of another group.
    Merged {
        /// The line of the new file that it begins at.
        begins: u32,
        /// The line of the new file that it would begin at, if the old file still has it.
        began: Option<u32>,
        /// The lines of the old file that are gone.
        gone: Vec<LineText>,
    },
    /// It begins later, and some of its agents are another group.
    Split {
        /// The line of the new file that it begins at.
        begins: u32,
        /// The line of the new file that it began at.
        began: u32,
        /// The lines of the new file between the two.
        added: Vec<LineText>,
    },
    /// A `User-agent` line of the new file was added to it.
    AgentAdded(LineText),
    /// A `User-agent` line of the old file was removed from it.
    AgentRemoved(LineText),
    /// The rule is in no group of the new file. Holds the last `User-agent` line of its group that is gone.
    Left(Option<LineText>),
    /// The rule was in no group of the old file. Holds the first `User-agent` line of its group in the new one.
    Joined(LineText),
}

/// The rules of a file that are in no group.
#[derive(Debug)]
struct RulesOutside<'r> {
    /// Their lines, in order.
    lines: Vec<u32>,
    /// The first line of each text.
    by_text: HashMap<&'r [u8], u32>,
}

/// Two files, and which lines of one are lines of the other.
#[derive(Debug)]
pub(super) struct AlignedFiles<'r, 'b> {
    robots: [&'r RobotsTxt<'b>; 2],
    lines: [Lines<'r>; 2],
    /// For each line of either file, from 1, its line in the other; 0 if it has none.
    other: [Vec<u32>; 2],
    outside: [RulesOutside<'r>; 2],
    /// The texts of the lines of the new file, which few diffs ask for.
    new_texts: OnceCell<HashSet<&'r [u8]>>,
    /// By the group of the old file and that of the new, why rules of both count for other agents. The number of no
    /// group is the maximum.
    changes: RefCell<HashMap<[usize; 2], Option<GroupChange>>>,
}

impl<'r, 'b> AlignedFiles<'r, 'b> {
    pub(super) fn new(robots: [&'r RobotsTxt<'b>; 2]) -> Self {
        let lines = robots.map(|robots| Lines::new(robots.body()));
        let texts =
            lines.each_ref().map(|lines| (1..=lines.count()).map(|line| lines.text(line).trim_ascii()).collect());
        let other = aligned(texts);
        let outside = [0, 1].map(|side: usize| {
            let all = robots[side].diagnostics().iter();
            let rules = all.filter(|one| one.code == DiagnosticCode::RuleOutsideGroup).map(|one| one.line);
            let found: Vec<u32> = rules.collect();
            let by_text = found.iter().rev().map(|line| (lines[side].text(*line).trim_ascii(), *line)).collect();
            RulesOutside { lines: found, by_text }
        });
        Self { robots, lines, other, outside, new_texts: OnceCell::new(), changes: RefCell::default() }
    }

    /// Returns the line of the other file that is the same rule: the same line, or an equal one that is in no group.
    pub(super) fn other_rule(&self, side: usize, line: u32) -> Option<u32> {
        let by_text = &self.outside[1 - side].by_text;
        self.other_line(side, line).or_else(|| by_text.get(self.lines[side].text(line).trim_ascii()).copied())
    }

    /// Returns the line of the other file that is the same line.
    pub(super) fn other_line(&self, side: usize, line: u32) -> Option<u32> {
        self.other[side].get(line as usize).copied().filter(|line| *line > 0)
    }

    /// Returns why a rule counts for other agents than in the other file.
    pub(super) fn regrouping(&self, side: usize, line: u32) -> Option<Regrouping> {
        let other = self.other_rule(side, line)?;
        let lines = if side == 0 { [line, other] } else { [other, line] };
        let mut known = self.changes.borrow_mut();
        if self.outside[1 - side].lines.binary_search(&other).is_ok() {
            let group = self.group(side, line)?;
            let mut groups = [usize::MAX; 2];
            groups[side] = group;
            let change = known.entry(groups).or_insert_with(|| self.ungrouped(side, group)).clone()?;
            return Some(Regrouping { lines, change });
        }
        let groups = [self.group(0, lines[0])?, self.group(1, lines[1])?];
        // One of each cause: the rules of a group have the same.
        let change = known.entry(groups).or_insert_with(|| self.change(groups)).clone()?;
        Some(Regrouping { lines, change })
    }

    /// Returns what became of the rules of a group that are in no group of the other side.
    fn ungrouped(&self, side: usize, group: usize) -> Option<GroupChange> {
        let robots = self.robots[side];
        let mut agents = robots.agents_of(&robots.groups()[group]).iter().map(|agent| self.line_text(side, agent.line));
        if side == 1 {
            return Some(GroupChange::Joined(agents.next()?));
        }
        // The rules can be above a line that is still there.
        let new = &self.lines[1];
        let texts = || (1..=new.count()).map(|line| new.text(line).trim_ascii()).collect();
        let texts = self.new_texts.get_or_init(texts);
        Some(GroupChange::Left(agents.rfind(|agent| !texts.contains(agent.text.as_slice()))))
    }

    /// Returns why rules of a group of the old file, which are in a group of the new, count for other agents.
    fn change(&self, groups: [usize; 2]) -> Option<GroupChange> {
        let agents = [0, 1].map(|side| {
            let robots = self.robots[side];
            robots.agents_of(&robots.groups()[groups[side]])
        });
        // The agents of a group follow each other.
        let is_in = |side: usize, line: u32| agents[side].binary_search_by_key(&line, |agent| agent.line).is_ok();
        // Whether an agent of one group was or is in another one.
        let is_elsewhere =
            |side: usize, line: u32| self.other_line(side, line).is_some_and(|other| !is_in(1 - side, other));
        let [old, new] = agents.map(|agents| agents.iter().map(|agent| agent.line));
        let begins = new.clone().next()?;
        let last = |side: usize| agents[side].last().map_or(0, |agent| agent.line);
        Some(if let Some(line) = new.clone().rev().find(|line| is_elsewhere(1, *line)) {
            let from = self.other_line(1, line)?;
            let began = old.clone().find_map(|line| self.other_line(0, line)).filter(|line| *line != begins);
            GroupChange::Merged { begins, began, gone: self.unlike(0, from + 1..last(0) + 1) }
        } else if let Some(line) = old.clone().rev().find(|line| is_elsewhere(0, *line)) {
            let began = old.clone().find_map(|line| self.other_line(0, line))?;
            let from = self.other_line(0, line)?;
            GroupChange::Split { begins, began, added: self.unlike(1, from + 1..last(1) + 1) }
        } else if let Some(added) = new.clone().find(|line| self.other_line(1, *line).is_none()) {
            GroupChange::AgentAdded(self.line_text(1, added))
        } else {
            let removed = old.clone().find(|line| self.other_line(0, *line).is_none())?;
            GroupChange::AgentRemoved(self.line_text(0, removed))
        })
    }

    /// Returns the index of the group of a rule.
    fn group(&self, side: usize, line: u32) -> Option<usize> {
        group_of_rule(self.robots[side], line)
    }

    /// Returns the first lines that the other file lacks, without comments and blanks.
    fn unlike(&self, side: usize, lines: Range<u32>) -> Vec<LineText> {
        let lines = lines.filter(|line| self.other_line(side, *line).is_none()).map(|line| self.line_text(side, line));
        lines.filter(|line| !matches!(line.text.as_slice(), [] | [b'#', ..])).take(MAX_CAUSES).collect()
    }

    fn line_text(&self, side: usize, line: u32) -> LineText {
        LineText { line, text: self.lines[side].text(line).trim_ascii().to_vec() }
    }
}

/// Aligns the lines of two files: equal lines at both ends, then lines that each has once, in one order, and what is
/// equal around these. Cost: n log n in the lines.
fn aligned(texts: [Vec<&[u8]>; 2]) -> [Vec<u32>; 2] {
    let [old, new] = &texts;
    let mut other = [vec![0; old.len() + 1], vec![0; new.len() + 1]];
    let mut join = |one: usize, two: usize| {
        other[0][one + 1] = two as u32 + 1;
        other[1][two + 1] = one as u32 + 1;
    };
    let start = old.iter().zip(new).take_while(|(one, two)| one == two).count();
    let most = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(one, two)| one == two).count();
    (0..start).for_each(|at| join(at, at));
    (1..=end).for_each(|at| join(old.len() - at, new.len() - at));
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    let mut anchors = vec![(start, start)];
    anchors.extend(
        unique_pairs(&old[start..old_end], &new[start..new_end])
            .into_iter()
            .map(|(one, two)| (one + start, two + start)),
    );
    anchors.push((old_end, new_end));
    for pair in anchors.windows(2) {
        let [(mut one, mut two), (next_one, next_two)] = [pair[0], pair[1]];
        while one < next_one && two < next_two && old[one] == new[two] {
            join(one, two);
            (one, two) = (one + 1, two + 1);
        }
        let (mut last_one, mut last_two) = (next_one, next_two);
        while last_one > one && last_two > two && old[last_one - 1] == new[last_two - 1] {
            (last_one, last_two) = (last_one - 1, last_two - 1);
            join(last_one, last_two);
        }
    }
    other
}

/// Returns the places of lines that each file has once, as many as keep their order.
fn unique_pairs(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let once = |lines: &[&[u8]]| {
        let mut at: HashMap<Vec<u8>, Option<usize>> = HashMap::new();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
            at.entry(line.to_vec()).and_modify(|at| *at = None).or_insert(Some(number));
        }
        at
    };
    let (in_old, in_new) = (once(old), once(new));
    let mut pairs: Vec<(usize, usize)> =
        in_old.iter().filter_map(|(line, one)| Some(((*one)?, (*in_new.get(line)?)?))).collect();
    pairs.small_sort_unstable();
    // The longest row of pairs whose second numbers rise.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, (_, two)) in pairs.iter().enumerate() {
        let place = ends.partition_point(|end| pairs[*end].1 < *two);
        before.push(place.checked_sub(1).map(|place| ends[place]));
        match ends.get_mut(place) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut row = Vec::new();
    let mut at = ends.last().copied();
    while let Some(number) = at {
        row.push(pairs[number]);
        at = before[number];
    }
    row.reverse();
    row
}
