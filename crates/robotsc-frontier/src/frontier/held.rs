//! What a frontier holds of one origin in memory, and in which of its forms the rules are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use robotsc_compiler::RuleSet;

use crate::outcome::{FetchRecord, Site, Validators};
use crate::pack::Slot;

/// What is known of an origin. It never changes except for its marks of use: a newer state replaces it, while readers
/// go on with the one that they have.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) origin: Box<[u8]>,
    pub(crate) record: FetchRecord,
    pub(crate) site: Site,
    pub(crate) rules: Rules,
    /// Of the response that brought the rules, or renewed them.
    pub(crate) validators: Option<Arc<Validators>>,
    /// Verdicts that [`Rules::Listed`] answered.
    asked: AtomicU32,
    /// Whether it answered since the clock's hand passed.
    pub(crate) recent: AtomicBool,
}

/// What a robots.txt says to the frontier's crawler.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) rules: RuleSet,
    pub(crate) crawl_delay: Option<Duration>,
    pub(crate) sitemaps: Box<[Box<[u8]>]>,
}

impl Parsed {
    fn bytes(&self) -> usize {
        let sitemaps = self.sitemaps.iter().map(|url| url.len() + size_of_val(url)).sum::<usize>();
        size_of::<Self>() + self.rules.heap_bytes() + sitemaps
    }
}

/// The rules of an origin. Copies share what they hold.
#[derive(Clone, Debug)]
pub(crate) enum Rules {
    /// There are none.
    Nothing,
    /// The rules answer directly.
    Listed(Arc<Parsed>),
    /// The rules answer directly, and always will: they are too many to be compiled.
    TooMany(Arc<Parsed>),
    /// A program that this process compiled answers; the rules explain.
    Compiled(Arc<Parsed>, Arc<[u8]>),
    /// The good copy of an origin that fails now is in the pack.
    InPack(Slot),
}

impl Rules {
    pub(crate) fn parsed(&self) -> Option<&Parsed> {
        match self {
            Self::Listed(parsed) | Self::TooMany(parsed) | Self::Compiled(parsed, _) => Some(parsed),
            Self::Nothing | Self::InPack(_) => None,
        }
    }
}

/// Bytes that an entry takes in its table beside what it points to: two words for each allocation, one for the place,
/// and the table's share.
const OVERHEAD: usize = 64;

impl Held {
    pub(crate) fn new(origin: &[u8], record: FetchRecord, site: Site, rules: Rules) -> Self {
        let (asked, recent) = (AtomicU32::new(0), AtomicBool::new(true));
        Self { origin: origin.into(), record, site, rules, validators: None, asked, recent }
    }

    /// Sets the validators of the copy that is held.
    pub(crate) fn with_validators(mut self, validators: Option<Arc<Validators>>) -> Self {
        self.validators = validators;
        self
    }

    /// Returns the bytes that it takes, for the budget.
    pub(crate) fn bytes(&self) -> usize {
        let program = if let Rules::Compiled(_, program) = &self.rules { program.len() } else { 0 };
        let rules = self.rules.parsed().map_or(0, Parsed::bytes);
        let validators = self.validators.as_ref().map_or(0, |validators| validators.bytes());
        size_of::<Self>() + self.origin.len() + rules + program + validators + OVERHEAD
    }

    /// Reads what an answer reads first, so that it is in the cache when one is needed. The result means nothing.
    #[inline]
    pub(crate) fn read_early(&self) -> u64 {
        match &self.rules {
            Rules::Nothing | Rules::InPack(_) => 0,
            Rules::Listed(parsed) | Rules::TooMany(parsed) => parsed.rules.read_early(),
            Rules::Compiled(_, program) => program.first().map_or(0, |byte| u64::from(*byte)),
        }
    }

    /// Counts verdicts that the rules answered. Returns `true` once, when the count reaches `limit`.
    pub(crate) fn is_asked_often(&self, more: u32, limit: u32) -> bool {
        let limit = limit.max(1);
        let before = self.asked.fetch_add(more, Ordering::Relaxed);
        before < limit && before.saturating_add(more) >= limit
    }

    /// Marks it as used, without writing if it is marked: readers on other cores keep their copy of the line.
    #[inline]
    pub(crate) fn mark(&self) {
        if !self.recent.load(Ordering::Relaxed) {
            self.recent.store(true, Ordering::Relaxed);
        }
    }
}
