//! The proofs about a file with a block, under every dialect.
//!
//! 1. For every agent that the policy is not about, the file with the block means what the file outside it means, but
//!    for the paths and preferences that are asked of every crawler. Agents are the names of both files, all known
//!    crawlers with their fallbacks, and all others.
//! 2. A crawler that is denied may fetch nothing.
//! 3. A crawler that is allowed has the verdicts of what it obeys outside the block, without the rules that close the
//!    whole site; its crawl delays and preferences, too.
//! 4. Paths that are for nobody are disallowed for every agent, and preferences reach every agent.
//!
//! All are questions about every path, which `robotsc_analysis` decides. Under dialects that compare names by their
//! start, a known crawler can be found by names that its operator does not document: one that is denied is asked about
//! even so, one that is allowed if it obeys what is documented, and any other if the file outside names it.

use std::collections::HashSet;

use robotsc::agent::Selection;
use robotsc::record::RecordKind;
use robotsc::robots_txt::RuleKind;
use robotsc::{Crawler, Dialect, RobotsTxt, RuleSet};
use robotsc_analysis::{
    Diff, DiffOptions, Effect, Lines, PathPattern, Paths, Property, PropertyError, RecordChange, RuleAnalysis,
    RuleDiff, SearchBudget, VerdictChange, regions,
};

use super::choice::{Choice, Member};
use super::files::{Files, content, documented, has_whole_names, is_documented, open_rules, own};
use super::refusal::{Refusal, Why};
use super::stated::Stated;
use crate::diff;
use crate::obeyed::Obeyed;
use crate::shown;

/// The files and what is to be proved about them.
pub(super) struct Proof<'a> {
    pub(super) choice: &'a Choice,
    pub(super) disallow: &'a [String],
    pub(super) stated: &'a [Stated],
    /// The file that was given, for the lines of messages.
    pub(super) given: &'a [u8],
    /// The file outside the block, before names left it.
    pub(super) before: &'a [u8],
    /// The file outside the block.
    pub(super) outside: &'a [u8],
    /// The file with the block.
    pub(super) with: &'a [u8],
    /// The lines of the block that are for every crawler, in the file with the block.
    pub(super) for_all: std::ops::Range<u32>,
    /// The work that all proofs can cost.
    pub(super) budget: &'a SearchBudget,
}

impl Proof<'_> {
    /// Proves all.
    ///
    /// # Errors
    /// What does not hold or was not decided, with the line of the given file that shows it.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let [before, outside, with] = [self.before, self.outside, self.with].map(Files::new);
        with.check()?;
        for stated in self.stated {
            stated.check(outside.google()).map_err(|refusal| self.with_line(refusal, self.outside))?;
        }
        for (at, dialect) in Dialect::ALL.into_iter().enumerate() {
            let one = OneDialect { proof: self, dialect, outside: &outside.0[at], with: &with.0[at] };
            one.check_denied()?;
            one.check_allowed()?;
            one.check_others(&before.0[at])?;
            one.check_for_all()?;
        }
        Ok(())
    }

    /// Returns a refusal with the line of the given file that has the text of its line.
    fn with_line(&self, refusal: Refusal, of: &[u8]) -> Refusal {
        let Some(line) = refusal.line else { return refusal };
        let (lines, given) = (Lines::new(of), Lines::new(self.given));
        let text = lines.text(line);
        let found = (1..=given.count()).find(|line| given.text(*line) == text);
        Refusal { line: found, ..refusal }
    }
}

/// A proof under one dialect.
struct OneDialect<'a, 'r> {
    proof: &'a Proof<'a>,
    dialect: &'static Dialect,
    outside: &'r RobotsTxt<'r>,
    with: &'r RobotsTxt<'r>,
}

impl OneDialect<'_, '_> {
    fn check_denied(&self) -> Result<(), Refusal> {
        let nothing = RuleSet::from_rules(self.dialect, [(RuleKind::Disallow, "/", 1)]);
        let mut known = HashSet::new();
        for member in &self.proof.choice.denied {
            let selection = self.with.select(&member.crawler);
            if known.insert(selection.groups.clone()) {
                self.check_same(&nothing, &self.with.rule_set_of(&selection), member)?;
            }
        }
        Ok(())
    }

