//! Finds the shortest path that some patterns match and others do not.
//!
//! ```text
//! must match       /a*c        positions: / a c .        the `.` is the end of the pattern,
//! must not match   /ab                    / a b .        a `*` keeps the position before it alive
//!
//!   "/"  ──▶  "/a"  ──▶  "/ab"   the second pattern matches: no longer path is tried
//!              └────▶  "/ac"   only the first matches: found
//! ```
//!
//! The search runs the positions of all patterns at once, breadth first over the bytes of the path, together with the
//! automaton of the paths in question ([`Paths`]). States that were seen are not tried again, so it ends, and the first
//! path found is a shortest one. Among the shortest it is the most readable: letters are tried before signs.
//!
//! A state is a set of bits, one for each position of each pattern. Three things keep the states few, all exact:
//! - if a pattern that must match has no position left, or one that must not match has matched, the state is dropped;
//! - if a `*` is reached, the positions before it in that pattern are dropped: what they lead to, the `*` leads to;
//! - bytes that no pattern holds are one byte: the most readable of them.
//!
//! The cost of a search is bounded by a [`Budget`]. If it is spent, the answer is [`NotDecided`], never a guess.

use std::cell::Cell;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::paths::{PathState, Paths, Reader, Reading};

/// Reports that a question was not decided within its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDecided;

impl std::fmt::Display for NotDecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not decided: the rules are too complex for the work budget")
    }
}

impl std::error::Error for NotDecided {}

/// Counts the work of searches, in words of positions moved.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    per_search: u64,
}

impl Budget {
    /// The work of one search, by default: some 50 ms.
    pub const PER_SEARCH: u64 = 1 << 24;
    /// The work of all searches on a file, by default: below a second.
    pub const IN_ALL: u64 = 1 << 27;

    /// Allows `per_search` units of work to each search, and `in_all` to all together.
    #[must_use]
    pub const fn new(per_search: u64, in_all: u64) -> Self {
        Self { left: Cell::new(in_all), per_search }
    }

    /// Takes some work, up to all that is left. Returns whether there was as much.
    pub(crate) fn take(&self, work: u64) -> Result<(), NotDecided> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(work));
        if work > left { Err(NotDecided) } else { Ok(()) }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Self::PER_SEARCH, Self::IN_ALL)
    }
}

/// A normal pattern, and how it sees a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term<'p> {
    pub(crate) pattern: &'p [u8],
    pub(crate) reader: Reader,
}

/// The paths that a search ranges over, and how the rule sets in question see them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    pub(crate) paths: Paths,
    /// Those of the two rule sets; equal if there is one.
    pub(crate) readers: [Reader; 2],
}

