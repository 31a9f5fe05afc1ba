//! The memory that compilations work in, which each leaves to the next one of its thread.
//!
//! A rule set of usual size takes a microsecond or two to compile. To ask the allocator for twenty vectors, and to
//! touch their memory for the first time, costs up to 20 % more.

use std::cell::Cell;

use super::{determinise, minimise};
use crate::program::encode;

/// Memory of each step. Each step clears its own before use.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) construction: determinise::BuilderMemory,
    pub(crate) partition: minimise::Partition,
    pub(crate) encoder: encode::Encoder,
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
        self.construction.held() + self.partition.held() + self.encoder.held() + self.program.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::PartBudget;
    use super::super::determinise::determinise;
    use super::super::{Mode, RankedPattern};
    use super::*;

    /// The memory of an attempt that went over its budget counts after a small one, too.
    #[test]
    fn what_is_held_does_not_depend_on_the_last_attempt() {
        let patterns: Vec<_> = (b'a'..b'u').map(|n| format!("/*{0}{0}-*-{0}", char::from(n))).collect();
        let rules = |count| -> Vec<_> {
            patterns[..count].iter().map(|text| RankedPattern { pattern: text.as_bytes(), rank: 2 }).collect()
        };
        let budget = PartBudget { nodes: 1 << 20, work: 1 << 22 };
        let mut workspace = Workspace::default();
        assert!(determinise(&rules(20), Mode::Part, budget, &mut workspace.construction).is_err());
        let held = workspace.held();
        assert!(determinise(&rules(1), Mode::Part, budget, &mut workspace.construction).is_ok());
        assert!(workspace.held() >= held / 2, "{held} {}", workspace.held());
    }
}
