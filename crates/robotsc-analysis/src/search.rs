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
//! The search runs the positions of all patterns at once, byte by byte, together with the automaton of the paths in
//! question ([`Paths`]). States that were seen are not tried again, so it ends. It goes on where the path can become
//! shortest: a state counts the bytes so far and those that the patterns still ask for (A*). So the first path found is a
//! shortest one, and bytes that no pattern asks for are letters before signs.
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
use robotsc_compiler::pattern_matches as matches;

use crate::paths::{PathState, Paths, Reader, Reading, is_in_urls};

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
    pub const PER_SEARCH: u64 = 1 << 23;
    /// The work of all searches on a file, by default: below a second.
    pub const IN_ALL: u64 = 1 << 26;

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
    let is_unseen = |term: &Term<'_>| {
        space.paths == Paths::Urls
            && term.reader == Reader::Unchanged
            && !term.pattern.iter().all(|byte| is_in_urls(*byte))
    };
    if must.iter().any(|term| must_not.contains(term) || is_unseen(term)) {
        return Ok(None);
    }
    match at_once(must, must_not, space, budget)? {
        AtOnce::Found(path) => return Ok(Some(path)),
        AtOnce::Unknown => {}
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

/// What one look at the shortest paths of the patterns decides.
enum AtOnce {
    Found(Vec<u8>),
    Unknown,
}

/// Tries the shortest path of each pattern that must match: that in which each `*` matches nothing. No path that
/// matches all of them is shorter than the longest of these, and no other is as short.
fn at_once(must: &[Term<'_>], must_not: &[Term<'_>], space: Space, budget: &Budget) -> Result<AtOnce, NotDecided> {
    if space.readers != [Reader::Unchanged; 2] {
        return Ok(AtOnce::Unknown);
    }
    let shortest = |term: &Term<'_>| -> Vec<u8> {
        let literal = term.pattern.strip_suffix(b"$").unwrap_or(term.pattern);
        let literal = literal.iter().copied().filter(|byte| *byte != b'*');
        let mut path: Vec<u8> = literal.collect();
        if path.first() != Some(&b'/') {
            path.insert(0, b'/');
        }
        path
    };
    let Some(path) = must.iter().map(shortest).max_by_key(Vec::len) else { return Ok(AtOnce::Unknown) };
    budget.take((must.len() + must_not.len()) as u64)?;
    let is_path = space.paths.contains(&path)
        && must.iter().all(|term| matches(term.pattern, &path))
        && !must_not.iter().any(|term| matches(term.pattern, &path));
    Ok(if is_path { AtOnce::Found(path) } else { AtOnce::Unknown })
}

