//! A crawler's cache of robots.txt: verdicts for URLs of any origin, from memory, from a pack, or from both.
//!
//! ```
//! use robotsc::frontier::{Check, Frontier};
//! use robotsc::outcome::{Response, Time};
//!
//! let frontier = Frontier::for_agent("FooBot")?;
//! let now = Time(1_790_000_000);
//! let url = "https://shop.example/cart";
//!
//! // Nothing is known yet. The crawler fetches robots.txt and records the response, whatever it is.
//! let Check::Unknown(origin) = frontier.check(url, now)? else { panic!("nothing was recorded") };
//! assert_eq!(origin.robots_url(), "https://shop.example/robots.txt");
//! frontier.record(&origin, &Response::new(200, b"User-agent: *\nDisallow: /cart\n"), now);
//!
//! match frontier.check(url, now)? {
//!     Check::Allowed => println!("fetch it"),
//!     Check::Disallowed(reason) => println!("skip it: {reason:?}"),
//!     Check::Unknown(origin) => println!("fetch {} first", origin.robots_url()),
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

use robotsc_compiler::{BodyKind, Compiler, Crawler, Dialect, Program, RobotsTxt, UrlPath, Verdict};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::origin::{self, Origin, OriginError, SplitUrl};
use crate::outcome::{Access, Capture, FetchRecord, Outcome, Response, Site, Time, UnknownReason, Validators};
use crate::pack::{Pack, PackAccess, PackAgent, PackEntry, Slot};
pub use answer::{By, Check, FrontierExplanation, FrontierVerdict, Reason};
use builder::Kind;
pub use builder::{FrontierBuilder, FrontierError};
pub use counters::Counters;
use counters::{Atomics, Tally};
use held::{Held, Parsed, Rules};
use outdated_slots::OutdatedSlots;
use shard::Shard;

mod answer;
mod batch;
mod builder;
mod counters;
mod dropped_times;
mod held;
mod outdated_slots;
mod save;
mod shard;

/// Tables that the memory is cut into: enough that threads seldom want the same.
const SHARDS: usize = 64;

/// A policy that is laid over all origins: it can only disallow more.
pub type Overlay = dyn Fn(&SplitUrl<'_>) -> Verdict + Send + Sync;

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
    overlay: Option<Box<Overlay>>,
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

/// A [`Check`] without the origin that it may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decided {
    Allowed,
    Disallowed(Reason),
    Unknown,
}

impl Decided {
    const fn by_rules(verdict: Verdict) -> Self {
        if verdict.is_allow() { Self::Allowed } else { Self::Disallowed(Reason::Rules) }
    }

    const fn verdict(self) -> FrontierVerdict {
        match self {
            Self::Allowed => FrontierVerdict::Allowed,
            Self::Disallowed(_) => FrontierVerdict::Disallowed,
            Self::Unknown => FrontierVerdict::Unknown,
        }
    }
}

impl Frontier {
    /// Makes a frontier for one product token, under `google`, over memory alone.
    ///
    /// # Errors
    /// [`FrontierError`] if it is no product token; the message says what to write instead.
    pub fn for_agent(agent: &str) -> Result<Self, FrontierError> {
        Self::builder(Crawler::new(agent)?).build()
    }

