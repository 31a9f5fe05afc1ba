//! Rules that decide nothing: `rule-never-decides`, `rule-redundant`, `rule-duplicate`, `allow-disallow-same`.
//!
//! A line is reported if it decides nothing for any of the agents that obey it.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::small_sort::SmallCollect as _;
use robotsc_compiler::{AgentLine, RuleLine, RuleOrigin, Severity};

use super::check::LintCheck;
use super::context::{Context, Obeyed, quoted};
use super::finding::{Finding, Fix};
use super::{groups, patterns};
use crate::agents::group_of_rule;
use crate::rules::{RuleAnalysis, RuleIndex};
use crate::search::NotDecided;
use crate::text::words::listed;

/// What a line is for the agents of one audience.
#[derive(Clone, Debug)]
enum LineUse {
    /// Some verdict depends on it.
    Decides,
    /// It decides, but every verdict would be the same without it.
    Redundant,
    /// It never decides, and these lines decide in its place.
    Never(Vec<HigherRule>),
    NotDecided,
}

impl LineUse {
    /// Returns the lines that decide in its place.
    fn higher_rules(&self) -> &[HigherRule] {
        match self {
            Self::Never(higher) => higher,
            _ => &[],
        }
    }
}

/// A line that decides in place of another.
#[derive(Clone, Copy, Debug)]
struct HigherRule {
    line: u32,
    has_same_pattern: bool,
    has_same_verdict: bool,
    /// Whether it is longer, and does not only win a tie.
    is_longer: bool,
    /// Whether it is the folder that an `Allow` of `index.htm` stands for. Only some dialects have it.
    is_index: bool,
}

impl HigherRule {
    const fn is_copy(self) -> bool {
        self.has_same_pattern && self.has_same_verdict
    }
}

