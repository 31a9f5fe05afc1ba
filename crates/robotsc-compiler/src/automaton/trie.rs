//! The automaton of patterns without a `*`, which most groups are: a trie, built along the sorted patterns.
//!
//! ```text
//! Disallow: /a          sorted     /a   /a/b/c   /a/b/d$        Allow: /x has no Disallow below it and drops out
//! Allow: /a/b/c
//! Disallow: /a/b/d$     nodes      "/a" ─▶ (Disallow) "/b/" ─▶ c ─▶ (Allow)
//! Allow: /x                                                   d ─▶ (end: Disallow)   drops out: it is so already
//! ```
//!
//! It makes the automaton that [`determinise`](super::determinise) would make, node by node and at the same price in
//! units of work, but need not look for equal states: no two states but the leaves are reached by the same
//! bytes. A test compares the two. In verdict programs alone; the others are rare.

use crate::small_sort::SmallSort as _;

use std::ops::Range;

use super::budget::{BudgetSpent, Exceeded, PartBudget};
use super::memory::held;
use super::{Automaton, Node, NodeId, RankedPattern, Step, verdict_only};

/// A pattern without its anchor: a range of the text.
#[derive(Clone, Copy, Debug)]
struct Literal {
    start: u32,
    end: u32,
    anchored: bool,
    rank: u32,
}

/// What a node stands for.
#[derive(Clone, Debug)]
struct State {
    /// The bytes that were read.
    depth: u32,
    /// The verdict so far, 1 for Allow.
    verdict: u8,
    accept: u32,
    /// The patterns that are alive: a range of the arena, sorted as the patterns are.
    alive: Range<u32>,
}

/// A construction, and the memory that it leaves to the next one.
#[derive(Debug, Default)]
pub(super) struct TrieBuilder {
    text: Vec<u8>,
    literals: Vec<Literal>,
    automaton: Automaton,
    /// Beside the automaton's nodes.
    states: Vec<State>,
    arena: Vec<u32>,
    open: Vec<NodeId>,
    /// Scratch: the patterns that are alive where a node is opened, and those that go on with one byte.
    alive: Vec<u32>,
    moved: Vec<u32>,
    /// The nodes that only reach a verdict.
    leaves: [NodeId; 2],
    budget: PartBudget,
    work: u64,
}