/// Finds the shortest path of a space that all of `must` match and none of `must_not`.
pub(crate) fn shortest_path(
    must: &[Term<'_>],
    must_not: &[Term<'_>],
    space: Space,
    budget: &Budget,
) -> Result<Option<Vec<u8>>, NotDecided> {
    if must.iter().any(|term| must_not.contains(term)) {
        return Ok(None);
    }
    let mut readers: Vec<Reader> = must.iter().chain(must_not).map(|term| term.reader).collect();
    readers.sort_unstable();
    readers.dedup();
    debug_assert!(readers.iter().all(|reader| space.readers.contains(reader)), "each pattern is of one of the sets");
    let mut start = 0;
    let mut block = |reader: &Reader| {
        let block = Block::new(*reader, must, must_not, start);
        start = block.end;
        block
    };
    let blocks: Vec<Block> = readers.iter().map(&mut block).collect();
    budget.take(blocks.iter().map(|block| block.masks.len() as u64).sum())?;
    let alphabet = alphabet(must.iter().chain(must_not), space);
    Search::new(blocks, space.paths, budget).run(&alphabet)
}

/// A pattern that must match: its bits.
#[derive(Clone, Copy, Debug)]
struct Positions {
    /// The bit of the first position.
    start: usize,
    /// The bit of the end.
    end: usize,
}

/// The positions of all patterns with one reader.
#[derive(Debug)]
struct Block {
    reader: Reader,
    /// Where its words start in a state, and end.
    start: usize,
    end: usize,
    /// For each byte, which positions it follows: an index into `masks`, in rows; 0 is the row without any.
    rows: [u16; 256],
    masks: Vec<u64>,
    /// The positions that stay, whatever follows: those before a `*`, and the ends of patterns without an anchor.
    stays: Vec<u64>,
    /// For each bit, the first of its pattern.
    first: Vec<u32>,
    must: Vec<Positions>,
    /// The ends of patterns that must not match and have no anchor.
    banned: Vec<u64>,
    /// The ends of those with an anchor.
    banned_at_end: Vec<u64>,
}

impl Block {
    fn new(reader: Reader, must: &[Term<'_>], must_not: &[Term<'_>], start: usize) -> Self {
        let is_mine = |term: &&Term<'_>| term.reader == reader;
        let bits: usize = must.iter().chain(must_not).filter(is_mine).map(|term| term.pattern.len() + 1).sum();
        let words = bits.div_ceil(64);
        let mut block = Self {
            reader,
            start,
            end: start + words,
            rows: [0; 256],
            masks: vec![0; words],
            stays: vec![0; words],
            first: Vec::with_capacity(bits),
            must: Vec::with_capacity(must.len()),
            banned: vec![0; words],
            banned_at_end: vec![0; words],
        };
        for term in must.iter().filter(is_mine) {
            let (positions, _) = block.push(term.pattern);
            block.must.push(positions);
        }
        for term in must_not.iter().filter(is_mine) {
            let (positions, anchored) = block.push(term.pattern);
            let ends = if anchored { &mut block.banned_at_end } else { &mut block.banned };
            set(ends, positions.end);
        }
        block
    }

    /// Adds the positions of a pattern. Returns them, and whether the pattern is anchored.
    fn push(&mut self, pattern: &[u8]) -> (Positions, bool) {
        let start = self.first.len();
        let (body, anchored) = match pattern {
            // What a `*` matches before the anchor, it matches without.
            [body @ .., b'*', b'$'] => (body, false),
            [body @ .., b'$'] => (body, true),
            _ => (pattern, false),
        };
        let mut bit = start;
        for byte in body {
            if *byte == b'*' {
                set(&mut self.stays, bit);
            } else {
                let words = self.stays.len();
                let row = match self.rows[usize::from(*byte)] {
                    0 => {
                        let row = self.masks.len() / words;
                        self.masks.resize(self.masks.len() + words, 0);
                        self.rows[usize::from(*byte)] = row as u16;
                        row
                    }
                    row => usize::from(row),
                };
                set(&mut self.masks[row * words..(row + 1) * words], bit);
                self.first.push(start as u32);
                bit += 1;
            }
        }
        self.first.push(start as u32);
        if !anchored {
            set(&mut self.stays, bit);
        }
        (Positions { start, end: bit }, anchored)
    }

    /// Sets the positions before the first byte.
    fn begin(&self, state: &mut [u64]) {
        let mut last = u32::MAX;
        for (bit, first) in self.first.iter().enumerate() {
            if *first != last {
                set(state, bit);
                last = *first;
            }
        }
    }

    /// Moves all positions over a byte.
    fn step(&self, from: &[u64], byte: u8, to: &mut [u64]) {
        let words = from.len();
        let row = usize::from(self.rows[usize::from(byte)]);
        let masks = &self.masks[row * words..(row + 1) * words];
        let mut carry = 0;
        for word in 0..words {
            let moved = from[word] & masks[word];
            to[word] = moved << 1 | carry | from[word] & self.stays[word];
            carry = moved >> 63;
        }
        // Positions before a `*` that is reached now.
        for word in 0..words {
            let mut reached = to[word] & self.stays[word] & !from[word];
            while reached != 0 {
                let bit = word * 64 + reached.trailing_zeros() as usize;
                reached &= reached - 1;
                clear(to, self.first[bit] as usize, bit);
            }
        }
    }

    /// Reports whether no path that goes on from here can be the one in question.
    fn is_dead(&self, state: &[u64]) -> bool {
        state.iter().zip(&self.banned).any(|(state, banned)| state & banned != 0)
            || self.must.iter().any(|pattern| !any(state, pattern.start, pattern.end + 1))
    }

    /// Reports whether a path that ends here is one.
    fn is_found(&self, state: &[u64]) -> bool {
        let is_banned = |ends: &[u64]| state.iter().zip(ends).any(|(state, end)| state & end != 0);
        !is_banned(&self.banned)
            && !is_banned(&self.banned_at_end)
            && self.must.iter().all(|pattern| state[pattern.end / 64] >> (pattern.end % 64) & 1 == 1)
    }
}

fn set(words: &mut [u64], bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

/// Clears the bits from `start` to before `end`.
fn clear(words: &mut [u64], start: usize, end: usize) {
    for_words(start, end, |word, mask| words[word] &= !mask);
}

/// Reports whether a bit from `start` to before `end` is set.
fn any(words: &[u64], start: usize, end: usize) -> bool {
    let mut seen = 0;
    for_words(start, end, |word, mask| seen |= words[word] & mask);
    seen != 0
}

fn for_words(start: usize, end: usize, mut visit: impl FnMut(usize, u64)) {
    let mut at = start;
    while at < end {
        let (word, low) = (at / 64, at % 64);
        let count = (64 - low).min(end - at);
        visit(word, u64::MAX >> (64 - count) << low);
        at += count;
    }
}

/// Returns the bytes to try, the most readable first: those that matter to some pattern or to the space, and one that
/// stands for all others.
fn alphabet<'t>(terms: impl Iterator<Item = &'t Term<'t>>, Space { paths, readers }: Space) -> Vec<u8> {
    let mut wanted = [false; 256];
    let mut has_percent = false;
    for term in terms {
        for byte in term.pattern {
            wanted[usize::from(*byte)] = true;
        }
        has_percent |= term.reader != Reader::Unchanged && term.pattern.contains(&b'%');
    }
    // `*` and `$` are bytes of a pattern only if they are not its wildcards; more bytes than needed cost a little.
    wanted[usize::from(b'/')] = true;
    wanted[usize::from(b'?')] = true;
    let mixed = readers[0] != readers[1];
    if mixed || has_percent {
        // Any escape can matter.
        for byte in *b"%0123456789ABCDEF" {
            wanted[usize::from(byte)] = true;
        }
        if mixed {
            (0..=u8::MAX).filter(|byte| Reader::escapes_plain(*byte)).for_each(|byte| wanted[usize::from(byte)] = true);
        }
    }
    if paths == Paths::Raw && readers != [Reader::Unchanged; 2] {
        wanted = [true; 256];
    }
    let others = (0..=u8::MAX).filter(|byte| !wanted[usize::from(*byte)]);
    if let Some(other) = others.min_by_key(|byte| readability(*byte)) {
        wanted[usize::from(other)] = true;
    }
    if paths != Paths::Raw && !mixed && readers != [Reader::Unchanged; 2] {
        // The canonical form escapes these: their escapes are the paths that it leaves as they are.
        (0..=u8::MAX).filter(|byte| Reader::escapes_plain(*byte)).for_each(|byte| wanted[usize::from(byte)] = false);
    }
    let mut alphabet: Vec<u8> = (0..=u8::MAX).filter(|byte| wanted[usize::from(*byte)]).collect();
    alphabet.sort_unstable_by_key(|byte| readability(*byte));
    alphabet
}

/// Returns a number to sort bytes by: letters before digits, before signs that are common in paths, before others.
///
/// Letters that are hex digits come after the others: beside a `%` they could make an escape.
fn readability(byte: u8) -> (u8, u8) {
    let class = match byte {
        b'g'..=b'z' => 0,
        b'a'..=b'f' => 1,
        b'0'..=b'9' => 2,
        b'A'..=b'Z' => 3,
        b'-' | b'_' => 4,
        b'/' | b'.' => 5,
        b'?' | b'=' | b'&' => 6,
        0x21..=0x7E => 7,
        _ => 8,
    };
    // `x` is the usual name for anything.
    (class, if class == 0 { (byte + 26 - b'x') % 26 } else { byte })
}

/// A state that was reached.
#[derive(Clone, Copy, Debug)]
struct Seen {
    before: u32,
    byte: u8,
    path: PathState,
    readings: [Reading; 2],
}

struct Search<'b> {
    blocks: Vec<Block>,
    words: usize,
    paths: Paths,
    budget: &'b Budget,
    left: u64,
    /// For each state its words, the last of which holds the numbers of path and readings.
    arena: Vec<u64>,
    seen: Vec<Seen>,
    known: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<'b> Search<'b> {
    fn new(blocks: Vec<Block>, paths: Paths, budget: &'b Budget) -> Self {
        let words = blocks.last().map_or(0, |block| block.end) + 1;
        let left = budget.per_search;
        Self {
            blocks,
            words,
            paths,
            budget,
            left,
            arena: Vec::new(),
            seen: Vec::new(),
            known: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    fn run(mut self, alphabet: &[u8]) -> Result<Option<Vec<u8>>, NotDecided> {
        let mut state = vec![0; self.words];
        for block in &self.blocks {
            block.begin(&mut state[block.start..block.end]);
        }
        let start = Seen { before: 0, byte: 0, path: self.paths.start(), readings: [Reading::default(); 2] };
        if self.blocks.iter().any(|block| block.is_dead(&state[block.start..block.end])) {
            // A pattern that must not match matches every path.
            return Ok(None);
        }
        self.intern(&mut state, start);
        let mut scratch = vec![0; self.words];
        let mut at = 0;
        while at < self.seen.len() {
            let from = self.seen[at];
            for &byte in alphabet {
                let Some(path) = from.path.step(byte) else { continue };
                self.spend(self.words as u64)?;
                let mut seen = Seen { before: at as u32, byte, path, ..from };
                if !self.step(at, byte, &mut seen, &mut state, &mut scratch) {
                    continue;
                }
                if seen.path.is_whole() && self.is_found(&seen, &state, &mut scratch) {
                    return Ok(Some(self.path_to(seen)));
                }
                self.intern(&mut state, seen);
            }
            at += 1;
        }
        Ok(None)
    }

    fn spend(&mut self, work: u64) -> Result<(), NotDecided> {
        if work > self.left {
            return Err(NotDecided);
        }
        self.left -= work;
        self.budget.take(work)
    }

    /// Moves a state over a byte. Returns whether a path that goes on can still be the one in question.
    fn step(&self, at: usize, byte: u8, seen: &mut Seen, state: &mut [u64], scratch: &mut [u64]) -> bool {
        state[..self.words - 1].copy_from_slice(&self.arena[at * self.words..(at + 1) * self.words - 1]);
        for (block, reading) in self.blocks.iter().zip(&mut seen.readings) {
            let written = block.reader.step(reading, byte);
            let (state, scratch) = (&mut state[block.start..block.end], &mut scratch[block.start..block.end]);
            for byte in written.as_bytes() {
                block.step(state, *byte, scratch);
                state.copy_from_slice(scratch);
            }
            if block.is_dead(state) {
                return false;
            }
        }
        true
    }

    /// Reports whether the path that ends in a state is the one in question.
    fn is_found(&self, seen: &Seen, state: &[u64], scratch: &mut [u64]) -> bool {
        self.blocks.iter().zip(seen.readings).all(|(block, reading)| {
            let held = block.reader.finish(reading);
            let mut at_end = state[block.start..block.end].to_vec();
            let scratch = &mut scratch[block.start..block.end];
            for byte in held.as_bytes() {
                block.step(&at_end, *byte, scratch);
                at_end.copy_from_slice(scratch);
            }
            block.is_found(&at_end)
        })
    }

    /// Adds a state, unless it is known.
    fn intern(&mut self, state: &mut [u64], seen: Seen) {
        state[self.words - 1] = seen.path.number(seen.readings);
        let (arena, words, hasher) = (&self.arena, self.words, &self.hasher);
        let of = |id: &u32| &arena[*id as usize * words..(*id as usize + 1) * words];
        let hash = hasher.hash_one(&*state);
        if self.known.find(hash, |id| of(id) == state).is_some() {
            return;
        }
        let id = self.seen.len() as u32;
        self.known.insert_unique(hash, id, |id| hasher.hash_one(of(id)));
        self.arena.extend_from_slice(state);
        self.seen.push(seen);
    }

    /// Returns the path that leads to a state.
    fn path_to(&self, mut seen: Seen) -> Vec<u8> {
        let mut path = vec![seen.byte];
        while seen.before != 0 {
            seen = self.seen[seen.before as usize];
            path.push(seen.byte);
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests;
