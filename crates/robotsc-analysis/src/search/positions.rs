//! Positions in patterns, one bit each, and what a byte of the path does to them.
//!
//! ```text
//! pattern     /a*c        bits   0 1 2 3      0 before `/`, 1 before `a`, 2 before `c`, 3 at the end
//! stays                              2 3      the `*` keeps bit 2; a match stays one
//! after "/ax"                        2
//! ```
//!
//! The patterns that must match have a bit for each position. Those that must not match have bits from their first `*`
//! on only; before that they are [`Starts`]. Most rules of a long file have no `*`, so the bits are few.

use super::Term;
use super::starts::{After, Starts};
use crate::patterns::heads::head;
use crate::space::Reader;

/// A place in a pattern that must match, and one in a pattern that must not, from where the second matches whatever the
/// first does: both are after a `*`, and the rest of the second is the start of the rest of the first.
#[derive(Clone, Copy, Debug)]
struct Cover {
    /// The bit of the first place, and that of the end of its pattern.
    must: Positions,
    /// Those of the second.
    must_not: Positions,
}

/// The maximum work of all covers in a step, in words. Covers only drop states early: without those that are left out,
/// the answer is the same.
const MAX_COVER_WORDS: u64 = 1 << 12;

/// The maximum work of finding covers, in comparisons of words.
const MAX_COVER_SEARCH: u64 = 1 << 20;

/// A pattern that must match: its bits.
#[derive(Clone, Copy, Debug)]
struct Positions {
    /// The bit of the first position.
    start: usize,
    /// The bit of the end.
    end: usize,
}

/// What follows a `*` of a pattern that must match.
#[derive(Clone, Copy, Debug)]
struct Tail<'p> {
    text: &'p [u8],
    must_be_at_end: bool,
    positions: Positions,
}

/// Returns a pattern without its anchor, and whether the anchor matters.
fn body_of(pattern: &[u8]) -> (&[u8], bool) {
    match pattern {
        // What a `*` matches before the anchor, it matches without.
        [body @ .., b'*', b'$'] => (body, false),
        [body @ .., b'$'] => (body, true),
        _ => (pattern, false),
    }
}

/// Splits a pattern before its first `*`, or before its anchor.
fn split(pattern: &[u8]) -> (&[u8], &[u8]) {
    pattern.split_at(head(pattern).len())
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    pub(super) fn overlaps(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }
}

/// The positions of all patterns with one reader.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) reader: Reader,
    /// Where its words start in a state, and end.
    pub(super) start: usize,
    pub(super) end: usize,
    /// For each byte, which positions it follows: an index into `masks`, in rows; 0 is the row without any.
    rows: [u16; 256],
    masks: Vec<u64>,
    /// The positions that stay, whatever follows: those before a `*`, and the ends of patterns without an anchor.
    stays: Vec<u64>,
    /// For each bit, the first of its pattern.
    first: Vec<u32>,
    /// For each bit, the byte that follows; any at an end.
    awaited: Vec<u8>,
    /// The bits that wait for a byte: all but ends.
    waiting: Vec<u64>,
    must: Vec<Positions>,
    covers: Vec<Cover>,
    /// The work of looking at all covers in a step, and that of finding them.
    cover_words: u64,
    cover_search: u64,
    /// The patterns that must not match, up to their first `*`.
    starts: Starts,
    /// The ends of patterns that must not match and have no anchor.
    banned: Vec<u64>,
    /// The ends of those with an anchor.
    banned_at_end: Vec<u64>,
}

impl Block {
    pub(super) fn new(reader: Reader, must: &[Term<'_>], must_not: &[Term<'_>], start: usize) -> Self {
        let is_mine = |term: &&Term<'_>| term.reader == reader;
        // Patterns that must not match have bits from their first `*` on.
        let starts: Vec<(&[u8], &[u8])> = must_not.iter().filter(is_mine).map(|term| split(term.pattern)).collect();
        let of_must = must.iter().filter(is_mine).map(|term| term.pattern);
        let rests = starts.iter().map(|(_, rest)| *rest).filter(|rest| rest.starts_with(b"*"));
        let bits: usize = of_must.chain(rests).map(|pattern| pattern.len() + 1).sum();
        let words = bits.div_ceil(64);
        let mut block = Self {
            reader,
            start,
            end: start + words + 1,
            rows: [0; 256],
            masks: vec![0; words],
            stays: vec![0; words],
            first: Vec::with_capacity(bits),
            awaited: Vec::with_capacity(bits),
            waiting: vec![0; words],
            must: Vec::with_capacity(must.len()),
            covers: Vec::new(),
            cover_words: 0,
            cover_search: 0,
            starts: Starts::default(),
            banned: vec![0; words],
            banned_at_end: vec![0; words],
        };
        let mut tails = Vec::new();
        for term in must.iter().filter(is_mine) {
            let (positions, anchored) = block.push(term.pattern);
            block.must.push(positions);
            let tail = |(text, positions)| Tail { text, must_be_at_end: anchored, positions };
            tails.extend(tails_of(term.pattern, positions).map(tail));
        }
        let mut heads = Vec::with_capacity(starts.len());
        for (head, rest) in starts {
            if !rest.starts_with(b"*") {
                heads.push((head, if rest.is_empty() { After::Matches } else { After::MatchesAtEnd }));
                continue;
            }
            let (positions, anchored) = block.push(rest);
            block.find_covers(&tails, rest, positions, anchored);
            let ends = if anchored { &mut block.banned_at_end } else { &mut block.banned };
            set(ends, positions.end);
            heads.push((head, After::Position(positions.start)));
        }
        block.starts = Starts::new(heads);
        block
    }

