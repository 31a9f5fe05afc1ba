//! What a census counts, in memory that does not grow with the sites.

use std::collections::BTreeMap;

use robotsc::bundled::{self, KnownAgent, Purpose};
use robotsc_analysis::preferences::Preference;
use robotsc_answers::census::{Census, ChosenBy, Openness, Site, SiteClass, Stated};
use robotsc_answers::server::Server;

use super::ranks::{BUCKETS, Ranks};
use super::served::Answer;

/// The size up to which the names of agents share a cell of text; names are ASCII.
const MAX_NAMES_BYTES: usize = 60;

/// The number of sites that are named of each cell.
pub(super) const MAX_NAMED: usize = 100;

/// Sites with the same answer: their number, and the first of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    pub(super) count: u64,
    pub(super) first: Vec<String>,
}

impl Sites {
    pub(super) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < MAX_NAMED {
            self.first.push(name.to_owned());
        }
    }
}

/// The answers to one name, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct ServedTally {
    /// Sites by [`Server`], in the order of [`Server::ALL`].
    pub(super) words: [u64; Server::ALL.len()],
    /// Sites whose robots.txt allows the page, and whose server turns the request down.
    pub(super) turned_down: Sites,
    /// Sites whose robots.txt disallows the page, and whose server sends it.
    pub(super) sent: Sites,
}

impl ServedTally {
    pub(super) fn add(&mut self, site: &str, answer: Answer) {
        self.words[answer.server as usize] += 1;
        match (answer.is_at_odds, answer.server.turns_down()) {
            (false, _) => {}
            (true, true) => self.turned_down.add(site),
            (true, false) => self.sent.add(site),
        }
    }

    /// Returns the number of sites that were asked.
    pub(super) fn asked(&self) -> u64 {
        self.words.iter().sum()
    }
}

/// What sites say to one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentTally {
    /// Sites by [`Openness`], as far as they decided it.
    pub(super) access: [Sites; 4],
    /// Sites that name the agent, or another that it obeys in its place.
    pub(super) named: u64,
    /// For each use and vocabulary the sites that say yes, and those that say no.
    pub(super) stated: [[[u64; 2]; 2]; 3],
    /// Sites by rank and access.
    pub(super) ranks: [[u64; 4]; BUCKETS],
    /// What servers answered to its name.
    pub(super) served: ServedTally,
}

/// What sites say to the agents of one purpose, taken together.
#[derive(Clone, Debug)]
pub(super) struct PurposeTally {
    pub(super) purpose: Purpose,
    /// The numbers of its agents.
    pub(super) agents: Vec<usize>,
    /// The number of crawlers that are known for it.
    pub(super) known: usize,
    /// Sites that are closed to all of them, to some, to none, and those that are closed to none as far as is known.
    pub(super) closed_to: [u64; 4],
}

/// What was counted.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub(super) sites: u64,
    pub(super) classes: BTreeMap<SiteClass, Sites>,
    pub(super) agents: Vec<AgentTally>,
    pub(super) purposes: Vec<PurposeTally>,
    pub(super) findings: BTreeMap<&'static str, u64>,
    /// What is no robots.txt, by its kind.
    kinds: BTreeMap<&'static str, u64>,
    /// For each agent a number that those share which every site answered alike so far.
    alike: Vec<usize>,
}

impl Tally {
    pub(super) fn new(census: &Census) -> Self {
        let of_purpose = |purpose: Purpose| {
            let is_for = |name: &str| bundled::agent(name).is_some_and(|known| is_of_purpose(known, purpose));
            let agents = census.agents().iter().enumerate();
            agents.filter(|(_, agent)| is_for(&agent.name)).map(|(number, _)| number).collect::<Vec<usize>>()
        };
        let purposes = Purpose::ALL.into_iter().map(|purpose| (purpose, of_purpose(purpose)));
        Self {
            sites: 0,
            classes: BTreeMap::new(),
            agents: vec![AgentTally::default(); census.agents().len()],
            purposes: purposes
                .filter(|(_, agents)| !agents.is_empty())
                .map(|(purpose, agents)| {
                    let known = bundled::agents().iter().filter(|known| is_of_purpose(known, purpose)).count();
                    PurposeTally { purpose, agents, known, closed_to: [0; 4] }
                })
                .collect(),
            findings: BTreeMap::new(),
            kinds: BTreeMap::new(),
            alike: vec![0; census.agents().len()],
        }
    }

