//! Opens packs and looks origins up.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use robotsc_compiler::preferences::{PreferenceProgram, Vocabulary};
use robotsc_compiler::{AgentName, Crawler, CrawlerKind, Dialect, Program};

use super::error::PackErrorKind;
use super::format::SLOT;
use super::format::{self, Header, NAME_BLOCK, NOWHERE, PLACE, Section, UNIT};
use super::map::Bytes;
use super::options::MAX_AGENTS;
use super::policy::List;
use super::slot::{CLASS, Class, EXTRA, Extra, MAX_DISTANCE, RawSlot, SlotKind};
use super::{PackAgents, PackError, PackKey, WantedUse, agents, names};
use crate::outcome::Time;

/// A policy pack: mapped from a file or held in memory, read only, shared by threads as it is.
///
/// Altered bytes do no harm beyond wrong answers: nothing is read outside them, nothing loops and nothing panics.
/// [`Pack::check_sums`] detects them, and [`Pack::verify`] a pack that the builder would not have written.
#[derive(Debug)]
pub struct Pack {
    bytes: Bytes,
    header: Header,
    dialect: &'static Dialect,
    agents: PackAgents,
    id: PackId,
}

/// Which pack of the process it is, so that slots and agents of another one are told apart: only the low 24 bits are
/// set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PackId(u64);

impl PackId {
    const BITS: u32 = 24;

    fn next() -> Self {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        Self(OPENED.fetch_add(1, Ordering::Relaxed) & ((1 << Self::BITS) - 1))
    }
}

/// An agent that a pack answers for, from [`Pack::agent`]: found once, used for every entry of that pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackAgent {
    pub(crate) agent: Agent,
    pub(crate) pack: PackId,
    /// Whether the rules of `*` do not count.
    pub(crate) is_named_only: bool,
    /// What pages are wanted for.
    pub(crate) wanted: Option<WantedUse>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Agent {
    /// One of the agents that the pack was built for.
    Number(usize),
    /// Any: the first of these names, in lower case, that the file has a group for.
    Names(Vec<Vec<u8>>),
}

/// The place of an origin in a pack, from [`Pack::find`]. In another pack there is nothing at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u64);

impl Slot {
    /// Bits of the number; the pack's identity is above them.
    const NUMBER_BITS: u32 = 64 - PackId::BITS;

    #[inline]
    const fn new(pack: PackId, number: u64) -> Self {
        Self(pack.0 << Self::NUMBER_BITS | number & ((1 << Self::NUMBER_BITS) - 1))
    }

    /// Returns the number of the slot in its pack.
    #[inline]
    pub(crate) const fn number(self) -> u64 {
        self.0 & ((1 << Self::NUMBER_BITS) - 1)
    }

    #[inline]
    fn is_of(self, pack: PackId) -> bool {
        self.0 >> Self::NUMBER_BITS == pack.0
    }
}

/// Returns the revision of the vocabulary with a number.
fn vocabulary(number: u32) -> Option<&'static Vocabulary> {
    const REVISIONS: &[Vocabulary] = &Vocabulary::REVISIONS;
    REVISIONS.get(usize::try_from(number).ok()?)
}

