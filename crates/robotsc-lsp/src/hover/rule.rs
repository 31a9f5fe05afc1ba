//! A rule: what it matches, whether it ever decides, and for whom.

use robotsc::analysis::{Audience, Budget, Paths, RuleAnalysis, audiences};
use robotsc::{RobotsTxt, Rule, RuleLine, RuleOrigin, RuleSet, Verdict};

use super::markdown::{code, listed};
use super::pattern::in_words;

/// The work of one search, and of all for a rule: a person waits for it.
const PER_SEARCH: u64 = 1 << 21;
const IN_ALL: u64 = 1 << 23;
/// The maximum number of audiences that are told apart.
const MAX_AUDIENCES: usize = 4;

/// Describes a rule.
pub(super) fn hover(robots: &RobotsTxt<'_>, line: &RuleLine) -> String {
    let groups: Vec<u32> = (0..)
        .zip(robots.groups())
        .filter(|(_, group)| robots.rules_of(group).iter().any(|rule| rule.line == line.line))
        .map(|(number, _)| number)
        .collect();
    let obeying: Vec<Audience> = audiences(robots)
        .into_iter()
        .filter(|audience| audience.groups.iter().any(|group| groups.contains(&group.0)))
        .collect();
    let mut text = vec![meaning(robots, line, obeying.first())];
    let budget = Budget::new(PER_SEARCH, IN_ALL);
    // Audiences with equal answers are told together.
    let mut answers: Vec<(String, Vec<String>)> = Vec::new();
    for audience in obeying.iter().take(MAX_AUDIENCES) {
        let set = audience.rule_set(robots);
        let Some(answer) = decides(&set, robots, line, &budget) else { continue };
        match answers.iter_mut().find(|(other, _)| *other == answer) {
            Some((_, names)) => names.push(audience.title()),
            None => answers.push((answer, vec![audience.title()])),
        }
    }
    match answers.as_slice() {
        [] => text.push("No crawler obeys it.".to_owned()),
        [(answer, _)] => {
            let mut names: Vec<String> = obeying.iter().take(MAX_AUDIENCES).map(Audience::title).collect();
            more(&mut names, obeying.len());
            text.push(answer.clone());
            text.push(format!("Obeyed by {}.", escaped(&listed(&names))));
        }
        several => {
            for (answer, names) in several {
                text.push(format!("For {}: {answer}", escaped(&listed(names))));
            }
            if obeying.len() > MAX_AUDIENCES {
                text.push(format!("{} more sets of agents obey it.", obeying.len() - MAX_AUDIENCES));
            }
        }
    }
    text.join("\n\n")
}

fn more(names: &mut Vec<String>, all: usize) {
    if all > MAX_AUDIENCES {
        names.push(format!("{} more sets of agents", all - MAX_AUDIENCES));
    }
}

/// Returns names of a file as text that is no markup.
fn escaped(names: &str) -> String {
    names.chars().flat_map(|char| char.is_ascii_punctuation().then_some('\\').into_iter().chain([char])).collect()
}

/// Returns what the rule matches.
fn meaning(robots: &RobotsTxt<'_>, line: &RuleLine, audience: Option<&Audience>) -> String {
    let written = format!("**{}** {}", line.kind.as_str(), code(line.value.of(robots.body())));
    let dialect = code(robots.dialect().name.as_bytes());
    let set = audience.map(|audience| audience.rule_set(robots));
    let rules: Vec<&Rule> = set.iter().flat_map(RuleSet::rules).filter(|rule| rule.line == line.line).collect();
    let (Some(set), Some(first)) = (&set, rules.first()) else {
        return format!("{written} matches no path under {dialect}: a pattern starts with `/` or `*`.");
    };
    let mut patterns: Vec<String> = rules
        .iter()
        .filter(|rule| rule.origin != RuleOrigin::IndexHtm)
        .map(|rule| in_words(set.pattern(rule)))
        .collect();
    patterns.dedup();
    let verb = |rule: &Rule| if rule.verdict == Verdict::Allow { "allows" } else { "blocks" };
    let mut text = format!("{written} {} {}.", verb(first), patterns.join(", and "));
    if let Some(rule) = rules.iter().find(|rule| rule.origin == RuleOrigin::IndexHtm) {
        text.push_str(&format!(" It also allows {}, of which this is the index page.", in_words(set.pattern(rule))));
    }
    if first.length > 0 {
        let unit = if first.length == 1 { "byte" } else { "bytes" };
        text.push_str(&format!(" Its length is {} {unit}; the longest rule that matches decides.", first.length));
    }
    text
}

/// Returns whether a rule ever decides for an audience; `None` if the audience does not have it.
fn decides(set: &RuleSet, robots: &RobotsTxt<'_>, line: &RuleLine, budget: &Budget) -> Option<String> {
    let analysis = RuleAnalysis::new(set, robots.dialect(), Paths::Urls, budget);
    let own: Vec<u32> = (0..).zip(set.rules()).filter(|(_, rule)| rule.line == line.line).map(|(at, _)| at).collect();
    own.first()?;
    let mut covered: Vec<u32> = Vec::new();
    for at in own {
        match analysis.shortest_decided(at) {
            Ok(Some(path)) => return Some(decides_path(&analysis, line.line, &path)),
            Ok(None) => covered.extend(analysis.covered_by(at).iter().map(|by| set.rules()[*by as usize].line)),
            Err(_) => {
                return Some("Whether it ever decides is not known: the rules are too many to search.".to_owned());
            }
        }
    }
    covered.sort_unstable();
    covered.dedup();
    covered.retain(|other| *other != line.line);
    let lines: Vec<String> = covered
        .iter()
        .take(3)
        .map(|other| if *other == 0 { "the dialect itself".to_owned() } else { format!("line {other}") })
        .collect();
    Some(match lines.as_slice() {
        [] => "It never decides: no URL has such a path, or longer rules match all of them.".to_owned(),
        lines => format!(
            "It never decides: {} {} priority, and {} all of its paths.",
            listed(lines),
            if lines.len() == 1 { "has" } else { "have" },
            if lines.len() == 1 { "matches" } else { "together match" },
        ),
    })
}

/// Returns an example of what a rule decides, and whether another would answer the same.
fn decides_path(analysis: &RuleAnalysis<'_>, line: u32, path: &[u8]) -> String {
    let example = format!("For example, it decides {}.", code(path));
    match analysis.change_without(line) {
        Ok(None) => format!("{example} Without it, no verdict would change."),
        Ok(Some(_)) | Err(_) => example,
    }
}
