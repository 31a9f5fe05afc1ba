//! What a frontier counts.

use std::sync::atomic::{AtomicU64, Ordering};

use super::answer::FrontierVerdict;

/// What a frontier has counted since it was made. Each number is exact; while other threads write, their sums can
/// differ for a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// URLs that were allowed.
    pub allowed: u64,
    /// URLs that were disallowed.
    pub disallowed: u64,
    /// URLs whose origin is unknown.
    pub unknown: u64,
    /// Texts that are no URL with an origin.
    pub errors: u64,
    /// Bodies of successes that are [no robots.txt](robotsc_compiler::BodyKind), recorded or not.
    pub other_bodies: u64,
    /// Responses recorded.
    pub inserted: u64,
    /// Rules compiled because they answered many URLs.
    pub compiled: u64,
    /// Origins dropped to stay within the budget.
    pub evicted: u64,
    /// Origins dropped by [`Frontier::expire`](super::Frontier::expire).
    pub expired: u64,
    /// Origins in memory now.
    pub held: u64,
    /// Bytes that the memory takes now, as counted for the budget.
    pub bytes: u64,
}

/// Verdicts of a batch, or of one URL, before they are added to the counters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) allowed: u64,
    pub(crate) disallowed: u64,
    pub(crate) unknown: u64,
    pub(crate) errors: u64,
}

impl Tally {
    pub(crate) fn count<E>(&mut self, verdict: Result<FrontierVerdict, E>) {
        let counter = match verdict {
            Ok(FrontierVerdict::Allowed) => &mut self.allowed,
            Ok(FrontierVerdict::Disallowed) => &mut self.disallowed,
            Ok(FrontierVerdict::Unknown) => &mut self.unknown,
            Err(_) => &mut self.errors,
        };
        *counter += 1;
    }
}

/// The counters themselves. Additions are relaxed: nothing else depends on their order.
#[derive(Debug, Default)]
pub(crate) struct Atomics {
    allowed: AtomicU64,
    disallowed: AtomicU64,
    unknown: AtomicU64,
    errors: AtomicU64,
    pub(crate) other_bodies: AtomicU64,
    pub(crate) inserted: AtomicU64,
    pub(crate) compiled: AtomicU64,
    pub(crate) evicted: AtomicU64,
    pub(crate) expired: AtomicU64,
}

impl Atomics {
    pub(crate) fn add(&self, tally: Tally) {
        for (counter, more) in [
            (&self.allowed, tally.allowed),
            (&self.disallowed, tally.disallowed),
            (&self.unknown, tally.unknown),
            (&self.errors, tally.errors),
        ] {
            Self::count(counter, more);
        }
    }

    pub(crate) fn count(counter: &AtomicU64, more: u64) {
        if more > 0 {
            counter.fetch_add(more, Ordering::Relaxed);
        }
    }

    pub(crate) fn read(&self) -> Counters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counters {
            allowed: read(&self.allowed),
            disallowed: read(&self.disallowed),
            unknown: read(&self.unknown),
            errors: read(&self.errors),
            other_bodies: read(&self.other_bodies),
            inserted: read(&self.inserted),
            compiled: read(&self.compiled),
            evicted: read(&self.evicted),
            expired: read(&self.expired),
            held: 0,
            bytes: 0,
        }
    }
}
