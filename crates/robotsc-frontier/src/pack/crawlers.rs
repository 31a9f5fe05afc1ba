//! Several crawlers of one pack: an origin is looked up once, and each program is walked once.
//!
//! Few files tell crawlers apart, and those that do have two or three sets of rules. So the answers of a dozen crawlers
//! take about as many walks as the answer of one.

use robotsc_compiler::{DecidingRule, Dialect, UrlPath, Verdict};

use super::entry::ProgramPlace;
use super::format::NOWHERE;
use super::{Pack, PackAccess, PackAgent, PackEntry, Slot};
use crate::origin::{BatchOrigin, OriginLookup};
use crate::outcome::{Access, Site, Time};

/// Crawlers of one pack that are answered together: collected once, used for every entry of that pack.
///
/// ```no_run
/// use robotsc::Crawler;
/// use robotsc::outcome::{Site, Time};
/// use robotsc::origin::Batch;
/// use robotsc::pack::{Pack, PackCrawlers, PackLookup};
///
/// let pack = Pack::open("frontier.pack")?;
/// let names = [Crawler::new("GPTBot")?, Crawler::new("ClaudeBot")?, Crawler::new("CCBot")?];
/// // `None` if the pack was not built for one of them.
/// let crawlers: Option<PackCrawlers> = names.iter().map(|name| pack.crawler(name)).collect();
/// let crawlers = crawlers.ok_or("the pack is for other agents")?;
///
/// let now = Time::from(std::time::SystemTime::now());
/// let lookup = PackLookup::new(&pack, &crawlers, Site::NotKnownUp, now);
/// let mut batch = Batch::new(&lookup);
/// batch.push(b"https://shop.example/cart");
/// batch.push(b"https://news.example/");
/// batch.look_up();
/// let mut answers = Vec::new();
/// for url in batch.urls() {
///     let (origin, path) = url.split?;
///     let accesses = origin.policy.as_ref().ok_or("it was looked up")?;
///     // An answer for each crawler, in their order. `None` means that nothing is known, which is never an allow.
///     accesses.decide(path, &mut answers);
///     println!("{} {}", url.url.escape_ascii(), accesses.all_allow(path));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackCrawlers {
    agents: Vec<PackAgent>,
    /// Whether one of them wants pages for a use.
    wants_use: bool,
}

impl FromIterator<PackAgent> for PackCrawlers {
    fn from_iter<I: IntoIterator<Item = PackAgent>>(agents: I) -> Self {
        let agents: Vec<PackAgent> = agents.into_iter().collect();
        Self { wants_use: agents.iter().any(|agent| agent.wanted.is_some()), agents }
    }
}

impl PackCrawlers {
    /// Returns the crawlers, in the order in which they were given.
    #[must_use]
    pub fn agents(&self) -> &[PackAgent] {
        &self.agents
    }
}

/// What is allowed to each of several crawlers on one origin at a time: [`PackEntry::accesses_at`].
#[derive(Clone, Debug)]
pub struct PackAccesses<'p> {
    /// Each access once. There is at least one.
    distinct: Distinct<'p>,
    /// For each crawler the index of its access; empty if there is one for all.
    indexes: Vec<u32>,
    crawlers: usize,
}

