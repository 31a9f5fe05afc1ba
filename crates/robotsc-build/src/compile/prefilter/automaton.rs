//! One automaton for many factors: which of them have been seen is noted on the way, and forgotten by the automaton.
//!
//! Since it forgets, its states are what can be going on at one place: about the bytes of all words, as in the
//! automaton of Aho and Corasick.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::graph::{Graph, Node, START, holds};

/// The most numbers in all rows: where a row starts is told in two bytes.
const NUMBERS: usize = 1 << 16;
/// Numbers of a row that are no way on.
const NOTES: usize = 2;
/// The most steps of making states: some tenths of a second.
const STEPS: usize = 1 << 25;

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The next state for each class.
    pub(super) next: Vec<u32>,
    /// What is noted where it is entered.
    pub(super) note: u128,
    /// What is noted besides where the path ends.
    pub(super) note_at_end: u128,
}

/// The automaton; the first state is the start, those that note something are the last.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    pub(super) classes: [u8; 256],
    pub(super) states: Vec<State>,
}

/// The automaton of a graph that notes `at_start` at once; `None` where it would be too large.
pub(super) fn of(graph: &Graph, at_start: u128) -> Option<Automaton> {
    let (classes, firsts) = graph.classes();
    let states = graph.states(&firsts, at_start)?;
    let states = ordered(&merged(states));
    (states.len() * (firsts.len() + NOTES) <= NUMBERS).then_some(Automaton { classes, states })
}

impl Graph {
    /// The class of each byte, and the first byte of each class: bytes of one class are in the same sets.
    fn classes(&self) -> ([u8; 256], Vec<u8>) {
        let mut sets: Vec<_> = self.nodes.iter().flat_map(Node::ways).map(|(bytes, _)| bytes).collect();
        sets.sort_unstable();
        sets.dedup();
        let mut classes = [0; 256];
        let mut firsts = Vec::new();
        let mut known: BTreeMap<Vec<bool>, u8> = BTreeMap::new();
        for byte in 0..=u8::MAX {
            let within = sets.iter().map(|set| holds(set, byte)).collect();
            classes[usize::from(byte)] = *known.entry(within).or_insert_with(|| {
                firsts.push(byte);
                (firsts.len() - 1) as u8
            });
        }
        (classes, firsts)
    }

    /// All nodes that are reached with some, sorted; `at_end` where the path ends there.
    fn reached(&self, mut waiting: Vec<usize>, at_end: bool) -> Vec<usize> {
        let mut reached = BTreeSet::new();
        while let Some(node) = waiting.pop() {
            if reached.insert(node) {
                waiting.extend_from_slice(&self.nodes[node].with);
                if at_end {
                    waiting.extend_from_slice(&self.nodes[node].at_end);
                }
            }
        }
        reached.into_iter().collect()
    }

    fn note_of(&self, nodes: &[usize]) -> u128 {
        nodes.iter().fold(0, |note, node| note | self.nodes[*node].note)
    }

    fn states(&self, firsts: &[u8], at_start: u128) -> Option<Vec<State>> {
        let mut numbers: BTreeMap<(Vec<usize>, u128), u32> = BTreeMap::new();
        let mut waiting = VecDeque::new();
        let mut number = |from: Vec<usize>, more: u128, waiting: &mut VecDeque<_>| {
            let mut nodes = self.reached(from, false);
            let note = self.note_of(&nodes) | more;
            nodes.retain(|node| self.nodes[*node].ways().next().is_some() || !self.nodes[*node].at_end.is_empty());
            let count = numbers.len() as u32;
            *numbers.entry((nodes, note)).or_insert_with_key(|key| {
                waiting.push_back(key.clone());
                count
            })
        };
        number(vec![START], at_start, &mut waiting);
        let mut states = Vec::new();
        let mut steps = 0;
        while let Some((nodes, note)) = waiting.pop_front() {
            let mut ways: Vec<Vec<usize>> = vec![Vec::new(); firsts.len()];
            for (bytes, to) in nodes.iter().flat_map(|node| self.nodes[*node].ways()) {
                for (way, first) in ways.iter_mut().zip(firsts) {
                    if holds(bytes, *first) {
                        way.push(to);
                    }
                }
                steps += firsts.len();
            }
            steps += ways.iter().map(Vec::len).sum::<usize>() * 16;
            let next = ways.into_iter().map(|to| number(to, 0, &mut waiting)).collect();
            let note_at_end = self.note_of(&self.reached(nodes, true));
            states.push(State { next, note, note_at_end });
            if steps > STEPS || (states.len() + waiting.len()) * (firsts.len() + NOTES) > NUMBERS * 2 {
                return None;
            }
        }
        Some(states)
    }
}

/// The same automaton without states that cannot be told apart.
fn merged(states: Vec<State>) -> Vec<State> {
    let mut kinds: BTreeMap<(u128, u128), u32> = BTreeMap::new();
    let mut kind_of: Vec<u32> = Vec::with_capacity(states.len());
    for state in &states {
        let count = kinds.len() as u32;
        kind_of.push(*kinds.entry((state.note, state.note_at_end)).or_insert(count));
    }
    let mut count = kinds.len();
    loop {
        let mut kinds: BTreeMap<(u32, Vec<u32>), u32> = BTreeMap::new();
        let mut finer = Vec::with_capacity(states.len());
        for (state, kind) in states.iter().zip(&kind_of) {
            let next = state.next.iter().map(|next| kind_of[*next as usize]).collect();
            let count = kinds.len() as u32;
            finer.push(*kinds.entry((*kind, next)).or_insert(count));
        }
        let is_done = kinds.len() == count;
        count = kinds.len();
        kind_of = finer;
        if is_done {
            break;
        }
    }
    // Kinds are numbered as they are met first.
    let mut merged: Vec<State> = Vec::with_capacity(count);
    for (mut state, kind) in states.into_iter().zip(&kind_of) {
        if *kind as usize == merged.len() {
            state.next.iter_mut().for_each(|next| *next = kind_of[*next as usize]);
            merged.push(state);
        }
    }
    merged
}

/// The states with the start first and those that note something last, else as they were: what is met first is met
/// often.
fn ordered(states: &[State]) -> Vec<State> {
    let mut order: Vec<usize> = (0..states.len()).collect();
    order.sort_by_key(|state| *state > 0 && states[*state].note != 0);
    let mut number = vec![0; states.len()];
    for (new, old) in (0..).zip(&order) {
        number[*old] = new;
    }
    let renumbered = |old: &usize| {
        let state = &states[*old];
        State { next: state.next.iter().map(|next| number[*next as usize]).collect(), ..state.clone() }
    };
    order.iter().map(renumbered).collect()
}
