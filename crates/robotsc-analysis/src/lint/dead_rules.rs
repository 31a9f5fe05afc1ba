//! Rules that decide nothing: `rule-never-decides`, `rule-redundant`, `rule-duplicate`, `allow-disallow-same`.
//!
//! A line is reported if it decides nothing for any of the agents that obey it.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::{RuleOrigin, Severity};

use super::context::{Context, Obeyed, quoted};
use super::finding::{Finding, Fix};
use super::patterns;
use crate::rules::{RuleAnalysis, RuleIndex};
use crate::search::NotDecided;

/// What a line is for the agents of one audience.
#[derive(Clone, Debug)]
enum Use {
    /// Some verdict depends on it.
    Decides,
    /// It decides, but every verdict would be the same without it.
    Redundant,
    /// It never decides, and these lines decide in its place.
    Never(Vec<Above>),
    NotDecided,
}

/// A line that decides in place of another.
#[derive(Clone, Copy, Debug)]
struct Above {
    line: u32,
    has_same_pattern: bool,
    has_same_verdict: bool,
    /// Whether it is longer, and does not only win a tie.
    is_longer: bool,
    /// Whether it is the folder that an `Allow` of `index.htm` stands for. Only some dialects have it.
    is_index: bool,
}

impl Above {
    const fn is_copy(self) -> bool {
        self.has_same_pattern && self.has_same_verdict
    }
}

/// Returns what each line is for an audience.
fn uses(obeyed: &Obeyed<'_>, wants_redundant: bool) -> BTreeMap<u32, Use> {
    let rules = &obeyed.rules;
    let set = rules.rule_set();
    let mut of_line: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (at, rule) in (0..).zip(set.rules()) {
        if rule.line > 0 && rule.origin != RuleOrigin::EmptyLine {
            of_line.entry(rule.line).or_default().push(at);
        }
    }
    let use_of = |own: &[u32]| {
        let mut above = Vec::new();
        for &at in own {
            match rules.decides(at) {
                Err(_) => return Use::NotDecided,
                Ok(true) if !wants_redundant => return Use::Decides,
                Ok(true) => {
                    return match rules.is_needed(own, &|_| false) {
                        Err(_) => Use::NotDecided,
                        Ok(true) => Use::Decides,
                        Ok(false) => Use::Redundant,
                    };
                }
                Ok(false) => {
                    let rule = &set.rules()[at as usize];
                    let Ok(others) = above_of(rules, at) else { return Use::NotDecided };
                    above.extend(others.into_iter().map(|other| {
                        let other = &set.rules()[other as usize];
                        Above {
                            line: other.line,
                            has_same_pattern: set.pattern(other) == set.pattern(rule),
                            has_same_verdict: other.verdict == rule.verdict,
                            is_longer: other.length > rule.length,
                            is_index: other.origin == RuleOrigin::IndexHtm,
                        }
                    }));
                }
            }
        }
        Use::Never(above)
    };
    of_line.iter().map(|(line, own)| (*line, use_of(own))).collect()
}

/// Returns the rules that decide in place of one that never decides. Empty if no URL has such a path.
fn above_of(rules: &RuleAnalysis<'_>, at: RuleIndex) -> Result<Vec<RuleIndex>, NotDecided> {
    let above = rules.covered_by(at);
    if !above.is_empty() {
        return Ok(above);
    }
    // No path stands for all of the pattern: a copy, or what decides a shortest path.
    if let Some(copy) = (0..at).find(|other| rules.pattern(*other) == rules.pattern(at)) {
        return Ok(vec![copy]);
    }
    let path = rules.shortest(&[rules.term(at)], &[])?;
    Ok(path.and_then(|path| rules.first(&rules.seen(&path), 0, |_| false)).into_iter().collect())
}

