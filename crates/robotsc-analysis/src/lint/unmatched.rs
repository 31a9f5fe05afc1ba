//! Rules that match none of the URLs of a site.
//!
//! ```text
//! Disallow: /Img/     rule-unmatched: /img/a.png is a URL of the site, and `/img/` would match it and 13 others
//! Disallow: /old/     rule-unmatched, a note: no URL of the list is near
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};

use robotsc_compiler::{ByteSpan, Dialect, RuleKind, RuleLine, RuleSet, Severity, UrlPath};

use super::check::LintCheck;
use super::context::{Context, Obeyed, quoted};
use super::finding::{Finding, Fix};
use crate::near_miss::{Found, Miss, Pieces, Sieve};
use crate::patterns::heads::head;
use crate::search::{NotDecided, SearchLimits, match_work};
use crate::text::words::{counted, listed};

/// The maximum number of pairs of a rule and a URL that are looked at for near misses.
const MAX_LOOKS: usize = 1 << 20;
/// The maximum number of URLs that a rule is compared with closely, and that all rules are.
const MAX_TRIES: [usize; 2] = [64, 1 << 12];
/// The number of patterns that are tried for a rule. The one that matches most URLs is shown.
const MAX_MENDED: usize = 4;

/// A rule that matches no URL, and what was perhaps meant.
struct Unmatched<'c> {
    line: &'c RuleLine,
    /// A pattern that matches a URL, and that URL.
    mended: Vec<(Found, &'c [u8])>,
    /// The number of URLs that it was compared with closely.
    tries: usize,
}

/// Runs the check, over sorted paths of URLs. `budget` is what it may cost.
pub(super) fn check<'c>(context: &mut Context<'c>, paths: &'c [Vec<u8>], budget: &SearchLimits) {
    let Some(check) = context.check(LintCheck::RuleUnmatched) else { return };
    if paths.is_empty() {
        return;
    }
    let dialect = context.robots.dialect();
    let counts = Counts { dialect, paths, budget };
    let mut known: HashMap<(RuleKind, &[u8]), bool> = HashMap::new();
    let mut unmatched = Vec::new();
    let mut is_decided = true;
    for line in context.robots.rules() {
        let value = context.value(line);
        if value.is_empty() || context.explained.contains(&line.line) {
            continue;
        }
        let matches = match known.get(&(line.kind, value)) {
            Some(matches) => Ok(*matches),
            None => counts.of(line.kind, value, 1).map(|count| count > 0),
        };
        match matches {
            Ok(matches) => {
                known.insert((line.kind, value), matches);
                if !matches {
                    unmatched.push(Unmatched { line, mended: Vec::new(), tries: 0 });
                }
            }
            Err(NotDecided) => {
                is_decided = false;
                break;
            }
        }
    }
    find_mended(context, paths, &mut unmatched);
    for rule in unmatched {
        match finding(context, check, &counts, &rule) {
            Ok(finding) => context.found.push(finding),
            Err(NotDecided) => is_decided = false,
        }
    }
    if !is_decided {
        let message = "which rules match none of the URLs was not decided: the URLs are too many";
        context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
    }
}

