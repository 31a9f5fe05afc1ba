//! The crawlers that a command line names by `--agent`, `--chain`, `--pool` and `--header`.

use robotsc::user_agent::KnownAgents;
use robotsc::{AgentName, Crawler, RobotsTxt};

use crate::args::AgentArgs;
use crate::failure::Failure;

/// How a crawler identifies itself, before the file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
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
    /// Returns the crawlers that the arguments name: one for each `--agent`, unless they are chained or pooled.
    pub(crate) fn all(args: &AgentArgs) -> Vec<Self> {
        let tokens = args.agents.clone();
        match &args.header {
            Some(header) => vec![Self::Header(header.clone())],
            None if tokens.len() > 1 && args.chain => vec![Self::Chain(tokens)],
            None if tokens.len() > 1 && args.pool => vec![Self::Pool(tokens)],
            None => tokens.into_iter().map(Self::Token).collect(),
        }
    }

    /// Returns the crawlers that the arguments name.
    ///
    /// # Errors
    /// If they name none.
    pub(crate) fn required(args: &AgentArgs) -> Result<Vec<Self>, Failure> {
        let all = Self::all(args);
        if all.is_empty() { Err(Self::missing()) } else { Ok(all) }
    }

    /// Returns the error for a command line without a crawler where one is needed.
    pub(crate) fn missing() -> Failure {
        Failure::new("no agent: the command line: name the crawler with --agent TOKEN or --header UA")
    }

    /// Returns the name that rows show.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Token(name) | Self::Header(name) => name.clone(),
            Self::Chain(tokens) | Self::Pool(tokens) => tokens.join(","),
        }
    }

    /// Returns the crawler for a file. A header stands for all tokens of the file that it contains, pooled.
    ///
    /// # Errors
    /// If the tokens of the file cannot be searched for.
    pub(crate) fn crawler(&self, robots: &RobotsTxt<'_>) -> Result<Crawler, Failure> {
        for name in self.names() {
            agent_name(name)?;
        }
        let crawler = match self {
            Self::Token(name) if name == OTHERS => Ok(Crawler::others()),
            Self::Token(name) => Crawler::new(name),
            Self::Chain(names) => Crawler::chain(names),
            Self::Pool(names) => Crawler::pool(names),
            Self::Header(header) => {
                let known = KnownAgents::of(robots)
                    .map_err(|error| Failure::new(format_args!("cannot use --header: {error}")))?;
                known.crawler(header.as_bytes())
            }
        };
        crawler.map_err(|error| Failure::new(format_args!("bad agent: {error}")))
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
pub(crate) const OTHERS: &str = "*";

/// Checks the name of an agent.
///
/// # Errors
/// If it is no agent name, says what to write instead.
pub(crate) fn agent_name(name: &str) -> Result<AgentName<'_>, Failure> {
    AgentName::new(name).map_err(|error| {
        let shown = crate::shown::cut(name.as_bytes(), 120);
        let way_out = if name.contains(['/', ' ', '(', ';']) { " (--header)" } else { "" };
        Failure::new(format_args!("bad agent: '{shown}': {error}{way_out}"))
    })
}
