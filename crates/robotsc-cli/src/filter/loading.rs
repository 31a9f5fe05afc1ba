//! When the pack is read into memory whole.
//!
//! A lookup in a cold pack reads its own pages, one by one, some twelve times as slow a page as reading the file from its
//! start to its end. How many URLs will come, nobody knows. So the pack is loaded behind the run once as many URLs were
//! answered as may have cost what loading costs: then at most twice the time of the better way is lost, however few or many
//! follow. A pack that memory has no room for is never loaded.

use std::fs;
use std::sync::Arc;
use std::thread;

use super::policies::PackPolicies;

/// Pages that are read in order in the time of one that is read alone. On a virtual disk of 1.4 GB a second it was twelve.
const ALONE: u64 = 12;

const PAGE: u64 = 4096;

/// Waits for the URL that makes it worth while.
#[derive(Debug)]
pub(super) struct Loading {
    /// `None` where it is done, or will never be.
    waiting: Option<(Arc<PackPolicies>, u64)>,
}

impl Loading {
    pub(super) fn new(policies: &Arc<PackPolicies>) -> Self {
        let octets = policies.pack.as_bytes().len() as u64;
        let fits = available_memory().is_some_and(|available| octets <= available / 2);
        Self { waiting: fits.then(|| (Arc::clone(policies), octets / PAGE / ALONE)) }
    }

    /// Told how many URLs were answered.
    pub(super) fn tick(&mut self, answered: u64) {
        if let Some((policies, _)) = self.waiting.take_if(|(_, after)| answered >= *after) {
            // The run goes on as well without: a thread that cannot be had is no error, and nobody waits for it.
            let _ = thread::Builder::new().spawn(move || policies.pack.load(|| true));
        }
    }
}

/// Octets of memory that can be had without others having to go; `None` where the system does not say.
fn available_memory() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}