    /// Adds a site, with what its server answered to which agents.
    pub(super) fn add(&mut self, site: &Site, ranks: Option<&Ranks>, answers: &[(u16, Answer)]) {
        self.sites += 1;
        self.classes.entry(site.class).or_default().add(&site.name);
        if let (SiteClass::Other, Some(kind)) = (site.class, site.body_kind) {
            *self.kinds.entry(kind.name()).or_default() += 1;
        }
        for (code, count) in &site.findings {
            *self.findings.entry(code).or_default() += count;
        }
        let bucket = ranks.and_then(|ranks| ranks.bucket(&site.name));
        for (number, tally) in self.agents.iter_mut().enumerate() {
            let (cell, access) = (site.of(number), site.stated_access(number));
            tally.access[access as usize].add(&site.name);
            tally.named += u64::from(matches!(cell.chosen_by, ChosenBy::Name | ChosenBy::Fallback(_)));
            if let Some(bucket) = bucket {
                tally.ranks[bucket][access as usize] += 1;
            }
            if cell.stated != Stated::default() {
                for (counts, stated) in tally.stated.iter_mut().zip(cell.stated.by_use()) {
                    for (counts, preference) in counts.iter_mut().zip([stated.usage, stated.signal]) {
                        match preference {
                            Preference::Yes => counts[0] += 1,
                            Preference::No => counts[1] += 1,
                            Preference::Unknown => {}
                        }
                    }
                }
            }
        }
        for (agent, answer) in answers {
            self.agents[usize::from(*agent)].served.add(&site.name, *answer);
        }
        for tally in &mut self.purposes {
            let count = |access| tally.agents.iter().filter(|agent| site.stated_access(**agent) == access).count();
            let which = match (count(Openness::Closed), count(Openness::Unknown)) {
                (0, 0) => 2,
                (0, _) => 3,
                (closed, _) if closed == tally.agents.len() => 0,
                _ => 1,
            };
            tally.closed_to[which] += 1;
        }
        if site.cells.len() > 1 {
            self.split_groups(site);
        }
    }

    /// Gives agents that this site answers differently different numbers.
    fn split_groups(&mut self, site: &Site) {
        let mut numbers: BTreeMap<(usize, Openness), usize> = BTreeMap::new();
        for (agent, number) in self.alike.iter_mut().enumerate() {
            let next = numbers.len();
            *number = *numbers.entry((*number, site.stated_access(agent))).or_insert(next);
        }
    }

    /// Returns the agents, those together that every site answered alike: the numbers of each group, in order.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        for (agent, number) in self.alike.iter().enumerate() {
            match groups.iter_mut().find(|(known, _)| known == number) {
                Some((_, group)) => group.push(agent),
                None => groups.push((*number, vec![agent])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Returns a class in words; what is no robots.txt with its kinds.
    pub(super) fn title(&self, class: SiteClass) -> String {
        let kinds = self.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<String>>();
        match class {
            SiteClass::Other if !kinds.is_empty() => format!("{}: {}", class.title(), kinds.join(", ")),
            _ => class.title().to_owned(),
        }
    }

    /// Returns the names of a group of agents; of many the first that fit, and the number of the others.
    pub(super) fn some_names(census: &Census, group: &[usize]) -> String {
        for shown in 1..group.len() {
            let next = Self::names(census, &group[..=shown]);
            if next.len() > MAX_NAMES_BYTES {
                return format!("{} and {} more", Self::names(census, &group[..shown]), group.len() - shown);
            }
        }
        Self::names(census, group)
    }

    /// Returns the answers of servers that there are, in order.
    pub(super) fn servers(&self) -> Vec<Server> {
        let is_there = |server: &Server| self.agents.iter().any(|tally| tally.served.words[*server as usize] > 0);
        Server::ALL.into_iter().filter(is_there).collect()
    }

    /// Returns the names of a group of agents.
    pub(super) fn names(census: &Census, group: &[usize]) -> String {
        let names: Vec<&str> = group.iter().map(|agent| census.agents()[*agent].name.as_str()).collect();
        names.join(", ")
    }
}

/// Reports whether a crawler is one of a purpose, as `purpose:PURPOSE` names them: those that are retired are of none.
fn is_of_purpose(known: &KnownAgent, purpose: Purpose) -> bool {
    !known.retired && known.purposes.contains(&purpose)
}

/// Returns a part in percent.
pub(super) fn percent(part: u64, all: u64) -> String {
    if all == 0 { String::new() } else { format!("{:.1} %", part as f64 * 100.0 / all as f64) }
}
