//! Groups that replace, repeat or contradict each other.

use std::collections::{BTreeSet, HashMap};

use robotsc_compiler::{ByteSpan, GroupId, RuleKind, RuleSet, Selection, SelectionReason, Verdict};

use super::context::{Context, Obeyed, quoted};
use super::finding::{Finding, Fix};
use crate::compare::{Region, first_difference, opened};
use crate::paths::Paths;
use crate::rules::RuleAnalysis;
use crate::search::NotDecided;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    empty(context);
    only_allows(context);
    repeated(context);
    beside_star(context);
    managed_block(context);
}

/// Where a group starts: its first `User-agent` line.
fn start(context: &Context<'_>, group: GroupId) -> Option<(u32, ByteSpan)> {
    let group = context.robots.groups().get(group.0 as usize)?;
    let agent = context.robots.agents_of(group).first()?;
    Some((agent.line, agent.value))
}

/// A group without any rule.
fn empty(context: &mut Context<'_>) {
    let groups = context.robots.groups();
    for group in groups.iter().filter(|group| context.robots.rules_of(group).is_empty()) {
        let Some(agent) = context.robots.agents_of(group).last() else { continue };
        // Another group can hold the rules.
        let is_open = context.obeyed.iter().any(|obeyed| {
            let is_its = obeyed
                .audience
                .groups
                .iter()
                .all(|id| groups.get(id.0 as usize).is_some_and(|group| context.robots.rules_of(group).is_empty()));
            is_its && obeyed.audience.groups.iter().any(|id| groups.get(id.0 as usize) == Some(group))
        });
        // Where nothing is disallowed, nothing is lost.
        let star = context.obeyed.iter().find(|obeyed| obeyed.audience.has_others);
        let disallows =
            |obeyed: &Obeyed<'_>| obeyed.rules.rule_set().rules().iter().any(|rule| !rule.verdict.is_allow());
        if is_open && star.is_some_and(disallows) {
            let has_no_rule = |agent: &&robotsc_compiler::AgentLine| {
                let others = groups.iter().filter(|other| !context.robots.rules_of(other).is_empty());
                let same = |other: &robotsc_compiler::AgentLine| {
                    other.is_star == agent.is_star
                        && other.written(context.body()).eq_ignore_ascii_case(agent.written(context.body()))
                };
                !others.flat_map(|other| context.robots.agents_of(other)).any(same)
            };
            let names: Vec<String> = context
                .robots
                .agents_of(group)
                .iter()
                .filter(has_no_rule)
                .map(|agent| quoted(agent.value.of(context.body())))
                .collect();
            let names = names.join(", ");
            let message = format!("the group of {names} has no rule: everything is allowed");
            context.report("group-empty", agent.line, agent.value, message);
        }
    }
}

/// A group of Allow rules alone.
fn only_allows(context: &mut Context<'_>) {
    let Some(check) = context.check("allow-without-disallow") else { return };
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
    let Some(check) = context.check("group-repeated") else { return };
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
    let mut compared: HashMap<usize, Compared> = HashMap::new();
    let mut lines = BTreeSet::new();
    for obeyed in context.obeyed.iter().filter(|obeyed| !obeyed.audience.has_others) {
        let Some((line, span)) = obeyed.audience.groups.first().and_then(|id| start(context, *id)) else { continue };
        let title = obeyed.audience.title();
        let Compared { dropped, is_equal } = compared.entry(obeyed.same_rules).or_insert_with(|| {
            let own = disallowed(obeyed);
            let drops = context.check("specific-group-drops-star").is_some()
                && !own.is_empty()
                && !of_star.is_empty()
                && own.is_disjoint(&of_star);
            let can_be_equal = context.check("group-equals-star").is_some()
                && !obeyed.rules.rule_set().rules().is_empty()
                && !star.audience.groups.is_empty();
            let is_equal = || Ok(first_difference(&star.rules, &obeyed.rules)?.is_none());
            Compared {
                dropped: if drops { dropped(star, obeyed) } else { Ok(None) },
                is_equal: if can_be_equal { is_equal() } else { Ok(false) },
            }
        });
        if let (Ok(Some(dropped)), Some(check)) = (&dropped, context.check("specific-group-drops-star"))
            && lines.insert(line)
        {
            let what = match dropped.lines.len() {
                1 => "a rule of `*` disallows".to_owned(),
                count => format!("{count} rules of `*` disallow"),
            };
            let message = format!("{title} may fetch what {what}: their own group replaces it");
            let finding = Finding::new(check, line, span, message);
            found.push(finding.witness(&dropped.path).related(dropped.lines.iter().copied()));
        }
        if let (Err(NotDecided), Some(check)) = (&dropped, context.check("not-decided")) {
            let message = format!("whether the group of {title} opens what `*` disallows was not decided");
            found.push(Finding::new(check, line, span, message));
        }
        if let (Ok(true), Some(check)) = (*is_equal, context.check("group-equals-star")) {
            let message = format!("the group of {title} means the same as that of `*`");
            found.push(Finding::new(check, line, span, message));
        }
        if let (Err(NotDecided), Some(check)) = (*is_equal, context.check("not-decided")) {
            let message = format!("whether the group of {title} means the same as that of `*` was not decided");
            found.push(Finding::new(check, line, span, message));
        }
    }
    context.found.extend(found);
}

