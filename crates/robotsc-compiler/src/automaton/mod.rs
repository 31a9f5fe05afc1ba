//! From ranked patterns to an automaton over bytes.
//!
//! ```text
//! line 2   Disallow: /*.php
//! line 3   Allow: /shop/cart
//!
//!            "/"           "shop/cart"
//!   start ────────▶ ( ) ────────────────▶ (line 3: Allow)
//!                    ┆                        ┆
//!             other  ┆  ┌┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┘
//!                    ▼  ▼    ".php"
//!                 ((scan)) ─────────────▶ (line 2: Disallow)
//!                      ▲                      ┆
//!                      └┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┘
//! ```
//!
//! This is what `robotsc compile --emit dot` draws for the two rules. The walk starts with `/`. If `shop/cart` follows,
//! the rule of line 3 matches. On any other byte the walk takes a *failure transition* (dotted) to the *scan*, which
//! skips bytes until `.php`; then the rule of line 2 matches. Of all rules that match on the way, the longest decides:
//! `/shop/cart.php` is allowed.
//!
//! # Vocabulary
//! A pattern is cut at its `*` into **pieces**: a *head*, which is anchored at the start of the path, and *tails*,
//! which may start anywhere after the piece before them ended. Equal tails are one piece ([`pieces`]), so that what is
//! left of a pattern after a `*` is the same thing in every rule that ends so. An **item** is a place inside a piece
//! together with the rank of its rule. A **state** is
//! - the *float*: the tails that may start at any byte from here on ([`floating`]),
//! - the items: the pieces that have started,
//! - in verdict programs, the verdict so far.
//!
//! # Prunings, all exact
//! 1. *Tail.* If a tail joins the float, everything that would only lead to that tail again, in any rule of no
//!    higher rank, is dropped: pieces are shared, so nine rules `/*_x_*/shop/` have one tail, and whichever of them
//!    gets there first ends the work of the other eight.
//! 2. *Rank.* If a rule completes, items and tails of no higher rank are dropped. So the last completion on a path
//!    has the highest rank: the walk needs no comparison. (Not in naming programs, where every rule is a rank of its
//!    own and dropping splits states; there the walk keeps the maximum.)
//! 3. *Verdict.* What is alive and can no longer change the verdict is dropped; a state in which nothing is alive stops
//!    the walk.
//!
//! # Shape
//! States with one way on are joined to *runs* while they are made, and a state refers for all bytes but its own to the
//! state of its float alone, the *scan*, without consuming the byte. So a node is a run, a branch or a scan ([`Node`]),
//! and the graph is as large as the program, not as the table.

mod budget;
pub(crate) mod determinise;
pub mod drawing;
mod floating;
mod forecast;
pub(crate) mod memory;
pub(crate) mod minimise;
pub(crate) mod parts;
mod pieces;
mod trie;
pub(crate) mod workspace;

use std::ops::Range;

/// A rule as the automaton sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedPattern<'r> {
    /// The normal pattern.
    pub(crate) pattern: &'r [u8],
    /// From 1; the higher wins. In verdict programs the lowest bit is the verdict (1: Allow).
    pub(crate) rank: u32,
}

/// What the automaton is for, which decides what may be dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The verdict of one automaton that holds all rules.
    #[default]
    Verdict,
    /// The highest rank of one part; the parts are compared.
    Part,
    /// The rule that wins.
    DecidingRule,
}

/// Returns a rank that says no more than the verdict of `rank`; 0 stays 0.
const fn verdict_only(rank: u32) -> u32 {
    if rank == 0 { 0 } else { 2 | rank & 1 }
}

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

impl Default for NodeId {
    fn default() -> Self {
        Self::STOP
    }
}

impl NodeId {
    /// No node: the walk stops.
    pub(crate) const STOP: Self = Self(u32::MAX);
}

/// What a node does with the bytes that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing is alive.
    Stop,
    /// The bytes `text` lead to `next`; on any other byte the walk goes to the failure transition, which reads that
    /// byte again.
    Run { text: Range<u32>, next: NodeId },
    /// Each edge's byte leads to its node; any other goes to the failure transition, which reads it again.
    Branch { edges: Range<u32> },
    /// Bytes are skipped until one that has an edge.
    Scan { edges: Range<u32> },
}

/// A node: a state of the automaton, or a run of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The rank that is reached on entering; 0: none.
    pub(crate) accept: u32,
    /// The rank that is reached if the path ends here; 0: none.
    pub(crate) accept_at_end: u32,
    /// Where other bytes go: a scan, or [`NodeId::STOP`].
    pub(crate) failure: NodeId,
    /// What happens next.
    pub(crate) step: Step,
}

/// An automaton. Node 0 is the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automaton {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<(u8, NodeId)>,
    pub(crate) text: Vec<u8>,
}

impl Automaton {
    /// Forgets all nodes, and makes room for others.
    fn begin(&mut self, nodes: usize, text: usize) {
        self.nodes.clear();
        self.edges.clear();
        self.text.clear();
        self.nodes.reserve(nodes);
        self.edges.reserve(nodes);
        self.text.reserve(text);
    }

    /// Returns the bytes of memory held.
    fn held(&self) -> usize {
        memory::held(&self.nodes) + memory::held(&self.edges) + memory::held(&self.text)
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn edges(&self, range: &Range<u32>) -> &[(u8, NodeId)] {
        &self.edges[range.start as usize..range.end as usize]
    }

    pub(crate) fn text(&self, range: &Range<u32>) -> &[u8] {
        &self.text[range.start as usize..range.end as usize]
    }
}
