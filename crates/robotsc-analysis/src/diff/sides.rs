//! One of the two files of a diff: its names, and the rules of the lists of groups that agents obey.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{AgentName, Crawler, GroupId, RobotsTxt, RuleOrigin, RuleSet, Selection, SelectionReason};

use super::moves::ObeyedGroups;
use crate::agents::names::NameIndex;
use crate::rules::{Identity, identity};
use crate::search::{NotDecided, SearchBudget};

/// The work of reading a byte of a pattern, in the units of [`SearchBudget`].
const WORK_OF_BYTE: u64 = 8;
/// The work of reading a rule.
const WORK_OF_RULE: u64 = 256;

/// One of the files.
#[derive(Debug)]
pub(super) struct Side<'r, 'b> {
    pub(super) robots: &'r RobotsTxt<'b>,
    pub(super) index: NameIndex,
    lists: Vec<List>,
    at: HashMap<Vec<GroupId>, usize>,
}

/// Groups that some agent obeys.
#[derive(Debug)]
struct List {
    groups: Vec<GroupId>,
    /// `None` before they are read.
    rules: Option<ListRules>,
}

/// The rules of a list.
#[derive(Debug)]
struct ListRules {
    set: Arc<RuleSet>,
    /// The number of their content.
    content: u32,
    /// The bytes of their patterns.
    bytes: usize,
}

impl<'r, 'b> Side<'r, 'b> {
    pub(super) fn new(robots: &'r RobotsTxt<'b>) -> Self {
        Self { robots, index: NameIndex::new(robots), lists: Vec::new(), at: HashMap::new() }
    }

    /// Returns the number of the list of groups that all other agents obey.
    pub(super) fn list_of_others(&mut self) -> usize {
        self.list(self.index.of_star.clone())
    }

    /// Returns the number of the list of groups that an agent obeys, and which these are. `documented` is the crawler
    /// as its operator documents it, if that is more than its name.
    pub(super) fn list_of(&mut self, name: &[u8], documented: Option<&Crawler>) -> (usize, ObeyedGroups) {
        let (groups, obeyed) = self.obeyed(name, documented);
        let groups = groups.to_vec();
        (self.list(groups), obeyed)
    }

    /// Returns the groups that an agent obeys, and which these are.
    pub(super) fn obeyed(&self, name: &[u8], documented: Option<&Crawler>) -> (&[GroupId], ObeyedGroups) {
        let own = AgentName::of_group(name).ok().and_then(|name| self.index.groups_naming(name));
        let of_name = |name: AgentName<'_>| Some((self.index.groups_naming(name)?, ObeyedGroups::Of(name.to_string())));
        let fallback = || documented.and_then(|crawler| crawler.names().find_map(of_name));
        match own.map(|groups| (groups, ObeyedGroups::Own)).or_else(fallback) {
            Some(found) => found,
            None if documented.is_some_and(Crawler::is_named_only) => (&[][..], ObeyedGroups::Nobody),
            None => (&self.index.of_star[..], ObeyedGroups::Others),
        }
    }

    fn list(&mut self, groups: Vec<GroupId>) -> usize {
        let number = *self.at.entry(groups.clone()).or_insert(self.lists.len());
        if number == self.lists.len() {
            self.lists.push(List { groups, rules: None });
        }
        number
    }

    /// Returns the groups of a list.
    pub(super) fn groups(&self, list: usize) -> &[GroupId] {
        &self.lists[list].groups
    }

    /// Reads the rules of a list, and returns the number of their content: lists with equal rules have equal numbers.
    /// If the files are of one dialect, this holds for lists of both.
    pub(super) fn content(
        &mut self,
        list: usize,
        known: &mut HashMap<Vec<u8>, u32>,
        budget: &SearchBudget,
    ) -> Result<u32, NotDecided> {
        let List { groups, rules } = &mut self.lists[list];
        if let Some(ListRules { content, .. }) = rules {
            return Ok(*content);
        }
        let lines = groups.iter().filter_map(|id| self.robots.groups().get(id.0 as usize));
        let lines = lines.flat_map(|group| self.robots.rules_of(group));
        budget.take(lines.map(|line| WORK_OF_RULE + WORK_OF_BYTE * line.value.len() as u64).sum())?;
        // The reason has no part in the rules.
        let selection = Selection { groups: groups.clone(), reason: SelectionReason::Star };
        let set = self.robots.rule_set_of(&selection);
        let number = known.len() as u32;
        let content = *known.entry(written(&set)).or_insert(number);
        let bytes = set.rules().iter().map(|rule| set.pattern(rule).len()).sum();
        *rules = Some(ListRules { set: Arc::new(set), content, bytes });
        Ok(content)
    }

    /// Returns the rules of a list, if they were read.
    pub(super) fn rules(&self, list: usize) -> Option<&Arc<RuleSet>> {
        self.lists[list].rules.as_ref().map(|rules| &rules.set)
    }

    /// Returns the bytes of the patterns of a list; zero if its rules were not read.
    pub(super) fn pattern_bytes(&self, list: usize) -> usize {
        self.lists[list].rules.as_ref().map_or(0, |rules| rules.bytes)
    }

    /// Returns the line that each rule of some lists has in each of them.
    pub(super) fn lines(&self, lists: &[usize]) -> HashMap<Identity<'_>, Vec<u32>> {
        let mut lines: HashMap<Identity<'_>, Vec<u32>> = HashMap::new();
        for set in lists.iter().filter_map(|list| self.rules(*list)) {
            let mut seen = HashSet::new();
            for (at, rule) in (0..).zip(set.rules()) {
                // Of equal rules, the first decides.
                let identity = identity(set, at);
                if seen.insert(identity) {
                    lines.entry(identity).or_default().push(rule.line);
                }
            }
        }
        lines
    }
}

/// Returns what the rules of a set answer, without their lines and what never decides: equal for sets of equal rules.
fn written(set: &RuleSet) -> Vec<u8> {
    let rules = (0..).zip(set.rules()).filter(|(_, rule)| rule.origin != RuleOrigin::EmptyLine);
    let mut rules: Vec<Identity<'_>> = rules.map(|(at, _)| identity(set, at)).collect();
    rules.small_sort_unstable();
    rules.dedup();
    let mut written = Vec::new();
    for (pattern, is_allow, length) in rules {
        written.push(u8::from(is_allow));
        written.extend_from_slice(&length.to_le_bytes());
        written.extend_from_slice(&(pattern.len() as u64).to_le_bytes());
        written.extend_from_slice(pattern);
    }
    written
}
