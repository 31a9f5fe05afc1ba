//! Where rules stand: a table of their files, lines, texts and names.
//!
//! All numbers are little-endian. A table is
//!
//! | octets | what |
//! |---|---|
//! | 0-3 | the number of places |
//! | 4-… | for each place, where its record starts, counted from the end of this list: 4 octets |
//! | … | the records |
//!
//! and a record is the number of its file in 2 octets, the line in 4, the length of the name in 2 (0: none), the length of the text in 4, the name, the text; both UTF-8.
//!
//! What is cut short or no text is read as no place: the table explains verdicts, it gives none.

/// A rule that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule<'a> {
    /// The file that states it, relative to the folder of the rule sets.
    pub file: &'a str,
    /// Its line there, from 1.
    pub line: u32,
    /// The rule as written: `Disallow: /cart`.
    pub text: &'a str,
    /// Its name, where it was given one.
    pub name: Option<&'a str>,
}

/// A table of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places<'a> {
    files: &'a [&'a str],
    table: &'a [u8],
}

/// Octets of a record before its name.
const RECORD: usize = 12;

impl<'a> Places<'a> {
    /// No place.
    pub const NONE: Self = Self { files: &[], table: &[] };

    /// The table in `table`, of places in `files`.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(files: &'a [&'a str], table: &'a [u8]) -> Self {
        Self { files, table }
    }

    /// The place with a number from 1; 0 is none.
    ///
    /// Cost: constant, but for the check that name and text are UTF-8. Never panics, whatever the table holds.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<Rule<'a>> {
        let (count, rest) = self.table.split_first_chunk::<4>()?;
        let (starts, records) = rest.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(4)?)?;
        let start = starts.as_chunks::<4>().0.get((number as usize).checked_sub(1)?)?;
        let record = records.get(u32::from_le_bytes(*start) as usize..)?;
        let (&[a, b, c, d, e, f, g, h, i, j, k, l], rest) = record.split_first_chunk::<RECORD>()?;
        let (name, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes([g, h])))?;
        let text = rest.get(..u32::from_le_bytes([i, j, k, l]) as usize)?;
        let name = core::str::from_utf8(name).ok()?;
        Some(Rule {
            file: self.files.get(usize::from(u16::from_le_bytes([a, b])))?,
            line: u32::from_le_bytes([c, d, e, f]),
            text: core::str::from_utf8(text).ok()?,
            name: (!name.is_empty()).then_some(name),
        })
    }

    /// The number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.first_chunk().map_or(0, |count| u32::from_le_bytes(*count) as usize)
    }

    /// Whether there is no place: the set was compiled without them, or has no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The files that the rules stand in.
    #[must_use]
    pub const fn files(&self) -> &'a [&'a str] {
        self.files
    }

    /// All places, in order: first those of the first file. Records that cannot be read are left out.
    pub fn iter(&self) -> impl Iterator<Item = Rule<'a>> + use<'a> {
        let places = *self;
        (1..=places.len().min(places.table.len()) as u32).filter_map(move |number| places.get(number))
    }
}
