//! What changed besides rules: crawl delays and preferences of agents, sitemaps of the file.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use robotsc_compiler::record::{Record, RecordKind, RecordValue};
use robotsc_compiler::small_sort::{SmallCollect as _, SmallSort as _};
use robotsc_compiler::{Dialect, RobotsTxt};

use super::agents::{AgentClass, Agents, ComparedAgents};
use super::causes::{AlignedFiles, Regrouping};
use super::moves::AgentMove;
use super::sides::Side;
use crate::preferences::{Dictionary, Preference, SignalStatement, Vocabulary};

/// The maximum number of classes of agents whose records are looked at for a cause.
const MAX_PAIRS: usize = 16;

/// The records of one kind that only one of the files has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecordChange {
    /// What they are.
    pub kind: RecordKind,
    /// The values that only the old file has, sorted. A crawl delay is a number of seconds, and a preference is its
    /// pattern and what is said, both in one spelling; other values are as written.
    pub removed: Vec<Vec<u8>>,
    /// The values that only the new file has, sorted.
    pub added: Vec<Vec<u8>>,
    /// The number of values that both have.
    pub kept: usize,
}

/// How the records of some agents changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordDiff {
    /// The agents.
    pub agents: Agents,
    /// The changes, one for each kind.
    pub changes: Vec<RecordChange>,
    /// Those of the agents that obey the groups of other names than before.
    pub moves: Vec<AgentMove>,
    /// Records of the changes that both files have, and that count for other agents since lines near them changed.
    pub regroupings: Vec<Regrouping>,
    /// The records of the changes that some of the agents have: the side, and the line.
    lines: Vec<(usize, u32)>,
}

impl RecordDiff {
    /// Finds why records that both files have count for other agents than before.
    pub(super) fn find_causes(&mut self, files: &AlignedFiles<'_, '_>) {
        if self.moves.is_empty() {
            self.regroupings = files.regroupings(&files.agent_lines(&self.agents), self.lines.iter().copied());
        }
    }
}

/// The values of each kind, each once.
type Values = BTreeMap<RecordKind, BTreeSet<Vec<u8>>>;

/// Returns what changed for the whole file.
pub(super) fn of_files(old: &RobotsTxt<'_>, new: &RobotsTxt<'_>) -> Vec<RecordChange> {
    let values = |robots: &RobotsTxt<'_>| values(robots, robots.records(), RecordKind::is_of_file, old.dialect());
    changes(&values(old), &values(new))
}

/// Returns what changed for the agents of the pairs; agents with the same change are together.
pub(super) fn of_agents(pairs: &[AgentClass], sides: &[Side<'_, '_>; 2], compared: &ComparedAgents) -> Vec<RecordDiff> {
    let has_any = |side: &Side<'_, '_>| side.robots.records().iter().any(|record| record.kind.is_of_group());
    if !sides.iter().any(has_any) {
        return Vec::new();
    }
    let mut of_lists: [HashMap<usize, u32>; 2] = [HashMap::new(), HashMap::new()];
    // If the files have two dialects, equal patterns stay equal.
    let dialect = sides[0].robots.dialect();
    // Most lists have no records, or the same.
    let mut known: Vec<Values> = Vec::new();
    let mut at: BTreeMap<Values, u32> = BTreeMap::new();
    let mut numbers: Vec<[u32; 2]> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let mut number = [0; 2];
        for (side, number) in number.iter_mut().enumerate() {
            *number = *of_lists[side].entry(pair.lists[side]).or_insert_with(|| {
                let robots = sides[side].robots;
                let groups = sides[side].groups(pair.lists[side]).iter();
                let groups = groups.filter_map(|id| robots.groups().get(id.0 as usize));
                let records = groups.flat_map(|group| robots.records_of(group));
                let values = values(robots, records, RecordKind::is_of_group, dialect);
                *at.entry(values).or_insert_with_key(|values| {
                    known.push(values.clone());
                    known.len() as u32 - 1
                })
            });
        }
        numbers.push(number);
    }
    let mut of_numbers: HashMap<[u32; 2], usize> = HashMap::new();
    let mut of_changes: HashMap<Vec<RecordChange>, usize> = HashMap::new();
    let mut found: Vec<(Vec<RecordChange>, Vec<&AgentClass>)> = Vec::new();
    for (pair, number) in pairs.iter().zip(numbers).filter(|(_, [old, new])| old != new) {
        let group = *of_numbers.entry(number).or_insert_with(|| {
            let changes = changes(&known[number[0] as usize], &known[number[1] as usize]);
            *of_changes.entry(changes).or_insert_with_key(|changes| {
                found.push((changes.clone(), Vec::new()));
                found.len() - 1
            })
        });
        found[group].1.push(pair);
    }
    let mut found: Vec<RecordDiff> = found
        .into_iter()
        .map(|(changes, pairs)| {
            let members = || pairs.iter().copied();
            let lines = lines_of(&changes, &pairs, sides);
            let (agents, moves) = (compared.agents(members()), compared.moves(members()));
            RecordDiff { agents, changes, moves, regroupings: Vec::new(), lines }
        })
        .collect();
    found.small_sort_by_key(|diff| diff.agents.has_others);
    found
}

