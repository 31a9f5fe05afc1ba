//! Texts that are looked for, as nodes and ways from node to node.
//!
//! Three nodes are heads: the path's start, anywhere in it without a `?` before, and anywhere after a `?`. Case is not
//! looked at, which lets more through and makes the automaton smaller.

use std::collections::BTreeMap;

/// A set of bytes.
pub(super) type Bytes = [u64; 4];

pub(super) const fn holds(bytes: &Bytes, byte: u8) -> bool {
    bytes[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
}

const fn insert(bytes: &mut Bytes, byte: u8) {
    bytes[(byte >> 6) as usize] |= 1 << (byte & 63);
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Nodes that are reached with it.
    pub(super) with: Vec<usize>,
    /// Nodes that are reached with it at the path's end.
    pub(super) at_end: Vec<usize>,
    /// The node after some bytes.
    edges: BTreeMap<Bytes, usize>,
    /// The heads after some bytes.
    heads: Vec<(Bytes, usize)>,
    /// What is seen where it is reached.
    pub(super) note: u128,
}

impl Node {
    pub(super) fn ways(&self) -> impl Iterator<Item = (&Bytes, usize)> {
        let heads = self.heads.iter().map(|(bytes, to)| (bytes, *to));
        heads.chain(self.edges.iter().map(|(bytes, to)| (bytes, *to)))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
}

/// The path's start.
pub(super) const START: usize = 0;
/// After anything without a `?`.
pub(super) const PATH: usize = 1;
/// After anything with a `?`.
pub(super) const QUERY: usize = 2;
/// The most nodes.
const NODES: usize = 1 << 15;

impl Graph {
    pub(super) fn new() -> Self {
        let mut graph = Self { nodes: vec![Node::default(); 3] };
        let mut question_mark = [0; 4];
        insert(&mut question_mark, b'?');
        graph.nodes[START].with.push(PATH);
        graph.nodes[PATH].heads = vec![(question_mark.map(|bytes: u64| !bytes), PATH), (question_mark, QUERY)];
        graph.nodes[QUERY].heads = vec![([u64::MAX; 4], QUERY)];
        graph
    }

    /// A node more; `None` where there are too many.
    fn node(&mut self) -> Option<usize> {
        self.nodes.push(Node::default());
        (self.nodes.len() <= NODES).then(|| self.nodes.len() - 1)
    }

    /// The node after one of some bytes, in either case.
    pub(super) fn step(&mut self, from: usize, bytes: impl Iterator<Item = u8>) -> Option<usize> {
        let mut set = [0; 4];
        for byte in bytes {
            for byte in [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()] {
                insert(&mut set, byte);
            }
        }
        // What starts alike shares nodes: such a node is what was read since the node before.
        if let Some(to) = self.nodes[from].edges.get(&set) {
            return Some(*to);
        }
        let to = self.node()?;
        self.nodes[from].edges.insert(set, to);
        Some(to)
    }

    /// The node after the path's end.
    pub(super) fn end(&mut self, from: usize) -> Option<usize> {
        if let [to] = *self.nodes[from].at_end {
            return Some(to);
        }
        let to = self.node()?;
        self.nodes[from].at_end.push(to);
        Some(to)
    }

    /// The node that is reached with any of some.
    pub(super) fn join(&mut self, nodes: &[usize]) -> Option<usize> {
        if let [node] = *nodes {
            return Some(node);
        }
        let join = self.node()?;
        nodes.iter().for_each(|node| self.nodes[*node].with.push(join));
        Some(join)
    }

    /// Leaves out what leads to no note.
    pub(super) fn prune(&mut self) {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (from, node) in self.nodes.iter().enumerate() {
            let to = node.edges.values().chain(&node.with).chain(&node.at_end);
            to.for_each(|to| before[*to].push(from));
        }
        let mut is_kept = vec![false; self.nodes.len()];
        let mut waiting: Vec<usize> = (0..self.nodes.len()).filter(|node| self.nodes[*node].note != 0).collect();
        waiting.extend([START, PATH, QUERY]);
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut is_kept[node], true) {
                waiting.extend_from_slice(&before[node]);
            }
        }
        for node in &mut self.nodes {
            node.edges.retain(|_, to| is_kept[*to]);
            node.with.retain(|to| is_kept[*to]);
            node.at_end.retain(|to| is_kept[*to]);
        }
    }
}
