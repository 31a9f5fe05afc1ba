//! The walk, one byte at a time: for questions about all paths, which are asked of the states of a program.
//!
//! A walk does the same for many bytes at once. What it looks up only to be quick, the filter of a scan, has no part in
//! what is reached.

use crate::Verdict;
use crate::format::{AT_END, BRANCH, BRANCH_ELSE, JUMP, KIND, ON_ENTRY, RUN, RUN_ELSE, SCAN, SHORT};
use crate::program::Program;
use crate::rank::Rank;
use crate::walk::Code;
use crate::words::{index_in, is_in, ones_below};

/// Where the walk of a part is after some bytes of a path, and what it reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    place: Place,
    /// As in [`Code::walk`].
    reached: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// The walk ended.
    Done,
    /// At a node. What is reached on entering is counted.
    Node(u32),
    /// In a run, after some of its bytes, but one at least.
    Run(u32, u8),
    /// In a scan that did not begin with this byte, so that nothing is reached if the path ends.
    Scan(u32),
}

#[doc(hidden)]
impl<'p> Program<'p> {
    /// Returns the state of each part before a path; `None` if there are rules that are matched linearly.
    pub fn first_states(&self) -> Option<impl Iterator<Item = State> + use<'p>> {
        let code = self.code;
        let starts = self.entries.iter().map(|entry| u32::from_le_bytes(*entry) as usize);
        let states = core::iter::once(code.start).chain(starts).map(move |start| code.enter(start, 0));
        self.list.is_none().then_some(states)
    }

    /// Returns the state after one more byte.
    #[must_use]
    pub fn next_state(&self, state: State, byte: u8) -> State {
        let reached = state.reached;
        match state.place {
            Place::Done => state,
            Place::Scan(at) => self.code.scan(at as usize, byte, reached),
            Place::Run(at, read) => self.code.run(at as usize, read, byte, reached),
            Place::Node(at) => self.code.node(at as usize, byte, reached),
        }
    }

    /// Sets what every part has reached to the best of them, which is all that counts: then more states are equal.
    pub fn share_best_rank(&self, states: &mut [State]) {
        let best = states.iter().map(|state| state.reached).max().unwrap_or(0);
        // Without ranks there is one part.
        states.iter_mut().for_each(|state| state.reached = best);
    }

    /// Marks the bytes that a state distinguishes; all others lead to one state.
    pub fn mark_bytes(&self, state: State, marks: &mut [bool; 256]) {
        match state.place {
            Place::Done => {}
            Place::Scan(at) => self.code.mark_set(at as usize + 1, marks),
            Place::Run(at, read) => self.code.mark_node(at as usize, read, marks),
            Place::Node(at) => self.code.mark_node(at as usize, 0, marks),
        }
    }

    /// Returns the verdict for a path that ends here, given the states of all parts.
    pub fn verdict_at(&self, states: impl IntoIterator<Item = State>) -> Verdict {
        let best = states.into_iter().map(|state| self.code.end(state)).max().unwrap_or(0);
        match self.code.rank_width {
            0 if best == 1 => Verdict::Disallow,
            0 => Verdict::Allow,
            _ => Rank(best).verdict(),
        }
    }
}

impl State {
    /// Reports whether no byte leads on from here.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self.place, Place::Done)
    }
}

/// A node, as far as all kinds have the same.
struct Node {
    kind: u8,
    is_short: bool,
    /// What is reached at the end, and where its rank stands.
    end: (u8, usize),
    /// Where what follows by kind starts.
    body: usize,
}

