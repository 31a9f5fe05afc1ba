//! From a body to what a pack holds of it: programs, delays and sitemaps, each by its hash.

use std::collections::BTreeMap;
use std::time::Duration;

use robotsc_compiler::record::RecordValue;
use robotsc_compiler::{BodyKind, CompileError, Compiler, Crawler, Effort, Output, Program, RobotsTxt, Selection};

use super::super::policy::list;
use super::super::slot::Delay;
use super::super::{PackAgents, PackOptions};
use super::sink::{Hash, Sink, hash};
use super::stated::Stated;

/// What an origin's policy is, before places are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Nothing,
    Program(Hash, Delay),
    Policy(Hash),
    /// There are rules that cannot be compiled: the origin gets no slot, even if older rules could be.
    Refused,
}

/// A program, a delay and preferences.
type StubEntry = (Hash, Delay, Option<Hash>);

/// A policy with hashes in place of places; it becomes its record when places are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stub {
    pub(crate) sitemaps: Option<Hash>,
    pub(crate) tokens: Option<Hash>,
    pub(crate) entries: Vec<(Hash, Delay)>,
    /// One for each entry; empty if nothing is stated.
    pub(crate) preferences: Vec<Option<Hash>>,
}

/// What stands for preferences that are not stated: no hash that a file has.
const NO_PREFERENCES: Hash = [0; 16];

impl Stub {
    /// Returns a policy of entries, each with its preferences.
    fn new(entries: impl Iterator<Item = StubEntry>) -> Self {
        let mut stub = Self::default();
        for (program, delay, preferences) in entries {
            stub.entries.push((program, delay));
            stub.preferences.push(preferences);
        }
        stub.without_empty_preferences()
    }

    /// Keeps preferences only if some are stated.
    pub(crate) fn without_empty_preferences(mut self) -> Self {
        if self.preferences.iter().all(Option::is_none) {
            self.preferences.clear();
        }
        self
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let has_preferences = u8::from(!self.preferences.is_empty());
        let lists = u8::from(self.sitemaps.is_some()) | u8::from(self.tokens.is_some()) << 1;
        let mut bytes = vec![lists | has_preferences << 2];
        for hash in [self.sitemaps, self.tokens].into_iter().flatten() {
            bytes.extend_from_slice(&hash);
        }
        for (hash, delay) in &self.entries {
            bytes.extend_from_slice(hash);
            bytes.extend_from_slice(&delay.0.to_le_bytes());
        }
        for hash in &self.preferences {
            bytes.extend_from_slice(&hash.unwrap_or(NO_PREFERENCES));
        }
        bytes
    }

    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (&flags, mut rest) = bytes.split_first()?;
        let mut take = |is_there: bool| -> Option<Option<Hash>> {
            if !is_there {
                return Some(None);
            }
            let (hash, after) = rest.split_first_chunk::<16>()?;
            rest = after;
            Some(Some(*hash))
        };
        let (sitemaps, tokens) = (take(flags & 1 != 0)?, take(flags & 2 != 0)?);
        let mut preferences = Vec::new();
        if flags & 4 != 0 {
            let (entries, hashes) = rest.split_at_checked(rest.len() / 36 * 20)?;
            rest = entries;
            let hashes = hashes.as_chunks::<16>().0.iter();
            preferences.extend(hashes.map(|hash| (*hash != NO_PREFERENCES).then_some(*hash)));
        }
        let (entries, []) = rest.as_chunks::<20>() else { return None };
        let entries = entries.iter().filter_map(|entry| {
            let (hash, delay) = entry.split_first_chunk::<16>()?;
            Some((*hash, Delay(u32::from_le_bytes(*delay.first_chunk()?))))
        });
        Some(Self { sitemaps, tokens, entries: entries.collect(), preferences })
    }

    /// Passes the policy to `sink`: as a program if that is all, else as a policy.
    pub(crate) fn link<S: Sink>(&self, sink: &mut S) -> Result<Link, S::Error> {
        if let (None, None, [(program, delay)], []) = (self.sitemaps, self.tokens, &*self.entries, &*self.preferences) {
            return Ok(Link::Program(*program, *delay));
        }
        let bytes = self.to_bytes();
        let hash = hash(&bytes);
        sink.policy(hash, &bytes)?;
        Ok(Link::Policy(hash))
    }
}

