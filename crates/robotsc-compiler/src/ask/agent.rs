//! Which groups of a file a crawler obeys.
//!
//! ```text
//! User-agent: *          groups[0]
//! Disallow: /
//!
//! User-agent: FooBot     groups[1]: FooBot obeys this one, and not the first
//! Disallow: /cart
//! ```
//!
//! The groups that name the crawler are merged, and a named group, even one without rules, overrides those for `*`
//! (RFC 9309 section 2.2.1; robots.cc's `ever_seen_specific_agent_`). How a crawler's name finds the names of a file is
//! the dialect's [`AgentMatch`](robotsc_runtime::AgentMatch), as in a compiled policy.

use std::convert::Infallible;
use std::fmt;

use robotsc_runtime::{AgentError, AgentName, is_token_byte, look_up};

use crate::parse::agent_value::written;
use crate::robots_txt::{AgentLine, Group, GroupId, RobotsTxt};
use crate::small_sort::SmallSort as _;

/// A crawler, by its checked names.
///
/// The names alone: what an operator documents of a known crawler, such as that Googlebot-Image obeys the groups of
/// Googlebot, is stated with [`chain`](Self::chain) and [`named_only`](Self::named_only).
///
/// ```
/// use robotsc::Crawler;
///
/// let image_bot = Crawler::chain(["FooBot-Image", "FooBot"])?;
/// assert_eq!(image_bot.to_string(), "FooBot-Image, else FooBot");
/// assert!(Crawler::new("FooBot/2.1").is_err());
/// # Ok::<(), robotsc::AgentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Crawler {
    kind: CrawlerKind,
    names: Vec<Vec<u8>>,
    /// Names are compared as they are, as robots.cc takes them.
    is_raw: bool,
    /// Groups for `*` do not count.
    is_named_only: bool,
}

/// How the names of a [`Crawler`] choose groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CrawlerKind {
    /// One name, such as `FooBot`.
    Named,
    /// Several names whose groups are merged, as google/robotstxt takes a list.
    Pool,
    /// Names in order: the first that the file has a group for decides. `*` comes last.
    Chain,
    /// No name: the groups for `*`.
    Others,
}

impl Crawler {
    /// Returns a crawler with one name.
    ///
    /// # Errors
    /// [`AgentError`] if the name is empty, holds a character that no name holds, such as `/` or a blank, or ends in a
    /// version: see [`AgentName::new`].
    pub fn new(name: impl AsRef<[u8]>) -> Result<Self, AgentError> {
        Self::of_names(CrawlerKind::Named, [name])
    }

