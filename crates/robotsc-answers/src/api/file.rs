//! A parsed robots.txt with the agents that were asked about it: while a person types URLs, each request has the same
//! file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use robotsc::agent::SelectionReason;
use robotsc::{Dialect, RobotsTxt};

use super::template::Template;
use crate::body_fault::BodyFault;
use crate::chosen_agent::ChosenAgent;
use crate::decider::Decider;

/// A robots.txt under a dialect.
#[derive(Debug)]
pub struct File {
    /// The file.
    pub robots: RobotsTxt<'static>,
    /// What is wrong with it, if it is no robots.txt.
    pub fault: Option<BodyFault>,
    /// The agents that were asked for, by their names in order, in lower case.
    agents: Mutex<BTreeMap<String, Arc<AgentRules>>>,
    /// The bytes that more agents, and more templates of their answers, can take.
    room: AtomicUsize,
}

/// The rules that an agent obeys in a file.
#[derive(Debug)]
pub struct AgentRules {
    /// The name of the agent as it was first asked for, which the templates have.
    name: String,
    /// How answers are written, by the rule that decides.
    templates: Mutex<BTreeMap<Option<usize>, Arc<Template>>>,
    /// Decides.
    pub decider: Arc<Decider<'static>>,
    /// The lines that name the agent, or `*`.
    pub agent_lines: Vec<u32>,
    /// Why a path that no rule matches is allowed.
    pub reason: &'static str,
    /// What the register of known crawlers adds.
    pub note: Option<String>,
}

/// The rules of the agents of a request, by the numbers of their groups.
pub type SharedRules = BTreeMap<Vec<u32>, Arc<Decider<'static>>>;

impl File {
    /// Parses a body.
    #[must_use]
    pub fn parse(body: &[u8], dialect: &'static Dialect) -> Self {
        let robots = RobotsTxt::parse_with(body, dialect).into_owned();
        let room = AtomicUsize::new(Self::rules_budget(body.len()));
        let fault = BodyFault::of(&robots);
        Self { robots, fault, agents: Mutex::default(), room }
    }

    /// Returns the size of rules that is kept with a file of some bytes.
    #[must_use]
    pub const fn rules_budget(body: usize) -> usize {
        2 * body + 4096
    }

    /// Selects the rules of an agent, or finds them selected.
    ///
    /// `shared` has the rules of other agents of the request by their groups: hundreds of agents that obey the same
    /// group have them once, though they are too large to be kept with the file.
    pub fn rules(&self, agent: &ChosenAgent, shared: &mut SharedRules) -> Arc<AgentRules> {
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
    pub(super) fn template(
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