/// Returns what each line is for an audience.
fn uses(obeyed: &Obeyed<'_>, wants_redundant: bool) -> BTreeMap<u32, LineUse> {
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
                Err(_) => return LineUse::NotDecided,
                Ok(true) if !wants_redundant => return LineUse::Decides,
                Ok(true) => {
                    return match rules.is_needed(own, &|_| false) {
                        Err(_) => LineUse::NotDecided,
                        Ok(true) => LineUse::Decides,
                        Ok(false) => LineUse::Redundant,
                    };
                }
                Ok(false) => {
                    let rule = &set.rules()[at as usize];
                    let Ok(others) = above_of(rules, at) else { return LineUse::NotDecided };
                    above.extend(others.into_iter().map(|other| {
                        let other = &set.rules()[other as usize];
                        HigherRule {
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
        LineUse::Never(above)
    };
    of_line.iter().map(|(line, own)| (*line, use_of(own))).small_collect()
}

/// Returns the rules that decide in place of one that never decides. Empty if no URL has such a path.
fn above_of(rules: &RuleAnalysis<'_>, at: RuleIndex) -> Result<Vec<RuleIndex>, NotDecided> {
    let above = rules.covered_by(at);
    if !above.is_empty() {
        return Ok(above);
    }
    // No path stands for all of the pattern: a copy, or what decides a shortest path.
    let pattern = rules.pattern(at);
    let mut related = rules.related(pattern)?.into_iter().take_while(|other| *other < at);
    if let Some(copy) = related.find(|other| rules.pattern(*other) == pattern) {
        return Ok(vec![copy]);
    }
    let path = rules.shortest(&[rules.term(at)], &[])?;
    Ok(path.and_then(|path| rules.first(&rules.seen(&path), |_| false)).into_iter().collect())
}

/// These checks.
const CHECKS: [LintCheck; 4] =
    [LintCheck::RuleNeverDecides, LintCheck::RuleRedundant, LintCheck::RuleDuplicate, LintCheck::AllowDisallowSame];

/// Finds lines that decide nothing.
pub(super) fn check(context: &mut Context<'_>) {
    if CHECKS.iter().all(|check| context.check(*check).is_none()) {
        return;
    }
    let uses = uses_of_lines(context);
    let copied: BTreeSet<u32> = uses
        .values()
        .flatten()
        .flat_map(LineUse::higher_rules)
        .filter(|rule| rule.is_copy())
        .map(|rule| rule.line)
        .small_collect();
    let mut undecided = Vec::new();
    let mut found = Vec::new();
    for (line, uses) in uses {
        let Some(rule) = context.rule_of_line(line) else { continue };
        if uses.iter().any(|used| matches!(used, LineUse::NotDecided)) {
            undecided.push((line, rule.value));
        } else if let Some(mut finding) = of_line(context, rule, &uses, &copied) {
            let whole = context.lines.whole(line);
            // A comment on the line is worth keeping: somebody wrote it for a reason.
            // Without any rule, the group would open everything, or be one with the next.
            let is_only = groups::is_only_rule(context, line);
            // If a line of the other verdict beats it, that is probably the mistake, and this line what was meant.
            let is_beaten = uses.iter().flat_map(LineUse::higher_rules).any(|rule| !rule.has_same_verdict);
            if !is_only && !is_beaten && !context.body()[whole.clone()].contains(&b'#') {
                finding = finding.fix(Fix::remove(whole));
            }
            found.push(finding);
        }
    }
    one_token(context, &mut found);
    keep_groups(context, &mut found);
    context.found.extend(found);
    if let Some((line, span)) = undecided.first() {
        let message = match undecided.len() {
            1 => "whether this rule decides any URL was not decided".to_owned(),
            count => format!("whether this rule and {} others decide any URL was not decided", count - 1),
        };
        context.report(LintCheck::NotDecided, *line, *span, message);
    }
}

/// Rules that repeat those of a group whose agent has another name, and is read as the same: `Sogou web spider` and
/// `Sogou inst spider`. They are no slip, so that one finding names the groups in place of one for each rule.
fn one_token(context: &mut Context<'_>, found: &mut Vec<Finding>) {
    let (robots, body) = (context.robots, context.body());
    let names = |group: usize| robots.agents_of(&robots.groups()[group]).iter();
    // The groups whose rules are there again, by the token that their names are read as.
    let mut again: BTreeMap<Vec<u8>, BTreeSet<usize>> = BTreeMap::new();
    found.retain(|finding| {
        let own = group_of_rule(robots, finding.line);
        let first = finding.related.first().and_then(|line| group_of_rule(robots, *line));
        let (LintCheck::RuleDuplicate, Some(own), Some(first)) = (finding.check, own, first) else { return true };
        let is_note = finding.severity < Severity::Warning;
        if is_note || own == first || names(own).len().max(names(first).len()) > MAX_NAMES {
            return true;
        }
        let is_named_alike = names(own)
            .any(|one| names(first).any(|other| one.value.of(body).eq_ignore_ascii_case(other.value.of(body))));
        let token = |agent: &AgentLine| agent.token.of(body).to_ascii_lowercase();
        let shared =
            names(own).map(token).find(|own| !own.is_empty() && names(first).any(|other| token(other) == *own));
        let Some(token) = shared.filter(|_| !is_named_alike) else { return true };
        again.entry(token).or_default().extend([first, own]);
        false
    });
    let Some(check) = context.check(LintCheck::RuleDuplicate) else { return };
    for (token, groups) in again {
        let is_its = |agent: &&AgentLine| agent.token.of(body).eq_ignore_ascii_case(&token);
        let agents: Vec<&AgentLine> = groups.iter().flat_map(|group| names(*group)).filter(is_its).collect();
        let [first, .., last] = agents.as_slice() else { continue };
        let mut seen = BTreeSet::new();
        let names = agents.iter().map(|agent| quoted(agent.value.of(body)));
        let mut written: Vec<String> = names.filter(|name| seen.insert(name.clone())).collect();
        let more = written.len().saturating_sub(MAX_SHOWN);
        written.truncate(MAX_SHOWN);
        written.extend((more > 0).then(|| format!("{more} more")));
        let all = if written.len() == 2 { "both" } else { "all" };
        let message = format!(
            "{} are {all} read as {}: their groups are one, and rules are in it twice",
            listed(&written),
            quoted(first.token.of(body))
        );
        let related = agents.iter().map(|agent| agent.line).take(MAX_NAMES);
        found.push(Finding::new(check, last.line, last.value, message).related(related));
    }
}

/// The maximum number of agents of a group whose names are compared.
const MAX_NAMES: usize = 16;

/// The maximum number of names that a message has.
const MAX_SHOWN: usize = 4;

/// Drops the fixes that together would leave a group without rules: its agents would run on into the next.
fn keep_groups(context: &Context<'_>, found: &mut [Finding]) {
    let mut removed: BTreeMap<usize, usize> = BTreeMap::new();
    for finding in found.iter().filter(|finding| finding.fix.is_some()) {
        group_of_rule(context.robots, finding.line)
            .into_iter()
            .for_each(|group| *removed.entry(group).or_default() += 1);
    }
    let groups = context.robots.groups();
    removed.retain(|group, count| context.robots.rules_of(&groups[*group]).len() <= *count);
    for finding in found.iter_mut() {
        if group_of_rule(context.robots, finding.line).is_some_and(|group| removed.contains_key(&group)) {
            finding.fix = None;
        }
    }
}

/// Returns what each line is for each audience that obeys it.
fn uses_of_lines(context: &Context<'_>) -> BTreeMap<u32, Vec<LineUse>> {
    let wants_redundant = context.check(LintCheck::RuleRedundant).is_some();
    let mut all: BTreeMap<u32, Vec<LineUse>> = BTreeMap::new();
    for obeyed in &context.obeyed {
        for (line, used) in uses(obeyed, wants_redundant) {
            all.entry(line).or_default().push(used);
        }
    }
    all
}

/// Returns what is to be said of a line. `copied` are the lines of which copies decide nothing.
fn of_line(context: &Context<'_>, rule: &RuleLine, uses: &[LineUse], copied: &BTreeSet<u32>) -> Option<Finding> {
    if uses.iter().any(|used| matches!(used, LineUse::Decides)) {
        return None;
    }
    let text = quoted(context.lines.text(rule.line).trim_ascii());
    let higher: Vec<HigherRule> = uses.iter().flat_map(LineUse::higher_rules).copied().collect();
    if higher.iter().any(|rule| rule.is_index) {
        // Under other dialects it decides.
        return None;
    }
    let lines: BTreeSet<u32> = higher.iter().map(|rule| rule.line).small_collect();
    let finding = |check, message: String| Finding::new(check, rule.line, rule.value, message);
    let found = if uses.iter().any(|used| matches!(used, LineUse::Redundant)) {
        // Its copy is reported. While that is there, nothing depends on this line.
        let check = context.check(LintCheck::RuleRedundant).filter(|_| !copied.contains(&rule.line))?;
        finding(check, format!("without {text} every verdict is the same"))
    } else if higher.is_empty() {
        // No URL has such a path. A check of the pattern says why, if one can.
        if patterns::explains_no_url(context, rule) {
            return None;
        }
        let check = context.check(LintCheck::RuleNeverDecides)?;
        finding(check, format!("{text} never decides: no URL has such a path"))
    } else if higher.iter().all(|rule| rule.is_copy()) {
        duplicate(context, rule, *lines.first()?)?
    } else if higher.iter().all(|rule| rule.has_same_pattern) {
        let check = context.check(LintCheck::AllowDisallowSame)?;
        let by = line_text(context, *lines.first()?);
        finding(check, format!("{text} never decides: {by} allows the same paths, and a tie allows"))
    } else {
        let check = context.check(LintCheck::RuleNeverDecides)?;
        let by: Vec<String> = lines.iter().take(3).map(|line| line_text(context, *line)).collect();
        let verb = match (higher.iter().all(|rule| rule.is_longer), lines.len()) {
            (true, 1) => "is longer and matches",
            (true, _) => "are longer and match",
            (false, 1) => "has priority and matches",
            (false, _) => "have priority and match",
        };
        // The same verdict: only the line is in vain.
        let is_harmless = higher.iter().all(|rule| rule.has_same_verdict);
        let severity = if is_harmless { Severity::Info } else { check.severity() };
        let message = format!("{text} never decides: {} {verb} all that it matches", by.join(" and "));
        finding(check, message).severity(severity)
    };
    Some(found.related(lines))
}

/// Returns what is to be said of a rule that another line has already.
fn duplicate(context: &Context<'_>, rule: &RuleLine, first: u32) -> Option<Finding> {
    let check = context.check(LintCheck::RuleDuplicate)?;
    let text = quoted(context.lines.text(rule.line).trim_ascii());
    let is_spelled_so = context.rule_of_line(first).is_some_and(|other| context.value(other) == context.value(rule));
    let (message, severity) = if is_spelled_so {
        (format!("{text} is there twice: line {first} says the same"), check.severity())
    } else {
        // Readers that do not normalize escapes need both.
        (format!("{text} is another spelling of line {first}"), Severity::Info)
    };
    Some(Finding::new(check, rule.line, rule.value, message).severity(severity))
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
    use crate::search::SearchBudget;
    use crate::space::Paths;
    use robotsc_compiler::{Dialect, RuleKind, RuleSet};

    #[test]
    fn what_is_not_decided_is_not_denied() {
        let rules = [(RuleKind::Disallow, "/a b*c*d", 1), (RuleKind::Disallow, "/x", 2)];
        let set = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let above = |budget: &SearchBudget| above_of(&RuleAnalysis::of(&set, &Dialect::GOOGLE, Paths::Urls, budget), 0);
        // A blank is in no URL: this needs no search, but for a copy.
        assert_eq!(above(&SearchBudget::new(2, 2)), Ok(vec![]));
        let rules = [(RuleKind::Disallow, "/../b*c*d", 1), (RuleKind::Disallow, "/x", 2)];
        let set = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let above = |budget: &SearchBudget| above_of(&RuleAnalysis::of(&set, &Dialect::GOOGLE, Paths::Urls, budget), 0);
        assert_eq!(above(&SearchBudget::default()), Ok(vec![]));
        assert_eq!(above(&SearchBudget::new(0, 0)), Err(NotDecided));
    }
}
