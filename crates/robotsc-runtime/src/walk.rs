//! The walk: from a path to what its rules reach.
//!
//! It reads whatever octets it is given. Every read is checked, and every step but three consumes an octet of the path or a node of the code:
//! a fallback goes to a scan, or the walk ends; a jump goes to what is no jump, or the walk ends; a run is not empty, or the walk ends. So the walk takes at most
//! a few steps for each octet of the path, on any code.

use crate::format::{AT_END, BRANCH, BRANCH_ELSE, JUMP, KIND, ON_ENTRY, RUN, RUN_ELSE, SCAN, SCAN_LIST_MAX};
use crate::octets::{agreeing, find_any, index_in, is_in, rank_in};

/// Code and the widths in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<'p> {
    pub(crate) octets: &'p [u8],
    pub(crate) rank_width: usize,
    pub(crate) offset_width: usize,
}

impl Code<'_> {
    /// A number of `width` octets; 0 where they are not there.
    #[inline(always)]
    pub(crate) fn number(&self, at: usize, width: usize) -> usize {
        if let Some(four) = self.octets.get(at..).and_then(<[u8]>::first_chunk::<4>) {
            let mask = u32::MAX >> (32 - 8 * width as u32);
            return (u32::from_le_bytes(*four) & mask) as usize;
        }
        let octets = self.octets.get(at..at + width).unwrap_or_default();
        octets.iter().rev().fold(0, |number, &octet| number << 8 | usize::from(octet))
    }

    #[inline(always)]
    fn offset(&self, at: usize) -> usize {
        self.number(at, self.offset_width)
    }

    /// Where `octet` leads in the set at `at`.
    #[inline(always)]
    fn lookup(&self, at: usize, octet: u8) -> Option<usize> {
        let size = usize::from(*self.octets.get(at)?);
        let (index, offsets) = if size == 0 {
            let bitmap = self.octets.get(at + 1..)?.first_chunk()?;
            if !is_in(bitmap, octet) {
                return None;
            }
            (rank_in(bitmap, octet), at + 33)
        } else {
            (index_in(self.octets, at + 1, size, octet)?, at + 1 + size)
        };
        Some(self.offset(offsets + index * self.offset_width))
    }

    /// The place of the first octet from `from` on that is in the set at `at`.
    #[inline(always)]
    fn find(&self, at: usize, path: &[u8], mut from: usize) -> Option<usize> {
        let size = usize::from(*self.octets.get(at)?);
        if size != 0 && size <= SCAN_LIST_MAX {
            return find_any(path, from, self.octets.get(at + 1..at + 1 + size)?);
        }
        if size != 0 {
            let list = self.octets.get(at + 1..at + 1 + size)?;
            return path.get(from..)?.iter().position(|octet| list.contains(octet)).map(|place| from + place);
        }
        let bitmap: &[u8; 32] = self.octets.get(at + 1..)?.first_chunk()?;
        while let Some(&octet) = path.get(from) {
            if is_in(bitmap, octet) {
                return Some(from);
            }
            from += 1;
        }
        None
    }

    /// Walks `path` from the node at `at`. With ranks, the highest that is reached; without, the verdict that is reached last, as in the format; 0: none.
    #[inline(always)]
    pub(crate) fn walk<const RANKED: bool>(&self, mut at: usize, path: &[u8]) -> u32 {
        let mut best = 0;
        let mut read = 0;
        loop {
            let Some(&op) = self.octets.get(at) else { return best };
            at += 1;
            if op > KIND {
                let (entry, end) = (op >> ON_ENTRY & 3, op >> AT_END & 3);
                if RANKED {
                    if entry != 0 {
                        best = best.max(self.number(at, self.rank_width) as u32);
                        at += self.rank_width;
                    }
                    if end != 0 {
                        if read >= path.len() {
                            return best.max(self.number(at, self.rank_width) as u32);
                        }
                        at += self.rank_width;
                    }
                } else {
                    if entry != 0 {
                        best = u32::from(entry);
                    }
                    if end != 0 && read >= path.len() {
                        return u32::from(end);
                    }
                }
            }
            if op & KIND == JUMP {
                // Also at the end of the path: something may be reached there.
                at = self.offset(at);
                if self.octets.get(at).is_none_or(|op| op & KIND == JUMP) {
                    return best;
                }
                continue;
            }
            let Some(&octet) = path.get(read) else { return best };
            match op & KIND {
                kind @ (RUN | RUN_ELSE) => {
                    let Some(&length) = self.octets.get(at) else { return best };
                    let length = usize::from(length);
                    let text = at + 1 + if kind == RUN { 0 } else { self.offset_width };
                    let same = agreeing(self.octets, text, path, read, length);
                    if same == length && length != 0 {
                        read += length;
                        at = text + length;
                        continue;
                    }
                    if kind == RUN {
                        return best;
                    }
                    read += same;
                    at = self.offset(at + 1);
                }
                BRANCH => {
                    let Some(to) = self.lookup(at, octet) else { return best };
                    read += 1;
                    at = to;
                    continue;
                }
                BRANCH_ELSE => {
                    if let Some(to) = self.lookup(at + self.offset_width, octet) {
                        read += 1;
                        at = to;
                        continue;
                    }
                    at = self.offset(at);
                }
                SCAN => {
                    let Some(found) = self.find(at, path, read) else { return best };
                    let Some(to) = self.lookup(at, path[found]) else { return best };
                    read = found + 1;
                    at = to;
                    continue;
                }
                _ => return best,
            }
            // A fallback, which must be a scan.
            if self.octets.get(at).is_none_or(|op| op & KIND != SCAN) {
                return best;
            }
        }
    }
}
