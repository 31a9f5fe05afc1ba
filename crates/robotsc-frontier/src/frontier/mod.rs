//! The frontier: verdicts for URLs of any origin, from a pack, from memory, or from both.
//!
//! A [`Frontier`] answers for one crawler. Its pack holds what was known when that was built, its memory what was learnt since: what is [put in](Frontier::insert) stands
//! above what the pack says, unless it is older. Any number of threads ask, put in and expire at the same time; no lock is held while a program is walked, a
//! file is parsed or rules are compiled. It reads no clock: time is passed in.
//!
//! # Tiers
//! A policy that is put in answers from its [`RuleSet`], which needs no preparation. When it was asked [often](FrontierOptions::compile_after), the thread that asks compiles it, while the
//! others go on with the rules. Policies of a pack are compiled already.
//!
//! # The budget
//! Memory is kept to [`FrontierOptions::memory`] octets by dropping policies that were not asked lately. A dropped origin is [unknown](FrontierVerdict::Unknown)
//! until it is put in again, also where the pack holds an older state of it: a newer `Disallow` is never forgotten in favour of an older `Allow`. What keeps track of that is part of the budget:
//! a bit for each slot of the pack, and the times of what was dropped, the newest, in a sixteenth of the rest.
//!
//! ```
//! use robotsc_compiler::Dialect;
//! use robotsc_frontier::fetch::{FetchRecord, Outcome, Time};
//! use robotsc_frontier::frontier::{Frontier, FrontierOptions, FrontierVerdict};
//! use robotsc_frontier::origin::Origin;
//!
//! let frontier = Frontier::new(FrontierOptions::new(&Dialect::GOOGLE, "FooBot"));
//! let now = Time(1_790_000_000);
//! assert_eq!(frontier.verdict(b"https://shop.example/cart", now)?, FrontierVerdict::Unknown);
//!
//! let record = FetchRecord {
//!     outcome: Outcome::Rules,
//!     fetched_at: now,
//!     expires_at: Time(now.0 + 86_400),
//!     good_at: Some(now),
//!     failing_since: None,
//! };
//! let origin: Origin = "https://shop.example".parse()?;
//! frontier.insert(&origin, record, Some(b"User-agent: *\nDisallow: /cart\n"));
//! assert_eq!(frontier.verdict(b"https://shop.example/cart", now)?, FrontierVerdict::Disallowed);
//! assert_eq!(frontier.verdict(b"https://shop.example/", now)?, FrontierVerdict::Allowed);
//! assert!(frontier.verdict(b"mailto:me@shop.example", now).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use robotsc_compiler::{Compiler, Crawler, Output, Program, RobotsTxt, RuleSet, Verdict};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::fetch::{FetchPolicy, FetchRecord, Force, Site, Time};
use crate::origin::{self, Origin, OriginError, SplitUrl};
use crate::pack::{Pack, PackAgent, PackEntry};
pub use answer::{Answer, By, FrontierVerdict};
pub use counters::Counters;
use counters::{Atomics, Tally};
use held::{Held, Rules};
pub use options::FrontierOptions;
use shard::Shard;
use superseded::Superseded;

mod answer;
mod batch;
mod counters;
mod gone;
mod held;
mod options;
mod shard;
mod superseded;

/// Tables that the memory is cut into: enough that threads seldom want the same.
const SHARDS: usize = 64;

/// A policy that is laid over all origins: it can only disallow more.
pub type Overlay = dyn Fn(&SplitUrl<'_>) -> Verdict + Send + Sync;

/// Verdicts for URLs of any origin. See the [module documentation](self).
pub struct Frontier {
    options: FrontierOptions,
    fetches: FetchPolicy,
    pack: Option<(Arc<Pack>, PackAgent)>,
    shards: Box<[RwLock<Shard>]>,
    superseded: Superseded,
    /// Of the hashes of origins in memory; unlike a pack's, nobody outside can know it.
    seed: u64,
    counters: Atomics,
    overlay: Option<Box<Overlay>>,
}

impl fmt::Debug for Frontier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frontier")
            .field("options", &self.options)
            .field("pack", &self.pack)
            .field("has_overlay", &self.overlay.is_some())
            .field("counters", &self.counters())
            .finish_non_exhaustive()
    }
}

