//! Whether the process may open as many sockets as the run wants.

use std::fs;

use crate::failure::Failure;

/// Files that are open besides the connections of fetches: inputs, outputs, libraries, and sockets of the resolver.
const OTHERS: u64 = 64;

/// Checks that there are file descriptors for a number of fetches. Else connections would fail, and be taken for faults
/// of the servers.
///
/// # Errors
/// If there are fewer, as far as the system says.
pub(super) fn check(fetches: u32) -> Result<(), Failure> {
    let Some(limit) = fs::read_to_string("/proc/self/limits").ok().and_then(|limits| open_files(&limits)) else {
        return Ok(());
    };
    let needed = u64::from(fetches) + OTHERS;
    if needed <= limit {
        return Ok(());
    }
    Err(Failure::new(format_args!(
        "too many fetches at a time: --concurrency {fetches}: the process may open {limit} files: give at most {}, or \
         run 'ulimit -n {needed}' before",
        limit.saturating_sub(OTHERS)
    )))
}

/// Returns the limit of open files, from the text of Linux; `None` if it names none.
fn open_files(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::open_files;

    #[test]
    fn the_soft_limit_counts() {
        let limits =
            "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096    files\n";
        assert_eq!(open_files(limits), Some(1024));
        assert_eq!(open_files("Max open files  unlimited  unlimited  files\n"), None);
        assert_eq!(open_files(""), None);
    }
}
