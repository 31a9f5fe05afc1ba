//! Whether two names get the same robots.txt, by its meaning for one of them.

use robotsc::Dialect;
use robotsc::fetch::{Fetched, Visited};
use robotsc::outcome::Outcome;

use crate::diff::site::{self, SiteChange, SiteGroup};
use crate::{diff, fetched, shown};

/// How the robots.txt that a crawler's name gets compares with the one that the own name gets, for that crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The crawler may fetch the same paths by both, whatever else differs.
    Same,
    /// By one of them it may fetch other paths, or a record of its groups differs.
    Differs(Difference),
    /// It was not decided: neither is a robots.txt, or the comparison was given up within its limits.
    NotDecided,
}

/// What differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// A shortest path that only the file for the own name lets the crawler fetch.
    pub closed_path: Option<Vec<u8>>,
    /// A shortest path that only the file for its own name lets it fetch.
    pub open_path: Option<Vec<u8>>,
    /// What else differs, in clauses.
    pub others: Vec<String>,
}

impl Compared {
    /// Compares what the own name and the name of a crawler got, for that crawler.
    #[must_use]
    pub(super) fn of([own, named]: [&Visited; 2], agent: &str, dialect: &'static Dialect) -> Self {
        let agents = [agent.to_owned()];
        let options = diff::options(&agents, true, false);
        let sides = [&own.robots, &named.robots].map(|fetched| side(fetched, dialect));
        // The agent is a name of the register, so that there is no error; if there were one, nothing would be decided.
        let Ok((change, _)) = site::compared([&sides[0], &sides[1]], dialect, &options, false) else {
            return Self::NotDecided;
        };
        match change {
            SiteChange::Equal | SiteChange::Text => Self::Same,
            SiteChange::Meaning(meaning) if meaning.groups.is_empty() => Self::Same,
            SiteChange::Meaning(meaning) => Self::of_groups(&meaning.groups),
            SiteChange::Fetch(outcomes, _) => {
                let [own, named] = outcomes.map(Outcome::as_str);
                Self::other(format!("the fetch ends in {named}, under your own name in {own}"))
            }
            SiteChange::NoRobots([None, Some(fault)]) => {
                Self::other(format!("it is no robots.txt: {}", shown::line(&fault.what)))
            }
            SiteChange::NoRobots([Some(fault), None]) => {
                Self::other(format!("the one under your own name is none: {}", shown::line(&fault.what)))
            }
            SiteChange::NoRobots(_) | SiteChange::Skipped | SiteChange::Appeared | SiteChange::Vanished => {
                Self::NotDecided
            }
        }
    }

    fn of_groups(groups: &[SiteGroup]) -> Self {
        let mut difference = Difference::default();
        for group in groups {
            difference.closed_path = difference.closed_path.or_else(|| group.blocked.clone());
            difference.open_path = difference.open_path.or_else(|| group.opened.clone());
            difference.others.extend(group.records.iter().map(|record| shown::line(record)));
        }
        let is_decided = groups.iter().all(|group| group.is_decided);
        match difference == Difference::default() && !is_decided {
            true => Self::NotDecided,
            false => Self::Differs(difference),
        }
    }

    fn other(what: String) -> Self {
        Self::Differs(Difference { others: vec![what], ..Difference::default() })
    }

    /// Returns the word for it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Differs(_) => "differs",
            Self::NotDecided => "not-decided",
        }
    }
}

impl Difference {
    /// Returns what differs, in clauses, with example paths.
    #[must_use]
    pub fn clauses(&self) -> Vec<String> {
        let path =
            |path: &Option<Vec<u8>>, what: &str| path.as_ref().map(|path| format!("{} {what}", shown::bytes(path)));
        let paths = [path(&self.closed_path, "is closed in it alone"), path(&self.open_path, "is open in it alone")];
        paths.into_iter().flatten().chain(self.others.iter().cloned()).collect()
    }
}

fn side<'f>(fetched: &'f Fetched, dialect: &'static Dialect) -> site::Fetched<'f> {
    let record = fetched::record(fetched, dialect);
    site::Fetched { record, body: (record.outcome == Outcome::Rules).then_some(fetched.body.as_slice()) }
}
