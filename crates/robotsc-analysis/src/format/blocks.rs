//! Merges groups, and drops lines of them that repeat others.
//!
//! ```text
//! User-agent: a          User-agent: a
//! Disallow: /x           User-agent: b        b has the rules of a
//! User-agent: b          Disallow: /x
//! Disallow: /x
//! User-agent: *          User-agent: *        both groups are those of `*`
//! Disallow: /y           Disallow: /y
//! User-agent: *          Disallow: /z
//! Disallow: /z
//! ```
//!
//! This is done only if all dialects read the same groups. The order of rules has no meaning; that of other records
//! can have one, since some systems obey the first or the last. So groups with such records are merged only if no
//! agent sees them in another order. `FooBot` and `FooBot/2.1` are the same agent there, and under google `MJ` and
//! `MJ12bot` share one: agents are told apart by the keys that they have under each dialect.

use std::collections::{BTreeSet, HashMap};

use robotsc_compiler::RuleKind;
use robotsc_compiler::record::RecordKind;
use robotsc_compiler::small_sort::SmallCollect as _;

use super::proof::Prover;
use super::reading::{Item, Source};
use super::spelling::mark_before;
use crate::diff::meaning::{is_of_file, is_preference};
use crate::search::NotDecided;

/// Returns a body with fewer groups and without repeated lines.
pub(super) fn merged(body: &[u8], prover: &mut Prover) -> Result<Vec<u8>, NotDecided> {
    let source = Source::new(body);
    if !source.is_agreed() {
        return Ok(body.to_vec());
    }
    let mut sheet = Sheet::new(&source);
    sheet.drop_repeated();
    sheet.drop_nobody();
    while sheet.merge_agents() | sheet.merge_rules() {}
    let mut new = sheet.write(&source);
    if new == body || !prover.is_same(body, &new)? {
        new = body.to_vec();
    }
    if sheet.drop_open_star() {
        let without = sheet.write(&source);
        if prover.is_same(body, &without)? {
            new = without;
        }
    }
    Ok(new)
}

/// A line and what it says.
type Line<'b> = (u32, Item<'b>);

/// The records of a group that can depend on their order: kind, key in lower case, value.
type Records<'b> = Vec<(RecordKind, Vec<u8>, &'b [u8])>;

/// A `User-agent` line.
#[derive(Debug)]
struct AgentLine<'b> {
    line: u32,
    value: &'b [u8],
    /// Whom it names under all dialects: a number for each key under each dialect, and for the star.
    names: Vec<u32>,
}

/// A group.
#[derive(Debug, Default)]
struct Block<'b> {
    /// Its `User-agent` lines.
    agents: Vec<AgentLine<'b>>,
    /// Its rules and records, and those of the whole file among them, in order.
    members: Vec<Line<'b>>,
}

/// The lines of a file, by group.
#[derive(Debug)]
struct Sheet<'b> {
    /// Records before any group.
    prelude: Vec<Line<'b>>,
    blocks: Vec<Block<'b>>,
    /// Sitemaps and the like of groups that are gone.
    rest: Vec<Line<'b>>,
}

/// Reports whether a line is a record of the whole file.
fn is_of_file_line((_, item): &Line<'_>) -> bool {
    matches!(item, Item::Record(kind, ..) if is_of_file(*kind))
}

/// Returns the value of a `Host`.
fn host<'b>((_, item): &Line<'b>) -> Option<&'b [u8]> {
    if let Item::Record(RecordKind::Host, _, value) = item { Some(value) } else { None }
}

impl<'b> Block<'b> {
    /// Returns whom the group names.
    fn names(&self) -> BTreeSet<u32> {
        self.agents.iter().flat_map(|agent| agent.names.iter().copied()).small_collect()
    }

    /// Drops agents that are named twice.
    fn drop_repeated_agents(&mut self) {
        let mut values = BTreeSet::new();
        self.agents.retain(|agent| values.insert(agent.value.to_ascii_lowercase()));
    }

    fn has_host(&self) -> bool {
        self.members.iter().any(|line| host(line).is_some())
    }

