//! Groups for named agents beside that of `*`, which they replace.

use std::collections::{BTreeSet, HashMap, HashSet};

use robotsc_compiler::{ByteSpan, Rule, RuleOrigin};

use super::check::LintCheck;
use super::context::{Context, Obeyed};
use super::copied_rules::{OwnGroups, fix, missing_lines};
use super::fallbacks::{Fallbacks, Replaced, disallowed};
use super::finding::Finding;
use super::groups::start;
use super::known_name::KnownName;
use crate::agents::audience::Audience;
use crate::patterns::heads::head;
use crate::rules::RuleIndex;
use crate::rules::compare::{Region, first_difference, opened};
use crate::search::NotDecided;

/// Groups beside that of `*`, which they replace. The group of Googlebot-Image replaces that of Googlebot, if there is
/// one.
pub(super) fn check(context: &mut Context<'_>, known: &[KnownName]) {
    let Some(star) = context.obeyed.iter().find(|obeyed| obeyed.audience.has_others) else { return };
    let only_named = known.iter().filter(|known| known.is_named_only);
    let only_named: HashSet<String> = only_named.map(|known| known.token.to_ascii_lowercase()).collect();
    let own_groups = OwnGroups::of(context);
    let mut fallbacks = Fallbacks::new(context, star, known);
    let mut found = Vec::new();
    // Many files have hundreds of groups with equal rules.
    let mut compared: HashMap<(usize, usize), Comparison> = HashMap::new();
    let mut lines = BTreeSet::new();
    // Groups of which the budget decided nothing, by question: a file can have thousands.
    let mut undecided: [Vec<(u32, ByteSpan, String, String)>; 2] = Default::default();
    for obeyed in context.obeyed.iter().filter(|obeyed| !obeyed.audience.has_others) {
        let Some((line, span)) = obeyed.audience.groups.first().and_then(|id| start(context, *id)) else { continue };
        // The group for `*` never counted for some, so that nothing of it is lost.
        let is_replaced = |name: &&String| !only_named.contains(&name.to_ascii_lowercase());
        let names: Vec<String> = obeyed.audience.names.iter().filter(is_replaced).cloned().collect();
        for (at, names) in fallbacks.of(obeyed, names) {
            let replaced = fallbacks.get(at);
            // Copies would close to others what nobody closed.
            let is_of_all = names.len() == obeyed.audience.names.len();
            let title = Audience { names, ..obeyed.audience.clone() }.title();
            let Comparison { dropped, copied, is_equal } =
                compared.entry((obeyed.same_rules, at)).or_insert_with(|| Comparison::new(context, replaced, obeyed));
            if let (Ok(Some(dropped)), Some(check)) = (&dropped, context.check(LintCheck::SpecificGroupDropsStar))
                && lines.insert(line)
            {
                let what = match dropped.lines.len() {
                    1 => format!("a rule of `{}` disallows", replaced.name),
                    count => format!("{count} rules of `{}` disallow", replaced.name),
                };
                let message = format!("{title} may fetch what {what}: their own group replaces it");
                let finding = Finding::new(check, line, span, message);
                let finding = finding.witness(&dropped.path).related(dropped.lines.iter().copied());
                let place = own_groups.place(context, obeyed).filter(|_| is_of_all);
                let fix = place.and_then(|place| {
                    // Without a proof there is no fix.
                    let proved = || missing_lines(context, [replaced.obeyed, obeyed], &dropped.lines).unwrap_or(None);
                    Some(fix(context, &replaced.name, place, copied.get_or_insert_with(proved).as_ref()?))
                });
                found.push(match fix {
                    Some(fix) => finding.fix(fix),
                    None => finding,
                });
            }
            if dropped.is_err() {
                undecided[0].push((line, span, title.clone(), replaced.name.clone()));
            }
            if let (Ok(true), Some(check)) = (*is_equal, context.check(LintCheck::GroupEqualsStar)) {
                let message = format!("the group of {title} means the same as that of `{}`", replaced.name);
                found.push(Finding::new(check, line, span, message));
            }
            if is_equal.is_err() {
                undecided[1].push((line, span, title, replaced.name.clone()));
            }
        }
    }
    context.found.extend(found);
    // Several can replace groups of different names.
    let questions = [
        ["opens what", " disallows", "open what the groups disallow that they replace"],
        ["means the same as", "", "mean the same as the groups that they replace"],
    ];
    for (groups, [of_one, end, of_all]) in undecided.iter().zip(questions) {
        let Some((line, span, title, of)) = groups.first() else { continue };
        let message = match groups.len() {
            1 => format!("whether the group of {title} {of_one} `{of}`{end} was not decided"),
            count => format!("whether this group and {} others {of_all} was not decided", count - 1),
        };
        context.report(LintCheck::NotDecided, *line, *span, message);
    }
}

/// Reports whether a group opens everything by a line that says so: it has no rule, or `Disallow:` without a value and
/// at most an `Allow` of everything beside it.
///
/// An `Allow: /` alone is not meant so: it mostly lets a crawler in beside others, and forgets that the rules of `*`
/// go.
fn opens_all(obeyed: &Obeyed<'_>) -> bool {
    let set = obeyed.rules.rule_set();
    let rules = || set.rules().iter().filter(|rule| rule.line > 0);
    let is_empty = |rule: &Rule| rule.origin == RuleOrigin::EmptyLine;
    let opens = |rule: &Rule| is_empty(rule) || rule.verdict.is_allow() && is_of_all(set.pattern(rule));
    rules().all(opens) && (rules().next().is_none() || rules().any(is_empty))
}

