//! What changed between two dates: sites that closed, opened, appeared and vanished.

use std::collections::HashMap;

use robotsc_answers::census::{Access, Census, Site};
use serde_json::{Map, Value, json};

use super::tally::Sites;

/// What is kept of the sites of the older source: their names, and a byte for each agent.
#[derive(Debug, Default)]
pub(super) struct Before(HashMap<Box<str>, BeforeSite>);

#[derive(Debug)]
struct BeforeSite {
    accesses: Box<[Access]>,
    /// Whether it is in the newer source, too.
    is_in_newer: bool,
}

impl Before {
    pub(super) fn add(&mut self, site: &Site, agents: usize) {
        let accesses = (0..agents).map(|agent| site.of(agent).access).collect();
        self.0.insert(site.name.as_str().into(), BeforeSite { accesses, is_in_newer: false });
    }

    /// Finds a site of the newer source.
    ///
    /// A bare host stands for its origins of http and https. So if the other source names these, it is compared with
    /// them: with that of https, if there are both.
    fn find(&mut self, name: &str) -> Option<&[Access]> {
        let found = same_site(name).find(|name| self.0.contains_key(name.as_str()))?;
        if !name.contains("://") {
            for name in same_site(name) {
                self.0.entry(name.into()).and_modify(|site| site.is_in_newer = true);
            }
        }
        let site = self.0.get_mut(found.as_str())?;
        site.is_in_newer = true;
        Some(&site.accesses)
    }

    /// Returns the sites that are not in the newer source, in the order of their names.
    fn vanished(self) -> Vec<String> {
        let vanished = self.0.into_iter().filter(|(_, site)| !site.is_in_newer);
        let mut names: Vec<String> = vanished.map(|(name, _)| name.into()).collect();
        names.sort_unstable();
        names
    }
}

/// Returns the names that a site can have, the most exact first.
fn same_site(name: &str) -> impl Iterator<Item = String> {
    let others = match name.split_once("://") {
        Some((_, host)) => [Some(host.to_owned()), None],
        None => ["https", "http"].map(|scheme| Some(format!("{scheme}://{name}"))),
    };
    std::iter::once(name.to_owned()).chain(others.into_iter().flatten())
}

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
    pub(super) fn of(before: Access, after: Access) -> Option<Self> {
        Some(match (before, after) {
            _ if before == after => return None,
            (Access::Unknown, _) | (_, Access::Unknown) => Self::Unknown,
            (_, Access::Closed) => Self::Closed,
            (Access::Closed, _) => Self::Opened,
            (_, Access::Partly) => Self::Narrowed,
            (_, Access::Open) => Self::Widened,
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
    Changed(Vec<(usize, Access, Access)>),
}

/// The changes between two sources.
#[derive(Debug)]
pub(super) struct Changes {
    before: Before,
    pub(super) appeared: Sites,
    pub(super) vanished: Sites,
    /// Sites of both sources.
    pub(super) both: u64,
    /// For each agent the sites of each kind of change.
    pub(super) agents: Vec<[Sites; 5]>,
}

impl Changes {
    pub(super) fn new(before: Before, agents: usize) -> Self {
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
            let after = site.of(agent).access;
            if let Some(kind) = Kind::of(*before, after) {
                tally[kind as usize].add(&site.name);
                changed.push((agent, *before, after));
            }
        }
        (!changed.is_empty()).then_some(Change::Changed(changed))
    }

    /// Returns the sites that are not in the newer source, in the order of their names.
    pub(super) fn vanished(&mut self) -> Vec<String> {
        let names = std::mem::take(&mut self.before).vanished();
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
