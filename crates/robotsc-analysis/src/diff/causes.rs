//! Why lines that both files have count for other agents.
//!
//! ```text
//! User-agent: FooBot       User-agent: FooBot
//! Allow: /
//! User-agent: BarBot       User-agent: BarBot
//! Disallow: /              Disallow: /
//! ```
//!
//! The last line is old. It blocks FooBot since line 2 is gone: the group of BarBot now begins at line 1.
//!
//! A rule counts for an agent if the `User-agent` line of the agent heads its group. So what is asked is what became of
//! that line, of the rule, and of the lines between the two.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use robotsc_compiler::record::RecordKind;
use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{Group, RobotsTxt};
use robotsc_runtime::name_of_key;

use super::agents::Agents;
use crate::agents::group_of_rule;
use crate::text::alignment::Alignment;
use crate::text::lines::Lines;

/// The maximum number of lines that are named as the cause.
const MAX_CAUSES: usize = 3;
/// The maximum number of lines among which one that is not read is looked for.
const MAX_PLACE: usize = 64;
/// The maximum number of `User-agent` lines of some agents whose groups are looked at as a whole.
const MAX_AGENT_LINES: usize = 64;

/// A line of one of the files, with its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineText {
    /// The line, from 1.
    pub line: u32,
    /// The text, without blanks at its ends.
    pub text: Vec<u8>,
}

/// A line of one of the files that is not at its place in the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChangedLine {
    /// The line.
    pub line: LineText,
    /// What the other file has for it.
    pub other: OtherLine,
}

/// What a file has for a line of another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OtherLine {
    /// Nothing.
    None,
    /// The same line at another place.
    Moved(u32),
    /// A line with the same value in its place that no crawler reads.
    Unread(LineText),
}

/// Some lines of one of the files that are not at their places in the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChangedLines {
    /// The first of them.
    pub first: Vec<ChangedLine>,
    /// The number of all others.
    pub more: usize,
}

/// A rule or a record that both files have, and that counts for other agents since lines near it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regrouping {
    /// Its line in the old file and in the new one.
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
        gone: ChangedLines,
    },
    /// It begins later, and some of its agents are another group.
    Split {
        /// The line of the new file that it begins at.
        begins: u32,
        /// The line of the new file that it began at.
        began: u32,
        /// The lines of the new file between the two.
        added: ChangedLines,
    },
    /// `User-agent` lines of the new file were added to it.
    AgentsAdded(ChangedLines),
    /// `User-agent` lines of the old file were removed from it.
    AgentsRemoved(ChangedLines),
    /// `User-agent` lines of the old file were moved, to it or from it.
    AgentsMoved(ChangedLines),
    /// The line was moved to the group that begins at this line of the new file.
    LineMoved(u32),
    /// The line is in no group of the new file. Holds the last `User-agent` line of its group that is gone.
    Left(Option<ChangedLine>),
    /// The line was in no group of the old file. Holds the first `User-agent` line of its group in the new one.
    Joined(ChangedLine),
}

/// What [`AlignedFiles`] knows of the lines of a file.
#[derive(Debug)]
struct Known {
    /// The `User-agent` lines of each name in lower case; those of `*` are under the empty name.
    of_name: HashMap<Vec<u8>, Vec<u32>>,
    /// The rules that are kept.
    rules: Vec<u32>,
    /// The rules that are not.
    changed_rules: Vec<u32>,
    /// The other lines that are not, without comments and blanks.
    changed: Vec<u32>,
}

/// By the side on which agents obey the lines, and the two groups, what became of these.
type ChangesOfGroups = HashMap<(usize, [usize; 2]), Vec<GroupChange>>;

