//! The layout of a pack, as `docs/pack-format.md` describes it: header, sections, slots. All numbers are little-endian.

use xxhash_rust::xxh3::xxh3_64;

use super::error::Kind;
use super::{PackAgents, PackError};

/// The first bytes: a transfer as text changes them.
pub(crate) const MARK: [u8; 8] = *b"RCPACK\r\n";
/// The version of the format. Packs hold programs, so that a new format of programs is a new one of packs.
pub(crate) const VERSION: u32 = 2;
/// Bytes of the header. Sections start at multiples of a cache line.
pub(crate) const HEADER: usize = 320;
/// Where the header's checksum is; it covers all before it.
const HEADER_SUM: usize = 280;
pub(crate) const LINE: usize = 64;

const ALL_AGENTS: u32 = 1;
const DECIDING_RULES: u32 = 1 << 1;
const SITEMAPS: u32 = 1 << 2;

/// Slots whose names are one block.
pub(crate) const NAME_BLOCK: u64 = 64;
/// Bytes of a place in the sections of names, programs, policies and lists.
pub(crate) const PLACE: usize = 5;
/// Bytes of a slot.
pub(crate) const SLOT: usize = 16;
/// Records in these sections start at multiples of this; a place counts them.
pub(crate) const UNIT: u64 = 8;
/// No place.
pub(crate) const NOWHERE: u64 = (1 << 40) - 1;
/// Homes for a number of origins: three quarters are taken.
pub(crate) const fn homes(origins: u64) -> u64 {
    origins + origins / 3 + 1
}

/// Returns where a record starts if `at` bytes of its section are written: at the next unit, but one that fits a cache
/// line is never in two, and a longer one starts in the first half of a line, since its header is what is read most.
pub(crate) const fn record_start(at: u64, bytes: u64) -> u64 {
    let (at, line) = (at.next_multiple_of(UNIT), LINE as u64);
    let place = at % line;
    let fits = if bytes <= line { place + bytes <= line } else { place <= line / 2 };
    if fits { at } else { at.next_multiple_of(line) }
}

/// The sections, in their order in the file.
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

/// The place of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    pub(crate) checksum: u64,
}

/// What the header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) all_agents: bool,
    pub(crate) deciding_rules: bool,
    pub(crate) sitemaps: bool,
    pub(crate) seed: u64,
    pub(crate) origins: u64,
    pub(crate) homes: u64,
    pub(crate) slots: u64,
    /// The maximum distance of an origin from its home, in slots.
    pub(crate) farthest: u32,
    pub(crate) file: u64,
    pub(crate) sections: [Span; Section::COUNT],
}

impl Header {
    pub(crate) fn section(&self, section: Section) -> Span {
        self.sections[section as usize]
    }

    pub(crate) fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend_from_slice(&MARK);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        let flags = [(self.all_agents, ALL_AGENTS), (self.deciding_rules, DECIDING_RULES), (self.sitemaps, SITEMAPS)];
        let flags = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum::<u32>();
        bytes.extend_from_slice(&flags.to_le_bytes());
        for number in [self.seed, self.origins, self.homes, self.slots] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.farthest.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&self.file.to_le_bytes());
        for span in &self.sections {
            for number in [span.start, span.bytes, span.checksum] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
        let sum = {
            bytes.resize(HEADER_SUM, 0);
            xxh3_64(&bytes)
        };
        bytes.extend_from_slice(&sum.to_le_bytes());
        let mut header = [0; HEADER];
        header[..bytes.len()].copy_from_slice(&bytes);
        header
    }

    /// Reads and checks the header, in this order: mark, version, checksum, the length of the file, the sections'
    /// places, the table's size.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, PackError> {
        let bad = |what| PackError::from(Kind::Header(what));
        if !bytes.starts_with(&MARK) {
            return Err(Kind::NoMark.into());
        }
        let header =
            bytes.first_chunk::<HEADER>().ok_or(Kind::TooShort { bytes: bytes.len() as u64, wanted: HEADER as u64 })?;
        let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if word(8) != VERSION {
            return Err(Kind::Version { found: word(8), known: VERSION }.into());
        }
        if long(HEADER_SUM) != xxh3_64(&header[..HEADER_SUM]) || header[HEADER_SUM + 8..].iter().any(|byte| *byte != 0)
        {
            return Err(Kind::HeaderChecksum.into());
        }
        if word(12) > 7 || word(52) != 0 {
            return Err(bad("flags"));
        }
        let mut read = Self {
            all_agents: word(12) & ALL_AGENTS != 0,
            deciding_rules: word(12) & DECIDING_RULES != 0,
            sitemaps: word(12) & SITEMAPS != 0,
            seed: long(16),
            origins: long(24),
            homes: long(32),
            slots: long(40),
            farthest: word(48),
            file: long(56),
            sections: [Span::default(); Section::COUNT],
        };
        if read.file != bytes.len() as u64 {
            return Err(Kind::TooShort { bytes: bytes.len() as u64, wanted: read.file }.into());
        }
        let mut end = HEADER as u64;
        for (number, span) in read.sections.iter_mut().enumerate() {
            let at = 64 + 24 * number;
            *span = Span { start: long(at), bytes: long(at + 8), checksum: long(at + 16) };
            // Each section starts at the first cache line after the one before it.
            if span.start != end.next_multiple_of(LINE as u64) {
                return Err(bad("a section's place"));
            }
            end =
                span.start.checked_add(span.bytes).filter(|end| *end <= read.file).ok_or(bad("a section's length"))?;
        }
        if end != read.file {
            return Err(bad("the last section's end"));
        }
        let table = read.slots.checked_mul(SLOT as u64);
        if read.origins > read.slots
            || read.homes == 0
            || read.homes > read.slots
            || table != Some(read.section(Section::Slots).bytes)
        {
            return Err(bad("the size of the table"));
        }
        if read.section(Section::NameBlocks).bytes != read.slots.div_ceil(NAME_BLOCK) * PLACE as u64 {
            return Err(bad("the number of name blocks"));
        }
        Ok(read)
    }
}

/// Returns the section of settings: the dialect's name, then the agents' tokens, each after its length.
pub(crate) fn settings(dialect: &str, agents: &PackAgents) -> Vec<u8> {
    let mut bytes = Vec::new();
    let tokens = match agents {
        PackAgents::All => &[][..],
        PackAgents::Some(tokens) => tokens,
    };
    for text in std::iter::once(dialect).chain(tokens.iter().map(String::as_str)) {
        // Both are held to 255 bytes: names are the dialects' own, tokens are checked.
        bytes.push(text.len() as u8);
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

/// Returns the texts of the section of settings; `None` if it is not valid.
pub(crate) fn read_settings(mut bytes: &[u8]) -> Option<Vec<&str>> {
    let mut texts = Vec::new();
    while let Some((&length, rest)) = bytes.split_first() {
        let (text, rest) = rest.split_at_checked(usize::from(length))?;
        texts.push(std::str::from_utf8(text).ok()?);
        bytes = rest;
    }
    Some(texts)
}

/// Reads a place; `None` if the bytes end before it.
#[inline]
pub(crate) fn place(bytes: &[u8], at: usize) -> Option<u64> {
    let [a, b, c, d, e] = *bytes.get(at..)?.first_chunk::<PLACE>()?;
    Some(u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]))
}

/// Reads 32 bits; `None` if the bytes end before them.
#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}
