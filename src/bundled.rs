//! The rule sets and the register of known crawlers that ship with the library.
//!
//! The feature `bundled-rules` compiles them in; `rules/README.md` says what they hold and why.
//!
//! ```
//! use robotsc::bundled::{self, Purpose};
//!
//! let training = bundled::agents().iter().filter(|agent| agent.purposes.contains(&Purpose::AiTraining));
//! assert!(training.clone().any(|agent| agent.token == "GPTBot"));
//! // Searches the header of a request for them:
//! let known = robotsc::agent::HeaderNames::new(training.map(|agent| agent.token))?;
//! assert_eq!(known.find(b"Mozilla/5.0 (compatible; GPTBot/1.2)").next(), Some(&b"GPTBot"[..]));
//! # Ok::<(), robotsc::agent::HeaderNamesError>(())
//! ```

use std::cmp::Ordering;

pub use robotsc_compiler::register::{Obedience, Purpose, UnknownName};
use robotsc_runtime::embed::{Set, Sets};

use crate::{AgentError, AgentName, Crawler, RobotsTxt};

mod table {
    include!(concat!(env!("OUT_DIR"), "/agents.rs"));
}

mod compiled {
    include!(concat!(env!("OUT_DIR"), "/rule_sets.rs"));
}

/// Returns the rule sets, in the order of the files of `rules/`.
///
/// ```
/// let names: Vec<&str> = robotsc::bundled::rule_sets().iter().map(|set| set.name()).collect();
/// assert!(names.contains(&"crawl-traps") && names.contains(&"crawl-hygiene"));
/// ```
#[must_use]
pub fn rule_sets() -> Sets<'static> {
    compiled::SETS
}

/// Returns the rule set with a name.
///
/// ```
/// let hygiene = robotsc::bundled::rule_set("crawl-hygiene").unwrap();
/// let agent = robotsc::AgentName::new("FooBot")?;
/// let path = robotsc::url::url_path("https://shop.example/shop/cart?step=2", hygiene.path_form())?;
/// let answer = hygiene.verdict(agent, path.as_path())?;
/// assert_eq!(answer.rule.unwrap().name, Some("cart"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn rule_set(name: &str) -> Option<&'static Set<'static>> {
    rule_sets().by_name(name)
}

/// Returns the known crawlers, sorted by token without regard to case.
#[must_use]
pub fn agents() -> &'static [KnownAgent] {
    table::AGENTS
}

/// Returns the crawler with a token, without regard to case.
///
/// Cost: a binary search. Never panics.
///
/// ```
/// let image = robotsc::bundled::agent("googlebot-image").unwrap();
/// assert_eq!((image.operator, image.fallback), ("Google", &["Googlebot"][..]));
/// ```
#[must_use]
pub fn agent(token: &str) -> Option<&'static KnownAgent> {
    let found = agents().binary_search_by(|agent| compare(agent.token, token)).ok()?;
    agents().get(found)
}

/// Returns a crawler as its operator documents it: the register decides which groups it obeys besides those that name
/// it. A crawler that is not in the register has its name alone.
///
/// The command, the server, the language server and the Python package ask this way. [`Crawler::new`] knows no
/// register: use it if the operator's documentation does not matter, such as for your own crawler.
///
/// Cost: a binary search.
///
/// # Errors
/// [`AgentError`] if the name is empty or holds a character that no name holds, such as `/` or a blank.
///
/// ```
/// use robotsc::{RobotsTxt, bundled};
///
/// let robots = RobotsTxt::parse(b"User-agent: Googlebot\nDisallow: /images/\n\nUser-agent: *\nDisallow: /tmp/\n");
/// let image = bundled::crawler("Googlebot-Image")?;
/// assert_eq!(image.clause().unwrap(), "Googlebot-Image obeys the groups of Googlebot where none names it");
/// assert!(!robots.is_allowed(&image, "https://shop.example/images/1")?);
///
/// let ads = bundled::crawler("adsbot-google")?;
/// assert_eq!(ads.clause().unwrap(), "AdsBot-Google obeys only groups that name it");
/// assert!(robots.is_allowed(&ads, "https://shop.example/tmp/1")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn crawler(name: &str) -> Result<DocumentedCrawler, AgentError> {
    match agent(name) {
        Some(known) => Ok(DocumentedCrawler { crawler: known.crawler(), known: Some(known) }),
        None => Ok(DocumentedCrawler { crawler: Crawler::new(name)?, known: None }),
    }
}

