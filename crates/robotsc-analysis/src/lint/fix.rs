//! Applies fixes, and proves those that are called safe.
//!
//! A safe fix keeps the meaning of the file: each verdict of each agent on each URL path, and each other record of each
//! agent, in its order. This is proved, not assumed: the file before and after is compared under each dialect that
//! counts, as [`minified`](crate::format::minified) does it. What cannot be proved is not applied.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

use super::Lint;
use super::check::LintCheck;
use super::finding::{Finding, Fix};
use crate::diff::meaning::{self, Meaning};
use crate::search::SearchBudget;
use crate::text::edit::{Edit, edited, fitted};

/// A file after its fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The body.
    pub body: Vec<u8>,
    /// The number of fixes that were applied.
    pub applied: usize,
    /// The number of safe fixes that were not applied: those whose proof failed or was not tried.
    pub refused: usize,
}

/// The maximum number of comparisons of two files in a round. A round needs one, and some for each fix that is not safe
/// beside the others.
///
/// It is one for each round, so that what a round does follows from the body alone. The last round applies nothing; so
/// does the first of a second call.
const MAX_PROOFS: usize = 64;

/// The maximum number of comparisons in all rounds together.
const MAX_ALL_PROOFS: usize = 512;

/// The maximum work of all rounds together, of checks and comparisons: some ten seconds. What is left over is refused.
const MAX_WORK: u64 = 8 * SearchBudget::IN_ALL;

/// The work of reading a byte of a file, for the checks or for a comparison.
const WORK_OF_BYTE: u64 = 4;

/// The maximum number of times that the checks run again on what the fixes made.
const MAX_ROUNDS: usize = 256;

/// Returns a file after the fixes of all findings, until none is left.
///
/// Safe fixes are proved under `google` and `rfc9309`, and under `dialect`. The others are applied after them, if
/// `with_unsafe` asks for it. A second call changes nothing, unless this one spent its rounds, its comparisons or its
/// work.
///
/// Cost: that of at most 256 [`Lint::run`] and 576 [`Diff::new`](crate::Diff::new) for each dialect, all of them
/// bounded by eight times [`SearchBudget::IN_ALL`]; for most files, of two or three. Never panics.
///
/// ```
/// use robotsc::Dialect;
/// use robotsc::analysis::lint::{Lint, fixed};
///
/// let body = b"User-agent: *\nDisallow: /cart\nDisallow: /blog/\nDisallow: /cart\n";
/// let after = fixed(body, &Dialect::GOOGLE, &Lint::new(), false);
/// assert_eq!(after.body, b"User-agent: *\nDisallow: /cart\nDisallow: /blog/\n");
/// assert_eq!((after.applied, after.refused), (1, 0));
/// ```
#[must_use]
pub fn fixed(body: &[u8], dialect: &Dialect, lint: &Lint, with_unsafe: bool) -> Fixed {
    fixed_within(body, dialect, lint, with_unsafe, &SearchBudget::new(SearchBudget::PER_SEARCH, MAX_WORK))
}

