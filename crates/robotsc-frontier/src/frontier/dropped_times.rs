//! The fetch times of entries that were dropped from memory: a fetch that is recorded late must not pass for news.
//!
//! Times are in sets of eight, a cache line each; the hash of an origin selects the set. If a set is full, the oldest
//! time is forgotten. If two origins have one hash (one of some 10^9 late fetches), a fetch is lost: it is not
//! recorded, and its origin stays unknown.

use crate::outcome::Time;

/// The number of times in a set.
const WAYS: usize = 8;
/// The maximum number of sets of a table, for any budget: 8 million times in all tables.
const MAX_SETS: usize = 1 << 14;

/// The fetch times of dropped entries.
#[derive(Debug, Default)]
pub(crate) struct DroppedTimes {
    /// In each word a time, and above it the lower half of the hash; 0 if there is none, since nothing is older than
    /// the time 0. Empty until an entry is dropped.
    sets: Vec<[u64; WAYS]>,
}

impl DroppedTimes {
    /// Returns the maximum number of bytes that it takes of a table's budget: a sixteenth, at least one set, at most 1
    /// MiB.
    pub(crate) const fn max_bytes(budget: usize) -> usize {
        Self::sets(budget) * size_of::<[u64; WAYS]>()
    }

    /// Returns the bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.sets)
    }

    const fn sets(budget: usize) -> usize {
        let sets = budget / 16 / size_of::<[u64; WAYS]>();
        match sets {
            0 => 1,
            1..=MAX_SETS => sets,
            _ => MAX_SETS,
        }
    }

    fn place(&self, hash: u64) -> usize {
        // The lower end of the upper half selects the table.
        (hash >> 40) as usize % self.sets.len().max(1)
    }

    /// Returns when the dropped state was fetched.
    pub(crate) fn get(&self, hash: u64) -> Option<Time> {
        let known = self.sets.get(self.place(hash))?.iter().find(|known| is_of(**known, hash))?;
        Some(Time(*known as u32))
    }

    /// Records that an entry fetched at `at` is dropped; `budget` is that of the table.
    pub(crate) fn insert(&mut self, hash: u64, at: Time, budget: usize) {
        if self.sets.is_empty() {
            self.sets = vec![[0; WAYS]; Self::sets(budget)];
        }
        let place = self.place(hash);
        let Some(set) = self.sets.get_mut(place) else { return };
        let same = set.iter().position(|known| is_of(*known, hash));
        let oldest = || (0..WAYS).min_by_key(|way| set[*way] as u32).unwrap_or(0);
        let way = same.unwrap_or_else(oldest);
        if set[way] as u32 <= at.0 {
            set[way] = if at.0 == 0 { 0 } else { hash << 32 | u64::from(at.0) };
        }
    }

    /// Forgets the time of an origin that is in memory again.
    pub(crate) fn forget(&mut self, hash: u64) {
        let place = self.place(hash);
        for known in self.sets.get_mut(place).into_iter().flatten().filter(|known| is_of(**known, hash)) {
            *known = 0;
        }
    }
}

const fn is_of(known: u64, hash: u64) -> bool {
    known != 0 && known >> 32 == hash & 0xFFFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept() {
        let mut gone = DroppedTimes::default();
        assert_eq!(gone.get(1), None);
        for number in 0..20 {
            gone.insert(number, Time(100 + number as u32), 0);
        }
        // One set is all that a table without a budget has.
        for number in 0..20 {
            assert_eq!(gone.get(number), (number >= 12).then_some(Time(100 + number as u32)), "{number}");
        }
        // An older time never takes the place of a newer one, of the same origin or of another.
        gone.insert(19, Time(50), 0);
        gone.insert(5, Time(50), 0);
        gone.insert(6, Time(0), 0);
        assert_eq!((gone.get(19), gone.get(5), gone.get(6)), (Some(Time(119)), None, None));
        gone.insert(19, Time(200), 0);
        assert_eq!(gone.get(19), Some(Time(200)));
        gone.forget(19);
        gone.insert(5, Time(50), 0);
        assert_eq!((gone.get(19), gone.get(5)), (None, Some(Time(50))));
    }

    #[test]
    fn it_keeps_to_its_share() {
        assert_eq!((DroppedTimes::max_bytes(0), DroppedTimes::max_bytes(4 << 20)), (64, 256 << 10));
        assert_eq!(DroppedTimes::max_bytes(usize::MAX), 1 << 20);
        let mut gone = DroppedTimes::default();
        for number in 0..100_000_u64 {
            gone.insert(number.wrapping_mul(0x9E37_79B9_7F4A_7C15), Time(9), 1 << 20);
        }
        assert_eq!(gone.bytes(), DroppedTimes::max_bytes(1 << 20));
    }
}
