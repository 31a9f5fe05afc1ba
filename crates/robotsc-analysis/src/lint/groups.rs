//! Groups that replace, repeat or contradict each other.

use std::collections::{BTreeSet, HashSet};

use robotsc_compiler::record::RecordKind;
use robotsc_compiler::small_sort::SmallCollect as _;
use robotsc_compiler::{AgentLine, ByteSpan, Group, GroupId, RuleKind, RuleLine, Verdict};

use super::check::LintCheck;
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use super::keys::meant;
use crate::agents::group_of_rule;
use crate::text::edit::Edit;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    empty(context);
    only_allows(context);
    repeated(context);
    joined_by_blanks(context);
}

/// Where a group starts: its first `User-agent` line.
pub(super) fn start(context: &Context<'_>, group: GroupId) -> Option<(u32, ByteSpan)> {
    let group = context.robots.groups().get(group.0 as usize)?;
    let agent = context.robots.agents_of(group).first()?;
    Some((agent.line, agent.value))
}

/// A group without any rule.
fn empty(context: &mut Context<'_>) {
    // Where nothing is disallowed, nothing is lost.
    let star = context.obeyed.iter().find(|obeyed| obeyed.audience.has_others);
    let disallows = |obeyed: &Obeyed<'_>| obeyed.rules.rule_set().rules().iter().any(|rule| !rule.verdict.is_allow());
    if !star.is_some_and(disallows) {
        return;
    }
    let (robots, body) = (context.robots, context.body());
    let groups = robots.groups();
    let ended_by_block: HashSet<u32> = groups.iter().filter_map(|group| end_by_block(context, group)).collect();
    let is_of_block = |rule: &RuleLine| ended_by_block.contains(&rule.line);
    let is_empty = |group: &Group| robots.rules_of(group).iter().all(is_of_block);
    // Another group can hold the rules. A file can have thousands of groups.
    let is_open =
        |groups_of: &&Vec<GroupId>| groups_of.iter().all(|id| groups.get(id.0 as usize).is_some_and(is_empty));
    let open: BTreeSet<GroupId> =
        context.obeyed.iter().map(|obeyed| &obeyed.audience.groups).filter(is_open).flatten().copied().small_collect();
    let key = |agent: &AgentLine| (agent.is_star, agent.written(body).to_ascii_lowercase());
    let with_rules = groups.iter().filter(|group| !is_empty(group));
    let with_rules: HashSet<(bool, Vec<u8>)> = with_rules.flat_map(|group| robots.agents_of(group)).map(key).collect();
    for (_, group) in (0..).map(GroupId).zip(groups).filter(|(id, group)| is_empty(group) && open.contains(id)) {
        let Some(agent) = robots.agents_of(group).last() else { continue };
        let without = robots.agents_of(group).iter().filter(|agent| !with_rules.contains(&key(agent)));
        let names: Vec<String> = without.map(|agent| quoted(agent.value.of(body))).collect();
        let message = format!("the group of {} has no rule: everything is allowed", names.join(", "));
        context.report(LintCheck::GroupEmpty, agent.line, agent.value, message);
    }
}

/// Returns the line of the only rule of a group, if it is the empty one by which the block of `robotsc set` ends the
/// group: the owner wrote none.
fn end_by_block(context: &Context<'_>, group: &Group) -> Option<u32> {
    let (agents, rules) = (context.robots.agents_of(group), context.robots.rules_of(group));
    let ([.., agent], [rule]) = (agents, rules) else { return None };
    let begins = |line| context.lines.text(line).trim_ascii() == b"# robotsc: begin";
    let is_end = context.value(rule).is_empty() && rule.kind == RuleKind::Disallow;
    (is_end && (agent.line + 1..rule.line).any(begins)).then_some(rule.line)
}

