//! Why a URL is allowed or disallowed, and what the other dialects say.

use robotsc::agent::{CrawlerKind, Selection, SelectionReason};
use robotsc::program::DecidingRule;
use robotsc::robots_txt::{Diagnostic, DiagnosticCode, Group, RuleKind};
use robotsc::rules::{Rule, RuleOrigin};
use robotsc::url::UrlPathBuf;
use robotsc::{Crawler, Dialect, PathFormError, QueryError, RobotsTxt, RuleSet, UrlPath, Verdict};
use robotsc_analysis::cut_by_hash;
use robotsc_analysis::small_sort::SmallSort as _;

use self::near::Nearby;
use crate::mistake::Mistake;
use crate::url_path::UrlReader;

pub mod json;
mod meant_name;
pub mod near;
pub mod not_obeyed;
mod unread;

/// What is shown for one URL under one dialect: the explanation of the library, with the groups, the rules and
/// the diagnostics of the file that it refers to.
#[derive(Debug)]
pub struct ExplanationReport<'a> {
    /// What the library says.
    pub library: robotsc::Explanation,
    /// The file.
    pub robots: &'a RobotsTxt<'a>,
    /// The crawler.
    pub crawler: &'a Crawler,
    /// Why it obeys its groups.
    pub reason: &'a SelectionReason,
    /// The groups whose lines are in the explanation of the library, in the same order.
    pub groups: Vec<&'a Group>,
    /// Of a chain: which of its tokens, from 0, has a group.
    pub chain_step: Option<usize>,
    /// The rules of the groups.
    pub rules: &'a RuleSet,
    /// The URL as it was given.
    pub url: &'a [u8],
    /// The path that is matched.
    pub path: &'a [u8],
    /// The verdict.
    pub verdict: Verdict,
    /// The rules that match, from the top rank down.
    pub matching: Vec<&'a Rule>,
    /// Whether the first of them decides.
    pub decides: bool,
    /// The diagnostics about the whole file, or about lines that take part.
    pub diagnostics: Vec<&'a Diagnostic>,
    /// What is near another verdict.
    pub near: Nearby,
}

impl<'a> ExplanationReport<'a> {
    /// Explains the verdict for a path. `then` gets the explanation, which refers to the groups and rules of the file.
    ///
    /// # Errors
    /// If the path is in another form than the rules.
    pub fn with<T>(
        robots: &RobotsTxt<'_>,
        crawler: &Crawler,
        url: &[u8],
        path: &UrlPathBuf<'_>,
        then: impl FnOnce(&ExplanationReport<'_>) -> T,
    ) -> Result<T, QueryError> {
        let selection = robots.select(crawler);
        let rules = robots.rule_set_of(&selection);
        let library = robots.explain_path(crawler, path)?;
        let explanation = ExplanationReport::new(robots, crawler, &selection, &rules, url, path.as_path(), library)?;
        Ok(then(&explanation))
    }

    fn new(
        robots: &'a RobotsTxt<'a>,
        crawler: &'a Crawler,
        selection: &'a Selection,
        rules: &'a RuleSet,
        url: &'a [u8],
        path: UrlPath<'a>,
        library: robotsc::Explanation,
    ) -> Result<Self, PathFormError> {
        let mut matching = Vec::new();
        for rule in rules.rules() {
            if rules.matches(rule, path)? {
                matching.push(rule);
            }
        }
        let groups: Vec<&Group> = selection.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize)).collect();
        let agents = groups.iter().flat_map(|group| agents_of(robots, group)).map(|agent| agent.line);
        let mut lines: Vec<u32> = agents.chain(matching.iter().map(|rule| rule.line)).collect();
        lines.small_sort_unstable();
        let takes_part = |noticed: &&Diagnostic| is_of_file(noticed.code) || lines.binary_search(&noticed.line).is_ok();
        let near = Nearby::new(robots, crawler, selection, rules, (url, path), &matching)?;
        let diagnostics = robots.diagnostics().iter().filter(takes_part).collect();
        Ok(Self {
            robots,
            crawler,
            reason: &selection.reason,
            groups,
            chain_step: chain_step(robots, crawler),
            rules,
            url,
            path: path.as_bytes(),
            verdict: library.verdict,
            decides: library.deciding_rule().is_some()
                && matching.first().is_some_and(|rule| rule.origin != RuleOrigin::EmptyLine),
            library,
            matching,
            diagnostics,
            near,
        })
    }
}

