//! What a bulk fetch counts, and its summary.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration};
use robotsc::fetch::Fetched;
use robotsc::outcome::{FetchEnd, Outcome};
use serde_json::json;

use crate::failure::{Failure, complain};
use crate::io::output;

/// What was counted.
#[derive(Debug)]
pub(super) struct Tally {
    since: Instant,
    outcomes: BTreeMap<Outcome, u64>,
    /// Successes with a body that is no robots.txt.
    other_bodies: u64,
    /// Failures by their word, or by their status.
    failures: BTreeMap<&'static str, u64>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { since: Instant::now(), outcomes: BTreeMap::new(), other_bodies: 0, failures: BTreeMap::new() }
    }
}

impl Tally {
    /// Counts a result.
    pub(super) fn add(&mut self, outcome: Outcome, fetched: &Fetched) {
        *self.outcomes.entry(outcome).or_default() += 1;
        let is_other = outcome == Outcome::Rules && fetched.body_kind.is_some_and(|kind| !kind.is_robots());
        self.other_bodies += u64::from(is_other);
        if matches!(outcome, Outcome::ServerError | Outcome::Unreachable) {
            let word = match fetched.end {
                FetchEnd::Status(500..=599) => "5xx",
                FetchEnd::Status(429) => "429",
                end => end.as_str(),
            };
            *self.failures.entry(word).or_default() += 1;
        }
    }

    /// Returns the number of results.
    pub(super) fn all(&self) -> u64 {
        self.outcomes.values().sum()
    }

    /// Returns the failures by kind, such as `dns 3, timeout 1`.
    pub(super) fn errors(&self) -> String {
        let mut kinds: Vec<_> = self.failures.iter().collect();
        kinds.sort_by_key(|(word, count)| (std::cmp::Reverse(**count), **word));
        kinds.iter().map(|(word, count)| format!("{word} {}", HumanCount(**count))).collect::<Vec<_>>().join(", ")
    }

    /// Prints the summary on standard error.
    pub(super) fn print(
        &self,
        json: bool,
        origins: u64,
        known: u64,
        bad: u64,
        is_stopped: bool,
    ) -> Result<(), Failure> {
        let elapsed = self.since.elapsed();
        let seconds = elapsed.as_secs_f64();
        let not_asked = (origins - known).saturating_sub(self.all());
        let counted = |outcome: &Outcome| outcome.as_str();
        if json {
            let outcomes: BTreeMap<_, _> = self.outcomes.iter().map(|(one, count)| (counted(one), count)).collect();
            let summary = json!({
                "type": "summary",
                "fetched": self.all(),
                "seconds": seconds,
                "outcomes": outcomes,
                "other_bodies": self.other_bodies,
                "failures": self.failures,
                "known": known,
                "not_asked": not_asked,
                "bad_lines": bad,
                "is_stopped": is_stopped,
            });
            return output::json_line(&mut std::io::stderr().lock(), &summary);
        }
        let took = match elapsed < Duration::from_secs(10) {
            true => format!("{seconds:.1} seconds"),
            false => HumanDuration(elapsed).to_string(),
        };
        let rate = self.all() as f64 / seconds.max(1e-9);
        let stopped = if is_stopped { ", stopped" } else { "" };
        let fetched = HumanCount(self.all());
        complain(&format!("{fetched} sites in {took}, {} per second{stopped}", HumanCount(rate as u64)));
        let outcomes = self.outcomes.iter().map(|(one, count)| format!("{} {}", HumanCount(*count), counted(one)));
        let mut parts = vec![outcomes.collect::<Vec<_>>().join(", ")];
        if !self.failures.is_empty() {
            parts.push(format!("failures: {}", self.errors()));
        }
        let counts = [
            (self.other_bodies, "rules with a body that is no robots.txt"),
            (known, "fetched before, by the log"),
            (not_asked, "not asked"),
        ];
        for (count, what) in counts {
            if count > 0 {
                parts.push(format!("{what}: {}", HumanCount(count)));
            }
        }
        parts.retain(|part| !part.is_empty());
        if !parts.is_empty() {
            complain(&parts.join("; "));
        }
        Ok(())
    }
}
