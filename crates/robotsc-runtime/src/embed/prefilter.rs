//! Finds, in one walk, the regular expressions out of many that can match.
//!
//! A path can match an expression only if it holds the expression's required literals: one of a few words after a `?`,
//! say. A prefilter is one small automaton that searches for the required literals of all its expressions, and notes
//! those that it finds. An expression that lacks one cannot match, which settles most paths; the others are matched
//! one by one. The automaton forgets a word where it ends, so it stays small where an automaton that decides would not.
//!
//! All numbers are little-endian. A prefilter is
//!
//! | bytes | what |
//! |---|---|
//! | 0-1 | the mark `RG` |
//! | 2 | the format version, [`VERSION`] |
//! | 3 | the number of expressions, from 1 to 128 |
//! | 4-7 | the checksum of all other bytes |
//! | 8-11 | the number of states, 1 or more; the walk starts at the first |
//! | 12-15 | states from this one on make a note when they are entered |
//! | 16-17 | the number of classes, from 1 to 256 |
//! | 18-19 | the number of notes, 1 or more |
//! | 20-23 | 0 |
//! | 24-279 | the class of each byte |
//! | 280-… | the notes: a set of up to 128 required literals, 16 bytes each |
//! | … | for each expression the set of its required literals, 16 bytes |
//! | … | for each expression a byte that it requires several times, 0, and the number of times, 2 bytes |
//! | … | the rows: 2 bytes for each number in them |
//!
//! The literal with an expression's own number is always one of its required literals. A row has, for each class, the
//! start of the next row, counted in numbers; then the note to make when the state is entered; then the note to make as
//! well if the path ends there. The note of the first state is made at the start.
//!
//! The counts are for expressions such as `/(?:[^/]*/){20}`, which require nothing else that is rare.

use core::fmt;

use crate::format::VERSION;
use crate::{checksum, words};

/// The first two bytes.
const MARK: [u8; 2] = *b"RG";
/// The number of bytes before the notes.
const HEADER: usize = 280;
/// The numbers of a row that are notes, not transitions.
const NOTES: usize = 2;
/// The maximum number of expressions of a prefilter, and of its required literals.
const MAX_EXPRESSIONS: u8 = 128;

/// A compiled prefilter, borrowed from its bytes. Walking it allocates nothing, never panics, and reads each byte of
/// the path once.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Prefilter<'a> {
    classes: &'a [u8; 256],
    notes: &'a [u8],
    required: &'a [u8],
    counts: &'a [u8],
    rows: &'a [u8],
    /// The start of the first row that makes a note.
    noting: usize,
    /// The number of numbers of a row.
    stride: usize,
}

