//! Parsed robots.txt files, kept for the next request: while a person types URLs, each request has the same file.
//!
//! A file is found by all of its bytes and its dialect, never by a hash alone. The cache is bounded by the estimated
//! size of what it holds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::metrics::counter::Counter;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};
use robotsc::agent::SelectionReason;
use robotsc::{Dialect, RobotsTxt};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::decider::Decider;

use crate::metrics::Metrics;
use crate::template::Template;

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
    /// Whether no line is a directive, though there is text.
    pub(crate) has_no_directive: bool,
    /// The agents that were asked for, by their names in order, in lower case.
    agents: Mutex<BTreeMap<String, Arc<AgentRules>>>,
    /// The bytes that more agents, and more templates of their answers, can take.
    room: AtomicUsize,
}

/// The rules that an agent obeys in a file.
#[derive(Debug)]
pub(crate) struct AgentRules {
    /// The name of the agent as it was first asked for, which the templates have.
    name: String,
    /// How answers are written, by the rule that decides.
    templates: Mutex<BTreeMap<Option<usize>, Arc<Template>>>,
    pub(crate) decider: Arc<Decider<'static>>,
    /// The lines that name the agent, or `*`.
    pub(crate) agent_lines: Vec<u32>,
    /// Why a path that no rule matches is allowed.
    pub(crate) reason: &'static str,
    /// What the register of known crawlers adds.
    pub(crate) note: Option<String>,
}

/// The rules of the agents of a request, by the numbers of their groups.
pub(crate) type SharedRules = BTreeMap<Vec<u32>, Arc<Decider<'static>>>;

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
        let room = AtomicUsize::new(rules_budget(body.len()));
        let has_no_directive = !robots.body_kind().is_robots();
        let file = Arc::new(File { robots, has_no_directive, agents: Mutex::default(), room });
        self.cache.insert(Key { dialect: dialect.name, body: body.into() }, file.clone());
        file
    }
}

impl File {
    /// Selects the rules of an agent, or finds them selected.
    ///
    /// `shared` has the rules of other agents of the request by their groups: hundreds of agents that obey the same
    /// group have them once, though they are too large to be kept with the file.
    pub(crate) fn rules(&self, agent: &ChosenAgent, shared: &mut SharedRules) -> Arc<AgentRules> {
        // An agent as written is another than the one that its operator documents.
        let named_only = if agent.crawler.is_named_only() { ", by name only" } else { "" };
        let key = format!("{}{named_only}", agent.crawler).to_ascii_lowercase();
        let lock = || self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = lock().get(&key) {
            return rules.clone();
        }
        let robots = &self.robots;
        let selection = robots.select(&agent.crawler);
        let reason = match selection.reason {
            SelectionReason::NoGroup => "no group is for this agent: everything is allowed",
            SelectionReason::StarIgnored => "it obeys only groups that name it, and none does: everything is allowed",
            _ => "no rule of the group matches: everything else is allowed",
        };
        let groups = selection.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
        let lines = groups.flat_map(|group| robots.agents_of(group)).map(|line| line.line);
        let decider = shared.entry(selection.groups.iter().map(|id| id.0).collect());
        let decider =
            decider.or_insert_with(|| Arc::new(Decider::new(Cow::Owned(robots.rule_set_of(&selection))))).clone();
        let bytes = decider.rules().heap_bytes() + key.len();
        let rules = Arc::new(AgentRules {
            name: agent.name.clone(),
            templates: Mutex::default(),
            agent_lines: lines.collect(),
            decider,
            reason,
            note: agent.note_for(robots),
        });
        let mut agents = lock();
        // Another request can have been faster.
        if !agents.contains_key(&key) && self.take_room(bytes + 8 * rules.agent_lines.len() + 256) {
            agents.insert(key, rules.clone());
        }
        rules
    }

    /// Takes room for some bytes that are kept with the file. Returns whether there is any.
    fn take_room(&self, bytes: usize) -> bool {
        let take = |left: usize| left.checked_sub(bytes);
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    /// Returns how answers are written in which a rule decides for an agent; makes and keeps it if it is not known.
    ///
    /// `make` returns `None` if an answer is too long for that.
    pub(crate) fn template(
        &self,
        rules: &AgentRules,
        name: &str,
        rule: Option<usize>,
        make: impl FnOnce() -> Option<Template>,
    ) -> Option<Arc<Template>> {
        let is_first_name = rules.name == name;
        let lock = || rules.templates.lock().unwrap_or_else(PoisonError::into_inner);
        if is_first_name && let Some(template) = lock().get(&rule) {
            return Some(template.clone());
        }
        let template = Arc::new(make()?);
        if is_first_name {
            let mut templates = lock();
            if !templates.contains_key(&rule) && self.take_room(template.bytes() + 64) {
                templates.insert(rule, template.clone());
            }
        }
        Some(template)
    }
}
