//! The automaton of a rule set as a plain graph, for code generators.

use robotsc_runtime::{Rank, Verdict};

use crate::automaton::{Automaton, NodeId, Step};

/// An automaton. Node 0 is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<GraphNode>,
}

/// A node: a state of the automaton, or a run of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// What is reached on entering.
    pub on_entry: Option<Reached>,
    /// What is reached if the path ends here.
    pub at_end: Option<Reached>,
    /// The scan that bytes without a way on go to, which reads them again; `None`: the walk ends.
    pub failure: Option<u32>,
    /// What happens next.
    pub step: GraphStep,
}

/// What is reached: in a graph of verdicts the one that is reached last is the answer, in one of rules the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A verdict.
    Verdict(Verdict),
    /// A rule: its place in the set, counted from the last, from 1.
    Rule(u32),
}

/// What a node does with the bytes that follow. A node that is `None` ends the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphStep {
    /// Nothing.
    Stop,
    /// The bytes of `text` lead to `next`; the first that differs goes to the failure transition.
    Run {
        /// Not empty.
        text: Vec<u8>,
        /// Where they lead.
        next: Option<u32>,
    },
    /// Each byte leads to its node; any other goes to the failure transition.
    Branch(Vec<(u8, Option<u32>)>),
    /// Bytes are skipped until one that leads to a node.
    Scan(Vec<(u8, Option<u32>)>),
}

impl Graph {
    pub(crate) fn of(automaton: &Automaton, verdicts: bool) -> Self {
        let place = |id: NodeId| (id != NodeId::STOP).then_some(id.0);
        let edges = |range| automaton.edges(range).iter().map(|&(byte, to)| (byte, place(to))).collect();
        let reached = |rank: u32| match rank {
            0 => None,
            rank if verdicts => Some(Reached::Verdict(if rank & 1 == 1 { Verdict::Allow } else { Verdict::Disallow })),
            rank => Some(Reached::Rule(Rank(rank).number())),
        };
        let nodes = automaton.nodes.iter().map(|node| GraphNode {
            on_entry: reached(node.accept),
            at_end: reached(node.accept_at_end),
            failure: place(node.failure),
            step: match &node.step {
                Step::Stop => GraphStep::Stop,
                Step::Run { text, next } => GraphStep::Run { text: automaton.text(text).to_vec(), next: place(*next) },
                Step::Branch { edges: range } => GraphStep::Branch(edges(range)),
                Step::Scan { edges: range } => GraphStep::Scan(edges(range)),
            },
        });
        Self { nodes: nodes.collect() }
    }
}
