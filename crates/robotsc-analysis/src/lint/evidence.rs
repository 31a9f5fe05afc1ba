//! URLs of the site, as evidence: what a rule really catches, and what a sitemap lists in vain.
//!
//! ```text
//! Disallow: /c            /c/sale and /communities are URLs of the site: the rule was meant for one of them
//! sitemap: /c/sale        Googlebot may not fetch what the sitemap asks it to
//! ```

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::small_sort::{SmallCollect as _, SmallSort as _};
use robotsc_compiler::{ByteSpan, Dialect, RuleKind, Severity};

use super::check::LintCheck;
use super::context::{Context, SEARCH_AGENTS, quoted};
use super::finding::Finding;
use super::reach::own_host;
use crate::text::hosts::{host_of_url, without_www};
use crate::text::words::counted;

/// URLs of the site under lint, as they were given.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Pages, from a log or a crawl.
    pub(super) urls: Vec<Vec<u8>>,
    /// Pages that a sitemap lists.
    pub(super) sitemap: Vec<Vec<u8>>,
}

impl Evidence {
    /// Reports whether a check finds all that it can find: some find more with evidence.
    pub(super) const fn shows(&self, check: LintCheck) -> bool {
        match check {
            LintCheck::PrefixOverreach | LintCheck::SitemapBlocked => !self.urls.is_empty() || !self.sitemap.is_empty(),
            LintCheck::RuleUnmatched => !self.urls.is_empty(),
            _ => true,
        }
    }

    /// Returns the paths of the URLs.
    pub(super) fn paths(&self, dialect: &Dialect) -> EvidencePaths {
        let paths = |urls: &[Vec<u8>]| -> Vec<Vec<u8>> {
            let path = |url: &Vec<u8>| Some(dialect.url_path(url).ok()?.as_bytes().to_vec());
            urls.iter().filter_map(path).collect()
        };
        let mut urls = paths(&self.urls);
        urls.small_sort_unstable();
        urls.dedup();
        let mut hosts = BTreeMap::new();
        for host in self.urls.iter().filter_map(|url| host_of_url(url)) {
            *hosts.entry(host).or_default() += 1;
        }
        EvidencePaths { urls, sitemap: paths(&self.sitemap), hosts }
    }
}

/// The paths of the URLs under lint.
#[derive(Debug)]
pub(super) struct EvidencePaths {
    /// Those of pages, in order and each once.
    pub(super) urls: Vec<Vec<u8>>,
    /// Those that a sitemap lists.
    sitemap: Vec<Vec<u8>>,
    /// How many of the pages are of each host, as far as they are whole URLs.
    hosts: BTreeMap<Vec<u8>, usize>,
}

/// URLs of other hosts, for which the rules do not count.
fn hosts(context: &mut Context<'_>, hosts: &BTreeMap<Vec<u8>, usize>) {
    let Some(check) = context.check(LintCheck::RuleUnmatched).filter(|_| !hosts.is_empty()) else { return };
    let own = own_host(context).map(|host| without_www(&host));
    let all: usize = hosts.values().sum();
    let others = hosts.iter().filter(|(host, _)| own.as_ref() != Some(*host));
    let (count, first) =
        (others.clone().map(|(_, count)| count).sum::<usize>(), others.max_by_key(|(_, count)| **count));
    let Some((other, _)) = first else { return };
    let urls = counted(all as u64, "URL");
    let message = match &own {
        Some(own) if count == all => {
            let (other, own) = (quoted(other), quoted(own));
            format!(
                "the {urls} are of {other}, and the sitemaps of the file of {own}: each host has its own robots.txt"
            )
        }
        Some(own) => format!("{count} of the {urls} are not of {}, where the sitemaps of the file are", quoted(own)),
        None if hosts.len() > 1 => {
            format!("the {urls} are of {} hosts, such as {}: the rules count for one", hosts.len(), quoted(other))
        }
        None => return,
    };
    let is_wrong = own.is_some() && count == all;
    let severity = if is_wrong { Severity::Warning } else { Severity::Info };
    context.found.push(Finding::new(check, 0, ByteSpan::default(), message).severity(severity));
}

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>, evidence: &EvidencePaths) {
    let EvidencePaths { urls, sitemap, hosts: of_hosts } = evidence;
    if urls.is_empty() && sitemap.is_empty() {
        return;
    }
    hosts(context, of_hosts);
    listed(context, sitemap);
    if sitemap.is_empty() {
        prefixes(context, urls);
        return;
    }
    let mut all = [urls.as_slice(), sitemap].concat();
    all.small_sort_unstable();
    all.dedup();
    prefixes(context, &all);
}

/// Pages of a sitemap that search engines may not fetch, by the line that disallows them.
fn listed(context: &mut Context<'_>, sitemap: &[Vec<u8>]) {
    let Some(check) = context.check(LintCheck::SitemapBlocked) else { return };
    let mut of_line: BTreeMap<u32, (&str, usize, &[u8])> = BTreeMap::new();
    let mut is_decided = true;
    for agent in SEARCH_AGENTS {
        let Some(obeyed) = context.obeyed_by(agent) else { continue };
        let mut own: BTreeMap<u32, (usize, &[u8])> = BTreeMap::new();
        for path in sitemap {
            let Ok((verdict, line)) = obeyed.decide(path) else {
                is_decided = false;
                break;
            };
            if !verdict.is_allow() {
                own.entry(line).or_insert((0, path)).0 += 1;
            }
        }
        for (line, (count, path)) in own {
            of_line.entry(line).or_insert((agent, count, path));
        }
    }
    let mut found = Vec::new();
    for (line, (agent, count, path)) in of_line {
        let Some(rule) = context.rule_of_line(line) else { continue };
        let urls = if count == 1 { "a URL".to_owned() } else { format!("{count} URLs") };
        let text = quoted(context.lines.text(line).trim_ascii());
        let message = format!("{text} blocks {urls} of the sitemap for {agent}");
        found.push(Finding::new(check, line, rule.value, message).witness(path));
    }
    context.found.extend(found);
    if !is_decided {
        let message = "whether all URLs of the sitemap can be fetched was not decided: they are too many";
        context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
    }
}

