//! What tells in one walk which of many regular expressions may match.
//!
//! An expression that matches needs some text: one of a few words, say, behind a `?`. A prefilter is one small automaton that looks for the text that each of its expressions needs,
//! and notes what it sees. Those that lack some cannot match, and most paths are done with that; the others are asked themselves. Since words are forgotten where they end, the automaton
//! stays small where one that decides would not.
//!
//! All numbers are little-endian. A prefilter is
//!
//! | octets | what |
//! |---|---|
//! | 0-1 | the mark `RG` |
//! | 2 | the version, 1 |
//! | 3 | the number of expressions, from 1 to 128 |
//! | 4-7 | the checksum of all other octets |
//! | 8-11 | the number of states, 1 or more; the first is where the walk starts |
//! | 12-15 | states from this one on note something where they are entered |
//! | 16-17 | the number of classes, from 1 to 256 |
//! | 18-19 | the number of notes, 1 or more |
//! | 20-23 | 0 |
//! | 24-279 | the class of each octet |
//! | 280-… | the notes: a set of up to 128 needs in 16 octets each |
//! | … | for each expression what it needs, 16 octets |
//! | … | for each expression an octet that it needs several times, 0, and how often in 2 octets |
//! | … | the rows: 2 octets for each number in them |
//!
//! The need of an expression's own number is always among what it needs. A row has for each class where the next row starts, counted in numbers; then which note
//! is made where the state is entered; then which is made besides where the path ends there. The note of the first state is made at the start.
//!
//! That an octet is needed often is for expressions such as `/(?:[^/]*/){20}`, which need nothing else that is rare.

use core::fmt;

use crate::format::VERSION;
use crate::{checksum, words};

/// The first two octets.
const MARK: [u8; 2] = *b"RG";
/// Octets before the notes.
const HEADER: usize = 280;
/// Numbers of a row that are no way on.
const NOTES: usize = 2;
/// The most expressions of a prefilter, and the most needs.
const MOST: u8 = 128;

/// A compiled prefilter, borrowed from its bytes. Walking it allocates nothing, never panics, and reads each octet of the path once.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Prefilter<'a> {
    classes: &'a [u8; 256],
    notes: &'a [u8],
    needs: &'a [u8],
    counts: &'a [u8],
    rows: &'a [u8],
    /// Where the first row starts that notes something.
    noting: usize,
    /// Numbers of a row.
    stride: usize,
}

/// Why bytes are no compiled prefilter.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefilterError(&'static str);

impl fmt::Display for PrefilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: compile it again", self.0)
    }
}

impl core::error::Error for PrefilterError {}

const fn word(header: &[u8; HEADER], at: usize) -> usize {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize
}

const fn half(header: &[u8; HEADER], at: usize) -> usize {
    u16::from_le_bytes([header[at], header[at + 1]]) as usize
}

