//! Joining nodes that do the same.
//!
//! Nodes are put into classes by what they reach and read; then classes are split by the classes that their nodes lead
//! to until none splits any more. Only nodes of which some way on has changed its class are looked at again, and of the
//! pieces of a class the largest keeps its name, so that a node changes its class no more often than the logarithm of
//! their number. Runs are compared as they stand: two nodes whose runs are cut in other places are not joined, although
//! they may do the same.

use crate::small_sort::SmallSort as _;

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};
use std::mem::discriminant;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::memory::{held, held_by_table};
use super::{Automaton, Node, NodeId, Step};

/// Joins nodes that do the same, and drops edges that lead where the failure transition leads. What the automaton
/// answers stays the same.
///
/// Cost: nodes and edges, times the square of the logarithm of the nodes: each is looked at a logarithm of times, and
/// sorted with others.
pub(crate) fn minimise(automaton: &mut Automaton, partition: &mut Partition, spare: &mut Automaton) {
    partition.refine(automaton);
    join(automaton, &partition.class_of, spare);
    std::mem::swap(automaton, spare);
}

/// The nodes in classes, each class a range of one list.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    list: Vec<u32>,
    /// Where each node stands in the list.
    place: Vec<u32>,
    class_of: Vec<u32>,
    /// The ranges of the classes, and how many nodes at the front of each are marked.
    classes: Vec<(u32, u32, u32)>,
    /// Classes made in this round, whose nodes do not know it yet: all splits of a round see the classes of the round
    /// before.
    fresh: Vec<u32>,
    /// The hash of a content, and the first node that has it.
    known: HashTable<(u64, u32)>,
    hasher: DefaultHashBuilder,
    sources: Sources,
    /// Scratch: nodes of which some way on may have changed its class, and those that changed their own.
    suspects: Vec<u32>,
    moved: Vec<u32>,
    /// Scratch: the classes of the suspects, and the ranges that one of them is split into.
    touched: Vec<u32>,
    pieces: Vec<(u32, u32)>,
}

impl Partition {
    /// Puts the nodes into classes of those that do the same. Returns the number of times that any node was looked at.
    fn refine(&mut self, automaton: &Automaton) -> usize {
        self.begin(automaton);
        let mut looks = 0;
        while !self.suspects.is_empty() {
            looks += self.suspects.len();
            self.mark();
            self.moved.clear();
            for at in 0..self.touched.len() {
                self.split(automaton, self.touched[at]);
            }
            self.rename();
            self.suspects.clear();
            for &node in &self.moved {
                self.suspects.extend_from_slice(self.sources.of(node));
            }
        }
        looks
    }

    /// Puts the nodes into classes by their content.
    fn begin(&mut self, automaton: &Automaton) {
        let nodes = automaton.nodes.len();
        self.classes_by_content(automaton);
        let mut at = 0;
        for (start, end, _) in &mut self.classes {
            (*start, *end, at) = (at, at, at + *end);
        }
        self.list.clear();
        self.list.resize(nodes, 0);
        self.place.clear();
        for (node, &class) in (0..).zip(&self.class_of) {
            let end = &mut self.classes[class as usize].1;
            self.list[*end as usize] = node;
            self.place.push(*end);
            *end += 1;
        }
        // A node that is alone in its class stays there.
        self.suspects.clear();
        for &(start, end, _) in self.classes.iter().filter(|&&(start, end, _)| end - start > 1) {
            self.suspects.extend_from_slice(&self.list[start as usize..end as usize]);
        }
        self.sources.begin(automaton, &self.suspects);
    }

