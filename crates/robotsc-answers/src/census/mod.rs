//! A census: what many sites say to many agents, a [`Site`] at a time.
//!
//! ```
//! use robotsc::Dialect;
//! use robotsc::outcome::{Capture, Response, Time};
//! use robotsc_answers::census::{Census, Openness, Visit};
//! use robotsc_answers::chosen_agent::ChosenAgent;
//!
//! let agents = ChosenAgent::all(&["GPTBot".to_owned(), "Bingbot".to_owned()], false).unwrap();
//! let census = Census::new(agents, &Dialect::GOOGLE);
//! let body = b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n";
//! let capture = Capture::after(None, &Response::new(200, body), Time(1_790_000_000), &Dialect::GOOGLE);
//! let site = census.site(&Visit { name: "shop.example", capture: &capture, status: Some(200), body });
//! assert_eq!([site.of(0).access, site.of(1).access], [Openness::Closed, Openness::Partly]);
//! assert_eq!(site.of(1).closed_path.as_deref(), Some(&b"/cart"[..]));
//! ```

mod access;
mod json;
mod preferences;

use std::collections::BTreeMap;

use robotsc::agent::{Selection, SelectionReason};
use robotsc::outcome::{self, Capture, Outcome};
use robotsc::robots_txt::BodyKind;
use robotsc::{Crawler, Dialect, RobotsTxt};
use robotsc_analysis::PathPattern;
use robotsc_analysis::lint::Lint;
use xxhash_rust::xxh3::xxh3_128;

pub use self::access::Openness;
use self::access::ProvedAccess;
pub use self::preferences::{Stated, StatedFor};
use crate::chosen_agent::ChosenAgent;
use crate::shown;

/// The agents of a census, and how files are read.
#[derive(Debug)]
pub struct Census {
    agents: Vec<ChosenAgent>,
    dialect: Dialect,
    /// The pattern of all paths.
    everything: PathPattern,
    lint: Option<Lint>,
}

/// What a visit to a site brought.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'v> {
    /// The site, as rows name it.
    pub name: &'v str,
    /// What is recorded of the fetch.
    pub capture: &'v Capture<'v>,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The body of the response, also if it does not count.
    pub body: &'v [u8],
}

/// What kind of answer a site gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteClass {
    /// A robots.txt with rules.
    Rules,
    /// A robots.txt without rules.
    NoRules,
    /// No robots.txt.
    Missing,
    /// The server refused to send it: 401, 402, 403, 407, 429. Or it [says](fn@outcome::challenge) that it sent a
    /// challenge, whatever the status and the body.
    Refused,
    /// A failure of the server or of the network.
    Error,
    /// Something that is no robots.txt, such as a page of HTML.
    Other,
}

impl SiteClass {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Rules, Self::NoRules, Self::Missing, Self::Refused, Self::Error, Self::Other];

    /// Returns the word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::NoRules => "no-rules",
            Self::Missing => "missing",
            Self::Refused => "refused",
            Self::Error => "error",
            Self::Other => "no-robots-txt",
        }
    }

    /// Returns it in words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Rules => "robots.txt with rules",
            Self::NoRules => "robots.txt without rules",
            Self::Missing => "no robots.txt",
            Self::Refused => "refused or challenged",
            Self::Error => "failure of server or network",
            Self::Other => "something that is no robots.txt",
        }
    }
}

/// How an agent finds its groups in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// A group names the agent itself.
    Name,
    /// A group names another, which the agent obeys: in the file's lower case.
    Fallback(String),
    /// No group names it: those for `*` count.
    Star,
    /// No group names it, and there is none for `*`.
    Nothing,
    /// No group names it, and it does not obey those for `*`.
    StarIgnored,
    /// There is no file whose groups count: the result of the fetch decides.
    Fetch,
}

impl ChosenBy {
    /// Returns the word for it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Fallback(_) => "fallback",
            Self::Star => "star",
            Self::Nothing => "nothing",
            Self::StarIgnored => "star-ignored",
            Self::Fetch => "fetch",
        }
    }
}

/// What a site says to one agent, or to several alike.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The numbers of the agents.
    pub agents: Vec<usize>,
    /// What it may fetch.
    pub access: Openness,
    /// A shortest path that is allowed, if one is and was looked for.
    pub open_path: Option<Vec<u8>>,
    /// A shortest path that is disallowed, if one is and was looked for.
    pub closed_path: Option<Vec<u8>>,
    /// How the agent finds its groups.
    pub chosen_by: ChosenBy,
    /// The line of the first group that counts.
    pub line: Option<u32>,
    /// The number of lines that can decide: not empty ones, and none that matches no path.
    pub rules: usize,
    /// The crawl delay in seconds.
    pub crawl_delay: Option<f64>,
    /// What is stated about the use of what is fetched.
    pub stated: Stated,
}

