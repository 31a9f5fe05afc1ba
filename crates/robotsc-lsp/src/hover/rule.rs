//! A rule: what it matches, whether it ever decides, and for whom.

use robotsc::analysis::words::{capitalized, listed};
use robotsc::analysis::{Audience, Paths, RuleAnalysis, SearchBudget, audiences};
use robotsc::robots_txt::RuleLine;
use robotsc::rules::{Rule, RuleOrigin};
use robotsc::{RobotsTxt, RuleSet, Verdict};

use super::markdown::code;
use super::pattern::in_words;
use super::register;

/// The work of one search, and of all for a rule: a person waits for it.
const PER_SEARCH: u64 = 1 << 21;
const IN_ALL: u64 = 1 << 23;
/// The maximum number of audiences that are listed.
const MAX_AUDIENCES: usize = 4;
/// The maximum number of crawlers of an audience that are named.
const MAX_NAMES: usize = 5;

/// Describes a rule.
pub(super) fn hover(robots: &RobotsTxt<'_>, line: &RuleLine) -> String {
    let groups: Vec<u32> = (0..)
        .zip(robots.groups())
        .filter(|(_, group)| robots.rules_of(group).iter().any(|rule| rule.line == line.line))
        .map(|(number, _)| number)
        .collect();
    let all = audiences(robots);
    let is_for_all = all.len() == 1;
    let obeying: Vec<&Audience> =
        all.iter().filter(|audience| audience.groups.iter().any(|group| groups.contains(&group.0))).collect();
    if obeying.is_empty() {
        return format!(
            "{} has no effect: no crawler obeys its group, since none is named there.",
            written(robots, line)
        );
    }
    let Some((set, rules)) = obeying.iter().find_map(|audience| of_line(robots, line, audience)) else {
        let dialect = code(robots.dialect().name.as_bytes());
        return format!("{} matches no path under {dialect}: a pattern starts with `/` or `*`.", written(robots, line));
    };
    let mut text = vec![meaning(robots, line, &set, &rules)];
    let budget = SearchBudget::new(PER_SEARCH, IN_ALL);
    // Audiences with equal answers are listed together.
    let mut answers: Vec<(String, Vec<String>)> = Vec::new();
    for audience in obeying.iter().take(MAX_AUDIENCES) {
        let set = audience.rule_set(robots);
        let answer = decides(&set, robots, line, &budget);
        match answers.iter_mut().find(|(other, _)| *other == answer) {
            Some((_, names)) => names.extend(crawlers(audience, is_for_all)),
            None => answers.push((answer, crawlers(audience, is_for_all))),
        }
    }
    let more = match obeying.len().saturating_sub(MAX_AUDIENCES) {
        0 => String::new(),
        more => format!(" It is also for crawlers of {more} more combinations of groups."),
    };
    let by_register = register::of_rule(robots, &groups);
    match answers.as_slice() {
        [(answer, names)] => {
            text.push(capitalized(answer));
            text.push(format!("It is for {}.{more}", listed(names)));
        }
        several => {
            let rows: Vec<String> =
                several.iter().map(|(answer, names)| format!("- For {}: {answer}", listed(names))).collect();
            text.push(format!("{}{more}", rows.join("\n")));
        }
    }
    text.extend(by_register);
    text.join("\n\n")
}

/// Returns the crawlers of an audience, some by name.
fn crawlers(audience: &Audience, is_for_all: bool) -> Vec<String> {
    if is_for_all {
        return vec!["all crawlers".to_owned()];
    }
    let mut names: Vec<String> = audience.names.iter().take(MAX_NAMES).map(|name| code(name.as_bytes())).collect();
    if audience.names.len() > MAX_NAMES {
        names.push(format!("{} more", audience.names.len() - MAX_NAMES));
    }
    if audience.has_others {
        names.push("all crawlers that no group names".to_owned());
    }
    names
}

/// Returns the rules that an audience has from a line; `None` if it has none.
fn of_line(robots: &RobotsTxt<'_>, line: &RuleLine, audience: &Audience) -> Option<(RuleSet, Vec<Rule>)> {
    let set = audience.rule_set(robots);
    let rules: Vec<Rule> = set.rules().iter().filter(|rule| rule.line == line.line).copied().collect();
    (!rules.is_empty()).then_some((set, rules))
}

fn written(robots: &RobotsTxt<'_>, line: &RuleLine) -> String {
    format!("**{}** {}", line.kind.as_str(), code(line.value.of(robots.body())))
}

/// Returns what the rule matches.
fn meaning(robots: &RobotsTxt<'_>, line: &RuleLine, set: &RuleSet, rules: &[Rule]) -> String {
    let of_lines = rules.iter().filter(|rule| rule.origin != RuleOrigin::IndexHtm);
    let mut patterns: Vec<String> = of_lines.map(|rule| in_words(set.pattern(rule))).collect();
    patterns.dedup();
    let is_allow = rules.iter().all(|rule| rule.verdict == Verdict::Allow);
    let verb = if is_allow { "allows" } else { "blocks" };
    let mut text = format!("{} {verb} {}.", written(robots, line), patterns.join(", and "));
    if let Some(rule) = rules.iter().find(|rule| rule.origin == RuleOrigin::IndexHtm) {
        let folder = set.pattern(rule).strip_suffix(b"$").unwrap_or(set.pattern(rule));
        text.push_str(&format!(" It also allows the path {}, since this is its index page.", code(folder)));
    }
    let length = rules.iter().map(|rule| rule.length).max().unwrap_or(0);
    let unit = if length == 1 { "byte" } else { "bytes" };
    text.push_str(&format!(" Its length is {length} {unit}; the longest rule that matches a path decides."));
    text
}

/// Returns whether a rule ever decides for an audience: a clause.
fn decides(set: &RuleSet, robots: &RobotsTxt<'_>, line: &RuleLine, budget: &SearchBudget) -> String {
    let Ok(analysis) = RuleAnalysis::new(set, robots.dialect(), Paths::Urls, budget) else {
        return "whether it ever decides is not known.".to_owned();
    };
    let own = (0..).zip(set.rules()).filter(|(_, rule)| rule.line == line.line).map(|(at, _)| at);
    let mut covered: Vec<u32> = Vec::new();
    for at in own {
        match analysis.shortest_decided(at) {
            Ok(Some(path)) => return decides_path(&analysis, line.line, &path),
            Ok(None) => covered.extend(analysis.covered_by(at).iter().map(|by| set.rules()[*by as usize].line)),
            Err(_) => return "whether it ever decides is not known: the search would take too long.".to_owned(),
        }
    }
    covered.sort_unstable();
    covered.dedup();
    covered.retain(|other| *other != line.line);
    let name = |other: &u32| if *other == 0 { "the dialect itself".to_owned() } else { format!("line {other}") };
    let lines: Vec<String> = covered.iter().take(3).map(name).collect();
    match lines.as_slice() {
        [] => "it never decides: no URL has such a path, or rules of higher priority match all of them.".to_owned(),
        [one] => format!("it never decides: {one} has priority, and matches all of its paths."),
        lines => format!("it never decides: {} have priority, and together match all of its paths.", listed(lines)),
    }
}

/// Returns an example of what a rule decides, and whether another would answer the same.
fn decides_path(analysis: &RuleAnalysis<'_>, line: u32, path: &[u8]) -> String {
    let example = format!("it decides {}, for example.", code(path));
    match analysis.change_without(line) {
        Ok(None) => format!("{example} Without it, no verdict would change."),
        Ok(Some(_)) | Err(_) => example,
    }
}
