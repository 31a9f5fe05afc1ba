//! Random numbers for tests: the same in every run.
#![allow(dead_code, reason = "each test uses a part of this")]

/// A small generator of numbers (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    pub(crate) fn choose<'c, T>(&mut self, of: &'c [T]) -> &'c T {
        &of[self.below(of.len())]
    }
}
