//! Advice for the operating system: how a mapped pack is going to be read.
//!
//! If a page of a mapped file is not in memory, the system reads what is around it, too: 128 KiB to some megabytes.
//! That is right for a scan and wrong for a lookup, which needs two pages that have nothing to do with their
//! neighbours. Two thousand pages of a cold file of 4 GB, touched in no order, loaded 3.6 GB when the system read 8 MiB
//! ahead; without that 7 MB, in a thirtieth of the time. So a pack is opened for lookups, and a scan asks for reading
//! ahead while it lasts.

use std::hint::black_box;

use super::Pack;
use super::map::Bytes;

/// Bytes that are requested together when a pack is loaded: enough that a disk is busy, and few enough that a loader
/// stops soon.
const CHUNK: usize = 8 << 20;

/// The smallest page size of common systems, in bytes. If pages are larger, some are touched more than once.
const PAGE: usize = 4096;

impl Pack {
    /// Reads the whole pack into the page cache, from its start to its end. Lookups then find it there as long as the
    /// system keeps it.
    ///
    /// A pack is opened for lookups in no order, each of which reads its own pages and nothing around them. To look up
    /// a large part of the origins, reading all of it at once is faster, on a thread of its own if needed. It is of no
    /// use for a pack that is larger than the memory. Every 8 MiB it calls `go_on`, and stops at `false`.
    ///
    /// Cost: the time that the disk takes for the file; of what is in memory already, a byte of each page is read.
    ///
    /// # Panics
    /// Never, unless `go_on` does.
    pub fn load(&self, mut go_on: impl FnMut() -> bool) {
        let all = self.bytes().all();
        let mut next = 0;
        self.bytes().want(0, CHUNK);
        while next < all.len() && go_on() {
            let start = next;
            next = all.len().min(start + CHUNK);
            // The disk goes on with the next chunk while this one is touched.
            self.bytes().want(next, CHUNK);
            let touched = all.get(start..next).unwrap_or_default().iter().step_by(PAGE);
            black_box(touched.fold(0_u8, |sum, byte| sum ^ byte));
        }
    }

    /// Advises the system that all of the pack is read in about its order, until the guard is dropped.
    pub(crate) fn scan(&self) -> Scan<'_> {
        Scan::new(self.bytes())
    }
}

/// While it lives, the system reads ahead. If there are two, the first that is dropped ends it for both, which only
/// costs time.
#[derive(Debug)]
#[must_use]
pub(crate) struct Scan<'p>(&'p Bytes);

impl<'p> Scan<'p> {
    fn new(bytes: &'p Bytes) -> Self {
        bytes.read_ahead(true);
        Self(bytes)
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
