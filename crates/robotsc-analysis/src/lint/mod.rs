//! Finds what is wrong with a robots.txt.
//!
//! ```text
//! User-agent: *
//! Disallow: /*shop
//! Allow: /shop               rule-never-decides: line 2 is longer and matches all that it matches
//! Disallow: /*?sort=         param-first-only: misses `sort` in /?x=1&sort=
//! ```
//!
//! The parser reports what it could not read. This module reports what can be read and is probably not meant: rules
//! that decide nothing, parameters that are missed, groups that replace each other. What depends on paths is decided
//! for all paths, by [`RuleAnalysis`](crate::RuleAnalysis); a finding of that kind has a path that shows it.
//!
//! A check is a [`LintCheck`]. Each has a page, which says what it reports, why it matters, how to mend it, and
//! when to ignore it.

mod addresses;
mod agent_lists;
mod agent_names;
mod agent_parts;
mod agent_rests;
mod agent_words;
mod agents;
mod beside_star;
mod blanks;
mod causes;
mod characters;
mod check;
mod closed;
mod comment_marks;
mod context;
mod contradictions;
mod copied_rules;
pub(crate) mod dead_pattern;
mod dead_rules;
mod escapes;
mod evidence;
mod fallbacks;
mod file;
mod finding;
mod fix;
mod groups;
#[cfg(test)]
mod hostile;
mod joined;
mod keys;
mod known_name;
mod managed_block;
mod meant_lines;
pub(crate) mod meant_values;
mod mostly_closed;
mod named_keys;
mod notices;
mod odd_pattern;
mod offer;
mod one_slip;
mod page_files;
mod page_fixes;
mod path_lines;
mod pattern_names;
mod patterns;
mod preference_syntax;
mod preferences;
mod reach;
mod records;
mod resources;
mod separators;
mod siblings;
mod signs;
mod sitemaps;
mod suppress;
mod templates;
mod ties;
mod trailing_stars;
mod unmatched;
mod unread;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{ByteSpan, RobotsTxt, Severity};

#[doc(hidden)]
pub use agent_words::{Whom, excepted, whom};
use check::CheckChoice;
pub use check::LintCheck;
pub use finding::{Finding, Fix};
pub use fix::{Fixed, fixed, keeps_meaning};
#[doc(hidden)]
pub use joined::first_joined;
pub use known_name::KnownName;
#[doc(hidden)]
pub use meant_lines::{MeantLine, meant_lines};
#[doc(hidden)]
pub use one_slip::{OneSlip, one_slip};

use crate::search::{NotDecided, SearchBudget};
use crate::text::edit::edited;
use crate::text::lines::Lines;
use context::{Context, Parts};
use evidence::Evidence;

