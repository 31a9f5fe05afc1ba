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
use crate::agents::group_of_rule;
use crate::near_miss::{Found, MAX_PATH_BYTES, Miss, NearMissReason, Pieces, Sieve};
use crate::patterns::heads::head;
use crate::rules::RuleAnalysis;
use crate::rules::compare::opened;
use crate::search::{NotDecided, SearchBudget, match_work};
use crate::space::Paths;
use crate::text::words::{counted, listed};

/// The maximum number of pairs of a rule and a URL that are looked at for near misses.
const MAX_LOOKS: usize = 1 << 20;
/// The maximum number of URLs that a rule is compared with closely, and that all rules are.
const MAX_TRIES: [usize; 2] = [64, 1 << 12];
/// The bytes of a URL that are searched for a piece of a rule in the time of a unit of [`SearchBudget`].
const BYTES_PER_UNIT: u64 = 16;
/// The number of patterns that are tried for a rule. The one that matches most URLs is shown.
const MAX_MENDED: usize = 4;

/// A rule that matches no URL, and what was perhaps meant.
struct Unmatched<'c> {
    line: &'c RuleLine,
    /// A pattern that matches a URL, and that URL.
    mended: Vec<(Found, &'c [u8])>,
    /// The number of URLs that it was compared with closely.
    tries: usize,
    /// Whether all URLs that could be near were compared, or enough for some patterns.
    is_searched: bool,
}

/// What the check may cost, apart from the other checks: a list of URLs can be long.
#[derive(Debug, Default)]
struct Budgets {
    /// Matching the rules with the URLs.
    matches: SearchBudget,
    /// Finding what was meant, and counting what that matches.
    near: SearchBudget,
}

/// Runs the check, over sorted paths of URLs.
pub(super) fn check<'c>(context: &mut Context<'c>, paths: &'c [Vec<u8>]) {
    check_within(context, paths, &Budgets::default());
}

fn check_within<'c>(context: &mut Context<'c>, paths: &'c [Vec<u8>], budgets: &Budgets) {
    let Some(check) = context.check(LintCheck::RuleUnmatched) else { return };
    if paths.is_empty() {
        return;
    }
    let dialect = context.robots.dialect();
    let counts = Counts { dialect, paths, budget: &budgets.matches };
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
                    unmatched.push(Unmatched { line, mended: Vec::new(), tries: 0, is_searched: true });
                }
            }
            Err(NotDecided) => {
                is_decided = false;
                break;
            }
        }
    }
    find_mended(context, paths, &mut unmatched, &budgets.near);
    let counts = Counts { budget: &budgets.near, ..counts };
    let found = unmatched.iter().map(|rule| finding(context, check, &counts, rule)).collect::<Vec<_>>();
    context.found.extend(found);
    if !is_decided {
        let message = "which rules match none of the URLs was not decided: the URLs are too many";
        context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
    }
}

/// Finds patterns that were perhaps meant, by URLs whose verdict they would change.
fn find_mended<'c>(context: &Context<'c>, paths: &'c [Vec<u8>], rules: &mut [Unmatched<'c>], budget: &SearchBudget) {
    let written: HashSet<&[u8]> = context.robots.rules().iter().map(|line| context.value(line)).collect();
    let obeyed = obeyed_by(context, rules);
    let pieces: Vec<Pieces> = rules.iter().map(|rule| Pieces::of(context.value(rule.line))).collect();
    let mut left = MAX_TRIES[1];
    // Of many URLs, some from each part of the list.
    let step = paths.len().div_ceil((MAX_LOOKS / rules.len().max(1)).max(1)).max(1);
    let mut are_all_tried = step == 1;
    for path in paths.iter().step_by(step) {
        if path.len() > MAX_PATH_BYTES {
            are_all_tried = false;
            continue;
        }
        let mut near = NearPath::new(context, path, budget);
        for ((rule, obeyed), pieces) in rules.iter_mut().zip(&obeyed).zip(&pieces) {
            let Some(obeyed) = obeyed.filter(|_| rule.mended.len() < MAX_MENDED && rule.is_searched) else { continue };
            match near.may_be(rule.line, pieces) {
                Ok(true) if rule.tries < MAX_TRIES[0] && left > 0 => {}
                Ok(false) => continue,
                _ => {
                    rule.is_searched = false;
                    continue;
                }
            }
            rule.tries += 1;
            left -= 1;
            let is_new = |found: &Found| {
                rule.mended.iter().all(|(known, _)| known.pattern != found.pattern)
                    && !written.contains(found.pattern.as_slice())
            };
            match near.of_rule(rule.line, obeyed) {
                Ok(found) => {
                    let found = found.filter(is_new);
                    rule.mended.extend(found.map(|found| (found, path.as_slice())));
                }
                Err(NotDecided) => rule.is_searched = false,
            }
        }
    }
    for rule in rules {
        rule.is_searched = (rule.is_searched && are_all_tried) || rule.mended.len() == MAX_MENDED;
    }
}