/// Finds patterns that were perhaps meant, by URLs whose verdict they would change.
fn find_mended<'c>(context: &Context<'c>, paths: &'c [Vec<u8>], rules: &mut [Unmatched<'c>]) {
    let written: HashSet<&[u8]> = context.robots.rules().iter().map(|line| context.value(line)).collect();
    let obeyed = obeyed_by(context, rules);
    let value = |line: &RuleLine| line.value.of(context.robots.body());
    let pieces: Vec<Pieces> = rules.iter().map(|rule| Pieces::of(value(rule.line))).collect();
    let mut tries = 0;
    let dialect = context.robots.dialect();
    // Of many URLs, some from each part of the list.
    let step = paths.len().div_ceil((MAX_LOOKS / rules.len().max(1)).max(1)).max(1);
    for path in paths.iter().step_by(step) {
        let sieve = Sieve::new(path);
        let url = UrlPath::assume(path, dialect.path_form());
        let mut miss = None;
        for ((rule, obeyed), pieces) in rules.iter_mut().zip(&obeyed).zip(&pieces) {
            let is_done = rule.mended.len() == MAX_MENDED || rule.tries == MAX_TRIES[0] || tries == MAX_TRIES[1];
            if is_done || !sieve.may_be_near(pieces) {
                continue;
            }
            rule.tries += 1;
            tries += 1;
            let miss = miss.get_or_insert_with(|| Miss::new(dialect, url, path));
            let Ok(Some(found)) = miss.of_rule(rule.line.kind, value(rule.line)) else { continue };
            let is_new = rule.mended.iter().all(|(known, _)| known.pattern != found.pattern);
            let kind = rule.line.kind;
            let changes = |obeyed: &Obeyed<'_>| {
                obeyed.decide(path).is_ok_and(|(verdict, _)| verdict.is_allow() == (kind == RuleKind::Disallow))
            };
            if is_new && !written.contains(found.pattern.as_slice()) && obeyed.is_some_and(changes) {
                rule.mended.push((found, path));
            }
        }
    }
}

/// Returns for each rule agents that obey it.
fn obeyed_by<'o, 'c>(context: &'o Context<'c>, rules: &[Unmatched<'_>]) -> Vec<Option<&'o Obeyed<'c>>> {
    let groups = context.robots.groups();
    let mut of_group: HashMap<u32, &Obeyed<'_>> = HashMap::new();
    for obeyed in &context.obeyed {
        for group in &obeyed.audience.groups {
            of_group.entry(group.0).or_insert(obeyed);
        }
    }
    let all = context.robots.rules();
    let obeyed = |rule: &Unmatched<'_>| {
        let at = all.binary_search_by_key(&rule.line.line, |line| line.line).ok()? as u32;
        let group = groups.partition_point(|group| group.rules.end <= at);
        of_group.get(&(group as u32)).copied()
    };
    rules.iter().map(obeyed).collect()
}

fn finding(
    context: &Context<'_>,
    check: LintCheck,
    counts: &Counts<'_>,
    rule: &Unmatched<'_>,
) -> Result<Finding, NotDecided> {
    let line = rule.line;
    let text = quoted(context.lines.text(line.line).trim_ascii());
    let urls = counted(counts.paths.len() as u64, "URL");
    let mut best: Option<(u64, &(Found, &[u8]))> = None;
    for mended in &rule.mended {
        let count = counts.of(line.kind, &mended.0.pattern, u64::MAX)?;
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, mended));
        }
    }
    let Some((count, (found, path))) = best else {
        let message = format!("{text} matches none of the {urls}");
        return Ok(Finding::new(check, line.line, line.value, message).severity(Severity::Info));
    };
    let reasons: Vec<String> = found.reasons.iter().map(ToString::to_string).collect();
    let pattern = quoted(&found.pattern);
    let message = format!("{text} matches none of the {urls}, and {pattern} would match {count}: {}", listed(&reasons));
    let fix = Fix::replace(format!("write {pattern}"), line.value, found.pattern.clone());
    Ok(Finding::new(check, line.line, line.value, message).witness(path).fix(fix))
}

/// Counts the URLs that rules match.
struct Counts<'c> {
    dialect: &'c Dialect,
    /// In order.
    paths: &'c [Vec<u8>],
    budget: &'c SearchLimits,
}