    /// Numbers the classes by content as they are met, and counts the nodes of each where its range will end.
    fn classes_by_content(&mut self, automaton: &Automaton) {
        let Self { class_of, classes, known, hasher, .. } = self;
        class_of.clear();
        classes.clear();
        known.clear();
        known.reserve(automaton.nodes.len(), |known| known.0);
        for node in 0..automaton.nodes.len() as u32 {
            let content = Content::of(automaton, node);
            let hash = content.hash(hasher);
            let same = |known: &(u64, u32)| known.0 == hash && Content::of(automaton, known.1) == content;
            match known.entry(hash, same, |known| known.0) {
                Entry::Occupied(known) => class_of.push(class_of[known.get().1 as usize]),
                Entry::Vacant(place) => {
                    place.insert((hash, node));
                    class_of.push(classes.len() as u32);
                    classes.push((0, 0, 0));
                }
            }
            classes[class_of[node as usize] as usize].1 += 1;
        }
    }

    /// Moves the suspects to the front of their classes and marks them. Their classes are those touched.
    fn mark(&mut self) {
        self.touched.clear();
        for &node in &self.suspects {
            let class = self.class_of[node as usize];
            let (start, end, marked) = &mut self.classes[class as usize];
            let (from, to) = (self.place[node as usize], *start + *marked);
            let is_marked = from < to;
            if is_marked || *end - *start == 1 {
                continue;
            }
            if *marked == 0 {
                self.touched.push(class);
            }
            *marked += 1;
            let other = self.list[to as usize];
            self.list.swap(from as usize, to as usize);
            self.place[node as usize] = to;
            self.place[other as usize] = from;
        }
    }

    /// Splits a class by what its marked nodes lead to; those that are not marked all lead to the same. Nodes that get
    /// another class are added to `moved`.
    fn split(&mut self, automaton: &Automaton, class: u32) {
        let (start, end, marked) = self.classes[class as usize];
        let order = |a: u32, b: u32| compare(automaton, &self.class_of, a, b);
        // What leads to the same as the nodes that are not marked stays beside them.
        let mut rest = start + marked;
        if rest < end {
            let other = self.list[rest as usize];
            let mut at = start;
            while at < rest {
                if order(self.list[at as usize], other).is_eq() {
                    rest -= 1;
                    self.list.swap(at as usize, rest as usize);
                } else {
                    at += 1;
                }
            }
        }
        let front = &mut self.list[start as usize..rest as usize];
        front.small_sort_unstable_by(|&a, &b| order(a, b));
        self.pieces.clear();
        let mut at = start;
        for piece in front.chunk_by(|&a, &b| order(a, b).is_eq()) {
            self.pieces.push((at, at + piece.len() as u32));
            at += piece.len() as u32;
        }
        if rest < end {
            self.pieces.push((rest, end));
        }
        for at in start..start + marked {
            self.place[self.list[at as usize] as usize] = at;
        }
        let largest = (0..self.pieces.len()).max_by_key(|&piece| self.pieces[piece].1 - self.pieces[piece].0);
        for (piece, &(from, to)) in self.pieces.iter().enumerate() {
            if Some(piece) == largest {
                self.classes[class as usize] = (from, to, 0);
                continue;
            }
            self.fresh.push(self.classes.len() as u32);
            self.classes.push((from, to, 0));
            self.moved.extend_from_slice(&self.list[from as usize..to as usize]);
        }
    }

    /// Writes the fresh classes into their nodes.
    fn rename(&mut self) {
        for class in self.fresh.drain(..) {
            let (start, end, _) = self.classes[class as usize];
            for &node in &self.list[start as usize..end as usize] {
                self.class_of[node as usize] = class;
            }
        }
    }

    /// Returns the bytes of memory held.
    pub(super) fn held(&self) -> usize {
        let numbers =
            [&self.list, &self.place, &self.class_of, &self.fresh, &self.suspects, &self.moved, &self.touched];
        let numbers = numbers.into_iter().chain([&self.sources.list, &self.sources.starts]).map(held).sum::<usize>();
        let known = held_by_table::<(u64, u32)>(self.known.capacity());
        numbers + held(&self.classes) + held(&self.pieces) + known
    }
}

