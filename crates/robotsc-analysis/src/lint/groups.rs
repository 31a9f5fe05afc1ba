//! Groups that replace, repeat or contradict each other.

use std::collections::{BTreeSet, HashMap, HashSet};

use robotsc_compiler::record::RecordKind;
use robotsc_compiler::{
    AgentLine, ByteSpan, Group, GroupId, RuleKind, RuleOrigin, RuleSet, Selection, SelectionReason, Verdict,
};

use super::check::LintCheck;
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use crate::agents::group_of_rule;
use crate::patterns::heads::head;
use crate::rules::RuleAnalysis;
use crate::rules::compare::{Region, first_difference, opened};
use crate::search::NotDecided;
use crate::space::Paths;
use crate::text::edit::Edit;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    empty(context);
    only_allows(context);
    repeated(context);
    beside_star(context);
    managed_block(context);
    joined_by_blanks(context);
}

/// Where a group starts: its first `User-agent` line.
fn start(context: &Context<'_>, group: GroupId) -> Option<(u32, ByteSpan)> {
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
    let is_empty = |group: &Group| robots.rules_of(group).is_empty();
    // Another group can hold the rules. A file can have thousands of groups.
    let is_open =
        |groups_of: &&Vec<GroupId>| groups_of.iter().all(|id| groups.get(id.0 as usize).is_some_and(is_empty));
    let open: BTreeSet<GroupId> =
        context.obeyed.iter().map(|obeyed| &obeyed.audience.groups).filter(is_open).flatten().copied().collect();
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

/// Groups beside that of `*`, which they replace.
fn beside_star(context: &mut Context<'_>) {
    let Some(star) = context.obeyed.iter().find(|obeyed| obeyed.audience.has_others) else { return };
    let disallowed = |obeyed: &Obeyed<'_>| -> BTreeSet<Vec<u8>> {
        let set = obeyed.rules.rule_set();
        let rules = set.rules().iter().filter(|rule| !rule.verdict.is_allow());
        rules.map(|rule| set.pattern(rule).to_vec()).collect()
    };
    let of_star = disallowed(star);
    let mut found = Vec::new();
    // Many files have hundreds of groups with equal rules.
    let mut compared: HashMap<usize, StarComparison> = HashMap::new();
    let mut lines = BTreeSet::new();
    for obeyed in context.obeyed.iter().filter(|obeyed| !obeyed.audience.has_others) {
        let Some((line, span)) = obeyed.audience.groups.first().and_then(|id| start(context, *id)) else { continue };
        let title = obeyed.audience.title();
        let StarComparison { dropped, is_equal } = compared.entry(obeyed.same_rules).or_insert_with(|| {
            let own = disallowed(obeyed);
            let drops = context.check(LintCheck::SpecificGroupDropsStar).is_some()
                && !opens_all(obeyed)
                && !of_star.is_empty()
                && !own.is_superset(&of_star);
            let can_be_equal = context.check(LintCheck::GroupEqualsStar).is_some()
                && !obeyed.rules.rule_set().rules().is_empty()
                && !star.audience.groups.is_empty();
            let is_equal = || Ok(first_difference(&star.rules, &obeyed.rules)?.is_none());
            StarComparison {
                dropped: if drops { dropped(star, obeyed) } else { Ok(None) },
                is_equal: if can_be_equal { is_equal() } else { Ok(false) },
            }
        });
        if let (Ok(Some(dropped)), Some(check)) = (&dropped, context.check(LintCheck::SpecificGroupDropsStar))
            && lines.insert(line)
        {
            let what = match dropped.lines.len() {
                1 => "a rule of `*` disallows".to_owned(),
                count => format!("{count} rules of `*` disallow"),
            };
            let message = format!("{title} may fetch what {what}: their own group replaces it");
            let finding = Finding::new(check, line, span, message);
            let finding = finding.witness(&dropped.path).related(dropped.lines.iter().copied());
            found.push(match copied_rules(context, obeyed, &dropped.lines) {
                Some(fix) => finding.fix(fix),
                None => finding,
            });
        }
        if let (Err(NotDecided), Some(check)) = (&dropped, context.check(LintCheck::NotDecided)) {
            let message = format!("whether the group of {title} opens what `*` disallows was not decided");
            found.push(Finding::new(check, line, span, message));
        }
        if let (Ok(true), Some(check)) = (*is_equal, context.check(LintCheck::GroupEqualsStar)) {
            let message = format!("the group of {title} means the same as that of `*`");
            found.push(Finding::new(check, line, span, message));
        }
        if let (Err(NotDecided), Some(check)) = (*is_equal, context.check(LintCheck::NotDecided)) {
            let message = format!("whether the group of {title} means the same as that of `*` was not decided");
            found.push(Finding::new(check, line, span, message));
        }
    }
    context.found.extend(found);
}

