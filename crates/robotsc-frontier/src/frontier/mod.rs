//! A crawler's cache of robots.txt: verdicts for URLs of any origin, from memory, from a pack, or from both.
//!
//! ```
//! use robotsc::frontier::{Check, Frontier, Reason};
//! use robotsc::outcome::{Response, Time};
//!
//! let frontier = Frontier::for_agent("FooBot")?;
//! let now = Time(1_790_000_000);
//! let url = "https://shop.example/cart";
//!
//! // Nothing is known yet, or what is known expired. The crawler fetches robots.txt and records the response,
//! // whatever it is.
//! if let Some(origin) = frontier.to_fetch(url, now)? {
//!     assert_eq!(origin.robots_url(), "https://shop.example/robots.txt");
//!     frontier.record(&origin, &Response::new(200, b"User-agent: *\nDisallow: /cart\n"), now);
//! }
//!
//! match frontier.check(url, now)? {
//!     Check::Allowed => println!("fetch it"),
//!     // The server fails, or was not asked: keep the URL.
//!     Check::Disallowed(Reason::Fetch(_)) | Check::Unknown(_) => println!("later"),
//!     // By the site's own rules, until its robots.txt changes.
//!     Check::Disallowed(_) => println!("never"),
//! }
//! assert!(frontier.check("https://shop.example/", now)?.is_allowed());
//! assert!(frontier.check("mailto:me@shop.example", now).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Any number of threads check, record and expire at the same time. No lock is held while a program runs, a file is
//! parsed or rules are compiled. The frontier reads no clock: time is passed in.
//!
//! # Pack and memory
//! A pack holds what was known when it was built, the memory what was [recorded](Frontier::record) since. What is
//! recorded has priority over the pack unless it is older.
//!
//! # Rules and programs
//! A policy in memory first answers from its [`RuleSet`](robotsc_compiler::RuleSet), which needs no preparation. After
//! [a number of URLs](FrontierBuilder::compile_after) the thread that checks compiles it, while the others go on with
//! the rules. The rules stay, for [`explain`](Frontier::explain). The rules of a pack are compiled already.
//!
//! # The budget
//! Origins that were not used lately are dropped, so that the memory keeps to [its budget](FrontierBuilder::memory). A
//! dropped origin is [unknown](Check::Unknown) until its robots.txt is recorded again, even if the pack holds an older
//! state of it: a newer `Disallow` is never forgotten in favour of an older `Allow`. The notes for this are part of the
//! budget: a bit for each slot of the pack, and the newest times of what was dropped, in a sixteenth of the rest.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use robotsc_compiler::{Crawler, Dialect, Verdict};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::origin::{self, Origin, OriginError, SplitUrl};
use crate::outcome::{Access, FetchRecord, Site, Time, UnknownReason, Validators};
use crate::pack::{Pack, PackAgent, PackEntry, Slot};
use crate::schedule::{Due, Schedule};
pub use answer::{By, Check, FrontierExplanation, FrontierVerdict, Reason};
use builder::FrontierErrorKind;
pub use builder::{FrontierBuilder, FrontierError};
pub use counters::Counters;
use counters::{Atomics, Tally};
use decide::Decided;
use held::Held;
use outdated_slots::OutdatedSlots;
use shard::Shard;

mod answer;
mod batch;
mod builder;
mod counters;
mod decide;
mod dropped_times;
mod held;
mod outdated_slots;
mod record;
mod save;
mod shard;

/// Tables that the memory is cut into: enough that threads seldom want the same.
const SHARDS: usize = 64;

/// A policy that is laid over all origins: it can only disallow more.
pub type OverlayFn = dyn Fn(&SplitUrl<'_>) -> Verdict + Send + Sync;

/// Verdicts for URLs of any origin. See the [module documentation](self).
pub struct Frontier {
    crawler: Crawler,
    dialect: Dialect,
    memory: usize,
    compile_after: u32,
    robots_txt_by_rules: bool,
    pack: Option<(Arc<Pack>, PackAgent)>,
    shards: Box<[RwLock<Shard>]>,
    outdated: OutdatedSlots,
    /// The origins whose entries in the pack do not count, and do not keep older ones out.
    forgotten: OutdatedSlots,
    /// Of the hashes of origins in memory; unlike a pack's seed, nobody outside can know it.
    seed: u64,
    counters: Atomics,
    overlay: Option<Box<OverlayFn>>,
}

impl fmt::Debug for Frontier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frontier")
            .field("crawler", &self.crawler)
            .field("dialect", &self.dialect.name)
            .field("pack", &self.pack)
            .field("has_overlay", &self.overlay.is_some())
            .field("counters", &self.counters())
            .finish_non_exhaustive()
    }
}

