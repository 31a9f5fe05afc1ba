//! An agent for each line: it is in a column of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use robotsc::Dialect;
use robotsc::origin::{BatchOrigin, OriginLookup};
use robotsc::pack::{PackAgent, PackAgents, Slot};
use robotsc_answers::shown;

use super::agents::Chooser;
use super::answer::{Answer, Class};
use super::args::WithArg;
use super::policies::{AgentAnswers, LineUrl, PackQuery, Policies, decide_by_access};
use crate::command_line::crawlers;
use crate::lists::layout::without_end;

/// The number of names that are kept. A list has some dozens; more are looked up again.
const MAX_CACHED_NAMES: usize = 1 << 16;
/// The bytes of the longest name: no crawler's has more. What is kept is at most the product of the two.
const MAX_NAME_BYTES: usize = 255;
/// The maximum number of names that are compared with those of known crawlers.
const MAX_DOUBTED: usize = 200;

/// The policies of a pack for the agents that lines name.
#[derive(Debug)]
pub(crate) struct LinePolicies {
    pub(crate) at: PackQuery,
    pub(crate) chooser: Chooser,
    /// What is written besides verdicts.
    pub(crate) with: Vec<WithArg>,
    /// The agents that lines named so far.
    pub(crate) known: RwLock<HashMap<Vec<u8>, Result<PackAgent, String>>>,
    /// The names that were compared with those of known crawlers.
    pub(crate) asked: AtomicUsize,
}

impl<'p> OriginLookup<'p> for LinePolicies {
    type Place = Option<Slot>;
    type Policy = Option<Slot>;

    fn dialect(&self) -> &Dialect {
        self.at.pack.dialect()
    }

    #[inline]
    fn place(&self, origin: &[u8]) -> Option<Slot> {
        self.at.pack.find(self.at.pack.key(origin))
    }

    fn look_up(&'p self, origins: &mut [BatchOrigin<'_, Option<Slot>, Option<Slot>>]) {
        for origin in origins {
            origin.policy = Some(origin.place);
        }
    }
}

impl LinePolicies {
    /// Returns what `read` makes of the agent of a line.
    fn with_agent<T>(&self, asked: &LineUrl<'_>, read: impl FnOnce(&Result<PackAgent, String>) -> T) -> T {
        let field = match asked.agent {
            Some(layout) => layout.field(without_end(asked.line)),
            None => Err("no column of agents".into()),
        };
        let name = match field {
            Ok(name) => name,
            Err(reason) => return read(&Err(format!("no agent: {reason}"))),
        };
        if name.len() > MAX_NAME_BYTES {
            let start = shown::cut(&name, 80);
            return read(&Err(format!("bad agent: '{start}': longer than {MAX_NAME_BYTES} bytes")));
        }
        if let Some(agent) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&*name) {
            return read(agent);
        }
        let agent = match str::from_utf8(&name) {
            Ok(text) => self.chooser.one(&self.at.pack, text),
            Err(_) => Err(format!("bad agent: '{}'", shown::cut(&name, 80))),
        };
        let result = read(&agent);
        if agent.is_err() {
            return result;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_CACHED_NAMES {
            known.clear();
        }
        let is_new = known.insert(name.to_vec(), agent).is_none();
        drop(known);
        if is_new && let Ok(name) = str::from_utf8(&name) {
            self.warn_of(name);
        }
        result
    }

    /// Warns of a name that is nearly that of a known crawler, for the first few.
    fn warn_of(&self, name: &str) {
        let is_any = matches!(self.at.pack.agents(), PackAgents::All);
        // A list can have more names than are cached; each is compared with all of the register.
        if is_any && self.asked.fetch_add(1, Ordering::Relaxed) < MAX_DOUBTED {
            crawlers::warn_of_near([name]);
        }
    }
}

impl Policies for LinePolicies {
    fn decide(&self, slot: &Option<Slot>, asked: &LineUrl<'_>, each: &mut AgentAnswers) -> Answer {
        each.clear();
        self.with_agent(asked, |agent| {
            let Ok(agent) = agent else { return Answer::of(Class::Error) };
            if !self.with.is_empty() {
                self.at.facts(*slot, std::slice::from_ref(agent), &self.with, each);
            }
            decide_by_access(&self.at.pack.access_at(*slot, agent, self.at.site, self.at.now), asked.path)
        })
    }

    fn problem(&self, asked: &LineUrl<'_>) -> String {
        self.with_agent(asked, |agent| agent.as_ref().err().cloned().unwrap_or_default())
    }
}