/// What a site says.
#[derive(Clone, Debug)]
pub struct Site {
    /// The site, as its source names it; what could break a row is escaped.
    pub name: String,
    /// What kind of answer it gave.
    pub class: SiteClass,
    /// What came of the fetch.
    pub outcome: Outcome,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// What the body is, if there is one.
    pub body_kind: Option<BodyKind>,
    /// The length of the body in bytes.
    pub bytes: usize,
    /// XXH3 of the body, 128 bits: equal for equal bodies.
    pub hash: u128,
    /// The number of groups.
    pub groups: usize,
    /// The number of lines with a rule.
    pub rules: usize,
    /// The sitemaps, each once.
    pub sitemaps: Vec<Vec<u8>>,
    /// The number of findings by code, if they were asked for.
    pub findings: BTreeMap<&'static str, u64>,
    /// What is said to agents: those that find the same groups in the same way share one.
    pub cells: Vec<Cell>,
    /// For each agent the index of its cell.
    indexes: Vec<usize>,
}

impl Site {
    /// Returns what is said to an agent, by its number.
    ///
    /// # Panics
    /// If there is no such agent.
    #[must_use]
    pub fn of(&self, agent: usize) -> &Cell {
        &self.cells[self.indexes[agent]]
    }

    /// Returns what an agent may fetch, as far as the site decided it, for counts and comparisons. It is unknown after
    /// a failure, where the file was refused, and of a body that is no robots.txt: that crawlers then wait, or may
    /// fetch everything, was no decision of the site.
    ///
    /// # Panics
    /// If there is no such agent.
    #[must_use]
    pub fn stated_access(&self, agent: usize) -> Openness {
        match self.class {
            SiteClass::Rules | SiteClass::NoRules | SiteClass::Missing => self.of(agent).access,
            SiteClass::Refused | SiteClass::Error | SiteClass::Other => Openness::Unknown,
        }
    }
}

impl Census {
    /// The agents of a census that names none: search engines, AI training and AI search, and all others.
    pub const DEFAULT_AGENTS: [&str; 4] = ["purpose:search", "purpose:ai-training", "purpose:ai-search", "*"];

    /// The columns about a site in a row.
    pub const SITE_COLUMNS: [&str; 10] =
        ["site", "class", "outcome", "status", "body_kind", "bytes", "hash", "groups", "rules", "sitemaps"];

    /// The columns about a site and an agent in a row, after those about the site.
    pub const AGENT_COLUMNS: [&str; 15] = [
        "agent",
        "access",
        "open_path",
        "closed_path",
        "chosen_by",
        "fallback",
        "line",
        "rules_obeyed",
        "crawl_delay",
        "usage_train",
        "usage_input",
        "usage_search",
        "signal_train",
        "signal_input",
        "signal_search",
    ];

    /// The columns of a row about a change.
    pub const CHANGE_COLUMNS: [&str; 5] = ["site", "change", "agent", "before", "after"];

    /// Takes the agents, and the dialect that files are read under.
    #[must_use]
    pub fn new(agents: Vec<ChosenAgent>, dialect: &Dialect) -> Self {
        // Every dialect has a pattern of all paths.
        let everything = PathPattern::new(dialect, "/").unwrap_or_else(|error| unreachable!("{error}"));
        Self { agents, dialect: dialect.clone(), everything, lint: None }
    }

    /// Counts the findings of lint, too.
    #[must_use]
    pub fn with_lint(mut self, lint: Lint) -> Self {
        self.lint = Some(lint);
        self
    }

    /// Returns the agents.
    #[must_use]
    pub fn agents(&self) -> &[ChosenAgent] {
        &self.agents
    }

    /// Returns what a site says.
    ///
    /// Cost: parses the body, and for each set of groups that an agent obeys proves what it may fetch, within the
    /// limits of a search.
    #[must_use]
    pub fn site(&self, visit: &Visit<'_>) -> Site {
        let record = visit.capture.record();
        let mut site = Site {
            name: shown::bytes(visit.name.as_bytes()),
            class: SiteClass::Error,
            outcome: record.outcome,
            status: visit.status,
            body_kind: None,
            bytes: visit.body.len(),
            hash: xxh3_128(visit.body),
            groups: 0,
            rules: 0,
            sitemaps: Vec::new(),
            findings: BTreeMap::new(),
            cells: Vec::new(),
            indexes: Vec::new(),
        };
        let Some(body) = visit.capture.body() else {
            site.body_kind = (!visit.body.is_empty()).then(|| BodyKind::of(visit.body, &self.dialect));
            site.class = if visit.capture.is_challenge() { SiteClass::Refused } else { class_without_rules(&site) };
            self.decide_by_fetch(&mut site, visit);
            return site;
        };
        let robots = RobotsTxt::parse_with(body, &self.dialect);
        let kind = robots.body_kind();
        site.body_kind = Some(kind);
        site.class = match (visit.capture.is_challenge(), kind.is_robots(), robots.rules().is_empty()) {
            (true, ..) => SiteClass::Refused,
            (false, false, _) => SiteClass::Other,
            (false, true, true) => SiteClass::NoRules,
            (false, true, false) => SiteClass::Rules,
        };
        site.groups = robots.groups().len();
        site.rules = robots.rules().len();
        site.sitemaps = robots.sitemaps().into_iter().map(<[u8]>::to_vec).collect();
        if let Some(lint) = &self.lint {
            for finding in lint.run(&robots) {
                *site.findings.entry(finding.check.code()).or_default() += 1;
            }
        }
        self.decide_by_rules(&mut site, &robots);
        site
    }

