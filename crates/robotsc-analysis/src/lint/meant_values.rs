//! Values of rules as they were perhaps meant: with the fix of what is odd about them alone.

use robotsc_compiler::{Dialect, RobotsTxt, RuleKind, Severity};

use super::check::{CheckChoice, LintCheck};
use super::context::{Context, Parts};
use super::{notices, patterns};
use crate::search::SearchBudget;
use crate::text::edit::edited;

/// Returns what a fix makes of a value, and whether it begins a comment within it.
///
/// Cost: linear in the value, a few times.
pub(crate) fn meant_values(dialect: &Dialect, kind: RuleKind, value: &[u8]) -> Vec<(Vec<u8>, bool)> {
    let body = [b"User-agent: *\n", kind.as_str().as_bytes(), b": ", value, b"\n"].concat();
    let robots = RobotsTxt::parse_with(&body, dialect);
    let (parts, budget, choice) = (Parts::default(), SearchBudget::new(0, 0), CheckChoice::default());
    let mut context = Context::new(&robots, &parts, &budget, &choice);
    notices::check(&mut context, &[]);
    patterns::values(&mut context);
    let wrong = context.found.iter().filter(|finding| finding.severity >= Severity::Warning);
    let fixed = wrong.filter_map(|finding| {
        let fix = finding.fix.as_ref()?;
        let is_comment =
            finding.check == LintCheck::SpaceInPattern && fix.edits.iter().any(|edit| edit.with.contains(&b'#'));
        Some((edited(&body, &fix.edits)?, is_comment))
    });
    let values = fixed.flat_map(|(body, is_comment)| {
        let robots = RobotsTxt::parse_with(&body, dialect);
        let of = |rule: &robotsc_compiler::RuleLine| (rule.value.of(robots.body()).to_vec(), is_comment);
        robots.rules().iter().map(of).filter(|(new, _)| new != value && !new.is_empty()).collect::<Vec<_>>()
    });
    values.collect()
}
