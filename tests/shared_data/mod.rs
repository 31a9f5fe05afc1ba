//! The real files and recorded verdicts that a checkout may have beside it. Without them the tests that need them say that they skipped.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use std::path::{Path, PathBuf};

/// The folder of shared data, from `ROBOTSC_SHARED` or beside the checkout; `None`, said on standard error, where it is absent.
pub(crate) fn folder(part: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("ROBOTSC_SHARED") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    let folder = root.join(part);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} is not there", folder.display());
    None
}

/// Whether the long form of a test was asked for.
pub(crate) fn full() -> bool {
    std::env::var_os("ROBOTSC_FULL").is_some_and(|value| value != "0")
}

/// Runs `work` on every item, on all cores, and gives the results in the items' order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(item) = items.get(index) else { return done };
                done.push((index, work(item)));
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no worker panics")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