/// As [`fixed`], within a budget.
fn fixed_within(body: &[u8], dialect: &Dialect, lint: &Lint, with_unsafe: bool, budget: &SearchBudget) -> Fixed {
    let mut fixed = Fixed { body: body.to_vec(), applied: 0, refused: 0 };
    // Other fixes that were not kept, by check, text, and what they insert. They are tried again once no other is left.
    let mut refused: BTreeSet<(LintCheck, Vec<u8>, Vec<u8>)> = BTreeSet::new();
    // Fixes that undo each other lead to a body that was there: a second call ends there, too.
    let mut seen = BTreeSet::from([digest(body)]);
    let mut all_proofs = MAX_ALL_PROOFS;
    for _ in 0..MAX_ROUNDS {
        let before = fixed.body.clone();
        let run = |budget: &SearchBudget| lint.run_within(&RobotsTxt::parse_with(&before, dialect), budget);
        let found = with_part(budget, before.len(), run);
        let run_alone = |body: &[u8]| {
            let run = |budget: &SearchBudget| lint.run_within(&RobotsTxt::parse_with(body, dialect), budget);
            with_part(budget, body.len(), run)
        };
        let fixes = |is_safe: bool, is_of_dialect: bool| {
            let is_such = move |fix: &Fix| fix.is_safe == is_safe && fix.is_of_dialect == is_of_dialect;
            found.iter().filter(move |finding| finding.fix.as_ref().is_some_and(is_such))
        };
        let mut kept = Vec::new();
        let mut proofs = MAX_PROOFS;
        fixed.refused = 0;
        // First what every dialect reads alike, then what only this one does.
        for (is_of_dialect, dialects) in [(false, all_dialects(dialect)), (true, vec![dialect])] {
            let safe: Vec<&Finding> = fixes(true, is_of_dialect).collect();
            let mut proved = Vec::new();
            if all_proofs > 0 && kept.is_empty() {
                prove(&before, &dialects, &safe, &mut proved, &mut proofs, budget);
                proved = without_new_findings(&before, proved, &found, &run_alone);
                fixed.refused += safe.len() - proved.len();
                kept = proved;
            }
        }
        all_proofs = all_proofs.saturating_sub(MAX_PROOFS - proofs);
        let key = |finding: &Finding| {
            let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
            let inserted = edits.flat_map(|edit| &edit.with).copied().collect();
            (finding.check, finding.span.of(&before).to_vec(), inserted)
        };
        let is_unsafe = kept.is_empty() && with_unsafe;
        let mut is_any_left_out = false;
        if is_unsafe {
            let all: Vec<&Finding> = fixes(false, false).collect();
            kept = all.iter().copied().filter(|finding| !refused.contains(&key(finding))).collect();
            is_any_left_out = kept.len() < all.len();
            let tried: BTreeSet<_> = kept.iter().map(|finding| key(finding)).collect();
            kept = without_new_findings(&before, kept, &found, &run_alone);
            let kept: BTreeSet<_> = kept.iter().map(|finding| key(finding)).collect();
            refused.extend(tried.difference(&kept).cloned());
        }
        let (body, applied) = applied(&before, &kept);
        if body == before {
            if !is_any_left_out {
                break;
            }
            refused.clear();
            continue;
        }
        let is_new = seen.insert(digest(&body));
        fixed.body = body;
        fixed.applied += applied.len();
        if budget.is_spent() || !is_new {
            break;
        }
    }
    fixed
}

/// Returns a number for a body, so that the bodies of hundreds of rounds need not be kept.
fn digest(body: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}

/// Keeps those of the fixes that together keep the meaning: all if they do.
///
/// If they do not, those of the lines that decide a path whose verdict changes are tried after the others. A safe fix
/// removes a rule or lowers its rank, so a changed verdict is always one that such a line decided. If this parts
/// nothing, those of each half are tried. Without proofs or work left, none is kept.
fn prove<'f>(
    body: &[u8],
    dialects: &[&Dialect],
    fixes: &[&'f Finding],
    kept: &mut Vec<&'f Finding>,
    proofs: &mut usize,
    budget: &SearchBudget,
) {
    let (false, Some(left)) = (fixes.is_empty(), proofs.checked_sub(1)) else { return };
    *proofs = left;
    let all: Vec<&Finding> = kept.iter().chain(fixes).copied().collect();
    let lines = match compare_within(body, &applied(body, &all).0, dialects, budget) {
        Meaning::Same => return kept.extend(fixes),
        Meaning::Different([lines, _]) => lines,
        Meaning::NotDecided => BTreeSet::new(),
    };
    if fixes.len() == 1 {
        return;
    }
    let (named, others): (Vec<&Finding>, Vec<&Finding>) = fixes.iter().partition(|fix| lines.contains(&fix.line));
    let [first, second] = if named.is_empty() || others.is_empty() {
        let (low, high) = fixes.split_at(fixes.len() / 2);
        [low, high]
    } else {
        [others.as_slice(), named.as_slice()]
    };
    prove(body, dialects, first, kept, proofs, budget);
    prove(body, dialects, second, kept, proofs, budget);
}

/// Reports whether two files mean the same under the dialects that count. Cost: bounded by [`SearchBudget::IN_ALL`]
/// for each.
#[must_use]
pub fn keeps_meaning(old: &[u8], new: &[u8], dialect: &Dialect) -> bool {
    let limits = SearchBudget::new(SearchBudget::PER_SEARCH, MAX_WORK);
    compare_within(old, new, &all_dialects(dialect), &limits) == Meaning::Same
}

