//! Rules that the crawler does not obey, and that would give the other verdict: those for `*` where a group names the
//! crawler, those of a group whose name is nearly its own, those of no group, and those of lines that no crawler reads.
//!
//! ```text
//! User-agent: GPT Bot      line 2: `Disallow: /` would disallow it, if line 1 named GPTBot and not `GPT Bot`
//! Disallow: /
//! ```
//!
//! Nothing here is a guess about verdicts: the edited file is asked.

use std::collections::BTreeSet;

use robotsc::agent::{Selection, SelectionReason};
use robotsc::robots_txt::{AgentLine, DiagnosticCode, GroupId, RuleKind};
use robotsc::rules::RuleOrigin;
use robotsc::{Crawler, PathFormError, RobotsTxt, RuleSet, UrlPath, Verdict};
use robotsc_analysis::{Edit, Lines, edited, words};
use serde_json::{Map, Value};

use super::meant_name::meant_name;
use crate::shown;

/// The maximum number of lines whose names are tried.
const MAX_NAMES: usize = 4;
/// The maximum number of characters of a value in a sentence.
const MAX_SHOWN: usize = 160;

/// A rule that the crawler does not obey, and that would give the other verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotObeyed {
    /// The line of the rule, from 1.
    pub line: u32,
    /// The directive.
    pub kind: RuleKind,
    /// Its value, as written.
    pub value: Vec<u8>,
    /// Why it is not obeyed.
    pub cause: Cause,
}

/// Why a rule is not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is of `*`, and a group names the crawler.
    OwnGroup,
    /// It is of `*`, and the crawler obeys only groups that name it.
    NamedOnly,
    /// Its group is not that of the crawler, and has a value that can be meant for it.
    NearName {
        /// The line of the name, from 1.
        line: u32,
        /// The name as written.
        name: Vec<u8>,
        /// The name of the crawler that was perhaps meant, or `*`.
        meant: String,
    },
    /// It stands before any `User-agent` line.
    NoGroup {
        /// The name that such a line would have to have: `*`, or one of the crawler.
        agent: String,
    },
    /// Its line is not read as the rule that it was meant to be.
    UnreadLine {
        /// The line as written.
        written: Vec<u8>,
        /// A line before it that is not read, either, and has to be for the rule to count.
        agent: Option<UnreadAgent>,
    },
    /// The line that names the agent of its group is not read.
    UnreadAgent(UnreadAgent),
}

/// A line that names an agent, and that no crawler reads so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadAgent {
    /// The line, from 1.
    pub line: u32,
    /// The records that were meant, each on a line.
    pub meant: Vec<u8>,
}

impl Cause {
    /// Returns the name: lower case, words joined by `-`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::OwnGroup => "own-group",
            Self::NamedOnly => "named-only",
            Self::NearName { .. } => "near-name",
            Self::NoGroup { .. } => "no-group",
            Self::UnreadLine { .. } | Self::UnreadAgent(_) => "unread-line",
        }
    }

    /// Returns the `User-agent` line that would have to be another, or to be read.
    #[must_use]
    pub const fn agent_line(&self) -> Option<u32> {
        match self {
            Self::NearName { line, .. } => Some(*line),
            Self::UnreadAgent(agent) | Self::UnreadLine { agent: Some(agent), .. } => Some(agent.line),
            _ => None,
        }
    }
}

