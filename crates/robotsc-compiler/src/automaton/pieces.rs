//! Patterns cut at their `*`, with equal tails shared.
//!
//! All pieces lie in one text, each followed by one slot that stands for its end, so that a place inside a piece is one
//! number. The heads come first, sorted by their bytes: of heads that have matched the same bytes so far, those that go
//! on with the same byte are neighbours.
//!
//! The tails form a forest: the parent of a tail is the tail that follows it in its patterns. They stand in preorder,
//! so that those that lead to a tail follow it, and `leads_to` takes constant time.

use crate::small_sort::SmallSort as _;

use hashbrown::HashTable;
use std::hash::BuildHasher;

use super::RankedPattern;
use super::memory::held;

/// What the slot at the end of a piece holds; others may hold it, too.
const END: u8 = 0;

/// What follows a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Next {
    /// Nothing: the rule has matched.
    Complete,
    /// The end of the path.
    End,
    /// Any bytes, then this tail.
    Star(u32),
}

/// A stretch of bytes between two `*` of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The slot of its first byte.
    pub(super) start: u32,
    /// The slot of its end.
    pub(super) end: u32,
    pub(super) next: Next,
    /// The first tail, which is the piece itself where it is one; [`u32::MAX`] if there is none.
    first_tail: u32,
    /// The end of the tails that lead to this one; 0 for a head.
    leading_end: u32,
}

/// The pieces of a set of patterns.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) text: Vec<u8>,
    /// The piece that a slot belongs to.
    piece_at: Vec<u32>,
    pieces: Vec<Piece>,
    /// The heads, as (piece, rank).
    pub(super) heads: Vec<(u32, u32)>,
    /// Slots below this belong to heads.
    pub(super) heads_end: u32,
}

