//! Parsed robots.txt files, kept for the next request: while a person types URLs, each request has the same file.
//!
//! A file is found by all of its bytes and its dialect, never by a hash alone. The cache is bounded by the estimated
//! size of what it holds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::metrics::counter::Counter;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};
use robotsc::{Dialect, RobotsTxt, SelectionReason};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::decider::Decider;

use crate::metrics::Metrics;

/// The parsed files.
#[derive(Debug)]
pub(crate) struct Files {
    cache: Cache<Key, Arc<File>, Bytes>,
    hits: Counter,
    misses: Counter,
}

/// A robots.txt under a dialect.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) robots: RobotsTxt<'static>,
    /// The agents that were asked for, by name in lower case, and the size of their rules.
    agents: Mutex<(BTreeMap<String, Arc<AgentRules>>, usize)>,
}

/// The rules that an agent obeys in a file.
#[derive(Debug)]
pub(crate) struct AgentRules {
    pub(crate) decider: Arc<Decider<'static>>,
    /// The lines that name the agent, or `*`.
    pub(crate) agent_lines: Vec<u32>,
    /// Why a path that no rule matches is allowed.
    pub(crate) reason: &'static str,
}

/// A file by its bytes.
#[derive(Debug)]
struct Key {
    dialect: &'static str,
    body: Box<[u8]>,
}

/// A [`Key`] that is looked up.
#[derive(Hash, PartialEq, Eq)]
struct Lookup<'b> {
    dialect: &'static str,
    body: &'b [u8],
}

impl Key {
    fn lookup(&self) -> Lookup<'_> {
        Lookup { dialect: self.dialect, body: &self.body }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.lookup().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.lookup() == other.lookup()
    }
}

impl Eq for Key {}

impl Equivalent<Key> for Lookup<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self == key.lookup()
    }
}

/// Estimates the size of an entry: its bytes twice, what the parser makes of each line, and the rules of some agents.
#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Key, Arc<File>> for Bytes {
    fn weight(&self, key: &Key, _: &Arc<File>) -> u64 {
        (key.body.len() * 6 + rules_budget(key.body.len()) * 2 + 1024) as u64
    }
}

/// Returns the size of rules that is kept with a file of some bytes.
const fn rules_budget(body: usize) -> usize {
    2 * body + 4096
}

impl Files {
    /// Creates a cache of at most `max_bytes`.
    pub(crate) fn new(max_bytes: u64, metrics: &Metrics) -> Self {
        // What an entry takes at least bounds their number.
        let most = usize::try_from(max_bytes / 8192).unwrap_or(usize::MAX).max(16);
        Self {
            cache: Cache::with_weighter(most, max_bytes, Bytes),
            hits: metrics.cache_hits.clone(),
            misses: metrics.cache_misses.clone(),
        }
    }

    /// Parses a body, or finds it parsed.
    ///
    /// Cost: linear in the bytes; if it is found, a hash and a comparison of them.
    pub(crate) fn parse(&self, body: &[u8], dialect: &'static Dialect) -> Arc<File> {
        if let Some(file) = self.cache.get(&Lookup { dialect: dialect.name, body }) {
            self.hits.inc();
            return file;
        }
        self.misses.inc();
        let robots = RobotsTxt::parse_with(body, dialect).into_owned();
        let file = Arc::new(File { robots, agents: Mutex::default() });
        self.cache.insert(Key { dialect: dialect.name, body: body.into() }, file.clone());
        file
    }
}

impl File {
    /// Selects the rules of an agent, or finds them selected.
    pub(crate) fn rules(&self, agent: &ChosenAgent) -> Arc<AgentRules> {
        let key = agent.name.to_ascii_lowercase();
        let lock = || self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = lock().0.get(&key) {
            return rules.clone();
        }
        let robots = &self.robots;
        let selection = robots.select(&agent.crawler);
        let reason = match selection.reason {
            SelectionReason::NoGroup => "no group is for this agent: everything is allowed",
            _ => "no rule of the group matches: everything else is allowed",
        };
        let groups = selection.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
        let lines = groups.flat_map(|group| robots.agents_of(group)).map(|line| line.line);
        let rules = robots.rule_set_of(&selection);
        let bytes = rules.heap_bytes() + key.len();
        let rules =
            AgentRules { agent_lines: lines.collect(), decider: Arc::new(Decider::new(Cow::Owned(rules))), reason };
        let rules = Arc::new(rules);
        let (agents, used) = &mut *lock();
        let bytes = bytes + 8 * rules.agent_lines.len() + 256;
        if *used + bytes <= rules_budget(robots.body().len()) {
            *used += bytes;
            agents.insert(key, rules.clone());
        }
        rules
    }
}
