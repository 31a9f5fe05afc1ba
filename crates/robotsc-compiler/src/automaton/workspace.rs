//! The memory that compilations work in, which each leaves to the next one of its thread.
//!
//! A rule set of usual size takes a microsecond or two to compile. To ask the allocator for twenty vectors, and to
//! touch their memory for the first time, would add up to a fifth.

use std::cell::Cell;

use super::{Automaton, Node, determinise, encode, trie};

/// What is kept of each step. Whoever begins clears it first, so that nothing of one compilation gets into another.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) trie: trie::Build,
    pub(super) subsets: determinise::Build,
    pub(crate) encoder: encode::Encoder,
    /// An automaton that is no longer needed.
    pub(crate) spare: Automaton,
    /// The program at hand.
    pub(crate) program: Vec<u8>,
}

/// Bytes that a thread keeps at most, roughly.
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
        self.trie.held() + self.subsets.held() + self.encoder.held() + self.spare.nodes.capacity() * size_of::<Node>()
    }
}
