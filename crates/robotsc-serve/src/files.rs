//! Parsed robots.txt files, kept for the next request: while a person types URLs, each request has the same file.
//!
//! A file is found by all of its bytes and its dialect, never by a hash alone. The cache is bounded by the estimated
//! size of what it holds.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use prometheus_client::metrics::counter::Counter;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};
use robotsc::Dialect;
use robotsc_answers::api::file::File;

use crate::metrics::Metrics;

/// The parsed files.
#[derive(Debug)]
pub(crate) struct Files {
    cache: Cache<Key, Arc<File>, Bytes>,
    hits: Counter,
    misses: Counter,
}

/// A file by its bytes.
#[derive(Debug)]
struct Key {
    dialect: &'static str,
    body: Box<[u8]>,
}

/// A [`Key`] that is looked up.
#[derive(Hash, PartialEq, Eq)]
struct Lookup<'b> {
    dialect: &'static str,
    body: &'b [u8],
}

impl Key {
    fn lookup(&self) -> Lookup<'_> {
        Lookup { dialect: self.dialect, body: &self.body }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.lookup().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.lookup() == other.lookup()
    }
}

impl Eq for Key {}

impl Equivalent<Key> for Lookup<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self == key.lookup()
    }
}

/// Estimates the size of an entry: its bytes twice, what the parser makes of each line, and the rules of some agents.
#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Key, Arc<File>> for Bytes {
    fn weight(&self, key: &Key, _: &Arc<File>) -> u64 {
        (key.body.len() * 6 + File::rules_budget(key.body.len()) * 2 + 1024) as u64
    }
}

impl Files {
    /// Creates a cache of at most `max_bytes`.
    pub(crate) fn new(max_bytes: u64, metrics: &Metrics) -> Self {
        // What an entry takes at least bounds their number.
        let most = usize::try_from(max_bytes / 8192).unwrap_or(usize::MAX).max(16);
        Self {
            cache: Cache::with_weighter(most, max_bytes, Bytes),
            hits: metrics.cache_hits.clone(),
            misses: metrics.cache_misses.clone(),
        }
    }

    /// Parses a body, or finds it parsed.
    ///
    /// Cost: linear in the bytes; if it is found, a hash and a comparison of them.
    pub(crate) fn parse(&self, body: &[u8], dialect: &'static Dialect) -> Arc<File> {
        if let Some(file) = self.cache.get(&Lookup { dialect: dialect.name, body }) {
            self.hits.inc();
            return file;
        }
        self.misses.inc();
        let file = Arc::new(File::parse(body, dialect));
        self.cache.insert(Key { dialect: dialect.name, body: body.into() }, file.clone());
        file
    }
}
