//! The counts over all blocks that were written.

use std::collections::HashSet;

use super::answer::{Answers, Class, RefusedUses};
use super::tally::Tally;

/// The maximum number of hosts and rules that are counted for the summary.
const MAX_COUNTED: usize = 1 << 16;
/// The maximum number of rules that are counted for `--hits`.
const MAX_HITS: usize = 1 << 20;
/// The maximum number of origins that are kept, so that the list of those to fetch has each once.
const MAX_UNKNOWN: usize = 1 << 22;

/// Sums over the blocks, taken in their order.
#[derive(Debug)]
pub(crate) struct Totals {
    /// Lines by class.
    pub(crate) counts: [u64; 4],
    /// Lines of each agent by class, if the answers of several are written.
    pub(crate) by_agent: Vec<[u64; 4]>,
    /// Lines that only the policy over all origins disallowed.
    pub(crate) overlaid: u64,
    /// Lines that could be fetched, but not used.
    pub(crate) refused_uses: RefusedUses,
    /// Origins that are unknown.
    pub(crate) unknown_origins: u64,
    /// Of these, origins that the pack holds, and whose last fetch expired.
    pub(crate) expired_origins: u64,
    /// Whether there were more than are kept, so that some can be counted and listed again.
    pub(crate) unknown_again: bool,
    /// Disallowed URLs by origin.
    pub(crate) hosts: Tally,
    /// Disallowed URLs by the rule: see [`rule_of`].
    pub(crate) rules: Tally,
    /// All hits by rule, if they are wanted.
    pub(crate) hits: Option<Tally>,
    unknown: HashSet<u64>,
    key: Vec<u8>,
}

/// Splits the key of a rule: the origin, the line, and whether it allows.
pub(crate) fn rule_of(key: &[u8]) -> (&[u8], u32, bool) {
    match key {
        [origin @ .., a, b, c, d, allow] => (origin, u32::from_le_bytes([*a, *b, *c, *d]), *allow != 0),
        _ => (&[], 0, false),
    }
}

impl Totals {
    pub(crate) fn new(hits: bool) -> Self {
        Self {
            counts: [0; 4],
            by_agent: Vec::new(),
            overlaid: 0,
            refused_uses: RefusedUses::default(),
            unknown_origins: 0,
            expired_origins: 0,
            unknown_again: false,
            hosts: Tally::new(MAX_COUNTED),
            rules: Tally::new(MAX_COUNTED),
            hits: hits.then(|| Tally::new(MAX_HITS)),
            unknown: HashSet::new(),
            key: Vec::new(),
        }
    }

    /// Returns the number of lines that were answered.
    pub(crate) fn answered(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of lines of a class.
    pub(crate) const fn of(&self, class: Class) -> u64 {
        self.counts[class as usize]
    }

    /// Adds a block. Calls `new` with each unknown origin, once.
    pub(crate) fn add(&mut self, answers: &Answers, mut new: impl FnMut(&[u8])) {
        for (sum, count) in self.counts.iter_mut().zip(answers.counts) {
            *sum += count;
        }
        if self.by_agent.len() < answers.by_agent.len() {
            self.by_agent.resize(answers.by_agent.len(), [0; 4]);
        }
        for (sums, counts) in self.by_agent.iter_mut().zip(&answers.by_agent) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self.overlaid += answers.overlaid;
        self.refused_uses.stated += answers.refused_uses.stated;
        self.refused_uses.unknown += answers.refused_uses.unknown;
        for hit in &answers.hits {
            let origin = &answers.names[hit.origin.clone()];
            self.key.clear();
            self.key.extend_from_slice(origin);
            self.key.extend_from_slice(&hit.line.to_le_bytes());
            self.key.push(u8::from(hit.is_allow));
            if let Some(hits) = &mut self.hits {
                hits.add(&self.key, hit.count);
            }
            if !hit.is_allow {
                self.hosts.add(origin, hit.count);
                if hit.line != 0 {
                    self.rules.add(&self.key, hit.count);
                }
            }
        }
        for unknown in &answers.unknown {
            if self.unknown.len() >= MAX_UNKNOWN {
                self.unknown.clear();
                self.unknown_again = true;
            }
            if self.unknown.insert(unknown.hash) {
                self.unknown_origins += 1;
                self.expired_origins += u64::from(unknown.is_expired);
                new(&answers.names[unknown.origin.clone()]);
            }
        }
    }
}