/// Finds lines that decide nothing.
pub(super) fn check(context: &mut Context<'_>) {
    let wants_redundant = context.check("rule-redundant").is_some();
    let mut all: BTreeMap<u32, Vec<Use>> = BTreeMap::new();
    for obeyed in &context.obeyed {
        for (line, used) in uses(obeyed, wants_redundant) {
            all.entry(line).or_default().push(used);
        }
    }
    let never = |used: &Use| match used {
        Use::Never(above) => above.clone(),
        _ => Vec::new(),
    };
    let above_of_all: Vec<Above> = all.values().flatten().flat_map(never).collect();
    let copied: BTreeSet<u32> =
        above_of_all.into_iter().filter(|above| above.is_copy()).map(|above| above.line).collect();
    let mut undecided = Vec::new();
    for (line, uses) in all {
        let Some(rule) = context.rule_of_line(line) else { continue };
        if uses.iter().any(|used| matches!(used, Use::NotDecided)) {
            undecided.push((line, rule.value));
            continue;
        }
        if uses.iter().any(|used| matches!(used, Use::Decides)) {
            continue;
        }
        let text = quoted(context.lines.text(line).trim_ascii());
        let whole = context.lines.whole(line);
        let above: Vec<Above> = uses.iter().flat_map(never).collect();
        if above.iter().any(|above| above.is_index) {
            // Under other dialects it decides.
            continue;
        }
        let mut related: Vec<u32> = above.iter().map(|above| above.line).collect();
        related.sort_unstable();
        related.dedup();
        let finding = if uses.iter().any(|used| matches!(used, Use::Redundant)) {
            // Its copy is reported. While that is there, nothing depends on this line.
            let Some(check) = context.check("rule-redundant").filter(|_| !copied.contains(&line)) else { continue };
            Finding::new(check, line, rule.value, format!("without {text} every verdict is the same"))
        } else if above.is_empty() {
            // No URL has such a path. A check of the pattern says why, if one can.
            if patterns::explains_no_url(context, rule) {
                continue;
            }
            let Some(check) = context.check("rule-never-decides") else { continue };
            Finding::new(check, line, rule.value, format!("{text} never decides: no URL has such a path"))
        } else if above.iter().all(|above| above.is_copy()) {
            let Some(check) = context.check("rule-duplicate") else { continue };
            let first = related[0];
            // The line that is kept is the first.
            let is_spelled_so =
                context.rule_of_line(first).is_some_and(|other| context.value(other) == context.value(rule));
            if is_spelled_so {
                let message = format!("{text} is there twice: line {first} says the same");
                Finding::new(check, line, rule.value, message)
            } else {
                // Readers that do not normalize escapes need both.
                let message = format!("{text} is another spelling of line {first}");
                Finding::new(check, line, rule.value, message).severity(Severity::Info)
            }
        } else if above.iter().all(|above| above.has_same_pattern) {
            let Some(check) = context.check("allow-disallow-same") else { continue };
            let by = line_text(context, related[0]);
            let message = format!("{text} never decides: {by} allows the same paths, and a tie allows");
            Finding::new(check, line, rule.value, message)
        } else {
            let Some(check) = context.check("rule-never-decides") else { continue };
            let by: Vec<String> = related.iter().take(3).map(|line| line_text(context, *line)).collect();
            let verb = match (above.iter().all(|above| above.is_longer), related.len()) {
                (true, 1) => "is longer and matches",
                (true, _) => "are longer and match",
                (false, 1) => "has priority and matches",
                (false, _) => "have priority and match",
            };
            let message = format!("{text} never decides: {} {verb} all that it matches", by.join(" and "));
            // The same verdict: only the line is in vain.
            let is_harmless = above.iter().all(|above| above.has_same_verdict);
            let severity = if is_harmless { Severity::Info } else { check.severity };
            Finding::new(check, line, rule.value, message).severity(severity)
        };
        let mut finding = finding.related(related);
        // A comment on the line is worth keeping: somebody wrote it for a reason.
        if !context.body()[whole.clone()].contains(&b'#') {
            finding = finding.fix(Fix::remove(whole));
        }
        context.found.push(finding);
    }
    if let Some((line, span)) = undecided.first() {
        let message = match undecided.len() {
            1 => "whether this rule decides any URL was not decided".to_owned(),
            count => format!("whether this rule and {} others decide any URL was not decided", count - 1),
        };
        context.report("not-decided", *line, *span, message);
    }
}

/// Returns a line as a message names it.
fn line_text(context: &Context<'_>, line: u32) -> String {
    if line == 0 {
        return "the dialect's own rule for `/robots.txt`".to_owned();
    }
    format!("line {line} {}", quoted(context.lines.text(line).trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Budget;
    use crate::space::Paths;
    use robotsc_compiler::{Dialect, RuleKind, RuleSet};

    #[test]
    fn what_is_not_decided_is_not_denied() {
        let rules = [(RuleKind::Disallow, "/a b*c*d", 1), (RuleKind::Disallow, "/x", 2)];
        let set = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let above = |budget: &Budget| above_of(&RuleAnalysis::new(&set, &Dialect::GOOGLE, Paths::Urls, budget), 0);
        // A blank is in no URL: this needs no search.
        assert_eq!(above(&Budget::new(0, 0)), Ok(vec![]));
        let rules = [(RuleKind::Disallow, "/../b*c*d", 1), (RuleKind::Disallow, "/x", 2)];
        let set = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let above = |budget: &Budget| above_of(&RuleAnalysis::new(&set, &Dialect::GOOGLE, Paths::Urls, budget), 0);
        assert_eq!(above(&Budget::default()), Ok(vec![]));
        assert_eq!(above(&Budget::new(0, 0)), Err(NotDecided));
    }
}