/// A crawler as its operator documents it: see [`crawler`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentedCrawler {
    crawler: Crawler,
    known: Option<&'static KnownAgent>,
}

impl DocumentedCrawler {
    /// Returns the crawler for the selection of groups.
    #[must_use]
    pub const fn crawler(&self) -> &Crawler {
        &self.crawler
    }

    /// Returns its entry in the register; `None` if it has none.
    #[must_use]
    pub const fn known(&self) -> Option<&'static KnownAgent> {
        self.known
    }

    /// Returns what its operator documents besides obeying the groups that name it, in one clause. `None` if there is
    /// nothing, or the crawler is not in the register.
    #[must_use]
    pub fn clause(&self) -> Option<String> {
        self.known?.clause()
    }

    /// Returns the [clause](Self::clause) if it bears on the answers of a file: if the crawler obeys other groups there
    /// than its name alone would, or if robots.txt does not govern it.
    ///
    /// Cost: as [`RobotsTxt::select`], twice.
    ///
    /// ```
    /// use robotsc::{RobotsTxt, bundled};
    ///
    /// let image = bundled::crawler("Googlebot-Image")?;
    /// let named = RobotsTxt::parse(b"User-agent: Googlebot-Image\nDisallow: /\n");
    /// assert_eq!(image.clause_for(&named), None);
    /// let fallback = RobotsTxt::parse(b"User-agent: Googlebot\nDisallow: /\n");
    /// assert!(image.clause_for(&fallback).is_some());
    /// # Ok::<(), robotsc::AgentError>(())
    /// ```
    #[must_use]
    pub fn clause_for(&self, robots: &RobotsTxt<'_>) -> Option<String> {
        let known = self.known?;
        let differs = || {
            let alone = AgentName::new(known.token).ok().map(|name| robots.select(&Crawler::from(name)).groups);
            alone.is_none_or(|groups| groups != robots.select(&self.crawler).groups)
        };
        let bears = known.is_beyond_robots_txt() || known.control || known.retired || differs();
        if bears { known.clause() } else { None }
    }
}

impl From<DocumentedCrawler> for Crawler {
    fn from(documented: DocumentedCrawler) -> Self {
        documented.crawler
    }
}

impl From<&DocumentedCrawler> for Crawler {
    fn from(documented: &DocumentedCrawler) -> Self {
        documented.crawler.clone()
    }
}

fn compare(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.bytes(), other.bytes());
    one.map(|byte| byte.to_ascii_lowercase()).cmp(other.map(|byte| byte.to_ascii_lowercase()))
}

/// A known crawler: facts that its operator states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownAgent {
    /// Its product token, as its operator writes it. Some hold digits or dots, which RFC 9309 does not allow in a
    /// token: see [`AgentName`].
    pub token: &'static str,
    /// Who runs it.
    pub operator: &'static str,
    /// What for, the main purpose first; never empty.
    pub purposes: &'static [Purpose],
    /// The tokens whose groups it obeys if no group names it, in order.
    pub fallback: &'static [&'static str],
    /// What its operator says it does with robots.txt.
    pub robots: Obedience,
    /// Whether the token only controls the use of what another crawler fetched: nothing is fetched under this name.
    pub control: bool,
    /// Whether no crawler has this name any more. Files still name it.
    pub retired: bool,
    /// The tokens of the crawlers that took its place; empty unless it is retired.
    pub successors: &'static [&'static str],
    /// The page that states this.
    pub source: &'static str,
    /// The day on which that page, or a report of it, was last read: `2026-11-21`.
    pub checked: &'static str,
    /// A page on which others say that it does not obey robots.txt, if it is [`Obedience::Disobeyed`].
    pub report: Option<&'static str>,
    /// A `User-Agent` header that it sends, as its operator documents it, or as others saw it; `None` if none is on
    /// record. It contains the token; versions in it change.
    pub user_agent: Option<&'static str>,
    /// The page that states `user_agent`, if that is not `source`.
    pub user_agent_source: Option<&'static str>,
    /// What else is worth knowing.
    pub note: Option<&'static str>,
}

