//! A cache of what was seen before, as far as memory allows. Forgetting costs time and never changes the pack.

use std::collections::HashMap;
use std::sync::Mutex;

use super::sink::Hash;

/// The number of parts, each under its own lock.
const SHARDS: usize = 16;

/// Values by hash, in two generations: when the young one is full, the old one is dropped and the young one takes its
/// place.
#[derive(Debug)]
pub(crate) struct Cache<V> {
    shards: [Mutex<Generations<V>>; SHARDS],
    /// Entries of a generation of a shard.
    limit: usize,
}

#[derive(Debug)]
struct Generations<V> {
    young: HashMap<Hash, V>,
    old: HashMap<Hash, V>,
}

impl<V: Copy> Cache<V> {
    /// Makes a cache that takes about `bytes`.
    pub(crate) fn new(bytes: usize) -> Self {
        // A map of n entries takes up to 2.3 n places while it grows.
        let entry = (size_of::<(Hash, V)>() + 1) * 5 / 2;
        let shard = || Mutex::new(Generations { young: HashMap::new(), old: HashMap::new() });
        Self { shards: std::array::from_fn(|_| shard()), limit: (bytes / entry / 2 / SHARDS).max(8) }
    }

    fn shard(&self, hash: &Hash) -> std::sync::MutexGuard<'_, Generations<V>> {
        let shard = &self.shards[usize::from(hash[15]) % SHARDS];
        // The state that a panicked thread left is valid.
        shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns the value that is remembered.
    pub(crate) fn get(&self, hash: &Hash) -> Option<V> {
        let mut shard = self.shard(hash);
        if let Some(value) = shard.young.get(hash) {
            return Some(*value);
        }
        let value = shard.old.get(hash).copied()?;
        shard.insert(*hash, value, self.limit);
        Some(value)
    }

    /// Remembers a value, and reports whether none was remembered before.
    pub(crate) fn insert(&self, hash: Hash, value: V) -> bool {
        let mut shard = self.shard(&hash);
        let is_new = !shard.young.contains_key(&hash) && !shard.old.contains_key(&hash);
        shard.insert(hash, value, self.limit);
        is_new
    }
}

impl<V> Generations<V> {
    fn insert(&mut self, hash: Hash, value: V, limit: usize) {
        if self.young.len() >= limit && !self.young.contains_key(&hash) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgets_what_was_not_used() {
        let cache = Cache::new(0);
        let hash = |number: u32| {
            let mut hash = [0; 16];
            hash[..4].copy_from_slice(&number.to_le_bytes());
            hash
        };
        for number in 0..1_000 {
            assert!(cache.insert(hash(number), number));
            // One that is used again and again stays.
            assert_eq!(cache.get(&hash(0)), Some(0));
        }
        assert_eq!(cache.get(&hash(999)), Some(999));
        assert_eq!(cache.get(&hash(500)), None);
        assert!(!cache.insert(hash(999), 1));
    }
}