/// Returns the compiler of the programs of a pack.
pub(crate) fn compiler(deciding_rules: bool) -> Compiler {
    Compiler::new().effort(Effort::Small).output(if deciding_rules { Output::DecidingRule } else { Output::Verdict })
}

/// Compiles bodies for a pack.
#[derive(Debug)]
pub(crate) struct Maker {
    compiler: Compiler,
    options: PackOptions,
    /// The agents of a pack for some.
    crawlers: Vec<Crawler>,
}

/// Why a body has no place in a pack.
#[derive(Debug)]
pub(crate) enum MakeError<E> {
    Refused(CompileError),
    /// The compiler returned a policy without a program for one of its agents.
    NoProgram,
    Sink(E),
}

impl<E> From<E> for MakeError<E> {
    fn from(error: E) -> Self {
        Self::Sink(error)
    }
}

impl Maker {
    pub(crate) fn new(options: &PackOptions) -> Self {
        Self {
            compiler: compiler(options.deciding_rules),
            options: options.clone(),
            crawlers: options.agents.crawlers(),
        }
    }

    /// Compiles a body and passes what it holds to `sink`. Returns what the body is, too.
    pub(crate) fn make<S: Sink>(&self, body: &[u8], sink: &mut S) -> Result<(Link, BodyKind), MakeError<S::Error>> {
        let robots = RobotsTxt::parse_with(body, &self.options.dialect);
        let mut stub = match &self.options.agents {
            PackAgents::Some(_) => self.some(&robots, &self.crawlers, sink)?,
            PackAgents::All => self.all(&robots, sink)?,
        };
        if self.options.sitemaps {
            let urls = robots.sitemaps();
            if !urls.is_empty()
                && let Some(bytes) = list(urls.into_iter().map(|url| (url, 0)))
            {
                let hash = hash(&bytes);
                sink.list(hash, &bytes)?;
                stub.sitemaps = Some(hash);
            }
        }
        Ok((stub.link(sink)?, robots.body_kind()))
    }

    fn some<S: Sink>(
        &self,
        robots: &RobotsTxt<'_>,
        agents: &[Crawler],
        sink: &mut S,
    ) -> Result<Stub, MakeError<S::Error>> {
        let selections: Vec<Selection> = agents.iter().map(|agent| robots.select(agent)).collect();
        let delays: Vec<Delay> = selections.iter().map(|selection| longest(robots.crawl_delays(selection))).collect();
        let mut preferences = Vec::with_capacity(selections.len());
        let mut stated = Stated::new(robots, self.options.preferences, &self.compiler);
        for selection in &selections {
            preferences.push(stated.of(&selection.groups, sink)?);
        }
        let (programs, numbers) = self.compiler.compile_selections(robots, selections).map_err(MakeError::Refused)?;
        let hashes: Vec<Hash> = programs.iter().map(|program| hash(program)).collect();
        for (program, hash) in programs.iter().zip(&hashes) {
            sink.program(*hash, program)?;
        }
        let of_number = |number: u32| hashes.get(number as usize).copied().ok_or(MakeError::NoProgram);
        let hashes = numbers.into_iter().map(of_number).collect::<Result<Vec<Hash>, _>>()?;
        let entries = hashes.into_iter().zip(delays).zip(preferences);
        let mut entries: Vec<StubEntry> = entries.map(|((hash, delay), stated)| (hash, delay, stated)).collect();
        if entries.iter().all(|entry| *entry == entries[0]) {
            entries.truncate(1);
        }
        Ok(Stub::new(entries.into_iter()))
    }

