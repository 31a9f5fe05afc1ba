//! The layout of a pack, as `docs/pack-format.md` describes it: header, sections, slots. All numbers are little-endian.

use xxhash_rust::xxh3::xxh3_64;

use super::error::Kind;
use super::slot::SLOT;
use super::{PackAgents, PackError};

/// The first octets: a transfer as text changes them.
pub(crate) const MARK: [u8; 8] = *b"RCPACK\r\n";
pub(crate) const VERSION: u32 = 1;
/// Octets of the header. Sections start at multiples of a cache line.
pub(crate) const HEADER: usize = 320;
/// Where the header's checksum stands; it covers all before it.
const HEADER_SUM: usize = 280;
pub(crate) const LINE: usize = 64;

const ALL_AGENTS: u32 = 1;
const WINNERS: u32 = 1 << 1;
const SITEMAPS: u32 = 1 << 2;

/// Slots whose names are one block.
pub(crate) const NAME_BLOCK: u64 = 64;
/// Octets of a place in the sections of names, programs, policies and lists.
pub(crate) const PLACE: usize = 5;
/// Records in these sections start at multiples of this; a place counts them.
pub(crate) const UNIT: u64 = 8;
/// No place.
pub(crate) const NOWHERE: u64 = (1 << 40) - 1;
/// Homes for a number of origins: three quarters are taken.
pub(crate) const fn homes(origins: u64) -> u64 {
    origins + origins / 3 + 1
}

/// Where a record starts that comes when `at` octets of its section are written: at the next unit, but one that fits a
/// cache line is never in two, and a longer one
/// starts in the first half of a line, since its head is what is read most.
pub(crate) const fn record_start(at: u64, octets: u64) -> u64 {
    let (at, line) = (at.next_multiple_of(UNIT), LINE as u64);
    let place = at % line;
    let fits = if octets <= line { place + octets <= line } else { place <= line / 2 };
    if fits { at } else { at.next_multiple_of(line) }
}

/// The sections, in the order in which they stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    /// Dialect and agents.
    Meta,
    Programs,
    Lists,
    Policies,
    /// What many slots have in common.
    Classes,
    Slots,
    Extras,
    NameBlocks,
    Names,
}

impl Section {
    pub(crate) const COUNT: usize = 9;
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Meta,
        Self::Programs,
        Self::Lists,
        Self::Policies,
        Self::Classes,
        Self::Slots,
        Self::Extras,
        Self::NameBlocks,
        Self::Names,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Meta => "settings",
            Self::Classes => "classes",
            Self::Slots => "slots",
            Self::Extras => "extras",
            Self::Policies => "policies",
            Self::Programs => "programs",
            Self::Lists => "lists",
            Self::NameBlocks => "name blocks",
            Self::Names => "names",
        }
    }
}

/// Where a section lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) octets: u64,
    pub(crate) checksum: u64,
}

/// What the header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) all_agents: bool,
    pub(crate) winners: bool,
    pub(crate) sitemaps: bool,
    pub(crate) seed: u64,
    pub(crate) origins: u64,
    pub(crate) homes: u64,
    pub(crate) slots: u64,
    /// The farthest that an origin stands from its home.
    pub(crate) farthest: u32,
    pub(crate) file: u64,
    pub(crate) sections: [Span; Section::COUNT],
}

impl Header {
    pub(crate) fn section(&self, section: Section) -> Span {
        self.sections[section as usize]
    }

    pub(crate) fn to_octets(&self) -> [u8; HEADER] {
        let mut octets = Vec::with_capacity(HEADER);
        octets.extend_from_slice(&MARK);
        octets.extend_from_slice(&VERSION.to_le_bytes());
        let flags = [(self.all_agents, ALL_AGENTS), (self.winners, WINNERS), (self.sitemaps, SITEMAPS)];
        let flags = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum::<u32>();
        octets.extend_from_slice(&flags.to_le_bytes());
        for number in [self.seed, self.origins, self.homes, self.slots] {
            octets.extend_from_slice(&number.to_le_bytes());
        }
        octets.extend_from_slice(&self.farthest.to_le_bytes());
        octets.extend_from_slice(&[0; 4]);
        octets.extend_from_slice(&self.file.to_le_bytes());
        for span in &self.sections {
            for number in [span.start, span.octets, span.checksum] {
                octets.extend_from_slice(&number.to_le_bytes());
            }
        }
        let sum = {
            octets.resize(HEADER_SUM, 0);
            xxh3_64(&octets)
        };
        octets.extend_from_slice(&sum.to_le_bytes());
        let mut header = [0; HEADER];
        header[..octets.len()].copy_from_slice(&octets);
        header
    }

