//! Floats: the sets of tails that may start at any byte.
//!
//! A float is sorted by tail and interned. No tail of a float leads to another of it that has at least its rank: what
//! such a tail could find, the other finds too.

use crate::small_sort::SmallSort as _;

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{HashMap, HashTable};

use super::NodeId;
use super::memory::{held, held_by_table};
use super::pieces::Pieces;

/// A piece or a slot, and a rank, in one sortable number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Item(u64);

impl Item {
    pub(super) const fn new(place: u32, rank: u32) -> Self {
        Self((place as u64) << 32 | rank as u64)
    }

    pub(super) const fn place(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) const fn rank(self) -> u32 {
        self.0 as u32
    }

    /// Returns the same item `bytes` further on.
    pub(super) const fn advance(self, bytes: u32) -> Self {
        Self(self.0 + ((bytes as u64) << 32))
    }
}

/// Returns a range to index with.
pub(super) const fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The number of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FloatId(pub(super) u32);

impl FloatId {
    /// The float without tails.
    pub(super) const EMPTY: Self = Self(0);
}

/// An interned float.
#[derive(Debug)]
pub(super) struct Float {
    /// Its tails, as (piece, rank), sorted: a range of the arena. The same range of the starts has the items after one
    /// byte, sorted by that byte.
    tails: Range<u32>,
    /// The bytes that start a tail.
    first: [u64; 4],
    /// Its groups, one for each of these bytes, in their order.
    pub(super) groups: Range<u32>,
    /// The lowest rank of either verdict; `u32::MAX` if there is none.
    pub(super) lowest: [u32; 2],
    /// The highest rank.
    pub(super) highest: u32,
    /// The scan of this float, by the verdict so far, once it is made.
    pub(super) scan: [NodeId; 2],
}

impl Float {
    /// Returns a float of which nothing is known but its tails.
    const fn of(tails: Range<u32>) -> Self {
        Self { tails, first: [0; 4], groups: 0..0, lowest: [u32::MAX; 2], highest: 0, scan: [NodeId::STOP; 2] }
    }

    /// Reports whether a tail starts with `byte`.
    pub(super) const fn starts_with(&self, byte: u8) -> bool {
        self.first[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }
}

/// The tails of a float that start with one byte.
#[derive(Debug)]
struct Group {
    byte: u8,
    /// Their items after that byte.
    starts: Range<u32>,
}

/// All floats of an automaton.
#[derive(Debug, Default)]
pub(super) struct Floats {
    floats: Vec<Float>,
    arena: Vec<Item>,
    starts: Vec<Item>,
    groups: Vec<Group>,
    /// The hash of each float's tails, and its number.
    known: HashTable<(u64, u32)>,
    hasher: hashbrown::DefaultHashBuilder,
    /// What [`join`](Self::join) has made of a float with at most one tail, by the rank above which tails stay.
    joined: HashMap<(FloatId, u32, Option<Item>), FloatId>,
    scratch: Vec<Item>,
    /// The tails on the way from the root to the one at hand, in `join`: where their numbers end, and the highest rank.
    ways: Vec<(u32, u32)>,
}

impl Floats {
    /// Forgets all floats but the empty one.
    pub(super) fn clear(&mut self) {
        self.floats.clear();
        self.floats.push(Float::of(0..0));
        self.arena.clear();
        self.starts.clear();
        self.groups.clear();
        self.known.clear();
        self.joined.clear();
    }