impl Fix {
    /// Reports whether a file means the same after this fix, under the dialects for which the fix says so.
    ///
    /// Cost: as [`keeps_meaning`].
    #[must_use]
    pub fn keeps_meaning(&self, old: &[u8], new: &[u8], dialect: &Dialect) -> bool {
        let limits = SearchBudget::new(SearchBudget::PER_SEARCH, MAX_WORK);
        let dialects = if self.is_of_dialect { vec![dialect] } else { all_dialects(dialect) };
        self.is_safe && compare_within(old, new, &dialects, &limits) == Meaning::Same
    }
}

/// Returns the dialects that count for most fixes.
fn all_dialects(dialect: &Dialect) -> Vec<&Dialect> {
    let mut dialects = vec![&Dialect::GOOGLE, &Dialect::RFC9309];
    if !dialects.contains(&dialect) {
        dialects.push(dialect);
    }
    dialects
}

/// Compares what two files mean under some dialects, within a budget.
fn compare_within(old: &[u8], new: &[u8], dialects: &[&Dialect], budget: &SearchBudget) -> Meaning {
    let mut compared = dialects.iter().map(|dialect| {
        let compare = |budget: &SearchBudget| meaning::compare(old, new, [*dialect], budget);
        with_part(budget, old.len() + new.len(), compare)
    });
    compared.find(|found| *found != Meaning::Same).unwrap_or(Meaning::Same)
}

/// The checks of lines that crawlers do not read, or not as they are meant.
const UNREAD: [LintCheck; 9] = [
    LintCheck::NoColon,
    LintCheck::MissingColon,
    LintCheck::UnknownKey,
    LintCheck::RefusedKey,
    LintCheck::JoinedLines,
    LintCheck::InvisibleCharacter,
    LintCheck::DeadPattern,
    LintCheck::RuleOutsideGroup,
    LintCheck::NotUtf8,
];

/// What such a line can turn out to do once it is read: it depends on the lines around it.
const UNCOVERED: [LintCheck; 6] = [
    LintCheck::SiteClosed,
    LintCheck::AllowListHides,
    LintCheck::RenderBlocked,
    LintCheck::SitemapBlocked,
    LintCheck::SpecificGroupDropsStar,
    LintCheck::GroupEmpty,
];

/// Reports whether a finding is about what a line says that was not read before a fix of another finding. It is
/// reported, and does not keep the line from being read.
pub(super) fn is_uncovered(new: LintCheck, mended: LintCheck) -> bool {
    UNCOVERED.contains(&new) && UNREAD.contains(&mended)
}

/// The maximum number of times that a round lints what some fixes make.
const MAX_TRIALS: usize = 64;

/// Keeps those of the fixes after which a second lint finds nothing new: all if it does not.
///
/// Notes do not count. What has a fix of its own and is of one line is mended in the next round, and what a line does
/// that was not read before is reported. If all fixes together lead to another finding, those of each half are tried.
fn without_new_findings<'f>(
    body: &[u8],
    fixes: Vec<&'f Finding>,
    found: &[Finding],
    run: &dyn Fn(&[u8]) -> Vec<Finding>,
) -> Vec<&'f Finding> {
    // All of a check, those that are no notes, and those of them that have no fix.
    let counts = |found: &[Finding]| {
        let mut counts: BTreeMap<LintCheck, [usize; 3]> = BTreeMap::new();
        for finding in found {
            let counts = counts.entry(finding.check).or_default();
            let is_severe = finding.severity >= Severity::Warning;
            counts[0] += 1;
            counts[1] += usize::from(is_severe);
            counts[2] += usize::from(is_severe && finding.fix.is_none());
        }
        counts
    };
    let before = counts(found);
    let mends = |fixes: &[&Finding]| {
        let after = counts(&run(&applied(body, fixes).0));
        // No check looked at such a body before: what is found now is no harm of the fix.
        if fixes.iter().any(|fix| fix.check == LintCheck::NotRobotsTxt) {
            return !after.contains_key(&LintCheck::NotRobotsTxt);
        }
        let of = |counts: &BTreeMap<LintCheck, [usize; 3]>, check: LintCheck| {
            counts.get(&check).copied().unwrap_or_default()
        };
        let is_read_now = fixes.iter().any(|fix| UNREAD.contains(&fix.check));
        let is_new = |(check, after): (&LintCheck, &[usize; 3])| {
            let is_of_groups = UNCOVERED.contains(check);
            let counted = if is_of_groups { 1 } else { 2 };
            // Whether a question is decided depends on the work that is left.
            *check != LintCheck::NotDecided
                && !(is_of_groups && is_read_now)
                && after[counted] > of(&before, *check)[counted]
        };
        let is_left = |fix: &&Finding| of(&after, fix.check)[0] >= of(&before, fix.check)[0];
        !after.iter().any(is_new) && !fixes.iter().any(is_left)
    };
    let (mut kept, mut left) = (Vec::new(), MAX_TRIALS);
    let mut parts = vec![fixes];
    while let Some(mut part) = parts.pop() {
        let Some(fewer) = left.checked_sub(1).filter(|_| !part.is_empty()) else { continue };
        left = fewer;
        let all: Vec<&Finding> = kept.iter().chain(&part).copied().collect();
        if mends(&all) {
            kept = all;
        } else if part.len() > 1 {
            let second = part.split_off(part.len() / 2);
            parts.extend([second, part]);
        }
    }
    kept
}