    /// Reads and checks the header, in this order: mark, version, checksum, the length of the file, the sections'
    /// places, the table's size.
    pub(crate) fn read(octets: &[u8]) -> Result<Self, PackError> {
        let bad = |what| PackError::from(Kind::Header(what));
        if !octets.starts_with(&MARK) {
            return Err(Kind::NoMark.into());
        }
        let header = octets
            .first_chunk::<HEADER>()
            .ok_or(Kind::TooShort { octets: octets.len() as u64, wanted: HEADER as u64 })?;
        let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if word(8) != VERSION {
            return Err(Kind::Version(word(8)).into());
        }
        if long(HEADER_SUM) != xxh3_64(&header[..HEADER_SUM])
            || header[HEADER_SUM + 8..].iter().any(|octet| *octet != 0)
        {
            return Err(Kind::HeaderChecksum.into());
        }
        if word(12) > 7 || word(52) != 0 {
            return Err(bad("flags"));
        }
        let mut read = Self {
            all_agents: word(12) & ALL_AGENTS != 0,
            winners: word(12) & WINNERS != 0,
            sitemaps: word(12) & SITEMAPS != 0,
            seed: long(16),
            origins: long(24),
            homes: long(32),
            slots: long(40),
            farthest: word(48),
            file: long(56),
            sections: [Span::default(); Section::COUNT],
        };
        if read.file != octets.len() as u64 {
            return Err(Kind::TooShort { octets: octets.len() as u64, wanted: read.file }.into());
        }
        let mut end = HEADER as u64;
        for (number, span) in read.sections.iter_mut().enumerate() {
            let at = 64 + 24 * number;
            *span = Span { start: long(at), octets: long(at + 8), checksum: long(at + 16) };
            // Each section starts at the first line behind the one before it.
            if span.start != end.next_multiple_of(LINE as u64) {
                return Err(bad("a section's place"));
            }
            end =
                span.start.checked_add(span.octets).filter(|end| *end <= read.file).ok_or(bad("a section's length"))?;
        }
        if end != read.file {
            return Err(bad("the last section's end"));
        }
        let table = read.slots.checked_mul(SLOT as u64);
        if read.origins > read.slots
            || read.homes == 0
            || read.homes > read.slots
            || table != Some(read.section(Section::Slots).octets)
        {
            return Err(bad("the size of the table"));
        }
        if read.section(Section::NameBlocks).octets != read.slots.div_ceil(NAME_BLOCK) * PLACE as u64 {
            return Err(bad("the number of name blocks"));
        }
        Ok(read)
    }
}

/// The section of settings: the dialect's name, then the agents' tokens, each behind its length.
pub(crate) fn settings(dialect: &str, agents: &PackAgents) -> Vec<u8> {
    let mut octets = Vec::new();
    let tokens = match agents {
        PackAgents::All => &[][..],
        PackAgents::Some(tokens) => tokens,
    };
    for text in std::iter::once(dialect).chain(tokens.iter().map(String::as_str)) {
        // Both are held to 255 octets: names are the dialects' own, tokens are checked.
        octets.push(text.len() as u8);
        octets.extend_from_slice(text.as_bytes());
    }
    octets
}

/// The texts of the section of settings; `None` where it is not valid.
pub(crate) fn read_settings(mut octets: &[u8]) -> Option<Vec<&str>> {
    let mut texts = Vec::new();
    while let Some((&length, rest)) = octets.split_first() {
        let (text, rest) = rest.split_at_checked(usize::from(length))?;
        texts.push(std::str::from_utf8(text).ok()?);
        octets = rest;
    }
    Some(texts)
}

/// Reads a place; `None` where the octets end before it.
#[inline]
pub(crate) fn place(octets: &[u8], at: usize) -> Option<u64> {
    let [a, b, c, d, e] = *octets.get(at..)?.first_chunk::<PLACE>()?;
    Some(u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]))
}

/// Reads 32 bits; `None` where the octets end before them.
#[inline]
pub(crate) fn word(octets: &[u8], at: usize) -> Option<u32> {
    octets.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}
