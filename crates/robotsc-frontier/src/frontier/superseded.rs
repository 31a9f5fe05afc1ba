//! Which origins of the pack are known here, or were, in a newer state: of these the pack no longer speaks.
//!
//! A bit for each slot of the pack, so that none is ever forgotten, however many there are, and what they take is known
//! beforehand. A bit is set under the lock of the origin's table and read under it, which is what puts both in order.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::pack::Slot;

/// The origins that the pack no longer speaks for.
#[derive(Debug, Default)]
pub(crate) struct Superseded {
    slots: u64,
    /// Made when the first is put in.
    bits: OnceLock<Box<[AtomicU64]>>,
}

impl Superseded {
    /// For a pack of so many slots.
    pub(crate) const fn of(slots: u64) -> Self {
        Self { slots, bits: OnceLock::new() }
    }

    /// The octets that it takes once one is put in.
    pub(crate) const fn most_octets(&self) -> usize {
        self.slots.div_ceil(64) as usize * size_of::<AtomicU64>()
    }

    /// The octets that it takes.
    pub(crate) fn octets(&self) -> usize {
        if self.bits.get().is_some() { self.most_octets() } else { 0 }
    }

    pub(crate) fn put(&self, slot: Slot) {
        let bits = self.bits.get_or_init(|| (0..self.slots.div_ceil(64)).map(|_| AtomicU64::new(0)).collect());
        if let Some(word) = bits.get((slot.0 / 64) as usize) {
            word.fetch_or(1 << (slot.0 % 64), Ordering::Relaxed);
        }
    }

    #[inline]
    pub(crate) fn holds(&self, slot: Slot) -> bool {
        let word = self.bits.get().and_then(|bits| bits.get((slot.0 / 64) as usize));
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (slot.0 % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_told_apart() {
        let superseded = Superseded::of(130);
        assert_eq!((superseded.octets(), superseded.most_octets()), (0, 24));
        for slot in [0, 63, 64, 129] {
            assert!(!superseded.holds(Slot(slot)));
            superseded.put(Slot(slot));
        }
        let held: Vec<u64> = (0..200).filter(|slot| superseded.holds(Slot(*slot))).collect();
        assert_eq!((held, superseded.octets()), (vec![0, 63, 64, 129], 24));
    }
}