    /// Returns a crawler with several names whose groups are merged.
    ///
    /// # Errors
    /// As [`Crawler::new`]; and if there is no name, since a list that was lost would obey the rules of all others. The
    /// crawler without a name is [`Crawler::others`].
    pub fn pool<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>) -> Result<Self, AgentError> {
        Self::of_names(CrawlerKind::Pool, names)
    }

    /// Returns a crawler with names in order, of which the first that the file has a group for decides.
    ///
    /// # Errors
    /// As [`Crawler::pool`].
    pub fn chain<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>) -> Result<Self, AgentError> {
        Self::of_names(CrawlerKind::Chain, names)
    }

    /// Returns a crawler with checked names in order: see [`Crawler::chain`]. Without a name it is
    /// [`Crawler::others`].
    pub fn chain_of<'n>(names: impl IntoIterator<Item = AgentName<'n>>) -> Self {
        let names: Vec<_> = names.into_iter().map(|name| name.as_bytes().to_vec()).collect();
        let kind = if names.is_empty() { CrawlerKind::Others } else { CrawlerKind::Chain };
        Self { kind, names, is_raw: false, is_named_only: false }
    }

    /// Returns a crawler with checked names whose groups are merged: see [`Crawler::pool`]. Without a name it is
    /// [`Crawler::others`].
    #[must_use]
    pub fn pool_of<'n>(names: impl IntoIterator<Item = AgentName<'n>>) -> Self {
        let chain = Self::chain_of(names);
        if chain.names.is_empty() { chain } else { Self { kind: CrawlerKind::Pool, ..chain } }
    }

    /// Returns a crawler that no file names: it obeys the groups for `*`.
    #[must_use]
    pub const fn others() -> Self {
        Self { kind: CrawlerKind::Others, names: Vec::new(), is_raw: false, is_named_only: false }
    }

    /// Returns a pool of names as they are, which robots.cc compares with product tokens, unchecked. For conformance
    /// with recorded answers only.
    #[doc(hidden)]
    #[must_use]
    pub fn raw(names: Vec<Vec<u8>>) -> Self {
        Self { kind: CrawlerKind::Pool, names, is_raw: true, is_named_only: false }
    }

    fn of_names<N: AsRef<[u8]>>(kind: CrawlerKind, names: impl IntoIterator<Item = N>) -> Result<Self, AgentError> {
        let mut checked = Vec::new();
        for name in names {
            let name = name.as_ref();
            AgentName::from_bytes(name)?;
            checked.push(name.to_vec());
        }
        if checked.is_empty() {
            AgentName::of_group(b"")?;
        }
        Ok(Self { kind, names: checked, is_raw: false, is_named_only: false })
    }

    /// Returns the crawler as one that obeys only groups that name it. Groups for `*` do not count, so a file in which
    /// no group names the crawler allows everything.
    ///
    /// Use this only if the crawler's operator documents it, as Google does for AdsBot-Google and Mediapartners-Google.
    /// RFC 9309 has every other crawler obey the groups for `*` if none names it. A crawler
    /// [without a name](Self::others) is returned as it is: it has no other groups than those.
    ///
    /// ```
    /// use robotsc::{Crawler, RobotsTxt};
    ///
    /// let ads = Crawler::new("AdsBot-Google")?.named_only();
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
    /// assert!(robots.is_allowed(&ads, "https://shop.example/cart")?);
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: AdsBot-Google\nDisallow: /cart\n");
    /// assert!(!robots.is_allowed(&ads, "https://shop.example/cart")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn named_only(self) -> Self {
        let is_named_only = self.kind != CrawlerKind::Others;
        Self { is_named_only, ..self }
    }

    /// Reports whether the crawler obeys only groups that name it: see [`Crawler::named_only`].
    #[must_use]
    pub const fn is_named_only(&self) -> bool {
        self.is_named_only
    }

    /// Returns how the names choose groups.
    #[must_use]
    pub const fn kind(&self) -> CrawlerKind {
        self.kind
    }

    /// Returns the names, in the order in which they were given.
    pub fn names(&self) -> impl ExactSizeIterator<Item = AgentName<'_>> {
        // They were checked when the crawler was made; those of a raw pool are taken as tokens.
        self.names.iter().map(|name| match AgentName::of_group(name) {
            Ok(name) if !self.is_raw => name,
            _ => AgentName::assume_token(name),
        })
    }
}

impl fmt::Display for Crawler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.kind == CrawlerKind::Pool { " and " } else { ", else " };
        if self.kind == CrawlerKind::Others {
            return f.write_str("any other agent");
        }
        for (number, name) in self.names().enumerate() {
            write!(f, "{}{name}", if number == 0 { "" } else { between })?;
        }
        Ok(())
    }
}

impl TryFrom<&str> for Crawler {
    type Error = AgentError;

    fn try_from(name: &str) -> Result<Self, AgentError> {
        Self::new(name)
    }
}

impl TryFrom<&String> for Crawler {
    type Error = AgentError;

    fn try_from(name: &String) -> Result<Self, AgentError> {
        Self::new(name)
    }
}

impl From<AgentName<'_>> for Crawler {
    fn from(name: AgentName<'_>) -> Self {
        Self { kind: CrawlerKind::Named, names: vec![name.as_bytes().to_vec()], is_raw: false, is_named_only: false }
    }
}

impl From<&Self> for Crawler {
    fn from(crawler: &Self) -> Self {
        crawler.clone()
    }
}

/// What can be asked for as a crawler: a name (`"FooBot"`), which is checked, or a [`Crawler`].
pub trait IntoCrawler {
    /// Returns the crawler.
    ///
    /// # Errors
    /// [`AgentError`] if a name is no agent name.
    fn into_crawler(self) -> Result<Crawler, AgentError>;
}

impl<C> IntoCrawler for C
where
    C: TryInto<Crawler>,
    C::Error: IntoAgentError,
{
    fn into_crawler(self) -> Result<Crawler, AgentError> {
        self.try_into().map_err(IntoAgentError::into_agent_error)
    }
}

/// The errors of conversions into a [`Crawler`].
#[doc(hidden)]
pub trait IntoAgentError {
    /// Returns the error as one about a name.
    fn into_agent_error(self) -> AgentError;
}

impl IntoAgentError for AgentError {
    fn into_agent_error(self) -> AgentError {
        self
    }
}

impl IntoAgentError for Infallible {
    fn into_agent_error(self) -> AgentError {
        match self {}
    }
}

