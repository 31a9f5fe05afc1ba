//! The real files and recorded verdicts that can lie beside a checkout. Tests that need them report that they skip.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use std::io::Write;
use std::path::{Path, PathBuf};

/// Returns a folder of the shared data, from `ROBOTSC_SHARED` or beside the checkout.
///
/// Returns `None` if it is absent, and writes that on standard error, which the test harness does not capture here.
pub(crate) fn folder(part: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("ROBOTSC_SHARED") {
        Some(root) => PathBuf::from(root),
        None => {
            // The crate of the test is the root of the checkout, or a folder in it.
            let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
            let checkout = folders.find(|folder| folder.join("Cargo.lock").is_file()).expect("a checkout");
            checkout.join("../shared")
        }
    };
    let folder = root.join(part);
    if folder.is_dir() {
        return Some(folder);
    }
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {} is absent", folder.display());
    None
}

/// Reports whether `ROBOTSC_FULL` asks for the long form of a test.
pub(crate) fn full() -> bool {
    std::env::var_os("ROBOTSC_FULL").is_some_and(|value| value != "0")
}

/// Runs `work` on every item, on all cores, and returns the results in the items' order.
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
