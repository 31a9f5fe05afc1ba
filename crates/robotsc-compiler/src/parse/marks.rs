//! The bytes that give a body its structure, found 64 bytes at a time.

use wide::u8x16;

/// Walks over the places of CR, LF, `#`, `:` and NUL in a body, in order.
///
/// Cost: one pass over the body in steps of 64 bytes, a few instructions for each 16 of them and for each place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks<'b> {
    body: &'b [u8],
    /// Where the block starts that is being walked.
    block: usize,
    /// The places in it that are still to come, one bit each, the first lowest.
    mask: u64,
}

const BLOCK: usize = 64;

impl<'b> Marks<'b> {
    pub(crate) fn new(body: &'b [u8]) -> Self {
        Self { body, block: 0, mask: marks_in(body, 0) }
    }

    /// Continues at `at`, before or after the current place.
    pub(crate) fn seek(&mut self, at: usize) {
        self.block = at - at % BLOCK;
        self.mask = marks_in(self.body, self.block) & (u64::MAX << (at % BLOCK));
    }

    /// Returns the next place, or the length of the body where there is none.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> usize {
        while self.mask == 0 {
            self.block += BLOCK;
            if self.block >= self.body.len() {
                return self.body.len();
            }
            self.mask = marks_in(self.body, self.block);
        }
        let at = self.block + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        at
    }
}

#[inline]
fn marks_in(body: &[u8], block: usize) -> u64 {
    let rest = body.get(block..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => marks(bytes),
        None => {
            let mut bytes = [b' '; BLOCK];
            bytes[..rest.len()].copy_from_slice(rest);
            marks(&bytes)
        }
    }
}

fn marks(bytes: &[u8; BLOCK]) -> u64 {
    places(bytes, |part| {
        let is = |byte| part.simd_eq(u8x16::splat(byte));
        is(b'\n') | is(b'\r') | is(b'#') | is(b':') | is(0)
    })
}

/// Returns the places of SP and TAB among the 64 bytes from `at` on, one bit each, the first lowest; `None` if the body
/// ends before.
#[inline(always)]
pub(crate) fn gaps_in(body: &[u8], at: usize) -> Option<u64> {
    let bytes = body.get(at..)?.first_chunk()?;
    Some(places(bytes, |part| part.simd_eq(u8x16::splat(b' ')) | part.simd_eq(u8x16::splat(b'\t'))))
}

#[inline(always)]
fn places(bytes: &[u8; BLOCK], chosen: impl Fn(u8x16) -> u8x16) -> u64 {
    let (parts, _) = bytes.as_chunks();
    parts.iter().rev().fold(0, |mask, part| mask << 16 | u64::from(chosen(u8x16::new(*part)).to_bitmask()))
}