impl Counts<'_> {
    /// Returns how many URLs a rule matches, at most `most`.
    fn of(&self, kind: RuleKind, value: &[u8], most: u64) -> Result<u64, NotDecided> {
        let set = RuleSet::from_rules(self.dialect, [(kind, value, 1)]);
        let rules: Vec<_> = set.rules().iter().filter(|rule| rule.line == 1).collect();
        let heads: Vec<&[u8]> = rules.iter().map(|rule| head(set.pattern(rule))).collect();
        let mut matched = BTreeSet::new();
        for (rule, head) in rules.iter().zip(heads) {
            let from = self.paths.partition_point(|path| path.as_slice() < head);
            for (at, path) in self.paths.iter().enumerate().skip(from).take_while(|(_, path)| path.starts_with(head)) {
                self.budget.take(match_work(set.pattern(rule), path))?;
                if set.matches(rule, UrlPath::assume(path, set.path_form())) == Ok(true) {
                    matched.insert(at);
                    if matched.len() as u64 >= most {
                        return Ok(most);
                    }
                }
            }
        }
        Ok(matched.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::RobotsTxt;

    use crate::lint::{Lint, LintCheck};

    fn found(body: &str, urls: &[&str]) -> Vec<String> {
        let body = body.replace('|', "\n");
        let lint = Lint::new().urls(urls.iter().map(|url| url.as_bytes().to_vec()));
        let found = lint.run(&RobotsTxt::parse(body.as_bytes()));
        let found = found.into_iter().filter(|finding| finding.check == LintCheck::RuleUnmatched);
        let shown = |finding: crate::lint::Finding| {
            let (severity, line, message) = (finding.severity, finding.line, finding.message);
            let fix = finding.fix.map_or_else(String::new, |fix| format!("; {}", fix.title));
            format!("{line} {severity}: {message}{fix}")
        };
        found.map(shown).collect()
    }

    #[test]
    fn rules_that_match_no_url_are_named() {
        let urls = ["https://h/img/a.png", "/img/b.png", "/shop?p=1&b=9", "/shop/?b=9", "/x/1", "/old"];
        for (rules, wanted) in [
            ("Disallow: /img/|Disallow: /x|Allow: /old$", &[][..]),
            (
                "Disallow: /Img/",
                &["2 warning: `Disallow: /Img/` matches none of the 6 URLs, and `/img/` would match 2: upper and \
                     lower case differ; write `/img/`"],
            ),
            (
                "Disallow: /?b=9",
                &["2 warning: `Disallow: /?b=9` matches none of the 6 URLs, and `/*?b=9` would match 1: it begins at \
                   the root, and the path does not begin with it; write `/*?b=9`"],
            ),
            (
                "Disallow: //x/",
                &["2 warning: `Disallow: //x/` matches none of the 6 URLs, and `/x/` would match 1: the slashes \
                   differ; write `/x/`"],
            ),
            ("Disallow: /none/", &["2 info: `Disallow: /none/` matches none of the 6 URLs"]),
            // The other spelling is there already, or changes nothing.
            ("Disallow: /Img/|Disallow: /img/", &["2 info: `Disallow: /Img/` matches none of the 6 URLs"]),
            ("Disallow: /Img/|Disallow: /img", &["2 info: `Disallow: /Img/` matches none of the 6 URLs"]),
            (
                "Disallow: /|Allow: /Img/",
                &["3 warning: `Allow: /Img/` matches none of the 6 URLs, and `/img/` would match 2: upper and \
                     lower case differ; write `/img/`"],
            ),
            ("Disallow:", &[]),
        ] {
            assert_eq!(found(&format!("User-agent: *|{rules}|"), &urls), wanted, "{rules}");
        }
        assert!(found("User-agent: *|Disallow: /none/|", &[]).is_empty());
    }

    #[test]
    fn many_urls_are_read_within_the_budget() {
        let urls: Vec<String> = (0..5_000).map(|at| format!("/shop/{at}/item?sort={at}")).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let rules: String = (0..100).map(|at| format!("Disallow: /*Sort={at}x|")).collect();
        assert_eq!(found(&format!("User-agent: *|Disallow: /Shop/|{rules}"), &urls).len(), 101);
    }
}
