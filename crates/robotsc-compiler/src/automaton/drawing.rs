//! The automaton as a graph that can be drawn.
//!
//! A literal run is one edge, also after a branch that leads into it. A failure edge is taken on any byte that no other
//! edge of the node accepts, also inside an edge that starts there; a scan skips bytes and is its own failure
//! transition.

use std::ops::Range;

use super::{Automaton, Node, NodeId, Step};

/// A compiled rule set as graphs, one for each part. Where it is drawn, and how, is up to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drawing {
    /// The parts; each begins at its node 0.
    pub parts: Vec<DrawnPart>,
    /// The number of rules that no automaton holds, because it would be too large: they are matched linearly.
    pub linear_rules: usize,
}

/// A graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawnPart {
    /// The nodes; their numbers ascend, and some are missing.
    pub nodes: Vec<DrawnNode>,
    /// The edges.
    pub edges: Vec<DrawnEdge>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawnNode {
    /// Its number.
    pub number: u32,
    /// Whether it skips bytes until one of its edges matches.
    pub is_scan: bool,
    /// The rule that matches here, by its index in the rule set.
    pub rule: Option<usize>,
    /// The rule that matches if the path ends here.
    pub rule_at_end: Option<usize>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawnEdge {
    /// The number of the node that it leaves.
    pub from: u32,
    /// The number of the node that it reaches; `None` if nothing more can match.
    pub to: Option<u32>,
    /// When it is taken.
    pub label: EdgeLabel,
}

/// When an edge is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeLabel {
    /// On these bytes, one after another.
    Run(Vec<u8>),
    /// On any of the first bytes, and then on the others, one after another.
    AnyOf(Vec<u8>, Vec<u8>),
    /// On any byte that no other edge accepts; it takes none.
    Failure,
}

impl Drawing {
    /// Returns the number of edges, and so how large the picture is.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.parts.iter().map(|part| part.edges.len()).sum()
    }
}

/// Draws the parts. `rule` returns the index of the rule that a rank stands for.
pub(crate) fn draw(parts: &[Automaton], linear_rules: usize, rule: impl Fn(u32) -> Option<usize>) -> Drawing {
    let draw = |part| Picture { part, inbound: inbound(part), drawn: DrawnPart::default() }.draw(&rule);
    Drawing { parts: parts.iter().map(draw).collect(), linear_rules }
}

struct Picture<'a> {
    part: &'a Automaton,
    /// How many edges lead to each node, and from where the last of them comes.
    inbound: Vec<(u32, NodeId)>,
    drawn: DrawnPart,
}

impl Picture<'_> {
    fn draw(mut self, rule: &impl Fn(u32) -> Option<usize>) -> DrawnPart {
        for (id, node) in (0..).map(NodeId).zip(&self.part.nodes) {
            if id.0 > 0 && self.is_inside_an_edge(id) {
                continue;
            }
            self.node(id, node, rule);
            match &node.step {
                Step::Stop => {}
                Step::Run { text, next } => {
                    self.edge(id, EdgeLabel::Run(self.part.text(text).to_vec()), *next);
                }
                Step::Branch { edges } | Step::Scan { edges } => self.edges(id, edges),
            }
            if node.failure != NodeId::STOP {
                let to = Some(node.failure.0);
                self.drawn.edges.push(DrawnEdge { from: id.0, to, label: EdgeLabel::Failure });
            }
        }
        self.drawn
    }

    fn node(&mut self, id: NodeId, node: &Node, rule: &impl Fn(u32) -> Option<usize>) {
        let matched = |rank: u32| if rank == 0 { None } else { rule(rank) };
        self.drawn.nodes.push(DrawnNode {
            number: id.0,
            is_scan: matches!(node.step, Step::Scan { .. }),
            rule: matched(node.accept),
            rule_at_end: matched(node.accept_at_end),
        });
    }

    fn edges(&mut self, from: NodeId, edges: &Range<u32>) {
        let mut by_target: Vec<(NodeId, Vec<u8>)> = Vec::new();
        for &(byte, to) in self.part.edges(edges) {
            match by_target.iter_mut().find(|(known, _)| *known == to) {
                Some((_, bytes)) => bytes.push(byte),
                None => by_target.push((to, vec![byte])),
            }
        }
        for (to, bytes) in by_target {
            let label = match bytes.as_slice() {
                [_] => EdgeLabel::Run(bytes),
                _ => EdgeLabel::AnyOf(bytes, Vec::new()),
            };
            self.edge(from, label, to);
        }
    }

    /// Adds an edge, with the runs that follow it.
    fn edge(&mut self, from: NodeId, mut label: EdgeLabel, mut to: NodeId) {
        while to != NodeId::STOP && self.is_inside_an_edge(to) {
            let Step::Run { text, next } = &self.part.node(to).step else { break };
            if let EdgeLabel::Run(run) | EdgeLabel::AnyOf(_, run) = &mut label {
                run.extend_from_slice(self.part.text(text));
            }
            to = *next;
        }
        let to = (to != NodeId::STOP).then_some(to.0);
        self.drawn.edges.push(DrawnEdge { from: from.0, to, label });
    }

    /// Reports whether a node is a run that only one edge leads to, without a match and with the failure transition of
    /// that edge, so that it is drawn as a part of it.
    fn is_inside_an_edge(&self, id: NodeId) -> bool {
        let node = self.part.node(id);
        let (count, source) = self.inbound[id.0 as usize];
        matches!(node.step, Step::Run { .. })
            && count == 1
            && node.accept == 0
            && node.accept_at_end == 0
            && (node.failure == NodeId::STOP
                || node.failure == source
                || source != NodeId::STOP && node.failure == self.part.node(source).failure)
    }
}

fn inbound(part: &Automaton) -> Vec<(u32, NodeId)> {
    let mut inbound = vec![(0, NodeId::STOP); part.nodes.len()];
    let mut count = |from: NodeId, to: NodeId| {
        if to != NodeId::STOP {
            let (count, source) = &mut inbound[to.0 as usize];
            *count += 1;
            *source = from;
        }
    };
    count(NodeId::STOP, NodeId(0));
    for (id, node) in (0..).map(NodeId).zip(&part.nodes) {
        count(id, node.failure);
        match &node.step {
            Step::Stop => {}
            Step::Run { next, .. } => count(id, *next),
            Step::Branch { edges } | Step::Scan { edges } => {
                part.edges(edges).iter().for_each(|&(_, to)| count(id, to));
            }
        }
    }
    inbound
}