/// Compares the classes that two nodes of one class lead to.
fn compare(automaton: &Automaton, class_of: &[u32], a: u32, b: u32) -> Ordering {
    let (a, b) = (&automaton.nodes[a as usize], &automaton.nodes[b as usize]);
    let class = |to: NodeId| if to == NodeId::STOP { u32::MAX } else { class_of[to.0 as usize] };
    class(a.failure).cmp(&class(b.failure)).then_with(|| match (&a.step, &b.step) {
        (Step::Run { next: a, .. }, Step::Run { next: b, .. }) => class(*a).cmp(&class(*b)),
        (Step::Branch { edges: a } | Step::Scan { edges: a }, Step::Branch { edges: b } | Step::Scan { edges: b }) => {
            let classes = |edges| automaton.edges(edges).iter().map(|edge| class(edge.1));
            classes(a).cmp(classes(b))
        }
        _ => Ordering::Equal,
    })
}

/// The nodes that lead to each node, of some nodes.
#[derive(Debug, Default)]
struct Sources {
    list: Vec<u32>,
    /// Where the nodes that lead to each begin; those that lead to node `n` end where those of `n + 1` begin.
    starts: Vec<u32>,
}

impl Sources {
    fn begin(&mut self, automaton: &Automaton, some: &[u32]) {
        let edges = || some.iter().flat_map(|&node| ways(automaton, node).map(move |to| (node, to.0 as usize)));
        let nodes = automaton.nodes.len();
        self.starts.clear();
        self.starts.resize(nodes + 1, 0);
        edges().for_each(|(_, to)| self.starts[to] += 1);
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.list.clear();
        self.list.resize(end as usize, 0);
        // From the ends down.
        for (from, to) in edges() {
            self.starts[to] -= 1;
            self.list[self.starts[to] as usize] = from;
        }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.list[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// What a node is without regard to where it leads: what it reaches, its kind, its run, the bytes of its edges.
struct Content<'a> {
    node: &'a Node,
    text: &'a [u8],
    edges: &'a [(u8, NodeId)],
}

impl<'a> Content<'a> {
    fn of(automaton: &'a Automaton, node: u32) -> Self {
        let node = automaton.node(NodeId(node));
        // Empty, but part of the text: to compare what points nowhere takes a hundred times as long.
        let none = &automaton.text[..0];
        let (text, edges): (_, &[_]) = match &node.step {
            Step::Stop => (none, &[]),
            Step::Run { text, .. } => (automaton.text(text), &[]),
            Step::Branch { edges } | Step::Scan { edges } => (none, automaton.edges(edges)),
        };
        Self { node, text, edges }
    }

    fn hash(&self, hasher: &DefaultHashBuilder) -> u64 {
        let mut hash = hasher.build_hasher();
        let kind = discriminant(&self.node.step);
        (self.node.accept, self.node.accept_at_end, kind, self.text, self.edges.len()).hash(&mut hash);
        self.edges.iter().for_each(|edge| hash.write_u8(edge.0));
        hash.finish()
    }
}

impl PartialEq for Content<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.node.accept, self.node.accept_at_end) == (other.node.accept, other.node.accept_at_end)
            && discriminant(&self.node.step) == discriminant(&other.node.step)
            && self.text == other.text
            && self.edges.iter().map(|edge| edge.0).eq(other.edges.iter().map(|edge| edge.0))
    }
}

/// Returns the nodes that a node leads to.
fn ways(automaton: &Automaton, node: u32) -> impl Iterator<Item = NodeId> {
    let node = automaton.node(NodeId(node));
    let (next, edges): (_, &[_]) = match &node.step {
        Step::Stop => (NodeId::STOP, &[]),
        Step::Run { next, .. } => (*next, &[]),
        Step::Branch { edges } | Step::Scan { edges } => (NodeId::STOP, automaton.edges(edges)),
    };
    let ways = [node.failure, next].into_iter().chain(edges.iter().map(|edge| edge.1));
    ways.filter(|&to| to != NodeId::STOP)
}

