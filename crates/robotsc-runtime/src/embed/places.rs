//! The places of rules: a table of their files, lines, texts and names, and of the rules that programs reach by number.
//!
//! All numbers are little-endian. A table is
//!
//! | bytes | what |
//! |---|---|
//! | 0-3 | the number of places |
//! | 4-7 | the number of rules that programs reach |
//! | … | for each 16 places a block of 42 bytes |
//! | … | for each rule that programs reach, its place, or 0, in as few bytes as the number of places allows |
//! | … | the records, one for each place |
//!
//! A block is
//!
//! | bytes | what |
//! |---|---|
//! | 0-3 | the offset of its first record, from the first of all |
//! | 4-7 | a line |
//! | 8-9 | the number of a file |
//! | 10-25 | for each place, the number of lines that it comes after that line, in that file; 255: see its record |
//! | 26-41 | for each place, the length of its record; 255: see the record |
//!
//! and a record is
//!
//! | bytes | what | if |
//! |---|---|---|
//! | 4 | the length of what follows | its length in the block is 255 |
//! | 2 | the number of the file | its line in the block is 255 |
//! | 4 | the line | the same |
//! | 2 | the length of the name; 0: no name | the same |
//! | … | the name, UTF-8 | the same |
//! | … | the text, UTF-8 | always |
//!
//! So a rule on the line after the previous one costs little more than two bytes beside its text, and a lookup costs at
//! most 15 additions. A place that is cut short or not UTF-8 is read as no place: the table explains verdicts, it does
//! not decide them.

/// A rule as a file states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleSource<'a> {
    /// The file that states it, relative to the folder of the rule sets.
    pub file: &'a str,
    /// Its line there, from 1.
    pub line: u32,
    /// The rule as written: `Disallow: /cart`.
    pub text: &'a str,
    /// Its name, if it has one.
    pub name: Option<&'a str>,
}

/// A table of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places<'a> {
    files: &'a [&'a str],
    blocks: &'a [[u8; BLOCK]],
    /// The places of rules that programs reach, each of `width` bytes.
    reached: &'a [u8],
    width: usize,
    records: &'a [u8],
    count: u32,
}

/// The number of places of a block.
#[doc(hidden)]
pub const PLACES_PER_BLOCK: usize = 16;
/// The size of a block in bytes.
const BLOCK: usize = 10 + 2 * PLACES_PER_BLOCK;
/// A byte that refers to the record.
const IN_RECORD: u8 = 0xff;

impl<'a> Places<'a> {
    /// No place.
    pub const NONE: Self = Self { files: &[], blocks: &[], reached: &[], width: 1, records: &[], count: 0 };

    /// Returns the places of a table, in `files`. They are [none](Self::NONE) if it is cut short before its records.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(files: &'a [&'a str], table: &'a [u8]) -> Self {
        let Some((&[a, b, c, d, e, f, g, h], rest)) = table.split_first_chunk::<8>() else { return Self::NONE };
        let (count, reached) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        let width = place_width(count);
        let Some(blocks) = (count as usize).div_ceil(PLACES_PER_BLOCK).checked_mul(BLOCK) else { return Self::NONE };
        let Some((blocks, rest)) = rest.split_at_checked(blocks) else { return Self::NONE };
        let Some(reached) = (reached as usize).checked_mul(width) else { return Self::NONE };
        let Some((reached, records)) = rest.split_at_checked(reached) else { return Self::NONE };
        Self { files, blocks: blocks.as_chunks().0, reached, width, records, count }
    }

    /// Returns the place with a number, counted from 1. The number 0 means none.
    ///
    /// Cost: constant, except for the check that name and text are UTF-8. Never panics, for any table.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<RuleSource<'a>> {
        let index = number.checked_sub(1).filter(|index| *index < self.count)? as usize;
        let (head, columns) = self.blocks.get(index / PLACES_PER_BLOCK)?.split_first_chunk::<10>()?;
        let (lines, lengths) = columns.split_at_checked(PLACES_PER_BLOCK)?;
        let &[a, b, c, d, e, f, g, h, i, j] = head;
        let (before, length) =
            lengths.get(..=index % PLACES_PER_BLOCK)?.split_last().map(|(last, all)| (all, *last))?;
        let mut rest = self.records.get(u32::from_le_bytes([a, b, c, d]) as usize..)?;
        for length in before {
            rest = record(rest, *length)?.1;
        }
        let (mut text, _) = record(rest, length)?;
        let lines_after = *lines.get(index % PLACES_PER_BLOCK)?;
        let (mut file, mut line) = (u16::from_le_bytes([i, j]), u32::from_le_bytes([e, f, g, h]));
        let mut name: &[u8] = &[];
        if lines_after == IN_RECORD {
            let (&[a, b, c, d, e, f, g, h], rest) = text.split_first_chunk::<8>()?;
            (file, line) = (u16::from_le_bytes([a, b]), u32::from_le_bytes([c, d, e, f]));
            (name, text) = rest.split_at_checked(usize::from(u16::from_le_bytes([g, h])))?;
        } else {
            line = line.checked_add(u32::from(lines_after))?;
        }
        let name = core::str::from_utf8(name).ok()?;
        Some(RuleSource {
            file: self.files.get(usize::from(file))?,
            line,
            text: core::str::from_utf8(text).ok()?,
            name: (!name.is_empty()).then_some(name),
        })
    }

    /// Returns the place of a rule that a program reaches, by its number, counted from 0.
    pub(crate) fn reached(&self, number: u32) -> Option<RuleSource<'a>> {
        let start = (number as usize).checked_mul(self.width)?;
        let place = self.reached.get(start..)?.get(..self.width)?;
        self.get(place.iter().rev().fold(0, |place, byte| place << 8 | u32::from(*byte)))
    }

    /// Returns the number of places.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Reports whether there is no place: the set was compiled without them, or has no rules.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the files that state the rules.
    #[must_use]
    pub const fn files(&self) -> &'a [&'a str] {
        self.files
    }

    /// Returns all places, in order: first those of the first file. Skips records that cannot be read.
    pub fn iter(&self) -> impl Iterator<Item = RuleSource<'a>> + use<'a> {
        let places = *self;
        (1..=places.count).filter_map(move |number| places.get(number))
    }
}

/// Returns the record at the start of `rest`, and what follows it.
#[inline]
fn record(rest: &[u8], length: u8) -> Option<(&[u8], &[u8])> {
    if length != IN_RECORD {
        return rest.split_at_checked(usize::from(length));
    }
    let (length, rest) = rest.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Returns the number of bytes of a place number in a table of `count` places.
#[doc(hidden)]
#[must_use]
pub const fn place_width(count: u32) -> usize {
    (count | 1).ilog2() as usize / 8 + 1
}
