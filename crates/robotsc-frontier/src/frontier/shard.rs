//! One of the tables of a frontier's memory, each under its own lock, and what it drops if it is full.
//!
//! A lock is held while an entry is found or replaced, never while URLs are split, robots.txt parsed, rules compiled or
//! programs walked.
//!
//! Entries are dropped by the clock algorithm: a hand goes round over the entries, spares those that were used since it
//! last passed, and drops the first other one. The fetch times of dropped entries are kept (see
//! [`dropped_times`](super::dropped_times)).

use std::sync::Arc;
use std::sync::atomic::Ordering;

use hashbrown::HashTable;

use super::dropped_times::DroppedTimes;
use super::held::Held;
use crate::outcome::Time;

/// A part of a frontier's memory.
#[derive(Debug, Default)]
pub(crate) struct Shard {
    /// Numbers of `entries`, by the hash of the origin.
    table: HashTable<u32>,
    entries: Vec<Option<(u64, Arc<Held>)>>,
    free: Vec<u32>,
    hand: usize,
    bytes: usize,
    gone: DroppedTimes,
}

impl Shard {
    /// Returns the entry of an origin.
    #[inline]
    pub(crate) fn get(&self, hash: u64, origin: &[u8]) -> Option<&Arc<Held>> {
        let is_it = |number: &u32| self.entry(*number).is_some_and(|(_, held)| *held.origin == *origin);
        self.entry(*self.table.find(hash, is_it)?).map(|(_, held)| held)
    }

    /// Returns the number of an entry that may belong to an origin with this hash: what [`get`](Self::get) reads first.
    #[inline]
    pub(crate) fn candidate(&self, hash: u64) -> Option<u32> {
        self.table.find(hash, |_| true).copied()
    }

    /// Reads what [`get`](Self::get) reads of an entry. The result means nothing.
    #[inline]
    pub(crate) fn read_early(&self, number: u32) -> u64 {
        self.entry(number).map_or(0, |(hash, held)| hash ^ u64::from(held.record.fetched_at.0))
    }

    /// Returns when the newest state of an origin was fetched that is or was here, as far as is known.
    pub(crate) fn fetched_at(&self, hash: u64, origin: &[u8]) -> Option<Time> {
        self.get(hash, origin).map(|held| held.record.fetched_at).or_else(|| self.gone.get(hash))
    }

    /// Inserts an entry, or replaces that of the same origin, and drops others until the budget is kept or the new one
    /// is alone. Returns how many it dropped.
    pub(crate) fn insert(&mut self, hash: u64, held: Arc<Held>, budget: usize) -> u64 {
        self.gone.forget(hash);
        let number = self.insert_entry(hash, held);
        self.shrink(budget, number)
    }

    /// Replaces `old` by an entry, unless `old` was dropped or replaced. Returns how many entries it dropped.
    pub(crate) fn replace(&mut self, hash: u64, old: &Arc<Held>, held: Arc<Held>, budget: usize) -> Option<u64> {
        if !self.get(hash, &old.origin).is_some_and(|now| Arc::ptr_eq(now, old)) {
            return None;
        }
        let number = self.insert_entry(hash, held);
        Some(self.shrink(budget, number))
    }

    /// Drops the entries that expired before `time`. Returns how many.
    pub(crate) fn expire(&mut self, time: Time, budget: usize) -> u64 {
        let mut dropped = 0;
        for number in 0..self.entries.len() as u32 {
            if self.entry(number).is_some_and(|(_, held)| held.record.expires_at < time) {
                self.remove(number, budget);
                dropped += 1;
            }
        }
        dropped
    }

    /// Removes the entry of an origin, and what is known of one that was dropped. Returns whether there was either.
    pub(crate) fn forget(&mut self, hash: u64, origin: &[u8]) -> bool {
        let is_it = |number: &u32| self.entry(*number).is_some_and(|(_, held)| *held.origin == *origin);
        let number = self.table.find(hash, is_it).copied();
        let was_dropped = self.gone.get(hash).is_some();
        if let Some(number) = number {
            self.remove(number, 0);
        }
        self.gone.forget(hash);
        number.is_some() || was_dropped
    }

    /// Returns all entries, to be read without the lock.
    pub(crate) fn all(&self) -> Vec<Arc<Held>> {
        self.entries.iter().flatten().map(|(_, held)| Arc::clone(held)).collect()
    }

    /// Returns all entries.
    pub(crate) fn held(&self) -> impl Iterator<Item = &Held> {
        self.entries.iter().flatten().map(|(_, held)| &**held)
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the bytes that entries and fetch times take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.gone.bytes()
    }

    fn entry(&self, number: u32) -> Option<&(u64, Arc<Held>)> {
        self.entries.get(number as usize)?.as_ref()
    }

