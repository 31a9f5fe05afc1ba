//! Marks the bytes of a text that end a line or may need normalizing, 64 bytes at a time.
//!
//! ```text
//! https://a.example/b%20c\nhttps://a.example/./\n
//!                    *    *                 *  *
//! ```
//! Nearly all bytes of URLs are unmarked, so that who looks for the next mark skips many bytes in one step. The table
//! [`is_sign`] says which are marked. On processors with AVX2 a byte is looked up by its two halves, in two tables at
//! once; elsewhere it is compared.

use wide::{i8x16, u8x16};

/// Bytes of a word of marks.
pub(super) const CHUNK_BYTES: usize = 64;

/// Words of marks that are computed together.
const WORDS: usize = 64;

/// Reports whether a byte is marked beside line feeds: normalization may change it. A slash before a dot is marked too.
///
/// After a comma and a semicolon, a second URL can follow. `!`, `$`, `[`, `^`, `|` and `~` are here only since
/// comparing without them takes more steps.
#[cfg(any(test, target_arch = "x86_64"))]
pub(super) const fn is_sign(byte: u8) -> bool {
    matches!(byte, 0..=b'%' | b'\'' | b',' | b';' | b'<' | b'>' | b'['..=b'\\' | b'^' | b'`' | b'{'..)
}

/// The marks of a text, in order.
#[derive(Clone, Debug)]
pub(super) struct Marks<'b> {
    text: &'b [u8],
    /// Where the words start that are computed already.
    start: usize,
    words: [u64; WORDS],
    /// The next of them.
    next: usize,
}

impl<'b> Marks<'b> {
    /// Returns the marks of `text` from `start` on.
    pub(super) fn new(text: &'b [u8], start: usize) -> Self {
        let mut marks = Self { text, start, words: [0; WORDS], next: 0 };
        marks.compute();
        marks
    }

    /// Returns the marks of the next chunk, the first byte's in the lowest bit. After the end of the text there are
    /// none.
    #[inline(always)]
    pub(super) fn next(&mut self) -> u64 {
        if self.next == WORDS {
            self.start += WORDS * CHUNK_BYTES;
            self.next = 0;
            self.compute();
        }
        let word = self.words[self.next];
        self.next += 1;
        word
    }

    #[inline(never)]
    fn compute(&mut self) {
        let rest = self.text.get(self.start..).unwrap_or_default();
        #[cfg(target_arch = "x86_64")]
        if avx2::mark(rest, &mut self.words) {
            return;
        }
        mark_with(rest, &mut self.words, marks_of_16);
    }
}

/// A chunk and the byte after it, which may be the dot after a slash.
type Chunk = [u8; CHUNK_BYTES + 1];

/// Computes the marks of the chunks at the start of `text`.
#[inline(always)]
fn mark_with(text: &[u8], words: &mut [u64; WORDS], marks: impl Fn(&Chunk) -> u64) {
    for (number, word) in words.iter_mut().enumerate() {
        let rest = text.get(number * CHUNK_BYTES..).unwrap_or_default();
        *word = match rest.first_chunk() {
            Some(bytes) => marks(bytes),
            None if rest.is_empty() => 0,
            None => {
                let mut bytes = [b'a'; CHUNK_BYTES + 1];
                bytes[..rest.len()].copy_from_slice(rest);
                marks(&bytes)
            }
        };
    }
}

/// Returns the marks of a chunk, from comparing sixteen bytes at a time.
#[inline(always)]
fn marks_of_16(bytes: &Chunk) -> u64 {
    let (parts, _) = bytes.as_chunks();
    let (next_parts, _) = bytes[1..].as_chunks();
    parts.iter().zip(next_parts).rev().fold(0, |marks, (part, next)| {
        // Five more than each byte: as signed numbers, those from 0x7B wrap around and are below all others. So this
        // holds for the bytes below 0x26 and from 0x7B, the line feed among them.
        let outside = i8x16::new(part.map(|byte| byte.wrapping_add(5) as i8)).simd_lt(i8x16::splat(0x26 + 5));
        let outside = u8x16::new(outside.to_array().map(|byte| byte as u8));
        let (part, next) = (u8x16::new(*part), u8x16::new(*next));
        // With these bits set `<`, `>`, `\\` and `^` are one byte, and no other from 0x26 to 0x7A is the same.
        let brackets = (part | u8x16::splat(0x62)).simd_eq(u8x16::splat(b'>' | 0x62));
        // The same for `;` and `[`.
        let lists = (part | u8x16::splat(0x60)).simd_eq(u8x16::splat(b';' | 0x60)) | part.simd_eq(u8x16::splat(b','));
        let quotes = part.simd_eq(u8x16::splat(b'\'')) | part.simd_eq(u8x16::splat(b'`'));
        let dots = part.simd_eq(u8x16::splat(b'/')) & next.simd_eq(u8x16::splat(b'.'));
        marks << 16 | u64::from((outside | brackets | lists | quotes | dots).to_bitmask())
    })
}

