//! From pieces to nodes: the subset construction.
//!
//! Nodes are made from a stack of states that are still to be opened. A state that holds a head is reached by one
//! string of bytes only, so it needs no lookup; any other is interned. States are not made for the bytes inside a run.
//!
//! The items of a state stand in the order in which they started: heads first, then tails, those that the last byte
//! started at the end. Items that started together stand in the order of their places. So equal sets of items are equal
//! lists, which need no sorting before they are looked up.

use crate::small_sort::SmallSort as _;

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;

use super::budget::{BudgetSpent, Exceeded, PartBudget};
use super::floating::{Float, FloatId, Floats, Item, range};
use super::forecast::Forecast;
use super::memory::{held, held_by_table};
use super::pieces::{Next, Pieces};
use super::{Automaton, Mode, Node, NodeId, RankedPattern, Step, trie, verdict_only};

/// The memory of both ways to build an automaton, which one rule set leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct BuilderMemory {
    trie: trie::TrieBuilder,
    subsets: SubsetBuilder,
    /// An automaton that is no longer needed.
    pub(crate) spare: Automaton,
}

impl BuilderMemory {
    /// Returns the bytes of memory held.
    pub(super) fn held(&self) -> usize {
        self.trie.held() + self.subsets.held() + self.spare.held()
    }
}

