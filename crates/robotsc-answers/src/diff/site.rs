//! What changed at a site between two fetches of its robots.txt, for whom, with an example each.

use robotsc::outcome::{Access, FetchRecord, Outcome};
use robotsc::{AgentError, Dialect, RobotsTxt};
use robotsc_analysis::{Agents, Diff, DiffOptions, Effect, RuleDiff};
use serde_json::{Map, Value};

use super::json;
use super::words::Words;
use crate::body_fault::BodyFault;
use crate::shown;

/// What changed at a site.
#[derive(Clone, Debug)]
pub enum SiteChange {
    /// The bodies are equal, or both fetches allow everything or nothing.
    Equal,
    /// Only the text: every agent can fetch the same paths.
    Text,
    /// Nothing was compared: a body is no robots.txt. What is wrong with each.
    NoRobots([Option<BodyFault>; 2]),
    /// What the fetches mean, one of which brought no rules: what came of each.
    Fetch([Outcome; 2], Option<Effect>),
    /// The meaning.
    Meaning(SiteMeaning),
    /// The newer source alone has the site.
    Appeared,
    /// The older source alone has the site.
    Vanished,
    /// Nothing was compared: the work of all sites is spent.
    Skipped,
}

/// What changed of the meaning of a site.
#[derive(Clone, Debug)]
pub struct SiteMeaning {
    /// The agents that can fetch other paths, whose records changed, or for whom this was not decided.
    pub groups: Vec<SiteGroup>,
    /// The records of the whole file that changed, such as sitemaps: a sentence each.
    pub file_records: Vec<String>,
    /// How agents are named.
    words: Words,
}

/// Some agents for whom a site changed.
#[derive(Clone, Debug)]
pub struct SiteGroup {
    /// The agents.
    pub agents: Agents,
    /// A path that they can no longer fetch.
    pub blocked: Option<Vec<u8>>,
    /// A path that they can fetch now.
    pub opened: Option<Vec<u8>>,
    /// Records that changed, such as a crawl delay: a sentence each.
    pub records: Vec<String>,
    /// Whether their rules were compared within the work budget.
    pub is_decided: bool,
}

/// What is known of a fetch: its record, and the body of its rules.
#[derive(Clone, Copy, Debug)]
pub struct Fetched<'f> {
    /// The record.
    pub record: FetchRecord,
    /// The body, if the record has rules.
    pub body: Option<&'f [u8]>,
}

impl<'f> Fetched<'f> {
    /// Returns what the fetch means, at its own time.
    fn access(&self, dialect: &Dialect) -> Access {
        match self.record.effective(dialect, self.record.fetched_at).access {
            Access::Rules if self.body.is_none() => Access::Unknown,
            access => access,
        }
    }

    /// Returns what is wrong with its body, if that counts and is no robots.txt.
    fn fault(&self, dialect: &Dialect) -> Option<BodyFault> {
        let body = self.body.filter(|_| self.access(dialect) == Access::Rules)?;
        BodyFault::of(&RobotsTxt::parse_with(body, dialect))
    }

    /// Returns the file that counts: an empty one if everything is allowed; `None` if nothing is, or nothing is known.
    fn file(&self, dialect: &Dialect) -> Option<&'f [u8]> {
        match self.access(dialect) {
            Access::Rules => self.body,
            Access::AllowAll => Some(b""),
            Access::DisallowAll | Access::Unknown => None,
        }
    }
}

/// Compares two fetches of a site, each as of its own time. Returns what changed, and the work that it took in the
/// units of [`robotsc_analysis::SearchBudget`].
///
/// A fetch after which everything is allowed is compared as an empty file. If nothing is allowed after one of the
/// fetches, or nothing is known, the results of the fetches are compared. Bodies that differ, and of which one is no
/// robots.txt, are not compared, unless `force` says that such a body is a file without rules.
///
/// # Errors
/// If one of the agents of the options is neither a name nor `*`.
pub fn compared(
    [old, new]: [&Fetched<'_>; 2],
    dialect: &Dialect,
    options: &DiffOptions<'_>,
    force: bool,
) -> Result<(SiteChange, u64), AgentError> {
    let outcomes = [old.record.outcome, new.record.outcome];
    if !force && old.body != new.body {
        let faults = [old.fault(dialect), new.fault(dialect)];
        if faults.iter().any(Option::is_some) {
            return Ok((SiteChange::NoRobots(faults), 0));
        }
    }
    let bodies = match [old.file(dialect), new.file(dialect)] {
        [Some(one), Some(other)] if one == other => return Ok((SiteChange::Equal, 0)),
        [Some(one), Some(other)] => [one, other],
        [Some(_), None] => return Ok((SiteChange::Fetch(outcomes, Some(Effect::Blocked)), 0)),
        [None, Some(_)] => return Ok((SiteChange::Fetch(outcomes, Some(Effect::Opened)), 0)),
        [None, None] if old.access(dialect) == new.access(dialect) => return Ok((SiteChange::Equal, 0)),
        [None, None] => return Ok((SiteChange::Fetch(outcomes, None), 0)),
    };
    let [old, new] = bodies.map(|body| RobotsTxt::parse_with(body, dialect));
    let diff = Diff::with(&old, &new, options)?;
    let change = if diff.is_same() { SiteChange::Text } else { SiteChange::Meaning(SiteMeaning::of(&diff)) };
    Ok((change, diff.work))
}

impl SiteMeaning {
    fn of(diff: &Diff) -> Self {
        let words = Words::new(diff, None, false);
        let mut groups: Vec<SiteGroup> = diff.rules.iter().map(SiteGroup::of).collect();
        for records in &diff.records {
            let sentences = records.changes.iter().map(|change| words.record(change));
            match groups.iter_mut().find(|group| group.agents == records.agents) {
                Some(group) => group.records.extend(sentences),
                None => groups.push(SiteGroup {
                    agents: records.agents.clone(),
                    blocked: None,
                    opened: None,
                    records: sentences.collect(),
                    is_decided: true,
                }),
            }
        }
        let file_records = diff.file_records.iter().map(|change| words.record(change)).collect();
        Self { groups, file_records, words }
    }

    /// Reports whether everything was decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.groups.iter().all(|group| group.is_decided)
    }

    /// Returns agents as the subject of a sentence.
    #[must_use]
    pub fn who(&self, agents: &Agents) -> String {
        self.words.who(agents)
    }
}