impl Pieces {
    /// Cuts patterns, and forgets those from before. Linear in their bytes, but for the sorting of the heads.
    pub(super) fn cut(&mut self, rules: &[RankedPattern<'_>]) {
        // Most tails start after a star and are met once.
        let stars = rules.iter().map(|rule| memchr::memchr_iter(b'*', rule.pattern).count()).sum();
        let mut cutter = Cutter {
            tails: Vec::with_capacity(stars),
            known: HashTable::with_capacity(stars),
            hasher: hashbrown::DefaultHashBuilder::default(),
        };
        let mut heads: Vec<(&[u8], Next, u32)> = Vec::with_capacity(rules.len());
        for rule in rules {
            let (head, next) = cutter.cut(rule.pattern);
            heads.push((head, next, rule.rank));
        }
        heads.small_sort_unstable_by(|a, b| {
            a.0.cmp(b.0).then_with(|| a.1.order().cmp(&b.1.order())).then(b.2.cmp(&a.2))
        });
        // Of heads that are equal in all but rank the highest stays.
        heads.dedup_by(|later, first| later.0 == first.0 && later.1 == first.1);

        let tails = cutter.tails;
        let (numbers, sizes) = number_forest(&tails);
        let mut in_preorder = vec![0; tails.len()];
        for (tail, number) in numbers.iter().enumerate() {
            in_preorder[*number as usize] = tail;
        }
        self.text.clear();
        self.piece_at.clear();
        self.pieces.clear();
        self.heads.clear();
        // Tails stand after the heads.
        let shift = heads.len() as u32;
        let place = |next: Next| match next {
            Next::Star(tail) => Next::Star(shift + numbers[tail as usize]),
            other => other,
        };
        for &(bytes, next, rank) in &heads {
            self.heads.push((self.pieces.len() as u32, rank));
            let next = place(next);
            let first_tail = if let Next::Star(tail) = next { tail } else { u32::MAX };
            self.push(bytes, next, first_tail, 0);
        }
        self.heads_end = self.text.len() as u32;
        for tail in in_preorder {
            let id = self.pieces.len() as u32;
            self.push(tails[tail].0, place(tails[tail].1), id, id + sizes[tail]);
        }
    }

    fn push(&mut self, bytes: &[u8], next: Next, first_tail: u32, leading_end: u32) {
        let id = self.pieces.len() as u32;
        let start = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        let end = self.text.len() as u32;
        self.text.push(END);
        self.piece_at.resize(self.text.len(), id);
        self.pieces.push(Piece { start, end, next, first_tail, leading_end });
    }

    /// Returns the bytes of memory held.
    pub(super) fn held(&self) -> usize {
        held(&self.text) + held(&self.piece_at) + held(&self.pieces) + held(&self.heads)
    }

    pub(super) fn get(&self, piece: u32) -> &Piece {
        &self.pieces[piece as usize]
    }

    /// Returns the bytes of a piece.
    pub(super) fn text_of(&self, piece: u32) -> &[u8] {
        let piece = self.get(piece);
        &self.text[piece.start as usize..piece.end as usize]
    }

    /// Returns the number of each tail's text among all of them, in their order; equal texts have one number.
    pub(super) fn tail_text_orders(&self) -> Vec<u32> {
        let first = self.heads.len();
        let mut sorted: Vec<usize> = (first..self.pieces.len()).collect();
        let text = |tail: usize| self.text_of(tail as u32);
        sorted.small_sort_unstable_by_key(|tail| text(*tail));
        let mut orders = vec![0; sorted.len()];
        let mut order = 0;
        for pair in sorted.windows(2) {
            order += u32::from(text(pair[0]) != text(pair[1]));
            orders[pair[1] - first] = order;
        }
        orders
    }

    /// Returns the piece that a slot belongs to.
    pub(super) fn at(&self, slot: u32) -> u32 {
        self.piece_at[slot as usize]
    }

    /// Reports whether a slot is the end of its piece.
    pub(super) fn is_end(&self, slot: u32) -> bool {
        // Most slots hold another byte: then the piece is not read.
        self.text[slot as usize] == END && self.get(self.at(slot)).end == slot
    }

    /// Returns the end of the tails that lead to `tail`, all of which follow it.
    pub(super) fn leading_end(&self, tail: u32) -> u32 {
        self.get(tail).leading_end
    }

    /// Reports whether what is left of a pattern in `piece` ends with what is left in the tail `tail`; true of the tail
    /// itself.
    pub(super) fn leads_to(&self, piece: u32, tail: u32) -> bool {
        (tail..self.leading_end(tail)).contains(&self.get(piece).first_tail)
    }
}

impl Next {
    /// Returns an order to sort by, the same on every run.
    fn order(self) -> u32 {
        match self {
            Self::Complete => 0,
            Self::End => 1,
            Self::Star(tail) => tail.saturating_add(2),
        }
    }
}

/// Returns the number of each tail in the preorder of the forest, and how many tails lead to each, itself included.
///
/// A tail's parent always comes before it, since patterns are cut from their end.
fn number_forest(tails: &[(&[u8], Next)]) -> (Vec<u32>, Vec<u32>) {
    let mut sizes = vec![1_u32; tails.len()];
    for (tail, (_, next)) in tails.iter().enumerate().rev() {
        if let Next::Star(parent) = next {
            sizes[*parent as usize] += sizes[tail];
        }
    }
    // Where the next child of a tail is numbered from.
    let mut free = vec![0_u32; tails.len()];
    let mut free_root = 0;
    let numbers = tails.iter().enumerate().map(|(tail, (_, next))| {
        let from = if let Next::Star(parent) = next { &mut free[*parent as usize] } else { &mut free_root };
        let number = *from;
        *from += sizes[tail];
        free[tail] = number + 1;
        number
    });
    (numbers.collect(), sizes)
}

/// Cuts patterns from their end, so that equal tails meet.
#[derive(Debug)]
struct Cutter<'r> {
    tails: Vec<(&'r [u8], Next)>,
    known: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl<'r> Cutter<'r> {
    /// Returns the head of a pattern and what follows it.
    fn cut(&mut self, pattern: &'r [u8]) -> (&'r [u8], Next) {
        let Some(star) = memchr::memchr(b'*', pattern) else {
            return match pattern.strip_suffix(b"$") {
                Some(head) => (head, Next::End),
                None => (pattern, Next::Complete),
            };
        };
        let (head, rest) = (&pattern[..star], &pattern[star + 1..]);
        let (rest, mut next) = match rest.strip_suffix(b"$") {
            Some(rest) => (rest, Next::End),
            None => (rest, Next::Complete),
        };
        // `…*$` and `…*` both match whatever follows.
        if rest.is_empty() || rest.ends_with(b"*") {
            next = Next::Complete;
        }
        for bytes in rest.rsplit(|&byte| byte == b'*').filter(|bytes| !bytes.is_empty()) {
            next = Next::Star(self.tail(bytes, next));
        }
        (head, next)
    }

    fn tail(&mut self, bytes: &'r [u8], next: Next) -> u32 {
        let tails = &mut self.tails;
        let hash = self.hasher.hash_one((bytes, next));
        let entry = self.known.entry(
            hash,
            |&id| tails[id as usize] == (bytes, next),
            |&id| self.hasher.hash_one(tails[id as usize]),
        );
        *entry
            .or_insert_with(|| {
                let id = tails.len() as u32;
                tails.push((bytes, next));
                id
            })
            .get()
    }
}
