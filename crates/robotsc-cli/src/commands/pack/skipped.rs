//! What the pack builder skips in the sources: the first of them reported one by one, all counted by reason.

use std::collections::BTreeMap;

use robotsc_sources::{Broken, BrokenKind};

use super::capture::Unusable;
use crate::failure::complain;
use crate::io::progress::Sources;

/// The maximum number of broken records that are reported one by one.
pub(crate) const MAX_REPORTED: u64 = 10;

/// The maximum number of reasons that are counted, and that are reported.
const MAX_REASONS: usize = 64;
const MAX_REASONS_REPORTED: usize = 5;

/// What was skipped in the sources.
#[derive(Debug, Default)]
pub(crate) struct Skipped {
    /// What is damaged, or of an unknown form.
    pub(crate) broken: u64,
    /// Redirects and revisits whose target is not among the sources.
    pub(crate) unresolved: u64,
    /// Files and records that are no robots.txt.
    pub(crate) ignored: u64,
    /// Bodies that are no robots.txt and count as failures.
    pub(crate) other_bodies: u64,
    /// What was said of the first that is damaged.
    pub(crate) first: Option<String>,
    reasons: BTreeMap<String, u64>,
}

impl Skipped {
    /// Records something that a source could not read.
    pub(crate) fn insert(&mut self, broken: &Broken, bar: &Sources) {
        match broken.kind {
            BrokenKind::Unresolved => self.unresolved += 1,
            // Nothing is skipped, but the user may have meant another source.
            BrokenKind::Empty => bar.say(&broken.to_string()),
            _ => self.report(broken.what(), &broken.to_string(), bar),
        }
    }

    /// Records a capture that cannot be used.
    pub(crate) fn unusable(&mut self, unusable: &Unusable, bar: &Sources) {
        self.report(&unusable.reason, &unusable.line, bar);
    }

    /// Counts something under its reason, and reports it unless many were reported.
    pub(crate) fn report(&mut self, reason: &str, line: &str, bar: &Sources) {
        self.broken += 1;
        self.first.get_or_insert_with(|| line.to_owned());
        if self.broken <= MAX_REPORTED {
            bar.say(line);
        }
        let reason = general(reason);
        if self.reasons.len() < MAX_REASONS || self.reasons.contains_key(&reason) {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    /// Reports the number of each kind, if not all were reported.
    pub(crate) fn summarize(&self) {
        if self.broken <= MAX_REPORTED {
            return;
        }
        complain(&format!("broken records: {} in all, the first {MAX_REPORTED} reported above", self.broken));
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
        reasons.truncate(MAX_REASONS_REPORTED);
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

/// Returns a reason without what differs from one record to the next: numbers, and what is in quotes.
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
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
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
    fn reasons_are_counted_without_numbers_and_names() {
        for (one, same) in [
            ("'999' is no status: give one such as 200: skipped", "'…' is no status: give one such as 200"),
            ("byte 17: cut: skipped to byte 4711", "byte …: cut: skipped to byte …"),
            ("'b.txt': invalid IPv4 address", "'…': invalid IPv4 address"),
            ("an open 'quote", "an open '…'"),
            ("", ""),
        ] {
            assert_eq!(general(one), same);
        }
    }

    #[test]
    fn reasons_are_bounded() {
        let (mut skipped, bar) =
            (Skipped { broken: MAX_REPORTED, ..Skipped::default() }, crate::io::progress::sources(&[]));
        for number in 0..1000_u64 {
            let reason: String = number.to_string().chars().map(|digit| (digit as u8 + 50) as char).collect();
            skipped.report(&reason, "", &bar);
        }
        assert_eq!((skipped.broken, skipped.reasons.len()), (MAX_REPORTED + 1000, MAX_REASONS));
    }
}