/// Why a selection holds the groups that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectionReason {
    /// Groups name the crawler. Holds the names of the file that were found, lower case, sorted, each once.
    Named(Vec<Vec<u8>>),
    /// No group names the crawler, the groups for `*` are effective.
    Star,
    /// No group names the crawler and none names `*`: everything is allowed.
    NoGroup,
    /// No group names the crawler, and those for `*` do not count, since it obeys [only groups that name
    /// it](Crawler::named_only): everything is allowed.
    StarIgnored,
}

/// The groups that a crawler obeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The groups, in file order; their rules are merged.
    pub groups: Vec<GroupId>,
    /// Why these.
    pub reason: SelectionReason,
}

/// A name that a file has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct FoundName<'n> {
    name: &'n [u8],
    is_written: bool,
}

impl RobotsTxt<'_> {
    /// Returns the groups that `crawler` obeys in this file.
    ///
    /// Cost: the crawler's names × the file's `User-agent` lines; under matches by prefix, × the prefixes. Never
    /// panics.
    ///
    /// ```
    /// use robotsc::agent::SelectionReason;
    /// use robotsc::robots_txt::GroupId;
    /// use robotsc::{Crawler, RobotsTxt};
    ///
    /// let body = b"User-agent: *\nDisallow: /\n\nUser-agent: FooBot/2.1\nDisallow: /cart\n";
    /// let robots = RobotsTxt::parse(body);
    /// let selection = robots.select(&Crawler::new("foobot")?);
    /// assert_eq!(selection.groups, [GroupId(1)]);
    /// assert_eq!(selection.reason, SelectionReason::Named(vec![b"foobot".to_vec()]));
    /// assert_eq!(robots.select(&Crawler::new("BarBot")?).reason, SelectionReason::Star);
    /// # Ok::<(), robotsc::AgentError>(())
    /// ```
    #[must_use]
    pub fn select(&self, crawler: &Crawler) -> Selection {
        let mut found = crawler.names().filter_map(|name| self.find_name(name));
        let names: Vec<FoundName<'_>> = match crawler.kind {
            CrawlerKind::Named | CrawlerKind::Chain => found.next().into_iter().collect(),
            CrawlerKind::Pool => found.collect(),
            CrawlerKind::Others => Vec::new(),
        };
        if !names.is_empty() {
            return self.groups_naming(&names);
        }
        match self.groups_for_star() {
            Selection { reason: SelectionReason::Star, .. } if crawler.is_named_only => {
                Selection { groups: Vec::new(), reason: SelectionReason::StarIgnored }
            }
            selection => selection,
        }
    }

    /// Returns the longest name of the file that the dialect takes for `name`, in the crawler's spelling.
    fn find_name<'n>(&self, name: AgentName<'n>) -> Option<FoundName<'n>> {
        let is_written = !name.is_product_token();
        let length = look_up(name, self.dialect.agent_match, |key| {
            let names_it = |agent: &AgentLine| agent.is_named(key.name(), is_written, &self.body);
            self.agents.iter().any(names_it).then_some(key.name().len())
        })?;
        Some(FoundName { name: name.as_bytes().get(..length)?, is_written })
    }

    /// Returns the groups that have one of `names`.
    fn groups_naming(&self, names: &[FoundName<'_>]) -> Selection {
        let groups = self
            .groups_where(|agent| names.iter().any(|found| agent.is_named(found.name, found.is_written, &self.body)));
        let mut names: Vec<Vec<u8>> = names.iter().map(|found| found.name.to_ascii_lowercase()).collect();
        names.small_sort_unstable();
        names.dedup();
        Selection { groups, reason: SelectionReason::Named(names) }
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

impl AgentLine {
    /// Reports whether the line has a name: as its product token, or as written.
    #[inline]
    fn is_named(&self, name: &[u8], is_written: bool, body: &[u8]) -> bool {
        // The length alone refuses nearly every line of a long file.
        let is_token =
            self.token.len() == name.len() && !name.is_empty() && self.token.of(body).eq_ignore_ascii_case(name);
        if !is_written {
            return is_token;
        }
        // The token of some dialects is no product token of RFC 9309: a name beyond that can be one.
        let is_beyond = || !name.iter().all(|byte| is_token_byte(*byte));
        (is_token && is_beyond()) || (!self.is_star && self.written(body).eq_ignore_ascii_case(name))
    }

    /// Returns the value as written, up to a `/` or the first blank: what names beyond RFC 9309 are compared with.
    #[must_use]
    pub fn written<'b>(&self, body: &'b [u8]) -> &'b [u8] {
        written(self.value.of(body))
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{AgentMatch, Dialect};

    /// Six groups, numbered from 0.
    const FILE: &[u8] = b"User-agent: FooBot\nDisallow: /0\n\
        User-agent: *\nDisallow: /1\n\
        User-agent: Foo\nUser-agent: BarBot/2.1\nDisallow: /2\n\
        User-agent: foobot\nUser-agent: *\n\
        Disallow: /3\n\
        User-agent: FooBot-Image\nDisallow:\n\
        User-agent: 3bot\nUser-agent: *x\nUser-agent:\nDisallow: /5\n";

    fn one(name: &str) -> Crawler {
        Crawler::new(name).unwrap()
    }

    fn pool(tokens: &[&str]) -> Crawler {
        Crawler::raw(tokens.iter().map(|token| token.as_bytes().to_vec()).collect())
    }

    fn chain(tokens: &[&str]) -> Crawler {
        Crawler::chain(tokens).unwrap()
    }

    #[track_caller]
    fn check(dialect: &Dialect, crawler: &Crawler, groups: &[u32], named: &[&str]) {
        let selection = RobotsTxt::parse_with(FILE, dialect).select(crawler);
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
            check(dialect, &one("FOOBOT"), &[0, 3], &["foobot"]);
            check(dialect, &one("barbot"), &[2], &["barbot"]);
            check(dialect, &one("foobot-image"), &[4], &["foobot-image"]);
            for nobody in ["Fo", "x", "bot"] {
                check(dialect, &one(nobody), &[1, 3], &[]);
            }
            check(dialect, &one("3bot"), &[5], &["3bot"]);
            for raw in ["", "*", "FooBot ", "FooBot,BarBot"] {
                check(
                    dialect,
                    &pool(&[raw]),
                    if dialect.agent_match == AgentMatch::LongestPrefix && raw.len() > 1 { &[0, 3] } else { &[1, 3] },
                    if dialect.agent_match == AgentMatch::LongestPrefix && raw.len() > 1 { &["foobot"] } else { &[] },
                );
            }
            check(dialect, &Crawler::others(), &[1, 3], &[]);
        }
    }

    #[test]
    fn the_crawlers_token_is_never_cut_under_exact() {
        for nobody in ["FooBot/2.1", "FooBot Images", "FooBot-Images", "FooBotX"] {
            check(&Dialect::GOOGLE, &pool(&[nobody]), &[1, 3], &[]);
            check(&Dialect::RFC9309, &pool(&[nobody]), &[1, 3], &[]);
        }
    }

    #[test]
    fn names_beyond_the_standard_match_values_as_written() {
        let body = b"User-agent: MJ\nDisallow: /0\nUser-agent: MJ12bot/v1.4\nDisallow: /1\n\
            User-agent: archive.org_bot  # x\nDisallow: /2\nUser-agent: *\nDisallow: /3\n\
            User-agent: AI2Bot and others\nUser-agent: b\xC3\xB6t\nDisallow: /4\n";
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(body, dialect);
            for (name, group) in [("mj12BOT", 1), ("Archive.Org_Bot", 2), ("AI2Bot", 4), ("b\u{f6}t", 4), ("Foo3", 3)] {
                assert_eq!(robots.select(&one(name)).groups, [GroupId(group)], "{} {name}", dialect.name);
            }
        }
        // A product token is compared with product tokens: nothing changes for it.
        let groups = RobotsTxt::parse(body).select(&one("MJ")).groups;
        assert_eq!(groups, [GroupId(0), GroupId(1)]);
    }

    #[test]
    fn the_longest_prefix_at_a_hyphen() {
        for dialect in [&Dialect::GOOGLE_2017, &Dialect::GOOGLE_2019] {
            check(dialect, &one("FooBot-Images"), &[0, 3], &["foobot"]);
            check(dialect, &one("FooBot-Image-x"), &[4], &["foobot-image"]);
            check(dialect, &one("Foo-x"), &[2], &["foo"]);
            check(dialect, &one("FooBotX"), &[1, 3], &[]);
        }
    }

    #[test]
    fn the_longest_prefix() {
        check(&Dialect::YANDEX, &one("FooBots"), &[0, 3], &["foobot"]);
        check(&Dialect::YANDEX, &one("FooBo"), &[2], &["foo"]);
        check(&Dialect::YANDEX, &one("FooBot-Images"), &[4], &["foobot-image"]);
    }

    #[test]
    fn the_longest_wins_wherever_it_stands() {
        for body in [
            "User-agent: a\nDisallow: /\nUser-agent: a-b\nDisallow: /\n",
            "User-agent: a-b\nDisallow: /\nUser-agent: a\nDisallow: /\n",
        ] {
            for dialect in [&Dialect::GOOGLE_2017, &Dialect::YANDEX] {
                let reason = RobotsTxt::parse_with(body.as_bytes(), dialect).select(&one("a-b-c")).reason;
                assert_eq!(reason, SelectionReason::Named(vec![b"a-b".to_vec()]), "{} {body}", dialect.name);
            }
        }
    }

    #[test]
    fn pools_and_chains() {
        let google = &Dialect::GOOGLE;
        check(google, &pool(&["FooBot", "BarBot"]), &[0, 2, 3], &["barbot", "foobot"]);
        check(google, &pool(&["FooBot", "FOOBOT", "NoBot"]), &[0, 3], &["foobot"]);
        check(google, &pool(&["NoBot"]), &[1, 3], &[]);
        check(google, &pool(&[]), &[1, 3], &[]);
        check(google, &chain(&["NoBot", "BarBot", "FooBot"]), &[2], &["barbot"]);
        check(google, &chain(&["NoBot"]), &[1, 3], &[]);
        for none in [Crawler::chain::<&str>([]), Crawler::pool::<&str>([])] {
            assert!(none.unwrap_err().to_string().contains("empty"));
        }
        check(&Dialect::YANDEX, &pool(&["FooBots", "BarBots"]), &[0, 2, 3], &["barbot", "foobot"]);
        check(&Dialect::YANDEX, &chain(&["NoBot", "FooBots"]), &[0, 3], &["foobot"]);
    }

    #[test]
    fn a_named_group_without_rules_overrides_the_star() {
        for body in
            ["User-agent: *\nDisallow: /\nUser-agent: a\nDisallow:\n", "User-agent: *\nDisallow: /\nUser-agent: a\n"]
        {
            for dialect in Dialect::ALL {
                let robots = RobotsTxt::parse_with(body.as_bytes(), dialect);
                let selection = robots.select(&one("a"));
                assert_eq!(selection.groups, [GroupId(1)], "{} {body}", dialect.name);
                assert!(robots.rule_set_of(&selection).rules().iter().all(|rule| rule.verdict.is_allow()));
            }
        }
    }

    #[test]
    fn named_only_ignores_the_star() {
        let body = b"User-agent: *\nDisallow: /\nUser-agent: FooBot\nDisallow: /cart\n";
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(body, dialect);
            for crawler in [one("BarBot"), chain(&["BarBot", "BazBot"]), Crawler::pool(["BarBot", "BazBot"]).unwrap()] {
                let crawler = crawler.named_only();
                let ignored = Selection { groups: Vec::new(), reason: SelectionReason::StarIgnored };
                assert_eq!(robots.select(&crawler), ignored, "{} {crawler}", dialect.name);
                assert_eq!(robots.is_allowed(&crawler, "/x"), Ok(true));
                assert!(robots.matcher(&crawler).unwrap().is_allowed("/x").unwrap());
                let text = robots.explain(&crawler, "/x").unwrap().to_string();
                assert!(text.contains("obeys only groups that name it"), "{text}");
            }
            for crawler in [one("FooBot"), chain(&["BarBot", "FooBot"])] {
                let crawler = crawler.named_only();
                assert_eq!(robots.select(&crawler).groups, [GroupId(1)], "{} {crawler}", dialect.name);
                assert_eq!(robots.is_allowed(&crawler, "/cart"), Ok(false));
            }
            // Without a name there is nothing else to obey.
            let others = Crawler::others().named_only();
            assert!(!others.is_named_only());
            assert_eq!(robots.is_allowed(&others, "/x"), Ok(false));
        }
        let selection = RobotsTxt::parse(b"User-agent: a\nDisallow: /\n").select(&one("b").named_only());
        assert_eq!(selection.reason, SelectionReason::NoGroup);
    }

    #[test]
    fn no_group_at_all() {
        for body in ["", "Disallow: /\n", "User-agent: a\nDisallow: /\n"] {
            let selection = RobotsTxt::parse_with(body.as_bytes(), &Dialect::GOOGLE).select(&one("b"));
            assert_eq!(selection, Selection { groups: Vec::new(), reason: SelectionReason::NoGroup });
        }
    }
}
