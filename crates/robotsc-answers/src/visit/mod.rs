//! What a site answers to the names of known crawlers: which robots.txt each gets, what that says of a page, and what
//! the server does with the request of that page.
//!
//! It shows what is decided by the `User-Agent`. Servers also decide by the address of the caller, so a refusal here is
//! no proof that the real crawler is refused.

mod compare;
mod json;
mod server;

use std::borrow::Cow;

use robotsc::agent::CrawlerKind;
use robotsc::bundled;
use robotsc::fetch::{Fetched, FetchedPage, UserAgent, Visit, Visited};
use robotsc::outcome::{Access, FetchEnd, FetchRecord, Outcome};
use robotsc::{Dialect, RobotsTxt};
use robotsc_analysis::words::listed;

pub use self::compare::{Compared, Difference};
use crate::chosen_agent::ChosenAgent;
use crate::decider::Decider;
use crate::identity::Identity;
use crate::known_agent::doubt;
use crate::mistake::Mistake;
use crate::server::Server;
use crate::url_path::UrlReader;
use crate::{check, fetched, shown};

/// A crawler under whose name a site is asked.
#[derive(Clone, Debug)]
pub struct Name {
    /// The crawler, which obeys what its operator documents.
    pub agent: ChosenAgent,
    /// The header that it sends, by the register.
    pub user_agent: &'static str,
}

/// The crawlers of a list.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Those whose `User-Agent` is on record.
    pub known: Vec<Name>,
    /// Those of a purpose or an operator whose `User-Agent` is not.
    pub left_out: Vec<String>,
}

impl Names {
    /// Returns the crawlers that texts stand for: product tokens, `purpose:PURPOSE` and `operator:NAME`.
    ///
    /// # Errors
    /// If a text is none of these, if a crawler that it names has no `User-Agent` on record, or if none is left.
    pub fn of(given: &[String]) -> Result<Self, Mistake> {
        let mut names = Self::default();
        for text in given {
            let is_list = text.contains(':');
            for agent in ChosenAgent::of(text, false)? {
                if names.known.iter().any(|known| known.agent.name == agent.name) {
                    continue;
                }
                match (user_agent(&agent), is_list) {
                    (Ok(user_agent), _) => names.known.push(Name { agent, user_agent }),
                    (Err(_), true) => names.left_out.push(agent.name),
                    (Err(why), false) => return Err(Mistake::new("bad agent", why)),
                }
            }
        }
        if names.known.is_empty() {
            let who = listed(&names.left_out);
            return Err(Mistake::new("bad agent", format_args!("{who}: no User-Agent is on record")));
        }
        Ok(names)
    }

    /// Returns the headers, in order.
    ///
    /// # Errors
    /// If the register holds one that cannot be sent.
    pub fn user_agents(&self) -> Result<Vec<UserAgent>, Mistake> {
        let header = |name: &Name| UserAgent::of_known_crawler(name.user_agent);
        let headers: Result<_, _> = self.known.iter().map(header).collect();
        headers.map_err(|error| Mistake::new("bad agent", error))
    }
}

/// Returns the header that a crawler sends; or why there is none, and what to ask as.
fn user_agent(agent: &ChosenAgent) -> Result<&'static str, String> {
    const SEE: &str = "'robotsc agents --json' shows who has one";
    let name = shown::line(&agent.name);
    if agent.crawler.kind() == CrawlerKind::Others {
        return Err(format!("{name}: it stands for many crawlers, which have no User-Agent in common: name one"));
    }
    let Some(known) = bundled::agent(&agent.name) else {
        let doubt = doubt(&agent.name).unwrap_or_else(|| SEE.to_owned());
        return Err(format!("{name}: no known crawler, so that its User-Agent is not on record: {doubt}"));
    };
    if let Some(user_agent) = known.user_agent {
        return Ok(user_agent);
    }
    let clause = known.clause().filter(|_| known.control || known.retired);
    let Some(clause) = clause else { return Err(format!("{name}: its User-Agent is not on record: {SEE}")) };
    // The note of a control token names the crawler that fetches.
    let note = known.note.filter(|_| known.control).unwrap_or_default();
    let fetches = note.split(' ').find_map(bundled::agent).map(|fetches| format!(": ask as {}", fetches.token));
    Err(clause + &fetches.unwrap_or_default())
}

/// Checks the page that a site is asked for: a path. Returns it as it is requested.
///
/// # Errors
/// Says in words what is wrong.
pub fn check_page(page: &str, dialect: &Dialect) -> Result<String, String> {
    let requested = Visit::requested_path(page).filter(|path| !path.starts_with("//"));
    let requested = requested.ok_or("it is no path: give one of each site, such as /about")?;
    UrlReader::new(dialect).path(page.as_bytes())?;
    Ok(requested)
}