    /// Returns a builder of a frontier for a crawler, which may be a chain or a pool of product tokens.
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
                return Err(FrontierError(Kind::PackDialect { pack: pack.dialect().name, wanted: dialect.name }));
            }
            Some(pack) => {
                outdated = OutdatedSlots::of(pack.slots().len() as u64);
                forgotten = OutdatedSlots::of(pack.slots().len() as u64);
                match pack.crawler(&crawler) {
                    Some(agent) => Some((pack, agent)),
                    None => return Err(FrontierError(Kind::PackAgents(crawler))),
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

    /// Records the response to a request for an origin's robots.txt, which arrived at `now`: pages of errors, and no
    /// response at all, too.
    ///
    /// Returns the record that is kept from here on, or `None` if something newer is known: then nothing changes. Newer
    /// can be what is held, what the pack holds, and what was dropped: the newest times of that are kept, some hundred
    /// thousand in the default budget. After a dropped state, failures never open the origin: it can have had rules.
    ///
    /// The body counts only if the outcome is rules. A failed fetch keeps the rules that are known, for the time that
    /// the dialect gives them. A 304 renews the rules that are held; if none are, the origin stays unknown. So send
    /// `If-None-Match` and `If-Modified-Since` only if the [record](Self::fetch_record) has a
    /// [`good_at`](FetchRecord::good_at).
    ///
    /// What is older than what is held never replaces it. If a clock was wrong, and what is held is from the future,
    /// nothing is known of the origin ([`UnknownReason::Future`]), and nothing is recorded until then: see
    /// [`forget`](Self::forget).
    ///
    /// Cost: parses the body if it counts; compiles nothing.
    ///
    /// # Panics
    /// Never.
    pub fn record(&self, origin: &Origin, response: &Response<'_>, now: Time) -> Option<FetchRecord> {
        // Whether the body counts does not depend on what was known before. It is parsed before any lock is taken.
        let alone = Capture::after(None, response, now, &self.dialect);
        let parsed = alone.body().map(|body| self.parse(body));
        let is_other = match &parsed {
            Some((_, kind)) => !kind.is_robots(),
            None => response.body_kind(&self.dialect).is_some_and(|kind| !kind.is_robots()),
        };
        Atomics::count(&self.counters.other_bodies, u64::from(is_other));
        self.insert(
            origin,
            |known| known <= now,
            |before| {
                let capture = Capture::after(before.found.record(), response, now, &self.dialect);
                let mut record = *capture.record();
                let rules = match (capture.body(), parsed) {
                    (Some(_), Some((parsed, _))) => Rules::Listed(Arc::new(parsed)),
                    (Some(body), None) => Rules::Listed(Arc::new(self.parse(body).0)),
                    (None, _) => before.kept_rules(&mut record),
                };
                let sent = response.validators().filter(|_| record.outcome == Outcome::Rules).cloned().map(Arc::new);
                let validators = if capture.body().is_some() { sent } else { before.validators(&record, &rules, sent) };
                Held::new(origin.as_bytes(), record, response.site(), rules).with_validators(validators)
            },
        )
    }

    /// Restores a state that was stored earlier, as if it had been recorded then. Returns `false` if something newer is
    /// known, or if the capture was made under another dialect: then nothing changes. A failure keeps a good copy that
    /// is known and newer than its own.
    ///
    /// Cost: parses the body; compiles nothing.
    pub fn restore(&self, origin: &Origin, capture: &Capture<'_>) -> bool {
        if !capture.is_of(&self.dialect) {
            return false;
        }
        let mut record = *capture.record();
        let rules = capture.body().map(|body| Rules::Listed(Arc::new(self.parse(body).0)));
        let inserted = self.insert(
            origin,
            |known| known <= capture.record().fetched_at,
            |before| {
                let has_newer = record.outcome.is_failure() && before.good_at() > record.good_at;
                let rules = rules.filter(|_| !has_newer).unwrap_or_else(|| before.kept_rules(&mut record));
                Held::new(origin.as_bytes(), record, Site::NotKnownUp, rules)
            },
        );
        inserted.is_some()
    }

    /// Replaces the state of an origin by what `make` returns for it, unless a state is known from a time that the new
    /// one may not replace.
    fn insert(
        &self,
        origin: &Origin,
        may_replace: impl FnOnce(Time) -> bool,
        make: impl FnOnce(&Before<'_>) -> Held,
    ) -> Option<FetchRecord> {
        let (hash, slot) = (self.hash(origin.as_bytes()), self.slot(origin.as_bytes()));
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        let slot_now = slot.filter(|slot| !self.forgotten.holds(*slot));
        let packed = slot_now.and_then(|slot| Some(self.pack.as_ref()?.0.entry(slot).record().fetched_at));
        let known = shard.fetched_at(hash, origin.as_bytes()).max(packed);
        if known.is_some_and(|known| !may_replace(known)) {
            return None;
        }
        let found = self.find_in(&shard, hash, origin.as_bytes(), slot);
        let dropped = known.filter(|_| matches!(found, Found::Nothing));
        let held = make(&Before { found, slot, dropped });
        let record = held.record;
        if let Some(slot) = slot {
            self.outdated.insert(slot);
        }
        let evicted = shard.insert(hash, Arc::new(held), self.budget());
        drop(shard);
        Atomics::count(&self.counters.inserted, 1);
        Atomics::count(&self.counters.evicted, evicted);
        Some(record)
    }

    /// Forgets an origin: what is held in memory, and what the pack holds of it. It is unknown from here on, and what
    /// is recorded next counts whatever its time is. Returns `false` if nothing was known.
    ///
    /// This is for an operator who knows better, such as after a clock that was wrong. A pack brings the origin back
    /// when a frontier is made with it again.
    pub fn forget(&self, origin: &Origin) -> bool {
        let (hash, slot) = (self.hash(origin.as_bytes()), self.slot(origin.as_bytes()));
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        let packed = slot.filter(|slot| !self.outdated.holds(*slot));
        if let Some(slot) = slot {
            self.outdated.insert(slot);
            self.forgotten.insert(slot);
        }
        shard.forget(hash, origin.as_bytes()) | packed.is_some()
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

    /// Parses a robots.txt, for what it says to the crawler. Returns what the body is, too.
    fn parse(&self, body: &[u8]) -> (Parsed, BodyKind) {
        let robots = RobotsTxt::parse_with(body, &self.dialect);
        let selection = robots.select(&self.crawler);
        let parsed = Parsed {
            rules: robots.rule_set_of(&selection),
            crawl_delay: robots.crawl_delays(&selection).max(),
            sitemaps: robots.sitemaps().into_iter().map(Box::from).collect(),
        };
        (parsed, robots.body_kind())
    }

    /// Reports whether a URL is allowed whatever is known: nothing is known before robots.txt itself is fetched.
    fn is_exempt(&self, url: &SplitUrl<'_>) -> bool {
        url.is_robots_txt() && !self.robots_txt_by_rules
    }

    /// Returns which policy counts for an origin.
    fn effective(&self, found: &Found<'_>, now: Time) -> Access {
        match found {
            Found::Memory(held) => held.record.effective_under(&self.dialect.fetch, held.site, now).access,
            Found::Pack(entry) => entry.record().effective_under(&self.dialect.fetch, Site::NotKnownUp, now).access,
            Found::Nothing => Access::Unknown,
        }
    }

    /// Decides about a URL of an origin that was found.
    #[inline]
    fn decide(&self, found: &Found<'_>, url: &SplitUrl<'_>, now: Time) -> Decided {
        // Nothing else can be known before it is fetched, so no overlay forbids it.
        if self.is_exempt(url) {
            return Decided::Allowed;
        }
        let decided = self.decide_without_overlay(found, url, now);
        match &self.overlay {
            Some(overlay) if !matches!(decided, Decided::Disallowed(_)) && !overlay(url).is_allow() => {
                Decided::Disallowed(Reason::Overlay)
            }
            _ => decided,
        }
    }

    fn decide_without_overlay(&self, found: &Found<'_>, url: &SplitUrl<'_>, now: Time) -> Decided {
        match found {
            Found::Memory(held) => self.decide_in_memory(held, url.path.as_path(), now),
            Found::Pack(entry) => self.decide_in_pack(entry, url.path.as_path(), now),
            Found::Nothing => Decided::Unknown,
        }
    }

    fn decide_in_pack(&self, entry: &PackEntry<'_>, path: UrlPath<'_>, now: Time) -> Decided {
        let Some((_, agent)) = &self.pack else { return Decided::Unknown };
        let policy = entry.access_at(agent, Site::NotKnownUp, now);
        match (policy.decide_by_rules(path), policy) {
            (None, _) => Decided::Unknown,
            (Some((verdict, _)), PackAccess::Rules(_)) => Decided::by_rules(verdict),
            (Some((Verdict::Allow, _)), _) => Decided::Allowed,
            (Some(_), _) => Decided::Disallowed(Reason::Fetch(entry.record().outcome)),
        }
    }

    fn decide_in_memory(&self, held: &Arc<Held>, path: UrlPath<'_>, now: Time) -> Decided {
        let by_fetch = Decided::Disallowed(Reason::Fetch(held.record.outcome));
        match held.record.effective_under(&self.dialect.fetch, held.site, now).access {
            // If rules are promised and there are none, the bytes of the pack were altered.
            Access::Rules => self.verdict_of(held, path).map_or(by_fetch, Decided::by_rules),
            Access::AllowAll => Decided::Allowed,
            Access::DisallowAll => by_fetch,
            Access::Unknown => Decided::Unknown,
        }
    }

    /// Returns the verdict of the rules that are held; `None` if there are none.
    #[inline]
    fn verdict_of(&self, held: &Arc<Held>, path: UrlPath<'_>) -> Option<Verdict> {
        held.mark();
        // A path of another form is never asked about; were it, nothing would be known.
        match &held.rules {
            Rules::Nothing => None,
            Rules::InPack(slot) => {
                let (pack, agent) = self.pack.as_ref()?;
                pack.entry(*slot).program(agent)?.verdict(path).ok()
            }
            Rules::Compiled(_, program) => Program::from_trusted(program).ok()?.verdict(path).ok(),
            Rules::TooMany(parsed) => parsed.rules.verdict(path).ok(),
            Rules::Listed(parsed) => {
                if held.is_asked_often(1, self.compile_after) {
                    self.compile(held, parsed);
                }
                parsed.rules.verdict(path).ok()
            }
        }
    }

    /// Returns the line of the rule that decides, if one does and it is known.
    fn line(&self, found: &Found<'_>, path: UrlPath<'_>) -> Option<u32> {
        if let Found::Memory(held) = found
            && let Some(parsed) = held.rules.parsed()
        {
            return parsed.rules.deciding_rule(path).ok()?.map(|rule| rule.line);
        }
        let program = self.packed_program(found)?;
        program.deciding_rule(path).ok()?.map(|rule| rule.line)
    }

    /// Returns the entry of the pack that holds the rules of an origin.
    fn packed_copy<'f>(&'f self, found: &Found<'f>) -> Option<PackEntry<'f>> {
        match found {
            Found::Pack(entry) => Some(*entry),
            Found::Memory(held) => match held.rules {
                Rules::InPack(slot) => Some(self.pack.as_ref()?.0.entry(slot)),
                _ => None,
            },
            Found::Nothing => None,
        }
    }

    #[inline]
    fn packed_program<'f>(&'f self, found: &Found<'f>) -> Option<Program<'f>> {
        self.packed_copy(found)?.program(&self.pack.as_ref()?.1)
    }

    /// Replaces listed rules by a program.
    #[cold]
    fn compile(&self, held: &Arc<Held>, parsed: &Arc<Parsed>) {
        let rules = match Compiler::new().compile(&parsed.rules) {
            Ok(compiled) => Rules::Compiled(Arc::clone(parsed), compiled.into_bytes().into()),
            Err(_) => Rules::TooMany(Arc::clone(parsed)),
        };
        let validators = held.validators.clone();
        let compiled = Held::new(&held.origin, held.record, held.site, rules).with_validators(validators);
        let compiled = Arc::new(compiled);
        let hash = self.hash(&held.origin);
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        if let Some(evicted) = shard.replace(hash, held, compiled, self.budget()) {
            Atomics::count(&self.counters.compiled, 1);
            Atomics::count(&self.counters.evicted, evicted);
        }
    }
}

/// What was known of an origin before a new state.
struct Before<'f> {
    found: Found<'f>,
    slot: Option<Slot>,
    /// When the state was fetched that was dropped, if there was one and it is not known any more.
    dropped: Option<Time>,
}

impl Before<'_> {
    /// Returns when the good copy was fetched that is held.
    fn good_at(&self) -> Option<Time> {
        self.found.record().and_then(|record| record.good_at)
    }

    /// Returns the validators of the copy that is kept: those of a 304, else those from before.
    fn validators(
        &self,
        record: &FetchRecord,
        rules: &Rules,
        sent: Option<Arc<Validators>>,
    ) -> Option<Arc<Validators>> {
        match &self.found {
            Found::Memory(held) if held.record.good_at == record.good_at && rules.parsed().is_some() => {
                sent.or_else(|| held.validators.clone())
            }
            _ => None,
        }
    }

    /// Returns the rules that go on counting under a record that brought none: those of the same good copy.
    ///
    /// A state that was dropped can have had a good copy. So failures after it never count as those of a site without:
    /// when the copy would count, nothing is allowed. And a 304 says nothing, since the copy is gone.
    fn kept_rules(&self, record: &mut FetchRecord) -> Rules {
        if record.outcome.is_failure() {
            record.good_at = record.good_at.max(self.good_at()).max(self.dropped);
        }
        let rules = match &self.found {
            _ if record.good_at.is_none() => Rules::Nothing,
            Found::Memory(held) if held.record.good_at == record.good_at => held.rules.clone(),
            Found::Pack(entry) if entry.record().good_at == record.good_at && entry.has_rules() => {
                self.slot.map_or(Rules::Nothing, Rules::InPack)
            }
            _ => Rules::Nothing,
        };
        if record.outcome == Outcome::Rules && matches!(rules, Rules::Nothing) {
            *record = record.without_copy();
        }
        rules
    }
}

/// Returns the number of the table for a hash. The table uses its upper and lowest bits.
const fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}
