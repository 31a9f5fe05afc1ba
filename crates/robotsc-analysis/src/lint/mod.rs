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
//! A check is a row of [`CHECKS`]. Each has a page, which says what it reports, why it matters, how to mend it, and
//! when to ignore it.

mod agents;
mod check;
mod context;
mod dead_rules;
mod file;
mod finding;
mod fix;
mod groups;
mod notices;
mod pages;
mod patterns;
mod reach;
mod records;
mod suppress;
mod ties;

use std::collections::BTreeMap;

use robotsc_compiler::{ByteSpan, RobotsTxt, Severity};

pub use agents::KnownName;
pub use check::{ALL as CHECKS, Check};
pub use finding::{Edit, Finding, Fix};
pub use fix::{Fixed, fixed, keeps_meaning};

use crate::search::Budget;
use context::{Context, IsEnabled, Parts};

/// Finds what is wrong with a robots.txt.
///
/// ```
/// use robotsc_analysis::lint::Lint;
/// use robotsc_compiler::RobotsTxt;
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /*shop\nAllow: /shop\nDisallow: /*?sort=\n");
/// let found = Lint::new().run(&robots);
/// let codes: Vec<&str> = found.iter().map(|finding| finding.check.code).collect();
/// assert_eq!(codes, ["rule-never-decides", "param-first-only"]);
/// assert_eq!(found[1].witness.as_deref(), Some("/?x=1&sort="));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lint {
    /// By code: whether a check runs.
    chosen: BTreeMap<&'static str, bool>,
    with_info: bool,
    without_comments: bool,
    known: Vec<KnownName>,
}

impl IsEnabled for Lint {
    fn is_enabled(&self, check: &Check) -> bool {
        // A star at the end is a warning where a verdict depends on it.
        let is_on = self.with_info
            || check.severity >= Severity::Warning
            || matches!(check.code, "trailing-star" | "not-decided");
        self.chosen.get(check.code).copied().unwrap_or(is_on)
    }
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
        self.with_info = true;
        self
    }

    /// Runs a check.
    #[must_use]
    pub fn select(mut self, check: &Check) -> Self {
        self.chosen.extend(Check::by_code(check.code).map(|check| (check.code, true)));
        self
    }

    /// Does not run a check.
    #[must_use]
    pub fn ignore(mut self, check: &Check) -> Self {
        self.chosen.extend(Check::by_code(check.code).map(|check| (check.code, false)));
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

    /// Runs the checks on a file. The findings are in the order of the lines.
    ///
    /// Cost: near linear in the file for most files; bounded by [`Budget::default`]. What was not decided within it is
    /// a finding `not-decided`. Never panics.
    #[must_use]
    pub fn run(&self, robots: &RobotsTxt<'_>) -> Vec<Finding> {
        // A page can quote lines of a robots.txt. What has groups is read as crawlers read it.
        let kind = file::kind(robots.body()).filter(|_| robots.groups().is_empty());
        if let (Some(kind), Some(check)) = (kind, Check::by_code("not-robots-txt")) {
            // Whatever checks are selected: none of them says anything about such a body.
            let message = format!("the body is {kind}, and no robots.txt: crawlers find few rules in it or none");
            return vec![Finding::new(check, 0, ByteSpan::default(), message)];
        }
        let budget = Budget::default();
        let parts = Parts::new(robots);
        let mut context = Context::new(robots, &parts, &budget, self);
        agents::check(&mut context, &self.known);
        records::check(&mut context);
        notices::check(&mut context);
        if file::is_utf16(robots.body()) {
            // Each line would have findings of no use: a NUL byte, no colon.
            context.found.retain(|finding| finding.check.code == "utf16-bom");
            return context.found;
        }
        patterns::check(&mut context);
        dead_rules::check(&mut context);
        ties::check(&mut context);
        reach::check(&mut context);
        groups::check(&mut context);
        file::check(&mut context, &budget);
        if self.obeys_comments() {
            suppress::apply(&mut context);
        }
        let mut found = context.found;
        found.retain(|finding| {
            let is_chosen = self.chosen.get(finding.check.code) == Some(&true);
            finding.severity >= Severity::Warning || self.with_info || is_chosen || finding.check.code == "not-decided"
        });
        found.sort_by_key(|finding| (finding.line, finding.span.start, finding.check.code));
        found
    }
}
