//! A `*` at the end of a pattern.
//!
//! ```text
//! Disallow: /a*      matches what `/a` does, and is one byte longer:
//! Allow: /a          it decides against this rule
//! ```

use std::collections::BTreeMap;

use robotsc_compiler::dialect::Length;
use robotsc_compiler::{RuleLine, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use crate::patterns::instance::shortest_instance;
use crate::rules::RuleAnalysis;
use crate::search::NotDecided;

/// A `*` at the end matches nothing more, but counts where lengths are compared.
pub(super) fn trailing_stars(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::TrailingStar) else { return };
    if !matches!(context.robots.dialect().length, Length::Normalized | Length::Written) {
        return;
    }
    // One finding for each line: that for some audience on which a verdict depends, if there is one.
    let mut found: BTreeMap<u32, Finding> = BTreeMap::new();
    let mut undecided = None;
    for obeyed in &context.obeyed {
        for (at, rule) in (0..).zip(obeyed.rules.rule_set().rules()) {
            let pattern = obeyed.rules.pattern(at);
            if rule.line == 0 || pattern.len() < 2 || !pattern.ends_with(b"*") {
                continue;
            }
            if found.get(&rule.line).is_some_and(|known| known.severity >= Severity::Warning) {
                continue;
            }
            let Some(line) = context.rule_of_line(rule.line) else { continue };
            let value = context.value(line);
            let Some(shorter) = value.strip_suffix(b"*") else { continue };
            let finding = match hangs_on_star(&obeyed.rules, at) {
                Err(NotDecided) => {
                    undecided.get_or_insert((rule.line, line.value));
                    continue;
                }
                Ok(Some((other, path))) => {
                    let other_line = obeyed.rules.rule(other).line;
                    let message = format!(
                        "the `*` at the end of {} counts as a byte, and decides against line {other_line}",
                        quoted(value)
                    );
                    let mut finding = Finding::new(check, rule.line, line.value, message)
                        .severity(Severity::Warning)
                        .witness(&path)
                        .related([other_line]);
                    finding.fix = without_star(&obeyed.rules, [at, other], line, value);
                    finding
                }
                Ok(None) => {
                    let message = format!("the `*` at the end of {} matches nothing more", quoted(value));
                    let mut fix = Fix::replace("remove the `*`", line.value, shorter);
                    fix.is_safe = true;
                    Finding::new(check, rule.line, line.value, message).fix(fix)
                }
            };
            found.insert(rule.line, finding);
        }
    }
    context.found.extend(found.into_values());
    if let Some((line, span)) = undecided {
        let message = "whether any verdict depends on a `*` at the end of a rule was not decided";
        context.report(LintCheck::NotDecided, line, span, message);
    }
}

/// Returns a fix that removes the `*` by which a rule beats another, if that is an exception to it: another rule for
/// fewer paths. If both match the same paths, it is not known which was meant.
fn without_star(rules: &RuleAnalysis<'_>, [at, other]: [u32; 2], line: &RuleLine, value: &[u8]) -> Option<Fix> {
    let end = value.iter().rposition(|byte| *byte != b'*')? + 1;
    // A path that goes on otherwise than any rule.
    let path = [shortest_instance(rules.pattern(at)).as_slice(), b"~robotsc~"].concat();
    let is_matched = |at| robotsc_compiler::pattern_matches(rules.pattern(at), &path);
    let is_exception = is_matched(at) && !is_matched(other);
    is_exception.then(|| Fix::replace("remove the `*`", line.value, &value[..end]))
}

/// Returns the rule that would decide in place of another whose last `*` is removed, with a path.
fn hangs_on_star(rules: &RuleAnalysis<'_>, at: u32) -> Result<Option<(u32, Vec<u8>)>, NotDecided> {
    let rule = rules.rule(at);
    // Without the star a Disallow ties with an Allow that is one byte shorter, and an Allow loses a tie.
    let length = if rule.verdict.is_allow() { Some(rule.length) } else { rule.length.checked_sub(1) };
    let Some(length) = length else { return Ok(None) };
    rules.budget.take(1)?;
    let others = rules.related(rules.pattern(at))?;
    let own = shortest_instance(rules.pattern(at));
    // One of the two is for the paths of the other. Rules that only meet on an odd path were not written for it.
    for other in others.into_iter().filter(|other| *other != at) {
        let rule_of = rules.rule(other);
        if rule_of.length != length || rule_of.verdict == rule.verdict {
            continue;
        }
        rules.budget.take((own.len() + rules.pattern(other).len()) as u64)?;
        let of_other = shortest_instance(rules.pattern(other));
        let path = if of_other.len() >= own.len() { &of_other } else { &own };
        let is_matched = |pattern| robotsc_compiler::pattern_matches(pattern, path);
        let is_both = is_matched(rules.pattern(at)) && is_matched(rules.pattern(other));
        if is_both && rules.paths.contains(path) && rules.reference(path)? == Some(at) {
            return Ok(Some((other, path.clone())));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::{Dialect, RuleKind, RuleSet};

    use super::*;
    use crate::search::SearchBudget;
    use crate::space::Paths;

    /// Each rule with a star at its end is compared with each other of its length: the work grows with the pairs.
    #[test]
    fn stars_at_the_end_are_compared_within_the_budget() {
        let work_of = |count: u32| {
            let stars = (0..count).map(|at| (RuleKind::Disallow, format!("/*{at:05}x*"), 2 * at + 1));
            let others = (0..count).map(|at| (RuleKind::Allow, format!("/*{at:05}y"), 2 * at + 2));
            let set = RuleSet::from_rules(&Dialect::GOOGLE, stars.chain(others));
            let budget = SearchBudget::default();
            let rules = RuleAnalysis::of(&set, &Dialect::GOOGLE, Paths::Urls, &budget);
            assert_eq!(hangs_on_star(&rules, 0), Ok(None));
            SearchBudget::IN_ALL - budget.left()
        };
        assert!(work_of(200) > 200 * 16, "{}", work_of(200));
        let set = RuleSet::from_rules(&Dialect::GOOGLE, [(RuleKind::Disallow, "/a*", 1), (RuleKind::Allow, "/a", 2)]);
        let star = |work| {
            let budget = SearchBudget::new(work, work);
            hangs_on_star(&RuleAnalysis::of(&set, &Dialect::GOOGLE, Paths::Urls, &budget), 0)
        };
        assert_eq!(star(5), Err(NotDecided));
        assert_eq!(star(1000), Ok(Some((1, b"/a".to_vec()))));
    }
}
