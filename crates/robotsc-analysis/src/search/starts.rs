//! Where a path is among the starts of many patterns: what they have before their first `*`.
//!
//! The starts are sorted, so those that go on as the path does are neighbours. A cursor is such a range, with the
//! number of bytes that were read. It is one word, however many patterns there are.

use robotsc_compiler::small_sort::SmallSort as _;

/// What follows the start of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum After {
    /// Nothing: the pattern has matched.
    Matches,
    /// The end of the path.
    MatchesAtEnd,
    /// A `*`: this position is reached.
    Position(usize),
}

/// The starts of patterns, sorted.
#[derive(Debug, Default)]
pub(super) struct Starts {
    sorted: Vec<(Box<[u8]>, After)>,
}

/// The starts from `from` to before `to` go on as the path does, of which `depth` bytes were read.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    from: usize,
    to: usize,
    depth: usize,
}

impl Cursor {
    /// The bits of `from` and of `to`: a file of 64 MiB has fewer rules.
    const BITS: u32 = 24;

    const fn pack(self) -> u64 {
        if self.from == self.to {
            return Starts::NONE;
        }
        (self.from as u64) | (self.to as u64) << Self::BITS | (self.depth as u64) << (2 * Self::BITS)
    }

    const fn unpack(word: u64) -> Self {
        let mask = (1 << Self::BITS) - 1;
        Self {
            from: (word & mask) as usize,
            to: (word >> Self::BITS & mask) as usize,
            depth: (word >> (2 * Self::BITS)) as usize,
        }
    }
}

impl Starts {
    /// The cursor for no start.
    const NONE: u64 = 0;
    /// The cursor after a pattern has matched.
    pub(super) const MATCHED: u64 = u64::MAX;

    /// Sorts the starts. They have less than 2^16 bytes each.
    pub(super) fn new(starts: Vec<(&[u8], After)>) -> Self {
        let mut sorted: Vec<_> = starts.into_iter().map(|(start, after)| (start.into(), after)).collect();
        sorted.small_sort_unstable();
        Self { sorted }
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Returns the cursor before the first byte, and reports the positions that are reached.
    pub(super) fn begin(&self, reach: impl FnMut(usize)) -> u64 {
        self.enter(Cursor { from: 0, to: self.sorted.len(), depth: 0 }, reach)
    }

    /// Moves a cursor over a byte, and reports the positions that are reached.
    pub(super) fn step(&self, word: u64, byte: u8, reach: impl FnMut(usize)) -> u64 {
        if word == Self::NONE || word == Self::MATCHED {
            return word;
        }
        let Cursor { from, to, depth } = Cursor::unpack(word);
        let range = &self.sorted[from..to];
        let next = |start: &(Box<[u8]>, After)| start.0.get(depth).copied();
        let low = range.partition_point(|start| next(start) < Some(byte));
        let high = low + range[low..].partition_point(|start| next(start) == Some(byte));
        self.enter(Cursor { from: from + low, to: from + high, depth: depth + 1 }, reach)
    }

    /// Reports each byte that some start goes on with, once.
    pub(super) fn await_bytes(&self, word: u64, mut awaited: impl FnMut(u8)) {
        if word == Self::NONE || word == Self::MATCHED {
            return;
        }
        let Cursor { mut from, to, depth } = Cursor::unpack(word);
        while let Some((start, _)) = self.sorted[from..to].first() {
            let next = start.get(depth).copied();
            if let Some(byte) = next {
                awaited(byte);
            }
            from += self.sorted[from..to].partition_point(|(start, _)| start.get(depth).copied() <= next);
        }
    }

    /// Returns the cursor at some starts, after those that end there.
    fn enter(&self, cursor: Cursor, mut reach: impl FnMut(usize)) -> u64 {
        for (start, after) in &self.sorted[cursor.from..cursor.to] {
            match after {
                _ if start.len() > cursor.depth => break,
                After::Matches => return Self::MATCHED,
                After::MatchesAtEnd => {}
                After::Position(bit) => reach(*bit),
            }
        }
        cursor.pack()
    }

    /// Reports whether a pattern matches a path that ends at a cursor.
    pub(super) fn matches_at_end(&self, word: u64) -> bool {
        if word == Self::NONE || word == Self::MATCHED {
            return word == Self::MATCHED;
        }
        let Cursor { from, to, depth } = Cursor::unpack(word);
        let here = self.sorted[from..to].iter().take_while(|(start, _)| start.len() == depth);
        here.into_iter().any(|(_, after)| *after == After::MatchesAtEnd)
    }
}
