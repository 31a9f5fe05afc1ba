//! Joining nodes that do the same.
//!
//! Nodes are put into classes by what they reach and read; then classes are split by the classes that their nodes lead to until none splits any more (Moore's
//! algorithm over the sparse form). Runs are compared as they stand: two nodes whose runs are cut in other places are not joined, although they may do the same.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Automaton, Node, NodeId, Step};

/// Joins nodes that do the same, and drops edges that lead where the fallback leads. What the automaton answers stays the same.
///
/// Cost: nodes and edges, times the longest way that tells two nodes apart, counted in nodes.
pub(crate) fn minimise(automaton: &mut Automaton) {
    let mut classes = by_content(automaton);
    let mut count = classes.count;
    loop {
        classes = split(automaton, &classes);
        if classes.count == count {
            break;
        }
        count = classes.count;
    }
    *automaton = joined(automaton, &classes.of);
}

struct Classes {
    of: Vec<u32>,
    count: u32,
}

/// Gives each node a class, such that nodes share one where `same` says so of them; `hash` must agree with it.
fn classify(nodes: usize, hash: impl Fn(usize) -> u64, same: impl Fn(usize, usize) -> bool) -> Classes {
    let mut known: HashTable<(u32, u32)> = HashTable::with_capacity(nodes);
    let mut of = Vec::with_capacity(nodes);
    for node in 0..nodes {
        let count = known.len() as u32;
        let entry =
            known.entry(hash(node), |&(_, other)| same(node, other as usize), |&(_, other)| hash(other as usize));
        of.push(match entry {
            Entry::Occupied(entry) => entry.get().0,
            Entry::Vacant(entry) => {
                entry.insert((count, node as u32));
                count
            }
        });
    }
    Classes { count: known.len() as u32, of }
}

/// What a node is without regard to where it leads: what it reaches, its kind, its run, the octets of its edges.
type Content<'a> = (u32, u32, u8, &'a [u8], &'a [(u8, NodeId)], bool);

fn content<'a>(automaton: &'a Automaton, node: &'a Node) -> Content<'a> {
    let (kind, text, edges): (u8, &[u8], &[(u8, NodeId)]) = match &node.step {
        Step::Stop => (0, &[], &[]),
        Step::Run { text, .. } => (1, automaton.text(text), &[]),
        Step::Branch { edges } => (2, &[], automaton.edges(edges)),
        Step::Scan { edges } => (3, &[], automaton.edges(edges)),
    };
    (node.accept, node.accept_at_end, kind, text, edges, node.fallback == NodeId::STOP)
}

fn by_content(automaton: &Automaton) -> Classes {
    let hasher = DefaultHashBuilder::default();
    let of = |node: usize| content(automaton, &automaton.nodes[node]);
    classify(
        automaton.nodes.len(),
        |node| {
            let (accept, at_end, kind, text, edges, stops) = of(node);
            let mut hash = hasher.hash_one((accept, at_end, kind, text, edges.len(), stops));
            for (octet, _) in edges {
                hash = hash.rotate_left(9) ^ u64::from(*octet);
            }
            hash
        },
        |a, b| {
            let (a, b) = (of(a), of(b));
            (a.0, a.1, a.2, a.3, a.5) == (b.0, b.1, b.2, b.3, b.5)
                && a.4.len() == b.4.len()
                && a.4.iter().zip(b.4).all(|(a, b)| a.0 == b.0)
        },
    )
}

/// The nodes that a node leads to: its fallback, then its run's next or its edges'.
fn ways<'a>(automaton: &'a Automaton, node: usize) -> impl Iterator<Item = NodeId> + 'a {
    let node = &automaton.nodes[node];
    let (next, edges) = match &node.step {
        Step::Stop => (None, None),
        Step::Run { next, .. } => (Some(*next), None),
        Step::Branch { edges } | Step::Scan { edges } => (None, Some(automaton.edges(edges))),
    };
    std::iter::once(node.fallback).chain(next).chain(edges.into_iter().flatten().map(|edge| edge.1))
}

fn split(automaton: &Automaton, classes: &Classes) -> Classes {
    let hasher = DefaultHashBuilder::default();
    let class = |to: NodeId| if to == NodeId::STOP { u32::MAX } else { classes.of[to.0 as usize] };
    let hashes: Vec<u64> = (0..automaton.nodes.len())
        .map(|node| {
            ways(automaton, node).fold(u64::from(classes.of[node]), |hash, to| hasher.hash_one((hash, class(to))))
        })
        .collect();
    classify(
        automaton.nodes.len(),
        |node| hashes[node],
        |a, b| classes.of[a] == classes.of[b] && ways(automaton, a).map(class).eq(ways(automaton, b).map(class)),
    )
}

/// One node for each class that can be reached, numbered as a walk from the start finds them.
fn joined(automaton: &Automaton, class_of: &[u32]) -> Automaton {
    let mut small = Automaton::default();
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
        let fallback = place(node.fallback, &mut found);
        let step = match &node.step {
            Step::Stop => Step::Stop,
            Step::Run { text, next } => {
                let start = small.text.len() as u32;
                small.text.extend_from_slice(automaton.text(text));
                Step::Run { text: start..small.text.len() as u32, next: place(*next, &mut found) }
            }
            Step::Branch { edges } | Step::Scan { edges } => {
                let start = small.edges.len() as u32;
                for &(octet, to) in automaton.edges(edges) {
                    if is_needed(automaton, node, octet, to, class_of) {
                        small.edges.push((octet, place(to, &mut found)));
                    }
                }
                let edges = start..small.edges.len() as u32;
                match node.step {
                    Step::Scan { .. } => Step::Scan { edges },
                    _ if edges.is_empty() && fallback == NodeId::STOP => Step::Stop,
                    _ => Step::Branch { edges },
                }
            }
        };
        small.nodes.push(Node { accept: node.accept, accept_at_end: node.accept_at_end, fallback, step });
        done += 1;
    }
    small
}

/// Whether a branch needs an edge: not where its fallback would lead to the same.
fn is_needed(automaton: &Automaton, node: &Node, octet: u8, to: NodeId, class_of: &[u32]) -> bool {
    let Step::Branch { .. } = node.step else { return true };
    if node.fallback == NodeId::STOP {
        return to != NodeId::STOP;
    }
    let Step::Scan { edges } = &automaton.node(node.fallback).step else { return true };
    let edges = automaton.edges(edges);
    // A scan stays where it is on an octet without an edge.
    let otherwise = edges.binary_search_by_key(&octet, |edge| edge.0).map_or(node.fallback, |found| edges[found].1);
    match (to, otherwise) {
        (NodeId::STOP, NodeId::STOP) => false,
        (NodeId::STOP, _) | (_, NodeId::STOP) => true,
        _ => class_of[to.0 as usize] != class_of[otherwise.0 as usize],
    }
}
