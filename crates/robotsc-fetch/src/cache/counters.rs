//! What a cache counts.

use std::sync::atomic::{AtomicU64, Ordering};

use robotsc_frontier::frontier::Counters;

/// What a cache has counted since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheCounters {
    /// What the frontier counted. A check that waited for a fetch is counted twice: as unknown, and with its answer.
    pub frontier: Counters,
    /// Fetches that were started.
    pub fetches: u64,
    /// Of these, refreshes in the background.
    pub refreshes: u64,
    /// Attempts after the first of a fetch.
    pub retries: u64,
    /// Fetches that ended in a failure.
    pub failures: u64,
    /// Fetches that ended with 304: the held copy is current.
    pub not_modified: u64,
    /// Checks that waited for a fetch.
    pub waits: u64,
    /// Captures that could not be collected for the pack file.
    pub unsaved: u64,
    /// Fetches that are under way now.
    pub in_flight: u64,
}

/// The counters themselves.
#[derive(Debug, Default)]
pub(crate) struct Atomics {
    pub(crate) fetches: AtomicU64,
    pub(crate) refreshes: AtomicU64,
    pub(crate) retries: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) not_modified: AtomicU64,
    pub(crate) waits: AtomicU64,
    pub(crate) unsaved: AtomicU64,
}

impl Atomics {
    /// Counts one.
    pub(crate) fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> CacheCounters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CacheCounters {
            fetches: read(&self.fetches),
            refreshes: read(&self.refreshes),
            retries: read(&self.retries),
            failures: read(&self.failures),
            not_modified: read(&self.not_modified),
            waits: read(&self.waits),
            unsaved: read(&self.unsaved),
            ..CacheCounters::default()
        }
    }
}
