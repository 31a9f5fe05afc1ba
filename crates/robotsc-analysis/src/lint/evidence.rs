//! URLs of the site, as evidence: what a rule really catches, and what a sitemap lists in vain.
//!
//! ```text
//! Disallow: /c            /c/sale and /communities are URLs of the site: the rule was meant for one of them
//! sitemap: /c/sale        Googlebot may not fetch what the sitemap asks it to
//! ```

use std::collections::BTreeMap;

use robotsc_compiler::{RuleKind, Severity};

use super::context::{Context, SEARCH_AGENTS, quoted};
use super::finding::Finding;

/// URLs of the site under lint, as they were given.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Pages, from a log or a crawl.
    pub(super) urls: Vec<Vec<u8>>,
    /// Pages that a sitemap lists.
    pub(super) sitemap: Vec<Vec<u8>>,
}

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>, evidence: &Evidence) {
    let paths = |urls: &[Vec<u8>]| -> Vec<Vec<u8>> {
        let dialect = context.robots.dialect();
        let path = |url: &Vec<u8>| Some(dialect.url_path(url).ok()?.as_bytes().to_vec());
        urls.iter().filter_map(path).collect()
    };
    let sitemap = paths(&evidence.sitemap);
    let mut all = paths(&evidence.urls);
    all.extend_from_slice(&sitemap);
    all.sort_unstable();
    all.dedup();
    listed(context, &sitemap);
    prefixes(context, &all);
}

/// Pages of a sitemap that search engines may not fetch, by the line that disallows them.
fn listed(context: &mut Context<'_>, sitemap: &[Vec<u8>]) {
    let Some(check) = context.check("sitemap-blocked") else { return };
    let mut of_line: BTreeMap<u32, (&str, usize, &[u8])> = BTreeMap::new();
    for agent in SEARCH_AGENTS {
        let Some(obeyed) = context.obeyed_by(agent) else { continue };
        let mut own: BTreeMap<u32, (usize, &[u8])> = BTreeMap::new();
        for path in sitemap {
            let (verdict, line) = obeyed.decide(path);
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
}

/// Prefixes that were meant as sections: `/c` for `/c/sale`, and not for `/communities`.
fn prefixes(context: &mut Context<'_>, paths: &[Vec<u8>]) {
    let Some(check) = context.check("prefix-overreach") else { return };
    let mut found = Vec::new();
    for rule in context.robots.rules().iter().filter(|rule| rule.kind == RuleKind::Disallow) {
        let value = context.value(rule);
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
        if value.iter().any(|byte| b"*$%?".contains(byte)) || !value.last().is_some_and(is_word) {
            continue;
        }
        let start = paths.partition_point(|path| path.as_slice() < value);
        let with_prefix = || paths[start..].iter().take_while(|path| path.starts_with(value));
        let is_section =
            |path: &&Vec<u8>| !path.get(value.len()).is_some_and(|byte| is_word(byte) || b"-_".contains(byte));
        // If no URL is of the section itself, the prefix is meant as one.
        if !with_prefix().any(|path| is_section(&path)) {
            continue;
        }
        let is_decided = |path: &&Vec<u8>| context.obeyed.iter().any(|obeyed| obeyed.decide(path).1 == rule.line);
        let Some(other) = with_prefix().filter(|path| !is_section(path)).find(is_decided) else { continue };
        let text = quoted(value);
        let message = format!("{text} is a section of the site, and also matches other URLs of it");
        found.push(Finding::new(check, rule.line, rule.value, message).severity(Severity::Warning).witness(other));
    }
    // Each says more than that without evidence.
    let lines: Vec<u32> = found.iter().map(|finding| finding.line).collect();
    context.found.retain(|finding| finding.check != check || !lines.contains(&finding.line));
    context.found.extend(found);
}

#[cfg(test)]
mod tests {
    use crate::lint::{Finding, Lint};
    use robotsc_compiler::RobotsTxt;

    fn found(body: &str, lint: Lint) -> Vec<(&'static str, u32, Option<String>)> {
        let shown = |finding: Finding| (finding.check.code, finding.line, finding.witness);
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