/// Accesses that differ. Most origins treat all crawlers alike, and need no memory for that.
#[derive(Clone, Debug)]
enum Distinct<'p> {
    One(PackAccess<'p>),
    Several(Vec<PackAccess<'p>>),
}

impl<'p> PackAccesses<'p> {
    const fn one(access: PackAccess<'p>, crawlers: usize) -> Self {
        Self { distinct: Distinct::One(access), indexes: Vec::new(), crawlers }
    }

    /// Returns the number of crawlers.
    #[must_use]
    pub const fn crawlers(&self) -> usize {
        self.crawlers
    }

    /// Returns each access once, in the order of the crawlers that have it first. Crawlers with the same rules share
    /// one, so that a caller that needs no answer for each crawler can walk each of these alone.
    #[must_use]
    #[inline]
    pub fn distinct(&self) -> &[PackAccess<'p>] {
        match &self.distinct {
            Distinct::One(access) => std::slice::from_ref(access),
            Distinct::Several(accesses) => accesses,
        }
    }

    /// Returns the index in [`distinct`](Self::distinct) of what is allowed to a crawler, by its number.
    ///
    /// # Panics
    /// If there are not so many crawlers.
    #[must_use]
    #[inline]
    pub fn index(&self, crawler: usize) -> usize {
        assert!(crawler < self.crawlers, "crawler {crawler} of {}", self.crawlers);
        self.indexes.get(crawler).map_or(0, |index| *index as usize)
    }

    /// Reports whether every crawler may fetch a path, and something is known for each. False without a crawler.
    ///
    /// Cost: one walk for each of [`distinct`](Self::distinct), up to the first that refuses.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    #[inline]
    pub fn all_allow(&self, path: UrlPath<'_>) -> bool {
        let allows = |access: &PackAccess<'p>| access.decide(path).is_some_and(|(verdict, _)| verdict.is_allow());
        self.crawlers > 0 && self.distinct().iter().all(allows)
    }

    /// Replaces `answers` by one for each crawler, in their order: what [`PackAccess::decide`] returns for a path.
    ///
    /// Cost: one walk for each of [`distinct`](Self::distinct).
    ///
    /// # Panics
    /// Never.
    #[inline]
    pub fn decide(&self, path: UrlPath<'_>, answers: &mut Vec<Option<(Verdict, Option<DecidingRule>)>>) {
        answers.clear();
        match &self.distinct {
            Distinct::One(access) => answers.resize(self.crawlers, access.decide(path)),
            Distinct::Several(accesses) => {
                answers.extend(accesses.iter().map(|access| access.decide(path)));
                answers.resize(self.crawlers, None);
                // In place: the index of a crawler is never above its number, so the last crawlers go first.
                for (crawler, index) in self.indexes.iter().enumerate().rev() {
                    answers[crawler] = answers[*index as usize];
                }
            }
        }
    }
}

impl<'p> PackEntry<'p> {
    /// Returns what is allowed to each of several crawlers at `now`: for each what [`access_at`](Self::access_at)
    /// returns.
    ///
    /// Cost: as `access_at` once, and for each crawler a lookup of its name if the file tells crawlers apart.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn accesses_at(&self, crawlers: &PackCrawlers, site: Site, now: Time) -> PackAccesses<'p> {
        let access = self.record().effective_under(&self.pack().dialect().fetch, site, now).access;
        if crawlers.wants_use {
            return self.accesses_for_use(access, &crawlers.agents);
        }
        let access = match access {
            Access::Rules => return self.accesses_by_rules(&crawlers.agents),
            Access::AllowAll => PackAccess::AllowAll,
            Access::DisallowAll => PackAccess::DisallowAll,
            Access::Unknown => PackAccess::Unknown,
        };
        PackAccesses::one(access, crawlers.agents.len())
    }

    fn accesses_by_rules(&self, agents: &[PackAgent]) -> PackAccesses<'p> {
        let Some((first, others)) = agents.split_first() else {
            return PackAccesses::one(PackAccess::Unknown, 0);
        };
        let first = self.program_place(first);
        let same = others.iter().take_while(|agent| self.program_place(agent) == first).count();
        if same == others.len() {
            return PackAccesses::one(self.access_by(first), agents.len());
        }
        let mut places = vec![first];
        let mut indexes = vec![0; 1 + same];
        for agent in &others[same..] {
            let place = self.program_place(agent);
            let index = places.iter().position(|known| *known == place).unwrap_or_else(|| {
                places.push(place);
                places.len() - 1
            });
            indexes.push(index as u32);
        }
        let accesses = places.into_iter().map(|place| self.access_by(place)).collect();
        PackAccesses { distinct: Distinct::Several(accesses), indexes, crawlers: agents.len() }
    }

    /// Returns what is allowed if agents want pages for uses. Those with the same program, preferences and use share
    /// one access.
    fn accesses_for_use(&self, access: Access, agents: &[PackAgent]) -> PackAccesses<'p> {
        let mut keys = Vec::new();
        let mut indexes = Vec::with_capacity(agents.len());
        for agent in agents {
            let (place, stated) = match access {
                Access::Rules => (self.program_place(agent), self.preferences_place(agent)),
                _ => (None, NOWHERE),
            };
            let key = (place, stated, agent.wanted);
            let index = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                keys.len() - 1
            });
            indexes.push(index as u32);
        }
        let accesses = keys.into_iter().map(|(place, stated, wanted)| match (wanted, access) {
            (Some(wanted), _) => self.for_use(access, place, stated, wanted),
            (None, Access::Rules) => self.access_by(place),
            (None, Access::AllowAll) => PackAccess::AllowAll,
            (None, Access::DisallowAll) => PackAccess::DisallowAll,
            (None, Access::Unknown) => PackAccess::Unknown,
        });
        PackAccesses { distinct: Distinct::Several(accesses.collect()), indexes, crawlers: agents.len() }
    }

    fn access_by(&self, place: Option<ProgramPlace>) -> PackAccess<'p> {
        let program = place.and_then(|place| self.program_at(place));
        program.map_or(PackAccess::DisallowAll, PackAccess::Rules)
    }
}