impl NotObeyed {
    /// Finds the rules: at most one for each cause and name.
    ///
    /// # Errors
    /// If the path is in another form than the rules.
    pub fn all(
        robots: &RobotsTxt<'_>,
        crawler: &Crawler,
        selection: &Selection,
        verdict: Verdict,
        path: UrlPath<'_>,
    ) -> Result<Vec<Self>, PathFormError> {
        let mut found = Vec::new();
        found.extend(of_star(robots, selection, verdict, path)?);
        for (agent, meant) in near_names(robots, crawler, selection) {
            let range = agent.value.start as usize..agent.value.end as usize;
            let edit = Edit { range, with: meant.clone().into_bytes() };
            let name = agent.value.of(robots.body()).to_vec();
            let cause = Cause::NearName { line: agent.line, name, meant };
            found.extend(after_edit(robots, crawler, edit, 0, cause, verdict, path)?);
        }
        if robots.diagnostics().iter().any(|noticed| noticed.code == DiagnosticCode::RuleOutsideGroup) {
            let start = if robots.body().starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            // In a group for `*` it would count for nobody who has a group.
            for agent in ["*".to_owned()].into_iter().chain(own_name(crawler, selection)) {
                let edit = Edit { range: start..start, with: format!("User-agent: {agent}\n").into_bytes() };
                let rule = after_edit(robots, crawler, edit, 1, Cause::NoGroup { agent }, verdict, path)?;
                if rule.is_some() {
                    found.extend(rule);
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Returns it as a sentence: which rule, what it would do, and why it does not.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { line, kind, value, cause } = self;
        let rule = format!("line {line}: `{}: {}`", kind.as_str(), shown::cut(value, MAX_SHOWN));
        let does = kind.as_str().to_ascii_lowercase();
        match cause {
            Cause::OwnGroup => {
                format!("{rule} {does}s it to `*`: a group that names the agent counts in place of those for `*`")
            }
            Cause::NamedOnly => format!("{rule} {does}s it to `*`: the agent obeys only groups that name it"),
            Cause::NearName { line, name, meant } => {
                let name = shown::cut(name, MAX_SHOWN);
                let meant = if meant == "*" { "`*`" } else { meant };
                format!("{rule} would {does} it, if line {line} named {meant} and not `{name}`")
            }
            Cause::NoGroup { agent } => {
                format!("{rule} would {does} it, if a line `User-agent: {agent}` stood before it")
            }
            Cause::UnreadAgent(agent) => format!("{rule} would {does} it, {}", agent.clause()),
            Cause::UnreadLine { written, agent } => {
                let written = shown::cut(written, MAX_SHOWN);
                let rule = format!("{}: {}", kind.as_str(), shown::cut(value, MAX_SHOWN));
                let said = format!("line {line}: `{written}` is not read as `{rule}`, which would {does} it");
                agent.as_ref().map_or_else(|| said.clone(), |agent| format!("{said}, {}, too", agent.clause()))
            }
        }
    }

    /// Returns it as JSON.
    pub(super) fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("line".to_owned(), self.line.into());
        object.insert("kind".to_owned(), self.kind.as_str().to_ascii_lowercase().into());
        shown::put(&mut object, "source", &self.value);
        object.insert("cause".to_owned(), self.cause.as_str().into());
        object.insert("agent_line".to_owned(), self.cause.agent_line().into());
        object.insert("sentence".to_owned(), self.sentence().into());
        object
    }
}

impl UnreadAgent {
    /// Says what would have to be so.
    fn clause(&self) -> String {
        let lines = Lines::new(&self.meant);
        let record = |line| format!("`{}`", shown::cut(lines.text(line).trim_ascii(), MAX_SHOWN));
        let records: Vec<String> = (1..=lines.count()).map(record).collect();
        format!("if line {} were read as {}", self.line, words::listed(&records))
    }
}

/// Returns the rule for `*` that would give the other verdict, if the crawler does not obey those groups.
fn of_star(
    robots: &RobotsTxt<'_>,
    selection: &Selection,
    verdict: Verdict,
    path: UrlPath<'_>,
) -> Result<Option<NotObeyed>, PathFormError> {
    let cause = match selection.reason {
        SelectionReason::Named(_) => Cause::OwnGroup,
        SelectionReason::StarIgnored => Cause::NamedOnly,
        SelectionReason::Star | SelectionReason::NoGroup => return Ok(None),
    };
    let is_of_star = |id: &GroupId| {
        let group = robots.groups().get(id.0 as usize);
        group.is_some_and(|group| robots.agents_of(group).iter().any(|agent| agent.is_star))
    };
    let groups: Vec<GroupId> = (0..robots.groups().len() as u32).map(GroupId).filter(is_of_star).collect();
    let rules = robots.rule_set_of(&Selection { groups, reason: SelectionReason::Star });
    other_verdict(&rules, robots.body(), 0, cause, verdict, path)
}

/// Returns the `User-agent` lines that can be meant for the crawler, outside of the groups that it obeys, and the name
/// that was perhaps meant.
fn near_names<'r>(robots: &'r RobotsTxt<'_>, crawler: &Crawler, selection: &Selection) -> Vec<(&'r AgentLine, String)> {
    let obeyed: BTreeSet<GroupId> = selection.groups.iter().copied().collect();
    let groups = (0..).map(GroupId).zip(robots.groups()).filter(|(id, _)| !obeyed.contains(id));
    let lines = groups.flat_map(|(_, group)| robots.agents_of(group)).filter(|agent| !agent.is_star);
    let meant = |agent: &AgentLine| meant_name(agent.value.of(robots.body()), crawler);
    lines.filter_map(|agent| Some((agent, meant(agent)?))).take(MAX_NAMES).collect()
}

/// Returns the name of a crawler that its groups have, or else its first.
fn own_name(crawler: &Crawler, selection: &Selection) -> Option<String> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let of_groups = |name: &str| match &selection.reason {
        SelectionReason::Named(tokens) => tokens.iter().any(|token| token.eq_ignore_ascii_case(name.as_bytes())),
        _ => false,
    };
    let mut names = crawler.names().map(|name| text(name.as_bytes()));
    let first = names.next()?;
    if of_groups(&first) { Some(first) } else { names.find(|name| of_groups(name)).or(Some(first)) }
}

