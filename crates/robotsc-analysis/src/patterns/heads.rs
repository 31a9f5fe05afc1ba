//! Finds the rules of a set that can match what another pattern matches, by the bytes before the first `*`.
//!
//! The *head* of `/shop/*.php` is `/shop/`. Some path can match both of two patterns only if the head of one starts
//! with the head of the other. So for `/shop/cart` the rules `/shop/*.php`, `/`, `*` and `/shop/cart/help` are related,
//! and `/blog` is not. Sets of thousands of rules have few that are related to one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use robotsc_compiler::RuleSet;
use robotsc_compiler::small_sort::SmallSort as _;

use crate::patterns::pairs::BytePairs;

/// Returns the bytes of a normal pattern before its first `*`, or before its anchor.
pub(crate) fn head(pattern: &[u8]) -> &[u8] {
    match pattern.iter().position(|byte| *byte == b'*') {
        Some(star) => &pattern[..star],
        None => pattern.strip_suffix(b"$").unwrap_or(pattern),
    }
}

/// The head of a rule, and the index of the rule.
type HeadOf<'r> = (&'r [u8], u32);
/// Rules of equal or of near heads.
type RulesOf<'h, 'r> = &'h [HeadOf<'r>];

/// The maximum number of rules that are all looked at for a path: to compare their pairs takes less time than to search
/// for their heads.
const FEW_RULES: usize = 128;

/// The heads of a rule set, sorted.
#[derive(Debug)]
pub(crate) struct Heads<'r> {
    sorted: Vec<HeadOf<'r>>,
    /// The heads by rank, if they are [few](FEW_RULES).
    ranked: Vec<HeadOf<'r>>,
    /// The pairs of each rule, by its index.
    pairs: Vec<BytePairs>,
    /// The lengths that heads have, from the shortest.
    lengths: Vec<usize>,
}

impl<'r> Heads<'r> {
    pub(crate) fn new(rules: &'r RuleSet) -> Self {
        let mut sorted: Vec<_> = (0..).zip(rules.rules()).map(|(at, rule)| (head(rules.pattern(rule)), at)).collect();
        let ranked = if sorted.len() > FEW_RULES { Vec::new() } else { sorted.clone() };
        sorted.small_sort_unstable();
        let mut lengths: Vec<usize> = sorted.iter().map(|(head, _)| head.len()).collect();
        lengths.small_sort_unstable();
        lengths.dedup();
        let pairs = rules.rules().iter().map(|rule| BytePairs::of_pattern(rules.pattern(rule))).collect();
        Self { sorted, ranked, pairs, lengths }
    }

    /// Returns the rules that can match a text, from the top rank down.
    pub(crate) fn of_path<'h>(&'h self, text: &'h [u8]) -> Candidates<'h, 'r> {
        let mut others = BinaryHeap::new();
        if !self.ranked.is_empty() {
            let pairs = BytePairs::of_path(text);
            return Candidates { heads: self, text, pairs, looks: 0, current: &self.ranked, others };
        }
        let looks = self.shorter(text, text.len() + 1, |rules| others.push(Reverse((rules[0].1, rules))));
        Candidates { heads: self, text, pairs: BytePairs::of_path(text), looks, current: &[], others }
    }

    /// Returns the pairs of a rule.
    pub(crate) fn pairs(&self, at: u32) -> BytePairs {
        self.pairs[at as usize]
    }

    /// Returns the rules that can match a path that a pattern with this head matches.
    pub(crate) fn related(&self, head: &[u8]) -> Related<'_, 'r> {
        let mut parts = Vec::new();
        self.shorter(head, head.len(), |rules| parts.push(rules));
        parts.push(range(&self.sorted, head, |other| other.starts_with(head)));
        Related { parts }
    }

    /// Calls `found` with the rules of each head that is shorter than `end` and a prefix of `text`. Returns the number
    /// of rules whose heads were compared.
    fn shorter<'h>(&'h self, text: &[u8], end: usize, mut found: impl FnMut(RulesOf<'h, 'r>)) -> usize {
        let mut compared = 0;
        let mut rest = self.sorted.as_slice();
        for length in self.lengths.iter().copied().take_while(|length| *length < end) {
            compared += 2 * (rest.len().ilog2() as usize + 1);
            // Those that go on as the text does, of which the shortest come first.
            let prefix = &text[..length];
            rest = range(rest, prefix, |other| other.starts_with(prefix));
            let equal = rest.partition_point(|(other, _)| other.len() == length);
            if equal > 0 {
                found(&rest[..equal]);
            }
            if rest.is_empty() {
                break;
            }
        }
        compared
    }
}