/// Writes into `small` one node for each class that can be reached, numbered as a walk from the start finds them.
fn join(automaton: &Automaton, class_of: &[u32], small: &mut Automaton) {
    small.begin(automaton.nodes.len(), automaton.text.len());
    let mut number = vec![u32::MAX; class_of.len()];
    let mut found: Vec<usize> = Vec::new();
    let mut place = |to: NodeId, found: &mut Vec<usize>| {
        if to == NodeId::STOP {
            return to;
        }
        let number = &mut number[class_of[to.0 as usize] as usize];
        if *number == u32::MAX {
            *number = found.len() as u32;
            found.push(to.0 as usize);
        }
        NodeId(*number)
    };
    place(NodeId(0), &mut found);
    let mut done = 0;
    while done < found.len() {
        let node = &automaton.nodes[found[done]];
        let failure = place(node.failure, &mut found);
        let step = match &node.step {
            Step::Stop => Step::Stop,
            Step::Run { text, next } => {
                let start = small.text.len() as u32;
                small.text.extend_from_slice(automaton.text(text));
                Step::Run { text: start..small.text.len() as u32, next: place(*next, &mut found) }
            }
            Step::Branch { edges } | Step::Scan { edges } => {
                let start = small.edges.len() as u32;
                for &(byte, to) in automaton.edges(edges) {
                    if is_needed(automaton, node, byte, to, class_of) {
                        small.edges.push((byte, place(to, &mut found)));
                    }
                }
                let edges = start..small.edges.len() as u32;
                match node.step {
                    Step::Scan { .. } => Step::Scan { edges },
                    _ if edges.is_empty() && failure == NodeId::STOP => Step::Stop,
                    _ => Step::Branch { edges },
                }
            }
        };
        small.nodes.push(Node { accept: node.accept, accept_at_end: node.accept_at_end, failure, step });
        done += 1;
    }
}

/// Reports whether a branch needs an edge: not where its failure transition would lead to the same.
fn is_needed(automaton: &Automaton, node: &Node, byte: u8, to: NodeId, class_of: &[u32]) -> bool {
    let Step::Branch { .. } = node.step else { return true };
    if node.failure == NodeId::STOP {
        return to != NodeId::STOP;
    }
    let Step::Scan { edges } = &automaton.node(node.failure).step else { return true };
    let edges = automaton.edges(edges);
    // A scan stays where it is on a byte without an edge.
    let otherwise = edges.binary_search_by_key(&byte, |edge| edge.0).map_or(node.failure, |found| edges[found].1);
    match (to, otherwise) {
        (NodeId::STOP, NodeId::STOP) => false,
        (NodeId::STOP, _) | (_, NodeId::STOP) => true,
        _ => class_of[to.0 as usize] != class_of[otherwise.0 as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(accept: u32, step: Step) -> Node {
        Node { accept, accept_at_end: 0, failure: NodeId::STOP, step }
    }

    /// In each round all nodes of the first half but one change their class. If the larger piece of a class did not
    /// keep its name, refining would look at each of them in each round.
    #[test]
    fn chains_that_change_at_half_their_length_take_no_more_looks_than_others() {
        let half = 2_000;
        let mut chain = Automaton::default();
        chain.nodes.extend([node(2, Step::Stop), node(4, Step::Stop)]);
        for place in 0..2 * half + 1 {
            let start = chain.edges.len() as u32;
            let next = if place == 2 * half { NodeId(1) } else { NodeId(place + 3) };
            chain.edges.extend([(b'a', next), (b'b', NodeId(u32::from(place >= half)))]);
            chain.nodes.push(node(0, Step::Branch { edges: start..start + 2 }));
        }
        // The start leads to the chain.
        chain.nodes.swap(0, 2);
        for edge in &mut chain.edges {
            edge.1 = match edge.1 {
                NodeId(0) => NodeId(2),
                other => other,
            };
        }
        let nodes = chain.nodes.len();
        let looks = Partition::default().refine(&chain);
        let bound = chain.edges.len() * nodes.ilog2() as usize;
        assert!(looks <= bound, "{looks} looks at {nodes} nodes, expected at most {bound}");
        minimise(&mut chain, &mut Partition::default(), &mut Automaton::default());
        assert_eq!(chain.nodes.len(), nodes);
    }
}
