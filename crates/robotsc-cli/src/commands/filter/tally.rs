//! Counts by key in bounded memory.

use std::collections::HashMap;

/// Counts of keys, of which there may be more than memory holds.
///
/// Where there are more than `most` keys, the half that was counted least is dropped. So what is left was counted
/// often, and its counts are right but for what was dropped of it before: at most [`short_by`](Self::short_by) of each.
#[derive(Debug)]
pub(crate) struct Tally {
    counts: HashMap<Box<[u8]>, u64>,
    most: usize,
    dropped: u64,
    short_by: u64,
}

impl Tally {
    /// A tally of up to `most` keys.
    pub(crate) fn new(most: usize) -> Self {
        Self { counts: HashMap::new(), most, dropped: 0, short_by: 0 }
    }

    /// Counts a key.
    pub(crate) fn add(&mut self, key: &[u8], count: u64) {
        if let Some(counted) = self.counts.get_mut(key) {
            *counted += count;
            return;
        }
        if self.counts.len() >= self.most {
            self.drop_half();
        }
        self.counts.insert(key.into(), count);
    }

    fn drop_half(&mut self) {
        let mut all = self.taken();
        for (_, count) in all.drain(self.most / 2..) {
            self.dropped += count;
            self.short_by = self.short_by.max(count);
        }
        self.counts = all.into_iter().collect();
    }

    fn taken(&mut self) -> Vec<(Box<[u8]>, u64)> {
        let mut all: Vec<_> = std::mem::take(&mut self.counts).into_iter().collect();
        all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all
    }

    /// All keys with their counts, the most counted first, equal ones in the order of the keys.
    pub(crate) fn into_sorted(mut self) -> Vec<(Box<[u8]>, u64)> {
        self.taken()
    }

    /// What was counted of keys that were dropped.
    pub(crate) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// How many a count may be short by, for each time that keys were dropped: 0 where all counts are right.
    pub(crate) const fn short_by(&self) -> u64 {
        self.short_by
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_often_stays() {
        let mut tally = Tally::new(100);
        for number in 0..10_000_u32 {
            tally.add(&number.to_le_bytes(), 1);
            tally.add(b"often", 1);
        }
        assert_eq!(tally.short_by(), 1);
        let dropped = tally.dropped();
        let all = tally.into_sorted();
        assert_eq!(all[0], (b"often".as_slice().into(), 10_000));
        assert!(all.len() <= 100);
        assert_eq!(dropped + all.iter().map(|(_, count)| count).sum::<u64>(), 20_000);
    }
}
