//! Who asks: from `--agent`, `--chain` and `--header` to a crawler.

use robotsc::user_agent::KnownAgents;
use robotsc::{Crawler, RobotsTxt};

use crate::args::AgentArgs;
use crate::failure::Failure;

/// Who asks, before the file is known.
#[derive(Debug)]
pub(crate) enum Asker {
    /// Named by its product tokens.
    Crawler(Crawler),
    /// Named by a whole `User-Agent` header, in which the tokens of the file are looked for.
    Header(String),
}

impl Asker {
    /// Who the arguments name, or `None` where they name nobody.
    pub(crate) fn of(args: &AgentArgs) -> Option<Self> {
        if let Some(header) = &args.header {
            return Some(Self::Header(header.clone()));
        }
        let tokens: Vec<Vec<u8>> = args.agents.iter().map(|agent| agent.clone().into_bytes()).collect();
        match (tokens.as_slice(), args.chain) {
            ([], _) => None,
            ([token], false) => Some(Self::Crawler(Crawler::Token(token.clone()))),
            (_, false) => Some(Self::Crawler(Crawler::Pool(tokens))),
            (_, true) => Some(Self::Crawler(Crawler::Chain(tokens))),
        }
    }

    /// What is said where the arguments name nobody and somebody must ask.
    pub(crate) fn missing() -> Failure {
        Failure::new("no agent: the command line: name the crawler with --agent TOKEN or --header UA")
    }

    /// The crawler, in a file. A header names all tokens of the file that stand in it; their groups are pooled.
    pub(crate) fn crawler(&self, robots: &RobotsTxt<'_>) -> Result<Crawler, Failure> {
        match self {
            Self::Crawler(crawler) => Ok(crawler.clone()),
            Self::Header(header) => {
                let known = KnownAgents::of(robots)
                    .map_err(|error| Failure::new(format_args!("cannot use --header: {error}")))?;
                Ok(Crawler::Pool(known.find(header.as_bytes()).map(<[u8]>::to_vec).collect()))
            }
        }
    }
}