/// Reports whether a group opens everything by a line that says so: it has no rule, or `Disallow:` without a value.
///
/// An `Allow: /` is not meant so: it mostly lets a crawler in beside others, and forgets that the rules of `*` go.
fn opens_all(obeyed: &Obeyed<'_>) -> bool {
    let mut rules = obeyed.rules.rule_set().rules().iter().filter(|rule| rule.line > 0);
    rules.all(|rule| rule.origin == RuleOrigin::EmptyLine)
}

/// How a named group compares with that of `*`.
struct StarComparison {
    dropped: Result<Option<DroppedRules>, NotDecided>,
    is_equal: Result<bool, NotDecided>,
}

/// What a named group opens that `*` disallows.
struct DroppedRules {
    /// The lines of `*` that disallow it.
    lines: BTreeSet<u32>,
    /// A shortest path.
    path: Vec<u8>,
}

/// Returns what a named group opens. Of a site that is closed but for some, this is meant so.
fn dropped(star: &Obeyed<'_>, named: &Obeyed<'_>) -> Result<Option<DroppedRules>, NotDecided> {
    if !star.decide(b"/")?.0.is_allow() {
        return Ok(None);
    }
    let opened = opened(&star.rules, &named.rules)?;
    // A rule is dropped if the path that it asks for is open, not some path that also matches an Allow.
    let mut dropped: Vec<Region> = Vec::new();
    let mut lines = BTreeSet::new();
    for region in opened {
        let Some(at) = region.old else { continue };
        let path = star.rules.shortest(&[star.rules.term(at)], &[])?;
        let Some(path) = path else { continue };
        let (verdict, by) = named.decide(&path)?;
        if verdict.is_allow() && !is_exception(named, star.rules.pattern(at), by) {
            lines.insert(star.rules.rule(at).line);
            dropped.push(region);
        }
    }
    let Some(shown) = dropped.into_iter().min_by_key(|region| region.path.len()) else { return Ok(None) };
    let path = star.rules.checked(shown.path, |decided| decided == shown.old)?;
    let path = named.rules.checked(path, |decided| decided == shown.new)?;
    Ok(Some(DroppedRules { lines, path }))
}

/// Reports whether a named group allows the paths of a rule of `*` on purpose: by an `Allow` that is about them, and
/// not about all.
fn is_exception(named: &Obeyed<'_>, pattern: &[u8], line: u32) -> bool {
    let rules = named.rules.rule_set();
    let of_star = head(pattern);
    rules.rules().iter().filter(|rule| rule.line == line && line > 0 && rule.verdict.is_allow()).any(|rule| {
        let own = head(rules.pattern(rule));
        own.len() > 1 && (own.starts_with(of_star) || of_star.starts_with(own))
    })
}

/// The maximum number of rules that a fix copies.
const MAX_COPIED: usize = 64;