/// What robots.txt says of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageVerdict {
    /// Whether it allows the page; `None` if that is not known, such as after a timeout.
    pub is_allowed: Option<bool>,
    /// The line that decides, if one does.
    pub line: Option<u32>,
    /// The clause of the register that bears on this file, if one does.
    pub note: Option<String>,
}

impl PageVerdict {
    /// Returns the word for it, if it is known.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.is_allowed.map(|is_allowed| if is_allowed { "allowed" } else { "disallowed" })
    }
}

/// What a site answered to one name.
#[derive(Debug)]
pub struct Row<'v> {
    /// The crawler; `None` is the caller's own name.
    pub name: Option<&'v Name>,
    /// The header that was sent.
    pub user_agent: &'v str,
    /// What came.
    pub visited: &'v Visited,
    /// What is recorded of the fetch of robots.txt.
    pub record: FetchRecord,
    /// How its robots.txt differs from the one that the own name gets, for this crawler; `None` of the own name,
    /// and if one of the two did not come.
    pub compared: Option<Compared>,
    /// What its robots.txt says of the page.
    pub verdict: PageVerdict,
    /// What the server does with the request of the page.
    pub server: Server,
}

impl<'v> Row<'v> {
    /// Returns the row of an answer. `name` is `None` if it is that to the own name, which is `own`. `base` is what the
    /// own name got, and `page` the path that was requested.
    ///
    /// # Errors
    /// If the page is no path.
    pub fn of(
        [base, visited]: [&'v Visited; 2],
        (own, name): (&'v str, Option<&'v Name>),
        page: &str,
        dialect: &'static Dialect,
    ) -> Result<Self, Mistake> {
        let record = fetched::record(&visited.robots, dialect);
        Ok(Row {
            name,
            user_agent: name.map_or(own, |name| name.user_agent),
            visited,
            record,
            compared: name
                .filter(|_| came(&base.robots) && came(&visited.robots))
                .map(|name| Compared::of([base, visited], &name.agent.name, dialect)),
            verdict: verdict(visited, &record, (name, own), page, dialect)?,
            server: Server::of(&visited.page, name.map(|_| &base.page)),
        })
    }

    /// Reports whether robots.txt allows the page and the server turns the request down, or the other way round.
    #[must_use]
    pub fn is_at_odds(&self) -> bool {
        self.server.is_at_odds(self.verdict.is_allowed)
    }
}

/// Returns the URL that a page was answered from: the last that was requested.
#[must_use]
pub fn page_url(page: &FetchedPage) -> Option<&str> {
    page.hops.last().map(|hop| hop.url.as_str())
}

/// Reports whether an answer came, whatever its status. Else nobody knows what the file says: a crawler may fetch
/// nothing then, but the site did not say so.
const fn came(robots: &Fetched) -> bool {
    !matches!(robots.end, FetchEnd::Network(_) | FetchEnd::BodyBroken(_))
}

/// Returns what the robots.txt that a name gets says of a page.
fn verdict(
    visited: &Visited,
    record: &FetchRecord,
    (name, own): (Option<&Name>, &str),
    page: &str,
    dialect: &Dialect,
) -> Result<PageVerdict, Mistake> {
    let bad_page = |why: &dyn std::fmt::Display| Mistake::new("bad page", why);
    let path = UrlReader::new(dialect).path(page.as_bytes()).map_err(|why| bad_page(&why))?;
    let by_fetch = |is_allowed| Ok(PageVerdict { is_allowed, line: None, note: None });
    if !came(&visited.robots) {
        return by_fetch(None);
    }
    match record.effective(dialect, record.fetched_at).access {
        Access::Rules if record.outcome == Outcome::Rules => {}
        Access::AllowAll => return by_fetch(Some(true)),
        Access::DisallowAll => return by_fetch(Some(false)),
        Access::Rules | Access::Unknown => return by_fetch(None),
    }
    let robots = RobotsTxt::parse_with(&visited.robots.body, dialect);
    let (crawler, note) = match name {
        Some(name) => (name.agent.crawler.clone(), name.agent.note_for(&robots)),
        None => match Identity::Header(own.to_owned()).crawler(&robots) {
            Ok(crawler) => (crawler, None),
            // The names of this file are too many to search a header for: that is no mistake of the caller.
            Err(_) => return by_fetch(None),
        },
    };
    let decider = Decider::new(Cow::Owned(robots.rule_set(&crawler)));
    let rule = decider.rule(path.as_path()).map_err(|error| bad_page(&error))?;
    Ok(PageVerdict {
        is_allowed: Some(rule.is_none_or(|rule| rule.verdict.is_allow())),
        line: rule.and_then(|rule| check::deciding_line(rule.line)),
        note,
    })
}