/// What is known of an origin, and in which storage.
pub(crate) enum Found<'f> {
    Memory(Arc<Held>),
    Pack(PackEntry<'f>),
    Nothing,
}

impl Found<'_> {
    fn record(&self) -> Option<&FetchRecord> {
        match self {
            Self::Memory(held) => Some(&held.record),
            Self::Pack(entry) => Some(entry.record()),
            Self::Nothing => None,
        }
    }
}

impl Frontier {
    /// Makes a frontier for the name of one agent, under `google`, over memory alone.
    ///
    /// # Errors
    /// [`FrontierError`] if it is no name of an agent; the message says what to write instead.
    pub fn for_agent(agent: &str) -> Result<Self, FrontierError> {
        Self::builder(Crawler::new(agent)?).build()
    }

    /// Returns a builder of a frontier for a crawler, which may be a chain or a pool of names.
    ///
    /// ```
    /// use robotsc::frontier::Frontier;
    /// use robotsc::{Crawler, Dialect};
    ///
    /// let crawler = Crawler::chain(["FooBot-Images", "FooBot"])?;
    /// let frontier = Frontier::builder(crawler).dialect(&Dialect::RFC9309).memory(1 << 30).build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(crawler: Crawler) -> FrontierBuilder {
        FrontierBuilder::new(crawler)
    }

    fn build(builder: FrontierBuilder) -> Result<Self, FrontierError> {
        let FrontierBuilder { crawler, dialect, memory, compile_after, robots_txt_by_rules, overlay, pack } = builder;
        let (mut outdated, mut forgotten) = (OutdatedSlots::default(), OutdatedSlots::default());
        let pack = match pack {
            None => None,
            Some(pack) if !pack.dialect().reads_as(&dialect) => {
                return Err(FrontierError(FrontierErrorKind::PackDialect {
                    pack: pack.dialect().name,
                    wanted: dialect.name,
                }));
            }
            Some(pack) => {
                outdated = OutdatedSlots::of(pack.slots().len() as u64);
                forgotten = OutdatedSlots::of(pack.slots().len() as u64);
                match pack.crawler(&crawler) {
                    Some(agent) => Some((pack, agent)),
                    None => return Err(FrontierError(FrontierErrorKind::PackAgents(crawler))),
                }
            }
        };
        let shards = (0..SHARDS).map(|_| RwLock::default()).collect();
        let (seed, counters) = (RandomState::new().hash_one(0), Atomics::default());
        Ok(Self {
            crawler,
            dialect,
            memory,
            compile_after,
            robots_txt_by_rules,
            pack,
            shards,
            outdated,
            forgotten,
            seed,
            counters,
            overlay,
        })
    }

    /// Returns the crawler that it answers for.
    #[must_use]
    pub const fn crawler(&self) -> &Crawler {
        &self.crawler
    }

    /// Returns the dialect that it answers under.
    #[must_use]
    pub const fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Reports whether a URL may be fetched now.
    ///
    /// Cost: as [`origin::split`], a lookup, and a walk. Several URLs at once cost less: see
    /// [`verdicts`](Self::verdicts).
    ///
    /// # Errors
    /// [`OriginError`] if it is no URL with an origin. That is no allow.
    ///
    /// # Panics
    /// Never.
    pub fn check(&self, url: impl AsRef<[u8]>, now: Time) -> Result<Check, OriginError> {
        self.check_bytes(url.as_ref(), now).map(|(check, _)| check)
    }

    /// As [`check`](Self::check), and returns the record of the last fetch that is known of the origin: when it
    /// expires, and so when to fetch again.
    ///
    /// Cost: as [`check`](Self::check); less than a call of [`fetch_record`](Self::fetch_record) besides.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    ///
    /// # Panics
    /// Never.
    pub fn check_with_record(
        &self,
        url: impl AsRef<[u8]>,
        now: Time,
    ) -> Result<(Check, Option<FetchRecord>), OriginError> {
        self.check_bytes(url.as_ref(), now)
    }

    /// Returns the origin whose robots.txt is to be fetched before a URL is asked about: nothing is known of it, what
    /// is known expired, or the server was to be asked again by now. [`check`](Self::check) goes on with what expired
    /// for 30 days more, so [`Check::Unknown`] alone does not say when to fetch.
    ///
    /// While a server fails, it is `None` until its `Retry-After`, or the back-off, is over. A cache that fetches by
    /// itself decides by the same [`Schedule`]. Of an origin whose record is from the future it is `Some` each time,
    /// since nothing that is recorded now replaces it: [`forget`](Self::forget) it first.
    ///
    /// Cost: as [`check`](Self::check).
    ///
    /// # Errors
    /// [`OriginError`] if it is no URL with an origin.
    ///
    /// # Panics
    /// Never.
    ///
    /// ```
    /// use robotsc::frontier::Frontier;
    /// use robotsc::outcome::{Response, Time};
    ///
    /// let frontier = Frontier::for_agent("FooBot")?;
    /// let (url, hour) = ("https://shop.example/cart", 3_600);
    /// let due = |hours| Ok::<_, robotsc::origin::OriginError>(frontier.to_fetch(url, Time(hours * hour))?.is_some());
    /// let origin = frontier.to_fetch(url, Time(0))?.expect("nothing is known");
    /// frontier.record(&origin, &Response::new(200, b"User-agent: *\nDisallow: /cart\n"), Time(0));
    /// // A day after the fetch the rules still answer, and the file is to be fetched again.
    /// assert_eq!((due(23)?, due(25)?), (false, true));
    /// assert!(!frontier.check(url, Time(25 * hour))?.is_allowed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_fetch(&self, url: impl AsRef<[u8]>, now: Time) -> Result<Option<Origin>, OriginError> {
        let url = self.split(url.as_ref())?;
        let found = self.find(&url.origin);
        let is_unknown = matches!(self.decide(&found, &url, now), Decided::Unknown);
        let schedule = Schedule::new(Duration::ZERO, Duration::ZERO, &self.dialect.fetch);
        match schedule.due(is_unknown, found.record(), now) {
            Due::Fetch => Origin::canonical(&url.origin).map(Some),
            Due::Refresh | Due::Nothing => Ok(None),
        }
    }

    #[inline]
    fn check_bytes(&self, url: &[u8], now: Time) -> Result<(Check, Option<FetchRecord>), OriginError> {
        let checked = self.split(url).and_then(|url| {
            let found = self.find(&url.origin);
            let check = match self.decide(&found, &url, now) {
                Decided::Allowed => Check::Allowed,
                Decided::Disallowed(reason) => Check::Disallowed(reason),
                Decided::Unknown => Check::Unknown(Origin::canonical(&url.origin)?),
            };
            Ok((check, found.record().copied()))
        });
        let mut tally = Tally::default();
        tally.count(checked.as_ref().map(|(check, _)| match check {
            Check::Allowed => FrontierVerdict::Allowed,
            Check::Disallowed(_) => FrontierVerdict::Disallowed,
            Check::Unknown(_) => FrontierVerdict::Unknown,
        }));
        self.counters.add(tally);
        checked
    }

    /// Returns the verdict for a URL, and what decided: the rule's line, or the result of the fetch.
    ///
    /// Rules in memory always name their line; those of a pack if it was built with
    /// [`deciding_rules`](crate::pack::PackOptions::deciding_rules). The [counters](Self::counters) stay as they are.
    ///
    /// Cost: as [`check`](Self::check), and up to a comparison with each rule.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    ///
    /// # Panics
    /// Never.
    pub fn explain(&self, url: impl AsRef<[u8]>, now: Time) -> Result<FrontierExplanation, OriginError> {
        let url = self.split(url.as_ref())?;
        let found = self.find(&url.origin);
        let decided = self.decide(&found, &url, now);
        let record = found.record().copied();
        let by = match (decided, record) {
            (Decided::Disallowed(Reason::Overlay), _) => By::Overlay,
            _ if self.is_exempt(&url) => By::RobotsTxt,
            (_, None) => By::Unknown(UnknownReason::NotHeld),
            (Decided::Disallowed(Reason::Fetch(outcome)), _) => By::Fetch(outcome),
            (_, Some(_)) if self.effective(&found, now) == Access::Rules => {
                self.line(&found, url.path.as_path()).map_or(By::Rules, |line| By::Rule { line })
            }
            (_, Some(record)) => {
                let site = if let Found::Memory(held) = &found { held.site } else { Site::NotKnownUp };
                let unknown = record.unknown_reason(&self.dialect.fetch, site, now);
                unknown.map_or(By::Fetch(record.outcome), By::Unknown)
            }
        };
        Ok(FrontierExplanation { verdict: decided.verdict(), by, record })
    }

    /// Returns the record of the last fetch of an origin's robots.txt, if one is known.
    #[must_use]
    pub fn fetch_record(&self, origin: &Origin) -> Option<FetchRecord> {
        self.find(origin.as_bytes()).record().copied()
    }

    /// Returns what the server sent with the copy that is held, to ask whether the file changed. `None` if no copy is
    /// held in memory, or if the server sent nothing: then send an unconditional request.
    #[must_use]
    pub fn validators(&self, origin: &Origin) -> Option<Arc<Validators>> {
        match self.find(origin.as_bytes()) {
            Found::Memory(held) => held.validators.clone(),
            Found::Pack(_) | Found::Nothing => None,
        }
    }

    /// Returns the longest crawl delay that is stated for the crawler. Whether crawlers of the dialect obey one is
    /// [`Dialect::crawl_delay_obeyed`](robotsc_compiler::Dialect::crawl_delay_obeyed).
    #[must_use]
    pub fn crawl_delay(&self, origin: &Origin) -> Option<Duration> {
        let found = self.find(origin.as_bytes());
        if let Found::Memory(held) = &found
            && let Some(parsed) = held.rules.parsed()
        {
            return parsed.crawl_delay;
        }
        self.packed_copy(&found)?.crawl_delay(&self.pack.as_ref()?.1)
    }

    /// Returns the sitemaps that the origin's robots.txt names; none if the pack that holds it was built without.
    #[must_use]
    pub fn sitemaps(&self, origin: &Origin) -> Vec<Vec<u8>> {
        let found = self.find(origin.as_bytes());
        if let Found::Memory(held) = &found
            && let Some(parsed) = held.rules.parsed()
        {
            return parsed.sitemaps.iter().map(|url| url.to_vec()).collect();
        }
        self.packed_copy(&found).map_or_else(Vec::new, |entry| entry.sitemaps().map(<[u8]>::to_vec).collect())
    }

    /// Returns the origins that memory holds, with their records, in no order; those of the pack alone are
    /// [its entries](Pack::entries).
    ///
    /// Cost: copies each name; readers and writers wait for one table of 64 at a time.
    #[must_use]
    pub fn recorded(&self) -> Vec<(Origin, FetchRecord)> {
        let mut recorded = Vec::new();
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            recorded.extend(shard.held().filter_map(|held| Some((Origin::canonical(&held.origin).ok()?, held.record))));
        }
        recorded
    }

    /// Drops from memory what expired more than `keep` before `now`. Returns how many origins were dropped; they are
    /// unknown from here on.
    ///
    /// An expired state still answers as the dialect says, so `keep` should leave it the time of the good copies: 30
    /// days.
    ///
    /// Cost: one look at each policy in memory; readers wait for one table of 64 at a time.
    pub fn expire(&self, now: Time, keep: Duration) -> u64 {
        let keep = u32::try_from(keep.as_secs()).unwrap_or(u32::MAX);
        let time = Time(now.0.saturating_sub(keep));
        let expire =
            |shard: &RwLock<Shard>| shard.write().unwrap_or_else(PoisonError::into_inner).expire(time, self.budget());
        let expired = self.shards.iter().map(expire).sum();
        Atomics::count(&self.counters.expired, expired);
        expired
    }

    /// Returns what was counted.
    #[must_use]
    pub fn counters(&self) -> Counters {
        let mut counters = self.counters.read();
        counters.bytes = self.outdated.bytes() as u64;
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            counters.held += shard.len() as u64;
            counters.bytes += shard.bytes() as u64;
        }
        counters
    }

    /// Returns the bytes that a table may take.
    fn budget(&self) -> usize {
        self.memory.saturating_sub(self.outdated.max_bytes()) / SHARDS
    }

    fn hash(&self, origin: &[u8]) -> u64 {
        xxh3_64_with_seed(origin, self.seed)
    }

    fn shard(&self, hash: u64) -> &RwLock<Shard> {
        &self.shards[shard_of(hash)]
    }

    fn slot(&self, origin: &[u8]) -> Option<crate::pack::Slot> {
        let (pack, _) = self.pack.as_ref()?;
        pack.find(pack.key(origin))
    }

    /// Finds what is known of an origin.
    pub(crate) fn find(&self, origin: &[u8]) -> Found<'_> {
        self.find_at(self.hash(origin), origin, self.slot(origin))
    }

    /// Finds what is known of an origin whose hash and slot are known.
    fn find_at(&self, hash: u64, origin: &[u8], slot: Option<Slot>) -> Found<'_> {
        let shard = self.shard(hash).read().unwrap_or_else(PoisonError::into_inner);
        self.find_in(&shard, hash, origin, slot)
    }

    /// Finds what is known of an origin, whose table is `shard`.
    #[inline]
    fn find_in(&self, shard: &Shard, hash: u64, origin: &[u8], slot: Option<crate::pack::Slot>) -> Found<'_> {
        if let Some(held) = shard.get(hash, origin) {
            return Found::Memory(held.clone());
        }
        match (&self.pack, slot) {
            (Some((pack, _)), Some(slot)) if !self.outdated.holds(slot) => Found::Pack(pack.entry(slot)),
            _ => Found::Nothing,
        }
    }

    fn split<'u>(&self, url: &'u [u8]) -> Result<SplitUrl<'u>, OriginError> {
        origin::split(&self.dialect, url)
    }
}

/// Returns the number of the table for a hash. The table uses its upper and lowest bits.
const fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}