/// A place in a pattern that must match, and one in a pattern that must not, from where the second matches whatever the
/// first does: both are after a `*`, and the rest of the second is the start of the rest of the first.
#[derive(Clone, Copy, Debug)]
struct Cover {
    /// The bit of the first place, and that of the end of its pattern.
    must: Positions,
    /// Those of the second.
    must_not: Positions,
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
    covers: Vec<Cover>,
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
            covers: Vec::new(),
            banned: vec![0; words],
            banned_at_end: vec![0; words],
        };
        let mut tails = Vec::new();
        for term in must.iter().filter(is_mine) {
            let (positions, _) = block.push(term.pattern);
            block.must.push(positions);
            tails.extend(tails_of(term.pattern, positions));
        }
        for term in must_not.iter().filter(is_mine) {
            let (positions, anchored) = block.push(term.pattern);
            for (other, must_not) in tails_of(term.pattern, positions) {
                let covered = tails.iter().filter(|(tail, _)| tail.starts_with(other) && (!anchored || *tail == other));
                block.covers.extend(covered.map(|(_, must)| Cover { must: *must, must_not }));
            }
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

    /// Returns the bytes that a path has at least before all patterns that must match do.
    fn ahead(&self, state: &[u64]) -> u32 {
        let left = |pattern: &Positions| {
            let mut last = pattern.start;
            for_words(pattern.start, pattern.end + 1, |word, mask| {
                let set = state[word] & mask;
                if set != 0 {
                    last = word * 64 + 63 - set.leading_zeros() as usize;
                }
            });
            pattern.end - last
        };
        self.must.iter().map(left).max().unwrap_or(0) as u32
    }

    /// Reports whether each pattern that must match has a position left after a byte.
    fn can_step(&self, from: &[u64], byte: u8) -> bool {
        let words = from.len();
        let row = usize::from(self.rows[usize::from(byte)]);
        let masks = &self.masks[row * words..(row + 1) * words];
        self.must.iter().all(|pattern| {
            let mut left = 0;
            for_words(pattern.start, pattern.end + 1, |word, mask| {
                left |= from[word] & (masks[word] | self.stays[word]) & mask;
            });
            left != 0
        })
    }

    /// Reports whether no path that goes on from here can be the one in question.
    fn is_dead(&self, state: &[u64]) -> bool {
        state.iter().zip(&self.banned).any(|(state, banned)| state & banned != 0)
            || self.must.iter().any(|pattern| !any(state, pattern.start, pattern.end + 1))
            || self.covers.iter().any(|cover| cover.holds(state))
    }

    /// Reports whether a path that ends here is one.
    fn is_found(&self, state: &[u64]) -> bool {
        let is_banned = |ends: &[u64]| state.iter().zip(ends).any(|(state, end)| state & end != 0);
        !is_banned(&self.banned)
            && !is_banned(&self.banned_at_end)
            && self.must.iter().all(|pattern| state[pattern.end / 64] >> (pattern.end % 64) & 1 == 1)
    }
}

impl Cover {
    /// Reports whether each position of the pattern that must match has one as far on in the other pattern.
    fn holds(&self, state: &[u64]) -> bool {
        let is_set = |bit: usize| state[bit / 64] >> (bit % 64) & 1 == 1;
        let Self { must, must_not } = self;
        if !is_set(must.start) || !is_set(must_not.start) {
            return false;
        }
        // What is before the `*` was dropped when it was reached.
        let mut holds = true;
        for_words(must.start, must.end + 1, |word, mask| {
            let mut bits = state[word] & mask;
            while bits != 0 && holds {
                let on = word * 64 + bits.trailing_zeros() as usize - must.start;
                bits &= bits - 1;
                holds = must_not.start + on <= must_not.end && is_set(must_not.start + on);
            }
        });
        holds
    }
}