    fn check_allowed(&self) -> Result<(), Refusal> {
        let mut known = HashSet::new();
        for member in &self.proof.choice.allowed {
            let outside = documented(self.outside, &member.crawler);
            let with = self.with.select(&member.crawler);
            if is_documented(&member.crawler, &with) && known.insert([outside.groups.clone(), with.groups.clone()]) {
                self.check_same(&open_rules(self.outside, &outside), &self.with.rule_set_of(&with), member)?;
                let kept = |robots, selection| self.kept_records(robots, selection);
                if kept(self.outside, &outside) != kept(self.with, &with) {
                    let cause = format!("{}: its records, such as crawl delays, would change", member.name);
                    return Err(self.not_proved(cause));
                }
            }
        }
        Ok(())
    }

    /// Returns the records of a crawler but for the preferences that are asked for.
    fn kept_records(&self, robots: &RobotsTxt<'_>, selection: &Selection) -> Vec<(RecordKind, Vec<u8>)> {
        let (_, records) = content(robots, selection);
        let is_stated = |(kind, value): &(RecordKind, &[u8])| {
            self.proof.stated.iter().any(|stated| stated.kind == *kind && stated.statement.as_bytes() == *value)
        };
        let mut kept: Vec<_> = records.into_iter().filter(|record| !is_stated(record)).collect();
        kept.dedup();
        kept.into_iter().map(|(kind, value)| (kind, value.to_vec())).collect()
    }

    /// Checks that a crawler has the verdicts of a rule set, but for the paths that are for nobody.
    fn check_same(&self, wanted: &RuleSet, found: &RuleSet, member: &Member) -> Result<(), Refusal> {
        let analysis = |set| RuleAnalysis::new(set, self.dialect, Paths::Urls, self.proof.budget);
        let (Ok(wanted), Ok(other)) = (analysis(wanted), analysis(found)) else {
            return Err(self.not_proved(format!("{}: its rules are of another dialect", member.name)));
        };
        let regions = regions(&wanted, &other).map_err(|_| self.not_decided(&member.name))?;
        for region in regions {
            let line = region.new.map(|at| found.rules()[at as usize].line);
            if !line.is_some_and(|line| self.proof.for_all.contains(&line)) {
                let path = shown::bytes(&region.path);
                let cause = format!("{}: {path} would have another verdict than the policy asks", member.name);
                return Err(self.refused(cause, line));
            }
        }
        Ok(())
    }

    /// Compares what all agents but those of the policy may fetch.
    fn check_others(&self, before: &RobotsTxt<'_>) -> Result<(), Refusal> {
        let choice = self.proof.choice;
        let names: Vec<String> = super::files::crawlers(choice)
            .map(|(name, _)| name)
            .filter(|name| !choice.is_allowed(name) && (has_whole_names(self.dialect) || self.has(name)))
            .map(str::to_owned)
            .collect();
        let of_names = diff::options(&names, true, false);
        for options in [diff::options(&[], true, false), of_names] {
            let bad = |error| Refusal::new(Why::Declaration, format_args!("bad agent: {error}"));
            let budget = self.proof.budget;
            let options = DiffOptions { work: budget.left(), ..options };
            let diff = Diff::with(before, self.with, &options).map_err(bad)?;
            budget.take(diff.work).map_err(|_| self.not_decided("all other agents"))?;
            for changed in &diff.rules {
                self.check_rules(changed)?;
            }
            for changed in &diff.records {
                let agents = self.outsiders(&changed.agents.names);
                let is_asked = |change: &RecordChange| {
                    change.removed.is_empty() && self.proof.stated.iter().any(|stated| stated.kind == change.kind)
                };
                if (changed.agents.has_others || !agents.is_empty()) && !changed.changes.iter().all(is_asked) {
                    return Err(self.not_proved(format!("{}: its records would change", who(&agents))));
                }
            }
            if !diff.file_records.is_empty() {
                return Err(self.not_proved("the sitemaps or hosts of the file would change".to_owned()));
            }
        }
        Ok(())
    }

    fn check_rules(&self, changed: &RuleDiff) -> Result<(), Refusal> {
        let agents = self.outsiders(&changed.agents.names);
        if agents.is_empty() && !changed.agents.has_others {
            return Ok(());
        }
        let changes = changed.outcome.as_deref().map_err(|_| self.not_decided(&who(&agents)))?;
        let is_asked = |change: &VerdictChange| {
            let by_block =
                |rule: &robotsc_analysis::DiffRule| rule.lines.iter().any(|line| self.proof.for_all.contains(line));
            change.effect == Effect::Blocked && change.new.as_ref().is_some_and(by_block)
        };
        match changes.iter().find(|change| !is_asked(change)) {
            None => Ok(()),
            Some(change) => {
                let verdict = if change.effect == Effect::Blocked { "blocked" } else { "allowed" };
                let cause = format!("{}: {} would be {verdict}", who(&agents), shown::bytes(&change.path));
                let line = change.new.as_ref().and_then(|rule| rule.lines.first()).copied();
                Err(self.refused(cause, line))
            }
        }
    }

