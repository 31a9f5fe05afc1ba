//! Keys of origins: where the slot is, and the fingerprint that distinguishes it from others.

use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::slot::FINGERPRINT;

/// What a pack looks an origin up by: [`Pack::key`](super::Pack::key). Valid for all packs of one seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackKey {
    /// The place of the slot: its share of 2^64 is the slot's share of the table.
    pub(crate) place: u64,
    /// The slot stores the upper 42 bits.
    pub(crate) mark: u64,
}

impl PackKey {
    pub(crate) fn new(origin: &[u8], seed: u64) -> Self {
        let hash = xxh3_128_with_seed(origin, seed);
        Self { place: (hash >> 64) as u64, mark: hash as u64 }
    }

    /// Returns the slot that it has if no other origin has the same home.
    #[inline]
    pub(crate) fn home(self, homes: u64) -> u64 {
        ((u128::from(self.place) * u128::from(homes)) >> 64) as u64
    }

    /// Returns the bits that the slot stores.
    #[inline]
    pub(crate) const fn fingerprint(self) -> u64 {
        self.mark >> (64 - FINGERPRINT)
    }

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        (u128::from(self.place) << 64 | u128::from(self.mark)).to_be_bytes()
    }

    pub(crate) fn of_bytes(bytes: [u8; 16]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self { place: (number >> 64) as u64, mark: number as u64 }
    }
}
