//! One of the tables that a frontier's memory is cut into, each behind its own lock, and what is dropped where it is full.
//!
//! A lock is held while an entry is found or replaced, never while URLs are split, robots.txt parsed, rules compiled or programs walked.
//!
//! Entries are dropped by the clock: a hand goes round over the entries, spares those that were asked since it last passed, and drops the first other one. When what
//! was dropped had been fetched is noted (see [`gone`](super::gone)).

use std::sync::Arc;
use std::sync::atomic::Ordering;

use hashbrown::HashTable;

use super::gone::Gone;
use super::held::Held;
use crate::fetch::Time;

/// A part of a frontier's memory.
#[derive(Debug, Default)]
pub(crate) struct Shard {
    /// Numbers of `entries`, by the hash of the origin.
    table: HashTable<u32>,
    entries: Vec<Option<(u64, Arc<Held>)>>,
    free: Vec<u32>,
    hand: usize,
    octets: usize,
    gone: Gone,
}

impl Shard {
    /// The entry of an origin.
    #[inline]
    pub(crate) fn get(&self, hash: u64, origin: &[u8]) -> Option<&Arc<Held>> {
        let is_it = |number: &u32| self.entry(*number).is_some_and(|(_, held)| *held.origin == *origin);
        self.entry(*self.table.find(hash, is_it)?).map(|(_, held)| held)
    }

    /// The number of an entry that may be that of an origin with this hash: what [`get`](Self::get) reads first. What has
    /// another hash is passed over only when it is read itself.
    #[inline]
    pub(crate) fn candidate(&self, hash: u64) -> Option<u32> {
        self.table.find(hash, |_| true).copied()
    }

    /// Reads of an entry what [`get`](Self::get) reads of it. What it gives means nothing.
    #[inline]
    pub(crate) fn read_early(&self, number: u32) -> u64 {
        self.entry(number).map_or(0, |(hash, held)| hash ^ u64::from(held.record.fetched_at.0))
    }

    /// When the newest state of an origin was fetched that is or was here, as far as is known.
    pub(crate) fn fetched_at(&self, hash: u64, origin: &[u8]) -> Option<Time> {
        self.get(hash, origin).map(|held| held.record.fetched_at).or_else(|| self.gone.get(hash))
    }

    /// Puts an entry in the place of that of the same origin, if there is one, and drops others until the budget is kept or the new one is alone. Gives how many were dropped.
    pub(crate) fn put(&mut self, hash: u64, held: Arc<Held>, budget: usize) -> u64 {
        self.gone.forget(hash);
        let number = self.put_entry(hash, held);
        self.shrink(budget, number)
    }

    /// Puts an entry in the place of `old`, unless that has gone or changed. Gives how many were dropped.
    pub(crate) fn replace(&mut self, hash: u64, old: &Arc<Held>, held: Arc<Held>, budget: usize) -> Option<u64> {
        if !self.get(hash, &old.origin).is_some_and(|now| Arc::ptr_eq(now, old)) {
            return None;
        }
        let number = self.put_entry(hash, held);
        Some(self.shrink(budget, number))
    }

    /// Drops the entries that expired before `time`. Gives how many.
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

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The octets that entries and notes take.
    pub(crate) fn octets(&self) -> usize {
        self.octets + self.gone.octets()
    }

    fn entry(&self, number: u32) -> Option<&(u64, Arc<Held>)> {
        self.entries.get(number as usize)?.as_ref()
    }

    fn put_entry(&mut self, hash: u64, held: Arc<Held>) -> u32 {
        self.octets += held.octets();
        let is_it = |number: &u32| self.entry(*number).is_some_and(|(_, known)| known.origin == held.origin);
        if let Some(&number) = self.table.find(hash, is_it) {
            let old = self.entries[number as usize].replace((hash, held));
            self.octets -= old.map_or(0, |(_, old)| old.octets());
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
        self.octets -= held.octets();
        self.gone.put(hash, held.record.fetched_at, budget);
    }

    fn shrink(&mut self, budget: usize, keep: u32) -> u64 {
        let mut dropped = 0;
        let entries_budget = budget.saturating_sub(Gone::most_octets(budget));
        // Twice round clears every mark, so that what is asked meanwhile cannot keep the hand going.
        let mut steps = 2 * self.entries.len();
        while self.octets > entries_budget && self.table.len() > 1 && steps > 0 {
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
    use crate::fetch::{FetchRecord, Outcome, Site};
    use crate::frontier::held::Rules;

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
        let one = held("a", 2).octets();
        // With room for the notes.
        let budget = |entries: usize| entries * one + 64;
        for (hash, name) in (1..).zip(["a", "b", "c", "d"]) {
            let entry = held(name, 2);
            entry.recent.store(name == "b", Ordering::Relaxed);
            assert_eq!(shard.put(hash, entry, budget(4)), 0);
        }
        assert_eq!(shard.put(9, held("e", 2), budget(3)), 2);
        assert_eq!((shard.len(), shard.octets), (3, 3 * one));
        assert!(shard.get(1, b"a").is_none() && shard.get(2, b"b").is_some() && shard.get(3, b"c").is_none());
        // The freed place is taken again; equal hashes are no equal origins.
        assert_eq!(shard.put(2, held("f", 2), usize::MAX), 0);
        assert!(shard.get(2, b"b").is_some() && shard.get(2, b"f").is_some() && shard.get(2, b"g").is_none());
        assert_eq!(shard.put(9, held("e", 7), 0), 3);
        assert_eq!((shard.len(), shard.octets), (1, one));
    }

    #[test]
    fn all_that_is_asked_all_the_time_is_dropped_too_where_it_must_be() {
        let mut shard = Shard::default();
        for hash in 0..100 {
            shard.put(hash, held(&hash.to_string(), 2), usize::MAX);
        }
        assert_eq!(shard.put(100, held("last", 2), 0), 100);
        assert!(shard.get(100, b"last").is_some());
    }

    #[test]
    fn expired_entries_go() {
        let mut shard = Shard::default();
        for (hash, name) in (1..).zip(["a", "b", "c"]) {
            shard.put(hash, held(name, hash as u32), usize::MAX);
        }
        assert_eq!(shard.expire(Time(3), usize::MAX), 2);
        assert!(shard.get(3, b"c").is_some());
        assert_eq!(shard.octets, held("c", 3).octets());
    }

    #[test]
    fn only_the_entry_that_was_compiled_is_replaced() {
        let mut shard = Shard::default();
        let (old, other) = (held("a", 2), held("a", 3));
        shard.put(1, old.clone(), usize::MAX);
        assert_eq!(shard.replace(1, &other, held("a", 9), usize::MAX), None);
        assert_eq!(shard.replace(1, &old, held("a", 9), usize::MAX), Some(0));
        assert_eq!(shard.get(1, b"a").map(|held| held.record.expires_at), Some(Time(9)));
        assert_eq!(shard.octets, old.octets());
    }
}
