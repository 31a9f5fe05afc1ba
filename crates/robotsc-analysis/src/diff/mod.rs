//! What an edit of a robots.txt changes, for whom, with a path as proof.
//!
//! ```text
//! old   User-agent: *        new   User-agent: *
//!       Disallow: /cart            Disallow: /cart
//!                                  Disallow: /blog/
//!                                  User-agent: GPTBot
//!                                  Disallow: /
//!
//! GPTBot             blocked   /        by line 5, before by no rule
//! all other agents   blocked   /blog/   by line 3, before by no rule
//! ```
//!
//! Each name of either file, and all other agents, obeys some groups of the old file and some of the new. Agents with
//! the same rules on both sides are compared about once. So are agents whose rules differ and mean the same, if the
//! answer is the same.

mod agents;
mod causes;
mod classes;
pub(crate) mod meaning;
mod moves;
mod records;
mod sides;

use std::collections::HashSet;
use std::sync::Arc;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{AgentError, Crawler, RobotsTxt, RuleKind, RuleOrigin, RuleSet};

use self::agents::ComparedAgents;
pub use self::agents::{Agents, OtherAgents};
use self::causes::AlignedFiles;
pub use self::causes::{ChangedLine, ChangedLines, GroupChange, LineText, OtherLine, Regrouping};
use self::classes::{ClassChanges, deciding};
pub use self::moves::{AgentMove, ObeyedGroups};
pub use self::records::{RecordChange, RecordDiff};
use self::sides::Side;
use crate::rules::compare::Region;
use crate::rules::{RuleIndex, identity, ranked_identities};
use crate::search::{NotDecided, SearchBudget};
use crate::space::Paths;
use crate::text::hash::cut_by_hash;

/// What changed from one robots.txt to another, or from one dialect to another.
///
/// ```
/// use robotsc::RobotsTxt;
/// use robotsc::analysis::{Diff, Effect};
///
/// let old = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
/// let new = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\nDisallow: /blog/\n");
/// let diff = Diff::new(&old, &new);
/// let [rules] = &diff.rules[..] else { panic!("one group of agents") };
/// assert!(rules.agents.has_others);
/// let [change] = &rules.changes()[..] else { panic!("one change") };
/// assert_eq!(change.effect, Effect::Blocked);
/// assert_eq!(change.path, b"/blog/");
/// assert_eq!(change.new.as_ref().map(|rule| &rule.lines[..]), Some(&[3][..]));
/// assert!(change.old.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Diff {
    /// The agents that can fetch other paths than before, or for whom this was not decided. The group that all other
    /// agents are in comes first.
    pub rules: Vec<RuleDiff>,
    /// The agents that can fetch the same paths as before.
    pub unchanged: Agents,
    /// Who all other agents are.
    pub others: OtherAgents,
    /// The records of groups that changed, such as crawl delays.
    pub records: Vec<RecordDiff>,
    /// The records of the whole file that changed, such as sitemaps.
    pub file_records: Vec<RecordChange>,
    /// The work that it took, in the units of [`SearchBudget`].
    pub work: u64,
}

/// How the rules of some agents changed.
#[derive(Clone, Debug)]
pub struct RuleDiff {
    /// The agents.
    pub agents: Agents,
    /// Those of them that only groups of the new file name. They left the groups for `*`, or for a fallback.
    pub newly_named: Vec<String>,
    /// Those of them that only groups of the old file name.
    pub no_longer_named: Vec<String>,
    /// Those of them that obey the groups of other names than before.
    pub moves: Vec<AgentMove>,
    /// Rules of the changes that both files have, and that count for other agents since lines near them changed. For
    /// agents that left or joined groups by their name, only rules that are in no group of one file.
    pub regroupings: Vec<Regrouping>,
    /// The rules that they obeyed and those that they obey now. If several agents obey equal rules in several places,
    /// these are in one of them. `None` if the work budget was spent before the rules were read.
    pub rules: Option<[Arc<RuleSet>; 2]>,
    /// The changes: what is newly blocked first, then by the line that disallows, the shortest path first.
    ///
    /// # Errors
    /// [`NotDecided`] if the work budget was spent.
    pub outcome: Result<Vec<VerdictChange>, NotDecided>,
}