impl ExplanationReport<'_> {
    /// Returns the value of the rule that decides with what a `#` in it makes a comment: `/#/cart` of `/`.
    #[must_use]
    pub fn cut_by_hash(&self) -> Option<&[u8]> {
        let rule = self.matching.first().filter(|rule| self.decides && rule.line > 0)?;
        cut_by_hash(self.robots.body(), rule.source)
    }
}

/// Whether a diagnostic is about the whole file, so that it bears on every verdict.
fn is_of_file(code: DiagnosticCode) -> bool {
    use DiagnosticCode::{FileCut, Utf16Bom, Utf16Invalid};
    matches!(code, FileCut | Utf16Bom | Utf16Invalid)
}

/// Returns the `User-agent` lines of a group.
pub fn agents_of<'a>(robots: &'a RobotsTxt<'_>, group: &Group) -> &'a [robotsc::robots_txt::AgentLine] {
    robots.agents().get(group.agents.start as usize..group.agents.end as usize).unwrap_or_default()
}

/// Which token of a chain has a group in the file.
fn chain_step(robots: &RobotsTxt<'_>, crawler: &Crawler) -> Option<usize> {
    if crawler.kind() != CrawlerKind::Chain {
        return None;
    }
    let is_named = |name| matches!(robots.select(&Crawler::from(name)).reason, SelectionReason::Named(_));
    crawler.names().position(is_named)
}

/// What another dialect answers about the same file, crawler and URL.
#[derive(Debug)]
pub struct Other {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// Its verdict, or why there is none.
    pub said: Result<Said, String>,
}

/// A verdict of another dialect.
#[derive(Debug)]
pub struct Said {
    /// The verdict.
    pub verdict: Verdict,
    /// The line that decides; 0 if none does.
    pub line: u32,
    /// The value of that line.
    pub source: Vec<u8>,
    /// The directive and the origin of the rule, if one matches.
    pub rule: Option<(RuleKind, RuleOrigin)>,
}

/// Returns what the other named dialects say to the crawler that `identify` makes of a file. `raw` means that the URL
/// is read as google/robotstxt does.
///
/// Cost: parses the body once for each dialect.
pub fn others(
    body: &[u8],
    dialect: &Dialect,
    identify: impl Fn(&RobotsTxt<'_>) -> Result<Crawler, Mistake>,
    url: &[u8],
    raw: bool,
) -> Vec<Other> {
    let dialects = Dialect::ALL.into_iter().filter(|other| other.name != dialect.name);
    let say = |dialect: &'static Dialect| {
        let path = UrlReader { raw, ..UrlReader::new(dialect) }.path(url)?;
        let robots = RobotsTxt::parse_with(body, dialect);
        let crawler = identify(&robots).map_err(|_| "the header cannot be used".to_owned())?;
        let rules = robots.rule_set(&crawler);
        let decides = rules.deciding_rule(path.as_path()).map_err(|error| error.to_string())?;
        let rule = decides.and_then(|rule| rules.rules().get(rule.rule as usize));
        let source = rule.map_or_else(Vec::new, |rule| rule.source.of(robots.body()).to_owned());
        let line = decides.map_or(0, |rule| rule.line);
        let rule = rule.map(|rule| (rule.kind, rule.origin));
        Ok(Said { verdict: DecidingRule::verdict_of(decides), line, source, rule })
    };
    dialects.map(|dialect| Other { dialect, said: say(dialect) }).collect()
}