/// Two files, and which lines of one are lines of the other.
#[derive(Debug)]
pub(super) struct AlignedFiles<'r, 'b> {
    robots: [&'r RobotsTxt<'b>; 2],
    lines: [Lines<'r>; 2],
    alignment: Alignment,
    known: [Known; 2],
    /// Why the lines of two groups count for other agents, for agents that neither of them names: by the side on which
    /// they obey the lines, and the groups.
    of_unnamed: RefCell<ChangesOfGroups>,
}

/// Some agents of a diff: their `User-agent` lines in both files, in order.
pub(super) struct AgentLines([Vec<u32>; 2]);

impl<'r, 'b> AlignedFiles<'r, 'b> {
    pub(super) fn new(robots: [&'r RobotsTxt<'b>; 2]) -> Self {
        let lines = robots.map(|robots| Lines::new(robots.body()));
        let texts = lines
            .each_ref()
            .map(|lines| (1..=lines.count()).map(|line| lines.text(line).trim_ascii()).collect::<Vec<_>>());
        // A rule that stands is worth more than a `User-agent` line, and that more than a comment.
        let mut weights: HashMap<&[u8], u32> = HashMap::new();
        for side in [0, 1] {
            let mut weigh = |line: u32, weight: u32| {
                let text = lines[side].text(line).trim_ascii();
                weights.entry(text).and_modify(|known| *known = weight.max(*known)).or_insert(weight);
            };
            robots[side].agents().iter().for_each(|agent| weigh(agent.line, 1));
            robots[side].rules().iter().for_each(|rule| weigh(rule.line, 2));
            let records = robots[side].records().iter().filter(|record| counts(record.kind));
            records.for_each(|record| weigh(record.line, 2));
        }
        let weight = |text: &[u8]| weights.get(text).copied().unwrap_or(0);
        let alignment = Alignment::new(texts.each_ref().map(Vec::as_slice), weight);
        let known = [0, 1].map(|side| Known::of(robots[side], side, &texts[side], &alignment));
        Self { robots, lines, alignment, known, of_unnamed: RefCell::default() }
    }

    /// Returns the line of the other file that is the same line.
    pub(super) fn other_line(&self, side: usize, line: u32) -> Option<u32> {
        self.alignment.other(side, line)
    }

    /// Returns the line of the other file that has the value of a line in its place, and that no crawler reads.
    pub(super) fn unread(&self, side: usize, line: u32) -> Option<LineText> {
        let value = |text: &'r [u8]| {
            let at = text.iter().position(|byte| *byte == b':')?;
            Some(text[at + 1..].trim_ascii()).filter(|value| !value.is_empty())
        };
        let wanted = value(self.lines[side].text(line))?;
        let is_it = |other: &u32| {
            let text = self.lines[1 - side].text(*other).trim_ascii();
            value(text) == Some(wanted)
                && !text.starts_with(b"#")
                && self.alignment.other(1 - side, *other).is_none()
                && !is_read(self.robots[1 - side], *other)
        };
        let found = self.alignment.place(side, line).take(MAX_PLACE).find(is_it)?;
        Some(self.line_text(1 - side, found))
    }

    /// Returns the lines of some agents.
    pub(super) fn agent_lines(&self, agents: &Agents) -> AgentLines {
        AgentLines(self.known.each_ref().map(|known| {
            let names = agents.names.iter().map(|name| name.to_ascii_lowercase().into_bytes());
            let names = names.chain(agents.has_others.then(Vec::new));
            let mut lines: Vec<u32> = names.filter_map(|name| known.of_name.get(&name)).flatten().copied().collect();
            lines.small_sort_unstable();
            lines.dedup();
            lines
        }))
    }

    /// Returns why some lines, of which each is obeyed by some agents in one file and not in the other, count for other
    /// agents. `lines` are the side on which they are obeyed, and the line.
    pub(super) fn regroupings(
        &self,
        agents: &AgentLines,
        lines: impl IntoIterator<Item = (usize, u32)>,
    ) -> Vec<Regrouping> {
        let mut found = Vec::new();
        let mut known = HashSet::new();
        let mut seen = HashSet::new();
        for (side, line) in lines {
            let Some(other) = self.other_line(side, line) else { continue };
            let is_kept = self.alignment.kept(side, line).is_some();
            // The lines of a group have the same causes.
            if !seen.insert((side, self.group(side, line), self.group(1 - side, other), is_kept)) {
                continue;
            }
            let lines = if side == 0 { [line, other] } else { [other, line] };
            let changes = self.changes(agents, side, lines);
            let new = changes.into_iter().filter(|change| known.insert(change.clone()));
            found.extend(new.map(|change| Regrouping { lines, change }));
        }
        found
    }

    /// Returns a line that shows that the group of some agents merged with another or was split.
    pub(super) fn joined_groups(&self, agents: &AgentLines) -> Option<Regrouping> {
        for (side, line) in [1, 0].into_iter().flat_map(|side| {
            let lines = agents.0[side].iter().take(MAX_AGENT_LINES);
            lines.map(move |line| (side, *line))
        }) {
            let Some(other) = self.alignment.kept(side, line) else { continue };
            let groups = [self.group_of_agent(side, line), self.group_of_agent(1 - side, other)];
            let [Some(group), Some(other_group)] = groups else { continue };
            let robots = self.robots[side];
            let rules = robots.rules_of(&robots.groups()[group]).iter();
            let of_another = |line: &u32| {
                let other = self.alignment.kept(side, *line);
                other.and_then(|other| self.group(1 - side, other)).is_some_and(|group| group != other_group)
            };
            let Some(rule) = rules.map(|rule| rule.line).find(of_another) else { continue };
            let is_joint =
                |found: &Regrouping| matches!(found.change, GroupChange::Merged { .. } | GroupChange::Split { .. });
            if let Some(found) = self.regroupings(agents, [(side, rule)]).into_iter().find(is_joint) {
                return Some(found);
            }
        }
        None
    }

