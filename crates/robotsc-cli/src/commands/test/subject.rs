//! What a test is about, and its results.

use robotsc::agent::{Selection, SelectionReason};
use robotsc::origin::Origin;
use robotsc::rules::Rule;
use robotsc::{RobotsTxt, RuleSet, bundled};
use robotsc_analysis::{Agents, Audience, audiences};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::decider::is_empty_line;
use robotsc_answers::identity::OTHERS;
use robotsc_answers::known_agent::{doubt, meant_by};
use robotsc_answers::mistake::Mistake;
use robotsc_answers::shown;
use toml::Spanned;

use crate::command_line::config::{Config, OneOrMany};
use crate::failure::Failure;

/// The maximum number of names in a message.
const MAX_NAMES: usize = 6;
/// The maximum number of characters of a rule or a path that a message shows.
pub(super) const MAX_SHOWN: usize = 160;

/// A robots.txt under test.
pub(super) struct Subject<'t> {
    pub(super) config: &'t Config,
    pub(super) robots: &'t RobotsTxt<'t>,
    /// The site that it was fetched from.
    pub(super) site: Option<&'t Origin>,
}

/// One expectation.
pub(super) struct Case<'t> {
    pub(super) name: String,
    /// The file as its dialect reads it.
    pub(super) robots: &'t RobotsTxt<'t>,
    /// The line of the config, from 1.
    pub(super) line: usize,
    pub(super) outcome: Outcome,
}

/// The result of an expectation.
#[derive(Debug)]
pub(super) enum Outcome {
    Passed,
    /// For each group of agents what is not as expected.
    Failed(Vec<Mismatch>),
    /// The rules of these agents are too complex for the work budget.
    NotDecided(Vec<String>),
}

/// What is not as expected, for some agents.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) agents: Vec<String>,
    pub(super) message: String,
    /// A URL or a path that shows it.
    pub(super) example: String,
    /// The rule that decides, if one does.
    pub(super) rule: Option<Rule>,
    /// If two agents are compared, the rule that decides for the other.
    pub(super) other_rule: Option<Rule>,
}

/// Agents that obey the same groups of the file.
pub(super) struct Obeying {
    pub(super) agents: Vec<String>,
    pub(super) selection: Selection,
    pub(super) rules: RuleSet,
}

impl<'t> Subject<'t> {
    /// Returns the agents that the config names, those that obey the same groups together.
    pub(super) fn obeying(&self, agents: &Spanned<OneOrMany>) -> Result<Vec<Obeying>, Failure> {
        let chosen = ChosenAgent::all(agents.get_ref().as_slice(), false).map_err(|(_, Mistake { what, cause })| {
            Failure::new(format_args!("{what}: {}: {cause}", self.config.place_of(agents)))
        })?;
        if chosen.is_empty() {
            return Err(self.config.bad(agents, "it names no agent"));
        }
        let mut all: Vec<Obeying> = Vec::new();
        for agent in chosen {
            let selection = self.robots.select(&agent.crawler);
            let is_named = matches!(selection.reason, SelectionReason::Named(_));
            if !is_named && !self.is_known(&agent.name) {
                return Err(self.config.bad(agents, &unknown(&agent.name)));
            }
            match all.iter_mut().find(|obeying| obeying.selection.groups == selection.groups) {
                Some(obeying) => obeying.agents.push(agent.name),
                None => {
                    let rules = self.robots.rule_set_of(&selection);
                    all.push(Obeying { agents: vec![agent.name], selection, rules });
                }
            }
        }
        Ok(all)
    }

    /// Returns the agents that the file names, and those that it does not name.
    pub(super) fn all_obeying(&self) -> Vec<Obeying> {
        let of = |audience: Audience| {
            let rules = audience.rule_set(self.robots);
            let others = audience.has_others.then(|| OTHERS.to_owned());
            // The reason has no part in what is said to them.
            let selection = Selection { groups: audience.groups, reason: SelectionReason::Star };
            Obeying { agents: audience.names.into_iter().chain(others).collect(), selection, rules }
        };
        audiences(self.robots).into_iter().map(of).collect()
    }

    /// Reports whether an agent that no group names exists, as far as is known.
    fn is_known(&self, name: &str) -> bool {
        let own = self.config.tables.test.as_ref().map_or(&[][..], |test| &test.own_agents);
        name == OTHERS || bundled::agent(name).is_some() || own.iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Returns a case, and its name: that of the config, or else what is expected. If a name is for several cases, it
    /// is followed by what distinguishes them.
    pub(super) fn case(&self, given: Option<&String>, expected: String, part: Option<&str>, line: usize) -> Case<'t> {
        let name = match (given, part) {
            (Some(name), Some(part)) => format!("{name} ({})", shown::cut(part.as_bytes(), MAX_SHOWN)),
            (Some(name), None) => name.clone(),
            (None, _) => expected,
        };
        Case { name: shown::line(&name), robots: self.robots, line, outcome: Outcome::Passed }
    }

    /// Returns what decides, for the end of a sentence.
    pub(super) fn because(&self, rule: Option<&Rule>) -> String {
        match rule.filter(|rule| !is_empty_line(rule)) {
            None => "no rule matches".to_owned(),
            Some(rule) if rule.line == 0 => "the dialect itself decides".to_owned(),
            Some(rule) => {
                let value = shown::cut(rule.source.of(self.robots.body()), MAX_SHOWN);
                format!("line {} `{}` decides", rule.line, format!("{}: {value}", rule.kind.as_str()).trim_end())
            }
        }
    }
}

/// Returns a rule that a line states, and that decides something.
pub(super) fn of_line(rule: Option<Rule>) -> Option<Rule> {
    rule.filter(|rule| rule.line > 0 && !is_empty_line(rule))
}

/// Returns what is wrong with the name of an agent that nobody knows.
fn unknown(name: &str) -> String {
    let meant = meant_by(name).map(|token| format!("write `{token}`"));
    let meant = meant.or_else(|| doubt(name)).map_or_else(String::new, |clause| format!("{clause}, or "));
    format!(
        "no group names `{}`, and no known crawler has this name: {meant}add a crawler of your own to `own-agents`",
        shown::line(name)
    )
}

/// Returns agents as the subject of a sentence.
pub(super) fn who(agents: &[String]) -> String {
    let (others, names): (Vec<&String>, Vec<&String>) = agents.iter().partition(|name| *name == OTHERS);
    let names = names.into_iter().cloned().collect();
    shown::line(&Agents { names, has_others: !others.is_empty() }.shortened(MAX_NAMES))
}