    fn all<S: Sink>(&self, robots: &RobotsTxt<'_>, sink: &mut S) -> Result<Stub, MakeError<S::Error>> {
        let compiled = self.compiler.compile_policy(robots).map_err(MakeError::Refused)?;
        let policy = compiled.policy();
        let mut hashes = Vec::new();
        for program in policy.programs() {
            let hash = hash(program.as_bytes());
            sink.program(hash, program.as_bytes())?;
            hashes.push(hash);
        }
        let delays = Delays::of(robots);
        let mut stated = Stated::new(robots, self.options.preferences, &self.compiler);
        let wants_preferences = self.options.preferences.is_some();
        let (of_key, of_star) = if wants_preferences { robots.groups_by_key() } else { Default::default() };
        let star_stated = stated.of(&of_star, sink)?;
        let star = match policy.star_number() {
            Some(number) => *hashes.get(number).ok_or(MakeError::NoProgram)?,
            // No group names `*`: everything is allowed to agents that no group names.
            None => {
                let bytes = Program::allow_all(policy.path_form()).as_bytes();
                let hash = hash(bytes);
                sink.program(hash, bytes)?;
                hash
            }
        };
        let mut entries: Vec<StubEntry> = vec![(star, delays.star, star_stated)];
        let mut numbers: BTreeMap<StubEntry, u32> = BTreeMap::from([(entries[0], 0)]);
        let mut tokens = Vec::new();
        for (number, token) in policy.keys().enumerate() {
            let hash = policy.program_number(number).and_then(|number| hashes.get(number));
            let hash = hash.ok_or(MakeError::NoProgram)?;
            let delay = delays.of_token.get(token).copied().unwrap_or(Delay::NONE);
            let groups = of_key.get(token).map_or(&[][..], Vec::as_slice);
            let entry = (*hash, delay, stated.of(groups, sink)?);
            let number = *numbers.entry(entry).or_insert_with(|| {
                entries.push(entry);
                entries.len() as u32 - 1
            });
            tokens.push((token, number));
        }
        let mut stub = Stub::new(entries.into_iter());
        if !tokens.is_empty()
            && let Some(bytes) = list(tokens.into_iter())
        {
            let hash = hash(&bytes);
            sink.list(hash, &bytes)?;
            stub.tokens = Some(hash);
        }
        Ok(stub)
    }
}

/// The crawl delays of all agents that a file names.
struct Delays {
    star: Delay,
    of_token: BTreeMap<Vec<u8>, Delay>,
}

impl Delays {
    fn of(robots: &RobotsTxt<'_>) -> Self {
        let mut delays = Self { star: Delay::NONE, of_token: BTreeMap::new() };
        for group in robots.groups() {
            let values = robots.records_of(group).iter().filter_map(|record| record.value(robots.body()));
            let stated = values.filter_map(|value| match value {
                RecordValue::CrawlDelay(delay) => Some(delay),
                _ => None,
            });
            let stated = longest(stated);
            if stated == Delay::NONE {
                continue;
            }
            for agent in robots.agents_of(group) {
                let extend = |known: &mut Delay| {
                    *known = if *known == Delay::NONE { stated } else { stated.max(*known) };
                };
                if agent.is_star {
                    extend(&mut delays.star);
                    continue;
                }
                for key in robots.agent_keys(agent) {
                    extend(delays.of_token.entry(key).or_insert(Delay::NONE));
                }
            }
        }
        delays
    }
}

/// Returns the longest delay, in milliseconds, rounded up.
pub(crate) fn longest(delays: impl Iterator<Item = Duration>) -> Delay {
    let longest = delays.max().map(|delay| delay.as_nanos().div_ceil(1_000_000));
    longest.map_or(Delay::NONE, |ms| Delay(u32::try_from(ms).unwrap_or(u32::MAX).min(u32::MAX - 1)))
}
