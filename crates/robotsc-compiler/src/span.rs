//! Places in a robots.txt body.

/// A half-open range of bytes in a robots.txt body: `start..end`, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSpan {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl ByteSpan {
    /// Makes a span from two offsets; offsets beyond `u32::MAX` are cut to it (a body is cut long before that).
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { start: cut(start), end: cut(end) }
    }

    /// Returns the bytes of `body` that the span covers; empty if the span lies outside. Never panics.
    #[must_use]
    pub fn of(self, body: &[u8]) -> &[u8] {
        body.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Returns the number of bytes covered.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Reports whether the span covers no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }
}