impl RuleDiff {
    /// Returns the changes that were found; none if they were not decided.
    #[must_use]
    pub fn changes(&self) -> &[VerdictChange] {
        self.outcome.as_deref().unwrap_or_default()
    }

    /// Reports whether the lines of a rule of the changes are in one of the files alone. If the agents obey other
    /// groups than before, lines can be there for others.
    #[must_use]
    pub fn is_of_one_file(&self, rule: &DiffRule) -> bool {
        !rule.is_in_both && rule.other_line.is_none() && self.moves.is_empty()
    }
}

/// What became of some paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// They were allowed, and are disallowed now.
    Blocked,
    /// They were disallowed, and are allowed now.
    Opened,
}

/// Paths whose verdict changed, all between the same two rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictChange {
    /// What became of them.
    pub effect: Effect,
    /// The rule that decided; `None` if no rule matched but an empty one.
    pub old: Option<DiffRule>,
    /// The rule that decides now; `None` if no rule matches but an empty one.
    pub new: Option<DiffRule>,
    /// A shortest such path.
    pub path: Vec<u8>,
}

impl VerdictChange {
    /// Returns the rule of the two that disallows.
    #[must_use]
    pub fn disallow(&self) -> Option<&DiffRule> {
        match self.effect {
            Effect::Blocked => self.new.as_ref(),
            Effect::Opened => self.old.as_ref(),
        }
    }

    /// Returns the rule of the two that allows; `None` if no rule matches there.
    #[must_use]
    pub fn allow(&self) -> Option<&DiffRule> {
        match self.effect {
            Effect::Blocked => self.old.as_ref(),
            Effect::Opened => self.new.as_ref(),
        }
    }
}

/// A rule that decides in one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffRule {
    /// Its lines, from 1: agents of one group can obey equal rules in several places. 0 for a rule of the dialect.
    pub lines: Vec<u32>,
    /// The directive.
    pub kind: RuleKind,
    /// The value, as one of these lines has it.
    pub value: Vec<u8>,
    /// The normal pattern.
    pub pattern: Vec<u8>,
    /// Where it comes from.
    pub origin: RuleOrigin,
    /// Whether these agents obey an equal rule in the other file, too.
    pub is_in_both: bool,
    /// The same line in the other file, if these agents do not obey it there.
    pub other_line: Option<u32>,
    /// If the other file has no such line: one with the same value in its place that no crawler reads.
    pub unread: Option<LineText>,
    /// The value with what follows it, if a `#` within a path makes the rest a comment: `/#/cart` of `/`.
    pub whole: Option<Vec<u8>>,
}

/// What [`Diff::with`] compares, and at what cost.
#[derive(Clone, Copy, Debug)]
pub struct DiffOptions<'o> {
    /// The names of the agents to compare; `*` stands for all agents that no group names. If it is empty, all names of
    /// either file and all other agents are compared.
    pub agents: &'o [String],
    /// Returns an agent as its operator documents it: a chain such as Googlebot-Image, else Googlebot, or a crawler
    /// that obeys [only groups that name it](Crawler::named_only). `None` for agents that have their name alone.
    pub documented: fn(&str) -> Option<Crawler>,
    /// The names of known agents with such documentation. If all agents are compared, so is each of these that obeys
    /// the groups of another name in either file.
    pub known: &'o [&'o str],
    /// The paths that count.
    pub paths: Paths,
    /// The work that one search can cost, in the units of [`SearchBudget`].
    pub work_per_search: u64,
    /// The work that all of them can cost.
    pub work: u64,
}

impl Default for DiffOptions<'_> {
    /// All agents, by their names alone, within the work of [`SearchBudget::IN_ALL`].
    fn default() -> Self {
        Self {
            agents: &[],
            documented: |_| None,
            known: &[],
            paths: Paths::Urls,
            work_per_search: SearchBudget::PER_SEARCH,
            work: SearchBudget::IN_ALL,
        }
    }
}

impl Diff {
    /// Compares two files for all agents. They can be of two dialects, and can be one file.
    ///
    /// Cost: near linear in files of which most lines are in both; bounded by [`SearchBudget::IN_ALL`]. Never panics.
    #[must_use]
    pub fn new(old: &RobotsTxt<'_>, new: &RobotsTxt<'_>) -> Self {
        Self::within(old, new, &SearchBudget::default())
    }

