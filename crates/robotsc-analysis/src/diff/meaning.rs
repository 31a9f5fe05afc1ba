//! Whether two files mean the same: each verdict of each agent on each URL path, and each other record. This is the one
//! proof of that: formatting, removing lines and safe fixes rest on it.
//!
//! ```text
//! User-agent: foobot         User-agent: foobot
//! Disallow: /x               Disallow: /x
//! Crawl-delay: 1             Crawl-delay: 1
//! User-agent: foobot/2.1     Disallow: /z
//! Disallow: /y               Crawl-delay: 3
//! Crawl-delay: 2             User-agent: foobot/2.1
//! User-agent: foobot         Disallow: /y
//! Disallow: /z               Crawl-delay: 2
//! Crawl-delay: 3
//! ```
//!
//! These are not the same: a crawler that obeys the last delay waits 3 seconds before and 2 afterwards. So records are
//! compared in the order in which each agent sees them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use robotsc_compiler::record::{Record, RecordKind};
use robotsc_compiler::small_sort::SmallCollect as _;
use robotsc_compiler::{Dialect, GroupId, RobotsTxt};

use crate::agents::names::NameIndex;
use crate::diff::{Diff, DiffRule, RuleDiff};
use crate::search::{NotDecided, SearchBudget};

/// The work of comparing a record for some agents, in the units of [`SearchBudget`].
const WORK_OF_RECORD: u64 = 256;

/// A record besides rules: its kind, its key in lower case, and its value.
type WrittenRecord<'r> = (RecordKind, Vec<u8>, &'r [u8]);

/// What a comparison of two files found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// They mean the same, which is proved.
    Same,
    /// They do not. These lines of the old file, and these of the new one, decide paths whose verdict changes.
    Different([BTreeSet<u32>; 2]),
    /// The budget was spent.
    NotDecided,
}