/// Reports why bytes are not a compiled prefilter.
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
    /// Checks bytes from an untrusted source and borrows a prefilter from them.
    ///
    /// Cost: one pass over the bytes. Never panics.
    ///
    /// # Errors
    /// [`PrefilterError`] names the first broken invariant, in this order: mark and version, lengths, checksum,
    /// classes, rows, required literals.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, PrefilterError> {
        let prefilter = Self::from_trusted(bytes)?;
        if bytes.get(4..8) != Some(&checksum(bytes).to_le_bytes()) {
            return Err(PrefilterError("the checksum of a prefilter is wrong, its bytes were altered"));
        }
        if prefilter.classes.iter().any(|class| usize::from(*class) >= prefilter.stride - NOTES) {
            return Err(PrefilterError("a class of a prefilter is out of range"));
        }
        let rows = prefilter.rows.as_chunks::<2>().0;
        let in_range = |row: &[[u8; 2]]| {
            let (transitions, notes) = row.split_at(row.len().saturating_sub(NOTES));
            let is_row = |start: usize| start.is_multiple_of(prefilter.stride) && start < rows.len();
            transitions.iter().all(|next| is_row(usize::from(u16::from_le_bytes(*next))))
                && notes.iter().all(|note| usize::from(u16::from_le_bytes(*note)) < prefilter.notes.len() / 16)
        };
        if !rows.chunks(prefilter.stride).all(in_range) {
            return Err(PrefilterError("a row of a prefilter is out of range"));
        }
        let required = prefilter.required.as_chunks().0;
        if !(0..).zip(required).all(|(number, set)| u128::from_le_bytes(*set) >> number & 1 == 1) {
            return Err(PrefilterError("an expression of a prefilter does not require the literal of its own number"));
        }
        Ok(prefilter)
    }

    /// Borrows a prefilter from bytes that were checked before, or that this process made. Reads only the header; if
    /// bytes were altered, the worst result is a wrong answer.
    ///
    /// # Errors
    /// [`PrefilterError`] if the header is not that of a prefilter, or its lengths do not fit the bytes.
    pub const fn from_trusted(bytes: &'a [u8]) -> Result<Self, PrefilterError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(PrefilterError("a prefilter is cut short"));
        };
        let [m, n, version, expressions, ..] = *header;
        if m != MARK[0] || n != MARK[1] || version != VERSION {
            return Err(PrefilterError("not a compiled prefilter of this version"));
        }
        let (states, noting, classes, notes) = (word(header, 8), word(header, 12), half(header, 16), half(header, 18));
        if expressions == 0
            || expressions > MAX_EXPRESSIONS
            || states == 0
            || classes == 0
            || classes > 256
            || notes == 0
        {
            return Err(PrefilterError("the header of a prefilter is not valid"));
        }
        let stride = classes + NOTES;
        let Some(numbers) = states.checked_mul(stride) else {
            return Err(PrefilterError("the header of a prefilter is not valid"));
        };
        // The start of a row has to fit two bytes.
        if numbers > 1 << 16 || noting > states {
            return Err(PrefilterError("the header of a prefilter is not valid"));
        }
        if rest.len() != notes * 16 + expressions as usize * 20 + numbers * 2 {
            return Err(PrefilterError("a prefilter is cut short"));
        }
        let (notes, rest) = rest.split_at(notes * 16);
        let (required, rest) = rest.split_at(expressions as usize * 16);
        let (counts, rows) = rest.split_at(expressions as usize * 4);
        let Some((_, classes)) = header.split_last_chunk::<256>() else {
            return Err(PrefilterError("a prefilter is cut short"));
        };
        Ok(Self { classes, notes, required, counts, rows, noting: noting * stride, stride })
    }

    /// Returns the prefilter in bytes that a code generator wrote.
    ///
    /// # Panics
    /// If the bytes are not a prefilter. In a constant, that is a build error.
    #[must_use]
    pub const fn embedded(bytes: &'a [u8]) -> Self {
        match Self::from_trusted(bytes) {
            Ok(prefilter) => prefilter,
            Err(_) => panic!("not a prefilter of this version of robotsc-runtime: generate the code again"),
        }
    }

    /// Returns the expressions that can match a prefix of the path: one bit for each, the first the lowest. All others
    /// do not match.
    ///
    /// Cost: one step for each byte of the path, and an eighth of one for each expression that requires a byte several
    /// times and has all its required literals.
    #[must_use]
    pub fn candidates(&self, path: &[u8]) -> u128 {
        let seen = self.seen(path);
        let required = self.required.as_chunks().0;
        let mut unchecked = if required.len() < 128 { seen & ((1 << required.len()) - 1) } else { seen };
        let mut candidates = unchecked;
        while unchecked != 0 {
            let number = unchecked.trailing_zeros();
            unchecked &= unchecked - 1;
            let set = required.get(number as usize).map_or(0, |set| u128::from_le_bytes(*set));
            if set & !seen != 0 || !self.has_enough(path, number as usize) {
                candidates ^= 1 << number;
            }
        }
        candidates
    }

    /// Returns the expressions without required literals. They can have a count.
    #[must_use]
    pub fn always(&self) -> u128 {
        self.note(0, 2)
    }

    /// Reports whether the path holds the byte as often as an expression requires it.
    fn has_enough(&self, path: &[u8], number: usize) -> bool {
        let Some([byte, _, low, high]) = self.counts.as_chunks().0.get(number) else { return true };
        let least = usize::from(u16::from_le_bytes([*low, *high]));
        least == 0 || path.len() >= least && words::count(path, *byte) >= least
    }

    /// Returns the required literals that the path holds.
    fn seen(&self, path: &[u8]) -> u128 {
        let rows = self.rows.as_chunks::<2>().0;
        let mut seen = self.note(0, 2);
        let mut row = 0;
        for byte in path {
            // Only in altered bytes. Then no expression is excluded.
            let Some(next) = rows.get(row + usize::from(self.classes[usize::from(*byte)])) else { return u128::MAX };
            row = usize::from(u16::from_le_bytes(*next));
            if row >= self.noting {
                seen |= self.note(row, 2);
            }
        }
        seen | self.note(row, 1)
    }

    /// Returns the note whose number is `from_end` before the end of a row, or all literals if there is none.
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

    /// Three expressions: the first requires an `a`, the second an `a` and an end after an `a`, the third two slashes.
    fn bytes(rows: [u16; 8]) -> [u8; HEADER + 3 * 16 + 3 * 20 + 16] {
        let mut bytes = [0; HEADER + 3 * 16 + 3 * 20 + 16];
        let (header, rest) = bytes.split_first_chunk_mut::<HEADER>().expect("it is longer");
        header[..4].copy_from_slice(&[b'R', b'G', VERSION, 3]);
        // Two states, of which the second makes a note; two classes; three notes.
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
    fn the_prefilter_finds_required_literals() {
        let bytes = bytes(ROWS);
        let prefilter = Prefilter::from_bytes(&bytes).expect("it is one");
        assert_eq!(prefilter.always(), 0b100);
        for (path, wanted) in [(&b"/x/"[..], 0b100), (b"/", 0), (b"", 0), (b"/ab", 0b001), (b"//ba", 0b111)] {
            assert_eq!(prefilter.candidates(path), wanted, "{}", path.escape_ascii());
        }
    }

    #[test]
    fn a_row_out_of_range_excludes_no_expression() {
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