    /// Adds the covers of the tails that must match by those of a pattern that must not, until there are too many.
    fn find_covers(&mut self, tails: &[Tail<'_>], rest: &[u8], positions: Positions, anchored: bool) {
        for (other, must_not) in tails_of(rest, positions) {
            for Tail { text, must_be_at_end, positions: must } in tails {
                if self.cover_words >= MAX_COVER_WORDS || self.cover_search >= MAX_COVER_SEARCH {
                    return;
                }
                let compared = if text.len() < other.len() { 0 } else { other.len() };
                self.cover_search += 1 + compared as u64 / 64;
                let is_covered = if anchored { *must_be_at_end && *text == other } else { text.starts_with(other) };
                if is_covered {
                    let cover = Cover { must: *must, must_not };
                    self.cover_words += cover.words();
                    self.covers.push(cover);
                }
            }
        }
    }

    /// Adds the positions of a pattern. Returns them, and whether the pattern is anchored.
    fn push(&mut self, pattern: &[u8]) -> (Positions, bool) {
        let start = self.first.len();
        let (body, anchored) = body_of(pattern);
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
                set(&mut self.waiting, bit);
                self.first.push(start as u32);
                self.awaited.push(*byte);
                bit += 1;
            }
        }
        self.first.push(start as u32);
        self.awaited.push(0);
        if !anchored {
            set(&mut self.stays, bit);
        }
        (Positions { start, end: bit }, anchored)
    }

    /// Returns the work of making it: the size of its tables, in words, and the comparisons of tails.
    pub(super) fn work(&self) -> u64 {
        (self.masks.len() + self.starts.len()) as u64 + self.cover_search
    }

    /// Returns the work of looking at its covers in a step.
    pub(super) const fn cover_words(&self) -> u64 {
        self.cover_words
    }

    /// Sets the positions before the first byte.
    pub(super) fn begin(&self, state: &mut [u64]) {
        let (positions, cursor) = state.split_at_mut(state.len() - 1);
        for pattern in &self.must {
            set(positions, pattern.start);
        }
        cursor[0] = self.starts.begin(|bit| set(positions, bit));
    }

    /// Moves all positions over a byte.
    pub(super) fn step(&self, from: &[u64], byte: u8, to: &mut [u64]) {
        let words = from.len() - 1;
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
        to[words] = self.starts.step(from[words], byte, |bit| set(to, bit));
    }

    /// Adds the bytes that some position waits for. All others do the same to this block.
    pub(super) fn await_bytes(&self, state: &[u64], bytes: &mut ByteSet) {
        let (positions, cursor) = state.split_at(state.len() - 1);
        for (word, (state, waiting)) in positions.iter().zip(&self.waiting).enumerate() {
            let mut bits = state & waiting;
            while bits != 0 {
                bytes.insert(self.awaited[word * 64 + bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
        self.starts.await_bytes(cursor[0], |byte| bytes.insert(byte));
    }

    /// Returns the bytes that a path has at least before all patterns that must match do.
    pub(super) fn ahead(&self, state: &[u64]) -> u32 {
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
    pub(super) fn can_step(&self, from: &[u64], byte: u8) -> bool {
        let words = from.len() - 1;
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
    pub(super) fn is_dead(&self, state: &[u64]) -> bool {
        state[state.len() - 1] == Starts::MATCHED
            || state.iter().zip(&self.banned).any(|(state, banned)| state & banned != 0)
            || self.must.iter().any(|pattern| !any(state, pattern.start, pattern.end + 1))
            || self.covers.iter().any(|cover| cover.holds(state))
    }

    /// Reports whether a path that ends here is one.
    pub(super) fn is_found(&self, state: &[u64]) -> bool {
        let is_banned = |ends: &[u64]| state.iter().zip(ends).any(|(state, end)| state & end != 0);
        state[state.len() - 1] != Starts::MATCHED
            && !self.starts.matches_at_end(state[state.len() - 1])
            && !is_banned(&self.banned)
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
        (0..=must.end - must.start)
            .step_by(64)
            .all(|on| bits_from(state, must, on) & !bits_from(state, must_not, on) == 0)
    }

    /// Returns the work of [`Cover::holds`].
    const fn words(&self) -> u64 {
        1 + (self.must.end - self.must.start) as u64 / 64
    }
}

/// Returns the bits of some positions from one on, at most 64.
fn bits_from(state: &[u64], positions: &Positions, on: usize) -> u64 {
    let from = positions.start + on;
    let Some(count) = (positions.end + 1).checked_sub(from).filter(|count| *count > 0) else { return 0 };
    let (word, low) = (from / 64, from % 64);
    let next = if low > 0 { state.get(word + 1).map_or(0, |next| next << (64 - low)) } else { 0 };
    (state[word] >> low | next) & u64::MAX >> (64 - count.min(64))
}

/// Returns what follows each `*` of a pattern, without its anchor, with the bits of its positions.
fn tails_of(pattern: &[u8], positions: Positions) -> impl Iterator<Item = (&[u8], Positions)> {
    // As `Block::push` reads it: a `$` that is left is a byte like others.
    let (body, _) = body_of(pattern);
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
