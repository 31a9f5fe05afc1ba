//! The search itself: states of all patterns, tried where the path can become shortest (A*).

use robotsc_compiler::small_sort::SmallSort as _;

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::SearchSpace;
use super::Term;
use super::limits::{NotDecided, SearchBudget};
use super::positions::{Block, ByteSet};
use super::reductions::at_once;
use crate::space::{PathState, Paths, Reader, Reading};

/// The work of a step beside that of moving words: hashing, looking up, keeping a state.
const STEP: u64 = 32;

/// The work of reading a pattern into the tables of a search: keeping its start, and sorting all starts.
const PATTERN: u64 = 24;
/// The bytes of patterns that are read in the time of a unit of work.
const BYTES_PER_UNIT: u64 = 8;

/// As [`shortest_path`], for patterns that see the bytes of a path as their readers do.
pub(super) fn search(
    must: &[Term<'_>],
    must_not: &[Term<'_>],
    space: SearchSpace,
    budget: &SearchBudget,
) -> Result<Option<Vec<u8>>, NotDecided> {
    if let Some(path) = at_once(must, must_not, space, budget)? {
        return Ok(Some(path));
    }
    let patterns = || must.iter().chain(must_not).map(|term| term.pattern.len() as u64);
    budget.take(patterns().map(|length| PATTERN + length / BYTES_PER_UNIT).sum())?;
    let mut readers: Vec<Reader> = must.iter().chain(must_not).map(|term| term.reader).collect();
    readers.small_sort_unstable();
    readers.dedup();
    let mut start = 0;
    let mut block = |reader: &Reader| {
        let block = Block::new(*reader, must, must_not, start);
        start = block.end;
        block
    };
    let blocks: Vec<Block> = readers.iter().map(&mut block).collect();
    budget.take(blocks.iter().map(Block::work).sum())?;
    let alphabet = alphabet(must.iter().chain(must_not), space);
    Search::new(blocks, space.paths, budget).run(&alphabet)
}

/// Returns the bytes to try, the most readable first: those that matter to some pattern or to the space, and one that
/// stands for all others.
fn alphabet<'t>(terms: impl Iterator<Item = &'t Term<'t>>, SearchSpace { paths, readers }: SearchSpace) -> Vec<u8> {
    let mut wanted = [false; 256];
    let mut has_percent = false;
    for term in terms {
        for byte in term.pattern {
            wanted[usize::from(*byte)] = true;
        }
        // A `'` of a query is the escape `%27` in every URL, which some readers decode.
        let is_escape = |byte: &u8| matches!(byte, b'%' | b'\'');
        has_percent |= term.reader != Reader::Unchanged && term.pattern.iter().any(is_escape);
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
    // One that is a byte of every space, wherever it is in a path. If all of those are wanted, so are all others.
    let is_sign = |byte: &u8| b"!$&()*+,;=:@".contains(byte) && !Reader::escapes_plain(*byte);
    let is_free = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_~".contains(byte) || is_sign(byte);
    let others = (0..=u8::MAX).filter(|byte| is_free(byte) && !wanted[usize::from(*byte)]);
    match others.min_by_key(|byte| readability(*byte)) {
        Some(other) => wanted[usize::from(other)] = true,
        None => wanted = [true; 256],
    }
    if paths != Paths::Raw && !mixed && readers != [Reader::Unchanged; 2] {
        // The canonical form escapes these: their escapes are the paths that it leaves as they are.
        (0..=u8::MAX).filter(|byte| Reader::escapes_plain(*byte)).for_each(|byte| wanted[usize::from(byte)] = false);
    }
    let mut alphabet: Vec<u8> = (0..=u8::MAX).filter(|byte| wanted[usize::from(*byte)]).collect();
    alphabet.small_sort_unstable_by_key(|byte| readability(*byte));
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
struct ReachedState {
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

/// The bytes that are tried from a state.
#[derive(Debug, Default)]
struct NextBytes {
    /// Each with the state of the path after it.
    bytes: Vec<(u8, PathState)>,
    /// What those do that no position waits for.
    effects: Vec<u64>,
}

/// What a byte does to the state of the path and to those of the readers.
#[derive(Clone, Copy, Debug)]
struct ByteStep {
    byte: u8,
    path: PathState,
    /// What the readers write.
    written: ByteSet,
    /// A number for the states after it, and for which readers write anything. Steps with equal numbers, of bytes that
    /// no position waits for, lead to one state: there a second byte does what the first did.
    effect: u64,
}

/// Returns the steps that a path can take from a state, for each byte of the alphabet.
fn steps_from(from: &ReachedState, blocks: &[Block], alphabet: &[u8]) -> Box<[ByteStep]> {
    let step = |byte: u8| {
        let path = from.path.step(byte)?;
        let (mut readings, mut written, mut writes) = (from.readings, ByteSet::default(), 0);
        for (at, (block, reading)) in blocks.iter().zip(&mut readings).enumerate() {
            let bytes = block.reader.step(reading, byte);
            bytes.as_bytes().iter().for_each(|byte| written.insert(*byte));
            writes |= u64::from(!bytes.as_bytes().is_empty()) << at;
        }
        Some(ByteStep { byte, path, written, effect: path.number(readings) << blocks.len() | writes })
    };
    alphabet.iter().filter_map(|byte| step(*byte)).collect()
}

struct Search<'b> {
    blocks: Vec<Block>,
    words: usize,
    /// The work of the covers in a step.
    cover_words: u64,
    paths: Paths,
    budget: &'b SearchBudget,
    left: u64,
    /// For each state its words, the last of which holds the numbers of path and readings.
    arena: Vec<u64>,
    seen: Vec<ReachedState>,
    /// The states to try, by the bytes that a path through them has at least.
    open: Vec<Vec<u32>>,
    known: HashTable<u32>,
    /// The steps from each state of path and readers, by its number.
    steps: HashMap<u64, Box<[ByteStep]>>,
    hasher: DefaultHashBuilder,
}

impl<'b> Search<'b> {
    fn new(blocks: Vec<Block>, paths: Paths, budget: &'b SearchBudget) -> Self {
        let words = blocks.last().map_or(0, |block| block.end) + 1;
        let left = budget.per_search;
        let cover_words = blocks.iter().map(Block::cover_words).sum();
        Self {
            blocks,
            words,
            cover_words,
            paths,
            budget,
            left,
            arena: Vec::new(),
            seen: Vec::new(),
            open: Vec::new(),
            known: HashTable::new(),
            steps: HashMap::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    fn run(mut self, alphabet: &[u8]) -> Result<Option<Vec<u8>>, NotDecided> {
        let mut state = vec![0; self.words];
        for block in &self.blocks {
            block.begin(&mut state[block.start..block.end]);
        }
        let start = ReachedState {
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
        let mut tried = NextBytes::default();
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
            // Pruning 4: one of the bytes with one effect.
            self.spend((self.words + alphabet.len()) as u64)?;
            self.choose(&from, &state, alphabet, &mut tried);
            // The last that is added is tried first.
            for &(byte, path) in tried.bytes.iter().rev() {
                if !self.can_step(at, byte) {
                    continue;
                }
                self.spend(self.words as u64 + self.cover_words + STEP)?;
                let mut seen =
                    ReachedState { before: at, byte, path, is_closed: false, length: from.length + 1, ..from };
                // Prunings 1 to 3 are part of the step.
                if self.step(at, byte, &mut seen, &mut state, &mut scratch) {
                    self.intern(&mut state, seen);
                }
            }
        }
        Ok(None)
    }

    /// Chooses the bytes to try from a state, the most readable first. Of those that no position waits for, one is
    /// enough for each effect: they do the same to all patterns.
    fn choose(&mut self, from: &ReachedState, state: &[u64], alphabet: &[u8], tried: &mut NextBytes) {
        let mut awaited = ByteSet::default();
        for block in &self.blocks {
            block.await_bytes(&state[block.start..block.end], &mut awaited);
        }
        tried.bytes.clear();
        tried.effects.clear();
        let number = from.path.number(from.readings);
        let blocks = &self.blocks;
        let steps = self.steps.entry(number).or_insert_with(|| steps_from(from, blocks, alphabet));
        for step in steps.iter() {
            if !step.written.overlaps(awaited) {
                if tried.effects.contains(&step.effect) {
                    continue;
                }
                tried.effects.push(step.effect);
            }
            tried.bytes.push((step.byte, step.path));
        }
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
    fn step(&self, at: u32, byte: u8, seen: &mut ReachedState, state: &mut [u64], scratch: &mut [u64]) -> bool {
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
    fn is_found(&self, seen: &ReachedState, state: &[u64], scratch: &mut [u64]) -> bool {
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
    fn intern(&mut self, state: &mut [u64], mut seen: ReachedState) {
        state[self.words - 1] = seen.path.number(seen.readings);
        // Other readers can write more bytes than they read.
        let unchanged = self.blocks.iter().filter(|block| block.reader == Reader::Unchanged);
        seen.ahead = unchanged.map(|block| block.ahead(&state[block.start..block.end])).max().unwrap_or(0);
        let (arena, words, hasher) = (&self.arena, self.words, &self.hasher);
        let of = |id: &u32| &arena[*id as usize * words..(*id as usize + 1) * words];
        let hash = hasher.hash_one(&*state);
        let id = match self.known.find(hash, |id| of(id) == state) {
            Some(&id) => {
                let known = &mut self.seen[id as usize];
                // Of bytes with one effect the last that is added is the most readable.
                let is_better = seen.length == known.length && seen.before == known.before && !known.is_closed;
                if seen.length >= known.length && !is_better {
                    return;
                }
                *known = seen;
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
    fn path_to(&self, mut seen: ReachedState) -> Vec<u8> {
        let mut path = vec![seen.byte];
        while seen.before != 0 {
            seen = self.seen[seen.before as usize];
            path.push(seen.byte);
        }
        path.reverse();
        path
    }
}