/// A group of Allow rules alone.
fn only_allows(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::AllowWithoutDisallow) else { return };
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let rules = obeyed.rules.rule_set().rules();
        let is_allow = |rule: &robotsc_compiler::Rule| rule.kind == RuleKind::Allow && rule.verdict == Verdict::Allow;
        if let Some(first) = rules.iter().map(|rule| rule.line).min()
            && rules.iter().all(is_allow)
            && let Some(rule) = context.rule_of_line(first)
        {
            let message =
                format!("{} may fetch everything: a group of Allow rules alone allows it", obeyed.audience.title());
            found.push(Finding::new(check, first, rule.value, message));
        }
    }
    context.found.extend(found);
}

/// An agent that several groups name.
fn repeated(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::GroupRepeated) else { return };
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let starts: Vec<_> = obeyed.audience.groups.iter().filter_map(|id| start(context, *id)).collect();
        if let [(first, _), .., (line, span)] = starts.as_slice() {
            let message = format!(
                "the rules of {} are in {} groups: they are merged, but some crawlers read the first alone",
                obeyed.audience.title(),
                starts.len()
            );
            found.push(Finding::new(check, *line, *span, message).related([*first]));
        }
    }
    context.found.extend(found);
}

/// Returns the index of the group that a `User-agent` line is of.
pub(super) fn group_of(context: &Context<'_>, line: u32) -> Option<usize> {
    let robots = context.robots;
    // Groups are in the order of their lines, and so are the agents of each.
    let starts = |group: &Group| robots.agents_of(group).first().is_none_or(|agent| agent.line <= line);
    let group = robots.groups().partition_point(starts).checked_sub(1)?;
    let agents = robots.agents_of(&robots.groups()[group]);
    agents.binary_search_by_key(&line, |agent| agent.line).is_ok().then_some(group)
}

/// Reports whether groups that are read as one have a rule that blocks something, and name different agents.
pub(super) fn merge_matters(context: &Context<'_>, group: usize) -> bool {
    let robots = context.robots;
    let group = &robots.groups()[group];
    let blocks = robots.rules_of(group).iter().any(closes);
    let mut names = robots.agents_of(group).iter().map(|agent| agent.value.of(context.body()));
    let first = names.next().unwrap_or_default();
    blocks && names.any(|name| !name.eq_ignore_ascii_case(first))
}

/// A list of agents with a blank line in it: it looks like two groups, of which the first has lost its rules. Once for
/// each list.
fn joined_by_blanks(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::GroupMerge) else { return };
    let robots = context.robots;
    let mut found = Vec::new();
    for (number, group) in robots.groups().iter().enumerate() {
        let is_blank = |line: u32| context.lines.text(line).trim_ascii().is_empty();
        let agents = robots.agents_of(group);
        let joins = |pair: &&[AgentLine]| (pair[0].line + 1..pair[1].line).any(is_blank);
        let Some([before, agent]) = agents.windows(2).find(joins) else { continue };
        // The parser reports a record between them.
        let next = robots.records().partition_point(|record| record.line < before.line);
        let has_record = robots.records().get(next).is_some_and(|record| record.line < agent.line);
        if has_record || !merge_matters(context, number) {
            continue;
        }
        let [name, joined] = [agent, before].map(|agent| quoted(agent.value.of(context.body())));
        let message =
            format!("{name} obeys the same rules as {joined} of line {}: a blank line ends no group", before.line);
        let mut finding = Finding::new(check, agent.line, agent.value, message).related([before.line]);
        finding.fix = without_blanks(context, agents);
        found.push(finding);
    }
    context.found.extend(found);
}

/// Returns a fix that removes the blank lines within a list of agents, and keeps what it means.
///
/// Beside `*` other names say nothing, and a rule in a comment was of the first name, so that no list was meant: it has
/// no fix.
fn without_blanks(context: &Context<'_>, agents: &[AgentLine]) -> Option<Fix> {
    if agents.iter().any(|agent| agent.is_star) {
        return None;
    }
    let between = agents.windows(2).flat_map(|pair| pair[0].line + 1..pair[1].line);
    let is_rule_off = |line: u32| {
        let comment = context.lines.text(line).trim_ascii().strip_prefix(b"#");
        let key = comment.and_then(|comment| comment.split(|byte| *byte == b':').next()).unwrap_or_default();
        matches!(meant(key), Some("Disallow" | "Allow"))
    };
    if between.clone().any(is_rule_off) {
        return None;
    }
    let blank = between.filter(|line| context.lines.text(*line).trim_ascii().is_empty());
    let edits = blank.map(|line| Edit { range: context.lines.whole(line), with: Vec::new() }).collect();
    let title = "remove the blank lines within the list of agents".to_owned();
    Some(Fix { title, is_safe: false, is_of_dialect: false, edits })
}