    pub(super) fn get(&self, id: FloatId) -> &Float {
        &self.floats[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: FloatId) -> &mut Float {
        &mut self.floats[id.0 as usize]
    }

    /// Returns a byte that starts tails of a float, and their items after it.
    pub(super) fn group(&self, group: u32) -> (u8, &[Item]) {
        let Group { byte, starts } = &self.groups[group as usize];
        (*byte, &self.starts[range(starts)])
    }

    /// Returns the items of the tails of a float that start with `byte`, after that byte.
    pub(super) fn starts(&self, id: FloatId, byte: u8) -> &[Item] {
        let float = self.get(id);
        if !float.starts_with(byte) {
            return &[];
        }
        let word = usize::from(byte >> 6);
        let below = float.first[word] & ((1 << (byte & 63)) - 1);
        let before = float.first[..word].iter().map(|word| word.count_ones()).sum::<u32>() + below.count_ones();
        self.group(float.groups.start + before).1
    }

    /// Returns the floats that have a scan.
    pub(super) fn with_scans(&self) -> Vec<FloatId> {
        let numbered = (0..).map(FloatId).zip(&self.floats);
        numbered.filter(|(_, float)| float.scan != [NodeId::STOP; 2]).map(|(id, _)| id).collect()
    }

    /// Returns the tails of a float, as (piece, rank), sorted.
    pub(super) fn tails(&self, id: FloatId) -> &[Item] {
        &self.arena[range(&self.get(id).tails)]
    }

    /// Returns the bytes of memory held.
    pub(super) fn held(&self) -> usize {
        let tails = held(&self.arena) + held(&self.starts) + held(&self.groups) + held(&self.floats);
        let joined = held_by_table::<((FloatId, u32, Option<Item>), FloatId)>(self.joined.capacity());
        let known = held_by_table::<(u64, u32)>(self.known.capacity());
        tails + joined + known + held(&self.scratch) + held(&self.ways)
    }

    /// Returns the number of tails in all floats.
    pub(super) fn tail_count(&self) -> usize {
        self.arena.len()
    }

    /// Returns the float of those tails of `old` and of `joining` that have a rank above `above`, less those that lead
    /// to another of no lower rank.
    ///
    /// The second value is the work done. Remembers what one tail makes of a float, or none: many rules end alike.
    pub(super) fn join(&mut self, pieces: &Pieces, old: FloatId, joining: &[Item], above: u32) -> (FloatId, u64) {
        let key = match *joining {
            [] if above >= self.get(old).highest => return (FloatId::EMPTY, 1),
            [] => (old, above, None),
            [tail] => (old, above, Some(tail)),
            _ => return self.sweep(pieces, old, joining, above),
        };
        if let Some(&known) = self.joined.get(&key) {
            return (known, 1);
        }
        let (made, work) = self.sweep(pieces, old, joining, above);
        self.joined.insert(key, made);
        (made, work)
    }

    /// One sweep over the tails in their order, in which all that lead to a tail follow it.
    fn sweep(&mut self, pieces: &Pieces, old: FloatId, joining: &[Item], above: u32) -> (FloatId, u64) {
        let work = (self.tails(old).len() + joining.len()) as u64;
        let mut tails = std::mem::take(&mut self.scratch);
        tails.clear();
        tails.extend(self.tails(old).iter().filter(|tail| tail.rank() > above));
        let order = |tail: &Item| (tail.place(), std::cmp::Reverse(tail.rank()));
        if joining.len() <= 4 {
            for tail in joining.iter().filter(|tail| tail.rank() > above) {
                tails.insert(tails.partition_point(|other| order(other) <= order(tail)), *tail);
            }
        } else {
            tails.extend(joining.iter().filter(|tail| tail.rank() > above));
            // Stable, since most are sorted already: that costs no more than a pass.
            tails.small_sort_by_key(order);
        }
        let ways = &mut self.ways;
        ways.clear();
        tails.retain(|tail| {
            while ways.last().is_some_and(|&(end, _)| end <= tail.place()) {
                ways.pop();
            }
            let best = ways.last().map_or(0, |&(_, rank)| rank);
            if tail.rank() > best {
                ways.push((pieces.leading_end(tail.place()), tail.rank()));
            }
            tail.rank() > best
        });
        let id = self.intern(pieces, &tails);
        self.scratch = tails;
        (id, work)
    }

    fn intern(&mut self, pieces: &Pieces, tails: &[Item]) -> FloatId {
        if tails.is_empty() {
            return FloatId::EMPTY;
        }
        let (floats, arena, hasher) = (&mut self.floats, &mut self.arena, &self.hasher);
        let hash = hasher.hash_one(tails);
        let is_same = |&(known, id): &(u64, u32)| known == hash && arena[range(&floats[id as usize].tails)] == *tails;
        if let Some(&(_, id)) = self.known.find(hash, is_same) {
            return FloatId(id);
        }
        let start = arena.len() as u32;
        arena.extend_from_slice(tails);
        let mut float = Float::of(start..arena.len() as u32);
        let mut by_byte = Vec::with_capacity(tails.len());
        for tail in tails {
            let piece = pieces.get(tail.place());
            let byte = pieces.text[piece.start as usize];
            float.first[(byte >> 6) as usize] |= 1 << (byte & 63);
            by_byte.push((byte, Item::new(piece.start + 1, tail.rank())));
            let lowest = &mut float.lowest[(tail.rank() & 1) as usize];
            *lowest = (*lowest).min(tail.rank());
            float.highest = float.highest.max(tail.rank());
        }
        // Stable: tails in the order of their places.
        by_byte.small_sort_by_key(|start| start.0);
        float.groups.start = self.groups.len() as u32;
        for group in by_byte.chunk_by(|a, b| a.0 == b.0) {
            let start = self.starts.len() as u32;
            self.starts.extend(group.iter().map(|start| start.1));
            self.groups.push(Group { byte: group[0].0, starts: start..self.starts.len() as u32 });
        }
        float.groups.end = self.groups.len() as u32;
        let id = floats.len() as u32;
        floats.push(float);
        self.known.insert_unique(hash, (hash, id), |known| known.0);
        FloatId(id)
    }
}