/// A URL that rules are compared with, within a budget.
struct NearPath<'p, 'c> {
    context: &'p Context<'c>,
    path: &'c [u8],
    budget: &'p SearchBudget,
    sieve: Option<Sieve>,
    miss: Option<Miss<'p>>,
}

impl<'p, 'c> NearPath<'p, 'c> {
    fn new(context: &'p Context<'c>, path: &'c [u8], budget: &'p SearchBudget) -> Self {
        Self { context, path, budget, sieve: None, miss: None }
    }

    /// Reports whether a rule can be near, by one look.
    fn may_be(&mut self, line: &RuleLine, pieces: &Pieces) -> Result<bool, NotDecided> {
        let bytes = self.path.len() as u64;
        if self.sieve.is_none() {
            self.budget.take(bytes)?;
        }
        let stars = 1 + self.context.value(line).iter().filter(|byte| b"*?&".contains(byte)).count() as u64;
        self.budget.take(1 + stars * bytes / BYTES_PER_UNIT)?;
        Ok(self.sieve.get_or_insert_with(|| Sieve::new(self.path)).may_be_near(pieces))
    }

    /// Returns how a rule is near, if what it means would change the verdict.
    fn of_rule(&mut self, line: &RuleLine, obeyed: &Obeyed<'_>) -> Result<Option<Found>, NotDecided> {
        let miss = match &mut self.miss {
            Some(miss) => miss,
            none => {
                let dialect = self.context.robots.dialect();
                let url = UrlPath::assume(self.path, dialect.path_form());
                none.insert(Miss::new(dialect, url, self.path, self.budget)?)
            }
        };
        let value = self.context.value(line);
        let found = miss.of_rule(line.kind, value)?.filter(|found| found.is_of_host(value, || self.context.hosts()));
        let Some(found) = found else { return Ok(None) };
        let (verdict, _) = obeyed.decide(self.path)?;
        Ok((verdict.is_allow() == (line.kind == RuleKind::Disallow)).then_some(found))
    }
}

/// Returns for each rule agents that obey it.
fn obeyed_by<'o, 'c>(context: &'o Context<'c>, rules: &[Unmatched<'_>]) -> Vec<Option<&'o Obeyed<'c>>> {
    let mut of_group: HashMap<u32, &Obeyed<'_>> = HashMap::new();
    for obeyed in &context.obeyed {
        for group in &obeyed.audience.groups {
            of_group.entry(group.0).or_insert(obeyed);
        }
    }
    let obeyed = |rule: &Unmatched<'_>| {
        let group = group_of_rule(context.robots, rule.line.line)?;
        of_group.get(&(group as u32)).copied()
    };
    rules.iter().map(obeyed).collect()
}

