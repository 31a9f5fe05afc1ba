//! What the system is told of how a mapped pack is going to be read.
//!
//! Who touches a page of a mapped file that is not in memory waits for what the system reads around it, 128 KiB to some
//! megabytes. That is right for who reads all of it, and wrong for a lookup, which wants two pages that have nothing to
//! do with their neighbours: two thousand pages of a cold file of 4 GB, touched in no order, brought in 3.6 GB where the
//! system reads 8 MiB ahead, and without that 7 MB in a thirtieth of the time. So a pack is opened for lookups, and whoever reads all of it says so while it lasts.

use std::hint::black_box;

use super::Pack;
use super::map::Octets;

/// Octets that are asked for together when a pack is loaded: enough that a disk is busy, and few enough that a loader
/// that is no longer wanted stops soon.
const CHUNK: usize = 8 << 20;

/// The smallest page of the systems that there are. Where pages are larger, some are touched more than once.
const PAGE: usize = 4096;

impl Pack {
    /// Reads the whole pack into the system's memory, from its start to its end, and drops what it reads: lookups then
    /// find it there as long as the system keeps it.
    ///
    /// A pack is opened for lookups in no order, each of which reads its own pages and nothing around them. Who is going
    /// to look up a good part of the origins is served sooner if all is read at once, as disks like it, on a thread of
    /// its own if need be. It is no use for a pack that is larger than the memory. `go_on` is asked every 8 MiB.
    ///
    /// Cost: the time that the disk takes for the file; of what is in memory already, an octet of each page is read.
    ///
    /// # Panics
    /// Never, unless `go_on` does.
    pub fn load(&self, mut go_on: impl FnMut() -> bool) {
        let all = self.octets().all();
        let mut next = 0;
        self.octets().want(0, CHUNK);
        while next < all.len() && go_on() {
            let start = next;
            next = all.len().min(start + CHUNK);
            // The disk goes on with the next chunk while this one is touched.
            self.octets().want(next, CHUNK);
            let touched = all.get(start..next).unwrap_or_default().iter().step_by(PAGE);
            black_box(touched.fold(0_u8, |sum, octet| sum ^ octet));
        }
    }

    /// Says that all of the pack is read in about its order, until the guard is dropped.
    pub(crate) fn scan(&self) -> Scan<'_> {
        Scan::new(self.octets())
    }
}

/// While it lives, the system reads ahead. Of two at a time the first that is dropped ends it for both, which costs time
/// and nothing else.
#[derive(Debug)]
#[must_use]
pub(crate) struct Scan<'p>(&'p Octets);

impl<'p> Scan<'p> {
    fn new(octets: &'p Octets) -> Self {
        octets.read_ahead(true);
        Self(octets)
    }
}

impl Clone for Scan<'_> {
    fn clone(&self) -> Self {
        Self::new(self.0)
    }
}

impl Drop for Scan<'_> {
    fn drop(&mut self) {
        self.0.read_ahead(false);
    }
}