/// Makes an edit, and returns the rule that then gives the other verdict. `added` lines come before all others.
fn after_edit(
    robots: &RobotsTxt<'_>,
    crawler: &Crawler,
    edit: Edit,
    added: u32,
    cause: Cause,
    verdict: Verdict,
    path: UrlPath<'_>,
) -> Result<Option<NotObeyed>, PathFormError> {
    let Some(body) = edited(robots.body(), &[edit]) else { return Ok(None) };
    let new = RobotsTxt::parse_with(&body, robots.dialect());
    other_verdict(&new.rule_set(crawler), &body, added, cause, verdict, path)
}

/// Returns the rule of a set that gives a path the other verdict than this one.
fn other_verdict(
    rules: &RuleSet,
    body: &[u8],
    added: u32,
    cause: Cause,
    verdict: Verdict,
    path: UrlPath<'_>,
) -> Result<Option<NotObeyed>, PathFormError> {
    let decides = rules.deciding_rule(path)?.and_then(|rule| rules.rules().get(rule.rule as usize));
    let decides = decides.filter(|rule| rule.verdict != verdict && rule.origin == RuleOrigin::Line);
    Ok(decides.map(|rule| NotObeyed {
        line: rule.line.saturating_sub(added),
        kind: rule.kind,
        value: rule.source.of(body).to_vec(),
        cause,
    }))
}

#[cfg(test)]
mod tests {
    use robotsc::Dialect;

    use super::*;

    #[test]
    fn what_is_not_obeyed() {
        for (body, agent, url, wanted) in [
            ("User-agent: GPT Bot\nDisallow: /\n", "GPTBot", "/", &["2 near-name"][..]),
            ("User-agent: GTPBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "GPTBot", "/a", &["2 near-name"]),
            ("User-agent: GTPBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "GPTBot", "/c", &[]),
            // Both disallow it.
            ("User-agent: GTPBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /b\n", "GPTBot", "/b", &[]),
            ("User-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "FooBot", "/b", &["5 own-group"]),
            ("User-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "FooBot", "/a", &[]),
            ("User-agent: FooBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n", "FooBot", "/a", &["5 own-group"]),
            ("Disallow: /a\nUser-agent: *\nDisallow: /b\n", "FooBot", "/a", &["1 no-group"]),
            ("\u{feff}Disallow: /a\nUser-agent: *\nDisallow: /b\n", "FooBot", "/a", &["1 no-group"]),
            ("Disallow: /a\nUser-agent: FooBot\nDisallow: /b\n", "FooBot", "/a", &["1 no-group"]),
            ("Disallow: /a\nUser-agent: FooBot\nAllow: /aa\n", "FooBot", "/aa", &[]),
            ("User-agent: GPTBot, CCBot\nDisallow: /\n", "CCBot", "/", &["2 near-name"]),
            ("User-agent: all\nDisallow: /\n", "CCBot", "/", &["2 near-name"]),
            ("User-agent: \"*\"\nDisallow: /\n", "CCBot", "/", &["2 near-name"]),
            ("User-agent: \"FooBot\"\nDisallow: /\n", "FooBot", "/", &["2 near-name"]),
            ("User-agent: Mozilla/5.0 (compatible; FooBot/1.0)\nDisallow: /\n", "FooBot", "/", &["2 near-name"]),
            ("User-agent: OpenAI\nDisallow: /\n", "GPTBot", "/", &["2 near-name"]),
            // A group of its own counts in place of those for all.
            (
                "User-agent: all\nDisallow: /\n\nUser-agent: FooBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n",
                "FooBot",
                "/a",
                &[],
            ),
            // With the name, the group would be merged with the other one, whose rule is longer.
            (
                "User-agent: FooBott\nDisallow: /a\n\nUser-agent: FooBot\nAllow: /ab\nDisallow: /c\n",
                "FooBot",
                "/ab",
                &[],
            ),
        ] {
            let robots = RobotsTxt::parse(body.as_bytes());
            let crawler = Crawler::new(agent).unwrap();
            let path = Dialect::GOOGLE.url_path(url).unwrap();
            let (selection, path) = (robots.select(&crawler), path.as_path());
            let verdict = robots.rule_set_of(&selection).verdict(path).unwrap();
            let found = NotObeyed::all(&robots, &crawler, &selection, verdict, path).unwrap();
            let found: Vec<String> =
                found.iter().map(|found| format!("{} {}", found.line, found.cause.as_str())).collect();
            assert_eq!(found, wanted, "{body} {url}");
        }
    }

    #[test]
    fn who_obeys_only_its_name_is_told_so() {
        let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n");
        let crawler = robotsc::bundled::crawler("AdsBot-Google").unwrap().crawler().clone();
        let path = Dialect::GOOGLE.url_path("/").unwrap();
        let selection = robots.select(&crawler);
        let found = NotObeyed::all(&robots, &crawler, &selection, Verdict::Allow, path.as_path()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].sentence(),
            "line 2: `Disallow: /` disallows it to `*`: the agent obeys only groups that name it"
        );
    }
}