impl Code<'_> {
    fn read(&self, at: usize) -> Option<Node> {
        let op = *self.bytes.get(at)?;
        let rank = |reached: u8| if reached == 0 { 0 } else { self.rank_width };
        let end_at = at + 1 + rank(op >> ON_ENTRY & 3);
        let end = op >> AT_END & 3;
        Some(Node { kind: op & KIND, is_short: op & SHORT != 0, end: (end, end_at), body: end_at + rank(end) })
    }

    fn count(&self, best: u32, reached: u8, at: usize) -> u32 {
        match (reached, self.rank_width) {
            (0, _) => best,
            (_, 0) => u32::from(reached),
            (_, width) => best.max(self.number(at, width) as u32),
        }
    }

    fn enter(&self, at: usize, best: u32) -> State {
        match self.bytes.get(at) {
            None => State { place: Place::Done, reached: best },
            Some(&op) => State { place: Place::Node(at as u32), reached: self.count(best, op >> ON_ENTRY & 3, at + 1) },
        }
    }

    fn node(&self, mut at: usize, byte: u8, mut reached: u32) -> State {
        let done = |reached: u32| State { place: Place::Done, reached };
        let Some(mut node) = self.read(at) else { return done(reached) };
        if node.kind == JUMP {
            at = self.number(node.body, self.offset_width);
            let Some(target) = self.read(at).filter(|target| target.kind != JUMP) else { return done(reached) };
            reached = self.enter(at, reached).reached;
            node = target;
        }
        match node.kind {
            RUN | RUN_ELSE => self.run(at, 0, byte, reached),
            BRANCH => self.lookup(node.body, byte, node.is_short).map_or(done(reached), |to| self.enter(to, reached)),
            BRANCH_ELSE => match self.lookup(node.body + self.failure_width, byte, node.is_short) {
                Some(to) => self.enter(to, reached),
                None => self.scan(self.number(node.body, self.failure_width), byte, reached),
            },
            SCAN => self.scan(at, byte, reached),
            _ => done(reached),
        }
    }

    fn run(&self, at: usize, read: u8, byte: u8, reached: u32) -> State {
        let done = State { place: Place::Done, reached };
        let Some(node) = self.read(at) else { return done };
        let Some(&length) = self.bytes.get(node.body) else { return done };
        let text = self.text(&node);
        if self.bytes.get(text + usize::from(read)) != Some(&byte) || read >= length {
            return match node.kind {
                RUN_ELSE => self.scan(self.number(node.body + 1, self.failure_width), byte, reached),
                _ => done,
            };
        }
        match read + 1 == length {
            false => State { place: Place::Run(at as u32, read + 1), reached },
            true if node.is_short => State { reached: self.count(reached, node.end.0, node.end.1), ..done },
            true => self.enter(text + usize::from(length), reached),
        }
    }

    /// Returns where the text of a run starts.
    const fn text(&self, node: &Node) -> usize {
        node.body + 1 + if node.kind == RUN { 0 } else { self.failure_width }
    }

    fn scan(&self, at: usize, byte: u8, reached: u32) -> State {
        let done = State { place: Place::Done, reached };
        let (Some(SCAN), Some(&size)) = (self.bytes.get(at).map(|op| op & KIND), self.bytes.get(at + 1)) else {
            return done;
        };
        let size = usize::from(size);
        let found = if size == 0 {
            let Some(bitmap) = self.bytes.get(at + 2..).and_then(<[u8]>::first_chunk) else { return done };
            is_in(bitmap, byte).then(|| (ones_below(bitmap, byte), at + 66))
        } else {
            index_in(self.bytes, at + 2, size, byte).map(|index| (index, at + 2 + 2 * size))
        };
        match found {
            Some((index, offsets)) => {
                self.enter(self.number(offsets + index * self.offset_width, self.offset_width), reached)
            }
            None => State { place: Place::Scan(at as u32), reached },
        }
    }

    /// Returns what is reached if the path ends in a state.
    fn end(&self, state: State) -> u32 {
        let Place::Node(at) = state.place else { return state.reached };
        let (at, reached) = (at as usize, state.reached);
        let Some(node) = self.read(at) else { return reached };
        let is_short_run = node.is_short && matches!(node.kind, RUN | RUN_ELSE);
        if node.end.0 != 0 && !is_short_run {
            return self.count(reached, node.end.0, node.end.1);
        }
        if node.kind != JUMP {
            return reached;
        }
        let at = self.number(node.body, self.offset_width);
        match self.read(at) {
            Some(target) if target.kind != JUMP => self.end(self.enter(at, reached)),
            _ => self.enter(at, reached).reached,
        }
    }

    fn mark_node(&self, mut at: usize, read: u8, marks: &mut [bool; 256]) {
        let Some(mut node) = self.read(at) else { return };
        if node.kind == JUMP {
            at = self.number(node.body, self.offset_width);
            let Some(target) = self.read(at).filter(|target| target.kind != JUMP) else { return };
            node = target;
        }
        match node.kind {
            RUN | RUN_ELSE => {
                let byte = self.bytes.get(self.text(&node) + usize::from(read));
                if let Some(mark) = byte.and_then(|byte| marks.get_mut(usize::from(*byte))) {
                    *mark = true;
                }
                if node.kind == RUN_ELSE {
                    self.mark_set(self.number(node.body + 1, self.failure_width) + 1, marks);
                }
            }
            BRANCH => self.mark_set(node.body, marks),
            BRANCH_ELSE => {
                self.mark_set(node.body + self.failure_width, marks);
                self.mark_set(self.number(node.body, self.failure_width) + 1, marks);
            }
            SCAN => self.mark_set(at + 1, marks),
            _ => {}
        }
    }

    /// Marks the bytes of the set at `at`.
    fn mark_set(&self, at: usize, marks: &mut [bool; 256]) {
        let Some(&size) = self.bytes.get(at) else { return };
        if size == 0 {
            let Some(bitmap) = self.bytes.get(at + 1..).and_then(<[u8]>::first_chunk) else { return };
            for (byte, mark) in (0..=u8::MAX).zip(marks) {
                *mark |= is_in(bitmap, byte);
            }
            return;
        }
        for byte in self.bytes.get(at + 1..at + 1 + usize::from(size)).unwrap_or_default() {
            marks[usize::from(*byte)] = true;
        }
    }
}
