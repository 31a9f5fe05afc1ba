//! Where rules stand: a table of their files, lines, texts and names, and of the rules that programs reach by number.
//!
//! All numbers are little-endian. A table is
//!
//! | octets | what |
//! |---|---|
//! | 0-3 | the number of places |
//! | 4-7 | the number of rules that programs reach |
//! | … | for each 16 places a block of 42 octets |
//! | … | for each rule that programs reach, its place, or 0: as many octets as the number of places needs |
//! | … | the records, one for each place |
//!
//! A block is
//!
//! | octets | what |
//! |---|---|
//! | 0-3 | where its first record starts, counted from the first of all |
//! | 4-7 | a line |
//! | 8-9 | the number of a file |
//! | 10-25 | for each place how far behind that line its own is, in that file; 255: its record says |
//! | 26-41 | for each place the length of its record; 255: the record says |
//!
//! and a record is, each part only where the block says so, the length of what follows, 4 octets; the number of the file, 2, the line, 4, and the length of the name, 2 (0: none), the
//! name; and always the text. Name and text are UTF-8.
//!
//! So that a rule on the line behind the one before costs two octets and a bit beside its text, and is found in the time that at most 15 additions take. What is cut short or no
//! text is read as no place: the table explains verdicts, it gives none.

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
    /// The places of rules that programs reach, each of `width` octets.
    reached: &'a [u8],
    width: usize,
    records: &'a [u8],
    count: u32,
}

/// The places of a block.
#[doc(hidden)]
pub const PLACES_PER_BLOCK: usize = 16;
/// Octets of a block.
const BLOCK: usize = 10 + 2 * PLACES_PER_BLOCK;
/// An octet that refers to the record.
const IN_RECORD: u8 = 0xff;

impl<'a> Places<'a> {
    /// No place.
    pub const NONE: Self = Self { files: &[], blocks: &[], reached: &[], width: 1, records: &[], count: 0 };

    /// The table in `table`, of places in `files`; [none](Self::NONE) where it is cut short before its records.
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

    /// The place with a number from 1; 0 is none.
    ///
    /// Cost: constant, but for the check that name and text are UTF-8. Never panics, whatever the table holds.
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
        let behind = *lines.get(index % PLACES_PER_BLOCK)?;
        let (mut file, mut line) = (u16::from_le_bytes([i, j]), u32::from_le_bytes([e, f, g, h]));
        let mut name: &[u8] = &[];
        if behind == IN_RECORD {
            let (&[a, b, c, d, e, f, g, h], rest) = text.split_first_chunk::<8>()?;
            (file, line) = (u16::from_le_bytes([a, b]), u32::from_le_bytes([c, d, e, f]));
            (name, text) = rest.split_at_checked(usize::from(u16::from_le_bytes([g, h])))?;
        } else {
            line = line.checked_add(u32::from(behind))?;
        }
        let name = core::str::from_utf8(name).ok()?;
        Some(RuleSource {
            file: self.files.get(usize::from(file))?,
            line,
            text: core::str::from_utf8(text).ok()?,
            name: (!name.is_empty()).then_some(name),
        })
    }

    /// The place of a rule that a program reaches, by its number from 0.
    pub(crate) fn reached(&self, number: u32) -> Option<RuleSource<'a>> {
        let start = (number as usize).checked_mul(self.width)?;
        let octets = self.reached.get(start..)?.get(..self.width)?;
        self.get(octets.iter().rev().fold(0, |place, octet| place << 8 | u32::from(*octet)))
    }

    /// The number of places.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there is no place: the set was compiled without them, or has no rules.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The files that the rules stand in.
    #[must_use]
    pub const fn files(&self) -> &'a [&'a str] {
        self.files
    }

    /// All places, in order: first those of the first file. Records that cannot be read are left out.
    pub fn iter(&self) -> impl Iterator<Item = RuleSource<'a>> + use<'a> {
        let places = *self;
        (1..=places.count).filter_map(move |number| places.get(number))
    }
}

/// The record at the start of `rest`, and what follows it.
#[inline]
fn record(rest: &[u8], length: u8) -> Option<(&[u8], &[u8])> {
    if length != IN_RECORD {
        return rest.split_at_checked(usize::from(length));
    }
    let (length, rest) = rest.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Octets of a place where there are `count`.
#[doc(hidden)]
#[must_use]
pub const fn place_width(count: u32) -> usize {
    (count | 1).ilog2() as usize / 8 + 1
}