    /// As [`Diff::new`], within a budget that can be shared.
    pub(crate) fn within(old: &RobotsTxt<'_>, new: &RobotsTxt<'_>, budget: &SearchBudget) -> Self {
        Self::compare([old, new], None, &DiffOptions::default(), budget)
    }

    /// Compares two files as the options say.
    ///
    /// Cost: as [`Diff::new`], within the work of the options. Never panics.
    ///
    /// # Errors
    /// If one of the agents is neither a name nor `*`.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    /// use robotsc::analysis::{Diff, DiffOptions};
    ///
    /// let old = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nDisallow:\n");
    /// let new = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n");
    /// let agents = ["BarBot".to_owned(), "FooBot".to_owned()];
    /// let diff = Diff::with(&old, &new, &DiffOptions { agents: &agents, ..DiffOptions::default() })?;
    /// assert_eq!(diff.unchanged.names, ["BarBot"]);
    /// assert_eq!(diff.rules[0].no_longer_named, ["FooBot"]);
    /// # Ok::<(), robotsc::AgentError>(())
    /// ```
    pub fn with(old: &RobotsTxt<'_>, new: &RobotsTxt<'_>, options: &DiffOptions<'_>) -> Result<Self, AgentError> {
        let compared = if options.agents.is_empty() { None } else { Some(ComparedAgents::these(options.agents)?) };
        let budget = SearchBudget::new(options.work_per_search, options.work);
        Ok(Self::compare([old, new], compared, options, &budget))
    }

    fn compare(
        [old, new]: [&RobotsTxt<'_>; 2],
        compared: Option<ComparedAgents>,
        options: &DiffOptions<'_>,
        budget: &SearchBudget,
    ) -> Self {
        let work_before = budget.left();
        let mut sides = [Side::new(old), Side::new(new)];
        let compared = compared.unwrap_or_else(|| ComparedAgents::all(&sides).with_fallbacks(&sides, options));
        let others = OtherAgents::of(&sides, options);
        let pairs = compared.pairs(&mut sides, options.documented);
        let mut records = records::of_agents(&pairs, &sides, &compared);
        let file_records = records::of_files(old, new);

        let classes = classes::classes(&pairs, &mut sides, budget);
        let (unchanged, changed) = classes::changes(classes, &pairs, &sides, options.paths, budget);
        let groups = classes::joined(changed);

        // Under two dialects, one file has one set of lines.
        let is_edit = old.dialect() == new.dialect() && old.body() != new.body();
        let is_any = !groups.is_empty() || !records.is_empty();
        let files = (is_edit && is_any).then(|| AlignedFiles::new([old, new]));
        let rule_diff = |found: &ClassChanges<'_>| found.rule_diff(&pairs, &sides, &compared, files.as_ref());
        let mut rules: Vec<RuleDiff> = groups.iter().map(rule_diff).collect();
        if let Some(files) = &files {
            records.iter_mut().for_each(|records| records.find_causes(files));
        }
        // "All other agents" reads well after the others.
        rules.small_sort_by_key(|rules| rules.agents.has_others);
        let unchanged = compared.agents(unchanged.iter().map(|number| &pairs[*number]));
        Self { rules, unchanged, others, records, file_records, work: work_before - budget.left() }
    }

    /// Reports whether the files mean the same: every agent can fetch the same paths, and no record that counts
    /// changed.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.rules.is_empty() && self.records.is_empty() && self.file_records.is_empty()
    }

    /// Reports whether all was decided. If not, what the diff holds is right, and more can have changed.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.rules.iter().all(|rules| rules.outcome.is_ok())
    }

    /// Reports whether some agent can no longer fetch a path, or can fetch another.
    #[must_use]
    pub fn has(&self, effect: Effect) -> bool {
        self.rules.iter().flat_map(RuleDiff::changes).any(|change| change.effect == effect)
    }
}