/// Compares what two files mean under some dialects, for every agent on every URL path, with all records.
///
/// The names of agents must be the same, too. A crawler with fallbacks, such as Googlebot for Googlebot-Image, obeys
/// the first of its names that is in the file.
///
/// Cost: that of a [`Diff`] for each dialect, within the budget.
pub(crate) fn compare<'d>(
    old: &[u8],
    new: &[u8],
    dialects: impl IntoIterator<Item = &'d Dialect>,
    budget: &SearchBudget,
) -> Meaning {
    let parse = |dialect| [old, new].map(|body| RobotsTxt::parse_with(body, dialect));
    let parsed: Vec<[RobotsTxt<'_>; 2]> = dialects.into_iter().map(parse).collect();
    // What needs no search comes first.
    for [old, new] in &parsed {
        if names(old) != names(new) || records(old) != records(new) || !hosts(old).eq(hosts(new)) {
            return Meaning::Different(Default::default());
        }
        match is_order_same(old, new, budget) {
            Ok(true) => {}
            Ok(false) => return Meaning::Different(Default::default()),
            Err(NotDecided) => return Meaning::NotDecided,
        }
    }
    let mut found = Meaning::Same;
    for [old, new] in &parsed {
        let diff = Diff::within(old, new, budget);
        let changes = || diff.rules.iter().flat_map(RuleDiff::changes);
        let lines = |rules: &mut dyn Iterator<Item = &DiffRule>| rules.flat_map(|rule| &rule.lines).copied().collect();
        let lines = [
            lines(&mut changes().filter_map(|change| change.old.as_ref())),
            lines(&mut changes().filter_map(|change| change.new.as_ref())),
        ];
        if changes().next().is_some() || !diff.records.is_empty() || !diff.file_records.is_empty() {
            return Meaning::Different(lines);
        }
        if !diff.is_same() {
            found = Meaning::NotDecided;
        }
    }
    found
}

/// Reports whether records of a kind count for the whole file, in whatever group they are.
pub(crate) fn is_of_file(kind: RecordKind) -> bool {
    matches!(kind, RecordKind::Sitemap | RecordKind::Host | RecordKind::CleanParam)
}

/// Reports whether the values of a record are read, so that one right after an equal one says nothing more.
pub(crate) fn is_preference(kind: RecordKind) -> bool {
    matches!(
        kind,
        RecordKind::CrawlDelay
            | RecordKind::RequestRate
            | RecordKind::VisitTime
            | RecordKind::ContentSignal
            | RecordKind::ContentUsage
    )
}

/// Returns the names of a file, by their keys.
fn names(robots: &RobotsTxt<'_>) -> BTreeSet<Vec<u8>> {
    robots.agents().iter().flat_map(|agent| robots.agent_keys(agent)).small_collect()
}

/// Returns the key of a record, in lower case; none if its kind says all: `Site-map` is read as `Sitemap` is.
fn key_of(record: &Record, body: &[u8]) -> Vec<u8> {
    match record.kind {
        RecordKind::Sitemap | RecordKind::CrawlDelay => Vec::new(),
        _ => record.key.of(body).to_ascii_lowercase(),
    }
}

/// Returns all records of a file besides rules: their kinds, keys and values.
fn records<'r>(robots: &'r RobotsTxt<'_>) -> BTreeSet<WrittenRecord<'r>> {
    let body = robots.body();
    let record = |record: &Record| (record.kind, key_of(record, body), record.value.of(body));
    robots.records().iter().map(record).small_collect()
}

/// Returns the values of `Host`, in order.
fn hosts<'r>(robots: &'r RobotsTxt<'_>) -> impl Iterator<Item = &'r [u8]> {
    let records = robots.records().iter().filter(|record| record.kind == RecordKind::Host);
    records.map(|record| record.value.of(robots.body()))
}

/// Reports whether every agent has the same records of groups in the same order.
fn is_order_same(old: &RobotsTxt<'_>, new: &RobotsTxt<'_>, budget: &SearchBudget) -> Result<bool, NotDecided> {
    let has_any = |robots: &RobotsTxt<'_>| robots.records().iter().any(|record| !is_of_file(record.kind));
    if !has_any(old) && !has_any(new) {
        return Ok(true);
    }
    let [mut old_index, mut new_index] = [old, new].map(NameIndex::new);
    let stars = [&mut old_index, &mut new_index].map(|index| std::mem::take(&mut index.of_star));
    let mut new_names: BTreeMap<_, _> = new_index.into_names().into_iter().small_collect();
    // Agents that obey the same groups on both sides are compared once.
    let mut lists = [stars].into_iter().small_collect::<BTreeSet<_>>();
    for (key, named) in old_index.into_names() {
        let Some(other) = new_names.remove(&key) else { return Ok(false) };
        lists.insert([named.groups, other.groups]);
    }
    for [of_old, of_new] in &lists {
        if in_order(old, of_old, budget)? != in_order(new, of_new, budget)? {
            return Ok(false);
        }
    }
    Ok(new_names.is_empty())
}

/// Returns the records of some groups, in order, without those that say what the last of their kind did.
fn in_order<'r>(
    robots: &'r RobotsTxt<'_>,
    groups: &[GroupId],
    budget: &SearchBudget,
) -> Result<Vec<WrittenRecord<'r>>, NotDecided> {
    let body = robots.body();
    let groups = groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
    let mut last: HashMap<RecordKind, &[u8]> = HashMap::new();
    let mut records = Vec::new();
    for group in groups {
        let of_group = robots.records_of(group);
        budget.take(WORK_OF_RECORD * of_group.len() as u64)?;
        for record in of_group.iter().filter(|record| !is_of_file(record.kind)) {
            let value = record.value.of(body);
            if !is_preference(record.kind) || last.insert(record.kind, value) != Some(value) {
                records.push((record.kind, key_of(record, body), value));
            }
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_records_is_compared() {
        let group = |agent: &str, path: &str, record: &str| format!("User-agent:{agent}\nDisallow:{path}\n{record}\n");
        let file = |groups: &[(&str, &str, &str)]| -> String {
            groups.iter().map(|(agent, path, record)| group(agent, path, record)).collect()
        };
        let [one, two, three] = ["Crawl-delay:1", "Crawl-delay:2", "Crawl-delay:3"];
        for (old, new, is_same) in [
            // Of one agent under every dialect, though it is written in two ways.
            (
                file(&[("foobot", "/x", one), ("foobot/2.1", "/y", two), ("foobot", "/z", three)]),
                file(&[("foobot", "/x", one), ("foobot", "/z", three), ("foobot/2.1", "/y", two)]),
                false,
            ),
            // Of one agent under google.
            (
                file(&[("MJ", "/x", one), ("MJ12bot", "/y", two)]),
                file(&[("MJ12bot", "/y", two), ("MJ", "/x", one)]),
                false,
            ),
            (file(&[("*", "/x", one), ("*", "/y", two)]), file(&[("*", "/y", two), ("*", "/x", one)]), false),
            (file(&[("a", "/x", one), ("b", "/y", two)]), file(&[("b", "/y", two), ("a", "/x", one)]), true),
            (file(&[("a", "/x", one), ("a", "/y", one)]), file(&[("a", "/x", one), ("a", "/y", "")]), true),
            (
                file(&[("a", "/x", one), ("a", "/y", two), ("a", "/z", one)]),
                file(&[("a", "/x", one), ("a", "/y", two), ("a", "/z", "")]),
                false,
            ),
            (
                file(&[("a", "/x", "Host:one"), ("b", "/y", "Host:two")]),
                file(&[("b", "/y", "Host:two"), ("a", "/x", "Host:one")]),
                false,
            ),
        ] {
            let found = compare(old.as_bytes(), new.as_bytes(), Dialect::ALL, &SearchBudget::default());
            let wanted = if is_same { Meaning::Same } else { Meaning::Different(Default::default()) };
            assert_eq!(found, wanted, "{old}  >  {new}");
        }
    }
}
