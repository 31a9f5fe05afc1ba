//! `explain`: why a URL is allowed or disallowed.

mod args;
mod json;
mod policy;
mod text;

use std::fmt;
use std::io::Write as _;

use robotsc::{
    Crawler, CrawlerKind, Diagnostic, DiagnosticCode, Dialect, Group, PathFormError, RobotsTxt, Rule, RuleOrigin,
    RuleSet, Selection, SelectionReason, UrlPath, Verdict,
};

pub(crate) use self::args::ExplainArgs;
use crate::contents::{self, Contents};
use crate::failure::{End, Failure};
use crate::identity::Identity;
use crate::output;
use crate::shown;
use crate::source::Source;
use crate::url_path::UrlReader;

/// Runs the command.
pub(crate) fn explain(args: &ExplainArgs) -> Result<End, Failure> {
    if let Some(name) = &args.policy {
        return policy::explain(name, args);
    }
    let Some(url) = &args.url else {
        return Err(Failure::new("no URL: the command line: give ROBOTS and URL"));
    };
    let crawlers = Identity::required(&args.agent)?;
    let source = Source::read(&args.robots)?;
    let Contents::Robots(body) = Contents::of(&source, &args.read)? else {
        return Err(Failure::new(format_args!(
            "nothing to explain: {}: a compiled program holds no lines: give the robots.txt that it came from",
            source.name
        )));
    };
    let dialect = args.read.dialect.of_robots();
    let url = url.as_encoded_bytes();
    let reader = UrlReader { dialect, raw: args.raw_url };
    let path = reader
        .path(url)
        .map_err(|reason| Failure::new(format_args!("bad URL: '{}': {reason}", shown::cut(url, 120))))?;
    let robots = contents::parse(&source.name, body, &args.read)?;
    let mut end = End::Clean;
    let mut out = output::coloured();
    for (number, identity) in crawlers.iter().enumerate() {
        let crawler = identity.crawler(&robots)?;
        let selection = robots.select(&crawler);
        let rules = robots.rule_set_of(&selection);
        let bad = |error: &dyn fmt::Display| Failure::new(format_args!("bad URL: {error}"));
        let library = robots.explain_path(&crawler, &path).map_err(|error| bad(&error))?;
        let explanation = Explanation::new(&robots, &crawler, &selection, &rules, url, path.as_path(), library)
            .map_err(|error| bad(&error))?;
        let others = others(body, identity, url, args);
        if args.json {
            output::json_line(&mut out, &json::explanation(&explanation, &others))?;
        } else {
            if number > 0 {
                writeln!(out)?;
            }
            text::write(&mut out, &source.name, &explanation, &others)?;
        }
        if !explanation.verdict.is_allow() {
            end = End::Findings;
        }
    }
    out.flush()?;
    Ok(end)
}

/// What the command shows for one URL under one dialect: the explanation of the library, with the groups, the rules and
/// the diagnostics of the file that it refers to.
struct Explanation<'a> {
    library: robotsc::Explanation,
    robots: &'a RobotsTxt<'a>,
    crawler: &'a Crawler,
    reason: &'a SelectionReason,
    /// The groups whose lines are in the explanation of the library, in the same order.
    groups: Vec<&'a Group>,
    /// Of a chain: which of its tokens, from 0, has a group.
    chain_step: Option<usize>,
    rules: &'a RuleSet,
    url: &'a [u8],
    path: &'a [u8],
    verdict: Verdict,
    /// The rules that match, from the top rank down.
    matching: Vec<&'a Rule>,
    /// Whether the first of them decides.
    decides: bool,
    /// The diagnostics about the whole file, or about lines that take part.
    diagnostics: Vec<&'a Diagnostic>,
}

impl<'a> Explanation<'a> {
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
        lines.sort_unstable();
        let takes_part = |noticed: &&Diagnostic| is_of_file(noticed.code) || lines.binary_search(&noticed.line).is_ok();
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
        })
    }
}

/// Whether a diagnostic is about the whole file, so that it bears on every verdict.
fn is_of_file(code: DiagnosticCode) -> bool {
    use DiagnosticCode::{FileCut, Utf16Bom, Utf16Invalid};
    matches!(code, FileCut | Utf16Bom | Utf16Invalid)
}

/// The `User-agent` lines of a group.
fn agents_of<'a>(robots: &'a RobotsTxt<'_>, group: &Group) -> &'a [robotsc::AgentLine] {
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

/// What another dialect says of the same file, crawler and URL.
struct Other {
    dialect: &'static Dialect,
    said: Result<Said, String>,
}

/// A verdict of another dialect.
struct Said {
    verdict: Verdict,
    line: u32,
    source: Vec<u8>,
}

/// What the other four dialects say.
fn others(body: &[u8], crawler: &Identity, url: &[u8], args: &ExplainArgs) -> Vec<Other> {
    let dialects = Dialect::ALL.into_iter().filter(|dialect| dialect.name != args.read.dialect.of_robots().name);
    let say = |dialect: &'static Dialect| {
        let path = UrlReader { dialect, raw: args.raw_url }.path(url)?;
        let robots = RobotsTxt::parse_with(body, dialect);
        let crawler = crawler.crawler(&robots).map_err(|_| "the header cannot be used".to_owned())?;
        let rules = robots.rule_set(&crawler);
        let decision = rules.decide(path.as_path()).map_err(|error| error.to_string())?;
        let rule = decision.rule.and_then(|index| rules.rules().get(index as usize));
        let source = rule.map_or_else(Vec::new, |rule| rule.source.of(robots.body()).to_owned());
        Ok(Said { verdict: decision.verdict, line: decision.line, source })
    };
    dialects.map(|dialect| Other { dialect, said: say(dialect) }).collect()
}