/// Prefixes that were meant as sections: `/c` for `/c/sale`, and not for `/communities`.
fn prefixes(context: &mut Context<'_>, paths: &[Vec<u8>]) {
    let Some(check) = context.check(LintCheck::PrefixOverreach) else { return };
    // By line the first URL that it disallows and that is not of the section.
    let mut others: BTreeMap<u32, &[u8]> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut is_decided = true;
    'groups: for obeyed in context.obeyed.iter().filter(|obeyed| seen.insert(obeyed.same_rules)) {
        for path in paths {
            let Ok((verdict, line)) = obeyed.decide(path) else {
                is_decided = false;
                break 'groups;
            };
            let Some(rule) = context.rule_of_line(line).filter(|_| !verdict.is_allow()) else { continue };
            let value = context.value(rule);
            if is_prefix(rule.kind, value) && path.get(value.len()).is_some_and(goes_on) {
                others.entry(line).or_insert(path);
            }
        }
    }
    let mut found = Vec::new();
    for (line, other) in others {
        let Some(rule) = context.rule_of_line(line) else { continue };
        let value = context.value(rule);
        // If no URL is of the section itself, the prefix is meant as one.
        if has_section(paths, value) {
            let message = format!("{} is a section of the site, and also matches other URLs of it", quoted(value));
            found.push(Finding::new(check, line, rule.value, message).severity(Severity::Warning).witness(other));
        }
    }
    // Each says more than that without evidence.
    let lines: BTreeSet<u32> = found.iter().map(|finding| finding.line).small_collect();
    context.found.retain(|finding| finding.check != check || !lines.contains(&finding.line));
    context.found.extend(found);
    if !is_decided {
        let message = "whether prefixes match other sections was not decided: the URLs are too many";
        context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
    }
}

/// Reports whether a Disallow is a literal prefix that ends within a name.
fn is_prefix(kind: RuleKind, value: &[u8]) -> bool {
    kind == RuleKind::Disallow
        && !value.iter().any(|byte| b"*$%?".contains(byte))
        && value.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Reports whether a byte goes on with the name before it.
fn goes_on(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_".contains(byte)
}

/// Reports whether one of the sorted paths is of a section: the value itself, or the value and a sign such as `/`.
fn has_section(paths: &[Vec<u8>], value: &[u8]) -> bool {
    let starts_with = |prefix: &[u8]| {
        let at = paths.partition_point(|path| path.as_slice() < prefix);
        paths.get(at).is_some_and(|path| path.starts_with(prefix))
    };
    paths.binary_search_by(|path| path.as_slice().cmp(value)).is_ok()
        || (0..=u8::MAX).filter(|byte| !goes_on(byte)).any(|byte| starts_with(&[value, &[byte]].concat()))
}

#[cfg(test)]
mod tests {
    use crate::lint::{Finding, Lint};
    use robotsc_compiler::RobotsTxt;

    fn found(body: &str, lint: Lint) -> Vec<(&'static str, u32, Option<String>)> {
        let shown = |finding: Finding| (finding.check.code(), finding.line, finding.witness);
        lint.run(&RobotsTxt::parse(body.as_bytes())).into_iter().map(shown).collect()
    }

    fn urls(urls: &[&str]) -> Vec<Vec<u8>> {
        urls.iter().map(|url| url.as_bytes().to_vec()).collect()
    }

    #[test]
    fn a_prefix_that_catches_another_section() {
        let body = "User-agent: *\nDisallow: /c\nDisallow: /product\nDisallow: /tmp\n";
        let lint = Lint::new().urls(urls(&["https://h/c/sale", "/communities/a", "/products/1", "/tmp/x", "/tmp.old"]));
        let wanted = [("prefix-overreach", 2, Some("/communities/a".to_owned()))];
        assert_eq!(found(body, lint), wanted);
        assert_eq!(found(body, Lint::new()), []);
    }

    #[test]
    fn a_sitemap_that_lists_what_is_blocked() {
        let body = "User-agent: *\nDisallow: /private\nDisallow: /*?\n\nUser-agent: bingbot\nDisallow: /old/\n";
        let lint = Lint::new().sitemap_urls(urls(&["/", "/private/a", "/private/b", "https://h/old/", "/x?y=1"]));
        let wanted = [
            ("sitemap-blocked", 2, Some("/private/a".to_owned())),
            ("sitemap-blocked", 3, Some("/x?y=1".to_owned())),
            ("sitemap-blocked", 6, Some("/old/".to_owned())),
        ];
        let found: Vec<_> = found(body, lint).into_iter().filter(|(code, ..)| *code == "sitemap-blocked").collect();
        assert_eq!(found, wanted);
    }
}