fn finding(context: &Context<'_>, check: LintCheck, counts: &Counts<'_>, rule: &Unmatched<'_>) -> Finding {
    let line = rule.line;
    let text = quoted(context.lines.text(line.line).trim_ascii());
    let urls = counted(counts.paths.len() as u64, "URL");
    let mut best: Option<(u64, &(Found, &[u8]))> = None;
    let mut is_searched = rule.is_searched;
    for mended in &rule.mended {
        let Ok(count) = counts.of(line.kind, &mended.0.pattern, u64::MAX) else {
            is_searched = false;
            break;
        };
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, mended));
        }
    }
    let rest = if is_searched { "" } else { "; not all of them were searched for what it was perhaps meant to match" };
    let Some((count, (found, path))) = best else {
        let message = format!("{text} matches none of the {urls}{rest}");
        return Finding::new(check, line.line, line.value, message).severity(Severity::Info);
    };
    let reasons: Vec<String> = found.reasons.iter().map(ToString::to_string).collect();
    let (pattern, reasons) = (quoted(&found.pattern), listed(&reasons));
    let message = format!("{text} matches none of the {urls}, and {pattern} would match {count}: {reasons}");
    let mut finding = Finding::new(check, line.line, line.value, message).witness(path);
    finding.fix = fix(context, counts.budget, line, found);
    finding
}

/// Returns a fix that writes a pattern in place of that of a rule, or beside it if the parameters are in another order.
/// `None` if another finding of the line has a fix.
fn fix(context: &Context<'_>, budget: &SearchBudget, line: &RuleLine, found: &Found) -> Option<Fix> {
    let has_fix = |other: &Finding| {
        let is_shown = other.severity >= Severity::Warning;
        other.line == line.line && is_shown && other.fix.as_ref().is_some_and(|fix| !fix.is_safe)
    };
    if context.found.iter().any(has_fix) {
        return None;
    }
    let pattern = quoted(&found.pattern);
    if found.reasons.contains(&NearMissReason::Order) {
        let rule = [line.kind.as_str().as_bytes(), b": ", &found.pattern, context.lines.end_of_line()].concat();
        return Some(Fix::insert(format!("add {pattern}"), context.lines.whole(line.line).end, rule));
    }
    let value = context.value(line);
    let title = if covers(context.robots.dialect(), budget, value, &found.pattern) {
        format!("write {pattern}")
    } else {
        format!("write {pattern}, which does not match all that {} does", quoted(value))
    };
    Some(Fix::replace(title, line.value, found.pattern.clone()))
}

/// Reports whether a pattern matches all URLs that another does. If that is not decided, it does not.
fn covers(dialect: &Dialect, budget: &SearchBudget, old: &[u8], new: &[u8]) -> bool {
    let sets = [old, new].map(|value| RuleSet::from_rules(dialect, [(RuleKind::Disallow, value, 1)]));
    let [old, new] = sets.each_ref().map(|set| RuleAnalysis::of(set, dialect, Paths::Urls, budget));
    opened(&old, &new).is_ok_and(|opened| opened.is_empty())
}

