//! Joining nodes that do the same.
//!
//! Nodes are put into classes by what they reach and read; then classes are split by the classes that their nodes lead
//! to until none splits any more. Only nodes of which some way on has changed its class are looked at again, and of the
//! pieces of a class the largest keeps its name, so that a node changes its class no more often than the logarithm of
//! their number. Runs are compared as they stand: two nodes whose runs are cut in other places are not joined, although
//! they may do the same.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Automaton, Node, NodeId, Step};

/// Joins nodes that do the same, and drops edges that lead where the failure transition leads. What the automaton
/// answers stays the same.
///
/// Cost: nodes and edges, times the square of the logarithm of the nodes: each is looked at a logarithm of times, and
/// sorted with others.
pub(crate) fn minimise(automaton: &mut Automaton) {
    let (partition, _) = refine(automaton);
    *automaton = joined(automaton, &partition.class_of);
}

/// Returns the nodes in classes of those that do the same, and the number of times that any node was looked at.
fn refine(automaton: &Automaton) -> (Partition, usize) {
    let mut looks = 0;
    let mut partition = Partition::new(by_content(automaton));
    let sources = Sources::new(automaton);
    let mut moved: Vec<u32> = (0..automaton.nodes.len() as u32).collect();
    while !moved.is_empty() {
        looks += moved.len();
        let touched = partition.mark(&moved);
        moved.clear();
        for class in touched {
            partition.split(automaton, class, &mut moved);
        }
        let changed = std::mem::take(&mut moved);
        moved = changed.iter().flat_map(|&node| sources.of(node)).copied().collect();
        moved.sort_unstable();
        moved.dedup();
        partition.rename();
    }
    (partition, looks)
}

/// The nodes in classes, each class a range of one list.
struct Partition {
    list: Vec<u32>,
    /// Where each node stands in the list.
    place: Vec<u32>,
    class_of: Vec<u32>,
    /// The ranges of the classes, and how many nodes at the front of each are marked.
    classes: Vec<(u32, u32, u32)>,
    /// Classes made in this round, whose nodes do not know it yet: all splits of a round see the classes of the round
    /// before.
    fresh: Vec<u32>,
}

impl Partition {
    /// Makes a partition from the class of each node and the number of classes.
    fn new((class_of, count): (Vec<u32>, usize)) -> Self {
        let mut classes = vec![(0, 0, 0); count];
        class_of.iter().for_each(|&class| classes[class as usize].1 += 1);
        let mut at = 0;
        for (start, end, _) in &mut classes {
            (*start, *end, at) = (at, at, at + *end);
        }
        let mut list = vec![0; class_of.len()];
        let place = (0..).zip(&class_of).map(|(node, &class)| {
            let end = &mut classes[class as usize].1;
            list[*end as usize] = node;
            *end += 1;
            *end - 1
        });
        Self { place: place.collect(), list, class_of, classes, fresh: Vec::new() }
    }

    /// Moves nodes to the front of their classes and marks them. The classes touched.
    fn mark(&mut self, nodes: &[u32]) -> Vec<u32> {
        let mut touched = Vec::new();
        for &node in nodes {
            let class = self.class_of[node as usize];
            let (start, end, marked) = &mut self.classes[class as usize];
            if *end - *start == 1 {
                continue;
            }
            if *marked == 0 {
                touched.push(class);
            }
            let (from, to) = (self.place[node as usize], *start + *marked);
            *marked += 1;
            let other = self.list[to as usize];
            self.list.swap(from as usize, to as usize);
            self.place[node as usize] = to;
            self.place[other as usize] = from;
        }
        touched
    }

