//! Properties of all paths that a pattern matches.

use robotsc::pack::WantedUse;
use robotsc::rules::Rule;
use robotsc::{RuleSet, Verdict};
use robotsc_analysis::{Counterexample, PathPattern, Paths, Property, RuleAnalysis, SearchBudget};
use robotsc_answers::path_pattern::path_pattern;
use robotsc_answers::shown;
use toml::Spanned;

use super::subject::{Case, MAX_SHOWN, Mismatch, Obeying, Outcome, Subject, who};
use super::use_property;
use crate::command_line::config::{OneOrMany, PropertyTable};
use crate::command_line::uses;
use crate::failure::Failure;

/// What a table says of its patterns.
enum Claim<'t> {
    NeverBlocked(&'t Spanned<OneOrMany>),
    NeverAllowed(&'t Spanned<OneOrMany>),
    /// The agent, its rules, and the patterns.
    SameAs(&'t str, RuleSet, Option<&'t Spanned<OneOrMany>>),
}

/// Tests a property for each of its patterns.
pub(super) fn run<'t>(
    subject: &Subject<'t>,
    table: &Spanned<PropertyTable>,
    cases: &mut Vec<Case<'t>>,
) -> Result<(), Failure> {
    let property = table.get_ref();
    let claim = claim(subject, table)?;
    let wanted = wanted_use(subject, table)?;
    let (agents, obeying) = agents(subject, table)?;
    for (text, pattern) in patterns(subject, &claim)? {
        let expected = match &claim {
            Claim::NeverBlocked(_) => format!("{text} is never blocked for {agents}{}", used(wanted)),
            Claim::NeverAllowed(_) => format!("{text} is never allowed for {agents}{}", used(wanted)),
            Claim::SameAs(other, _, None) => format!("{agents} is treated as {other}"),
            Claim::SameAs(other, _, Some(_)) => format!("{agents} is treated as {other} on {text}"),
        };
        let part = (claim.count() > 1).then_some(text);
        let mut case = subject.case(property.name.as_ref(), expected, part, subject.config.line_of(table));
        let (mut wrong, mut undecided) = (Vec::new(), Vec::new());
        for group in &obeying {
            let budget = SearchBudget::default();
            let analysis =
                |set| RuleAnalysis::new(set, subject.robots.dialect(), Paths::Urls, &budget).map_err(Failure::new);
            let rules = analysis(&group.rules)?;
            if let Some(wanted) = wanted {
                match use_property::wrong(subject, group, wanted, claim.broken_by(), (&pattern, &budget)) {
                    Err(_) => undecided.extend_from_slice(&group.agents),
                    Ok(found) => wrong.extend(found),
                }
                continue;
            }
            let found = match &claim {
                Claim::NeverBlocked(_) => Property::NeverBlocked.counterexample(&rules, &pattern),
                Claim::NeverAllowed(_) => Property::NeverAllowed.counterexample(&rules, &pattern),
                Claim::SameAs(_, other, _) => Property::SameAs(&analysis(other)?).counterexample(&rules, &pattern),
            };
            match found {
                Err(_) => undecided.extend_from_slice(&group.agents),
                Ok(None) => {}
                Ok(Some(found)) => wrong.push(claim.wrong(subject, &group.agents, &group.rules, found)),
            }
        }
        case.outcome = match (undecided.is_empty(), wrong.is_empty()) {
            (_, false) => Outcome::Failed(wrong),
            (false, true) => Outcome::NotDecided(undecided),
            (true, true) => Outcome::Passed,
        };
        cases.push(case);
    }
    Ok(())
}

/// Returns the agents of a table, as the subject of a sentence, and those that obey the same groups together.
///
/// # Errors
/// If it names none, or one that is not known.
fn agents(subject: &Subject<'_>, table: &Spanned<PropertyTable>) -> Result<(String, Vec<Obeying>), Failure> {
    let property = table.get_ref();
    match (&property.agents, &property.all_agents) {
        (Some(agents), None) => Ok((who(agents.get_ref().as_slice()), subject.obeying(agents)?)),
        (None, Some(all)) if *all.get_ref() => Ok(("all agents".to_owned(), subject.all_obeying())),
        (_, Some(all)) => Err(subject.config.bad(all, "`all-agents` is true, and there is no `agents` beside it")),
        (None, None) => Err(subject.config.bad(table, "a property has `agents`, or `all-agents = true`")),
    }
}

/// Returns what pages are wanted for in a table, if it says so.
///
/// # Errors
/// If it says half of it, or with `same-as`.
fn wanted_use(subject: &Subject<'_>, table: &Spanned<PropertyTable>) -> Result<Option<WantedUse>, Failure> {
    let property = table.get_ref();
    match (&property.wanted, &property.unknown_use) {
        (None, None) => Ok(None),
        (Some(wanted), None) => Err(subject.config.bad(
            wanted,
            "`for` needs `unknown-use`: \"allow\" or \"deny\" pages of which the file says neither yes nor no",
        )),
        (None, Some(unknown_use)) => Err(subject.config.bad(unknown_use, "`unknown-use` needs `for`")),
        (Some(wanted), Some(_)) if property.same_as.is_some() => {
            Err(subject.config.bad(wanted, "`for` is for never-blocked and never-allowed"))
        }
        (Some(wanted), Some(unknown_use)) => Ok(uses::wanted(Some(*wanted.get_ref()), Some(*unknown_use.get_ref()))),
    }
}

