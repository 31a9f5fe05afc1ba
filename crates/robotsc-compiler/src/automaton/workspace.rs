//! The memory that compilations work in, which each leaves to the next one of its thread.
//!
//! A rule set of usual size takes a microsecond or two to compile. To ask the allocator for twenty vectors, and to
//! touch their memory for the first time, costs up to 20 % more.

use std::cell::Cell;

use super::{Automaton, determinise, minimise, trie};
use crate::program::encode;

/// Memory of each step. Each step clears its own before use.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) trie: trie::Build,
    pub(super) subsets: determinise::Build,
    pub(super) partition: minimise::Partition,
    pub(crate) encoder: encode::Encoder,
    /// An automaton that is no longer needed.
    pub(crate) spare: Automaton,
    /// The program at hand.
    pub(crate) program: Vec<u8>,
}

/// Bytes that a thread keeps at most.
const KEPT_BYTES: usize = 1 << 22;

thread_local! {
    static KEPT: Cell<Option<Box<Workspace>>> = const { Cell::new(None) };
}

impl Workspace {
    /// Runs `compile` in the workspace of this thread, or in a new one where there is none.
    pub(crate) fn with<T>(compile: impl FnOnce(&mut Self) -> T) -> T {
        // A thread that is ending keeps nothing.
        let mut workspace = KEPT.try_with(Cell::take).ok().flatten().unwrap_or_default();
        let compiled = compile(&mut workspace);
        if workspace.held() <= KEPT_BYTES {
            let _ = KEPT.try_with(|kept| kept.set(Some(workspace)));
        }
        compiled
    }

    fn held(&self) -> usize {
        let steps = self.trie.held() + self.subsets.held() + self.partition.held() + self.encoder.held();
        steps + self.spare.held() + self.program.capacity()
    }
}

/// Returns the bytes of memory that a vector holds, used or not.
pub(crate) const fn held<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// Returns about the bytes of memory that a table of so many entries holds.
pub(super) const fn held_by_table<T>(capacity: usize) -> usize {
    capacity * (size_of::<T>() + 1) / 7 * 8
}

#[cfg(test)]
mod tests {
    use super::super::determinise::{Budget, determinise};
    use super::super::{Mode, RankedPattern};
    use super::*;

    /// The memory of an attempt that went over its budget counts after a small one, too.
    #[test]
    fn what_is_held_does_not_depend_on_the_last_attempt() {
        let patterns: Vec<_> = (b'a'..b'u').map(|n| format!("/*{0}{0}-*-{0}", char::from(n))).collect();
        let rules = |count| -> Vec<_> {
            patterns[..count].iter().map(|text| RankedPattern { pattern: text.as_bytes(), rank: 2 }).collect()
        };
        let budget = Budget { nodes: 1 << 20, work: 1 << 22 };
        let mut workspace = Workspace::default();
        assert!(determinise(&rules(20), Mode::Part, budget, &mut workspace).is_err());
        let held = workspace.held();
        assert!(determinise(&rules(1), Mode::Part, budget, &mut workspace).is_ok());
        assert!(workspace.held() >= held / 2, "{held} {}", workspace.held());
    }
}