impl ClassChanges<'_> {
    fn rule_diff(
        &self,
        pairs: &[agents::AgentClass],
        sides: &[Side<'_, '_>; 2],
        compared: &ComparedAgents,
        files: Option<&AlignedFiles<'_, '_>>,
    ) -> RuleDiff {
        let members = || self.pairs.iter().map(|number| &pairs[*number]);
        let lists = [0, 1].map(|side| {
            let mut lists: Vec<usize> = members().map(|pair| pair.lists[side]).collect();
            lists.small_sort_unstable();
            lists.dedup();
            lists
        });
        let outcome = match &self.found {
            Ok((analyses, regions)) => {
                let lines = [0, 1].map(|side| sides[side].lines(&lists[side]));
                let content =
                    analyses.each_ref().map(|analysis| ranked_identities(analysis.set).collect::<HashSet<_>>());
                let describe = |side: usize, at: RuleIndex| {
                    let set = analyses[side].set;
                    let rule = &set.rules()[at as usize];
                    let key = identity(set, at);
                    let mut lines = lines[side].get(&key).cloned().unwrap_or_else(|| vec![rule.line]);
                    lines.small_sort_unstable();
                    lines.dedup();
                    let is_in_both = content[1 - side].contains(&key);
                    let files = files.filter(|_| !is_in_both);
                    let other_line =
                        files.and_then(|files| lines.iter().find_map(|line| files.other_line(side, *line)));
                    let unread = files.filter(|_| other_line.is_none()).and_then(|files| files.unread(side, lines[0]));
                    DiffRule {
                        lines,
                        kind: rule.kind,
                        value: rule.source.of(sides[side].robots.body()).to_vec(),
                        pattern: set.pattern(rule).to_vec(),
                        origin: rule.origin,
                        is_in_both,
                        other_line,
                        unread,
                        whole: cut_by_hash(sides[side].robots.body(), rule.source).map(<[u8]>::to_vec),
                    }
                };
                let change = |region: &Region| VerdictChange {
                    effect: if region.is_opened(&analyses[0]) { Effect::Opened } else { Effect::Blocked },
                    old: deciding(analyses[0].set, region.old).map(|at| describe(0, at)),
                    new: deciding(analyses[1].set, region.new).map(|at| describe(1, at)),
                    path: region.path.clone(),
                };
                let mut changes: Vec<VerdictChange> = regions.iter().map(change).collect();
                changes.small_sort_by_cached_key(|change| {
                    let lines = change.disallow().map(|rule| rule.lines.clone());
                    (change.effect, lines, change.path.len(), change.path.clone())
                });
                Ok(changes)
            }
            Err(NotDecided) => Err(NotDecided),
        };
        let moves = compared.moves(members());
        let changes = outcome.as_deref().unwrap_or_default();
        let agents = compared.agents(members());
        let regroupings = files.map_or_else(Vec::new, |files| regroupings(files, &agents, &moves, changes));
        RuleDiff {
            moves,
            regroupings,
            agents,
            newly_named: compared.named_by(members(), [false, true]),
            no_longer_named: compared.named_by(members(), [true, false]),
            rules: self.rules.clone(),
            outcome,
        }
    }
}

/// Returns why rules of changes count for other agents than before.
fn regroupings(
    files: &AlignedFiles<'_, '_>,
    agents: &Agents,
    moves: &[AgentMove],
    changes: &[VerdictChange],
) -> Vec<Regrouping> {
    let agents = files.agent_lines(agents);
    let rules = changes.iter().flat_map(|change| [(0, &change.old), (1, &change.new)]);
    let lines = rules.filter_map(|(side, rule)| {
        let rule = rule.as_ref().filter(|rule| rule.other_line.is_some())?;
        let has_other = |line: &&u32| files.other_line(side, **line).is_some();
        Some((side, *rule.lines.iter().find(has_other)?))
    });
    let mut found = files.regroupings(&agents, lines);
    // Agents that left or joined groups by their name need no other cause, unless a rule is in no group.
    let is_ungrouped = |change: &GroupChange| matches!(change, GroupChange::Left(_) | GroupChange::Joined(_));
    found.retain(|found| moves.is_empty() || is_ungrouped(&found.change));
    if found.is_empty() && moves.is_empty() && !changes.is_empty() {
        found.extend(files.joined_groups(&agents));
    }
    found
}

#[cfg(test)]
mod cause_tests;
#[cfg(test)]
mod tests;