    /// Returns why the line of two files counts for agents on one side and not on the other.
    fn changes(&self, agents: &AgentLines, side: usize, lines: [u32; 2]) -> Vec<GroupChange> {
        let Some(group) = self.group(side, lines[side]) else { return Vec::new() };
        let Some(other) = self.group(1 - side, lines[1 - side]) else {
            return self.ungrouped(side, group).into_iter().collect();
        };
        let groups = if side == 0 { [group, other] } else { [other, group] };
        let heads = self.heads(side, group);
        let from = agents.0[side].partition_point(|line| *line < heads.first().copied().unwrap_or(0));
        let to = agents.0[side].partition_point(|line| *line <= heads.last().copied().unwrap_or(0));
        let named = &agents.0[side][from..to.max(from)];
        if !named.is_empty() {
            return self.of_agents(side, groups, lines, named);
        }
        // They obey the group of another name.
        let mut known = self.of_unnamed.borrow_mut();
        known.entry((side, groups)).or_insert_with(|| self.of_agents(side, groups, lines, &heads)).clone()
    }

    /// Returns the causes for agents with these `User-agent` lines, which the group of the side has.
    fn of_agents(&self, side: usize, groups: [usize; 2], lines: [u32; 2], agents: &[u32]) -> Vec<GroupChange> {
        let others = self.heads(1 - side, groups[1 - side]);
        let is_kept = self.alignment.kept(side, lines[side]).is_some();
        let (mut apart, mut is_moved, mut moved, mut gone) = (None, false, Vec::new(), Vec::new());
        for line in agents {
            match self.other_line(side, *line) {
                None => gone.push(*line),
                Some(other) if others.binary_search(&other).is_ok() => {}
                Some(_) if !is_kept => is_moved = true,
                Some(other) if self.alignment.kept(side, *line).is_none() => {
                    moved.push(if side == 0 { *line } else { other });
                }
                // The first reaches farthest.
                Some(other) => apart = apart.or(Some(other)),
            }
        }
        moved.small_sort_unstable();
        let new = self.heads(1, groups[1]);
        let begins = new.first().copied().unwrap_or(0);
        let apart = apart.map(|from| {
            let between = self.between(1 - side, from, others.last().copied().unwrap_or(from));
            let began = self.heads(0, groups[0]).into_iter().find_map(|line| self.alignment.kept(0, line));
            if side == 1 {
                GroupChange::Merged { begins, began: began.filter(|line| *line != begins), gone: between }
            } else {
                GroupChange::Split { begins, began: began.unwrap_or(begins), added: between }
            }
        });
        let is_any = |lines: &ChangedLines| !lines.first.is_empty();
        let moved = Some(self.changed(0, &moved)).filter(is_any).map(GroupChange::AgentsMoved);
        let gone = Some(self.changed(side, &gone)).filter(is_any);
        let gone = gone.map(if side == 0 { GroupChange::AgentsRemoved } else { GroupChange::AgentsAdded });
        let line = is_moved.then_some(GroupChange::LineMoved(begins));
        [apart, line, moved, gone].into_iter().flatten().collect()
    }

    /// Returns what became of the lines of a group that are in no group of the other side.
    fn ungrouped(&self, side: usize, group: usize) -> Option<GroupChange> {
        let heads = self.heads(side, group);
        if side == 1 {
            return Some(GroupChange::Joined(self.changed_line(1, *heads.first()?)));
        }
        // The lines can be above a line that is still there.
        let gone = heads.iter().rev().find(|line| self.alignment.kept(0, **line).is_none());
        Some(GroupChange::Left(gone.map(|line| self.changed_line(0, *line))))
    }

    /// Returns the lines that keep a `User-agent` line from a group on one side, and that are not there on the other:
    /// rules, up to the first that is kept, and `User-agent` lines after that.
    fn between(&self, side: usize, from: u32, to: u32) -> ChangedLines {
        let known = &self.known[side];
        let stands = within(&known.rules, from, to).first().copied();
        let mut found = within(&known.changed_rules, from, stands.unwrap_or(to)).to_vec();
        if let Some(stands) = stands {
            let is_agent = |line: &&u32| is_line(self.robots[side].agents(), **line, |agent| agent.line);
            found.extend(within(&known.changed, stands, to).iter().filter(is_agent));
        }
        if found.is_empty() {
            found = within(&known.changed, from, to).to_vec();
        }
        self.changed(side, &found)
    }

