//! Why a URL may or may not be fetched.

use std::borrow::Cow;
use std::fmt;

use robotsc_runtime::{AgentName, Verdict};

use crate::ask::agent::{Crawler, CrawlerKind, IntoCrawler, SelectionReason};
use crate::ask::query_error::QueryError;
use crate::robots_txt::{GroupId, RobotsTxt, RuleKind};
use crate::rules::rule_set::{Rule, RuleOrigin, RuleSet};
use crate::span::ByteSpan;
use crate::url::site_origin::path_of;
use crate::url::url_path::UrlPathBuf;

/// The answer to one question, with what led to it. Owned.
///
/// Made by [`RobotsTxt::explain`]. [`Display`](fmt::Display) writes it as a few lines of text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// The answer.
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_display"))]
    pub verdict: Verdict,
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The crawler, as text: `FooBot-Image, else FooBot`.
    pub agent: String,
    /// The path that was matched.
    pub path: String,
    /// Why these groups.
    pub selection: ExplainedSelection,
    /// The groups whose rules were merged, in file order.
    pub groups: Vec<ExplainedGroup>,
    /// The rules that match, from the top rank down. The first decides, unless it is [empty](RuleOrigin::EmptyLine).
    pub matching: Vec<ExplainedRule>,
    /// Names of the crawler that are no product tokens of RFC 9309. They are compared with the values of the file as
    /// written, up to a `/` or a blank.
    pub names_beyond_rfc9309: Vec<String>,
    /// Whether the dialect's specification leaves the order of the matching rules undefined: an Allow and a Disallow
    /// match, and either holds a wildcard. The length decides all the same.
    pub order_undefined: bool,
    /// The line of the least restrictive rule that matches, if the order is undefined: the longest Allow. The
    /// specifications of Google name it as the one that decides.
    pub least_restrictive_line: Option<u32>,
}

/// Which groups of the file the crawler obeys, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ExplainedSelection {
    /// Groups name the crawler: the names of the file, in lower case.
    Named(Vec<String>),
    /// No group names the crawler; the groups for `*` are effective.
    Star,
    /// No group names the crawler, and none is for `*`: everything is allowed.
    NoGroup,
    /// No group names the crawler, and those for `*` do not count, since it obeys only groups that name it: everything
    /// is allowed.
    StarIgnored,
}

/// The lines of a group, from its first `User-agent` line to its last rule, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedGroup {
    /// The first line.
    pub first_line: u32,
    /// The last line.
    pub last_line: u32,
}

/// A rule that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedRule {
    /// What it answers.
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_display"))]
    pub verdict: Verdict,
    /// The line, from 1; 0 if the dialect states the rule, and no line.
    pub line: u32,
    /// The rule as written: `Disallow: /cart`.
    pub text: String,
    /// The pattern as it was matched: escapes normalized.
    pub pattern: String,
    /// The length that ranks it, in bytes.
    pub length: u32,
    /// Where it comes from.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub origin: RuleOrigin,
    /// Its value in the body.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub source: ByteSpan,
}

impl ExplainedRule {
    /// Returns what an empty value means, in words; nothing for a rule with a value.
    const fn empty_value(&self) -> &'static str {
        match self.origin {
            RuleOrigin::EmptyLine => " (an empty value, which decides nothing)",
            RuleOrigin::EmptyInverse if self.verdict.is_allow() => " (an empty value, read as `Allow: /`)",
            RuleOrigin::EmptyInverse => " (an empty value, read as `Disallow: /`)",
            _ => "",
        }
    }
}

#[cfg(feature = "serde")]
fn by_display<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(verdict)
}

impl Explanation {
    /// Returns the rule that decides; `None` if no rule does, and the path is allowed therefore.
    #[must_use]
    pub fn deciding_rule(&self) -> Option<&ExplainedRule> {
        // A rule without a value and without a meaning is the lowest of all: nothing matches beside it.
        self.matching
            .first()
            .filter(|rule| rule.origin != RuleOrigin::EmptyLine || !rule.verdict.is_allow() || rule.length > 0)
    }
}

