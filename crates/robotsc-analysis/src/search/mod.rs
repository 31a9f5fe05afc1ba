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
//! shortest: a state counts the bytes so far and those that the patterns still ask for (A*). So the first path found is
//! a shortest one, and bytes that no pattern asks for are letters before signs.
//!
//! A state is a set of [positions] in the patterns. What keeps the states few is exact:
//! - if a pattern that must match has no position left, or one that must not match has matched, the state is dropped;
//! - so it is if one that must not match goes on as one that must does: it matches whatever the other does;
//! - if a `*` is reached, the positions before it in that pattern are dropped: what they lead to, the `*` leads to;
//! - bytes that no pattern holds are one byte: the most readable of those that need no escape.
//!
//! The cost of a search is bounded by a [`Budget`]. If it is spent, the answer is [`NotDecided`], never a guess.

mod positions;
mod starts;

use std::cell::Cell;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use robotsc_compiler::pattern_matches as matches;

use crate::patterns::heads::head;
use crate::patterns::instance::{fresh_byte, shortest_instance};
use crate::patterns::pairs::Pairs;
use crate::space::{PathState, Paths, Reader, Reading, is_in_urls};
use positions::{Block, ByteSet};

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
    /// The work of one search, by default: some 200 ms.
    pub const PER_SEARCH: u64 = 1 << 26;
    /// The work of all searches on a file, by default: about a second.
    pub const IN_ALL: u64 = 1 << 27;

    /// Allows `per_search` units of work to each search, and `in_all` to all together.
    #[must_use]
    pub const fn new(per_search: u64, in_all: u64) -> Self {
        Self { left: Cell::new(in_all), per_search }
    }

    /// Reports whether no work is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns the work that is left.
    pub(crate) fn left(&self) -> u64 {
        self.left.get()
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

/// The longest pattern that is searched with. Lines of `google` have at most 16,663 bytes.
const MAX_PATTERN_BYTES: usize = 60_000;

/// The number of patterns that are ruled out in the time of a unit of [`Budget`], or of bytes of which pairs are read.
pub(crate) const LOOKS_PER_UNIT: u64 = 4;

/// Returns the work of matching one pattern with one path. A `*` makes the match read on.
pub(crate) fn match_work(pattern: &[u8], path: &[u8]) -> u64 {
    const START: u64 = 4;
    if pattern.contains(&b'*') { START + (pattern.len() + path.len()) as u64 / 2 } else { START }
}

/// The work of a step beside that of moving words: hashing, looking up, keeping a state.
const STEP: u64 = 32;

/// A normal pattern, and how it sees a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term<'p> {
    pub(crate) pattern: &'p [u8],
    pub(crate) pairs: Pairs,
    pub(crate) reader: Reader,
}

impl<'p> Term<'p> {
    pub(crate) fn new(pattern: &'p [u8], reader: Reader) -> Self {
        Self { pattern, pairs: Pairs::of_pattern(pattern), reader }
    }
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
    if must.iter().chain(must_not).any(|term| term.pattern.len() > MAX_PATTERN_BYTES) {
        return Err(NotDecided);
    }
    budget.take(must_not.len() as u64)?;
    let Some(must_not) = related(must, must_not) else { return Ok(None) };
    let must_not = &must_not;
    if let Some((must, must_not)) = plain_terms(must, must_not, space) {
        let has_escape = must.iter().any(|term| term.pattern.contains(&b'%'));
        let plain = Space { paths: if has_escape { Paths::Plain } else { space.paths }, ..space };
        let found = search(&must, &must_not, plain, budget)?;
        if found.is_none() && is_plain_enough(&must, &must_not) {
            return Ok(None);
        }
        // Patterns that were left out can match a path with an escape, or one with a `'`. If such a path was found, or
        // none, paths with escapes have the last word.
        let is_plain = |path: &Vec<u8>| {
            !path.contains(&b'\'') && if has_escape { space.readers[0].keeps(path) } else { !path.contains(&b'%') }
        };
        if found.as_ref().is_some_and(is_plain) {
            return Ok(found);
        }
    }
    search(must, must_not, space, budget)
}

/// Keeps the patterns of `must_not` that can match a path which all of `must` do, by their heads. `None` if the heads
/// of `must` exclude each other, so that there is no such path.
fn related<'p>(must: &[Term<'p>], must_not: &[Term<'p>]) -> Option<Vec<Term<'p>>> {
    let fit = |one: &[u8], other: &[u8]| one.starts_with(other) || other.starts_with(one);
    // Patterns with several readers see several texts.
    let mut longest: Vec<(Reader, &[u8])> = Vec::new();
    for term in must {
        let head = head(term.pattern);
        match longest.iter_mut().find(|(reader, _)| *reader == term.reader) {
            Some((_, other)) if !fit(other, head) => return None,
            Some((_, other)) if head.len() > other.len() => *other = head,
            Some(_) => {}
            None => longest.push((term.reader, head)),
        }
    }
    let can_match = |term: &&Term<'_>| {
        let of_must = longest.iter().find(|(reader, _)| *reader == term.reader);
        of_must.is_none_or(|(_, of_must)| fit(of_must, head(term.pattern)))
    };
    Some(must_not.iter().filter(can_match).copied().collect())
}

