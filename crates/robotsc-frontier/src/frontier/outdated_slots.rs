//! Which origins of the pack are known, or were, in a newer state: their entries in the pack no longer count.
//!
//! There is a bit for each slot of the pack, so that none is ever forgotten and the memory for it is known. A bit is
//! set and read under the lock of the origin's table, which orders both.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::pack::Slot;

/// The origins whose entries in the pack no longer count.
#[derive(Debug, Default)]
pub(crate) struct OutdatedSlots {
    slots: u64,
    /// Allocated when the first is inserted.
    bits: OnceLock<Box<[AtomicU64]>>,
}

impl OutdatedSlots {
    /// Makes the set for a pack with a number of slots.
    pub(crate) const fn of(slots: u64) -> Self {
        Self { slots, bits: OnceLock::new() }
    }

    /// Returns the bytes that it takes after the first insertion.
    pub(crate) const fn max_bytes(&self) -> usize {
        self.slots.div_ceil(64) as usize * size_of::<AtomicU64>()
    }

    /// Returns the bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        if self.bits.get().is_some() { self.max_bytes() } else { 0 }
    }

    pub(crate) fn insert(&self, slot: Slot) {
        self.insert_number(slot.number());
    }

    fn insert_number(&self, slot: u64) {
        let bits = self.bits.get_or_init(|| (0..self.slots.div_ceil(64)).map(|_| AtomicU64::new(0)).collect());
        if let Some(word) = bits.get((slot / 64) as usize) {
            word.fetch_or(1 << (slot % 64), Ordering::Relaxed);
        }
    }

    #[inline]
    pub(crate) fn holds(&self, slot: Slot) -> bool {
        self.holds_number(slot.number())
    }

    #[inline]
    fn holds_number(&self, slot: u64) -> bool {
        let word = self.bits.get().and_then(|bits| bits.get((slot / 64) as usize));
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (slot % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_told_apart() {
        let outdated = OutdatedSlots::of(130);
        assert_eq!((outdated.bytes(), outdated.max_bytes()), (0, 24));
        for slot in [0, 63, 64, 129] {
            assert!(!outdated.holds_number(slot));
            outdated.insert_number(slot);
        }
        let held: Vec<u64> = (0..200).filter(|slot| outdated.holds_number(*slot)).collect();
        assert_eq!((held, outdated.bytes()), (vec![0, 63, 64, 129], 24));
    }
}