/// Runs a question on some bytes with what is left of a budget, but no more than a single file has.
fn with_part<T>(budget: &SearchBudget, bytes: usize, run: impl FnOnce(&SearchBudget) -> T) -> T {
    let _ = budget.take(WORK_OF_BYTE * bytes as u64);
    let most = budget.left().min(SearchBudget::IN_ALL);
    let part = SearchBudget::new(SearchBudget::PER_SEARCH, most);
    let answer = run(&part);
    let _ = budget.take(most - part.left());
    answer
}

/// Returns a body after some fixes, and the findings whose fixes it has: of two that overlap the first.
fn applied<'f>(body: &[u8], findings: &[&'f Finding]) -> (Vec<u8>, Vec<&'f Finding>) {
    let fix_of = |finding: &&'f Finding| finding.fix.as_ref().map(|fix| (*finding, fix));
    let mut fixes: Vec<(&Finding, &Fix)> = findings.iter().filter_map(fix_of).collect();
    fixes.small_sort_by_key(|(_, fix)| fix.edits.first().map_or(0, |edit| edit.range.start));
    let mut edits: Vec<&Edit> = Vec::new();
    let mut applied = Vec::new();
    // Two changes of the meaning of one line do not know of each other: the second is judged in the next round.
    let mut changed = BTreeSet::new();
    for (finding, fix) in fixes {
        let end = edits.last().map_or(0, |edit| edit.range.end);
        let is_free = fix.edits.iter().all(|edit| edit.range.start >= end && edit.range.end <= body.len());
        let is_same =
            |edit: &&Edit| edits.last().is_some_and(|last| last.range == edit.range && !edit.range.is_empty());
        let is_second = finding.line > 0 && !fix.is_safe && changed.contains(&finding.line);
        if is_free && !is_second && !fix.edits.iter().any(|edit| is_same(&edit)) {
            changed.insert(finding.line);
            edits.extend(&fix.edits);
            applied.push(finding);
        }
    }
    // They are apart: those that overlap are left out.
    let out = edited(body, &fitted(body, edits)).unwrap_or_else(|| body.to_vec());
    (out, applied)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(body: &str, with_unsafe: bool) -> String {
        let after = fixed(body.as_bytes(), &Dialect::GOOGLE, &Lint::new().with_info(), with_unsafe);
        let again = fixed(&after.body, &Dialect::GOOGLE, &Lint::new().with_info(), with_unsafe);
        assert_eq!(after.body, again.body, "a second run changes nothing");
        String::from_utf8(after.body).expect("text")
    }

    #[test]
    fn safe_fixes_keep_the_meaning() {
        for (before, after) in [
            ("User-agent: *\nDisallow: /a\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"),
            ("User-agent: *\nDisallow: /a*\n", "User-agent: *\nDisallow: /a\n"),
            // The star decides: it stays.
            ("User-agent: *\nAllow: /a\nDisallow: /*\n", "User-agent: *\nAllow: /a\nDisallow: /\n"),
            // A line that another of the other verdict beats is perhaps what was meant.
            ("User-agent: *\nAllow: /\nDisallow: /*/\nDisallow: /*\n", "User-agent: *\nAllow: /\nDisallow: /*\n"),
            ("User-agent: *\nAllow: /*\nDisallow: /x\n", "User-agent: *\nAllow: /*\nDisallow: /x\n"),
            ("User-agent: *\nAllow: /s\nDisallow: /s\n", "User-agent: *\nAllow: /s\nDisallow: /s\n"),
            (
                "User-agent: *\nDisallow: /s/*\nAllow: /s/\nDisallow: /x\n",
                "User-agent: *\nDisallow: /s/*\nAllow: /s/\nDisallow: /x\n",
            ),
            ("User-agent: *\nAllow: /$\nDisallow: /*\n", "User-agent: *\nAllow: /$\nDisallow: /\n"),
            ("User-agent: *\nDisallow: /a/b\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"),
            // Without its last rule the group would join the next, whose agent would get its record.
            (
                "User-agent: a\nDisallow: /x\nUser-agent: a\nDisallow: /x\nNoindex: /p\nUser-agent: b\nDisallow: /x\n",
                "User-agent: a\nDisallow: /x\nUser-agent: a\nDisallow: /x\nNoindex: /p\nUser-agent: b\nDisallow: /x\n",
            ),
            // Without its one rule the group would join the next.
            (
                "User-agent: a\nAllow: /\nUser-agent: b\nDisallow: /\n",
                "User-agent: a\nAllow: /\nUser-agent: b\nDisallow: /\n",
            ),
        ] {
            assert_eq!(fix(before, false), after);
        }
    }

    /// All rounds share one budget. A safe fix without budget for its proof is refused, and counted.
    #[test]
    fn what_the_budget_does_not_prove_is_refused() {
        let body = b"User-agent: *\nDisallow: /*a*b\nDisallow: /*a*b\nCrawl-delay: 1\n";
        let lint = Lint::new();
        let run = |work: u64| {
            let budget = SearchBudget::new(SearchBudget::PER_SEARCH, work);
            let fixed = fixed_within(body, &Dialect::GOOGLE, &lint, false, &budget);
            (fixed, work - budget.left())
        };
        let (fixed, spent) = run(MAX_WORK);
        assert_eq!((fixed.applied, fixed.refused), (1, 0));
        // Two rounds, and a proof under two dialects.
        assert!(spent > 4 * WORK_OF_BYTE * body.len() as u64, "{spent}");
        // Enough for the checks of the first round.
        let budget = SearchBudget::new(SearchBudget::PER_SEARCH, MAX_WORK);
        let found = with_part(&budget, body.len(), |budget| lint.run_within(&RobotsTxt::parse(body), budget));
        assert_eq!(found.len(), 1);
        let (fixed, _) = run(MAX_WORK - budget.left() + 1);
        assert_eq!((fixed.body.as_slice(), fixed.applied, fixed.refused), (&body[..], 0, 1));
    }

    #[test]
    fn line_ends_stay() {
        for end in ["\n", "\r\n", "\r"] {
            let text = |lines: &str| lines.replace('\n', end);
            // Without a last line end, and with one.
            let after = text("User-agent: *\nDisallow: /*?q=\nDisallow: /*&q=\n");
            assert_eq!(fix(&text("User-agent: *\nDisallow: /*?q="), true), after);
            assert_eq!(fix(&text("User-agent: *\nDisallow: /*?q=\n"), true), after);
            let after = text("User-agent: *\nDisallow: /a\n");
            assert_eq!(fix(&text("User-agent: *\nDisallow: /a\nDisallow: /a"), false), after);
        }
    }

    #[test]
    fn other_fixes_are_asked_for() {
        for (before, after) in [
            ("User-agent: *\nDisallow: cart\n", "User-agent: *\nDisallow: /cart\n"),
            ("User-agent: a, b\nDisallow: /x\n", "User-agent: a\nUser-agent: b\nDisallow: /x\n"),
            ("User-agent: *\nDisallow: /*?q=", "User-agent: *\nDisallow: /*?q=\nDisallow: /*&q="),
            // Two fixes of one line by one check.
            (
                "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\n\
                 User-agent: *\nContent-Signal: search=no\nContent-Usage: train-ai=n\n",
                "User-agent: a\nContent-Usage: train-ai=n\nContent-Signal: search=no\nDisallow: /a\n\n\
                 User-agent: b\nContent-Usage: train-ai=n\nContent-Signal: search=no\nDisallow: /b\n\n\
                 User-agent: *\nContent-Signal: search=no\nContent-Usage: train-ai=n\n",
            ),
        ] {
            assert_eq!(fix(before, false), before);
            assert_eq!(fix(before, true).trim_end(), after.trim_end());
        }
    }
}