impl RobotsTxt<'_> {
    /// Explains whether an agent may fetch a URL: the verdict, the groups, the rules that match.
    ///
    /// Cost: linear in the rules of the agent's groups. Never panics.
    ///
    /// # Errors
    /// As [`RobotsTxt::is_allowed`].
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n");
    /// let explanation = robots.explain("FooBot", "https://shop.example/cart/help.pdf")?;
    /// assert_eq!(explanation.deciding_rule().map(|rule| rule.line), Some(3));
    /// assert_eq!(
    ///     explanation.to_string(),
    ///     "allowed by line 3: Allow: /cart/help (10 bytes, the longest of 2 rules that match)\n\
    ///      path: /cart/help.pdf\n\
    ///      agent: FooBot, dialect google\n\
    ///      groups: no group names the agent, those for `*` are effective: lines 1-3\n\
    ///      also matching: line 2: Disallow: /cart (5 bytes, disallowed)"
    /// );
    /// # Ok::<(), robotsc::QueryError>(())
    /// ```
    pub fn explain(&self, agent: impl IntoCrawler, url: impl AsRef<[u8]>) -> Result<Explanation, QueryError> {
        let path = path_of(&self.dialect, self.origin.as_ref(), url.as_ref())?;
        self.explain_path(agent, &path)
    }

    /// Explains the verdict for a path, normalized or raw: see [`RobotsTxt::explain`].
    ///
    /// # Errors
    /// As [`RobotsTxt::explain`]; the path must be in the form of this file's dialect.
    pub fn explain_path(&self, agent: impl IntoCrawler, path: &UrlPathBuf<'_>) -> Result<Explanation, QueryError> {
        let crawler = agent.into_crawler()?;
        let selection = self.select(&crawler);
        let rules = self.rule_set_of(&selection);
        let verdict = rules.verdict(path.as_path())?;
        let mut matching = Vec::new();
        for rule in rules.rules() {
            if rules.matches(rule, path.as_path())? {
                matching.push(rule);
            }
        }
        let order_undefined = self.dialect.wildcard_order_undefined && has_undefined_order(&rules, &matching);
        let is_least = |rule: &&&Rule| rule.origin == RuleOrigin::Line && rule.verdict.is_allow();
        let least_restrictive = matching.iter().find(is_least).filter(|_| order_undefined).copied();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let is_beyond = |name: &AgentName<'_>| !name.is_product_token();
        Ok(Explanation {
            verdict,
            dialect: self.dialect.name,
            agent: agent_text(&crawler),
            path: text(path.as_bytes()),
            selection: match &selection.reason {
                SelectionReason::Named(names) => {
                    ExplainedSelection::Named(names.iter().map(|name| text(name)).collect())
                }
                SelectionReason::Star => ExplainedSelection::Star,
                SelectionReason::NoGroup => ExplainedSelection::NoGroup,
                SelectionReason::StarIgnored => ExplainedSelection::StarIgnored,
            },
            groups: selection.groups.iter().filter_map(|id| self.group_lines(*id)).collect(),
            matching: matching.into_iter().map(|rule| self.explained_rule(&rules, rule)).collect(),
            names_beyond_rfc9309: crawler.names().filter(is_beyond).map(|name| name.to_string()).collect(),
            order_undefined,
            least_restrictive_line: least_restrictive.map(|rule| rule.line),
        })
    }

    /// Returns the lines of a group, or `None` if the file does not have it.
    fn group_lines(&self, id: GroupId) -> Option<ExplainedGroup> {
        let group = self.groups.get(id.0 as usize)?;
        let agents = self.agents_of(group);
        let first_line = agents.first()?.line;
        let last_rule = self.rules_of(group).last().map_or(0, |rule| rule.line);
        Some(ExplainedGroup { first_line, last_line: last_rule.max(agents.last()?.line) })
    }

    fn explained_rule(&self, rules: &RuleSet, rule: &Rule) -> ExplainedRule {
        let kind = rule.kind.as_str();
        let pattern = String::from_utf8_lossy(rules.pattern(rule));
        let value = match rule.origin {
            RuleOrigin::RobotsTxtPath => Cow::Borrowed(&*pattern),
            _ => String::from_utf8_lossy(rule.source.of(&self.body)),
        };
        ExplainedRule {
            verdict: rule.verdict,
            line: rule.line,
            text: format!("{kind}: {value}").trim_end().to_owned(),
            pattern: pattern.clone().into_owned(),
            length: rule.length,
            origin: rule.origin,
            source: rule.source,
        }
    }
}

fn agent_text(crawler: &Crawler) -> String {
    // A header in which no name of the file is found is a pool without names.
    match crawler.kind() {
        CrawlerKind::Others => "any agent that no group names".to_owned(),
        _ => crawler.to_string(),
    }
}

/// Reports whether an Allow and a Disallow match and either holds a wildcard; a `*` at the end is none, since the
/// specifications ignore it.
fn has_undefined_order(rules: &RuleSet, matching: &[&Rule]) -> bool {
    let lines = || matching.iter().filter(|rule| rule.origin == RuleOrigin::Line);
    let has = |kind: RuleKind| lines().any(|rule| rule.kind == kind);
    let has_wildcard = |rule: &&&Rule| {
        let pattern = rules.pattern(rule);
        let end = pattern.iter().rposition(|&byte| byte != b'*').map_or(0, |at| at + 1);
        pattern[..end].contains(&b'*')
    };
    has(RuleKind::Allow) && has(RuleKind::Disallow) && lines().any(|rule| has_wildcard(&rule))
}

impl fmt::Display for ExplainedSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(names) => write!(f, "the file names {}", names.join(", ")),
            Self::Star => f.write_str("no group names the agent, those for `*` are effective"),
            Self::NoGroup => f.write_str("no group names the agent, and none is for `*`: everything is allowed"),
            Self::StarIgnored => f.write_str(
                "no group names the agent, which obeys only groups that name it (`*` does not count): \
                 everything is allowed",
            ),
        }
    }
}