/// Returns the records of the kinds of some changes that the first agents have.
fn lines_of(changes: &[RecordChange], pairs: &[&AgentClass], sides: &[Side<'_, '_>; 2]) -> Vec<(usize, u32)> {
    let mut lines = Vec::new();
    for pair in pairs.iter().take(MAX_PAIRS) {
        for (side, list) in pair.lists.into_iter().enumerate() {
            let robots = sides[side].robots;
            let groups = sides[side].groups(list).iter().filter_map(|id| robots.groups().get(id.0 as usize));
            let records = groups.flat_map(|group| robots.records_of(group));
            let is_changed = |record: &&Record| changes.iter().any(|change| change.kind == record.kind);
            lines.extend(records.filter(is_changed).map(|record| (side, record.line)));
        }
    }
    lines
}

/// Returns the values of the records that count, by their kinds, with patterns in the normal form of a dialect. What
/// cannot be read, and what says nothing, is skipped.
fn values<'r>(
    robots: &RobotsTxt<'_>,
    records: impl IntoIterator<Item = &'r Record>,
    counts: fn(RecordKind) -> bool,
    dialect: &Dialect,
) -> Values {
    let normal = |path: Option<&[u8]>| path.map(|path| dialect.normalize_pattern(path)).unwrap_or_default();
    let mut values = Values::new();
    for record in records.into_iter().filter(|record| counts(record.kind)) {
        let value = match record.value(robots.body()) {
            Some(RecordValue::CrawlDelay(delay)) => delay.as_secs_f64().to_string().into_bytes(),
            Some(RecordValue::ContentSignal(split)) => {
                preference(&normal(split.path), &written_signals(split.statement))
            }
            Some(RecordValue::ContentUsage(split)) => preference(&normal(split.path), &written_usage(split.statement)),
            Some(_) => record.value.of(robots.body()).to_vec(),
            None => continue,
        };
        if !value.is_empty() {
            values.entry(record.kind).or_default().insert(value);
        }
    }
    values
}

/// Returns the pattern of a preference and what is said. A pattern alone counts, too: it overrides shorter ones.
fn preference(pattern: &[u8], said: &str) -> Vec<u8> {
    let parts = [pattern, said.as_bytes()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(&b' ')
}

/// Returns what a `Content-Signal` says, in one spelling: in the order of the vocabulary.
fn written_signals(statement: &[u8]) -> String {
    let said = SignalStatement::read(statement);
    let labels = Vocabulary::SIGNALS.labels.iter().zip(&said.preferences);
    let labels = labels.filter(|(_, preference)| **preference != Preference::Unknown);
    let labels = labels.map(|(label, preference)| format!("{}={preference}", label.name));
    let level = said.use_level.map(|level| format!("use={level}"));
    labels.chain(level).collect::<Vec<_>>().join(",")
}

/// Returns what a `Content-Usage` says, in one spelling: sorted by label, those of all drafts.
fn written_usage(statement: &[u8]) -> String {
    let dictionary = Dictionary::parse(statement).unwrap_or_default();
    let said = dictionary.values().filter_map(|(key, value)| {
        let word = if value.preference.as_bool()? { "y" } else { "n" };
        Some(format!("{key}={word}"))
    });
    said.collect::<Vec<_>>().join(",")
}

fn changes(old: &Values, new: &Values) -> Vec<RecordChange> {
    let none = BTreeSet::new();
    let kinds: BTreeSet<RecordKind> = old.keys().chain(new.keys()).copied().small_collect();
    let change = |kind| {
        let [old, new] = [old, new].map(|values| values.get(&kind).unwrap_or(&none));
        let only = |one: &BTreeSet<Vec<u8>>, other| one.difference(other).cloned().collect::<Vec<_>>();
        RecordChange { kind, removed: only(old, new), added: only(new, old), kept: old.intersection(new).count() }
    };
    kinds.into_iter().map(change).filter(|change| !change.removed.is_empty() || !change.added.is_empty()).collect()
}
