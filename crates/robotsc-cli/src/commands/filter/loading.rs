//! Loads the whole pack into memory when that pays.
//!
//! A lookup in a cold pack reads its own pages, one by one, and such a page takes about twelve times as long as one of
//! a file that is read from start to end. How many URLs will come is unknown. So a thread loads the pack once the URLs
//! so far can have cost as much as loading does: then a run takes at most twice the time of the better choice, however
//! many URLs follow. A pack for which there is not enough memory is never loaded.

use std::fs;
use std::sync::Arc;
use std::thread;

use robotsc::pack::Pack;

/// The time to read one page alone, in pages that are read in order. Measured on a virtual disk of 1.4 GB per second.
const PAGES_PER_LOOKUP: u64 = 12;

const PAGE_BYTES: u64 = 4096;

/// Waits until loading pays.
#[derive(Debug)]
pub(super) struct Loading {
    /// The pack, and the number of URLs after which it is loaded; `None` if it is loaded, or will never be.
    waiting: Option<(Arc<Pack>, u64)>,
}

impl Loading {
    pub(super) fn new(pack: &Arc<Pack>) -> Self {
        let bytes = pack.as_bytes().len() as u64;
        let fits = available_memory().is_some_and(|available| bytes <= available / 2);
        Self { waiting: fits.then(|| (Arc::clone(pack), bytes / PAGE_BYTES / PAGES_PER_LOOKUP)) }
    }

    /// Starts loading if enough URLs were answered.
    pub(super) fn tick(&mut self, answered: u64) {
        if let Some((pack, _)) = self.waiting.take_if(|(_, after)| answered >= *after) {
            // The run works without it too, so that a thread that cannot start is no error.
            let _ = thread::Builder::new().spawn(move || pack.load(|| true));
        }
    }
}

/// Returns the bytes of memory that are available without swapping; `None` if the system does not say.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}
