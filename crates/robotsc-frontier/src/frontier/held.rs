//! What a frontier holds of one origin in memory, and in which of its forms the rules are.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use robotsc_compiler::{Program, RuleSet};

use crate::fetch::FetchRecord;
use crate::pack::Slot;

/// What is known of an origin. It never changes but for its marks of use: a newer one takes its place whole, while readers go on with the one that they have.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) origin: Box<[u8]>,
    pub(crate) record: FetchRecord,
    pub(crate) rules: Rules,
    pub(crate) crawl_delay: Option<Duration>,
    /// Verdicts that were asked of `Rules::Listed`.
    asked: AtomicU32,
    /// Whether it was asked since the clock's hand passed.
    pub(crate) recent: AtomicBool,
}

/// The rules that are held.
#[derive(Clone, Debug)]
pub(crate) enum Rules {
    /// None are.
    Nothing,
    /// As they were read: they answer directly.
    Listed(RuleSet),
    /// As before, and they are to stay so, since they are too many to be compiled.
    TooMany(RuleSet),
    /// The octets of a program that this process compiled.
    Compiled(Box<[u8]>),
    /// The good copy of an origin that fails now lies in the pack.
    InPack(Slot),
}

impl Rules {
    /// The program, where there is one.
    #[inline]
    pub(crate) fn program(&self) -> Option<Program<'_>> {
        match self {
            Self::Compiled(octets) => Program::from_trusted(octets).ok(),
            _ => None,
        }
    }
}

/// Octets that an entry takes in its table beside what it points to: two words for the allocation, one for the place, and the table's share.
const OVERHEAD: usize = 48;

impl Held {
    pub(crate) fn new(origin: &[u8], record: FetchRecord, rules: Rules, crawl_delay: Option<Duration>) -> Self {
        let (asked, recent) = (AtomicU32::new(0), AtomicBool::new(true));
        Self { origin: origin.into(), record, rules, crawl_delay, asked, recent }
    }

    /// The octets that it takes, for the budget.
    pub(crate) fn octets(&self) -> usize {
        let rules = match &self.rules {
            Rules::Nothing | Rules::InPack(_) => 0,
            Rules::Listed(rules) | Rules::TooMany(rules) => rules.heap_octets(),
            Rules::Compiled(octets) => octets.len(),
        };
        size_of::<Self>() + self.origin.len() + rules + OVERHEAD
    }

    /// Reads what an answer reads first, so that it is near when one is asked for. What it gives means nothing.
    #[inline]
    pub(crate) fn read_early(&self) -> u64 {
        match &self.rules {
            Rules::Nothing | Rules::InPack(_) => 0,
            Rules::Listed(rules) | Rules::TooMany(rules) => rules.read_early(),
            Rules::Compiled(octets) => octets.first().map_or(0, |octet| u64::from(*octet)),
        }
    }

    /// Counts verdicts asked of listed rules; true once, when the count reaches `limit`.
    pub(crate) fn is_asked_often(&self, more: u32, limit: u32) -> bool {
        let before = self.asked.fetch_add(more, Ordering::Relaxed);
        before < limit && before.saturating_add(more) >= limit
    }

    /// Marks it as used, without writing where it is marked: readers on other cores keep their copy of the line.
    #[inline]
    pub(crate) fn mark(&self) {
        if !self.recent.load(Ordering::Relaxed) {
            self.recent.store(true, Ordering::Relaxed);
        }
    }
}
