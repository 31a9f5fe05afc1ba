//! The agents of a file: their names, and which of them obey the same lines.

pub(crate) mod audience;
pub(crate) mod names;

use robotsc_compiler::RobotsTxt;

/// Returns the index of the group that the rule of a line is in; `None` if the line is no rule.
pub(crate) fn group_of_rule(robots: &RobotsTxt<'_>, line: u32) -> Option<usize> {
    let at = robots.rules().binary_search_by_key(&line, |rule| rule.line).ok()? as u32;
    // Groups are in the order of their rules, and one without rules ends where the next begins.
    let group = robots.groups().partition_point(|group| group.rules.end <= at);
    robots.groups().get(group).filter(|group| group.rules.contains(&at)).map(|_| group)
}