/// The same for 32 bytes at a time.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    #![expect(unsafe_code, reason = "whoever calls for a feature of the processor vouches that it is there")]

    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_movemask_epi8, _mm256_or_si256,
        _mm256_set1_epi8, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
    };

    use super::{Chunk, WORDS, is_sign, mark_with};

    /// Computes marks, and returns whether this processor can.
    pub(super) fn mark(text: &[u8], words: &mut [u64; WORDS]) -> bool {
        let is_there = is_x86_feature_detected!("avx2");
        if is_there {
            // SAFETY: the processor has AVX2, as was just asked. Nothing else is asked of the caller.
            unsafe { mark_by_tables(text, words) };
        }
        is_there
    }

    #[target_feature(enable = "avx2")]
    fn mark_by_tables(text: &[u8], words: &mut [u64; WORDS]) {
        mark_with(text, words, |bytes| marks(bytes));
    }

    /// For each upper half of a byte below 0x80 a bit, the same for halves with the same signs.
    const UPPER: [u8; 16] = [1, 1, 2, 4, 0, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0];

    /// For each lower half the bits of the upper halves with which it is a sign.
    const LOWER: [u8; 16] = {
        let mut lower = [0; 16];
        let mut byte = 0;
        while byte < 0x80 {
            if is_sign(byte) {
                lower[byte as usize & 15] |= UPPER[byte as usize >> 4];
            }
            byte += 1;
        }
        lower
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    fn marks(bytes: &Chunk) -> u64 {
        let half = |at: usize| {
            let (part, next) = (load(bytes, at), load(bytes, at + 1));
            // A lower half is looked up by the whole byte: from 0x80 on the result is 0.
            let lower = _mm256_shuffle_epi8(twice(&LOWER), part);
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(part), _mm256_set1_epi8(15));
            let upper = _mm256_shuffle_epi8(twice(&UPPER), upper);
            let signs = _mm256_cmpgt_epi8(_mm256_and_si256(lower, upper), _mm256_setzero_si256());
            let slashes = _mm256_cmpeq_epi8(part, _mm256_set1_epi8(b'/' as i8));
            let dots = _mm256_and_si256(slashes, _mm256_cmpeq_epi8(next, _mm256_set1_epi8(b'.' as i8)));
            // The mask takes the top bit of each byte: that of `part` marks the bytes from 0x80.
            let all = _mm256_or_si256(_mm256_or_si256(signs, dots), part);
            u64::from(_mm256_movemask_epi8(all) as u32)
        };
        half(0) | half(32) << 32
    }

    /// Returns 32 bytes of a chunk.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(bytes: &Chunk, at: usize) -> __m256i {
        let word = |number: usize| {
            let eight = bytes[at..].as_chunks().0.get(number).copied().unwrap_or_default();
            i64::from_le_bytes(eight)
        };
        _mm256_setr_epi64x(word(0), word(1), word(2), word(3))
    }

    /// Returns a table of sixteen bytes, for each half of 32.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn twice(table: &[u8; 16]) -> __m256i {
        let (words, _) = table.as_chunks();
        let word = |number: usize| i64::from_le_bytes(words[number]);
        _mm256_setr_epi64x(word(0), word(1), word(0), word(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each byte after each byte, at each place of a chunk, by both ways.
    #[test]
    fn marks_are_those_of_the_table() {
        for place in 0..=CHUNK_BYTES + 1 {
            for byte in 0..=u8::MAX {
                for next in [b'a', b'.', b'/', b'\n', 0x80] {
                    let mut text = vec![b'/'; place];
                    text.extend_from_slice(&[byte, next, b'b']);
                    let expected = |at: usize| {
                        let is_slash = text[at] == b'/' && text.get(at + 1) == Some(&b'.');
                        is_sign(text[at]) || is_slash
                    };
                    let by_16 = {
                        let mut words = [0; WORDS];
                        mark_with(&text, &mut words, marks_of_16);
                        words
                    };
                    let marks = Marks::new(&text, 0);
                    for at in 0..2 * CHUNK_BYTES {
                        let expected = at < text.len() && expected(at);
                        let is_marked = |words: &[u64; WORDS]| words[at / CHUNK_BYTES] >> (at % CHUNK_BYTES) & 1 == 1;
                        assert_eq!(is_marked(&marks.words), expected, "{at} of {}", text.escape_ascii());
                        assert_eq!(is_marked(&by_16), expected, "{at} of {}", text.escape_ascii());
                    }
                }
            }
        }
    }

    #[test]
    fn words_come_in_order() {
        let text: Vec<u8> = (0..3 * WORDS * CHUNK_BYTES + 7)
            .map(|at: usize| if at.is_multiple_of(97) { b'\n' } else { b'a' })
            .collect();
        for start in [0, 1, 63, 64, 5_000, text.len()] {
            let mut marks = Marks::new(&text, start);
            for chunk in 0..4 * WORDS {
                let word = marks.next();
                for bit in 0..CHUNK_BYTES {
                    let at = start + chunk * CHUNK_BYTES + bit;
                    assert_eq!(word >> bit & 1 == 1, at < text.len() && at.is_multiple_of(97), "{at} from {start}");
                }
            }
        }
    }
}
