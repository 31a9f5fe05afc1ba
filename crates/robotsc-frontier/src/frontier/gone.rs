//! When what was dropped from memory had been fetched: so that a fetch that comes in late does not pass for news.
//!
//! Sets of eight, a line of the cache each; an origin's hash says which set. Where a set is full, the oldest fetch is
//! forgotten. A hash that is taken for another's (one of some 10^9 late fetches) costs that fetch: it is not put in, and its
//! origin stays unknown.

use crate::fetch::Time;

/// Times of a set.
const WAYS: usize = 8;
/// Sets of a table at most, however large the budget: 8 million times in all tables.
const MOST_SETS: usize = 1 << 14;

/// The times of what is gone.
#[derive(Debug, Default)]
pub(crate) struct Gone {
    /// In each word a time, and above it the lower half of the hash; 0 where there is none: nothing is older than the time 0. Empty
    /// until something goes.
    sets: Vec<[u64; WAYS]>,
}

impl Gone {
    /// The octets that it takes, at most, of a table's budget: a sixteenth, one set at least, and 1 MiB at most.
    pub(crate) const fn most_octets(budget: usize) -> usize {
        Self::sets(budget) * size_of::<[u64; WAYS]>()
    }

    /// The octets that it takes.
    pub(crate) fn octets(&self) -> usize {
        size_of_val(&*self.sets)
    }

    const fn sets(budget: usize) -> usize {
        let sets = budget / 16 / size_of::<[u64; WAYS]>();
        match sets {
            0 => 1,
            1..=MOST_SETS => sets,
            _ => MOST_SETS,
        }
    }

    fn place(&self, hash: u64) -> usize {
        // Which table it is says the lower end of the upper half.
        (hash >> 40) as usize % self.sets.len().max(1)
    }

    /// When the state that is gone was fetched.
    pub(crate) fn get(&self, hash: u64) -> Option<Time> {
        let known = self.sets.get(self.place(hash))?.iter().find(|known| is_of(**known, hash))?;
        Some(Time(*known as u32))
    }

    /// Notes that what was fetched at `at` goes; `budget` is that of the table.
    pub(crate) fn put(&mut self, hash: u64, at: Time, budget: usize) {
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

    /// The origin is back.
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
        let mut gone = Gone::default();
        assert_eq!(gone.get(1), None);
        for number in 0..20 {
            gone.put(number, Time(100 + number as u32), 0);
        }
        // One set is all that a table without a budget has.
        for number in 0..20 {
            assert_eq!(gone.get(number), (number >= 12).then_some(Time(100 + number as u32)), "{number}");
        }
        // An older time never takes the place of a newer one, of the same origin or of another.
        gone.put(19, Time(50), 0);
        gone.put(5, Time(50), 0);
        gone.put(6, Time(0), 0);
        assert_eq!((gone.get(19), gone.get(5), gone.get(6)), (Some(Time(119)), None, None));
        gone.put(19, Time(200), 0);
        assert_eq!(gone.get(19), Some(Time(200)));
        gone.forget(19);
        gone.put(5, Time(50), 0);
        assert_eq!((gone.get(19), gone.get(5)), (None, Some(Time(50))));
    }

    #[test]
    fn it_keeps_to_its_share() {
        assert_eq!((Gone::most_octets(0), Gone::most_octets(4 << 20)), (64, 256 << 10));
        assert_eq!(Gone::most_octets(usize::MAX), 1 << 20);
        let mut gone = Gone::default();
        for number in 0..100_000_u64 {
            gone.put(number.wrapping_mul(0x9E37_79B9_7F4A_7C15), Time(9), 1 << 20);
        }
        assert_eq!(gone.octets(), Gone::most_octets(1 << 20));
    }
}
