//! Blocks that a service puts before the file of the site.

use robotsc_compiler::{GroupId, RuleSet, Selection, SelectionReason};

use super::check::LintCheck;
use super::context::Context;
use super::finding::Finding;
use super::groups::start;
use crate::rules::RuleAnalysis;
use crate::rules::compare::{first_difference, shortest_opened};
use crate::search::NotDecided;
use crate::space::Paths;

/// The lines of a block that a service puts before the site's own file.
pub(super) fn check(context: &mut Context<'_>) {
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
        let sets = [set(obeyed.audience.groups.clone()), set(own.clone()), set(managed.clone())];
        if sets.iter().any(|set| set.rules().is_empty()) {
            continue;
        }
        let [merged, site, block] = sets
            .each_ref()
            .map(|set| RuleAnalysis::of(set, context.robots.dialect(), Paths::Urls, obeyed.rules.budget));
        let Some((line, span)) = start(context, *first) else { continue };
        // The site's own rules alone would answer otherwise, or they open what the block disallows.
        let differs = first_difference(&merged, &site);
        let region = match differs.and_then(|region| match region {
            Some(region) => Ok(Some(region)),
            None => shortest_opened(&block, &merged),
        }) {
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