impl<'a> Prefilter<'a> {
    /// Checks bytes from an untrusted source and borrows a prefilter from them. Cost: one pass over them.
    ///
    /// # Errors
    /// [`PrefilterError`] names the first invariant that does not hold, in this order: mark and version, lengths, checksum, classes, rows, needs.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, PrefilterError> {
        let prefilter = Self::from_trusted(bytes)?;
        if bytes.get(4..8) != Some(&checksum(bytes).to_le_bytes()) {
            return Err(PrefilterError("the checksum of a prefilter does not fit, it was altered"));
        }
        if prefilter.classes.iter().any(|class| usize::from(*class) >= prefilter.stride - NOTES) {
            return Err(PrefilterError("a class of a prefilter is out of range"));
        }
        let rows = prefilter.rows.as_chunks::<2>().0;
        let in_range = |row: &[[u8; 2]]| {
            let (ways, notes) = row.split_at(row.len().saturating_sub(NOTES));
            let is_row = |start: usize| start.is_multiple_of(prefilter.stride) && start < rows.len();
            ways.iter().all(|way| is_row(usize::from(u16::from_le_bytes(*way))))
                && notes.iter().all(|note| usize::from(u16::from_le_bytes(*note)) < prefilter.notes.len() / 16)
        };
        if !rows.chunks(prefilter.stride).all(in_range) {
            return Err(PrefilterError("a row of a prefilter is out of range"));
        }
        let needs = prefilter.needs.as_chunks().0;
        if !(0..).zip(needs).all(|(number, need)| u128::from_le_bytes(*need) >> number & 1 == 1) {
            return Err(PrefilterError("an expression of a prefilter does not need what it is known by"));
        }
        Ok(prefilter)
    }

    /// Borrows a prefilter from bytes that were checked before, or that this process made: only the header is read. Altered bytes do no harm beyond a wrong answer.
    ///
    /// # Errors
    /// [`PrefilterError`] where the header is not that of a prefilter, or its lengths do not fit the bytes.
    pub const fn from_trusted(bytes: &'a [u8]) -> Result<Self, PrefilterError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(PrefilterError("a prefilter is cut short"));
        };
        let [m, n, version, expressions, ..] = *header;
        if m != MARK[0] || n != MARK[1] || version != VERSION {
            return Err(PrefilterError("not a compiled prefilter of this version"));
        }
        let (states, noting, classes, notes) = (word(header, 8), word(header, 12), half(header, 16), half(header, 18));
        if expressions == 0 || expressions > MOST || states == 0 || classes == 0 || classes > 256 || notes == 0 {
            return Err(PrefilterError("the header of a prefilter is not valid"));
        }
        let stride = classes + NOTES;
        let Some(numbers) = states.checked_mul(stride) else {
            return Err(PrefilterError("the header of a prefilter is not valid"));
        };
        // Where a row starts has to be a number of two octets.
        if numbers > 1 << 16 || noting > states {
            return Err(PrefilterError("the header of a prefilter is not valid"));
        }
        if rest.len() != notes * 16 + expressions as usize * 20 + numbers * 2 {
            return Err(PrefilterError("a prefilter is cut short"));
        }
        let (notes, rest) = rest.split_at(notes * 16);
        let (needs, rest) = rest.split_at(expressions as usize * 16);
        let (counts, rows) = rest.split_at(expressions as usize * 4);
        let Some((_, classes)) = header.split_last_chunk::<256>() else {
            return Err(PrefilterError("a prefilter is cut short"));
        };
        Ok(Self { classes, notes, needs, counts, rows, noting: noting * stride, stride })
    }

    /// The prefilter in bytes that a code generator wrote. Evaluated by the compiler, where bytes that are no prefilter are an error.
    ///
    /// # Panics
    /// Where they are not; in a constant that is an error of the build.
    #[must_use]
    pub const fn embedded(bytes: &'a [u8]) -> Self {
        match Self::from_trusted(bytes) {
            Ok(prefilter) => prefilter,
            Err(_) => panic!("not a prefilter of this version of robotsc-runtime: generate the code again"),
        }
    }

    /// The expressions that may match a prefix of the path: one bit for each, the first the lowest. One that is not among them does not match.
    ///
    /// Cost: one step for each octet of the path, and an eighth of one for each expression that needs an octet often and may match otherwise.
    #[must_use]
    pub fn candidates(&self, path: &[u8]) -> u128 {
        let seen = self.seen(path);
        let needs = self.needs.as_chunks().0;
        let mut left = if needs.len() < 128 { seen & ((1 << needs.len()) - 1) } else { seen };
        let mut candidates = left;
        while left != 0 {
            let number = left.trailing_zeros();
            left &= left - 1;
            let need = needs.get(number as usize).map_or(0, |need| u128::from_le_bytes(*need));
            if need & !seen != 0 || !self.has_enough(path, number as usize) {
                candidates ^= 1 << number;
            }
        }
        candidates
    }

    /// The expressions that need nothing but an octet, perhaps.
    #[must_use]
    pub fn always(&self) -> u128 {
        self.note(0, 2)
    }

    /// Whether the path has the octet as often as an expression needs it.
    fn has_enough(&self, path: &[u8], number: usize) -> bool {
        let Some([octet, _, low, high]) = self.counts.as_chunks().0.get(number) else { return true };
        let least = usize::from(u16::from_le_bytes([*low, *high]));
        least == 0 || path.len() >= least && words::count(path, *octet) >= least
    }

    /// What the path has of what is needed.
    fn seen(&self, path: &[u8]) -> u128 {
        let rows = self.rows.as_chunks::<2>().0;
        let mut seen = self.note(0, 2);
        let mut row = 0;
        for octet in path {
            // Altered bytes only; then nothing is ruled out.
            let Some(next) = rows.get(row + usize::from(self.classes[usize::from(*octet)])) else { return u128::MAX };
            row = usize::from(u16::from_le_bytes(*next));
            if row >= self.noting {
                seen |= self.note(row, 2);
            }
        }
        seen | self.note(row, 1)
    }

    /// The note whose number is so far from the end of a row; all there is where there is none.
    fn note(&self, row: usize, from_end: usize) -> u128 {
        let number = self.rows.as_chunks::<2>().0.get(row + self.stride - from_end);
        let number = number.map_or(usize::MAX, |number| usize::from(u16::from_le_bytes(*number)));
        self.notes.as_chunks().0.get(number).map_or(u128::MAX, |note| u128::from_le_bytes(*note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRIDE: u16 = 4;

    /// Three expressions: the first needs an `a`, the second an `a` and an end behind an `a`, the third two slashes.
    fn bytes(rows: [u16; 8]) -> [u8; HEADER + 3 * 16 + 3 * 20 + 16] {
        let mut bytes = [0; HEADER + 3 * 16 + 3 * 20 + 16];
        let (header, rest) = bytes.split_first_chunk_mut::<HEADER>().expect("it is longer");
        header[..4].copy_from_slice(&[b'R', b'G', VERSION, 3]);
        // Two states, of which the second notes; two classes; three notes.
        (header[8], header[12], header[16], header[18]) = (2, 1, 2, 3);
        header[24 + usize::from(b'a')] = 1;
        let sets: [u128; 6] = [0b100, 0b011, 0b1000, 0b001, 0b1010, 0b100];
        let (sets_there, rows_there) = rest.split_at_mut(sets.len() * 16);
        for (there, set) in sets_there.as_chunks_mut().0.iter_mut().zip(sets) {
            *there = set.to_le_bytes();
        }
        let (counts_there, rows_there) = rows_there.split_at_mut(3 * 4);
        counts_there[8..].copy_from_slice(b"/\0\x02\0");
        for (there, number) in rows_there.as_chunks_mut().0.iter_mut().zip(rows) {
            *there = number.to_le_bytes();
        }
        let sum = checksum(&bytes).to_le_bytes();
        bytes[4..8].copy_from_slice(&sum);
        bytes
    }

    const ROWS: [u16; 8] = [0, STRIDE, 0, 0, 0, STRIDE, 1, 2];

    #[test]
    fn what_is_needed_is_seen() {
        let bytes = bytes(ROWS);
        let prefilter = Prefilter::from_bytes(&bytes).expect("it is one");
        assert_eq!(prefilter.always(), 0b100);
        for (path, wanted) in [(&b"/x/"[..], 0b100), (b"/", 0), (b"", 0), (b"/ab", 0b001), (b"//ba", 0b111)] {
            assert_eq!(prefilter.candidates(path), wanted, "{}", path.escape_ascii());
        }
    }

    #[test]
    fn what_leads_nowhere_rules_nothing_out() {
        for rows in
            [[0, 99, 0, 0, 0, STRIDE, 1, 2], [0, STRIDE, 0, 0, 0, STRIDE, 9, 2], [1, STRIDE, 0, 0, 0, STRIDE, 1, 2]]
        {
            let bytes = bytes(rows);
            assert!(Prefilter::from_bytes(&bytes).is_err(), "{rows:?}");
        }
        let bytes = bytes([0, 99, 0, 0, 0, STRIDE, 1, 2]);
        let prefilter = Prefilter::from_trusted(&bytes).expect("its header is one");
        assert_eq!(prefilter.candidates(b"//aa"), 0b111);
    }
}