/// The rules that are related to a pattern. Thousands can be related to each of thousands, so their number is known
/// before they are sorted.
pub(crate) struct Related<'h, 'r> {
    parts: Vec<RulesOf<'h, 'r>>,
}

impl Related<'_, '_> {
    /// Returns the number of these rules.
    pub(crate) fn count(&self) -> usize {
        self.parts.iter().map(|rules| rules.len()).sum()
    }

    /// Returns the rules from the top rank down.
    pub(crate) fn ranked(&self) -> Vec<u32> {
        let mut found: Vec<u32> = self.parts.iter().copied().flatten().map(|(_, at)| *at).collect();
        // Not an unstable sort: rules of one head are in order, and this one merges such parts.
        found.small_sort_by_key(|at| *at);
        found
    }
}

/// Returns the part of a sorted list that starts at a text, as long as heads belong to it.
fn range<'h, 'r>(sorted: RulesOf<'h, 'r>, start: &[u8], is_in: impl Fn(&[u8]) -> bool) -> RulesOf<'h, 'r> {
    let from = sorted.partition_point(|(other, _)| *other < start);
    let count = sorted[from..].partition_point(|(other, _)| is_in(other));
    &sorted[from..from + count]
}

/// The rules that can match a text, from the top rank down. They are looked at when they are asked for, since the first
/// that matches is what most callers want, and thousands can have one head.
pub(crate) struct Candidates<'h, 'r> {
    heads: &'h Heads<'r>,
    text: &'h [u8],
    pairs: BytePairs,
    looks: usize,
    /// The rules of the head that has the next one.
    current: RulesOf<'h, 'r>,
    /// Those of the other heads, each with its first.
    others: BinaryHeap<Reverse<(u32, RulesOf<'h, 'r>)>>,
}

impl Candidates<'_, '_> {
    /// Returns the number of rules that were looked at.
    pub(crate) const fn looks(&self) -> usize {
        self.looks
    }
}

impl Iterator for Candidates<'_, '_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let limit = self.others.peek().map_or(u32::MAX, |Reverse((at, _))| *at);
            while let [(head, at), rest @ ..] = self.current
                && *at < limit
            {
                self.current = rest;
                self.looks += 1;
                if self.heads.pairs[*at as usize].are_in(self.pairs) && self.text.starts_with(head) {
                    return Some(*at);
                }
            }
            let Reverse((_, next)) = self.others.pop()?;
            if let [(_, at), ..] = self.current {
                self.others.push(Reverse((*at, self.current)));
            }
            self.current = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_compiler::{Dialect, RuleKind};

    #[test]
    fn related_rules() {
        let values = ["/shop/*.php", "/", "/shop/cart", "*x", "/blog", "/shop/cart/help$", "/shop/cart*"];
        related_rules_beside(&values, 0);
        // Many rules are found by their heads.
        related_rules_beside(&values, 2 * FEW_RULES);
    }

    fn related_rules_beside(values: &[&str], others: usize) {
        let others: Vec<String> = (0..others).map(|number| format!("/other{number}/")).collect();
        let all = values.iter().copied().chain(others.iter().map(String::as_str));
        let rules = (1..).zip(all).map(|(line, value)| (RuleKind::Disallow, value, line));
        let rules = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let heads = Heads::new(&rules);
        let shown = |found: Vec<u32>| {
            let mut lines: Vec<u32> = found.iter().map(|at| rules.rules()[*at as usize].line).collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(shown(heads.related(b"/shop/cart").ranked()), [1, 2, 3, 4, 6, 7]);
        assert_eq!(shown(heads.related(b"/shop/c").ranked()), [1, 2, 3, 4, 6, 7]);
        assert_eq!(shown(heads.related(b"/b").ranked()), [2, 4, 5]);
        // `/shop/*.php` and `*x` have other bytes.
        assert_eq!(shown(heads.of_path(b"/shop/ca").collect()), [2, 4]);
        assert_eq!(shown(heads.of_path(b"/shop/cart").collect()), [2, 3, 4, 7]);
        let first = heads.of_path(b"/shop/cart/help").next();
        assert_eq!(first.map(|at| rules.rules()[at as usize].line), Some(6));
    }
}
