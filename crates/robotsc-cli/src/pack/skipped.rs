//! What of the sources does not go into a pack: told one by one at first, then counted by its reason.

use std::collections::BTreeMap;

use robotsc_sources::{Broken, BrokenKind};

use crate::failure::complain;
use crate::progress::Sources;

/// How many broken records are told one by one.
pub(super) const MOST_TOLD: u64 = 10;

/// How many reasons are told apart, and how many of them are told.
const MOST_REASONS: usize = 64;
const MOST_REASONS_TOLD: usize = 5;

/// What was met in the sources and left out.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    /// What is damaged, or of an unknown form.
    pub(super) broken: u64,
    /// Redirects and revisits whose target is not among the sources.
    pub(super) unresolved: u64,
    /// Files and records that are of no robots.txt.
    pub(super) passed_over: u64,
    reasons: BTreeMap<String, u64>,
}

impl Skipped {
    /// Takes in what a source tells.
    pub(super) fn take(&mut self, broken: &Broken, bar: &Sources) {
        match broken.kind {
            BrokenKind::Unresolved => self.unresolved += 1,
            // Nothing is left out, but who named the source may have meant another.
            BrokenKind::Empty => bar.say(&broken.to_string()),
            _ => self.tell(broken.what(), &broken.to_string(), bar),
        }
    }

    /// Counts something under its reason, and tells it where not many were told.
    pub(super) fn tell(&mut self, reason: &str, line: &str, bar: &Sources) {
        self.broken += 1;
        if self.broken <= MOST_TOLD {
            bar.say(line);
        }
        let reason = general(reason);
        if self.reasons.len() < MOST_REASONS || self.reasons.contains_key(&reason) {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    /// Says how many there were of what, where not all were told.
    pub(super) fn sum_up(&self) {
        if self.broken <= MOST_TOLD {
            return;
        }
        complain(&format!("broken records: {} in all, the first {MOST_TOLD} told above", self.broken));
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
        reasons.truncate(MOST_REASONS_TOLD);
        let mut others = self.broken;
        for (reason, count) in reasons {
            complain(&format!("  {count}: {reason}"));
            others -= count;
        }
        if others > 0 {
            complain(&format!("  {others}: for other reasons"));
        }
    }
}

/// A reason without what differs from one record to the next: numbers, and what stands in quotes. The way out is the same.
fn general(reason: &str) -> String {
    let (what, way_out) = reason.split_at(reason.find(": give ").unwrap_or(reason.len()));
    let mut general = String::new();
    for (part, text) in what.split('\'').enumerate() {
        if part % 2 == 1 {
            general.push_str("'…'");
            continue;
        }
        for word in text.split_inclusive(' ') {
            let number = word.trim_end_matches([' ', ':', ',']);
            let is_number = !number.is_empty() && number.bytes().all(|octet| octet.is_ascii_digit());
            general.push_str(if is_number { "…" } else { number });
            general.push_str(word.get(number.len()..).unwrap_or_default());
        }
    }
    general.push_str(way_out);
    general.truncate(general.trim_end_matches(": skipped").len());
    general
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_without_numbers_and_names() {
        for (one, same) in [
            ("'999' is no status: give one such as 200: skipped", "'…' is no status: give one such as 200"),
            ("octet 17: cut: skipped to octet 4711", "octet …: cut: skipped to octet …"),
            ("'b.txt': invalid IPv4 address", "'…': invalid IPv4 address"),
            ("an open 'quote", "an open '…'"),
            ("", ""),
        ] {
            assert_eq!(general(one), same);
        }
    }

    #[test]
    fn reasons_are_bounded() {
        let (mut skipped, bar) = (Skipped { broken: MOST_TOLD, ..Skipped::default() }, crate::progress::sources(&[]));
        for number in 0..1000_u64 {
            let reason: String = number.to_string().chars().map(|digit| (digit as u8 + 50) as char).collect();
            skipped.tell(&reason, "", &bar);
        }
        assert_eq!((skipped.broken, skipped.reasons.len()), (MOST_TOLD + 1000, MOST_REASONS));
    }
}