/// Builds the automaton of rules for verdicts. `None` if a pattern holds a `*`.
pub(super) fn build(
    rules: &[RankedPattern<'_>],
    budget: PartBudget,
    build: &mut TrieBuilder,
    spare: &mut Automaton,
) -> Option<Result<(Automaton, u64), Exceeded>> {
    if rules.iter().any(|rule| memchr::memchr(b'*', rule.pattern).is_some()) {
        return None;
    }
    std::mem::swap(&mut build.automaton, spare);
    build.begin(rules, budget);
    Some(match build.run() {
        Ok(()) => Ok((std::mem::take(&mut build.automaton), build.work)),
        Err(BudgetSpent) => Err(Exceeded { work: build.work }),
    })
}

impl TrieBuilder {
    fn begin(&mut self, rules: &[RankedPattern<'_>], budget: PartBudget) {
        let Self { text, literals, automaton, states, arena, open, .. } = self;
        text.clear();
        literals.clear();
        states.clear();
        arena.clear();
        open.clear();
        (self.leaves, self.budget, self.work) = ([NodeId::STOP; 2], budget, 0);
        for &RankedPattern { pattern, rank } in rules {
            let bytes = pattern.strip_suffix(b"$");
            let start = text.len() as u32;
            text.extend_from_slice(bytes.unwrap_or(pattern));
            literals.push(Literal { start, end: text.len() as u32, anchored: bytes.is_some(), rank });
        }
        let key = |literal: &Literal| (&text[literal.start as usize..literal.end as usize], literal.anchored);
        literals.small_sort_unstable_by(|a, b| (key(a), b.rank).cmp(&(key(b), a.rank)));
        // Of patterns that are equal in all but rank the highest stays.
        literals.dedup_by(|later, first| key(later) == key(first));
        // What a set without surprises takes.
        let nodes = 2 * literals.len() + 2;
        automaton.begin(nodes, text.len());
        states.reserve(nodes);
        arena.reserve(2 * nodes);
    }

    /// Returns the bytes of memory held.
    pub(super) fn held(&self) -> usize {
        let patterns = held(&self.text) + held(&self.literals) + held(&self.alive) + held(&self.moved);
        patterns + held(&self.states) + held(&self.arena) + held(&self.open) + self.automaton.held()
    }

    fn run(&mut self) -> Result<(), BudgetSpent> {
        let (mut alive, mut moved) = (std::mem::take(&mut self.alive), std::mem::take(&mut self.moved));
        alive.clear();
        alive.extend(0..self.literals.len() as u32);
        let start = self.settle(0, 1, &mut alive);
        if self.target(start.clone(), &alive)? == NodeId::STOP {
            self.push(start, &alive)?;
        }
        while let Some(id) = self.open.pop() {
            self.open_node(id, &mut alive, &mut moved)?;
            if self.work > self.budget.work {
                return Err(BudgetSpent);
            }
        }
        (self.alive, self.moved) = (alive, moved);
        Ok(())
    }

    /// Sets the step of a node, and makes the nodes that it leads to.
    fn open_node(&mut self, id: NodeId, alive: &mut Vec<u32>, moved: &mut Vec<u32>) -> Result<(), BudgetSpent> {
        let State { depth, verdict, alive: range, .. } = self.states[id.0 as usize].clone();
        alive.clear();
        alive.extend_from_slice(&self.arena[range.start as usize..range.end as usize]);
        // One that waits for the end of the path here is the shortest, and so the first.
        if let Some(&first) = alive.first()
            && self.is_end(first, depth)
        {
            let rank = self.literals[first as usize].rank;
            if (rank & 1) as u8 != verdict {
                self.automaton.nodes[id.0 as usize].accept_at_end = verdict_only(rank);
            }
            alive.remove(0);
        }
        self.work += alive.len() as u64 + 1;
        if alive.is_empty() {
            return Ok(());
        }
        let step = if self.one_way(alive, depth) {
            self.run_from(depth, verdict, alive)?
        } else {
            let start = self.automaton.edges.len() as u32;
            let mut rest = alive.as_slice();
            while let Some(&first) = rest.first() {
                let byte = self.byte(first, depth);
                let (chunk, others) = rest.split_at(rest.partition_point(|at| self.byte(*at, depth) <= byte));
                rest = others;
                moved.clear();
                moved.extend_from_slice(chunk);
                let settled = self.settle(depth + 1, verdict, moved);
                let to = self.target(settled, moved)?;
                self.automaton.edges.push((byte, to));
                if self.work > self.budget.work {
                    return Err(BudgetSpent);
                }
            }
            Step::Branch { edges: start..self.automaton.edges.len() as u32 }
        };
        self.automaton.nodes[id.0 as usize].step = step;
        Ok(())
    }

    /// Follows the one way on as far as it is the only one and nothing happens on it.
    fn run_from(&mut self, mut depth: u32, verdict: u8, alive: &mut Vec<u32>) -> Result<Step, BudgetSpent> {
        let start = self.automaton.text.len() as u32;
        loop {
            // Patterns are sorted, so that the outer two bound the others.
            let rest = |at: u32| {
                let literal = &self.literals[at as usize];
                &self.text[(literal.start + depth) as usize..literal.end as usize]
            };
            let (first, last) = (rest(alive[0]), rest(alive[alive.len() - 1]));
            let agreed = first.iter().zip(last).take_while(|(a, b)| a == b).count();
            self.work += agreed as u64 / 16;
            self.automaton.text.extend_from_slice(&first[..agreed]);
            depth += agreed as u32;
            let settled = self.settle(depth, verdict, alive);
            let goes_on =
                settled.accept == 0 && !alive.is_empty() && !self.is_end(alive[0], depth) && self.one_way(alive, depth);
            if !goes_on {
                let next = self.target(settled, alive)?;
                return Ok(Step::Run { text: start..self.automaton.text.len() as u32, next });
            }
            if self.work > self.budget.work {
                return Err(BudgetSpent);
            }
        }
    }

    fn byte(&self, literal: u32, depth: u32) -> u8 {
        self.text[(self.literals[literal as usize].start + depth) as usize]
    }

    /// Reports whether all patterns go on with the same byte.
    fn one_way(&self, alive: &[u32], depth: u32) -> bool {
        self.byte(alive[0], depth) == self.byte(alive[alive.len() - 1], depth)
    }

    /// Reports whether a pattern waits for the end of the path. After `settle`, only those with an anchor do.
    fn is_end(&self, literal: u32, depth: u32) -> bool {
        let literal = &self.literals[literal as usize];
        literal.end - literal.start == depth
    }

    /// Lets the pattern that ends here complete, and drops those that can change nothing by then.
    fn settle(&mut self, depth: u32, verdict: u8, alive: &mut Vec<u32>) -> State {
        // 1. Patterns are sorted, so that only the first can end here.
        self.work += alive.len() as u64;
        let mut settled = State { depth, verdict, accept: 0, alive: 0..0 };
        let literals = &self.literals;
        let rank = |at: u32| literals[at as usize].rank;
        let mut above = 0;
        if let Some(&first) = alive.first()
            && self.is_end(first, depth)
            && !literals[first as usize].anchored
        {
            above = rank(first);
            settled.verdict = (above & 1) as u8;
            settled.accept = if settled.verdict == verdict { 0 } else { verdict_only(above) };
        }
        // 2. What matters from here on is a higher rank with the other verdict, and what is above the lowest of those.
        let other = u32::from(settled.verdict ^ 1);
        let disagreeing = alive.iter().map(|at| rank(*at)).filter(|rank| *rank > above && rank & 1 == other);
        match disagreeing.min() {
            None => alive.clear(),
            // It is above what has completed, and so is all that stays.
            Some(lowest) => alive.retain(|at| rank(*at) >= lowest),
        }
        settled
    }

    /// Returns the node of a settled state, or [`NodeId::STOP`] for one in which nothing is alive and nothing is
    /// reported.
    fn target(&mut self, settled: State, alive: &[u32]) -> Result<NodeId, BudgetSpent> {
        self.work += alive.len() as u64;
        if !alive.is_empty() {
            return self.push(settled, alive);
        }
        if settled.accept == 0 {
            return Ok(NodeId::STOP);
        }
        let verdict = usize::from(settled.verdict);
        if self.leaves[verdict] == NodeId::STOP {
            self.leaves[verdict] = self.push(settled, alive)?;
        }
        Ok(self.leaves[verdict])
    }

    fn push(&mut self, settled: State, alive: &[u32]) -> Result<NodeId, BudgetSpent> {
        if self.states.len() >= self.budget.nodes {
            return Err(BudgetSpent);
        }
        let id = NodeId(self.states.len() as u32);
        let at = self.arena.len() as u32;
        self.arena.extend_from_slice(alive);
        let node = Node { accept: settled.accept, accept_at_end: 0, failure: NodeId::STOP, step: Step::Stop };
        self.automaton.nodes.push(node);
        self.states.push(State { alive: at..self.arena.len() as u32, ..settled });
        self.open.push(id);
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Mode;
    use super::super::determinise::{BuilderMemory, by_subsets};
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn it_is_the_automaton_of_the_subset_construction(
            patterns in prop::collection::vec(("/?[ab/]{0,6}", any::<bool>(), 1..9_u32), 0..16),
            nodes in 1..40_usize,
            work in 1..400_u64,
        ) {
            let patterns: Vec<(String, u32)> = patterns
                .into_iter()
                .map(|(text, anchored, rank)| (if anchored { text + "$" } else { text }, rank + 1))
                .collect();
            let rules: Vec<_> =
                patterns.iter().map(|(text, rank)| RankedPattern { pattern: text.as_bytes(), rank: *rank }).collect();
            let (mut own, mut spare) = (TrieBuilder::default(), Automaton::default());
            let mut memory = BuilderMemory::default();
            for budget in [PartBudget { nodes: 1000, work: 10_000 }, PartBudget { nodes, work }] {
                // The budgets follow one another in one memory, whether the one before was exceeded or not.
                let is = build(&rules, budget, &mut own, &mut spare).expect("no star");
                let wanted = by_subsets(&rules, Mode::Verdict, budget, &mut memory);
                match (is, wanted) {
                    (Ok((automaton, work)), Ok((wanted, wanted_work))) => {
                        prop_assert_eq!(&automaton.nodes, &wanted.nodes);
                        prop_assert_eq!(&automaton.edges, &wanted.edges);
                        prop_assert_eq!(&automaton.text, &wanted.text);
                        prop_assert_eq!(work, wanted_work);
                    }
                    (Err(over), Err(wanted)) => prop_assert_eq!(over.work, wanted.work),
                    (is, wanted) => prop_assert!(false, "{:?} {:?}", is, wanted),
                }
            }
        }
    }
}