/// Returns what pages are wanted for, for the end of a sentence.
fn used(wanted: Option<WantedUse>) -> String {
    let Some(WantedUse { category, if_unknown }) = wanted else { return String::new() };
    let unknown = if if_unknown.is_allow() { "allowed" } else { "denied" };
    format!(", for the use `{}`, if what is not stated is {unknown}", category.as_str())
}

/// Returns what a table says.
///
/// # Errors
/// If it says nothing, or several things.
fn claim<'t>(subject: &Subject<'_>, table: &'t Spanned<PropertyTable>) -> Result<Claim<'t>, Failure> {
    let property = table.get_ref();
    let claim = match (&property.never_blocked, &property.never_allowed, &property.same_as) {
        (Some(patterns), None, None) => Claim::NeverBlocked(patterns),
        (None, Some(patterns), None) => Claim::NeverAllowed(patterns),
        (None, None, Some(other)) => {
            let name = other.get_ref();
            let chosen = Spanned::new(other.span(), OneOrMany::One(name.clone()));
            let mut obeying = subject.obeying(&chosen)?;
            let (Some(group), true) = (obeying.pop(), obeying.is_empty()) else {
                return Err(subject.config.bad(other, "the agents of this purpose obey different groups: name one"));
            };
            Claim::SameAs(name, group.rules, property.paths.as_ref())
        }
        _ => {
            let what = "a property has one of never-blocked, never-allowed and same-as";
            return Err(subject.config.bad(table, what));
        }
    };
    match (&claim, &property.paths) {
        (Claim::NeverBlocked(_) | Claim::NeverAllowed(_), Some(paths)) => {
            Err(subject.config.bad(paths, "`paths` is for same-as: the other properties name the paths themselves"))
        }
        _ => Ok(claim),
    }
}

/// Returns the patterns of a claim.
fn patterns<'c>(subject: &Subject<'_>, claim: &'c Claim<'_>) -> Result<Vec<(&'c str, PathPattern)>, Failure> {
    let given = match claim {
        Claim::NeverBlocked(given) | Claim::NeverAllowed(given) => given,
        Claim::SameAs(_, _, Some(given)) => given,
        Claim::SameAs(_, _, None) => {
            // Every path starts with a slash.
            let all =
                PathPattern::new(subject.robots.dialect(), "/").map_err(|error| Failure::new(error.to_string()))?;
            return Ok(vec![("/", all)]);
        }
    };
    if given.get_ref().as_slice().is_empty() {
        return Err(subject.config.bad(given, "it names no paths"));
    }
    let pattern = |text: &'c String| match path_pattern(subject.robots.dialect(), text) {
        Ok(pattern) => Ok((text.as_str(), pattern)),
        Err(error) => Err(subject.config.bad(given, &format!("`{}`: {error}", shown::line(text)))),
    };
    given.get_ref().as_slice().iter().map(pattern).collect()
}

impl Claim<'_> {
    /// Returns the number of patterns.
    fn count(&self) -> usize {
        match self {
            Self::NeverBlocked(given) | Self::NeverAllowed(given) => given.get_ref().as_slice().len(),
            Self::SameAs(_, _, given) => given.map_or(1, |given| given.get_ref().as_slice().len()),
        }
    }

    /// Returns the verdict that no path has if the claim is true.
    const fn broken_by(&self) -> Verdict {
        if matches!(self, Self::NeverAllowed(_)) { Verdict::Allow } else { Verdict::Disallow }
    }

    /// Returns what a path shows.
    fn wrong(&self, subject: &Subject<'_>, agents: &[String], rules: &RuleSet, found: Counterexample) -> Mismatch {
        let path = shown::cut(&found.path, MAX_SHOWN);
        let rule_of = |set: &RuleSet, at: Option<u32>| -> Option<Rule> { Some(*set.rules().get(at? as usize)?) };
        let rule = rule_of(rules, found.rule);
        let because = subject.because(rule.as_ref());
        let who = who(agents);
        let (message, other_rule) = match self {
            Self::NeverBlocked(_) => (format!("{who} may not fetch paths such as {path}: {because}"), None),
            Self::NeverAllowed(_) => (format!("{who} may fetch paths such as {path}: {because}"), None),
            Self::SameAs(other, others, _) => {
                let other_rule = rule_of(others, found.other);
                let is_allowed = rule.is_none_or(|rule| rule.verdict.is_allow());
                let (may, may_not) = if is_allowed { (who.as_str(), *other) } else { (*other, who.as_str()) };
                let other_because = subject.because(other_rule.as_ref());
                let message = format!(
                    "{may} may fetch paths such as {path}, and {may_not} may not: for {who} {because}, for {other} \
                     {other_because}"
                );
                (message, other_rule)
            }
        };
        Mismatch { agents: agents.to_vec(), message, example: shown::bytes(&found.path), rule, other_rule }
    }
}