    /// Adds what the result of the fetch allows, to all agents alike.
    fn decide_by_fetch(&self, site: &mut Site, visit: &Visit<'_>) {
        let record = visit.capture.record();
        let access = match record.effective(&self.dialect, record.fetched_at).access {
            outcome::Access::AllowAll => Openness::Open,
            outcome::Access::DisallowAll => Openness::Closed,
            // There are no rules from before.
            outcome::Access::Rules | outcome::Access::Unknown => Openness::Unknown,
        };
        site.indexes = vec![0; self.agents.len()];
        site.cells.push(Cell {
            agents: (0..self.agents.len()).collect(),
            access,
            open_path: None,
            closed_path: None,
            chosen_by: ChosenBy::Fetch,
            line: None,
            rules: 0,
            crawl_delay: None,
            stated: Stated::default(),
        });
    }

    /// Adds what the rules say, to agents that find the same groups in the same way together.
    fn decide_by_rules(&self, site: &mut Site, robots: &RobotsTxt<'_>) {
        let mut known: Vec<(Selection, ChosenBy, usize)> = Vec::new();
        let mut proved: Vec<(Selection, ProvedAccess)> = Vec::new();
        // What a file says of its own path opens and closes nothing: crawlers fetch it whatever it says.
        let mut values = robots.rules().iter().map(|rule| rule.value.of(robots.body()));
        let is_named = !self.dialect.robots_txt_allowed
            && values.any(|value| memchr::memmem::find(value, b"robots.txt").is_some());
        let own_path_apart = is_named.then(|| {
            let dialect = Dialect { robots_txt_allowed: true, ..self.dialect.clone() };
            RobotsTxt::parse_with(robots.body(), &dialect)
        });
        let read = own_path_apart.as_ref().unwrap_or(robots);
        for (number, agent) in self.agents.iter().enumerate() {
            let selection = robots.select(&agent.crawler);
            let chosen_by = chosen_by(robots, agent, &selection);
            let same =
                |(groups, by, _): &&(Selection, ChosenBy, usize)| groups.groups == selection.groups && *by == chosen_by;
            if let Some((.., index)) = known.iter().find(same) {
                site.cells[*index].agents.push(number);
                site.indexes.push(*index);
                continue;
            }
            let found = proved.iter().position(|(known, _)| known.groups == selection.groups);
            let found = found.unwrap_or_else(|| {
                let access = ProvedAccess::of(&read.rule_set_of(&selection), &self.dialect, &self.everything);
                proved.push((selection.clone(), access));
                proved.len() - 1
            });
            let ProvedAccess { access, open_path, closed_path, rules } = proved[found].1.clone();
            let first = selection.groups.first().and_then(|group| robots.groups().get(group.0 as usize));
            let line = first.and_then(|group| Some(robots.agents().get(group.agents.start as usize)?.line));
            let stated = Stated::of(robots, &agent.crawler, open_path.as_deref());
            let crawl_delay = robots.crawl_delays(&selection).max().map(|delay| delay.as_secs_f64());
            let index = site.cells.len();
            site.indexes.push(index);
            site.cells.push(Cell {
                agents: vec![number],
                access,
                open_path,
                closed_path,
                chosen_by: chosen_by.clone(),
                line,
                rules,
                crawl_delay,
                stated,
            });
            known.push((selection, chosen_by, index));
        }
    }
}

/// Returns how an agent found groups.
fn chosen_by(robots: &RobotsTxt<'_>, agent: &ChosenAgent, selection: &Selection) -> ChosenBy {
    match &selection.reason {
        SelectionReason::Named(names) => {
            let mut own = agent.crawler.names();
            let is_alone = own.len() == 1;
            let is_own = |name| matches!(robots.select(&Crawler::from(name)).reason, SelectionReason::Named(_));
            match names.first() {
                Some(found) if !is_alone && !own.next().is_some_and(is_own) => ChosenBy::Fallback(shown::bytes(found)),
                _ => ChosenBy::Name,
            }
        }
        SelectionReason::Star => ChosenBy::Star,
        SelectionReason::NoGroup => ChosenBy::Nothing,
        SelectionReason::StarIgnored => ChosenBy::StarIgnored,
    }
}

/// Returns the class of a site whose body does not count.
fn class_without_rules(site: &Site) -> SiteClass {
    match (site.status, site.outcome) {
        (Some(401 | 402 | 403 | 407 | 429), _) => SiteClass::Refused,
        (_, Outcome::Unavailable) => SiteClass::Missing,
        // A body that is no robots.txt is a failure to a cautious crawler.
        (Some(200..=299), _) if site.body_kind.is_some_and(|kind| !kind.is_robots()) => SiteClass::Other,
        _ => SiteClass::Error,
    }
}