impl SiteGroup {
    fn of(rules: &RuleDiff) -> Self {
        let path = |effect| rules.changes().iter().find(|change| change.effect == effect);
        let [blocked, opened] =
            [Effect::Blocked, Effect::Opened].map(|effect| path(effect).map(|change| change.path.clone()));
        let is_decided = rules.outcome.is_ok();
        Self { agents: rules.agents.clone(), blocked, opened, records: Vec::new(), is_decided }
    }
}

impl SiteChange {
    /// Returns why nothing was compared, in a clause, if a body is no robots.txt.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        let Self::NoRobots(faults) = self else { return None };
        let of = |side: &str, fault: &BodyFault| format!("the {side} file is no robots.txt: {}", fault.what);
        Some(match faults {
            [Some(old), Some(new)] => format!("{}, and {}", of("older", old), of("newer", new)),
            [Some(old), None] => of("older", old),
            [None, new] => new.as_ref().map_or_else(String::new, |new| of("newer", new)),
        })
    }

    /// Returns the word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Text => "text",
            Self::NoRobots(_) => "no-robots-txt",
            Self::Fetch(..) => "fetch",
            Self::Meaning(meaning) if meaning.is_decided() => "meaning",
            Self::Meaning(_) | Self::Skipped => "not-decided",
            Self::Appeared => "appeared",
            Self::Vanished => "vanished",
        }
    }

    /// Reports whether some agent can no longer fetch a path, or can fetch another, as far as it was decided.
    #[must_use]
    pub fn has(&self, effect: Effect) -> bool {
        match self {
            Self::Fetch(_, of_fetch) => *of_fetch == Some(effect),
            Self::Meaning(meaning) => meaning.groups.iter().any(|group| match effect {
                Effect::Blocked => group.blocked.is_some(),
                Effect::Opened => group.opened.is_some(),
            }),
            _ => false,
        }
    }

    /// Returns the change of a site as JSON.
    #[must_use]
    pub fn json(&self, site: &str) -> Map<String, Value> {
        let mut object = json::start("site", None);
        object.insert("site".to_owned(), site.into());
        object.insert("change".to_owned(), self.name().into());
        let sides = match self {
            Self::Fetch(outcomes, _) => outcomes.map(|outcome| Some(outcome.as_str())),
            Self::NoRobots(faults) => faults.each_ref().map(|fault| fault.as_ref().map(|fault| &*fault.what)),
            _ => [None; 2],
        };
        for (name, side) in ["old", "new"].into_iter().zip(sides) {
            object.insert(name.to_owned(), side.into());
        }
        let (mut groups, mut records) = (Vec::new(), Vec::new());
        if let Self::Meaning(meaning) = self {
            groups = meaning.groups.iter().map(SiteGroup::json).collect();
            records.clone_from(&meaning.file_records);
        }
        object.insert("groups".to_owned(), groups.into());
        object.insert("file_records".to_owned(), records.into());
        object
    }
}

impl SiteGroup {
    fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("agents".to_owned(), json::agents(&self.agents));
        for (name, path) in [("newly_blocked", &self.blocked), ("newly_allowed", &self.opened)] {
            match path {
                Some(path) => shown::put(&mut object, name, path),
                None => _ = object.insert(name.to_owned(), Value::Null),
            }
        }
        object.insert("records".to_owned(), self.records.clone().into());
        object.insert("is_decided".to_owned(), self.is_decided.into());
        object.into()
    }
}
