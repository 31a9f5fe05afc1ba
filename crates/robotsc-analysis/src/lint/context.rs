//! What the checks of a file share: its lines, the audiences and the analysis of their rules.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use robotsc_compiler::{AgentName, ByteSpan, Crawler, RobotsTxt, RuleLine, RuleSet, Selection, Verdict};

use super::check::{CheckChoice, LintCheck};
use super::finding::Finding;
use crate::agents::audience::{Audience, audiences};
use crate::rules::{RuleAnalysis, ranked_identities};
use crate::search::{NotDecided, SearchBudget};
use crate::space::Paths;
use crate::text::hosts::Hosts;
use crate::text::lines::Lines;
use crate::text::words::is_unprintable;

/// The crawlers of search engines that site owners ask about first.
pub(super) const SEARCH_AGENTS: [&str; 2] = ["Googlebot", "bingbot"];

/// The parts of a file that all checks read.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) audiences: Vec<Audience>,
    pub(super) sets: Vec<RuleSet>,
    /// For each set the first with equal rules, whatever their lines.
    same_rules: Vec<usize>,
}

impl Parts {
    pub(super) fn new(robots: &RobotsTxt<'_>) -> Self {
        let audiences = audiences(robots);
        let sets: Vec<RuleSet> = audiences.iter().map(|audience| audience.rule_set(robots)).collect();
        let mut first = HashMap::new();
        let rules = |set| ranked_identities(set).collect::<Vec<_>>();
        let same_rules = sets.iter().enumerate().map(|(at, set)| *first.entry(rules(set)).or_insert(at)).collect();
        Self { audiences, sets, same_rules }
    }
}

/// An audience and its rules.
#[derive(Debug)]
pub(super) struct Obeyed<'c> {
    pub(super) audience: &'c Audience,
    /// A number that audiences with equal rules share, whatever their lines.
    pub(super) same_rules: usize,
    pub(super) rules: RuleAnalysis<'c>,
}

/// A file under lint.
#[derive(Debug)]
pub(super) struct Context<'c> {
    pub(super) robots: &'c RobotsTxt<'c>,
    pub(super) lines: Lines<'c>,
    pub(super) obeyed: Vec<Obeyed<'c>>,
    choice: &'c CheckChoice,
    hosts: OnceCell<Hosts>,
    /// The lines of which a finding says why they are not read as they seem. Others would only repeat it.
    pub(super) explained: HashSet<u32>,
    pub(super) found: Vec<Finding>,
}

impl<'c> Context<'c> {
    pub(super) fn new(
        robots: &'c RobotsTxt<'c>,
        parts: &'c Parts,
        budget: &'c SearchBudget,
        choice: &'c CheckChoice,
    ) -> Self {
        let obeyed = |((audience, set), same_rules): ((_, _), &usize)| Obeyed {
            audience,
            same_rules: *same_rules,
            rules: RuleAnalysis::of(set, robots.dialect(), Paths::Urls, budget),
        };
        let obeyed = parts.audiences.iter().zip(&parts.sets).zip(&parts.same_rules).map(obeyed).collect();
        Self {
            robots,
            lines: Lines::new(robots.body()),
            obeyed,
            choice,
            hosts: OnceCell::new(),
            explained: HashSet::new(),
            found: Vec::new(),
        }
    }

    /// Returns a check, if it is to run.
    pub(super) fn check(&self, check: LintCheck) -> Option<LintCheck> {
        self.choice.is_enabled(check).then_some(check)
    }

    /// Adds a finding on a line.
    pub(super) fn report(&mut self, check: LintCheck, line: u32, span: ByteSpan, message: impl Into<String>) {
        if let Some(check) = self.check(check) {
            self.found.push(Finding::new(check, line, span, message));
        }
    }

    pub(super) fn body(&self) -> &'c [u8] {
        self.robots.body()
    }

    /// Returns the value of a rule, as written.
    pub(super) fn value(&self, rule: &RuleLine) -> &'c [u8] {
        rule.value.of(self.body())
    }

    /// Returns a rule of the file by its line.
    pub(super) fn rule_of_line(&self, line: u32) -> Option<&'c RuleLine> {
        let rules = self.robots.rules();
        rules.binary_search_by_key(&line, |rule| rule.line).ok().map(|at| &rules[at])
    }

    /// Returns the hosts that the file names.
    pub(super) fn hosts(&self) -> &Hosts {
        self.hosts.get_or_init(|| Hosts::of(self.robots))
    }

    /// Returns the rules that an agent obeys.
    pub(super) fn obeyed_by(&self, agent: &str) -> Option<&Obeyed<'c>> {
        let name = AgentName::of_group(agent.as_ref()).ok()?;
        // Most files name nobody.
        if let [all] = self.obeyed.as_slice()
            && all.audience.names.is_empty()
        {
            return Some(all);
        }
        let selection: Selection = self.robots.select(&Crawler::from(name));
        self.obeyed.iter().find(|obeyed| obeyed.audience.groups == selection.groups)
    }
}

impl Obeyed<'_> {
    /// Returns the verdict on a URL path that is normalized as written, and the line that decides.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget was spent.
    pub(super) fn decide(&self, path: &[u8]) -> Result<(Verdict, u32), NotDecided> {
        self.rules.budget.take(1 + path.len() as u64)?;
        let decided = self.rules.first(&self.rules.seen(path), |_| false);
        Ok((self.rules.verdict(decided), decided.map_or(0, |at| self.rules.rule(at).line)))
    }

    /// Reports whether a URL path is allowed, as the reference matcher decides, too.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget was spent.
    pub(super) fn is_allowed(&self, path: &[u8]) -> Result<bool, NotDecided> {
        Ok(self.decide(path)?.0.is_allow()
            && self.rules.paths.contains(path)
            && self.rules.verdict(self.rules.reference(path)?).is_allow())
    }

    /// Reports whether a line disallows a URL path, as the reference matcher decides, too.
    ///
    /// # Errors
    /// [`NotDecided`] if the budget was spent.
    pub(super) fn is_disallowed_by(&self, line: u32, path: &[u8]) -> Result<bool, NotDecided> {
        let (verdict, decided) = self.decide(path)?;
        if verdict.is_allow() || decided != line || !self.rules.paths.contains(path) {
            return Ok(false);
        }
        Ok(self.rules.reference(path)?.is_some_and(|at| self.rules.rule(at).line == line))
    }
}

/// Returns bytes of the file as they are quoted in a message: on one line, at most 80 bytes.
pub(super) fn quoted(text: &[u8]) -> String {
    if text.is_empty() {
        return "an empty value".to_owned();
    }
    let mut shown = text.get(..80).unwrap_or(text);
    // Not within a character.
    while shown.len() < text.len() && shown.last().is_some_and(|byte| !byte.is_ascii()) {
        shown = &shown[..shown.len() - 1];
    }
    let cut = if shown.len() < text.len() { "…" } else { "" };
    let shown: String = match std::str::from_utf8(shown) {
        Ok(text) if !text.chars().any(is_unprintable) => text.to_owned(),
        _ => shown.escape_ascii().to_string(),
    };
    format!("`{shown}{cut}`")
}