impl Pack {
    /// Returns what is allowed to each of several crawlers at `now`, at the slot of an origin: nothing is known without
    /// a slot.
    ///
    /// Cost: as [`PackEntry::accesses_at`].
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn accesses_at(&self, slot: Option<Slot>, crawlers: &PackCrawlers, site: Site, now: Time) -> PackAccesses<'_> {
        match slot {
            Some(slot) => self.entry(slot).accesses_at(crawlers, site, now),
            None if crawlers.wants_use => {
                let accesses = crawlers.agents.iter().map(|agent| PackAccess::unknown(agent.wanted)).collect();
                let indexes = (0..crawlers.agents.len() as u32).collect();
                PackAccesses { distinct: Distinct::Several(accesses), indexes, crawlers: crawlers.agents.len() }
            }
            None => PackAccesses::one(PackAccess::Unknown, crawlers.agents.len()),
        }
    }
}

/// Answers of a pack for several crawlers at a time, for a [`Batch`](crate::origin::Batch) of URLs: see
/// [`PackCrawlers`].
#[derive(Clone, Copy, Debug)]
pub struct PackLookup<'a> {
    pack: &'a Pack,
    crawlers: &'a PackCrawlers,
    site: Site,
    now: Time,
}

impl<'a> PackLookup<'a> {
    /// Takes a pack, crawlers of it, what is known of all sites, and the time to answer for.
    #[must_use]
    pub const fn new(pack: &'a Pack, crawlers: &'a PackCrawlers, site: Site, now: Time) -> Self {
        Self { pack, crawlers, site, now }
    }
}

impl<'p> OriginLookup<'p> for PackLookup<'_> {
    type Place = Option<Slot>;
    type Policy = PackAccesses<'p>;

    fn dialect(&self) -> &Dialect {
        self.pack.dialect()
    }

    #[inline]
    fn place(&self, origin: &[u8]) -> Option<Slot> {
        self.pack.find(self.pack.key(origin))
    }

    fn look_up(&'p self, origins: &mut [BatchOrigin<'_, Option<Slot>, PackAccesses<'p>>]) {
        for origin in origins {
            // The first can have one of the batch before.
            if origin.policy.is_none() {
                origin.policy = Some(self.pack.accesses_at(origin.place, self.crawlers, self.site, self.now));
            }
        }
    }
}