impl fmt::Display for ExplainedGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { first_line, last_line } if first_line == last_line => write!(f, "line {first_line}"),
            Self { first_line, last_line } => write!(f, "lines {first_line}-{last_line}"),
        }
    }
}

/// The maximum number of rules and groups that [`Display`](fmt::Display) lists; it counts the rest.
const MAX_LISTED: usize = 10;

/// Returns a length with its unit.
fn bytes(length: u32) -> String {
    format!("{length} byte{}", if length == 1 { "" } else { "s" })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verdict, dialect, agent, path, .. } = self;
        let also = match self.deciding_rule() {
            Some(rule) => {
                match rule.line {
                    0 => write!(f, "{verdict} by the dialect: {}", rule.text)?,
                    line => write!(f, "{verdict} by line {line}: {}{}", rule.text, rule.empty_value())?,
                }
                let rank = match self.matching.get(1) {
                    _ if rule.origin == RuleOrigin::RobotsTxtPath => " (it has priority over all rules)".to_owned(),
                    None => format!(" ({}, the only rule that matches)", bytes(rule.length)),
                    Some(next) if next.length == rule.length && next.verdict != rule.verdict => {
                        format!(" ({}, of rules of one length the {verdict} one decides)", bytes(rule.length))
                    }
                    Some(_) => {
                        format!(" ({}, the longest of {} rules that match)", bytes(rule.length), self.matching.len())
                    }
                };
                writeln!(f, "{rank}")?;
                &self.matching[1..]
            }
            None => {
                writeln!(f, "{verdict}: no rule matches that decides")?;
                &self.matching[..]
            }
        };
        write!(f, "path: {path}\nagent: {agent}, dialect {dialect}\ngroups: {}", self.selection)?;
        for (number, group) in self.groups.iter().take(MAX_LISTED).enumerate() {
            write!(f, "{} {group}", if number == 0 { ":" } else { "," })?;
        }
        if self.groups.len() > MAX_LISTED {
            write!(f, " and {} more", self.groups.len() - MAX_LISTED)?;
        }
        for rule in also.iter().take(MAX_LISTED) {
            let ExplainedRule { verdict, line, text, length, .. } = rule;
            write!(f, "\nalso matching: line {line}: {text}{} ({}, {verdict})", rule.empty_value(), bytes(*length))?;
        }
        if also.len() > MAX_LISTED {
            write!(f, "\nalso matching: {} more rules", also.len() - MAX_LISTED)?;
        }
        if !self.names_beyond_rfc9309.is_empty() {
            let names = self.names_beyond_rfc9309.join(", ");
            write!(f, "\nnote: {names} is no product token of RFC 9309: compared with values of the file as written")?;
        }
        if self.order_undefined {
            write!(
                f,
                "\nnote: the specification of {dialect} leaves the order of these rules undefined: by length here"
            )?;
            if let Some(line) = self.least_restrictive_line {
                write!(f, "; the least restrictive rule, line {line}, would answer allowed")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    #[test]
    fn what_decides_is_said() {
        for (dialect, body, agent, url, expected) in [
            (&Dialect::GOOGLE, "", "a", "/x", "allowed: no rule matches that decides"),
            (&Dialect::GOOGLE, "User-agent: *\nDisallow:\n", "a", "/x", "allowed: no rule matches that decides"),
            (
                &Dialect::YANDEX,
                "User-agent: *\nAllow:\n",
                "a",
                "/x",
                "disallowed by line 2: Allow: (an empty value, read as `Disallow: /`)",
            ),
            (
                &Dialect::GOOGLE,
                "User-agent: *\nDisallow:\n",
                "a",
                "/x",
                "line 2: Disallow: (an empty value, which decides nothing)",
            ),
            (
                &Dialect::GOOGLE_2019,
                "User-agent: *\nAllow: /a\nDisallow: /*b\n",
                "a",
                "/ab",
                "the least restrictive rule, line 2, would answer allowed",
            ),
            (
                &Dialect::RFC9309,
                "User-agent: *\nDisallow: /\n",
                "a",
                "/robots.txt",
                "allowed by the dialect: Allow: /robots.txt$",
            ),
            (&Dialect::GOOGLE, "User-agent: *\nDisallow: /\n", "a", "/x", "disallowed by line 2: Disallow: / (1 byte,"),
            (
                &Dialect::GOOGLE,
                "User-agent: MJ12bot\nDisallow: /\n",
                "MJ12bot",
                "/",
                "note: MJ12bot is no product token",
            ),
            (&Dialect::GOOGLE, "User-agent: a\nDisallow: /\n", "b", "/", "none is for `*`: everything is allowed"),
        ] {
            let text = RobotsTxt::parse_with(body.as_bytes(), dialect).explain(agent, url).unwrap().to_string();
            assert!(text.contains(expected), "{body:?} {agent} {url}:\n{text}");
        }
    }
}