    /// Returns the lines of the `User-agent` lines of a group.
    fn heads(&self, side: usize, group: usize) -> Vec<u32> {
        let robots = self.robots[side];
        robots.agents_of(&robots.groups()[group]).iter().map(|agent| agent.line).collect()
    }

    /// Returns the index of the group of a rule or a record.
    fn group(&self, side: usize, line: u32) -> Option<usize> {
        let robots = self.robots[side];
        group_of_rule(robots, line).or_else(|| {
            let at = robots.records().binary_search_by_key(&line, |record| record.line).ok()? as u32;
            index_of(robots, at, |group| &group.records)
        })
    }

    /// Returns the index of the group of a `User-agent` line.
    fn group_of_agent(&self, side: usize, line: u32) -> Option<usize> {
        let robots = self.robots[side];
        let at = robots.agents().binary_search_by_key(&line, |agent| agent.line).ok()? as u32;
        index_of(robots, at, |group| &group.agents)
    }

    fn changed(&self, side: usize, lines: &[u32]) -> ChangedLines {
        let first: Vec<ChangedLine> =
            lines.iter().take(MAX_CAUSES).map(|line| self.changed_line(side, *line)).collect();
        ChangedLines { more: lines.len() - first.len(), first }
    }

    fn changed_line(&self, side: usize, line: u32) -> ChangedLine {
        let moved = self.alignment.moved(side, line).map(OtherLine::Moved);
        let unread = || self.unread(side, line).map(OtherLine::Unread);
        ChangedLine { line: self.line_text(side, line), other: moved.or_else(unread).unwrap_or(OtherLine::None) }
    }

    fn line_text(&self, side: usize, line: u32) -> LineText {
        LineText { line, text: self.lines[side].text(line).trim_ascii().to_vec() }
    }
}

impl Known {
    fn of(robots: &RobotsTxt<'_>, side: usize, texts: &[&[u8]], alignment: &Alignment) -> Self {
        let mut of_name: HashMap<Vec<u8>, Vec<u32>> = HashMap::new();
        for agent in robots.agents() {
            if agent.is_star {
                of_name.entry(Vec::new()).or_default().push(agent.line);
            }
            for key in robots.agent_keys(agent) {
                if let Some(name) = name_of_key(&key) {
                    of_name.entry(name.to_ascii_lowercase()).or_default().push(agent.line);
                }
            }
        }
        let is_kept = |line: &u32| alignment.kept(side, *line).is_some();
        let (rules, changed_rules): (Vec<u32>, Vec<u32>) =
            robots.rules().iter().map(|rule| rule.line).partition(is_kept);
        let is_other = |line: &u32| {
            !matches!(texts[*line as usize - 1], [] | [b'#', ..]) && changed_rules.binary_search(line).is_err()
        };
        let changed = (1..=texts.len() as u32).filter(|line| !is_kept(line)).filter(is_other).collect();
        Self { of_name, rules, changed_rules, changed }
    }
}

/// Reports whether records of a kind count for anybody.
fn counts(kind: RecordKind) -> bool {
    kind.is_of_group() || kind.is_of_file()
}

/// Reports whether a line is an agent, a rule or a record that counts.
fn is_read(robots: &RobotsTxt<'_>, line: u32) -> bool {
    is_line(robots.agents(), line, |agent| agent.line) || is_line(robots.rules(), line, |rule| rule.line) || {
        let at = robots.records().binary_search_by_key(&line, |record| record.line);
        at.is_ok_and(|at| counts(robots.records()[at].kind))
    }
}

fn is_line<T>(items: &[T], line: u32, line_of: fn(&T) -> u32) -> bool {
    items.binary_search_by_key(&line, line_of).is_ok()
}

/// Returns the lines of a list after one, up to another.
fn within(lines: &[u32], after: u32, to: u32) -> &[u32] {
    let from = lines.partition_point(|line| *line <= after);
    let end = lines.partition_point(|line| *line <= to);
    &lines[from..end.max(from)]
}

/// Returns the index of the group that has an agent, a rule or a record.
fn index_of(robots: &RobotsTxt<'_>, at: u32, range: fn(&Group) -> &std::ops::Range<u32>) -> Option<usize> {
    let group = robots.groups().partition_point(|group| range(group).end <= at);
    robots.groups().get(group).filter(|group| range(group).contains(&at)).map(|_| group)
}