    fn insert_entry(&mut self, hash: u64, held: Arc<Held>) -> u32 {
        self.bytes += held.bytes();
        let is_it = |number: &u32| self.entry(*number).is_some_and(|(_, known)| known.origin == held.origin);
        if let Some(&number) = self.table.find(hash, is_it) {
            let old = self.entries[number as usize].replace((hash, held));
            self.bytes -= old.map_or(0, |(_, old)| old.bytes());
            return number;
        }
        let number = self.free.pop().unwrap_or(self.entries.len() as u32);
        match self.entries.get_mut(number as usize) {
            Some(place) => *place = Some((hash, held)),
            None => self.entries.push(Some((hash, held))),
        }
        let entries = &self.entries;
        let hash_of = |number: &u32| entries[*number as usize].as_ref().map_or(0, |(hash, _)| *hash);
        self.table.insert_unique(hash, number, hash_of);
        number
    }

    fn remove(&mut self, number: u32, budget: usize) {
        let Some((hash, held)) = self.entries.get_mut(number as usize).and_then(Option::take) else { return };
        if let Ok(entry) = self.table.find_entry(hash, |known| *known == number) {
            entry.remove();
        }
        self.free.push(number);
        self.bytes -= held.bytes();
        self.gone.insert(hash, held.record.fetched_at, budget);
    }

    fn shrink(&mut self, budget: usize, keep: u32) -> u64 {
        let mut dropped = 0;
        let entries_budget = budget.saturating_sub(DroppedTimes::max_bytes(budget));
        // Two rounds clear every mark, so that entries that are used meanwhile cannot keep the hand going.
        let mut steps = 2 * self.entries.len();
        while self.bytes > entries_budget && self.table.len() > 1 && steps > 0 {
            steps -= 1;
            let number = self.hand as u32;
            self.hand = (self.hand + 1) % self.entries.len();
            let Some((_, held)) = self.entry(number) else { continue };
            if number != keep && !held.recent.swap(false, Ordering::Relaxed) {
                self.remove(number, budget);
                dropped += 1;
            }
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::held::Rules;
    use crate::outcome::{FetchRecord, Outcome, Site};

    fn held(name: &str, expires_at: u32) -> Arc<Held> {
        let fetched_at = Time(1);
        let record = FetchRecord {
            outcome: Outcome::Unavailable,
            fetched_at,
            expires_at: Time(expires_at),
            good_at: None,
            failing_since: None,
        };
        Arc::new(Held::new(name.as_bytes(), record, Site::NotKnownUp, Rules::Nothing))
    }

    #[test]
    fn what_was_not_asked_is_dropped_first() {
        let mut shard = Shard::default();
        let one = held("a", 2).bytes();
        // With room for the notes.
        let budget = |entries: usize| entries * one + 64;
        for (hash, name) in (1..).zip(["a", "b", "c", "d"]) {
            let entry = held(name, 2);
            entry.recent.store(name == "b", Ordering::Relaxed);
            assert_eq!(shard.insert(hash, entry, budget(4)), 0);
        }
        assert_eq!(shard.insert(9, held("e", 2), budget(3)), 2);
        assert_eq!((shard.len(), shard.bytes), (3, 3 * one));
        assert!(shard.get(1, b"a").is_none() && shard.get(2, b"b").is_some() && shard.get(3, b"c").is_none());
        // The freed place is taken again; equal hashes are no equal origins.
        assert_eq!(shard.insert(2, held("f", 2), usize::MAX), 0);
        assert!(shard.get(2, b"b").is_some() && shard.get(2, b"f").is_some() && shard.get(2, b"g").is_none());
        assert_eq!(shard.insert(9, held("e", 7), 0), 3);
        assert_eq!((shard.len(), shard.bytes), (1, one));
    }

    #[test]
    fn all_that_is_asked_all_the_time_is_dropped_too_where_it_must_be() {
        let mut shard = Shard::default();
        for hash in 0..100 {
            shard.insert(hash, held(&hash.to_string(), 2), usize::MAX);
        }
        assert_eq!(shard.insert(100, held("last", 2), 0), 100);
        assert!(shard.get(100, b"last").is_some());
    }

    #[test]
    fn expired_entries_go() {
        let mut shard = Shard::default();
        for (hash, name) in (1..).zip(["a", "b", "c"]) {
            shard.insert(hash, held(name, hash as u32), usize::MAX);
        }
        assert_eq!(shard.expire(Time(3), usize::MAX), 2);
        assert!(shard.get(3, b"c").is_some());
        assert_eq!(shard.bytes, held("c", 3).bytes());
    }

    #[test]
    fn only_the_entry_that_was_compiled_is_replaced() {
        let mut shard = Shard::default();
        let (old, other) = (held("a", 2), held("a", 3));
        shard.insert(1, old.clone(), usize::MAX);
        assert_eq!(shard.replace(1, &other, held("a", 9), usize::MAX), None);
        assert_eq!(shard.replace(1, &old, held("a", 9), usize::MAX), Some(0));
        assert_eq!(shard.get(1, b"a").map(|held| held.record.expires_at), Some(Time(9)));
        assert_eq!(shard.bytes, old.bytes());
    }
}
