//! Which groups of a file a crawler obeys.
//!
//! The groups that name the crawler are taken all together, and a named group, even one without rules, puts those for `*` out of force
//! (RFC 9309 section 2.2.1; robots.cc's `ever_seen_specific_agent_`). What "names" means is the dialect's [`AgentMatch`].

use crate::dialect::AgentMatch;
use crate::robots_txt::{AgentLine, Group, GroupId, RobotsTxt};

/// Who asks: the product tokens of a crawler.
///
/// An empty token names nobody, and neither does `*`: such a crawler obeys the groups for `*`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Crawler {
    /// One product token, such as `FooBot`. It is compared as given, without regard to case, and never cut: `FooBot/2.1` equals no token.
    Token(Vec<u8>),
    /// Several tokens whose groups are pooled, as google/robotstxt takes a list.
    Pool(Vec<Vec<u8>>),
    /// Tokens in order: the first that the file has a group for decides; `*` stands behind the last.
    Chain(Vec<Vec<u8>>),
}

impl Crawler {
    /// A crawler with one product token.
    pub fn token(token: impl Into<Vec<u8>>) -> Self {
        Self::Token(token.into())
    }
}

/// Why a selection holds the groups that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectionReason {
    /// Groups name one of the crawler's tokens, or the token of the file that the dialect takes for it: the file's tokens that were matched, lower case,
    /// sorted, each once.
    Named(Vec<Vec<u8>>),
    /// No group names the crawler, groups for `*` are used.
    Star,
    /// No group names the crawler and none names `*`: everything is allowed.
    NoGroup,
}

/// The groups that a crawler obeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The groups, in file order; their rules are pooled.
    pub groups: Vec<GroupId>,
    /// Why these.
    pub reason: SelectionReason,
}

impl RobotsTxt<'_> {
    /// The groups that `crawler` obeys in this file.
    ///
    /// Cost: the crawler's tokens × the file's `User-agent` lines. Never panics.
    #[must_use]
    pub fn select(&self, crawler: &Crawler) -> Selection {
        match crawler {
            Crawler::Token(token) => match self.file_token_for(token) {
                Some(named) => self.groups_naming(&[named]),
                None => self.groups_for_star(),
            },
            Crawler::Chain(tokens) => match tokens.iter().find_map(|token| self.file_token_for(token)) {
                Some(named) => self.groups_naming(&[named]),
                None => self.groups_for_star(),
            },
            Crawler::Pool(tokens) => {
                let named: Vec<&[u8]> = tokens.iter().filter_map(|token| self.file_token_for(token)).collect();
                if named.is_empty() { self.groups_for_star() } else { self.groups_naming(&named) }
            }
        }
    }

    /// The longest token of the file that the dialect takes for the crawler's `token`: a prefix of it, in the crawler's spelling.
    fn file_token_for<'t>(&self, token: &'t [u8]) -> Option<&'t [u8]> {
        let mut longest = 0;
        for agent in &self.agents {
            let len = agent.token.len();
            // The length alone refuses nearly every agent of a long file.
            let fits = match self.dialect.agent_match {
                AgentMatch::Exact => len == token.len(),
                AgentMatch::LongestPrefixAtHyphen => {
                    len == token.len() || (len < token.len() && token.get(len) == Some(&b'-'))
                }
                AgentMatch::LongestPrefix => len <= token.len(),
            };
            if fits && len > longest && agent.token.of(&self.body).eq_ignore_ascii_case(&token[..len]) {
                longest = len;
                if len == token.len() {
                    break;
                }
            }
        }
        (longest > 0).then(|| &token[..longest])
    }

    /// The groups that hold one of `names`, which are tokens of the file.
    fn groups_naming(&self, names: &[&[u8]]) -> Selection {
        let groups = self.groups_where(|agent| {
            names
                .iter()
                .any(|name| agent.token.len() == name.len() && agent.token.of(&self.body).eq_ignore_ascii_case(name))
        });
        let mut tokens: Vec<Vec<u8>> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        tokens.sort_unstable();
        tokens.dedup();
        Selection { groups, reason: SelectionReason::Named(tokens) }
    }

    fn groups_for_star(&self) -> Selection {
        let groups = self.groups_where(|agent| agent.is_star);
        let reason = if groups.is_empty() { SelectionReason::NoGroup } else { SelectionReason::Star };
        Selection { groups, reason }
    }

    fn groups_where(&self, holds: impl Fn(&AgentLine) -> bool) -> Vec<GroupId> {
        let obeyed = |group: &Group| {
            let agents = group.agents.start as usize..group.agents.end as usize;
            self.agents.get(agents).unwrap_or_default().iter().any(&holds)
        };
        (0..).zip(&self.groups).filter(|(_, group)| obeyed(group)).map(|(number, _)| GroupId(number)).collect()
    }
}