impl Pack {
    /// Opens the pack of a file, and checks that no byte of it changed since it was built: the header, and the
    /// [checksum of every section](Self::check_sums). A pack that an attacker wrote passes: see
    /// [`verify`](Self::verify).
    ///
    /// The file must not be changed in place while it is open, which no builder here does: a new pack is renamed over
    /// it, and this one goes on reading the old. If another program changes the file in place,
    /// [`check_unchanged`](Self::check_unchanged) reports it; if it cuts the file short, reading the missing part ends
    /// the process with SIGBUS, which [`exit_on_bus_error`](super::exit_on_bus_error) turns into a message.
    ///
    /// Cost: reads the file once, from front to back, as fast as memory or the disk gives it. Lookups then find it in
    /// the page cache. [`open_trusted`](Self::open_trusted) does not.
    ///
    /// # Errors
    /// [`PackError`] if the file cannot be read, is no pack of this version, or was altered.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, PackError> {
        let pack = Self::open_trusted(path)?;
        pack.check_sums()?;
        Ok(pack)
    }

    /// As [`open`](Self::open), but checks the header alone: marks, lengths and the header's checksum. The cost does
    /// not grow with the pack.
    ///
    /// If a byte of the file changed, a URL that is disallowed can be allowed. So this is for a file that was checked
    /// before and cannot have changed since. It advises the system that lookups read it in no order; see
    /// [`Pack::load`] for other use.
    ///
    /// # Errors
    /// [`PackError`] if the file cannot be read, or its header is not that of a pack of this version.
    pub fn open_trusted(path: impl AsRef<Path>) -> Result<Self, PackError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(PackError::io("open", path))?;
        let bytes = Bytes::map(&file).map_err(PackError::io("map", path))?;
        bytes.read_ahead(false);
        Self::new(bytes)
    }

    /// Reads a pack that is in memory, and checks that no byte of it changed, as [`open`](Self::open) does.
    ///
    /// # Errors
    /// [`PackError`] if it is no pack of this version, or was altered.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, PackError> {
        let pack = Self::from_trusted_bytes(bytes)?;
        pack.check_sums()?;
        Ok(pack)
    }

    /// As [`from_bytes`](Self::from_bytes), but checks the header alone, as [`open_trusted`](Self::open_trusted) does.
    ///
    /// # Errors
    /// [`PackError`] if the header is not that of a pack of this version.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn from_trusted_bytes(bytes: Vec<u8>) -> Result<Self, PackError> {
        Self::new(Bytes::Owned(bytes))
    }

    fn new(bytes: Bytes) -> Result<Self, PackError> {
        let header = Header::read(bytes.all())?;
        let settings = header.section(Section::Meta);
        // So that opening costs the same for every pack.
        if settings.bytes > (MAX_AGENTS as u64 + 1) * 256 {
            return Err(PackErrorKind::Header("the settings' length").into());
        }
        let texts = bytes.all().get(settings.start as usize..).and_then(|all| all.get(..settings.bytes as usize));
        let texts = texts.and_then(format::read_settings).ok_or(PackErrorKind::Header("the settings"))?;
        let Some((name, tokens)) = texts.split_first() else { return Err(PackErrorKind::Header("the dialect").into()) };
        let dialect = Dialect::by_name(name).ok_or_else(|| PackErrorKind::Dialect((*name).to_owned()))?;
        let agents = if header.all_agents { PackAgents::All } else { PackAgents::only(tokens) };
        let in_order = tokens.is_sorted_by(|a, b| a < b);
        let same = match &agents {
            PackAgents::All => tokens.is_empty(),
            PackAgents::Some(texts) => {
                in_order && !texts.is_empty() && texts.iter().eq(tokens) && agents.crawlers().len() == texts.len()
            }
        };
        if !same {
            return Err(PackErrorKind::Header("the agents").into());
        }
        if header.vocabulary.is_some_and(|number| vocabulary(number).is_none()) {
            return Err(PackErrorKind::Header("the vocabulary of preferences").into());
        }
        Ok(Self { bytes, header, dialect, agents, id: PackId::next() })
    }

    /// Checks that the file of the pack still has the length and the time of change that it had when it was opened.
    /// Call it after the last answer: an error means that answers may be wrong. A pack that another was renamed over is
    /// unchanged.
    ///
    /// Cost: one call to the operating system.
    ///
    /// # Errors
    /// [`PackError`] if the file was changed in place, or the operating system cannot say.
    ///
    /// # Panics
    /// Never.
    pub fn check_unchanged(&self) -> Result<(), PackError> {
        match self.bytes.is_unchanged() {
            Ok(true) => Ok(()),
            Ok(false) => Err(PackErrorKind::Changed.into()),
            Err(error) => Err(PackError::io("look again at", "the pack")(error)),
        }
    }

    /// Returns the number of origins.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.header.origins
    }

    /// Reports whether there are no origins.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.header.origins == 0
    }

    /// Returns the dialect under which the files were read; paths must have the form that it compares.
    #[must_use]
    pub const fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// Returns the agents that the pack was built for.
    #[must_use]
    pub const fn agents(&self) -> &PackAgents {
        &self.agents
    }

    /// Reports whether programs name the rule that decided.
    #[must_use]
    pub const fn names_deciding_rules(&self) -> bool {
        self.header.deciding_rules
    }

    /// Reports whether sitemaps were kept.
    #[must_use]
    pub const fn has_sitemaps(&self) -> bool {
        self.header.sitemaps
    }

    /// Returns the revision of the vocabulary whose preferences the pack holds; `None` if it holds none.
    #[must_use]
    pub fn preferences(&self) -> Option<&'static Vocabulary> {
        vocabulary(self.header.vocabulary?)
    }

    /// Returns the seed of its keys.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.header.seed
    }

    /// Returns all its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.all()
    }

    /// Returns an agent by its name alone, in any case; `None` if the pack was not built for it.
    #[must_use]
    pub fn agent(&self, name: AgentName<'_>) -> Option<PackAgent> {
        self.crawler(&Crawler::from(name))
    }

    /// Returns the agent that answers for a crawler.
    ///
    /// `None` if the pack does not hold what the crawler obeys: it was built for other agents, or the crawler pools
    /// groups, which takes the rules themselves. A pack for some agents answers for each as it was given to
    /// [`PackAgents::of`], and so not for a chain if it was built for the first name alone.
    #[must_use]
    pub fn crawler(&self, crawler: &Crawler) -> Option<PackAgent> {
        let agent = match &self.agents {
            PackAgents::Some(texts) => Agent::Number(texts.binary_search(&agents::to_text(crawler)?).ok()?),
            PackAgents::All if crawler.kind() == CrawlerKind::Pool && crawler.names().len() > 1 => return None,
            PackAgents::All => Agent::Names(crawler.names().map(|name| name.as_bytes().to_vec()).collect()),
        };
        // The rules of an agent of the list were chosen when the pack was built.
        let is_named_only = crawler.is_named_only() && self.agents == PackAgents::All;
        Some(PackAgent { is_named_only, ..self.as_agent(agent) })
    }

    /// Returns the agent that stands for all that no file names; `None` if the pack was not built for all agents.
    #[must_use]
    pub fn other_agents(&self) -> Option<PackAgent> {
        (self.agents == PackAgents::All).then(|| self.as_agent(Agent::Names(Vec::new())))
    }

    const fn as_agent(&self, agent: Agent) -> PackAgent {
        PackAgent { agent, pack: self.id, is_named_only: false, wanted: None }
    }

    /// Returns an agent that wants pages for a use: what it must not use is disallowed to it, too.
    ///
    /// `None` if the pack holds no preferences ([`PackOptions::preferences`](super::PackOptions::preferences)), or the
    /// agent is that of another pack.
    #[must_use]
    pub fn for_use(&self, agent: PackAgent, wanted: WantedUse) -> Option<PackAgent> {
        let can_answer = self.header.vocabulary.is_some() && self.knows(&agent);
        can_answer.then_some(PackAgent { wanted: Some(wanted), ..agent })
    }

    /// Reports whether an agent was found in this pack.
    #[inline]
    pub(crate) fn knows(&self, agent: &PackAgent) -> bool {
        agent.pack == self.id
    }

    /// Returns the key of a canonical origin.
    #[must_use]
    #[inline]
    pub fn key(&self, origin: &[u8]) -> PackKey {
        PackKey::new(origin, self.header.seed)
    }

    /// Returns the slot of a key. If the slots of many keys are found before the first entry is read, the memory loads
    /// them at the same time.
    #[must_use]
    #[inline]
    pub fn find(&self, key: PackKey) -> Option<Slot> {
        let slots = self.slots();
        let home = key.home(self.header.homes);
        let from = slots.get(usize::try_from(home).ok()?..)?;
        let wanted = key.fingerprint();
        for (distance, bytes) in (0..=MAX_DISTANCE).zip(from) {
            let slot = RawSlot::read(bytes);
            // Homes do not fall from slot to slot: the origin is not after an empty slot, nor after one that is nearer
            // to its home than this origin would be.
            let stands = slot.distance()?;
            if stands < distance {
                return None;
            }
            if stands == distance && slot.fingerprint() == wanted {
                return Some(Slot::new(self.id, home + distance));
            }
        }
        None
    }

    /// Reads the first byte of the slot where a key should be, so that it is in the cache when the key is looked up.
    #[inline]
    pub(crate) fn first_byte(&self, key: PackKey) -> u8 {
        self.slots().get(key.home(self.header.homes) as usize).map_or(0, |slot| slot[0])
    }

    /// Returns the slot with a number.
    pub(crate) const fn slot(&self, number: u64) -> Slot {
        Slot::new(self.id, number)
    }

    /// Returns the text of the origin at a slot, for display, and to make sure that it is the expected one. `None` if
    /// the bytes were altered so that there is none.
    ///
    /// Cost: reads up to 64 names.
    #[must_use]
    pub fn origin(&self, slot: Slot) -> Option<Vec<u8>> {
        self.slot_bytes(slot)?;
        let block = slot.number() / NAME_BLOCK;
        let mut names = self.name_block(block)?;
        let slots = self.slots().get((block * NAME_BLOCK) as usize..slot.number() as usize)?;
        for bytes in slots {
            if RawSlot::read(bytes).distance().is_some() {
                names::read(&mut names)?;
            }
        }
        names::read(&mut names)
    }

    pub(crate) const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    pub(crate) const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the bytes of a section. The header was checked, so that they are there.
    #[inline]
    pub(crate) fn section(&self, section: Section) -> &[u8] {
        let span = self.header.section(section);
        self.bytes.all().get(span.start as usize..(span.start + span.bytes) as usize).unwrap_or_default()
    }

    /// Returns the bytes of a slot; `None` if it is one of another pack.
    #[inline]
    pub(crate) fn slot_bytes(&self, slot: Slot) -> Option<&[u8; SLOT]> {
        self.slots().get(slot.number() as usize).filter(|_| slot.is_of(self.id))
    }

    #[inline]
    pub(crate) fn slots(&self) -> &[[u8; SLOT]] {
        self.section(Section::Slots).as_chunks().0
    }

    #[inline]
    pub(crate) fn class(&self, number: u64) -> Option<Class> {
        let (classes, _) = self.section(Section::Classes).as_chunks::<CLASS>();
        classes.get(usize::try_from(number).ok()?).map(Class::read)
    }

    #[inline]
    pub(crate) fn extra(&self, number: u64) -> Option<Extra> {
        let (extras, _) = self.section(Section::Extras).as_chunks::<EXTRA>();
        extras.get(usize::try_from(number).ok()?).map(Extra::read)
    }

    /// Returns when the file was known to be missing, before the failures that a slot records.
    pub(crate) fn missing_at(&self, slot: RawSlot) -> Option<Time> {
        let is_extra = self.class(slot.class()).is_some_and(|class| class.kind == SlotKind::Extra);
        self.extra(slot.place()).filter(|_| is_extra)?.missing_at
    }

    /// Returns all bytes of a section from a place on.
    #[inline]
    pub(crate) fn record(&self, section: Section, place: u64) -> Option<&[u8]> {
        self.section(section).get(usize::try_from(place.checked_mul(UNIT)?).ok()?..)
    }

    /// Returns the bytes of a record that starts with its length.
    #[inline]
    pub(crate) fn sized_record(&self, section: Section, place: u64) -> Option<&[u8]> {
        let (length, rest) = self.record(section, place)?.split_first_chunk::<4>()?;
        rest.get(..u32::from_le_bytes(*length) as usize)
    }

    #[inline]
    pub(crate) fn program_at(&self, place: u64) -> Option<Program<'_>> {
        Program::from_trusted(self.sized_record(Section::Programs, place)?).ok()
    }

    /// Returns the preferences at a place; `None` if nothing is stated. If the bytes of the pack were altered so that
    /// there are none, every use is refused.
    pub(crate) fn preferences_at(&self, place: u64) -> Option<PreferenceProgram<'_>> {
        if place == NOWHERE {
            return None;
        }
        let bytes = self.sized_record(Section::Preferences, place);
        let program = bytes.and_then(|bytes| PreferenceProgram::from_trusted(bytes).ok());
        Some(program.unwrap_or_else(|| PreferenceProgram::refusal(self.dialect.path_form())))
    }

    pub(crate) fn list(&self, place: u64) -> Option<List<'_>> {
        if place == NOWHERE {
            return None;
        }
        List::read(self.sized_record(Section::Lists, place)?)
    }

    /// Returns the names of a block of slots, and all that follow.
    pub(crate) fn name_block(&self, block: u64) -> Option<&[u8]> {
        let (blocks, _) = self.section(Section::NameBlocks).as_chunks::<PLACE>();
        let start = format::place(blocks.get(usize::try_from(block).ok()?)?, 0)?;
        self.section(Section::Names).get(usize::try_from(start).ok()?..)
    }
}
