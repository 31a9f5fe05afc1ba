//! The groups of a robots.txt as its owner sees them: who obeys them, and which rule decides before which.

use std::io::Write;

use robotsc::robots_txt::Severity;
use robotsc::{RobotsTxt, RuleSet};
use robotsc_analysis::words::counted;
use robotsc_answers::identity::Identity;
use robotsc_answers::obeyed::Obeyed;
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::table::Table;

/// The rules and agents that are shown of a group if not all are asked for.
const MAX_LISTED: usize = 20;
/// The characters of a pattern that are shown.
const MAX_PATTERN_CHARS: usize = 160;

/// The groups of a file.
pub(super) struct Groups<'r> {
    robots: &'r RobotsTxt<'r>,
    obeyed: Vec<Obeyed>,
    /// What the register adds about the one agent.
    note: Option<String>,
}

impl<'r> Groups<'r> {
    /// Collects the crawlers that a file names, in its order, and then those that it does not name; or one agent only.
    ///
    /// # Errors
    /// If the agent has no usable name.
    pub(super) fn of(robots: &'r RobotsTxt<'r>, agent: Option<&Identity>) -> Result<Self, Failure> {
        let obeyed = Obeyed::all(robots, agent.map(std::slice::from_ref).unwrap_or_default())?;
        Ok(Self { robots, obeyed, note: agent.and_then(|agent| agent.note(robots)) })
    }

    /// Writes a summary of the file, then its groups.
    pub(super) fn write(&self, out: &mut dyn Write, name: &str, all: bool) -> Result<(), Failure> {
        let robots = self.robots;
        let found = |severity| robots.diagnostics().iter().filter(|found| found.severity == severity).count();
        writeln!(
            out,
            "{name}: {}, {}, {}; dialect {}",
            counted(robots.body().len(), "byte"),
            counted(robots.groups().len(), "group"),
            counted(robots.rules().len(), "rule"),
            robots.dialect().name
        )?;
        writeln!(
            out,
            "found by the parser: {}, {}, {}; `robotsc lint` asks what the rules mean, too",
            counted(found(Severity::Error), "error"),
            counted(found(Severity::Warning), "warning"),
            counted(found(Severity::Info), "note")
        )?;
        if self.obeyed.is_empty() {
            writeln!(out, "\nno group: every crawler may fetch everything")?;
        }
        for obeyed in &self.obeyed {
            writeln!(out, "\n{}", self.title(obeyed, all))?;
            if let Some(note) = &self.note {
                writeln!(out, "  {note}")?;
            }
            if let Some(delay) = obeyed.crawl_delay {
                writeln!(out, "  crawl delay: {delay} s")?;
            }
            write_rules(out, &obeyed.rules, all)?;
        }
        let sitemaps = robots.sitemaps();
        if !sitemaps.is_empty() {
            writeln!(out, "\nsitemaps")?;
            let limit = if all { sitemaps.len() } else { MAX_LISTED };
            for sitemap in sitemaps.iter().take(limit) {
                writeln!(out, "  {}", shown::cut(sitemap, MAX_PATTERN_CHARS))?;
            }
            if sitemaps.len() > limit {
                writeln!(out, "  and {} more: --all lists all", sitemaps.len() - limit)?;
            }
        }
        Ok(())
    }

    /// Returns who obeys the groups, and their lines.
    fn title(&self, obeyed: &Obeyed, all: bool) -> String {
        let limit = if all { usize::MAX } else { MAX_LISTED };
        let who = obeyed.who(limit);
        let groups = obeyed.groups.iter().filter_map(|id| self.robots.groups().get(id.0 as usize));
        let lines: Vec<String> = groups
            .take(limit)
            .map(|group| {
                let agents = self.robots.agents_of(group).iter().map(|agent| agent.line);
                let rules = self.robots.rules_of(group).iter().map(|rule| rule.line);
                let (first, last) = (agents.clone().min().unwrap_or(0), agents.chain(rules).max().unwrap_or(0));
                if first == last { format!("line {first}") } else { format!("lines {first}-{last}") }
            })
            .collect();
        if lines.is_empty() { format!("{who}: no group") } else { format!("{who}: {}", lines.join(", ")) }
    }
}

/// Writes rules in the order in which they decide.
fn write_rules(out: &mut dyn Write, rules: &RuleSet, all: bool) -> Result<(), Failure> {
    let listed = rules.rules();
    if listed.is_empty() {
        return Ok(writeln!(out, "  no rule: everything is allowed")?);
    }
    if listed.len() > 1 {
        writeln!(out, "  the first rule that matches decides; if none matches, the URL is allowed")?;
    }
    let mut table = Table::new(&["", "", "", ""]);
    let limit = if all { listed.len() } else { MAX_LISTED };
    for rule in listed.iter().take(limit) {
        let place = if rule.line == 0 { "of the dialect".to_owned() } else { format!("line {}", rule.line) };
        table.row([
            rule.verdict.to_string(),
            shown::cut(rules.pattern(rule), MAX_PATTERN_CHARS),
            place,
            shown::length(rule.length).map_or_else(String::new, |length| format!("length {length}")),
        ]);
    }
    table.write_body(out, "  ")?;
    if listed.len() > limit {
        writeln!(out, "  and {} more: --all lists all", listed.len() - limit)?;
    }
    Ok(())
}
