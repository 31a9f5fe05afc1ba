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
    ///
    /// ```
    /// use robotsc_compiler::{Crawler, Dialect, GroupId, RobotsTxt, SelectionReason};
    ///
    /// let body = b"User-agent: *\nDisallow: /\n\nUser-agent: FooBot/2.1\nDisallow: /cart\n";
    /// let robots = RobotsTxt::parse(body, &Dialect::GOOGLE);
    /// let selection = robots.select(&Crawler::token("foobot"));
    /// assert_eq!(selection.groups, [GroupId(1)]);
    /// assert_eq!(selection.reason, SelectionReason::Named(vec![b"foobot".to_vec()]));
    /// assert_eq!(robots.select(&Crawler::token("BarBot")).reason, SelectionReason::Star);
    /// ```
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    /// Six groups, numbered from 0.
    const FILE: &[u8] = b"User-agent: FooBot\nDisallow: /0\n\
        User-agent: *\nDisallow: /1\n\
        User-agent: Foo\nUser-agent: BarBot/2.1\nDisallow: /2\n\
        User-agent: foobot\nUser-agent: *\n\
        Disallow: /3\n\
        User-agent: FooBot-Image\nDisallow:\n\
        User-agent: 3bot\nUser-agent: *x\nUser-agent:\nDisallow: /5\n";

    fn pool(tokens: &[&str]) -> Crawler {
        Crawler::Pool(tokens.iter().map(|token| token.as_bytes().to_vec()).collect())
    }

    fn chain(tokens: &[&str]) -> Crawler {
        Crawler::Chain(tokens.iter().map(|token| token.as_bytes().to_vec()).collect())
    }

    #[track_caller]
    fn check(dialect: &Dialect, crawler: &Crawler, groups: &[u32], named: &[&str]) {
        let selection = RobotsTxt::parse(FILE, dialect).select(crawler);
        let numbers: Vec<u32> = selection.groups.iter().map(|group| group.0).collect();
        assert_eq!(numbers, groups, "{} {crawler:?}", dialect.name);
        let reason = match named {
            [] => SelectionReason::Star,
            _ => SelectionReason::Named(named.iter().map(|token| token.as_bytes().to_vec()).collect()),
        };
        assert_eq!(selection.reason, reason, "{} {crawler:?}", dialect.name);
    }

    #[test]
    fn one_token() {
        for dialect in Dialect::ALL {
            check(dialect, &Crawler::token("FOOBOT"), &[0, 3], &["foobot"]);
            check(dialect, &Crawler::token("barbot"), &[2], &["barbot"]);
            check(dialect, &Crawler::token("foobot-image"), &[4], &["foobot-image"]);
            for nobody in ["", "*", "Fo", "x", "bot"] {
                check(dialect, &Crawler::token(nobody), &[1, 3], &[]);
            }
            let (groups, named): (&[u32], &[&str]) = match dialect.name {
                "google-2017" => (&[5], &["3bot"]),
                _ => (&[1, 3], &[]),
            };
            check(dialect, &Crawler::token("3bot"), groups, named);
        }
    }

    #[test]
    fn the_crawlers_token_is_never_cut_under_exact() {
        for nobody in ["FooBot/2.1", "FooBot Images", "FooBot-Images", "FooBotX"] {
            check(&Dialect::GOOGLE, &Crawler::token(nobody), &[1, 3], &[]);
            check(&Dialect::RFC9309, &Crawler::token(nobody), &[1, 3], &[]);
        }
    }

    #[test]
    fn the_longest_prefix_at_a_hyphen() {
        for dialect in [&Dialect::GOOGLE_2017, &Dialect::GOOGLE_2019] {
            check(dialect, &Crawler::token("FooBot-Images"), &[0, 3], &["foobot"]);
            check(dialect, &Crawler::token("FooBot-Image-x"), &[4], &["foobot-image"]);
            check(dialect, &Crawler::token("Foo-x"), &[2], &["foo"]);
            check(dialect, &Crawler::token("FooBotX"), &[1, 3], &[]);
        }
    }

    #[test]
    fn the_longest_prefix() {
        check(&Dialect::YANDEX, &Crawler::token("FooBots"), &[0, 3], &["foobot"]);
        check(&Dialect::YANDEX, &Crawler::token("FooBo"), &[2], &["foo"]);
        check(&Dialect::YANDEX, &Crawler::token("FooBot-Images"), &[4], &["foobot-image"]);
    }

    #[test]
    fn the_longest_wins_wherever_it_stands() {
        for body in [
            "User-agent: a\nDisallow: /\nUser-agent: a-b\nDisallow: /\n",
            "User-agent: a-b\nDisallow: /\nUser-agent: a\nDisallow: /\n",
        ] {
            for dialect in [&Dialect::GOOGLE_2017, &Dialect::YANDEX] {
                let reason = RobotsTxt::parse(body.as_bytes(), dialect).select(&Crawler::token("a-b-c")).reason;
                assert_eq!(reason, SelectionReason::Named(vec![b"a-b".to_vec()]), "{} {body}", dialect.name);
            }
        }
    }

    #[test]
    fn pools_and_chains() {
        let google = &Dialect::GOOGLE;
        check(google, &pool(&["FooBot", "BarBot"]), &[0, 2, 3], &["barbot", "foobot"]);
        check(google, &pool(&["FooBot", "FOOBOT", "NoBot"]), &[0, 3], &["foobot"]);
        check(google, &pool(&["NoBot", ""]), &[1, 3], &[]);
        check(google, &pool(&[]), &[1, 3], &[]);
        check(google, &chain(&["NoBot", "", "BarBot", "FooBot"]), &[2], &["barbot"]);
        check(google, &chain(&["NoBot"]), &[1, 3], &[]);
        check(google, &chain(&[]), &[1, 3], &[]);
        check(&Dialect::YANDEX, &pool(&["FooBots", "BarBots"]), &[0, 2, 3], &["barbot", "foobot"]);
        check(&Dialect::YANDEX, &chain(&["NoBot", "FooBots"]), &[0, 3], &["foobot"]);
    }

    #[test]
    fn a_named_group_without_rules_puts_the_star_out_of_force() {
        for body in
            ["User-agent: *\nDisallow: /\nUser-agent: a\nDisallow:\n", "User-agent: *\nDisallow: /\nUser-agent: a\n"]
        {
            for dialect in Dialect::ALL {
                let robots = RobotsTxt::parse(body.as_bytes(), dialect);
                let selection = robots.select(&Crawler::token("a"));
                assert_eq!(selection.groups, [GroupId(1)], "{} {body}", dialect.name);
                assert!(robots.rule_set_of(&selection).verdict(b"/x").is_allow());
            }
        }
    }

    #[test]
    fn no_group_at_all() {
        for body in ["", "Disallow: /\n", "User-agent: a\nDisallow: /\n"] {
            let selection = RobotsTxt::parse(body.as_bytes(), &Dialect::GOOGLE).select(&Crawler::token("b"));
            assert_eq!(selection, Selection { groups: Vec::new(), reason: SelectionReason::NoGroup });
        }
    }
}