/// Counts the URLs that rules match.
struct Counts<'c> {
    dialect: &'c Dialect,
    /// In order.
    paths: &'c [Vec<u8>],
    budget: &'c SearchBudget,
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

    use super::*;
    use crate::lint::Lint;
    use crate::lint::check::CheckChoice;
    use crate::lint::context::Parts;

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
                     lower case differ; write `/img/`, which does not match all that `/Img/` does"],
            ),
            (
                "Disallow: /?b=9",
                &["2 warning: `Disallow: /?b=9` matches none of the 6 URLs, and `/*?b=9` would match 1: it begins at \
                   the root, and the path does not begin with it; write `/*?b=9`"],
            ),
            (
                "Disallow: //x/",
                &["2 warning: `Disallow: //x/` matches none of the 6 URLs, and `/x/` would match 1: the slashes \
                   differ"],
            ),
            ("Disallow: /none/", &["2 info: `Disallow: /none/` matches none of the 6 URLs"]),
            // The other spelling is there already, or changes nothing.
            ("Disallow: /Img/|Disallow: /img/", &["2 info: `Disallow: /Img/` matches none of the 6 URLs"]),
            ("Disallow: /Img/|Disallow: /img", &["2 info: `Disallow: /Img/` matches none of the 6 URLs"]),
            (
                "Disallow: /|Allow: /Img/",
                &["3 warning: `Allow: /Img/` matches none of the 6 URLs, and `/img/` would match 2: upper and \
                     lower case differ; write `/img/`, which does not match all that `/Img/` does"],
            ),
            ("Disallow:", &[]),
        ] {
            assert_eq!(found(&format!("User-agent: *|{rules}|"), &urls), wanted, "{rules}");
        }
        assert!(found("User-agent: *|Disallow: /none/|", &[]).is_empty());
    }

    /// The findings of this check, within some work for near misses.
    fn within(near: u64, body: &str, urls: &[&str]) -> Vec<String> {
        let body = body.replace('|', "\n");
        let robots = RobotsTxt::parse(body.as_bytes());
        let (parts, limits, choice) = (Parts::new(&robots), SearchBudget::default(), CheckChoice::default());
        let mut context = Context::new(&robots, &parts, &limits, &choice);
        let paths: Vec<Vec<u8>> = urls.iter().map(|url| url.as_bytes().to_vec()).collect();
        let near = SearchBudget::new(near, near);
        check_within(&mut context, &paths, &Budgets { near, ..Budgets::default() });
        context.found.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn a_search_that_ends_early_is_told() {
        let (rule, urls) = ("User-agent: *|Disallow: /Img/|", ["/img/a.png", "/img/b.png"]);
        let whole = "`Disallow: /Img/` matches none of the 2 URLs, and `/img/` would match 2: upper and lower case \
                     differ";
        let cut = "`Disallow: /Img/` matches none of the 2 URLs; not all of them were searched for what it was \
                   perhaps meant to match";
        assert_eq!(within(SearchBudget::IN_ALL, rule, &urls), [whole]);
        for near in [0, 10, 50] {
            assert_eq!(within(near, rule, &urls), [cut], "{near}");
        }
        let long = format!("/img/{}", "a".repeat(MAX_PATH_BYTES));
        assert_eq!(within(SearchBudget::IN_ALL, rule, &[&long]), [cut.replace("2 URLs", "1 URL")]);
        assert_eq!(within(SearchBudget::IN_ALL, rule, &[&long, "/img/b"]), [whole]);
    }

    /// Long URLs and long patterns are compared until the budget is spent.
    #[test]
    fn long_urls_are_compared_within_the_budget() {
        let rules: String = (0..64).map(|at| format!("Disallow: /*{}$A{at}|", "a".repeat(900))).collect();
        let long: Vec<String> = (0..200).map(|at| format!("/{}{at}", "a".repeat(4000))).collect();
        let urls: Vec<&str> = long.iter().map(String::as_str).collect();
        let found = within(SearchBudget::IN_ALL / 8, &format!("User-agent: *|{rules}"), &urls);
        assert_eq!(found.len(), 64);
        assert!(found.iter().all(|message| message.contains("; not all of them were searched")), "{found:?}");
    }

    /// The checks after this one have the work that they would have without URLs.
    #[test]
    fn urls_take_no_work_of_other_checks() {
        let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /*Sort=x*y\n");
        let lint = LintCheck::ALL.iter().fold(Lint::new(), |lint, check| lint.ignore(*check));
        let left = |urls: u32| {
            let budget = SearchBudget::default();
            let urls = (0..urls).map(|at| format!("/shop/{at}/item?sort={at}").into_bytes());
            let lint = lint.clone().select(LintCheck::RuleUnmatched).urls(urls);
            (lint.run_within(&robots, &budget).len(), budget.left())
        };
        let (found, with_urls) = left(1_000);
        assert_eq!(found, 1);
        assert_eq!(with_urls, left(0).1);
    }

    #[test]
    fn many_urls_are_read_within_the_budget() {
        let urls: Vec<String> = (0..5_000).map(|at| format!("/shop/{at}/item?sort={at}")).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let rules: String = (0..100).map(|at| format!("Disallow: /*Sort={at}x|")).collect();
        assert_eq!(found(&format!("User-agent: *|Disallow: /Shop/|{rules}"), &urls).len(), 101);
    }
}
