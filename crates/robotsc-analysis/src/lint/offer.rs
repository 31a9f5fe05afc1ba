//! Keeps a fix from being offered that does not mend its line.
//!
//! The lines that a fix touches are looked at alone, before and after: the fix must take its finding away, and must not
//! leave another. `lint::fixed` looks at the whole file again.

use std::collections::BTreeMap;

use robotsc_compiler::{RobotsTxt, Severity};

use super::check::{CheckChoice, LintCheck};
use super::context::{Context, Parts};
use super::finding::{Finding, Fix};
use super::fix::is_uncovered;
use super::known_name::KnownName;
use super::{line_checks, patterns, reach};
use crate::search::SearchBudget;
use crate::text::edit::{Edit, edited, fitted};

/// The maximum number of lines that are looked at alone. A fix of more is judged with the whole file.
const MAX_LINES: usize = 16;

/// The maximum number of fixes that are looked at. A file with more findings has one cause for most of them.
const MAX_FIXES: usize = 1 << 8;

/// The work of the checks of such lines, for each fix.
const MAX_WORK: u64 = 1 << 16;

/// Drops the fixes that leave their finding, or lead to another.
pub(super) fn check(context: &mut Context<'_>, known: &[KnownName]) {
    let mut found = std::mem::take(&mut context.found);
    for finding in found.iter_mut().filter(|finding| finding.fix.is_some()).take(MAX_FIXES) {
        if let Some(fix) = &finding.fix
            && !mends(context, finding, fix, known)
        {
            finding.fix = None;
        }
    }
    context.found = found;
}

/// Reports whether the lines of a fix are without its finding afterwards, and without any that they had not.
pub(super) fn mends(context: &Context<'_>, finding: &Finding, fix: &Fix, known: &[KnownName]) -> bool {
    let [edit] = fix.edits.as_slice() else { return true };
    let mut line = context.lines.whole(finding.line.max(1));
    // The lines are looked at alone below another one, where a byte order mark is none.
    if line.start == 0 && context.body().starts_with(b"\xEF\xBB\xBF") {
        line.start = 3;
    }
    let is_within = edit.range.start >= line.start && edit.range.end <= line.end;
    if finding.line == 0 || !is_within || edit.with.len() > 1 << 14 {
        return true;
    }
    let before = &context.body()[line.clone()];
    let moved = Edit { range: edit.range.start - line.start..edit.range.end - line.start, with: edit.with.clone() };
    let Some(after) = edited(before, &fitted(before, [&moved])) else { return false };
    let lines = |text: &[u8]| text.split(|byte| *byte == b'\n').count();
    if lines(&after) > MAX_LINES {
        return true;
    }
    // A fix that keeps the meaning closes nothing.
    let is_new = |check: &LintCheck| {
        *check != finding.check && !is_uncovered(*check, finding.check) && !closed(context, before).contains(check)
    };
    if !fix.is_safe && closed(context, &after).iter().any(is_new) {
        return false;
    }
    let after = counts(context, &after, known);
    if after.is_empty() {
        return true;
    }
    let before = counts(context, before, known);
    let of = |counts: &BTreeMap<LintCheck, usize>, check: LintCheck| counts.get(&check).copied().unwrap_or(0);
    let was = of(&before, finding.check);
    let mended = finding.check;
    let is_as_before = |(check, count): (&LintCheck, &usize)| {
        *check == mended || *count <= of(&before, *check) || is_uncovered(*check, mended)
    };
    // A check that needs more than the line says nothing of it alone.
    (was == 0 || of(&after, finding.check) < was) && after.iter().all(is_as_before)
}

/// Returns the checks of what lines close to search engines that find something without a fix: what has one is mended
/// after this one.
fn closed(context: &Context<'_>, lines: &[u8]) -> Vec<LintCheck> {
    let found = alone(context, lines, reach::check);
    let found = found.into_iter().filter(|finding| finding.fix.is_none() && finding.severity >= Severity::Warning);
    found.map(|finding| finding.check).collect()
}

/// Returns how often each check that looks at one line finds something in lines that are read alone.
fn counts(context: &Context<'_>, lines: &[u8], known: &[KnownName]) -> BTreeMap<LintCheck, usize> {
    let found = alone(context, lines, |alone| {
        line_checks(alone, known);
        patterns::values(alone);
    });
    let mut counts = BTreeMap::new();
    // How groups stand to each other is not seen here.
    let is_of_line =
        |finding: &&Finding| finding.severity >= Severity::Warning && finding.check != LintCheck::GroupMerge;
    for finding in found.iter().filter(is_of_line) {
        *counts.entry(finding.check).or_insert(0) += 1;
    }
    counts
}

/// Returns what checks find in lines that are read alone.
fn alone(context: &Context<'_>, lines: &[u8], run: impl FnOnce(&mut Context<'_>)) -> Vec<Finding> {
    let body = [b"User-agent: *\n", lines, b"\nDisallow: /robotsc\n"].concat();
    let robots = RobotsTxt::parse_with(&body, context.robots.dialect());
    let parts = Parts::new(&robots);
    let (limits, choice) = (SearchBudget::new(MAX_WORK, MAX_WORK), CheckChoice::default());
    let mut alone = Context::new(&robots, &parts, &limits, &choice);
    run(&mut alone);
    alone.found
}