/// Builds the automaton of some rules. The second value is the work done.
pub(crate) fn determinise(
    rules: &[RankedPattern<'_>],
    mode: Mode,
    budget: PartBudget,
    memory: &mut BuilderMemory,
) -> Result<(Automaton, u64), Exceeded> {
    // Without a `*` no two states but leaves are equal: a trie needs no table of states.
    let quick =
        if mode == Mode::Verdict { trie::build(rules, budget, &mut memory.trie, &mut memory.spare) } else { None };
    quick.unwrap_or_else(|| by_subsets(rules, mode, budget, memory))
}

/// As [`determinise`], for patterns of any kind.
pub(super) fn by_subsets(
    rules: &[RankedPattern<'_>],
    mode: Mode,
    budget: PartBudget,
    memory: &mut BuilderMemory,
) -> Result<(Automaton, u64), Exceeded> {
    let BuilderMemory { subsets: build, spare, .. } = memory;
    std::mem::swap(&mut build.automaton, spare);
    build.begin(rules, mode, budget);
    let result = build.run();
    let work = build.work + build.forecast.take().map_or(0, |forecast| forecast.work());
    match result {
        Ok(()) => Ok((std::mem::take(&mut build.automaton), work)),
        Err(BudgetSpent) => Err(Exceeded { work }),
    }
}

/// What a node stands for.
#[derive(Clone, Debug)]
struct State {
    float: FloatId,
    /// The verdict so far, 1 for Allow; always 1 where the mode does not keep it.
    verdict: u8,
    accept: u32,
    /// A range of the arena.
    items: Range<u32>,
}

/// The byte that an item goes on with, and the item's index in the arena, in one number that sorts by both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ByByte(u64);

impl ByByte {
    const fn new(byte: u8, index: u32) -> Self {
        Self((byte as u64) << 32 | index as u64)
    }

    const fn byte(self) -> u8 {
        (self.0 >> 32) as u8
    }

    const fn index(self) -> usize {
        self.0 as u32 as usize
    }
}

/// A state whose items are still in the caller's hands.
#[derive(Clone, Copy, Debug)]
struct Settled {
    float: FloatId,
    verdict: u8,
    accept: u32,
}

/// The subset construction at work, and the memory that it leaves to the next one.
#[derive(Debug, Default)]
pub(super) struct SubsetBuilder {
    pieces: Pieces,
    floats: Floats,
    /// Made once the set is seen to have surprises.
    forecast: Option<Forecast>,
    mode: Mode,
    automaton: Automaton,
    /// Beside the automaton's nodes.
    states: Vec<State>,
    arena: Vec<Item>,
    /// The hash of each state that can be met again, and its node.
    known: HashTable<(u64, u32)>,
    hasher: hashbrown::DefaultHashBuilder,
    open: Vec<NodeId>,
    /// Scratch: the items of the state at hand, and what each goes on with.
    items: Vec<Item>,
    by_byte: Vec<ByByte>,
    /// Scratch of `settle`: the tails that join the float.
    joining: Vec<Item>,
    budget: PartBudget,
    work: u64,
}

impl SubsetBuilder {
    fn begin(&mut self, rules: &[RankedPattern<'_>], mode: Mode, budget: PartBudget) {
        self.pieces.cut(rules);
        self.floats.clear();
        self.states.clear();
        self.arena.clear();
        self.known.clear();
        self.open.clear();
        (self.mode, self.budget, self.work) = (mode, budget, 0);
        // What a set without surprises takes; `known` does not hold the states of heads.
        let text = self.pieces.text.len();
        let nodes = (2 * rules.len() + 2).max(text / 4);
        self.automaton.begin(nodes, text);
        self.states.reserve(nodes);
        self.arena.reserve(2 * nodes);
        self.known.reserve(nodes, |known| known.0);
        self.open.reserve(nodes);
    }

    /// Returns the bytes of memory held.
    pub(super) fn held(&self) -> usize {
        let items = held(&self.arena) + held(&self.items) + held(&self.by_byte) + held(&self.joining);
        let states = held(&self.states) + held(&self.open) + held_by_table::<(u64, u32)>(self.known.capacity());
        items + states + self.pieces.held() + self.floats.held() + self.automaton.held()
    }

    fn run(&mut self) -> Result<(), BudgetSpent> {
        let (mut items, mut by_byte) = (std::mem::take(&mut self.items), std::mem::take(&mut self.by_byte));
        items.clear();
        items.extend(self.pieces.heads.iter().map(|&(head, rank)| Item::new(self.pieces.get(head).start, rank)));
        let start = self.settle(FloatId::EMPTY, 1, &mut items);
        if self.target(start, &items)? == NodeId::STOP {
            self.node(start, &items)?;
        }
        // What a set without surprises takes, of work for its bytes and for its nodes.
        let forecast_after = (self.budget.work / 16).min(self.budget.nodes as u64 / 4 * 3);
        while let Some(id) = self.open.pop() {
            self.open_node(id, &mut items, &mut by_byte)?;
            if self.work > self.budget.work {
                return Err(BudgetSpent);
            }
            // A set without surprises is done by then, so that it needs none.
            if self.forecast.is_none() && self.work > forecast_after {
                self.forecast = Some(Forecast::new(&self.pieces));
                for float in self.floats.with_scans() {
                    self.check_forecast(float)?;
                }
            }
        }
        (self.items, self.by_byte) = (items, by_byte);
        Ok(())
    }

    /// Sets the step of a node, and makes the nodes that it leads to.
    fn open_node(&mut self, id: NodeId, items: &mut Vec<Item>, by_byte: &mut Vec<ByByte>) -> Result<(), BudgetSpent> {
        let state = self.states[id.0 as usize].clone();
        by_byte.clear();
        let mut at_end = 0;
        let mut differing = 0;
        for (index, &item) in (state.items.start..).zip(&self.arena[range(&state.items)]) {
            if self.is_end(item) {
                at_end = item.rank().max(at_end);
            } else {
                let next = ByByte::new(self.pieces.text[item.place() as usize], index);
                differing |= next.byte() ^ by_byte.first().unwrap_or(&next).byte();
                by_byte.push(next);
            }
        }
        self.work += by_byte.len() as u64 + 1;
        self.automaton.nodes[id.0 as usize].accept_at_end = match self.mode {
            Mode::Verdict if (at_end & 1) as u8 == state.verdict => 0,
            Mode::Verdict => verdict_only(at_end),
            Mode::Part | Mode::DecidingRule => at_end,
        };

        if by_byte.is_empty() && state.accept == 0 && at_end == 0 {
            // Only a scan is made with neither items nor anything to report, or the start of an automaton that has
            // nothing to say.
            let matters = state.float != FloatId::EMPTY && self.matters(state.float, state.verdict);
            let step = if matters { self.scan(&state, items)? } else { Step::Stop };
            self.automaton.nodes[id.0 as usize].step = step;
            return Ok(());
        }
        let failure = self.failure(state.float, state.verdict)?;
        self.automaton.nodes[id.0 as usize].failure = failure;
        let step = if by_byte.is_empty() {
            Step::Branch { edges: 0..0 }
        } else if differing == 0 {
            items.clear();
            items.extend(by_byte.iter().map(|next| self.arena[next.index()]));
            self.run_from(&state, items)?
        } else {
            by_byte.small_sort_unstable();
            self.branch(&state, by_byte, items)?
        };
        self.automaton.nodes[id.0 as usize].step = match step {
            Step::Branch { edges } if edges.is_empty() && failure == NodeId::STOP => Step::Stop,
            step => step,
        };
        Ok(())
    }

    /// Returns the scan that reads what `float` alone says, or [`NodeId::STOP`] where that can change nothing.
    fn failure(&mut self, float: FloatId, verdict: u8) -> Result<NodeId, BudgetSpent> {
        if float == FloatId::EMPTY || !self.matters(float, verdict) {
            return Ok(NodeId::STOP);
        }
        let made = self.floats.get(float).scan[verdict as usize];
        if made != NodeId::STOP {
            return Ok(made);
        }
        let at = self.arena.len() as u32;
        let id = self.push(State { float, verdict, accept: 0, items: at..at })?;
        self.floats.get_mut(float).scan[verdict as usize] = id;
        if self.forecast.is_some() {
            self.check_forecast(float)?;
        }
        Ok(id)
    }

    /// Ends the attempt if the forecast, with this float, exceeds the budget.
    fn check_forecast(&mut self, float: FloatId) -> Result<(), BudgetSpent> {
        let Some(forecast) = &mut self.forecast else { return Ok(()) };
        forecast.add(float, &mut self.floats, &self.pieces, self.budget);
        if forecast.exceeds(self.budget) { Err(BudgetSpent) } else { Ok(()) }
    }

    /// Reports whether a float alone can still change the verdict.
    fn matters(&self, float: FloatId, verdict: u8) -> bool {
        self.mode != Mode::Verdict || self.floats.get(float).lowest[(verdict ^ 1) as usize] != u32::MAX
    }

    /// Adds one edge for each byte that starts a tail of the float.
    fn scan(&mut self, state: &State, items: &mut Vec<Item>) -> Result<Step, BudgetSpent> {
        let start = self.automaton.edges.len() as u32;
        for group in self.floats.get(state.float).groups.clone() {
            let (byte, starts) = self.floats.group(group);
            items.clear();
            items.extend_from_slice(starts);
            self.edge(state, byte, items)?;
        }
        Ok(Step::Scan { edges: start..self.automaton.edges.len() as u32 })
    }

    /// Adds one edge for each byte that an item goes on with; what the float starts with that byte joins the items.
    fn branch(&mut self, state: &State, by_byte: &[ByByte], items: &mut Vec<Item>) -> Result<Step, BudgetSpent> {
        let start = self.automaton.edges.len() as u32;
        for chunk in by_byte.chunk_by(|a, b| a.byte() == b.byte()) {
            let byte = chunk[0].byte();
            items.clear();
            items.extend(chunk.iter().map(|next| self.arena[next.index()].advance(1)));
            items.extend_from_slice(self.floats.starts(state.float, byte));
            self.edge(state, byte, items)?;
        }
        Ok(Step::Branch { edges: start..self.automaton.edges.len() as u32 })
    }

    /// Adds the edge to the state of these items, which stand after `byte`.
    fn edge(&mut self, state: &State, byte: u8, items: &mut Vec<Item>) -> Result<(), BudgetSpent> {
        let settled = self.settle(state.float, state.verdict, items);
        let to = self.target(settled, items)?;
        self.automaton.edges.push((byte, to));
        // A node can have 256 edges, and each can join many tails.
        if self.work > self.budget.work { Err(BudgetSpent) } else { Ok(()) }
    }

    /// Follows the one way on as far as it is the only one and nothing happens on it.
    fn run_from(&mut self, state: &State, items: &mut Vec<Item>) -> Result<Step, BudgetSpent> {
        let start = self.automaton.text.len() as u32;
        let mut settled = Settled { float: state.float, verdict: state.verdict, accept: 0 };
        // Those that wait for the end of the path are dropped on the way, and what only mattered beside them.
        let mut is_settled = items.len() == state.items.len();
        loop {
            let float = self.floats.get(settled.float);
            // 1. Copy the bytes that all items agree on and that start no tail: they need no new items.
            let first = items[0].place() as usize;
            let quiet = self.agreed(items, float);
            let step = quiet.max(1);
            self.work += u64::from(step / 16);
            self.automaton.text.extend_from_slice(&self.pieces.text[first..first + step as usize]);
            let last = self.pieces.text[first + step as usize - 1];
            // 2. Move all items past them.
            items.iter_mut().for_each(|item| *item = item.advance(step));
            // 3. Start the tails that begin with the last byte.
            if quiet == 0 {
                items.extend_from_slice(self.floats.starts(settled.float, last));
            }
            // 4. Settle what was reached.
            let before = settled.float;
            let at_end = items.iter().any(|&item| self.is_end(item));
            if quiet == 0 || at_end || !is_settled {
                settled = self.settle(settled.float, settled.verdict, items);
                is_settled = true;
            } else {
                // All items have only moved.
                self.work += items.len() as u64;
            }
            // 5. Go on while nothing happened and there is one way.
            let goes_on = settled.accept == 0
                && settled.float == before
                && !items.is_empty()
                && !(at_end && items.iter().any(|&item| self.is_end(item)))
                && self.one_way(items);
            if !goes_on {
                let next = self.target(settled, items)?;
                return Ok(Step::Run { text: start..self.automaton.text.len() as u32, next });
            }
            // A piece that repeats itself has ever more items on the way through it.
            if self.work > self.budget.work {
                return Err(BudgetSpent);
            }
        }
    }

    /// Returns how many bytes that start no tail of `float` all items go on with, all of them or at least as many as it
    /// is cheap to tell.
    fn agreed(&self, items: &[Item], float: &Float) -> u32 {
        let rest = |item: Item| {
            let piece = self.pieces.get(self.pieces.at(item.place()));
            &self.pieces.text[item.place() as usize..piece.end as usize]
        };
        let first = rest(items[0]);
        let last = items[items.len() - 1];
        let quiet = if items.len() == 1 {
            first.iter().take_while(|&&byte| !float.starts_with(byte)).count()
        } else if last.place() < self.pieces.heads_end {
            // Heads are sorted and all of these have come the same way, so that the outer two bound the others.
            first.iter().zip(rest(last)).take_while(|(a, b)| a == b && !float.starts_with(**a)).count()
        } else {
            usize::from(!float.starts_with(first[0]))
        };
        quiet as u32
    }

    /// Reports whether all items go on with the same byte.
    fn one_way(&self, items: &[Item]) -> bool {
        let byte = |item: &Item| self.pieces.text[item.place() as usize];
        items.iter().all(|item| byte(item) == byte(&items[0]))
    }

    /// Reports whether an item stands at the end of its piece. After `settle`, only pieces that wait for the end of the
    /// path do.
    fn is_end(&self, item: Item) -> bool {
        self.pieces.is_end(item.place())
    }

    /// Lets pieces that are at their end complete or join the float, and drops what is dead by then.
    ///
    /// ```text
    /// Disallow: /a       the bytes so far: /a       1. `/a` completes: Disallow
    /// Allow: /a*c                                   1. `/a` before the `*` ends: the tail `c` joins the float
    /// Allow: /ab                                    2. nothing alive has a lower rank
    ///                                               4. the verdict is Disallow: both Allows still matter
    /// ```
    fn settle(&mut self, float: FloatId, verdict: u8, items: &mut Vec<Item>) -> Settled {
        // 1. A piece that ends here completes its pattern, lets the piece after a `*` float, or waits for the end of
        //    the path.
        self.work += items.len() as u64;
        self.joining.clear();
        let mut accept = 0;
        let (pieces, joining) = (&self.pieces, &mut self.joining);
        if items.iter().any(|item| pieces.is_end(item.place())) {
            items.retain(|item| {
                if !pieces.is_end(item.place()) {
                    return true;
                }
                match pieces.get(pieces.at(item.place())).next {
                    Next::Complete => accept = accept.max(item.rank()),
                    Next::Star(tail) => joining.push(Item::new(tail, item.rank())),
                    Next::End => return true,
                }
                false
            });
        }
        // 2. The pruning *Rank*: a lower rank than one that has completed decides no more. A program that names the
        //    rule needs them all, since each may be the one to name.
        let mut settled = Settled { float, verdict, accept };
        let drops = self.mode != Mode::DecidingRule;
        let above = if drops { accept } else { 0 };
        if above > 0 {
            items.retain(|item| item.rank() > above);
        }
        // 3. The float takes what joins it, and loses what step 2 drops.
        if !joining.is_empty() || (above > 0 && self.floats.get(float).lowest.iter().any(|&rank| rank <= above)) {
            let (joined, work) = self.floats.join(pieces, float, joining, above);
            settled.float = joined;
            self.work += work;
            // The pruning *Tail*: what leads to a tail that floats now is no longer needed. Only a pruning, so it may
            // be left out if it would cost too much.
            if joining.len().saturating_mul(items.len()) <= 1 << 14 {
                self.work += (joining.len() * items.len()) as u64;
                items.retain(|item| {
                    let piece = pieces.at(item.place());
                    !joining.iter().any(|tail| {
                        tail.place() != piece && tail.rank() >= item.rank() && pieces.leads_to(piece, tail.place())
                    })
                });
            }
        }
        // 4. The pruning *Verdict*: what can only repeat the verdict so far goes, and with it all states that differ in
        //    nothing else.
        if self.mode == Mode::Verdict {
            if accept > 0 {
                settled.verdict = (accept & 1) as u8;
                // Which rank it was does not matter any more.
                settled.accept = if settled.verdict == verdict { 0 } else { verdict_only(accept) };
            }
            self.drop_what_cannot_matter(&mut settled, items);
        }
        settled
    }

    /// Drops items that agree with the verdict so far and have nothing of the other verdict below them; all, and the
    /// float, where nothing disagrees.
    fn drop_what_cannot_matter(&self, settled: &mut Settled, items: &mut Vec<Item>) {
        let other = u32::from(settled.verdict ^ 1);
        let float = self.floats.get(settled.float);
        let (mut agreeing, mut disagreeing) = (u32::MAX, float.lowest[other as usize]);
        for item in items.iter() {
            let rank = item.rank();
            let agrees = rank & 1 != other;
            agreeing = agreeing.min(if agrees { rank } else { u32::MAX });
            disagreeing = disagreeing.min(if agrees { u32::MAX } else { rank });
        }
        if disagreeing == u32::MAX {
            items.clear();
            settled.float = FloatId::EMPTY;
        } else if agreeing < disagreeing {
            items.retain(|item| item.rank() >= disagreeing);
        }
    }

    /// Returns the node of a settled state, or [`NodeId::STOP`] for one in which nothing is alive and nothing is
    /// reported.
    fn target(&mut self, settled: Settled, items: &[Item]) -> Result<NodeId, BudgetSpent> {
        if items.is_empty() && settled.accept == 0 {
            return self.failure(settled.float, settled.verdict);
        }
        self.node(settled, items)
    }

    /// Reports whether `a` stands before `b` in every state that holds both.
    fn stands_before(&self, a: Item, b: Item) -> bool {
        let read = |item: Item| item.place() - self.pieces.get(self.pieces.at(item.place())).start;
        read(a) > read(b) || read(a) == read(b) && a.place() < b.place()
    }

    /// Returns the node of a settled state, made if it is not known.
    fn node(&mut self, settled: Settled, items: &[Item]) -> Result<NodeId, BudgetSpent> {
        let Settled { float, verdict, accept } = settled;
        self.work += items.len() as u64;
        debug_assert!(items.is_sorted_by(|a, b| self.stands_before(*a, *b)), "{items:?}");
        let is_unique = items.first().is_some_and(|item| item.place() < self.pieces.heads_end);
        let hash = if is_unique { 0 } else { self.hasher.hash_one((float, verdict, accept, items)) };
        if !is_unique {
            let found = self.known.find(hash, |&(known_hash, id)| {
                let state = &self.states[id as usize];
                known_hash == hash
                    && (state.float, state.verdict, state.accept) == (float, verdict, accept)
                    && self.arena[range(&state.items)] == *items
            });
            if let Some(&(_, id)) = found {
                return Ok(NodeId(id));
            }
        }
        let at = self.arena.len() as u32;
        self.arena.extend_from_slice(items);
        let id = self.push(State { float, verdict, accept, items: at..self.arena.len() as u32 })?;
        if !is_unique {
            self.known.insert_unique(hash, (hash, id.0), |&(hash, _)| hash);
        }
        Ok(id)
    }

    fn push(&mut self, state: State) -> Result<NodeId, BudgetSpent> {
        if self.states.len() >= self.budget.nodes || self.floats.tail_count() as u64 > self.budget.work {
            return Err(BudgetSpent);
        }
        let id = NodeId(self.states.len() as u32);
        let node = Node { accept: state.accept, accept_at_end: 0, failure: NodeId::STOP, step: Step::Stop };
        self.automaton.nodes.push(node);
        self.states.push(state);
        self.open.push(id);
        Ok(id)
    }
}