/// How a group compares with the one that it replaces.
struct Comparison {
    dropped: Result<Option<DroppedRules>, NotDecided>,
    /// The lines of the other with which the group would open nothing and close nothing else, if that is proved. They
    /// are asked for by the first group that has a place for them.
    copied: Option<Option<BTreeSet<u32>>>,
    is_equal: Result<bool, NotDecided>,
}

impl Comparison {
    fn new(context: &Context<'_>, replaced: &Replaced<'_, '_>, named: &Obeyed<'_>) -> Self {
        let other = replaced.obeyed;
        let drops = context.check(LintCheck::SpecificGroupDropsStar).is_some()
            && !opens_all(named)
            && !replaced.disallowed.is_empty()
            && !disallowed(named).is_superset(&replaced.disallowed);
        let can_be_equal = context.check(LintCheck::GroupEqualsStar).is_some()
            && !named.rules.rule_set().rules().is_empty()
            && !other.audience.groups.is_empty();
        let is_equal = || Ok(first_difference(&other.rules, &named.rules)?.is_none());
        Self {
            dropped: if drops { dropped(other, named) } else { Ok(None) },
            copied: None,
            is_equal: if can_be_equal { is_equal() } else { Ok(false) },
        }
    }
}

/// What a named group opens that `*` disallows.
struct DroppedRules {
    /// The lines of `*` that disallow it.
    lines: BTreeSet<u32>,
    /// A path of it.
    path: Vec<u8>,
}

/// The work of finding a rule that a named group opens, and of asking for its path, in units of the budget.
const WORK_OF_A_REGION: u64 = 256;

/// Returns what a named group opens. Of a site that is closed but for some agents, this is meant so.
fn dropped(star: &Obeyed<'_>, named: &Obeyed<'_>) -> Result<Option<DroppedRules>, NotDecided> {
    let is_closed = !star.decide(b"/")?.0.is_allow();
    if is_closed && !narrows(star, named)? {
        return Ok(None);
    }
    let mut dropped: Vec<Region> = Vec::new();
    let mut lines = BTreeSet::new();
    let regions = opened(&star.rules, &named.rules)?;
    star.rules.budget.take(WORK_OF_A_REGION * regions.len() as u64)?;
    for region in regions {
        let Some(at) = region.old else { continue };
        // First the path that the rule asks for, then all others that it matches.
        let Some(path) = star.rules.shortest(&[star.rules.term(at)], &[])? else { continue };
        let (verdict, by) = named.decide(&path)?;
        let allow = if verdict.is_allow() { Some(by) } else { region.new.map(|at| named.rules.rule(at).line) };
        let is_meant = allow.map_or(Ok(false), |line| is_exception(star, at, named, line))?;
        if !is_meant {
            lines.insert(star.rules.rule(at).line);
            dropped.push(region);
        }
    }
    let Some(shown) = dropped.into_iter().min_by_key(|region| region.path.len()) else { return Ok(None) };
    let path = star.rules.checked(shown.path, |decided| decided == shown.old)?;
    let path = named.rules.checked(path, |decided| decided == shown.new)?;
    Ok(Some(DroppedRules { lines, path }))
}

/// Reports whether a pattern matches all paths.
fn is_of_all(pattern: &[u8]) -> bool {
    pattern.iter().enumerate().all(|(at, byte)| *byte == b'*' || at == 0 && *byte == b'/')
}

/// Reports whether a named group goes on where `*`, which is closed but for a list, allows something: it disallows
/// paths of that list and no others, as if the rules of `*` counted, too.
fn narrows(star: &Obeyed<'_>, named: &Obeyed<'_>) -> Result<bool, NotDecided> {
    let mut narrows = false;
    for (at, rule) in (0..).zip(named.rules.rule_set().rules()).filter(|(_, rule)| rule.line > 0) {
        if rule.verdict.is_allow() {
            return Ok(false);
        }
        let Some(path) = named.rules.shortest(&[named.rules.term(at)], &[])? else { continue };
        if !star.decide(&path)?.0.is_allow() {
            return Ok(false);
        }
        narrows = true;
    }
    Ok(narrows)
}

/// Reports whether a named group allows the paths of a rule of `*` on purpose, in this line: by an `Allow` that is
/// about these paths or some of them alone.
fn is_exception(star: &Obeyed<'_>, at: RuleIndex, named: &Obeyed<'_>, line: u32) -> Result<bool, NotDecided> {
    let of_star = star.rules.pattern(at);
    for (own, rule) in (0..).zip(named.rules.rule_set().rules()) {
        if rule.line != line || line == 0 || !rule.verdict.is_allow() {
            continue;
        }
        let pattern = named.rules.pattern(own);
        let is_within = pattern == of_star
            || head(pattern).starts_with(head(of_star))
                && named.rules.shortest(&[named.rules.term(own)], &[star.rules.term(at)])?.is_none();
        if is_within {
            return Ok(true);
        }
    }
    Ok(false)
}
