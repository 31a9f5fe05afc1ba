//! How a crawler identifies itself: by a product token, by several, or by a whole `User-Agent` header.

use robotsc::agent::KnownAgents;
use robotsc::{AgentName, Crawler, RobotsTxt};

use crate::mistake::Mistake;
use crate::shown;

/// How a crawler identifies itself, before the file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// By one product token.
    Token(String),
    /// By several product tokens in order: the first that a group names decides.
    Chain(Vec<String>),
    /// By several product tokens at once: it obeys the groups of all of them.
    Pool(Vec<String>),
    /// By a whole `User-Agent` header, which is searched for the tokens of the file.
    Header(String),
}

impl Identity {
    /// Returns the name that rows show.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Token(name) | Self::Header(name) => name.clone(),
            Self::Chain(tokens) | Self::Pool(tokens) => tokens.join(","),
        }
    }

    /// Returns the crawler for a file. A header stands for all tokens of the file that it contains, pooled.
    ///
    /// # Errors
    /// If a name is none, or the tokens of the file cannot be searched for.
    pub fn crawler(&self, robots: &RobotsTxt<'_>) -> Result<Crawler, Mistake> {
        for name in self.names() {
            agent_name(name)?;
        }
        let crawler = match self {
            Self::Token(name) if name == OTHERS => Ok(Crawler::others()),
            Self::Token(name) => Crawler::new(name),
            Self::Chain(names) => Crawler::chain(names),
            Self::Pool(names) => Crawler::pool(names),
            Self::Header(header) => {
                let known = KnownAgents::of(robots).map_err(|error| Mistake::new("cannot use --header", error))?;
                Ok(known.crawler(header.as_bytes()))
            }
        };
        crawler.map_err(|error| Mistake::new("bad agent", error))
    }

    /// Returns the names to check; a header and `*` are none.
    fn names(&self) -> &[String] {
        match self {
            Self::Token(name) if name == OTHERS => &[],
            Self::Token(name) => std::slice::from_ref(name),
            Self::Chain(names) | Self::Pool(names) => names,
            Self::Header(_) => &[],
        }
    }
}

/// The name that stands for the crawlers that no group names.
pub const OTHERS: &str = "*";

/// Checks the name of an agent.
///
/// # Errors
/// If it is no agent name, says what to write instead.
pub fn agent_name(name: &str) -> Result<AgentName<'_>, Mistake> {
    AgentName::new(name).map_err(|error| {
        let shown = shown::cut(name.as_bytes(), 120);
        let way_out = if name.contains(['/', ' ', '(', ';']) { " (--header)" } else { "" };
        Mistake::new("bad agent", format_args!("'{shown}': {error}{way_out}"))
    })
}
