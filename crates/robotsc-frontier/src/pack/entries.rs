//! All origins of a pack, in the order of its slots.

use super::access::Scan;
use super::entry::PackEntry;
use super::format::NAME_BLOCK;
use super::slot::RawSlot;
use super::{Pack, names};

impl Pack {
    /// Returns all origins and entries, in the order of the slots, which is that of the keys.
    #[must_use]
    pub fn entries(&self) -> Entries<'_> {
        Entries { pack: self, next: 0, names: &[], _scan: self.scan() }
    }
}

/// All origins and entries of a pack, in the order of its keys.
#[derive(Clone, Debug)]
pub struct Entries<'p> {
    pack: &'p Pack,
    next: u64,
    names: &'p [u8],
    _scan: Scan<'p>,
}

impl<'p> Iterator for Entries<'p> {
    type Item = (Vec<u8>, PackEntry<'p>);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_slot().map(|(name, slot)| (name, PackEntry::of_slot(self.pack, slot)))
    }
}

impl Entries<'_> {
    /// Returns the next origin, and its slot.
    pub(crate) fn next_slot(&mut self) -> Option<(Vec<u8>, RawSlot)> {
        loop {
            let bytes = self.pack.slots().get(usize::try_from(self.next).ok()?)?;
            if self.next.is_multiple_of(NAME_BLOCK) {
                self.names = self.pack.name_block(self.next / NAME_BLOCK)?;
            }
            self.next += 1;
            let slot = RawSlot::read(bytes);
            if slot.distance().is_some() {
                return Some((names::read(&mut self.names)?, slot));
            }
        }
    }
}