    /// Returns the names that the policy is not about. A name that is no known crawler, and that only lines of the
    /// block or lines that left have, is a part of one: `AI` of `AI2Bot`.
    fn outsiders(&self, names: &[String]) -> Vec<String> {
        let choice = self.proof.choice;
        let is_known = |name: &str| has_whole_names(self.dialect) && robotsc::bundled::agent(name).is_some();
        let is_outside =
            |name: &&String| !choice.is_denied(name) && !choice.is_allowed(name) && (is_known(name) || self.has(name));
        names.iter().filter(is_outside).cloned().collect()
    }

    /// Reports whether the file outside the block names an agent.
    fn has(&self, name: &str) -> bool {
        Crawler::new(name).is_ok_and(|alone| own(self.outside, name, &alone).is_some())
    }

    /// Checks what is asked of every crawler.
    fn check_for_all(&self) -> Result<(), Refusal> {
        let Proof { choice, disallow, stated, .. } = self.proof;
        if disallow.is_empty() && stated.is_empty() {
            return Ok(());
        }
        let mut lists: Vec<(String, Selection)> = Vec::new();
        let known = super::files::crawlers(choice)
            .filter(|(name, _)| has_whole_names(self.dialect) || self.has(name))
            .map(|(name, crawler)| (name.to_owned(), self.with.select(&crawler)));
        let of_file = Obeyed::all(self.with, &[])?.into_iter().filter(|obeyed| {
            !obeyed.agents.iter().any(|name| choice.is_denied(name) || !self.has(name)) || obeyed.agents.is_empty()
        });
        let reason = robotsc::agent::SelectionReason::Star;
        let of_file =
            of_file.map(|obeyed| (obeyed.who(1), Selection { groups: obeyed.groups, reason: reason.clone() }));
        for (name, selection) in of_file.chain(known) {
            if !lists.iter().any(|(_, known)| known.groups == selection.groups) {
                lists.push((name, selection));
            }
        }
        for (name, selection) in &lists {
            self.check_paths(name, selection)?;
            for stated in *stated {
                if !self.with.values_for(selection).any(|record| stated.is(&record)) {
                    let cause = format!("{name}: `{}` would not reach it: put the block at the end", stated.line());
                    return Err(self.not_proved(cause));
                }
            }
        }
        Ok(())
    }

    fn check_paths(&self, name: &str, selection: &Selection) -> Result<(), Refusal> {
        let set = self.with.rule_set_of(selection);
        for path in self.proof.disallow {
            let pattern = PathPattern::new(self.dialect, path).ok();
            let rules = RuleAnalysis::new(&set, self.dialect, Paths::Urls, self.proof.budget).ok();
            let (Some(pattern), Some(rules)) = (pattern, rules) else {
                return Err(self.not_decided(name));
            };
            match Property::NeverAllowed.counterexample(&rules, &pattern) {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let line = found.rule.map(|at| set.rules()[at as usize].line);
                    let shown = shown::bytes(&found.path);
                    let cause = format!("{name}: this allows {shown}, which is for nobody by {path}: remove the rule");
                    let refusal = Refusal { why: Why::Conflict, ..self.refused(cause, line) };
                    return Err(refusal);
                }
                Err(PropertyError::NotDecided | _) => return Err(self.not_decided(name)),
            }
        }
        Ok(())
    }

    fn refused(&self, cause: String, line: Option<u32>) -> Refusal {
        let refusal = self.not_proved(cause);
        match line.filter(|line| *line > 0) {
            Some(line) => self.proof.with_line(refusal.at(line), self.proof.with),
            None => refusal,
        }
    }

    fn not_proved(&self, cause: String) -> Refusal {
        Refusal::new(Why::NotProved, format_args!("{cause} (dialect {})", self.dialect.name))
    }

    fn not_decided(&self, agents: &str) -> Refusal {
        let cause = format!("{agents}: the rules are too complex to prove that nothing else changes");
        Refusal::new(Why::NotDecided, format_args!("{cause} (dialect {})", self.dialect.name))
    }
}

fn who(agents: &[String]) -> String {
    match agents {
        [] => "all other agents".to_owned(),
        [agent] => agent.clone(),
        [agent, rest @ ..] => format!("{agent} and {} more", rest.len()),
    }
}
