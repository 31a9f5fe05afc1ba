//! A parsed robots.txt: groups, rules, other records and diagnostics, with their places.
//!
//! The parts lie in flat vectors in file order, and a [`Group`] is a pair of ranges into them, so that a file costs a
//! few allocations however many groups it has.
//!
//! Each question to a file stands with what answers it:
//!
//! | question | file |
//! |---|---|
//! | `parse`, `parse_with` | `parse/mod.rs` |
//! | `body_kind` | `parse/body_kind.rs` |
//! | `select` | `ask/agent.rs` |
//! | `is_allowed`, `url_path`, `matcher`, `crawl_delay` | `ask/question.rs` |
//! | `explain`, `explain_path` | `ask/explanation.rs` |
//! | `rule_set`, `rule_set_of` | `rules/ranking.rs` |
//! | `groups_by_key`, `agent_keys` | `program/policy.rs` |

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::dialect::Dialect;
use crate::parse::diagnostic::Diagnostic;
use crate::parse::record::{CleanParam, Host, Record, RecordKind, RecordValue};
use crate::span::ByteSpan;
use crate::url::site_origin::SiteOrigin;

/// `Allow` or `Disallow`, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// A `Disallow` line.
    Disallow,
    /// An `Allow` line.
    Allow,
}

impl RuleKind {
    /// Returns the directive as it is commonly written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disallow => "Disallow",
            Self::Allow => "Allow",
        }
    }
}

/// An `Allow` or `Disallow` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// Which of the two.
    pub kind: RuleKind,
    /// The value, trimmed, comment removed.
    pub value: ByteSpan,
    /// The line, from 1; CRLF counts once.
    pub line: u32,
}

/// A `User-agent` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentLine {
    /// The value, trimmed, comment removed.
    pub value: ByteSpan,
    /// The product token in it, under the dialect; empty if the value names no crawler, or every crawler.
    pub token: ByteSpan,
    /// Whether the value names every agent (`*`).
    pub is_star: bool,
    /// The line, from 1.
    pub line: u32,
}

/// The number of a group, in file order, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// A run of `User-agent` lines and the rules that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its agents: a range of [`RobotsTxt::agents`].
    pub agents: Range<u32>,
    /// Its rules: a range of [`RobotsTxt::rules`].
    pub rules: Range<u32>,
    /// The records read while it was open: a range of [`RobotsTxt::records`].
    pub records: Range<u32>,
}

/// A parsed robots.txt.
#[derive(Clone, Debug)]
pub struct RobotsTxt<'a> {
    pub(crate) body: Cow<'a, [u8]>,
    pub(crate) dialect: Dialect,
    pub(crate) groups: Vec<Group>,
    pub(crate) agents: Vec<AgentLine>,
    pub(crate) rules: Vec<RuleLine>,
    pub(crate) records: Vec<Record>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) origin: Option<SiteOrigin>,
}