/// Where the state of an origin was found.
pub(crate) enum Found<'f> {
    Memory(Arc<Held>),
    Pack(PackEntry<'f>),
    Nothing,
}

impl Frontier {
    /// A frontier over memory alone.
    #[must_use]
    pub fn new(options: FrontierOptions) -> Self {
        let shards = (0..SHARDS).map(|_| RwLock::default()).collect();
        let seed = RandomState::new().hash_one(0);
        let fetches = FetchPolicy::of(&options.dialect);
        let (superseded, counters) = (Superseded::default(), Atomics::default());
        Self { options, fetches, pack: None, shards, superseded, seed, counters, overlay: None }
    }

    /// A frontier over a pack, and over what is put in later.
    ///
    /// `None` where the pack was not built for the options' agent, or not under their dialect.
    #[must_use]
    pub fn over(pack: Arc<Pack>, options: FrontierOptions) -> Option<Self> {
        let agent = pack.agent(options.agent.as_bytes())?;
        if *pack.dialect() != options.dialect {
            return None;
        }
        let superseded = Superseded::of(pack.slots().len() as u64);
        Some(Self { pack: Some((pack, agent)), superseded, ..Self::new(options) })
    }

    /// Lays a policy over all origins. A URL that it disallows is disallowed, whatever is known of its origin; it never makes a URL allowed.
    #[must_use]
    pub fn with_overlay(mut self, overlay: Box<Overlay>) -> Self {
        self.overlay = Some(overlay);
        self
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &FrontierOptions {
        &self.options
    }

    /// The verdict for a URL.
    ///
    /// Cost: as [`origin::split`], a look-up, and a walk. Several URLs at once cost less: see [`verdicts`](Self::verdicts).
    ///
    /// # Errors
    /// [`OriginError`] where it is no URL with an origin. That is no allow.
    ///
    /// # Panics
    /// Never.
    pub fn verdict(&self, url: &[u8], now: Time) -> Result<FrontierVerdict, OriginError> {
        self.answer(url, now).map(|answer| answer.verdict)
    }

    /// The verdict for a URL, and what gave it.
    ///
    /// # Errors
    /// As [`verdict`](Self::verdict).
    pub fn answer(&self, url: &[u8], now: Time) -> Result<Answer, OriginError> {
        let answer = origin::split(&self.options.dialect, url).map(|url| {
            let found = self.find(&url.origin);
            self.answer_by(&found, &url, now)
        });
        let mut tally = Tally::default();
        tally.count(answer.map(|answer| answer.verdict));
        self.counters.add(tally);
        answer
    }

    /// How the last fetch of an origin's robots.txt ended, as far as is known here: what a crawler hands on when it fetches again.
    #[must_use]
    pub fn record(&self, origin: &Origin) -> Option<FetchRecord> {
        match self.find(origin.as_bytes()) {
            Found::Memory(held) => Some(held.record),
            Found::Pack(entry) => Some(*entry.record()),
            Found::Nothing => None,
        }
    }

    /// The longest crawl delay that is stated for the agent. Whether crawlers of the dialect obey one is [`Dialect::crawl_delay_obeyed`](robotsc_compiler::Dialect::crawl_delay_obeyed).
    #[must_use]
    pub fn crawl_delay(&self, origin: &Origin) -> Option<Duration> {
        match self.find(origin.as_bytes()) {
            Found::Memory(held) => held.crawl_delay,
            Found::Pack(entry) => entry.crawl_delay(&self.pack.as_ref()?.1),
            Found::Nothing => None,
        }
    }

    /// Puts in what a fetch came to, in the place of what was known of the origin. `false` where something newer is known: then nothing changes.
    /// Newer may be what is held, what the pack holds, and what was dropped: of that the newest times are kept, some hundred thousand in the default budget. A fetch that is
    /// older than a dropped state whose time is forgotten is put in, unless the pack's is newer.
    ///
    /// `body` is the robots.txt where the fetch brought one whole; never one that broke off, since what is missing may be what disallows. Where it did not, and the record says that a good copy is held, the rules that are known here are kept.
    /// A record that promises rules where there are none is kept without them, and disallows everything.
    ///
    /// Cost: parses the body; compiles nothing.
    pub fn insert(&self, origin: &Origin, record: FetchRecord, body: Option<&[u8]>) -> bool {
        let (hash, slot) = (self.hash(origin.as_bytes()), self.slot(origin.as_bytes()));
        let (rules, crawl_delay) = match body {
            Some(body) => self.read(body),
            None if record.good_at.is_some() => self.kept_rules(origin, record.good_at),
            None => (Rules::Nothing, None),
        };
        let held = Arc::new(Held::new(origin.as_bytes(), record, rules, crawl_delay));
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        let packed = slot.and_then(|slot| Some(self.pack.as_ref()?.0.entry(slot).record().fetched_at));
        if shard.fetched_at(hash, origin.as_bytes()).max(packed) > Some(record.fetched_at) {
            return false;
        }
        if let Some(slot) = slot {
            self.superseded.put(slot);
        }
        let evicted = shard.put(hash, held, self.budget());
        drop(shard);
        Atomics::count(&self.counters.inserted, 1);
        Atomics::count(&self.counters.evicted, evicted);
        true
    }

    /// Drops from memory what expired more than `keep` before `now`. An origin that is dropped is unknown, as is one that was evicted.
    ///
    /// What expired is answered with as the dialect says, so `keep` should leave it the time of the good copies: 30 days.
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

    /// What was counted.
    #[must_use]
    pub fn counters(&self) -> Counters {
        let mut counters = self.counters.read();
        counters.octets = self.superseded.octets() as u64;
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            counters.held += shard.len() as u64;
            counters.octets += shard.octets() as u64;
        }
        counters
    }