    /// Splits a class by what its marked nodes lead to; those that are not marked all lead to the same. Nodes that get
    /// another class are added to `moved`.
    fn split(&mut self, automaton: &Automaton, class: u32, moved: &mut Vec<u32>) {
        let (start, end, marked) = self.classes[class as usize];
        self.classes[class as usize].2 = 0;
        let class_of = &self.class_of;
        let way = |to: NodeId| if to == NodeId::STOP { u32::MAX } else { class_of[to.0 as usize] };
        let leads = |node: u32| ways(automaton, node as usize).map(way);
        let range = start as usize..(start + marked) as usize;
        let front = &mut self.list[range.clone()];
        front.sort_by(|&a, &b| leads(a).cmp(leads(b)).then(a.cmp(&b)));
        let pieces: Vec<(u32, u32)> = {
            let mut at = start;
            let runs = front.chunk_by(|&a, &b| leads(a).eq(leads(b)));
            runs.map(|run| {
                (at, {
                    at += run.len() as u32;
                    at
                })
            })
            .collect()
        };
        // What leads to the same as the nodes that are not marked is brought to the end of the front, beside them.
        let rest = (start + marked < end).then(|| self.list[end as usize - 1]);
        let twin =
            rest.and_then(|rest| pieces.iter().position(|&(from, _)| leads(self.list[from as usize]).eq(leads(rest))));
        if let Some((from, to)) = twin.map(|twin| pieces[twin]) {
            self.list[range.clone()][(from - start) as usize..].rotate_left((to - from) as usize);
        }
        for at in range {
            self.place[self.list[at] as usize] = at as u32;
        }
        let mut at = start;
        let mut groups = Vec::with_capacity(pieces.len() + 1);
        for (_, &(from, to)) in pieces.iter().enumerate().filter(|&(piece, _)| Some(piece) != twin) {
            groups.push((at, at + to - from));
            at += to - from;
        }
        if at < end {
            groups.push((at, end));
        }
        let largest = (0..groups.len()).max_by_key(|&group| groups[group].1 - groups[group].0);
        for (group, &(from, to)) in groups.iter().enumerate() {
            if Some(group) == largest {
                self.classes[class as usize] = (from, to, 0);
                continue;
            }
            self.fresh.push(self.classes.len() as u32);
            self.classes.push((from, to, 0));
            moved.extend_from_slice(&self.list[from as usize..to as usize]);
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
}

/// The nodes that lead to each node.
struct Sources {
    list: Vec<u32>,
    starts: Vec<u32>,
}

impl Sources {
    fn new(automaton: &Automaton) -> Self {
        let nodes = automaton.nodes.len();
        let edges = || {
            (0..nodes).flat_map(|node| {
                ways(automaton, node).filter(|&to| to != NodeId::STOP).map(move |to| (node as u32, to.0 as usize))
            })
        };
        let mut starts = vec![0; nodes + 1];
        edges().for_each(|(_, to)| starts[to + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[nodes] as usize];
        for (from, to) in edges() {
            list[next[to] as usize] = from;
            next[to] += 1;
        }
        Self { list, starts }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.list[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// What a node is without regard to where it leads: what it reaches, its kind, its run, the bytes of its edges.
type Content<'a> = (u32, u32, u8, &'a [u8], &'a [(u8, NodeId)], bool);

fn content<'a>(automaton: &'a Automaton, node: &'a Node) -> Content<'a> {
    let (kind, text, edges): (u8, &[u8], &[(u8, NodeId)]) = match &node.step {
        Step::Stop => (0, &[], &[]),
        Step::Run { text, .. } => (1, automaton.text(text), &[]),
        Step::Branch { edges } => (2, &[], automaton.edges(edges)),
        Step::Scan { edges } => (3, &[], automaton.edges(edges)),
    };
    (node.accept, node.accept_at_end, kind, text, edges, node.failure == NodeId::STOP)
}

/// Returns the class of each node by its content, numbered as they are met, and the number of classes.
fn by_content(automaton: &Automaton) -> (Vec<u32>, usize) {
    let hasher = DefaultHashBuilder::default();
    let of = |node: usize| content(automaton, &automaton.nodes[node]);
    let hash = |node: usize| {
        let (accept, at_end, kind, text, edges, stops) = of(node);
        let mut hash = hasher.build_hasher();
        (accept, at_end, kind, text, edges.len(), stops).hash(&mut hash);
        edges.iter().for_each(|edge| hash.write_u8(edge.0));
        hash.finish()
    };
    let same = |a: usize, b: usize| {
        let (a, b) = (of(a), of(b));
        (a.0, a.1, a.2, a.3, a.5) == (b.0, b.1, b.2, b.3, b.5)
            && a.4.iter().map(|edge| edge.0).eq(b.4.iter().map(|edge| edge.0))
    };
    // The class and one of its nodes.
    let mut known: HashTable<(u32, u32)> = HashTable::with_capacity(automaton.nodes.len());
    let class_of = (0..automaton.nodes.len()).map(|node| {
        let count = known.len() as u32;
        let entry = known.entry(hash(node), |class| same(node, class.1 as usize), |class| hash(class.1 as usize));
        entry.or_insert((count, node as u32)).get().0
    });
    (class_of.collect(), known.len())
}

/// Returns the nodes that a node leads to: its failure transition, then its run's next or its edges'.
fn ways<'a>(automaton: &'a Automaton, node: usize) -> impl Iterator<Item = NodeId> + 'a {
    let node = &automaton.nodes[node];
    let (next, edges) = match &node.step {
        Step::Stop => (None, None),
        Step::Run { next, .. } => (Some(*next), None),
        Step::Branch { edges } | Step::Scan { edges } => (None, Some(automaton.edges(edges))),
    };
    std::iter::once(node.failure).chain(next).chain(edges.into_iter().flatten().map(|edge| edge.1))
}

/// One node for each class that can be reached, numbered as a walk from the start finds them.
fn joined(automaton: &Automaton, class_of: &[u32]) -> Automaton {
    let mut small = Automaton::default();
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
    small
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
        let (_, looks) = refine(&chain);
        let bound = chain.edges.len() * nodes.ilog2() as usize;
        assert!(looks <= bound, "{looks} looks at {nodes} nodes, expected at most {bound}");
        minimise(&mut chain);
        assert_eq!(chain.nodes.len(), nodes);
    }
}