/// Returns a fix that copies rules of `*` to the end of a named group.
fn copied_rules(context: &Context<'_>, named: &Obeyed<'_>, lines: &BTreeSet<u32>) -> Option<Fix> {
    let id = named.audience.groups.last()?;
    let group = context.robots.groups().get(id.0 as usize)?;
    let last = context.robots.rules_of(group).last()?.line;
    if lines.len() > MAX_COPIED {
        return None;
    }
    let ending = context.lines.end_of_line();
    let rules = lines.iter().filter_map(|line| context.rule_of_line(*line));
    let copied: Vec<u8> = rules.flat_map(|rule| [b"Disallow: ", context.value(rule), ending].concat()).collect();
    Some(Fix::insert("copy the rules of `*`", context.lines.whole(last).end, copied))
}

/// The lines of a block that a service puts before the site's own file.
fn managed_block(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::ManagedBlock) else { return };
    let lines = 1..=context.lines.count();
    let is_mark = |line: &u32, word: &[u8]| {
        let text = context.lines.text(*line).trim_ascii();
        text.starts_with(b"#")
            && text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
            && text.to_ascii_lowercase().windows(7).any(|window| window == b"managed")
    };
    let Some(begin) = lines.clone().find(|line| is_mark(line, b"begin")) else { return };
    let Some(end) = lines.clone().find(|line| *line > begin && is_mark(line, b"end")) else { return };
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let is_in = |id: &GroupId| start(context, *id).is_some_and(|(line, _)| (begin..end).contains(&line));
        let (managed, own): (Vec<GroupId>, Vec<GroupId>) = obeyed.audience.groups.iter().partition(|id| is_in(id));
        let (Some(first), false) = (own.first(), managed.is_empty()) else { continue };
        let set =
            |groups| -> RuleSet { context.robots.rule_set_of(&Selection { groups, reason: SelectionReason::Star }) };
        // The block matters if the site's own rules alone would answer otherwise.
        let sets = [set(obeyed.audience.groups.clone()), set(own.clone())];
        if sets.iter().any(|set| set.rules().is_empty()) {
            continue;
        }
        let [block, site] = sets
            .each_ref()
            .map(|set| RuleAnalysis::of(set, context.robots.dialect(), Paths::Urls, obeyed.rules.budget));
        let Some((line, span)) = start(context, *first) else { continue };
        let region = match first_difference(&block, &site) {
            Ok(Some(region)) => region,
            Ok(None) => continue,
            Err(NotDecided) => {
                let message = format!(
                    "whether the managed block changes the rules of {} was not decided",
                    obeyed.audience.title()
                );
                found
                    .extend(context.check(LintCheck::NotDecided).map(|check| Finding::new(check, line, span, message)));
                continue;
            }
        };
        let of_block = managed.first().and_then(|id| start(context, *id)).map_or(begin, |(line, _)| line);
        let message = format!(
            "this group for {} and that of the managed block say otherwise: crawlers obey both, merged",
            obeyed.audience.title()
        );
        found.push(Finding::new(check, line, span, message).witness(&region.path).related([of_block]));
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
    let blocks = robots.rules_of(group).iter().any(|rule| rule.kind == RuleKind::Disallow && !rule.value.is_empty());
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
/// Beside `*` other names say nothing, so that no list was meant: it has no fix.
fn without_blanks(context: &Context<'_>, agents: &[AgentLine]) -> Option<Fix> {
    if agents.iter().any(|agent| agent.is_star) {
        return None;
    }
    let between = agents.windows(2).flat_map(|pair| pair[0].line + 1..pair[1].line);
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

/// Returns a fix that ends the group before a `User-agent` line that joins it: an empty rule, which opens everything.
///
/// Only a delay or another record of a group shows that the group before was meant to end: a sitemap can be in a list.
pub(super) fn end_group_before(context: &Context<'_>, line: u32) -> Option<Fix> {
    let records = context.robots.records();
    let last = records[..records.partition_point(|record| record.line < line)].last()?;
    if !matches!(last.kind, RecordKind::CrawlDelay | RecordKind::RequestRate | RecordKind::VisitTime) {
        return None;
    }
    let text = [b"Disallow:", context.lines.end_of_line()].concat();
    let title = "end the group before with an empty rule, which allows everything";
    Some(Fix::insert(title, context.lines.whole(last.line).end, text))
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
