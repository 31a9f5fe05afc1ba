//! Patterns cut at their `*`, with equal tails shared.
//!
//! All pieces lie in one text, each followed by one slot that stands for its end, so that a place inside a piece is one
//! number. The heads come first, sorted by their bytes: of heads that have matched the same bytes so far, those that go
//! on with the same byte are neighbours.
//!
//! The tails form a forest: the parent of a tail is the tail that follows it in its patterns. `leads_to` asks in
//! constant time whether one lies on the way from another to the root, by numbering the forest in preorder.

use hashbrown::HashTable;
use std::hash::BuildHasher;

use super::RankedPattern;

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
    /// Preorder number in the forest of tails, and the end of the numbers of those that lead to this one. A head has
    /// its first tail's number and an empty range.
    pre: u32,
    pre_end: u32,
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
    /// Cuts patterns. Linear in their bytes, but for the sorting of the heads.
    pub(super) fn new(rules: &[RankedPattern<'_>]) -> Self {
        let mut cutter = Cutter::default();
        let mut heads: Vec<(&[u8], Next, u32)> = Vec::with_capacity(rules.len());
        for rule in rules {
            let (head, next) = cutter.cut(rule.pattern);
            heads.push((head, next, rule.rank));
        }
        heads.sort_unstable_by(|a, b| a.0.cmp(b.0).then_with(|| a.1.order().cmp(&b.1.order())).then(b.2.cmp(&a.2)));
        // Of heads that are equal in all but rank the highest stays.
        heads.dedup_by(|later, first| later.0 == first.0 && later.1 == first.1);

        let tails = cutter.tails;
        let slots = heads.iter().map(|head| head.0.len() + 1).sum::<usize>()
            + tails.iter().map(|tail| tail.0.len() + 1).sum::<usize>();
        let mut pieces = Self {
            text: Vec::with_capacity(slots),
            piece_at: Vec::with_capacity(slots),
            pieces: Vec::with_capacity(heads.len() + tails.len()),
            heads: Vec::with_capacity(heads.len()),
            heads_end: 0,
        };
        // Tails are numbered from 0 by the cutter, and stand after the heads here.
        let shift = heads.len() as u32;
        let place = |next: Next| match next {
            Next::Star(tail) => Next::Star(tail + shift),
            other => other,
        };
        for &(bytes, next, rank) in &heads {
            pieces.heads.push((pieces.pieces.len() as u32, rank));
            pieces.push(bytes, place(next));
        }
        pieces.heads_end = pieces.text.len() as u32;
        for &(bytes, next) in &tails {
            pieces.push(bytes, place(next));
        }
        if !tails.is_empty() {
            pieces.number_forest(heads.len());
        }
        pieces
    }

    fn push(&mut self, bytes: &[u8], next: Next) {
        let id = self.pieces.len() as u32;
        let start = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        let end = self.text.len() as u32;
        self.text.push(END);
        self.piece_at.resize(self.text.len(), id);
        self.pieces.push(Piece { start, end, next, pre: u32::MAX, pre_end: 0 });
    }

    /// Numbers the forest. A tail's parent always has a lower number than the tail, since patterns are cut from their
    /// end.
    fn number_forest(&mut self, heads: usize) {
        let mut size = vec![1_u32; self.pieces.len()];
        for id in (heads..self.pieces.len()).rev() {
            if let Next::Star(parent) = self.pieces[id].next {
                size[parent as usize] += size[id];
            }
        }
        // Where the next child of a tail is numbered from.
        let mut cursor = vec![0_u32; self.pieces.len()];
        let mut roots = 0;
        for id in heads..self.pieces.len() {
            let from = match self.pieces[id].next {
                Next::Star(parent) => &mut cursor[parent as usize],
                _ => &mut roots,
            };
            let pre = *from;
            *from += size[id];
            cursor[id] = pre + 1;
            self.pieces[id].pre = pre;
            self.pieces[id].pre_end = pre + size[id];
        }
        for id in 0..heads {
            if let Next::Star(tail) = self.pieces[id].next {
                self.pieces[id].pre = self.pieces[tail as usize].pre;
            }
        }
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
        sorted.sort_unstable_by_key(|tail| text(*tail));
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

    /// Returns the preorder number of a tail, and the end of the numbers of those that lead to it.
    pub(super) fn preorder(&self, tail: u32) -> (u32, u32) {
        let tail = self.get(tail);
        (tail.pre, tail.pre_end)
    }

    /// Reports whether what is left of a pattern in `piece` ends with what is left in the tail `tail`; true of the tail
    /// itself.
    pub(super) fn leads_to(&self, piece: u32, tail: u32) -> bool {
        let (piece, tail) = (self.get(piece), self.get(tail));
        tail.pre <= piece.pre && piece.pre < tail.pre_end
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

/// Cuts patterns from their end, so that equal tails meet.
#[derive(Debug, Default)]
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
