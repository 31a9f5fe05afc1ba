//! The layout of a pack, as `docs/pack-format.md` describes it: header, sections, slots. All numbers are little-endian.

use xxhash_rust::xxh3::xxh3_64;

use super::error::PackErrorKind;
use super::{PackAgents, PackError};

/// The first bytes: a transfer as text changes them.
pub(crate) const MARK: [u8; 8] = *b"RCPACK\r\n";
/// The version of the format. Packs hold programs, so that a new format of programs is a new one of packs.
pub(crate) const VERSION: u32 = 2;
/// The version of packs that hold preferences, too. All others have the version before it.
pub(crate) const VERSION_WITH_PREFERENCES: u32 = 3;
/// Bytes of the header. Sections start at multiples of a cache line.
pub(crate) const HEADER: usize = 320;
/// Where the table of sections starts.
const TABLE: usize = 64;
/// Bytes of a section in the table.
const TABLE_ENTRY: usize = 24;
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
    /// Compiled preferences, in packs that hold them.
    Preferences,
}

impl Section {
    pub(crate) const COUNT: usize = 10;
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
        Self::Preferences,
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
            Self::Preferences => "preferences",
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
    /// The revision of the vocabulary, if the pack holds preferences.
    pub(crate) vocabulary: Option<u32>,
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

    /// Returns the sections that the pack has.
    pub(crate) fn present(&self) -> &'static [Section] {
        present(self.vocabulary.is_some())
    }

    pub(crate) fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend_from_slice(&MARK);
        let version = if self.vocabulary.is_some() { VERSION_WITH_PREFERENCES } else { VERSION };
        bytes.extend_from_slice(&version.to_le_bytes());
        let flags = [(self.all_agents, ALL_AGENTS), (self.deciding_rules, DECIDING_RULES), (self.sitemaps, SITEMAPS)];
        let flags = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum::<u32>();
        bytes.extend_from_slice(&flags.to_le_bytes());
        for number in [self.seed, self.origins, self.homes, self.slots] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.farthest.to_le_bytes());
        bytes.extend_from_slice(&self.vocabulary.unwrap_or(0).to_le_bytes());
        bytes.extend_from_slice(&self.file.to_le_bytes());
        for section in self.present() {
            let span = self.section(*section);
            for number in [span.start, span.bytes, span.checksum] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
        let sum = xxh3_64(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        let mut header = [0; HEADER];
        header[..bytes.len()].copy_from_slice(&bytes);
        header
    }

    /// Reads and checks the header, in this order: mark, version, checksum, the length of the file, the sections'
    /// places, the table's size.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, PackError> {
        let bad = |what| PackError::from(PackErrorKind::Header(what));
        if !bytes.starts_with(&MARK) {
            return Err(PackErrorKind::NoMark.into());
        }
        let header = bytes
            .first_chunk::<HEADER>()
            .ok_or(PackErrorKind::TooShort { bytes: bytes.len() as u64, wanted: HEADER as u64 })?;
        let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let vocabulary = match word(8) {
            VERSION => None,
            VERSION_WITH_PREFERENCES => Some(word(52)),
            found => return Err(PackErrorKind::Version { found, known: [VERSION, VERSION_WITH_PREFERENCES] }.into()),
        };
        let sections = present(vocabulary.is_some());
        // The checksum covers all before it.
        let sum = TABLE + TABLE_ENTRY * sections.len();
        if long(sum) != xxh3_64(&header[..sum]) || header[sum + 8..].iter().any(|byte| *byte != 0) {
            return Err(PackErrorKind::HeaderChecksum.into());
        }
        if word(12) > 7 || (vocabulary.is_none() && word(52) != 0) {
            return Err(bad("flags"));
        }
        let mut read = Self {
            all_agents: word(12) & ALL_AGENTS != 0,
            deciding_rules: word(12) & DECIDING_RULES != 0,
            sitemaps: word(12) & SITEMAPS != 0,
            vocabulary,
            seed: long(16),
            origins: long(24),
            homes: long(32),
            slots: long(40),
            farthest: word(48),
            file: long(56),
            sections: [Span::default(); Section::COUNT],
        };
        if read.file != bytes.len() as u64 {
            return Err(PackErrorKind::TooShort { bytes: bytes.len() as u64, wanted: read.file }.into());
        }
        let mut end = HEADER as u64;
        for (number, span) in read.sections.iter_mut().enumerate().take(sections.len()) {
            let at = TABLE + TABLE_ENTRY * number;
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

/// Returns the sections of a pack, in their order in the file.
const fn present(has_preferences: bool) -> &'static [Section] {
    const ALL: &[Section] = &Section::ALL;
    if has_preferences { ALL } else { ALL.split_at(Section::Preferences as usize).0 }
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