/// How a named group compares with that of `*`.
struct Compared {
    dropped: Result<Option<Dropped>, NotDecided>,
    is_equal: Result<bool, NotDecided>,
}

/// What a named group opens that `*` disallows.
struct Dropped {
    /// The lines of `*` that disallow it.
    lines: BTreeSet<u32>,
    /// A shortest path.
    path: Vec<u8>,
}

/// Returns what a named group opens. Of a site that is closed but for some, this is meant so.
fn dropped(star: &Obeyed<'_>, named: &Obeyed<'_>) -> Result<Option<Dropped>, NotDecided> {
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
        if named.decide(&path)?.0.is_allow() {
            lines.insert(star.rules.rule(at).line);
            dropped.push(region);
        }
    }
    let Some(shown) = dropped.into_iter().min_by_key(|region| region.path.len()) else { return Ok(None) };
    let path = star.rules.checked(shown.path, |decided| decided == shown.old)?;
    let path = named.rules.checked(path, |decided| decided == shown.new)?;
    Ok(Some(Dropped { lines, path }))
}

/// The lines of a block that a service puts before the site's own file.
fn managed_block(context: &mut Context<'_>) {
    let Some(check) = context.check("managed-block") else { return };
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
            .map(|set| RuleAnalysis::new(set, context.robots.dialect(), Paths::Urls, obeyed.rules.budget));
        let Some((line, span)) = start(context, *first) else { continue };
        let region = match first_difference(&block, &site) {
            Ok(Some(region)) => region,
            Ok(None) => continue,
            Err(NotDecided) => {
                let message = format!(
                    "whether the managed block changes the rules of {} was not decided",
                    obeyed.audience.title()
                );
                found.extend(context.check("not-decided").map(|check| Finding::new(check, line, span, message)));
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

/// Reports whether two groups that are read as one have a rule that blocks something, and name different agents.
pub(super) fn merge_matters(context: &Context<'_>, line: u32) -> bool {
    let robots = context.robots;
    let of_line = |group: &&robotsc_compiler::Group| robots.agents_of(group).iter().any(|agent| agent.line == line);
    let Some(group) = robots.groups().iter().find(of_line) else { return true };
    let blocks = robots.rules_of(group).iter().any(|rule| rule.kind == RuleKind::Disallow && !rule.value.is_empty());
    let names: BTreeSet<Vec<u8>> =
        robots.agents_of(group).iter().map(|agent| agent.value.of(context.body()).to_ascii_lowercase()).collect();
    blocks && names.len() > 1
}

/// Returns a fix that inserts a line that names all agents before a line.
pub(super) fn insert_star(context: &Context<'_>, line: u32) -> Fix {
    let text = [b"User-agent: *", context.lines.end_of_line()].concat();
    Fix::insert("put the rule in a group for all agents", context.lines.whole(line).start, text)
}