    /// The octets that a table may take.
    fn budget(&self) -> usize {
        self.options.memory.saturating_sub(self.superseded.most_octets()) / SHARDS
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

    /// What is known of an origin.
    pub(crate) fn find(&self, origin: &[u8]) -> Found<'_> {
        let (slot, hash) = (self.slot(origin), self.hash(origin));
        let shard = self.shard(hash).read().unwrap_or_else(PoisonError::into_inner);
        self.find_in(&shard, hash, origin, slot)
    }

    /// What is known of an origin, whose table is this.
    #[inline]
    fn find_in(&self, shard: &Shard, hash: u64, origin: &[u8], slot: Option<crate::pack::Slot>) -> Found<'_> {
        if let Some(held) = shard.get(hash, origin) {
            return Found::Memory(held.clone());
        }
        match (&self.pack, slot) {
            (Some((pack, _)), Some(slot)) if !self.superseded.holds(slot) => Found::Pack(pack.entry(slot)),
            _ => Found::Nothing,
        }
    }

    /// Parses a robots.txt, for the agent's rules and crawl delay.
    fn read(&self, body: &[u8]) -> (Rules, Option<Duration>) {
        let robots = RobotsTxt::parse(body, &self.options.dialect);
        let selection = robots.select(&Crawler::token(self.options.agent.as_str()));
        (Rules::Listed(robots.rule_set_of(&selection)), robots.crawl_delays(&selection).max())
    }

    /// The rules that are held of an origin, where they are those that `good_at` promises.
    fn kept_rules(&self, origin: &Origin, good_at: Option<Time>) -> (Rules, Option<Duration>) {
        match self.find(origin.as_bytes()) {
            Found::Memory(held) if held.record.good_at == good_at => (held.rules.clone(), held.crawl_delay),
            Found::Pack(entry) if entry.record().good_at == good_at && entry.has_rules() => {
                let slot = self.slot(origin.as_bytes());
                (slot.map_or(Rules::Nothing, Rules::InPack), self.crawl_delay(origin))
            }
            _ => (Rules::Nothing, None),
        }
    }

    /// The answer for a URL of an origin that was found.
    #[inline]
    pub(crate) fn answer_by(&self, found: &Found<'_>, url: &SplitUrl<'_>, now: Time) -> Answer {
        let answer = self.answer_without_overlay(found, url, now);
        match &self.overlay {
            Some(overlay) if answer.verdict != FrontierVerdict::Disallowed && !overlay(url).is_allow() => {
                Answer { verdict: FrontierVerdict::Disallowed, by: By::Overlay }
            }
            _ => answer,
        }
    }

    fn answer_without_overlay(&self, found: &Found<'_>, url: &SplitUrl<'_>, now: Time) -> Answer {
        if url.is_robots_txt() && !self.options.robots_txt_by_rules {
            return Answer { verdict: FrontierVerdict::Allowed, by: By::RobotsTxt };
        }
        let record = match found {
            Found::Memory(held) => &held.record,
            Found::Pack(entry) => entry.record(),
            Found::Nothing => return Answer { verdict: FrontierVerdict::Unknown, by: By::Nothing },
        };
        let by = By::Fetch(record.outcome);
        match record.in_force_under(self.fetches, Site::NotKnownUp, now).policy {
            Force::Rules => self.answer_by_rules(found, &url.path).unwrap_or(Answer {
                // Rules are promised and not there: altered octets, or a record that was put in without a body.
                verdict: FrontierVerdict::Disallowed,
                by,
            }),
            Force::AllowAll => Answer { verdict: FrontierVerdict::Allowed, by },
            Force::DisallowAll => Answer { verdict: FrontierVerdict::Disallowed, by },
            Force::Unknown => Answer { verdict: FrontierVerdict::Unknown, by },
        }
    }

    #[inline]
    fn answer_by_rules(&self, found: &Found<'_>, path: &[u8]) -> Option<Answer> {
        match found {
            Found::Pack(entry) => Some(of_program(&entry.program(&self.pack.as_ref()?.1)?, path)),
            Found::Memory(held) => {
                held.mark();
                match &held.rules {
                    Rules::Nothing => None,
                    Rules::Compiled(_) => Some(of_program(&held.rules.program()?, path)),
                    Rules::InPack(slot) => {
                        let (pack, agent) = self.pack.as_ref()?;
                        Some(of_program(&pack.entry(*slot).program(agent)?, path))
                    }
                    Rules::Listed(rules) | Rules::TooMany(rules) => {
                        let decision = rules.decide(path);
                        if matches!(held.rules, Rules::Listed(_)) && held.is_asked_often(1, self.options.compile_after)
                        {
                            self.compile(held, rules);
                        }
                        let line = decision.rule.is_some().then_some(decision.line);
                        Some(of_verdict(decision.verdict, line))
                    }
                }
            }
            Found::Nothing => None,
        }
    }

    /// Puts a compiled policy in the place of its rules.
    #[cold]
    fn compile(&self, held: &Arc<Held>, rules: &RuleSet) {
        let output = if self.options.name_rules { Output::Winner } else { Output::Verdict };
        let rules = match Compiler::new().output(output).compile(rules) {
            Ok(compiled) => Rules::Compiled(compiled.into_bytes().into()),
            Err(_) => Rules::TooMany(rules.clone()),
        };
        let compiled = Arc::new(Held::new(&held.origin, held.record, rules, held.crawl_delay));
        let hash = self.hash(&held.origin);
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        if let Some(evicted) = shard.replace(hash, held, compiled, self.budget()) {
            Atomics::count(&self.counters.compiled, 1);
            Atomics::count(&self.counters.evicted, evicted);
        }
    }
}

/// The number of the table for a hash. Within it, the upper and lowest bits are used.
const fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

#[inline]
fn of_program(program: &Program<'_>, path: &[u8]) -> Answer {
    if program.names_winner() {
        return match program.winner(path) {
            Some(winner) => of_verdict(winner.verdict, Some(winner.line)),
            None => of_verdict(Verdict::Allow, None),
        };
    }
    of_verdict(program.verdict(path), None)
}

#[inline]
const fn of_verdict(verdict: Verdict, line: Option<u32>) -> Answer {
    let verdict = match verdict {
        Verdict::Allow => FrontierVerdict::Allowed,
        Verdict::Disallow => FrontierVerdict::Disallowed,
    };
    Answer { verdict, by: By::Rules(line) }
}
