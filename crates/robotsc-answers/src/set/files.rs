//! A file under all dialects, and what its groups say to a crawler.

use std::collections::BTreeSet;

use robotsc::agent::{Selection, SelectionReason};
use robotsc::bundled;
use robotsc::dialect::AgentMatch;
use robotsc::record::RecordKind;
use robotsc::robots_txt::{AgentLine, DiagnosticCode, Group, RuleKind, RuleLine};
use robotsc::rules::RuleOrigin;
use robotsc::{Crawler, Dialect, RobotsTxt, RuleSet, Verdict};

use robotsc_analysis::small_sort::SmallCollect as _;

use super::choice::Choice;
use super::pattern::matches_all;
use super::refusal::{Refusal, Why};

/// A body under each dialect of [`Dialect::ALL`].
pub(super) struct Files<'b>(pub(super) Vec<RobotsTxt<'b>>);

impl<'b> Files<'b> {
    pub(super) fn new(body: &'b [u8]) -> Self {
        Self(Dialect::ALL.into_iter().map(|dialect| RobotsTxt::parse_with(body, dialect)).collect())
    }

    /// Returns the file under the default dialect, the first of all.
    pub(super) fn google(&self) -> &RobotsTxt<'b> {
        &self.0[0]
    }

    /// Reports whether some dialect reads a group for `*` without rules at the end, which a line after it would go on.
    pub(super) fn ends_in_open_star(&self) -> bool {
        self.0.iter().any(|robots| {
            let last = robots.groups().last().filter(|group| group.rules.is_empty());
            last.is_some_and(|group| robots.agents_of(group).iter().any(|agent| agent.is_star))
        })
    }

    /// Returns the lines that close the whole site to a crawler under some dialect: to `yandex`, an empty `Allow:`
    /// does.
    pub(super) fn closing(&self, crawler: &Crawler) -> BTreeSet<u32> {
        self.0.iter().flat_map(|robots| closing_lines(robots, &robots.select(crawler))).small_collect()
    }

    /// Checks that every dialect reads the file to its end.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        for notice in self.0.iter().flat_map(RobotsTxt::diagnostics) {
            match notice.code {
                DiagnosticCode::FileCut => {
                    let cause = "the file is longer than crawlers read, or would be: shorten it first";
                    return Err(Refusal::new(Why::File, cause).at(notice.line));
                }
                DiagnosticCode::Utf16Bom => {
                    return Err(Refusal::new(Why::File, "the file is text in UTF-16: convert it to UTF-8 first"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Reports whether a dialect compares names whole. Under others a known crawler that no group names is found by the
/// start of its name, whatever its operator documents.
pub(super) fn has_whole_names(dialect: &Dialect) -> bool {
    dialect.agent_match == AgentMatch::Exact
}

/// Reports whether a crawler obeys these groups as its operator documents it: by one of its names, or as one of all
/// others. A dialect that compares names by their start can find another name of the file.
pub(super) fn is_documented(crawler: &Crawler, selection: &Selection) -> bool {
    let is_name = |found: &Vec<u8>| crawler.names().any(|name| name.as_bytes().eq_ignore_ascii_case(found));
    !matches!(&selection.reason, SelectionReason::Named(names) if !names.iter().all(is_name))
}

/// Returns the groups that a crawler obeys as its operator documents it: those for `*` if a dialect finds another name.
pub(super) fn documented(robots: &RobotsTxt<'_>, crawler: &Crawler) -> Selection {
    let selection = robots.select(crawler);
    if is_documented(crawler, &selection) {
        return selection;
    }
    let others = robots.select(&Crawler::others());
    if crawler.is_named_only() { Selection { groups: Vec::new(), ..others } } else { others }
}

/// What some groups say to a crawler: its rules and records as written, without their lines.
pub(super) type Content<'r> = (Vec<(RuleKind, &'r [u8])>, Vec<(RecordKind, &'r [u8])>);

/// Returns what the groups of a selection say. Empty `Disallow:` lines alone say nothing: they only end a group.
pub(super) fn content<'r>(robots: &'r RobotsTxt<'_>, selection: &Selection) -> Content<'r> {
    let body = robots.body();
    let rules = groups(robots, selection).flat_map(|group| robots.rules_of(group));
    let records = groups(robots, selection).flat_map(|group| robots.records_of(group));
    let records = records.filter(|record| record.kind.is_of_group());
    let mut rules: Vec<_> = rules.map(|rule| (rule.kind, rule.value.of(body))).collect();
    if rules.iter().all(|(kind, value)| *kind == RuleKind::Disallow && value.is_empty()) {
        rules.clear();
    }
    (rules, records.map(|record| (record.kind, record.value.of(body))).collect())
}

/// Returns the lines of what the groups of a selection say.
pub(super) fn lines(robots: &RobotsTxt<'_>, selection: &Selection) -> BTreeSet<u32> {
    let rules = groups(robots, selection).flat_map(|group| robots.rules_of(group)).map(|rule| rule.line);
    let records = groups(robots, selection).flat_map(|group| robots.records_of(group));
    rules.chain(records.filter(|record| record.kind.is_of_group()).map(|record| record.line)).small_collect()
}

/// Returns the rules of a selection without those that close the whole site.
pub(super) fn open_rules(robots: &RobotsTxt<'_>, selection: &Selection) -> RuleSet {
    let closing = closing_lines(robots, selection);
    let rules = groups(robots, selection).flat_map(|group| robots.rules_of(group));
    let rules = rules.filter(|rule| !closing.contains(&rule.line));
    let rule = |rule: &RuleLine| (rule.kind, rule.value.of(robots.body()), rule.line);
    RuleSet::from_rules(robots.dialect(), rules.map(rule))
}

/// Returns the lines of a selection that disallow every path, if they decide.
pub(super) fn closing_lines(robots: &RobotsTxt<'_>, selection: &Selection) -> BTreeSet<u32> {
    let set = robots.rule_set_of(selection);
    let is_closing = |rule: &&robotsc::rules::Rule| {
        rule.verdict == Verdict::Disallow
            && matches!(rule.origin, RuleOrigin::Line | RuleOrigin::EmptyInverse)
            && matches_all(set.pattern(rule))
    };
    set.rules().iter().filter(is_closing).map(|rule| rule.line).small_collect()
}

/// Reports whether some rule of a selection allows a path.
pub(super) fn opens(robots: &RobotsTxt<'_>, selection: &Selection) -> bool {
    let set = robots.rule_set_of(selection);
    let opens = |rule: &robotsc::rules::Rule| {
        rule.verdict.is_allow() && !matches!(rule.origin, RuleOrigin::EmptyLine | RuleOrigin::RobotsTxtPath)
    };
    set.rules().iter().any(opens)
}

pub(super) fn groups<'r>(robots: &'r RobotsTxt<'_>, selection: &Selection) -> impl Iterator<Item = &'r Group> {
    selection.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize))
}

/// Returns the selection of the groups that name a crawler itself; `None` if none does.
pub(super) fn own(robots: &RobotsTxt<'_>, name: &str, alone: &Crawler) -> Option<Selection> {
    let selection = robots.select(alone);
    let is_own = matches!(&selection.reason, SelectionReason::Named(names)
        if names.iter().any(|found| found.eq_ignore_ascii_case(name.as_bytes())));
    is_own.then_some(selection)
}

/// Reports whether a `User-agent` line has a name, as a dialect reads it or as it is written.
pub(super) fn names(robots: &RobotsTxt<'_>, line: &AgentLine, name: &str) -> bool {
    let is = |text: &[u8]| text.eq_ignore_ascii_case(name.as_bytes());
    is(line.token.of(robots.body())) || is(line.written(robots.body()))
}

/// Returns the crawlers of the register as their operators document them, and those that a policy allows by a name that
/// is not in it; none that is denied.
pub(super) fn crawlers(choice: &Choice) -> impl Iterator<Item = (&str, Crawler)> {
    let known = bundled::agents().iter().map(|known| (known.token, known.crawler()));
    let allowed = choice.allowed.iter().filter(|member| member.known.is_none());
    let all = known.chain(allowed.map(|member| (member.name.as_str(), member.crawler.clone())));
    all.filter(|(name, _)| !choice.is_denied(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_match_every_path() {
        for pattern in ["/", "*", "/*", "/**", "*/", "*/*", "*$", "/*$", ""] {
            assert!(matches_all(pattern.as_bytes()), "{pattern}");
        }
        for pattern in ["/$", "*/$", "$", "/a", "/*a", "//", "/*/", "/*?", "*.gif$"] {
            assert!(!matches_all(pattern.as_bytes()), "{pattern}");
        }
    }
}
