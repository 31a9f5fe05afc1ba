//! What changed between two dates: sites that closed, opened, appeared and vanished.

use robotsc_answers::census::{Census, Openness, Site};
use serde_json::{Map, Value, json};

use super::tally::Sites;
use crate::commands::sites::other::OtherSites;

/// A kind of change for one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// From open or partly to closed.
    Closed,
    /// From closed to open or partly.
    Opened,
    /// From open to partly.
    Narrowed,
    /// From partly to open.
    Widened,
    /// To or from unknown.
    Unknown,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [Self::Closed, Self::Opened, Self::Narrowed, Self::Widened, Self::Unknown];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Opened => "opened",
            Self::Narrowed => "narrowed",
            Self::Widened => "widened",
            Self::Unknown => "to or from unknown",
        }
    }

    /// Returns the kind of a change; `None` if there is none.
    pub(super) fn of(before: Openness, after: Openness) -> Option<Self> {
        Some(match (before, after) {
            _ if before == after => return None,
            (Openness::Unknown, _) | (_, Openness::Unknown) => Self::Unknown,
            (_, Openness::Closed) => Self::Closed,
            (Openness::Closed, _) => Self::Opened,
            (_, Openness::Partly) => Self::Narrowed,
            (_, Openness::Open) => Self::Widened,
        })
    }
}

/// A site that is not as it was.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// It is new.
    Appeared,
    /// It is not there any more.
    Vanished,
    /// What it says changed for these agents.
    Changed(Vec<(usize, Openness, Openness)>),
}

/// The changes between two sources.
#[derive(Debug)]
pub(super) struct Changes {
    /// Of each site a byte for each agent.
    before: OtherSites<Box<[Openness]>>,
    pub(super) appeared: Sites,
    pub(super) vanished: Sites,
    /// Sites of both sources.
    pub(super) both: u64,
    /// For each agent the sites of each kind of change.
    pub(super) agents: Vec<[Sites; 5]>,
}

impl Changes {
    pub(super) fn new(before: OtherSites<Box<[Openness]>>, agents: usize) -> Self {
        let (appeared, vanished) = (Sites::default(), Sites::default());
        Self { before, appeared, vanished, both: 0, agents: vec![Default::default(); agents] }
    }

    /// Adds a site of the newer source. Returns what changed.
    pub(super) fn add(&mut self, site: &Site) -> Option<Change> {
        let Some(before) = self.before.find(&site.name) else {
            self.appeared.add(&site.name);
            return Some(Change::Appeared);
        };
        self.both += 1;
        let mut changed = Vec::new();
        for (agent, (before, tally)) in before.iter().zip(&mut self.agents).enumerate() {
            let after = site.stated_access(agent);
            if let Some(kind) = Kind::of(*before, after) {
                tally[kind as usize].add(&site.name);
                changed.push((agent, *before, after));
            }
        }
        (!changed.is_empty()).then_some(Change::Changed(changed))
    }

    /// Returns the sites that are not in the newer source, in the order of their names.
    pub(super) fn vanished(&mut self) -> Vec<String> {
        let names = self.before.not_found();
        names.iter().for_each(|name| self.vanished.add(name));
        names
    }
}

impl Change {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Appeared => "appeared",
            Self::Vanished => "vanished",
            Self::Changed(_) => "changed",
        }
    }

    /// Returns the change of a site as JSON.
    pub(super) fn json(&self, census: &Census, site: &str) -> Value {
        let agents = match self {
            Self::Appeared | Self::Vanished => Map::new(),
            Self::Changed(changed) => changed
                .iter()
                .map(|(agent, before, after)| {
                    let value = json!({ "before": before.name(), "after": after.name() });
                    (census.agents()[*agent].name.clone(), value)
                })
                .collect(),
        };
        json!({ "type": "change", "site": site, "change": self.name(), "agents": agents })
    }
}
