//! The walk: from a path to what its rules reach.
//!
//! It reads whatever bytes it is given. Every read is checked, and every step but three consumes a byte of the path or
//! moves on in the code: a failure transition goes to a scan, or the walk ends; a jump goes to what is no jump, or the
//! walk ends; a run is not empty, or the walk ends. So the walk takes at most a few steps for each byte of the path, on
//! any code.

use crate::format::{AT_END, BRANCH, BRANCH_ELSE, JUMP, KIND, ON_ENTRY, RUN, RUN_ELSE, SCAN, SHORT, mask, pair_place};
use crate::words::{agreeing, find_any, index_in, is_in, ones_below};

/// Code and the widths in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<'p> {
    pub(crate) bytes: &'p [u8],
    pub(crate) rank_width: usize,
    pub(crate) offset_width: usize,
    pub(crate) failure_width: usize,
    /// Where the first part starts.
    pub(crate) start: usize,
    /// Where it goes on after the `/` that every path starts with, if it starts with a run of just that; else 0.
    pub(crate) after_slash: usize,
}

impl Code<'_> {
    /// Returns a number of `width` bytes; 0 if they are not there.
    #[inline(always)]
    pub(crate) fn number(&self, at: usize, width: usize) -> usize {
        if let Some(four) = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<4>) {
            let mask = u32::MAX >> (32 - 8 * width as u32);
            return (u32::from_le_bytes(*four) & mask) as usize;
        }
        let bytes = self.bytes.get(at..at + width).unwrap_or_default();
        bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    }

    /// Returns where `byte` leads in the set at `at`.
    #[inline(always)]
    pub(crate) fn lookup(&self, at: usize, byte: u8, is_short: bool) -> Option<usize> {
        let size = usize::from(*self.bytes.get(at)?);
        let (index, offsets, count) = if size == 0 {
            let bitmap = self.bytes.get(at + 1..)?.first_chunk()?;
            if !is_in(bitmap, byte) {
                return None;
            }
            let count = if is_short { ones_below(bitmap, u8::MAX) + usize::from(is_in(bitmap, u8::MAX)) } else { 0 };
            (ones_below(bitmap, byte), at + 33, count)
        } else {
            (index_in(self.bytes, at + 1, size, byte)?, at + 1 + size, size)
        };
        if is_short {
            let distance = *self.bytes.get(offsets + index)?;
            return Some(offsets + count + usize::from(distance));
        }
        Some(self.number(offsets + index * self.offset_width, self.offset_width))
    }

    /// Returns the place of the first byte from `from` on that is in the set at `at`, and where that byte leads.
    #[inline(always)]
    fn find(&self, at: usize, path: &[u8], mut from: usize) -> Option<(usize, usize)> {
        let size = usize::from(*self.bytes.get(at)?);
        let (index, offsets) = if size != 0 {
            let needles = self.bytes.get(at + 1..at + 1 + size)?;
            let index = loop {
                let (place, index) = find_any(path, from, needles)?;
                from = place;
                let kept = *self.bytes.get(at + 1 + size + index)?;
                if path.get(from + 1).is_none_or(|&second| kept & mask(second) != 0) {
                    break index;
                }
                from += 1;
            };
            (index, at + 1 + 2 * size)
        } else {
            let bitmap: &[u8; 32] = self.bytes.get(at + 1..)?.first_chunk()?;
            let pairs: &[u8; 32] = self.bytes.get(at + 33..)?.first_chunk()?;
            let (mut byte, mut rest) = path.get(from..)?.split_first()?;
            while let Some((second, after)) = rest.split_first() {
                if is_in(pairs, pair_place(*byte, *second)) && is_in(bitmap, *byte) {
                    break;
                }
                (byte, rest) = (second, after);
            }
            from = path.len() - rest.len() - 1;
            if rest.is_empty() && !is_in(bitmap, *byte) {
                return None;
            }
            (ones_below(bitmap, *byte), at + 65)
        };
        Some((from, self.number(offsets + index * self.offset_width, self.offset_width)))
    }

    /// Returns where the walk of the first part starts, and at which byte of the path.
    #[inline(always)]
    pub(crate) fn first_step(&self, path: &[u8]) -> (usize, usize) {
        let is_after_slash = self.after_slash != 0 && path.first() == Some(&b'/');
        if is_after_slash { (self.after_slash, 1) } else { (self.start, 0) }
    }

    /// Walks `path` from its byte `read` on and the node at `at`. With ranks, the highest that is reached; without, the
    /// verdict that is reached last, as in the format; 0: none.
    #[inline(always)]
    pub(crate) fn walk<const RANKED: bool>(&self, mut at: usize, path: &[u8], mut read: usize) -> u32 {
        let mut best = 0;
        loop {
            let Some(&op) = self.bytes.get(at) else { return best };
            at += 1;
            if op >> ON_ENTRY & 3 != 0 {
                best = self.reached::<RANKED>(best, op >> ON_ENTRY & 3, at);
                at += if RANKED { self.rank_width } else { 0 };
            }
            let Some(&byte) = path.get(read) else { return self.finish::<RANKED>(op, at, best) };
            let end = op >> AT_END & 3;
            let rank_at_end = at;
            if RANKED && end != 0 {
                at += self.rank_width;
            }
            let scan = match op & KIND {
                kind @ (RUN | RUN_ELSE) => {
                    let Some(&length) = self.bytes.get(at) else { return best };
                    let length = usize::from(length);
                    let text = at + 1 + if kind == RUN { 0 } else { self.failure_width };
                    let same = agreeing(self.bytes, text, path, read, length);
                    if same == length {
                        if op & SHORT != 0 {
                            return self.reached::<RANKED>(best, end, rank_at_end);
                        }
                        if length == 0 {
                            return best;
                        }
                        read += length;
                        at = text + length;
                        continue;
                    }
                    if kind == RUN {
                        return best;
                    }
                    read += same;
                    self.number(at + 1, self.failure_width)
                }
                BRANCH => {
                    let Some(to) = self.lookup(at, byte, op & SHORT != 0) else { return best };
                    read += 1;
                    at = to;
                    continue;
                }
                BRANCH_ELSE => {
                    if let Some(to) = self.lookup(at + self.failure_width, byte, op & SHORT != 0) {
                        read += 1;
                        at = to;
                        continue;
                    }
                    self.number(at, self.failure_width)
                }
                SCAN => at - 1,
                JUMP => {
                    at = self.number(at, self.offset_width);
                    if self.bytes.get(at).is_none_or(|op| op & KIND == JUMP) {
                        return best;
                    }
                    continue;
                }
                _ => return best,
            };
            if self.bytes.get(scan).is_none_or(|op| op & KIND != SCAN) {
                return best;
            }
            let Some((found, to)) = self.find(scan + 1, path, read) else { return best };
            read = found + 1;
            at = to;
        }
    }

    /// Returns what is known after something was reached: of ranks, which stand at `at`, the higher; else what is
    /// reached.
    #[inline(always)]
    fn reached<const RANKED: bool>(&self, best: u32, reached: u8, at: usize) -> u32 {
        if RANKED { best.max(self.number(at, self.rank_width) as u32) } else { u32::from(reached) }
    }

    /// Returns what is known at the end of the path, in a node whose first byte is `op` and whose rank at the end would
    /// stand at `at`.
    fn finish<const RANKED: bool>(&self, op: u8, at: usize, mut best: u32) -> u32 {
        let kind = op & KIND;
        let is_short_run = op & SHORT != 0 && matches!(kind, RUN | RUN_ELSE);
        let end = op >> AT_END & 3;
        if end != 0 && !is_short_run {
            return self.reached::<RANKED>(best, end, at);
        }
        if kind != JUMP {
            return best;
        }
        // Something may be reached after the jump.
        let mut at = self.number(at, self.offset_width);
        let Some(&op) = self.bytes.get(at) else { return best };
        at += 1;
        if op >> ON_ENTRY & 3 != 0 {
            best = self.reached::<RANKED>(best, op >> ON_ENTRY & 3, at);
            at += if RANKED { self.rank_width } else { 0 };
        }
        if op & KIND == JUMP { best } else { self.finish::<RANKED>(op, at, best) }
    }
}