/// Returns what follows each `*` of a pattern, with the bits of its positions.
fn tails_of(pattern: &[u8], positions: Positions) -> impl Iterator<Item = (&[u8], Positions)> {
    let body = pattern.strip_suffix(b"*$").unwrap_or(pattern);
    let mut bit = positions.start;
    let mut tails = Vec::new();
    for (at, byte) in body.iter().enumerate() {
        if *byte != b'*' {
            bit += 1;
        } else if body.get(at + 1).is_some_and(|next| *next != b'*') {
            tails.push((&body[at + 1..], Positions { start: bit, end: positions.end }));
        }
    }
    tails.into_iter()
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
    if paths == Paths::Urls && !mixed && readers != [Reader::Unchanged; 2] {
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
    /// Whether all bytes were tried from here.
    is_closed: bool,
    /// The bytes so far.
    length: u32,
    /// The bytes that a path which goes on has at least.
    ahead: u32,
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
    /// The states to try, by the bytes that a path through them has at least.
    open: Vec<Vec<u32>>,
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
            open: Vec::new(),
            known: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    fn run(mut self, alphabet: &[u8]) -> Result<Option<Vec<u8>>, NotDecided> {
        let mut state = vec![0; self.words];
        for block in &self.blocks {
            block.begin(&mut state[block.start..block.end]);
        }
        let start = Seen {
            before: 0,
            byte: 0,
            is_closed: false,
            length: 0,
            ahead: 0,
            path: self.paths.start(),
            readings: [Reading::default(); 2],
        };
        if self.blocks.iter().any(|block| block.is_dead(&state[block.start..block.end])) {
            // A pattern that must not match matches every path.
            return Ok(None);
        }
        self.intern(&mut state, start);
        let mut scratch = vec![0; self.words];
        let mut least = 0;
        while least < self.open.len() {
            let Some(at) = self.open[least].pop() else {
                least += 1;
                continue;
            };
            let from = self.seen[at as usize];
            // It was reached by a shorter path since, or tried.
            if from.is_closed || (from.length + from.ahead) as usize != least {
                continue;
            }
            self.seen[at as usize].is_closed = true;
            state.copy_from_slice(self.words_of(at));
            if from.path.is_whole() && self.is_found(&from, &state, &mut scratch) {
                return Ok(Some(self.path_to(from)));
            }
            // The last that is added is tried first.
            for &byte in alphabet.iter().rev() {
                let Some(path) = from.path.step(byte) else { continue };
                self.spend(1)?;
                if !self.can_step(at, byte) {
                    continue;
                }
                self.spend(self.words as u64)?;
                let mut seen = Seen { before: at, byte, path, is_closed: false, length: from.length + 1, ..from };
                if self.step(at, byte, &mut seen, &mut state, &mut scratch) {
                    self.intern(&mut state, seen);
                }
            }
        }
        Ok(None)
    }

    /// Returns the words of a state.
    fn words_of(&self, at: u32) -> &[u64] {
        &self.arena[at as usize * self.words..(at as usize + 1) * self.words]
    }

    fn spend(&mut self, work: u64) -> Result<(), NotDecided> {
        if work > self.left {
            return Err(NotDecided);
        }
        self.left -= work;
        self.budget.take(work)
    }

    /// Reports whether a byte leaves each pattern that must match a position, as far as one look shows.
    fn can_step(&self, at: u32, byte: u8) -> bool {
        let state = self.words_of(at);
        let mut blocks = self.blocks.iter().filter(|block| block.reader == Reader::Unchanged);
        blocks.all(|block| block.can_step(&state[block.start..block.end], byte))
    }

    /// Moves a state over a byte. Returns whether a path that goes on can still be the one in question.
    fn step(&self, at: u32, byte: u8, seen: &mut Seen, state: &mut [u64], scratch: &mut [u64]) -> bool {
        state.copy_from_slice(self.words_of(at));
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

    /// Adds a state, unless it is known and was reached by a path as short.
    fn intern(&mut self, state: &mut [u64], mut seen: Seen) {
        state[self.words - 1] = seen.path.number(seen.readings);
        // Other readers can write more bytes than they read.
        let unchanged = self.blocks.iter().filter(|block| block.reader == Reader::Unchanged);
        seen.ahead = unchanged.map(|block| block.ahead(&state[block.start..block.end])).max().unwrap_or(0);
        let (arena, words, hasher) = (&self.arena, self.words, &self.hasher);
        let of = |id: &u32| &arena[*id as usize * words..(*id as usize + 1) * words];
        let hash = hasher.hash_one(&*state);
        let id = match self.known.find(hash, |id| of(id) == state) {
            Some(&id) if self.seen[id as usize].length <= seen.length => return,
            Some(&id) => {
                self.seen[id as usize] = seen;
                id
            }
            None => {
                let id = self.seen.len() as u32;
                self.known.insert_unique(hash, id, |id| hasher.hash_one(of(id)));
                self.arena.extend_from_slice(state);
                self.seen.push(seen);
                id
            }
        };
        let least = (seen.length + seen.ahead) as usize;
        if self.open.len() <= least {
            self.open.resize_with(least + 1, Vec::new);
        }
        self.open[least].push(id);
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
