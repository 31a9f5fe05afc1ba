//! Findings that have one cause, as one.

use robotsc_compiler::small_sort::SmallSort as _;

use super::check::LintCheck;
use super::context::Context;
use super::groups;
use crate::agents::group_of_rule;

/// A site that is closed because two groups are read as one: the merge is the cause, and what it closes is said there.
pub(super) fn join(context: &mut Context<'_>) {
    let closed: Vec<(u32, String)> = context
        .found
        .iter()
        .filter(|finding| finding.check == LintCheck::SiteClosed)
        .map(|finding| (finding.line, finding.message.clone()))
        .collect();
    for (line, message) in closed {
        let Some(group) = group_of_rule(context.robots, line) else { continue };
        // The agents that the rule was not meant for come before the line that joins them.
        let agents: Vec<u32> =
            context.robots.agents_of(&context.robots.groups()[group]).iter().map(|agent| agent.line).collect();
        let star = groups::closed_agent_lines(context, group);
        let merge = context.found.iter_mut().find(|finding| {
            finding.check == LintCheck::GroupMerge
                && agents.contains(&finding.line)
                && star.iter().all(|agent| *agent < finding.line)
        });
        let Some(merge) = merge else { continue };
        merge.severity = merge.check.severity();
        merge.message = format!("{}: {message}", merge.message);
        merge.witness = Some("/".to_owned());
        merge.related.push(line);
        merge.related.small_sort_unstable();
        merge.related.dedup();
        context.found.retain(|finding| finding.check != LintCheck::SiteClosed || finding.line != line);
    }
}