    fn rules(&self) -> BTreeSet<(RuleKind, &'b [u8])> {
        let rule = |(_, item): &Line<'b>| if let Item::Rule(kind, value) = item { Some((*kind, *value)) } else { None };
        self.members.iter().filter_map(rule).small_collect()
    }

    /// Returns the records that are not of the whole file.
    fn records(&self) -> Records<'b> {
        let record = |(_, item): &Line<'b>| match item {
            Item::Record(kind, key, value) if !is_of_file(*kind) => Some((*kind, key.to_ascii_lowercase(), *value)),
            _ => None,
        };
        self.members.iter().filter_map(record).small_collect()
    }
}

impl<'b> Sheet<'b> {
    /// Sorts the lines of a file, which all dialects read in the same way.
    fn new(source: &Source<'b>) -> Self {
        let opens = source.opens();
        let mut named = source.agents();
        let mut numbers: HashMap<(usize, Option<Vec<u8>>), u32> = HashMap::new();
        let mut names = |line: u32| {
            let mut names = Vec::new();
            for (dialect, is_star, keys) in named.remove(&line).unwrap_or_default() {
                for key in is_star.then_some(None).into_iter().chain(keys.into_iter().map(Some)) {
                    let next = numbers.len() as u32;
                    names.push(*numbers.entry((dialect, key)).or_insert(next));
                }
            }
            names
        };
        let mut sheet = Self { prelude: Vec::new(), blocks: Vec::new(), rest: Vec::new() };
        for (line, item) in &source.items()[0] {
            if opens[*line as usize] {
                sheet.blocks.push(Block::default());
            }
            match (sheet.blocks.last_mut(), item) {
                (Some(block), Item::Agent(value)) => {
                    block.agents.push(AgentLine { line: *line, value, names: names(*line) });
                }
                (Some(block), _) => block.members.push((*line, *item)),
                (None, _) => sheet.prelude.push((*line, *item)),
            }
        }
        sheet
    }