impl<'a> RobotsTxt<'a> {
    /// Returns the same file with a body of its own, so that it can outlive the bytes that it was parsed from.
    ///
    /// Cost: copies the body, unless it is owned already.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// fn fetch() -> Vec<u8> {
    ///     b"User-agent: *\nDisallow: /cart\n".to_vec()
    /// }
    ///
    /// let robots: RobotsTxt<'static> = RobotsTxt::parse(&fetch()).into_owned();
    /// assert!(!robots.is_allowed("FooBot", "https://shop.example/cart")?);
    /// # Ok::<(), robotsc::QueryError>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> RobotsTxt<'static> {
        RobotsTxt {
            body: Cow::Owned(self.body.into_owned()),
            dialect: self.dialect,
            groups: self.groups,
            agents: self.agents,
            rules: self.rules,
            records: self.records,
            diagnostics: self.diagnostics,
            origin: self.origin,
        }
    }

    /// Reports whether no line is a directive that counts, though the file has more than blank lines and comments: it
    /// has neither a group nor a known record.
    ///
    /// So it is with an error page, the name of a file in place of its bytes, a coded body, a file whose lines became
    /// one, or with rules before any `User-agent` line. Such a file allows everything: ask this where a file was chosen
    /// by hand, so that a mistake does not read as an answer. (Crawlers obey what a site
    /// serves, whatever it is.)
    ///
    /// Cost: linear in the records; for a file without any, in its bytes. Never panics.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// assert!(RobotsTxt::parse(b"<!doctype html><title>503</title>").has_no_directive());
    /// assert!(!RobotsTxt::parse(b"# nothing yet\n").has_no_directive());
    /// ```
    #[must_use]
    pub fn has_no_directive(&self) -> bool {
        self.groups.is_empty()
            && self.records.iter().all(|record| record.kind == RecordKind::Unknown)
            && has_text(&self.body)
    }

    /// Returns the body that the spans point into: the one given, or its UTF-8 form if the dialect decodes UTF-16.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns the dialect it was parsed under.
    #[must_use]
    pub const fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Returns the groups, in file order.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns all `User-agent` lines, in file order.
    #[must_use]
    pub fn agents(&self) -> &[AgentLine] {
        &self.agents
    }

    /// Returns the `Allow` and `Disallow` lines that belong to a group, in file order.
    #[must_use]
    pub fn rules(&self) -> &[RuleLine] {
        &self.rules
    }

    /// Returns all other records, in file order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns what the parser noticed, in file order.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the `User-agent` lines of a group.
    #[must_use]
    pub fn agents_of(&self, group: &Group) -> &[AgentLine] {
        part(&self.agents, &group.agents)
    }

    /// Returns the rules of a group.
    #[must_use]
    pub fn rules_of(&self, group: &Group) -> &[RuleLine] {
        part(&self.rules, &group.rules)
    }

    /// Returns the records that were read while a group was open; those of the whole file, such as sitemaps, may be
    /// among them.
    #[must_use]
    pub fn records_of(&self, group: &Group) -> &[Record] {
        part(&self.records, &group.records)
    }

    /// Returns the values of all records, in file order. Records whose value cannot be read are skipped.
    pub fn values(&self) -> impl Iterator<Item = RecordValue<'_>> {
        self.records.iter().filter_map(|record| record.value(&self.body))
    }

    /// Returns the sitemaps, in file order, each once.
    ///
    /// Cost: n log n in the number of sitemaps.
    #[must_use]
    pub fn sitemaps(&self) -> Vec<&[u8]> {
        let mut seen = BTreeSet::new();
        self.values()
            .filter_map(|value| match value {
                RecordValue::Sitemap(url) if seen.insert(url) => Some(url),
                _ => None,
            })
            .collect()
    }

    /// Returns the hosts that `Host` records name, in file order.
    pub fn hosts(&self) -> impl Iterator<Item = Host<'_>> {
        self.values().filter_map(|value| if let RecordValue::Host(host) = value { Some(host) } else { None })
    }

    /// Returns the `Clean-param` records, in file order.
    pub fn clean_params(&self) -> impl Iterator<Item = CleanParam<'_>> {
        self.values().filter_map(|value| if let RecordValue::CleanParam(param) = value { Some(param) } else { None })
    }
}

fn part<'v, T>(all: &'v [T], range: &Range<u32>) -> &'v [T] {
    all.get(range.start as usize..range.end as usize).unwrap_or_default()
}

/// Reports whether there is more than blank lines and comments.
fn has_text(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    body.split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
        .any(|line| !matches!(line, [] | [b'#', ..]))
}

#[cfg(test)]
mod tests {
    use super::RobotsTxt;
    use crate::ask::agent::Crawler;
    use crate::parse::record::RecordValue;

    const BODY: &[u8] = b"Sitemap: https://a/1\nCrawl-delay: 99\nUser-agent: a\nUser-agent: b\n\
        Crawl-delay: 2.5\nDisallow: /x\n\
        Content-signal: search=yes, ai-train=yes\nSitemap: https://a/2\nHost: m.a\n\
        Crawl-delay: soon\n\nUser-agent: *\nDisallow:\n\
        Crawl-delay: 1\nClean-param: s /f\nUser-agent: B\nCrawl-delay: 0.5\nContent-signal: ai-train=no\n\
        Sitemap: https://a/1\nSitemap: /3\n";

    #[test]
    fn records_of_the_file() {
        let robots = RobotsTxt::parse(BODY);
        assert_eq!(robots.sitemaps(), [b"https://a/1", b"https://a/2"]);
        assert!(robots.hosts().map(|host| host.name).eq([b"m.a"]));
        assert!(robots.clean_params().map(|param| param.path).eq([b"/f"]));
        assert_eq!(robots.values().count(), 11);
    }

    #[test]
    fn records_of_a_crawler() {
        let robots = RobotsTxt::parse(BODY);
        for (token, milliseconds, signals) in [
            ("a", &[2500][..], &["search=yes, ai-train=yes"][..]),
            ("b", &[2500, 500], &["search=yes, ai-train=yes", "ai-train=no"]),
            ("c", &[1000], &[]),
        ] {
            let selection = robots.select(&Crawler::new(token).unwrap());
            assert!(robots.crawl_delays(&selection).map(|delay| delay.as_millis()).eq(milliseconds.iter().copied()));
            let stated = robots.values_for(&selection).filter_map(|value| match value {
                RecordValue::ContentSignal(record) => Some(record.statement),
                _ => None,
            });
            assert!(stated.eq(signals.iter().map(|signal| signal.as_bytes())), "{token}");
        }
    }
}
