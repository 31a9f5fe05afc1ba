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
//! let known = robotsc::agent::KnownAgents::new(training.map(|agent| agent.token))?;
//! assert_eq!(known.find(b"Mozilla/5.0 (compatible; GPTBot/1.2)").next(), Some(&b"GPTBot"[..]));
//! # Ok::<(), robotsc::agent::KnownAgentsError>(())
//! ```

use std::cmp::Ordering;

pub use robotsc_compiler::register::{Obedience, Purpose, UnknownName};
use robotsc_runtime::embed::{Set, Sets};

use crate::{AgentName, Crawler};

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
    /// What else is worth knowing.
    pub note: Option<&'static str>,
}

impl KnownAgent {
    /// Returns the crawler for the selection of groups: its token, then those it falls back on, then `*`.
    ///
    /// A crawler that [obeys by name](Obedience::ObeyedByName) ignores the groups for `*`; the
    /// [reason](crate::agent::SelectionReason::Star) of a selection says whether it used those.
    ///
    /// ```
    /// use robotsc::{RobotsTxt, bundled};
    ///
    /// let body = b"User-agent: Googlebot\nDisallow: /cart\n\nUser-agent: *\nDisallow: /\n";
    /// let robots = RobotsTxt::parse(body);
    /// let image = bundled::agent("Googlebot-Image").unwrap();
    /// assert!(robots.is_allowed(&image.crawler(), "https://shop.example/logo.png")?);
    /// # Ok::<(), robotsc::QueryError>(())
    /// ```
    #[must_use]
    pub fn crawler(&self) -> Crawler {
        let names = std::iter::once(&self.token).chain(self.fallback);
        let names = names.filter_map(|name| AgentName::new(name).ok());
        Crawler::chain_of(names)
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