/// Finds what is wrong with a robots.txt.
///
/// ```
/// use robotsc::RobotsTxt;
/// use robotsc::analysis::lint::Lint;
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /*shop\nAllow: /shop\nDisallow: /*?sort=\n");
/// let found = Lint::new().run(&robots);
/// let codes: Vec<&str> = found.iter().map(|finding| finding.check.code()).collect();
/// assert_eq!(codes, ["rule-never-decides", "param-first-only"]);
/// assert_eq!(found[1].witness.as_deref(), Some("/?x=1&sort="));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lint {
    choice: CheckChoice,
    without_comments: bool,
    known: Vec<KnownName>,
    evidence: Evidence,
}

impl Lint {
    /// Runs all checks of warnings and errors.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also runs the checks of notes, which are opinions and details.
    #[must_use]
    pub fn with_info(mut self) -> Self {
        self.choice.with_info = true;
        self
    }

    /// Runs a check.
    #[must_use]
    pub fn select(mut self, check: LintCheck) -> Self {
        self.choice.set(check, true);
        self
    }

    /// Does not run a check.
    #[must_use]
    pub fn ignore(mut self, check: LintCheck) -> Self {
        self.choice.set(check, false);
        self
    }

    /// Reports what comments of the file suppress, too.
    #[must_use]
    pub fn without_suppressions(mut self) -> Self {
        self.without_comments = true;
        self
    }

    const fn obeys_comments(&self) -> bool {
        !self.without_comments
    }

    /// Compares the names of agents with those of known crawlers.
    #[must_use]
    pub fn known_names(mut self, known: impl IntoIterator<Item = KnownName>) -> Self {
        self.known.extend(known);
        self
    }

    /// Adds URLs of the site, from a log or a crawl: rules that match none of them are reported, and a prefix that is a
    /// section of the site and also catches another is a warning then. URLs are whole or paths; what is no URL is
    /// skipped.
    #[must_use]
    pub fn urls(mut self, urls: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.evidence.urls.extend(urls);
        self
    }

    /// Adds URLs that a sitemap of the site lists: those that search engines may not fetch are reported.
    #[must_use]
    pub fn sitemap_urls(mut self, urls: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.evidence.sitemap.extend(urls);
        self
    }

    /// Runs the checks on a file. The findings are in the order of the lines.
    ///
    /// Cost: near linear in the file for most files; bounded by [`SearchBudget::default`], with URLs by three times as
    /// much. What was not decided within it is a finding `not-decided`. Never panics.
    #[must_use]
    pub fn run(&self, robots: &RobotsTxt<'_>) -> Vec<Finding> {
        self.run_within(robots, &SearchBudget::default())
    }

    /// As [`Lint::run`], within a budget.
    fn run_within(&self, robots: &RobotsTxt<'_>, budget: &SearchBudget) -> Vec<Finding> {
        // Whatever checks are selected: none of them says anything about such a body.
        if let Some(finding) = self.of_body(robots, budget) {
            return vec![finding];
        }
        let parts = Parts::new(robots);
        let mut context = Context::new(robots, &parts, budget, &self.choice);
        line_checks(&mut context, &self.known);
        if file::is_utf16(robots.body()) {
            // Each line would have findings of no use: a NUL byte, no colon.
            context.found.retain(|finding| finding.check == LintCheck::Utf16Bom);
            return context.found;
        }
        // These need little of the budget, and matter most.
        reach::check(&mut context);
        patterns::check(&mut context);
        dead_rules::check(&mut context);
        ties::check(&mut context);
        let paths = self.evidence.paths(robots.dialect());
        evidence::check(&mut context, &paths);
        groups::check(&mut context);
        beside_star::check(&mut context, &self.known);
        managed_block::check(&mut context);
        file::check(&mut context, budget);
        contradictions::check(&mut context);
        preferences::check(&mut context);
        unmatched::check(&mut context, &paths.urls);
        causes::join(&mut context);
        offer::check(&mut context, &self.known);
        if self.obeys_comments() {
            suppress::apply(&mut context, &self.evidence);
        }
        let mut found = context.found;
        found.retain(|finding| {
            finding.severity >= Severity::Warning
                || self.choice.with_info
                || self.choice.is_selected(finding.check)
                || matches!(finding.check, LintCheck::NotDecided | LintCheck::RuleUnmatched)
        });
        found.small_sort_by_key(|finding| (finding.line, finding.span.start, finding.check.code()));
        found
    }
}

impl Lint {
    /// Returns the one finding about a body that is no robots.txt, or of which no line is read.
    fn of_body(&self, robots: &RobotsTxt<'_>, budget: &SearchBudget) -> Option<Finding> {
        // A page can quote lines of a robots.txt. What has groups is read as crawlers read it.
        if !robots.groups().is_empty() {
            return None;
        }
        let check = LintCheck::NotRobotsTxt;
        let Some(slip) = one_slip(robots) else {
            let kind = file::kind(robots)?;
            let message = format!("the body is {kind}, and no robots.txt: crawlers find few rules in it or none");
            return Some(Finding::new(check, 0, ByteSpan::default(), message));
        };
        let OneSlip { line, lines, what, edits } = slip;
        let message = format!("crawlers find no group in the body: {lines} lines, from line {line}, {what}");
        let mut finding = Finding::new(check, line, Lines::new(robots.body()).span(line), message);
        let after = edits.as_ref().and_then(|edits| edited(robots.body(), edits));
        let Some((edits, after)) = edits.zip(after) else { return Some(finding) };
        // Whoever is meant, and whatever checks run, the fix must not take a site out of search engines.
        match closing(&RobotsTxt::parse_with(&after, robots.dialect()), budget) {
            Ok(None) => {
                let title = "write the directives alone".to_owned();
                finding.fix = Some(Fix { title, is_safe: false, is_of_dialect: false, edits });
            }
            Ok(Some(said)) => finding.message.extend(said.iter().map(|said| format!("; without that, {said}"))),
            Err(NotDecided) => {}
        }
        Some(finding)
    }
}

/// Returns what is said of a file that closes its start page to a search engine or to all that it does not name, which
/// can be nothing. `None` if it does not.
fn closing(robots: &RobotsTxt<'_>, budget: &SearchBudget) -> Result<Option<Vec<String>>, NotDecided> {
    let (parts, choice) = (Parts::new(robots), CheckChoice::default());
    let context = Context::new(robots, &parts, budget, &choice);
    let mut found = Vec::new();
    closed::closed(&context, &mut found)?;
    let mut is_closed = !found.is_empty();
    let others = context.obeyed.iter().filter(|obeyed| obeyed.audience.has_others);
    for obeyed in others.chain(context::SEARCH_AGENTS.iter().filter_map(|agent| context.obeyed_by(agent))) {
        is_closed |= !obeyed.decide(b"/")?.0.is_allow();
    }
    Ok(is_closed.then(|| found.into_iter().map(|finding| finding.message).take(1).collect()))
}

/// Runs the checks that look at one line each, without any question about paths.
fn line_checks(context: &mut Context<'_>, known: &[KnownName]) {
    // First what explains a line whole: nothing else is said of it then.
    joined::check(context);
    characters::check(context, known);
    templates::check(context);
    separators::check(context);
    agents::check(context, known);
    siblings::check(context, known);
    records::check(context);
    preference_syntax::check(context);
    notices::check(context, known);
}

#[cfg(test)]
mod tests {

    use super::*;

    /// Each verdict that a check asks for is charged. If the budget is spent, the check says so.
    #[test]
    fn checks_ask_for_verdicts_within_the_budget() {
        let star = "User-agent: *|";
        for (rules, sitemap, wanted) in [
            ("Disallow: /*?sort=", "", "which rules for a query parameter miss it"),
            ("Disallow: /*sort=", "", "which rules for a query parameter miss it"),
            ("Disallow: /", "", "whether the whole site is closed"),
            ("Disallow: /css", "", "whether scripts or styles are blocked"),
            ("Disallow: /a|Sitemap: https://h/a", "", "whether the sitemaps are blocked"),
            ("Disallow: /wp-admin", "", "whether `/wp-admin/admin-ajax.php` is blocked"),
            ("Disallow: /#/cart", "", "whether a rule that a `#` cuts closes the whole site"),
            ("Disallow: /a*|Allow: /a", "", "whether any verdict depends on a `*` at the end"),
            ("Disallow: /a", "/a", "whether all URLs of the sitemap can be fetched"),
            ("Disallow: /a", "/a", "whether prefixes match other sections"),
        ] {
            let body = format!("{star}{rules}|").replace('|', "\n");
            let urls = (!sitemap.is_empty()).then(|| sitemap.as_bytes().to_vec());
            let lint = Lint::new().with_info().sitemap_urls(urls);
            let is_told = |work| {
                let found = lint.run_within(&RobotsTxt::parse(body.as_bytes()), &SearchBudget::new(work, work));
                let mut undecided = found.iter().filter(|finding| finding.check.code() == "not-decided");
                undecided.any(|finding| finding.message.starts_with(wanted))
            };
            assert!(is_told(0), "{rules}");
            assert!(!is_told(SearchBudget::IN_ALL), "{rules}");
        }
    }

    /// What nobody asked for takes nothing from the budget, and is not reported as undecided.
    #[test]
    fn checks_that_are_off_take_no_work() {
        let body = "User-agent: *|Disallow: /*?sort=|Disallow: /*sort=|Disallow: /css|Disallow: /a*|Allow: /a|\
            Disallow: /wp-admin|Disallow: /a|Content-Signal: /b search=yes|Sitemap: https://h/a||\
            User-agent: FooBot|Disallow: /|Disallow: /#/cart|"
            .replace('|', "\n");
        let robots = RobotsTxt::parse(body.as_bytes());
        let others = LintCheck::ALL.iter().filter(|check| **check != LintCheck::NotDecided);
        let lint =
            others.fold(Lint::new().with_info().sitemap_urls([b"/a".to_vec()]), |lint, check| lint.ignore(*check));
        let budget = SearchBudget::default();
        assert!(lint.run_within(&robots, &budget).is_empty());
        assert_eq!(budget.left(), SearchBudget::IN_ALL);
        assert!(lint.run_within(&robots, &SearchBudget::new(0, 0)).is_empty());
    }

    /// The work of these checks grows with the product of their lines and the agents or rules.
    #[test]
    fn verdicts_on_many_lines_are_charged() {
        let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
        let rules = lines(100, |at| format!("Disallow: /*?sort{at}=\n"));
        let groups: String =
            (b'a'..=b'z').map(|name| format!("User-agent: bot{}\n{rules}", char::from(name))).collect();
        let check = LintCheck::ParamFirstOnly;
        let work = |body: &str| {
            let budget = SearchBudget::default();
            let mut lint = Lint::new();
            for other in LintCheck::ALL.iter().filter(|other| **other != check) {
                lint = lint.ignore(*other);
            }
            let _ = lint.run_within(&RobotsTxt::parse(body.as_bytes()), &budget);
            SearchBudget::IN_ALL - budget.left()
        };
        let (one, all) = (work(&format!("User-agent: bota\n{rules}")), work(&groups));
        assert!(one > 100 * 100 / 4 && all > 10 * one, "{one} {all}");
    }

    /// A finding for each of many licenses names a few others.
    #[test]
    fn many_licenses_are_named_in_part() {
        let mut body = "User-agent: *\n".to_owned();
        (0..1000).for_each(|at| body.push_str(&format!("License: https://h/{at}\n")));
        let found = Lint::new().run(&RobotsTxt::parse(body.as_bytes()));
        let found: Vec<_> = found.iter().filter(|finding| finding.check.code() == "license-form").collect();
        assert_eq!(found.len(), 1000);
        assert!(found.iter().all(|finding| (1..=8).contains(&finding.related.len())));
        assert_eq!(found[0].message, "line 3 states another license, and both are of the whole file");
    }

    /// A path that shows a finding is one of a URL, and the line of the finding decides it.
    #[test]
    fn parameters_are_shown_by_paths_that_the_line_decides() {
        for (rules, code, wanted) in [
            ("Disallow: /shop/*sort=", "param-unanchored", Some("/shop/?xsort=")),
            ("Disallow: /*sort=*dir$", "param-unanchored", Some("/?xsort=dir")),
            ("Disallow: /*sort=|Allow: /?xsort=", "param-unanchored", None),
            ("Disallow: /my files*sort=", "param-unanchored", None),
            ("Disallow: /shop/*?sort=", "param-first-only", Some("/shop/?x=1&sort=")),
            ("Disallow: /\u{e4}*?sort=", "param-first-only", Some("/%C3%A4?x=1&sort=")),
            ("Disallow: /../x*?sort=", "param-first-only", None),
            ("Disallow: /my files*?sort=", "param-first-only", None),
        ] {
            let body = format!("User-agent: *|{rules}|").replace('|', "\n");
            let found = Lint::new().with_info().run(&RobotsTxt::parse(body.as_bytes()));
            let shown = found.iter().find(|finding| finding.check.code() == code);
            assert_eq!(shown.and_then(|finding| finding.witness.as_deref()), wanted, "{rules}");
        }
    }
}