impl KnownAgent {
    /// Returns the crawler for the selection of groups: its token, then those it falls back on, then `*`. A crawler
    /// that [obeys by name](Obedience::ObeyedByName) ignores the groups for `*`.
    ///
    /// ```
    /// use robotsc::{RobotsTxt, bundled};
    ///
    /// let body = b"User-agent: Googlebot\nDisallow: /cart\n\nUser-agent: *\nDisallow: /\n";
    /// let robots = RobotsTxt::parse(body);
    /// let image = bundled::agent("Googlebot-Image").unwrap();
    /// assert!(robots.is_allowed(&image.crawler(), "https://shop.example/logo.png")?);
    /// let ads = bundled::agent("AdsBot-Google").unwrap();
    /// assert!(robots.is_allowed(&ads.crawler(), "https://shop.example/cart")?);
    /// # Ok::<(), robotsc::QueryError>(())
    /// ```
    #[must_use]
    pub fn crawler(&self) -> Crawler {
        let mut names = std::iter::once(&self.token).chain(self.fallback).filter_map(|name| AgentName::new(name).ok());
        let crawler = match (names.next(), self.fallback) {
            (Some(name), []) => Crawler::from(name),
            (name, _) => Crawler::chain_of(name.into_iter().chain(names)),
        };
        if self.robots == Obedience::ObeyedByName { crawler.named_only() } else { crawler }
    }

    /// Reports whether robots.txt does not govern the crawler: its operator says that it ignores the file or can, or
    /// others say that it does not obey it.
    #[must_use]
    pub const fn is_beyond_robots_txt(&self) -> bool {
        matches!(self.robots, Obedience::Ignored | Obedience::MayBeIgnored | Obedience::Disobeyed)
    }

    /// Returns in one clause what is different about the crawler: nobody has the name any more, it fetches nothing,
    /// robots.txt does not govern it, `*` does not count for it, or it has a fallback. `None` if it obeys the groups
    /// that name it, else those for `*`, as RFC 9309 says.
    #[must_use]
    pub fn clause(&self) -> Option<String> {
        let token = self.token;
        let by_person =
            if self.purposes.contains(&Purpose::UserTriggered) { ", whose requests people trigger" } else { "" };
        Some(match self.robots {
            _ if self.retired => match self.successors {
                [] => format!("no crawler is called {token} any more"),
                successors => format!("no crawler is called {token} any more: {} took its place", and_list(successors)),
            },
            _ if self.control => {
                format!("{token} fetches nothing: it controls the use of what another crawler fetched")
            }
            Obedience::ObeyedByName => format!("{token} obeys only groups that name it"),
            Obedience::Ignored => {
                format!("robots.txt does not govern {token}{by_person}: its operator says that it ignores the file")
            }
            Obedience::MayBeIgnored => {
                format!("robots.txt does not govern {token}{by_person}: its operator says that it can ignore the file")
            }
            Obedience::Disobeyed => {
                format!("robots.txt does not govern {token}{by_person}: others say that it does not obey the file")
            }
            _ if !self.fallback.is_empty() => {
                format!("{token} obeys the groups of {} where none names it", self.fallback.join(", else of "))
            }
            _ => return None,
        })
    }
}

/// Returns names as a list: `A and B`.
fn and_list(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_is_found_by_its_token_in_any_case() {
        for known in agents() {
            assert_eq!(agent(known.token), Some(known));
            assert_eq!(agent(&known.token.to_uppercase()), Some(known));
            assert_eq!(agent(&known.token.to_lowercase()), Some(known));
        }
        assert_eq!(agent(""), None);
        assert_eq!(agent("FooBot"), None);
    }
}