/// Returns a fix that inserts a line that names all agents before a line.
pub(super) fn insert_star(context: &Context<'_>, line: u32) -> Fix {
    let text = [b"User-agent: *", context.lines.end_of_line()].concat();
    Fix::insert("put the rule in a group for all agents", context.lines.whole(line).start, text)
}

/// The maximum number of rules that end a group, and of agents whose groups are ended so.
const MAX_COPIED: usize = 64;

/// Returns a fix that ends the group before a `User-agent` line that joins it, and opens nothing to its agents: by a
/// copy of the rules for `*`, which they obey with it. Those of other agents were not meant for them, and whether they
/// were to obey any is not known: there is no fix. What closes nothing ends with an empty rule.
///
/// Only a delay or another record of a group shows that the group before was meant to end: a sitemap can be in a list.
pub(super) fn end_group_before(context: &Context<'_>, line: u32) -> Option<Fix> {
    let robots = context.robots;
    let records = robots.records();
    let last = records[..records.partition_point(|record| record.line < line)].last()?;
    if !matches!(last.kind, RecordKind::CrawlDelay | RecordKind::RequestRate | RecordKind::VisitTime) {
        return None;
    }
    let group = &robots.groups()[group_of(context, line)?];
    let (agents, rules) = (robots.agents_of(group), robots.rules_of(group));
    let (title, text) = if rules.iter().any(closes) {
        let is_known = agents.len().max(rules.len()) <= MAX_COPIED
            && agents.iter().any(|agent| agent.is_star && agent.line >= line)
            && !robots.records_of(group).iter().any(|record| record.line > line && is_preference(record.kind));
        if !is_known {
            return None;
        }
        ("end the group before with a copy of these rules", copies(context, rules.iter()))
    } else {
        let text = [b"Disallow:", context.lines.end_of_line()].concat();
        ("end the group before with an empty rule, which allows everything", text)
    };
    Some(Fix::insert(title, context.lines.whole(last.line).end, text))
}

/// Reports whether a rule disallows anything.
fn closes(rule: &RuleLine) -> bool {
    rule.kind == RuleKind::Disallow && !rule.value.is_empty()
}

const fn is_preference(kind: RecordKind) -> bool {
    matches!(kind, RecordKind::ContentSignal | RecordKind::ContentUsage)
}

/// Returns lines that say the same as some rules.
pub(super) fn copies<'c>(context: &Context<'_>, rules: impl Iterator<Item = &'c RuleLine>) -> Vec<u8> {
    let ending = context.lines.end_of_line();
    let key = |rule: &RuleLine| if rule.kind == RuleKind::Allow { &b"Allow: "[..] } else { b"Disallow: " };
    rules.flat_map(|rule| [key(rule), context.value(rule), ending].concat()).collect()
}

/// Reports whether a rule is the only one of its group.
pub(super) fn is_only_rule(context: &Context<'_>, line: u32) -> bool {
    let group = group_of_rule(context.robots, line).and_then(|at| context.robots.groups().get(at));
    group.is_some_and(|group| context.robots.rules_of(group).len() == 1)
}

/// Returns the lines of a group that name `*` or the crawlers of search engines.
pub(super) fn closed_agent_lines(context: &Context<'_>, group: usize) -> Vec<u32> {
    let agents = context.robots.agents_of(&context.robots.groups()[group]);
    let is_named = |agent: &&AgentLine| {
        let token = agent.token.of(context.body());
        agent.is_star || SEARCH_AGENTS.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(token))
    };
    agents.iter().filter(is_named).map(|agent| agent.line).collect()
}
