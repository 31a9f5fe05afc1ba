//! The summary at the end of a run.

use std::fmt::Write as _;
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration};
use robotsc_answers::shown;
use serde::Serialize;

use super::answer::Class;
use super::totals::{Totals, rule_of};
use crate::failure::{Failure, complain};

/// The maximum number of hosts and rules that are named.
const MAX_NAMED: usize = 5;

/// The summary.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    r#type: &'static str,
    urls: u64,
    allowed: u64,
    disallowed: u64,
    unknown: u64,
    errors: u64,
    /// Disallowed only by the policy over all origins.
    by_policy: u64,
    /// Disallowed although they can be fetched: the site says no to the use.
    #[serde(skip_serializing_if = "is_zero")]
    use_refused: u64,
    /// The same: the site says neither yes nor no.
    #[serde(skip_serializing_if = "is_zero")]
    use_unknown: u64,
    unknown_origins: u64,
    /// Of these, origins whose last fetch expired.
    expired_origins: u64,
    /// Whether there were so many that some were counted again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unknown_again: bool,
    seconds: f64,
    is_stopped: bool,
    /// What each of several agents was answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agents: Vec<Agent>,
    hosts: Vec<Host>,
    rules: Vec<Rule>,
    /// By how many the counts of hosts and rules can be too low.
    #[serde(skip_serializing_if = "is_zero")]
    short_by: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Debug, Serialize)]
struct Agent {
    agent: String,
    allowed: u64,
    disallowed: u64,
    unknown: u64,
}

#[derive(Debug, Serialize)]
struct Host {
    origin: String,
    disallowed: u64,
}

#[derive(Debug, Serialize)]
struct Rule {
    origin: String,
    line: u32,
    disallowed: u64,
}

impl Summary {
    /// Sums a run up. `agents` are the names of those whose answers were written one by one.
    pub(crate) fn new(totals: Totals, agents: &[String], elapsed: Duration, is_stopped: bool) -> Self {
        let short_by = totals.hosts.short_by().max(totals.rules.short_by());
        let by_agent = agents.iter().zip(&totals.by_agent).map(|(agent, counts)| Agent {
            agent: agent.clone(),
            allowed: counts[Class::Allowed as usize],
            disallowed: counts[Class::Disallowed as usize],
            unknown: counts[Class::Unknown as usize],
        });
        Self {
            r#type: "summary",
            urls: totals.answered(),
            allowed: totals.of(Class::Allowed),
            disallowed: totals.of(Class::Disallowed),
            unknown: totals.of(Class::Unknown),
            errors: totals.of(Class::Error),
            by_policy: totals.overlaid,
            use_refused: totals.refused_uses.stated,
            use_unknown: totals.refused_uses.unknown,
            unknown_origins: totals.unknown_origins,
            expired_origins: totals.expired_origins,
            unknown_again: totals.unknown_again,
            seconds: elapsed.as_secs_f64(),
            is_stopped,
            short_by,
            agents: by_agent.collect(),
            hosts: totals
                .hosts
                .into_sorted()
                .into_iter()
                .take(MAX_NAMED)
                .map(|(origin, disallowed)| Host { origin: shown::bytes(&origin), disallowed })
                .collect(),
            rules: totals
                .rules
                .into_sorted()
                .into_iter()
                .take(MAX_NAMED)
                .map(|(key, disallowed)| {
                    let (origin, line, _) = rule_of(&key);
                    Rule { origin: shown::bytes(origin), line, disallowed }
                })
                .collect(),
        }
    }

    /// Prints the summary on standard error.
    pub(crate) fn print(&self, json: bool) -> Result<(), Failure> {
        if json {
            return crate::io::output::json_line(&mut std::io::stderr().lock(), self);
        }
        let count = HumanCount;
        let elapsed = Duration::from_secs_f64(self.seconds);
        let rate = self.urls as f64 / self.seconds.max(1e-9);
        let stopped = if self.is_stopped { ", stopped" } else { "" };
        complain(&format!(
            "{} URLs in {}, {} per second{stopped}",
            count(self.urls),
            if self.seconds < 10.0 {
                format!("{:.1} seconds", self.seconds)
            } else {
                HumanDuration(elapsed).to_string()
            },
            count(rate as u64)
        ));
        let mut line = format!(
            "{} allowed, {} disallowed, {} unknown, {} errors",
            count(self.allowed),
            count(self.disallowed),
            count(self.unknown),
            count(self.errors)
        );
        if self.by_policy > 0 {
            let _ = write!(line, "; by the policy alone: {}", count(self.by_policy));
        }
        for (what, number) in [("use refused", self.use_refused), ("use not stated", self.use_unknown)] {
            if number > 0 {
                let _ = write!(line, "; {what}: {}", count(number));
            }
        }
        if self.unknown_origins > 0 {
            let at_most = if self.unknown_again { "at most " } else { "" };
            let _ = write!(line, "; origins to fetch: {at_most}{}", count(self.unknown_origins));
            if self.expired_origins > 0 {
                let _ = write!(line, ", {} of them expired", count(self.expired_origins));
            }
        }
        complain(&line);
        for Agent { agent, allowed, disallowed, unknown } in &self.agents {
            let [allowed, disallowed, unknown] = [allowed, disallowed, unknown].map(|number| count(*number));
            complain(&format!("{agent}: {allowed} allowed, {disallowed} disallowed, {unknown} unknown"));
        }
        if !self.hosts.is_empty() {
            let hosts = self.hosts.iter().map(|host| format!("{} {}", host.origin, count(host.disallowed)));
            complain(&format!("most disallowed: {}", hosts.collect::<Vec<_>>().join(", ")));
        }
        if self.short_by > 0 {
            complain(&format!(
                "there are too many hosts to count each: these counts can be too low by {} and more",
                count(self.short_by)
            ));
        }
        if !self.rules.is_empty() {
            let rules =
                self.rules.iter().map(|rule| format!("{} line {} {}", rule.origin, rule.line, count(rule.disallowed)));
            complain(&format!("by rule: {}", rules.collect::<Vec<_>>().join(", ")));
        }
        Ok(())
    }
}

/// Returns the hits by rule as a table: origin, line of the rule, verdict, URLs; the most frequent first. Line 0 means
/// that no rule with a line decided; `*` is the sum of rules that are not counted one by one.
pub(crate) fn hits(totals: &mut Totals) -> Vec<u8> {
    let Some(hits) = totals.hits.take() else { return Vec::new() };
    let dropped = hits.dropped();
    let mut table = b"origin\tline\tverdict\turls\n".to_vec();
    for (key, count) in hits.into_sorted() {
        let (origin, line, is_allow) = rule_of(&key);
        table.extend_from_slice(origin);
        let verdict = if is_allow { Class::Allowed } else { Class::Disallowed };
        table.extend_from_slice(format!("\t{line}\t{}\t{count}\n", verdict.word()).as_bytes());
    }
    if dropped > 0 {
        table.extend_from_slice(format!("*\t0\t*\t{dropped}\n").as_bytes());
    }
    table
}
