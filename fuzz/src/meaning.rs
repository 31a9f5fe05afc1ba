//! What files mean for some crawlers, by the reference matcher.

use std::collections::BTreeSet;
use std::time::Duration;

use robotsc::analysis::Paths;
use robotsc::internal::reference;
use robotsc::program::DecidingRule;
use robotsc::rules::RuleOrigin;
use robotsc::url::UrlPathBuf;
use robotsc::{Crawler, Dialect, RobotsTxt, RuleSet, UrlError, UrlPath, Verdict};

/// The maximum number of rules of a file that paths are drawn from.
const MAX_RULES: usize = 24;

/// The maximum number of names of a file that are asked for.
const MAX_NAMES: usize = 6;

/// Returns three crawlers with names, and one that no group names.
pub(crate) fn crawlers() -> Vec<Crawler> {
    let named = ["a", "foo-bar", "MJ12bot"].map(|name| Crawler::new(name).expect("a name"));
    named.into_iter().chain([Crawler::others()]).collect()
}

/// Returns the crawlers that some files name, and one that no group names.
pub(crate) fn named_crawlers(files: &[&RobotsTxt<'_>]) -> Vec<Crawler> {
    let mut seen = BTreeSet::new();
    let mut crawlers = vec![Crawler::others()];
    for robots in files {
        let tokens = robots.agents().iter().map(|agent| agent.token.of(robots.body()));
        let new = tokens.filter(|token| seen.insert(token.to_ascii_lowercase()));
        crawlers.extend(new.filter_map(|token| Crawler::new(token).ok()).take(MAX_NAMES));
    }
    crawlers
}

/// What must stay if a file keeps its meaning: a verdict, the crawl delays and the sitemaps.
pub(crate) type Facts = (Verdict, BTreeSet<Duration>, Vec<Vec<u8>>);

/// Returns what must stay, for a crawler and a path.
pub(crate) fn facts(robots: &RobotsTxt<'_>, crawler: &Crawler, path: UrlPath<'_>) -> Facts {
    let selection = robots.select(crawler);
    let verdict = verdict(&robots.rule_set_of(&selection), path);
    let delays = robots.crawl_delays(&selection).collect();
    let mut sitemaps: Vec<Vec<u8>> = robots.sitemaps().into_iter().map(<[u8]>::to_vec).collect();
    sitemaps.sort();
    (verdict, delays, sitemaps)
}

/// Returns the verdict for a path in the form of the rules.
pub(crate) fn verdict(rules: &RuleSet, path: UrlPath<'_>) -> Verdict {
    DecidingRule::verdict_of(reference::deciding_rule(rules, path).expect("its form"))
}

/// Returns the line of the rule that decides a path; 0 is a rule of the dialect. A line without a value decides
/// nothing.
pub(crate) fn deciding_line(rules: &RuleSet, path: UrlPath<'_>) -> Option<u32> {
    let decided = reference::deciding_rule(rules, path).expect("its form")?;
    let is_empty = rules.rules()[decided.rule as usize].origin == RuleOrigin::EmptyLine;
    (!is_empty).then_some(decided.line)
}

/// Returns paths that a client can send, drawn from the rules of some files: what a pattern matches, and what it nearly
/// matches.
pub(crate) fn paths(files: &[&RobotsTxt<'_>]) -> BTreeSet<Vec<u8>> {
    let mut paths = BTreeSet::from([b"/".to_vec(), b"/zq?zq".to_vec()]);
    for robots in files {
        for line in robots.rules().iter().take(MAX_RULES) {
            let value = line.value.of(robots.body());
            let value = value.strip_suffix(b"$").unwrap_or(value);
            for star in [&b""[..], b"z", b"/", b"?z&"] {
                let filled = value.split(|byte| *byte == b'*').collect::<Vec<_>>().join(star);
                let shorter = filled.len().saturating_sub(1);
                let variants = [filled.clone(), [filled.as_slice(), b"z"].concat(), filled[..shorter].to_vec()];
                paths.extend(variants.iter().filter_map(|path| client_path(path)));
            }
        }
    }
    paths
}

/// Returns the path that a client sends; nothing for what is no path, such as one with another URL in it.
pub(crate) fn client_path(path: &[u8]) -> Option<Vec<u8>> {
    let slash = if path.starts_with(b"/") { &b""[..] } else { b"/" };
    let path = of_host(&Dialect::GOOGLE, &[slash, path].concat()).ok()?.into_cow().into_owned();
    Paths::Urls.contains(&path).then_some(path)
}

/// Returns the path of a client in the form of a dialect.
pub(crate) fn in_form(dialect: &Dialect, path: &[u8]) -> UrlPathBuf<'static> {
    of_host(dialect, path).expect("a path of a client")
}

/// Reads a path after a host, since it can begin with `//`.
fn of_host(dialect: &Dialect, path: &[u8]) -> Result<UrlPathBuf<'static>, UrlError> {
    let url = [b"https://h", path].concat();
    let path = dialect.url_path(&url)?.into_cow().into_owned();
    Ok(UrlPathBuf::owned(path, dialect.path_form()))
}