/// As [`shortest_path`], for patterns that see the bytes of a path as their readers do.
fn search(
    must: &[Term<'_>],
    must_not: &[Term<'_>],
    space: Space,
    budget: &Budget,
) -> Result<Option<Vec<u8>>, NotDecided> {
    if let Some(path) = at_once(must, must_not, space, budget)? {
        return Ok(Some(path));
    }
    let mut readers: Vec<Reader> = must.iter().chain(must_not).map(|term| term.reader).collect();
    readers.sort_unstable();
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

/// Returns patterns of a canonical form, to be compared with paths as they are. `None` if this does not suffice.
///
/// The canonical form leaves most paths as they are, and what it makes of the others is such a path but for a `'`,
/// which a client writes as `%27` in a query. If no pattern that must match holds a `'`, a letter can be in its place.
/// If none holds a `%`, a letter can be in the place of that, too: then patterns with escapes match no such path.
fn plain_terms<'p>(must: &[Term<'p>], must_not: &[Term<'p>], space: Space) -> Option<(Vec<Term<'p>>, Vec<Term<'p>>)> {
    let is_canonical = matches!(space.readers, [Reader::Canonical { .. }, other] if other == space.readers[0]);
    if !is_canonical || space.paths == Paths::Raw {
        return None;
    }
    let is_plain = |term: &Term<'_>| {
        let literal = term.pattern.strip_suffix(b"$").unwrap_or(term.pattern);
        let is_byte = |byte: &u8| *byte == b'*' || !(matches!(byte, b'\'' | 0x80..) || Reader::escapes_plain(*byte));
        literal.iter().all(is_byte)
    };
    if !must.iter().all(is_plain) {
        return None;
    }
    let has_escape = |term: &Term<'_>| term.pattern.contains(&b'%');
    let with_escapes = must.iter().any(has_escape);
    let unchanged = |term: &Term<'p>| Term { reader: Reader::Unchanged, ..*term };
    let kept = must_not.iter().filter(|term| is_plain(term) && (with_escapes || !has_escape(term)));
    Some((must.iter().map(unchanged).collect(), kept.map(unchanged).collect()))
}

/// Reports whether no path is one in question if no plain path is, by these patterns of [`plain_terms`].
///
/// The text that patterns see of any path becomes a plain path: a letter that no pattern holds takes the place of each
/// `'`, and of each `%` that no plain path has there, such as the first of `%%32E`. No pattern
/// that must match holds such a `%`, so a `*` matches the letter. No other pattern matches more than before. So it is
/// if each `%` of the patterns that must match begins an escape that stays.
fn is_plain_enough(must: &[Term<'_>], must_not: &[Term<'_>]) -> bool {
    let begins_escape = |text: &[u8]| match text {
        [b'%', high @ (b'0'..=b'9' | b'A'..=b'F'), low @ (b'0'..=b'9' | b'A'..=b'F'), ..] => {
            Paths::Plain.contains(&[b'/', b'%', *high, *low])
        }
        _ => false,
    };
    let stays =
        |pattern: &[u8]| (0..pattern.len()).filter(|at| pattern[*at] == b'%').all(|at| begins_escape(&pattern[at..]));
    must.iter().all(|term| stays(term.pattern))
        && fresh_byte(must.iter().chain(must_not).map(|term| term.pattern)).is_some()
}

/// Returns the first path that a search for all of these patterns would try, if it is in the space and they see it as
/// it is. If all of them match it, no path that they match is shorter.
///
/// A caller that can tell quickly which rules decide this path can do without the search.
pub(crate) fn first_tried(must: &[Term<'_>], space: Space) -> Option<Vec<u8>> {
    let is_same_form = space.readers[0] == space.readers[1];
    let is_as_written = |term: &Term<'_>| {
        let literal = term.pattern.strip_suffix(b"$").unwrap_or(term.pattern);
        let is_byte =
            |byte: &u8| *byte == b'*' || !(matches!(byte, b'%' | b'\'' | 0x80..) || Reader::escapes_plain(*byte));
        match term.reader {
            Reader::Unchanged => true,
            Reader::Escaped => false,
            Reader::Canonical { .. } => space.paths != Paths::Raw && literal.iter().all(is_byte),
        }
    };
    if !is_same_form || !must.iter().all(is_as_written) {
        return None;
    }
    let path = must.iter().map(|term| shortest_instance(term.pattern)).max_by_key(Vec::len)?;
    let is_path = space.paths.contains(&path) && must.iter().all(|term| matches(term.pattern, &path));
    is_path.then_some(path)
}

/// Tries the shortest path of each pattern that must match: that in which each `*` matches nothing. No path that
/// matches all of them is shorter than the longest of these, and no other is as short. `None` if a search must tell.
fn at_once(
    must: &[Term<'_>],
    must_not: &[Term<'_>],
    space: Space,
    budget: &Budget,
) -> Result<Option<Vec<u8>>, NotDecided> {
    if must.iter().chain(must_not).any(|term| term.reader != Reader::Unchanged) {
        return Ok(None);
    }
    let shortest = must.iter().map(|term| shortest_instance(term.pattern)).max_by_key(Vec::len);
    let Some(path) = shortest else { return Ok(None) };
    let pairs = Pairs::of_path(&path);
    let can_match = |term: &&Term<'_>| term.pairs.are_in(pairs);
    budget.take((path.len() + must_not.len()) as u64 / LOOKS_PER_UNIT)?;
    if !space.paths.contains(&path) || !must.iter().all(|term| can_match(&term)) {
        return Ok(None);
    }
    budget
        .take(must.iter().chain(must_not.iter().filter(can_match)).map(|term| match_work(term.pattern, &path)).sum())?;
    let is_path = must.iter().all(|term| matches(term.pattern, &path))
        && !must_not.iter().filter(can_match).any(|term| matches(term.pattern, &path));
    Ok(is_path.then_some(path))
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

/// The bytes that are tried from a state.
#[derive(Debug, Default)]
struct Tried {
    /// Each with the state of the path after it.
    bytes: Vec<(u8, PathState)>,
    /// What those do that no position waits for.
    effects: Vec<u64>,
}

/// What a byte does to the state of the path and to those of the readers.
#[derive(Clone, Copy, Debug)]
struct Step {
    byte: u8,
    path: PathState,
    /// What the readers write.
    written: ByteSet,
    /// A number for the states after it, and for which readers write anything. Steps with equal numbers, of bytes that
    /// no position waits for, lead to one state: there a second byte does what the first did.
    effect: u64,
}

/// Returns the steps that a path can take from a state, for each byte of the alphabet.
fn steps_from(from: &Seen, blocks: &[Block], alphabet: &[u8]) -> Box<[Step]> {
    let step = |byte: u8| {
        let path = from.path.step(byte)?;
        let (mut readings, mut written, mut writes) = (from.readings, ByteSet::default(), 0);
        for (at, (block, reading)) in blocks.iter().zip(&mut readings).enumerate() {
            let bytes = block.reader.step(reading, byte);
            bytes.as_bytes().iter().for_each(|byte| written.insert(*byte));
            writes |= u64::from(!bytes.as_bytes().is_empty()) << at;
        }
        Some(Step { byte, path, written, effect: path.number(readings) << blocks.len() | writes })
    };
    alphabet.iter().filter_map(|byte| step(*byte)).collect()
}

struct Search<'b> {
    blocks: Vec<Block>,
    words: usize,
    /// The work of the covers in a step.
    cover_words: u64,
    paths: Paths,
    budget: &'b Budget,
    left: u64,
    /// For each state its words, the last of which holds the numbers of path and readings.
    arena: Vec<u64>,
    seen: Vec<Seen>,
    /// The states to try, by the bytes that a path through them has at least.
    open: Vec<Vec<u32>>,
    known: HashTable<u32>,
    /// The steps from each state of path and readers, by its number.
    steps: HashMap<u64, Box<[Step]>>,
    hasher: DefaultHashBuilder,
}

impl<'b> Search<'b> {
    fn new(blocks: Vec<Block>, paths: Paths, budget: &'b Budget) -> Self {
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
        let mut tried = Tried::default();
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
            self.spend((self.words + alphabet.len()) as u64)?;
            self.choose(&from, &state, alphabet, &mut tried);
            // The last that is added is tried first.
            for &(byte, path) in tried.bytes.iter().rev() {
                if !self.can_step(at, byte) {
                    continue;
                }
                self.spend(self.words as u64 + self.cover_words + STEP)?;
                let mut seen = Seen { before: at, byte, path, is_closed: false, length: from.length + 1, ..from };
                if self.step(at, byte, &mut seen, &mut state, &mut scratch) {
                    self.intern(&mut state, seen);
                }
            }
        }
        Ok(None)
    }

    /// Chooses the bytes to try from a state, the most readable first. Of those that no position waits for, one is
    /// enough for each effect: they do the same to all patterns.
    fn choose(&mut self, from: &Seen, state: &[u64], alphabet: &[u8], tried: &mut Tried) {
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