    /// Drops agents that a group names twice, sitemaps that are in the file twice, and a record that the one before
    /// it repeats.
    fn drop_repeated(&mut self) {
        let mut seen = BTreeSet::new();
        let mut is_new = |(_, item): &Line<'b>| match item {
            Item::Record(kind @ (RecordKind::Sitemap | RecordKind::CleanParam), _, value) => {
                seen.insert((*kind, *value))
            }
            _ => true,
        };
        self.prelude.retain(&mut is_new);
        for block in &mut self.blocks {
            block.members.retain(&mut is_new);
            block.drop_repeated_agents();
            let mut last: HashMap<RecordKind, &'b [u8]> = HashMap::new();
            block.members.retain(|(_, item)| match item {
                Item::Record(kind, _, value) if is_preference(*kind) => last.insert(*kind, value) != Some(value),
                _ => true,
            });
        }
    }

    /// Reports whether a `Host` can stand anywhere: there is no other value whose place it could change with.
    fn is_host_free(&self) -> bool {
        let lines = self.prelude.iter().chain(self.blocks.iter().flat_map(|block| &block.members)).chain(&self.rest);
        lines.filter_map(host).small_collect::<BTreeSet<_>>().len() <= 1
    }

    /// Drops `User-agent` lines that name nobody, and groups that only have such lines.
    fn drop_nobody(&mut self) {
        let is_host_free = self.is_host_free();
        let rest = &mut self.rest;
        self.blocks.retain_mut(|block| {
            let is_named = block.agents.iter().any(|agent| !agent.names.is_empty());
            if is_named {
                block.agents.retain(|agent| !agent.names.is_empty());
            }
            let is_kept = is_named || !block.records().is_empty() || (block.has_host() && !is_host_free);
            if !is_kept {
                rest.extend(block.members.drain(..).filter(is_of_file_line));
            }
            is_kept
        });
    }

    /// Returns how many groups name each agent.
    fn counts(&self) -> HashMap<u32, usize> {
        let mut counts = HashMap::new();
        for name in self.blocks.iter().flat_map(Block::names) {
            *counts.entry(name).or_default() += 1;
        }
        counts
    }

    /// Merges groups of the same agents. Reports whether there were any.
    fn merge_agents(&mut self) -> bool {
        let counts = self.counts();
        let mut of_names: HashMap<BTreeSet<u32>, usize> = HashMap::new();
        for block in &self.blocks {
            *of_names.entry(block.names()).or_default() += 1;
        }
        // Then no agent obeys another group in between.
        let is_ordered = |names: &BTreeSet<u32>| names.iter().all(|name| counts[name] == of_names[names]);
        let key = |block: &Block<'b>| {
            let names = block.names();
            (block.records().is_empty() || is_ordered(&names)).then_some(names)
        };
        self.merge(key, |first, later, rest| {
            // Some readers end a group at a sitemap: none comes to stand before a rule.
            let members = std::mem::take(&mut first.members).into_iter().chain(later.members);
            let (of_file, own): (Vec<_>, Vec<_>) = members.partition(is_of_file_line);
            first.members = own;
            rest.extend(of_file);
        })
    }

    /// Merges groups with the same rules and records. Reports whether there were any.
    fn merge_rules(&mut self) -> bool {
        let counts = self.counts();
        let key = |block: &Block<'b>| {
            let records = block.records();
            let is_ordered = records.is_empty() || block.names().iter().all(|name| counts[name] == 1);
            is_ordered.then(|| (block.rules(), records))
        };
        self.merge(key, |first, later, rest| {
            first.agents.extend(later.agents);
            rest.extend(later.members.into_iter().filter(is_of_file_line));
        })
    }

    /// Merges each group into the first with an equal key, if no `Host` would change its place among others.
    fn merge<K: std::hash::Hash + Eq>(
        &mut self,
        key: impl Fn(&Block<'b>) -> Option<K>,
        join: impl Fn(&mut Block<'b>, Block<'b>, &mut Vec<Line<'b>>),
    ) -> bool {
        let mut at: HashMap<K, usize> = HashMap::new();
        let mut blocks: Vec<Block<'b>> = Vec::with_capacity(self.blocks.len());
        let before = self.blocks.len();
        let is_host_free = self.is_host_free();
        for block in std::mem::take(&mut self.blocks) {
            let is_free = is_host_free || !block.has_host();
            let first = key(&block).filter(|_| is_free).map(|key| *at.entry(key).or_insert(blocks.len()));
            match first.filter(|first| *first < blocks.len()) {
                Some(first) => join(&mut blocks[first], block, &mut self.rest),
                None => blocks.push(block),
            }
        }
        self.blocks = blocks;
        self.blocks.iter_mut().for_each(Block::drop_repeated_agents);
        self.blocks.len() < before
    }

    /// Drops the group of all other agents if it can only allow, and another group is there. Reports whether it did.
    fn drop_open_star(&mut self) -> bool {
        let is_open = |block: &Block<'b>| {
            block.agents.iter().all(|agent| agent.value == b"*")
                && block.records().is_empty()
                && block.rules().iter().all(|rule| matches!(rule, (RuleKind::Disallow, b"") | (RuleKind::Allow, b"/")))
        };
        let Some(at) = self.blocks.iter().position(is_open).filter(|_| self.blocks.len() > 1) else { return false };
        let block = self.blocks.remove(at);
        self.rest.extend(block.members.into_iter().filter(is_of_file_line));
        true
    }

    fn write(&self, source: &Source<'b>) -> Vec<u8> {
        let prelude = self.prelude.iter().map(|(line, _)| *line);
        let first = prelude.chain(self.blocks.iter().flat_map(|block| &block.agents).map(|agent| agent.line)).next();
        let first = first.map_or(&[][..], |line| source.lines.text(line));
        let mut body = mark_before(source, first).to_vec();
        let mut push = |line: u32| {
            body.extend_from_slice(source.lines.text(line));
            body.push(b'\n');
        };
        self.prelude.iter().for_each(|(line, _)| push(*line));
        for block in &self.blocks {
            block.agents.iter().for_each(|agent| push(agent.line));
            block.members.iter().for_each(|(line, _)| push(*line));
        }
        self.rest.iter().for_each(|(line, _)| push(*line));
        body
    }
}
