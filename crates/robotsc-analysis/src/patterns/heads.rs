//! Finds the rules of a set that can match what another pattern matches, by the bytes before the first `*`.
//!
//! The *head* of `/shop/*.php` is `/shop/`. Some path can match both of two patterns only if the head of one starts
//! with the head of the other. So for `/shop/cart` the rules `/shop/*.php`, `/`, `*` and `/shop/cart/help` are related,
//! and `/blog` is not. Sets of thousands of rules have few that are related to one.

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

/// The heads of a rule set, sorted.
#[derive(Debug)]
pub(crate) struct Heads<'r> {
    sorted: Vec<(&'r [u8], u32)>,
    /// The pairs of each rule, by its index.
    pairs: Vec<BytePairs>,
    /// The lengths that heads have, from the shortest.
    lengths: Vec<usize>,
}

impl<'r> Heads<'r> {
    pub(crate) fn new(rules: &'r RuleSet) -> Self {
        let mut sorted: Vec<_> = (0..).zip(rules.rules()).map(|(at, rule)| (head(rules.pattern(rule)), at)).collect();
        sorted.small_sort_unstable();
        let mut lengths: Vec<usize> = sorted.iter().map(|(head, _)| head.len()).collect();
        lengths.small_sort_unstable();
        lengths.dedup();
        let pairs = rules.rules().iter().map(|rule| BytePairs::of_pattern(rules.pattern(rule))).collect();
        Self { sorted, pairs, lengths }
    }

    /// Returns the rules, from the top rank down, that can match a text, and the number of those that were looked at.
    pub(crate) fn of_path(&self, text: &[u8]) -> (Vec<u32>, usize) {
        let (mut found, mut looked_at) = (Vec::new(), 0);
        let pairs = BytePairs::of_path(text);
        self.shorter(text, text.len() + 1, |at| {
            looked_at += 1;
            if self.pairs[at as usize].are_in(pairs) {
                found.push(at);
            }
        });
        found.small_sort_unstable();
        (found, looked_at)
    }

    /// Returns the pairs of a rule.
    pub(crate) fn pairs(&self, at: u32) -> BytePairs {
        self.pairs[at as usize]
    }

    /// Returns the rules, from the top rank down, that can match a path that a pattern with this head matches.
    pub(crate) fn related(&self, head: &[u8]) -> Vec<u32> {
        let mut found = Vec::new();
        self.shorter(head, head.len(), |at| found.push(at));
        let from = self.sorted.partition_point(|(other, _)| *other < head);
        found.extend(self.sorted[from..].iter().take_while(|(other, _)| other.starts_with(head)).map(|(_, at)| *at));
        found.small_sort_unstable();
        found
    }

    /// Calls `found` with the rules whose head is shorter than `end` and a prefix of `text`.
    fn shorter(&self, text: &[u8], end: usize, mut found: impl FnMut(u32)) {
        for length in self.lengths.iter().copied().take_while(|length| *length < end) {
            let prefix = &text[..length];
            let from = self.sorted.partition_point(|(other, _)| *other < prefix);
            let equal = self.sorted[from..].iter().take_while(|(other, _)| *other == prefix);
            equal.for_each(|(_, at)| found(*at));
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
        let rules = (1..).zip(values).map(|(line, value)| (RuleKind::Disallow, value, line));
        let rules = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let heads = Heads::new(&rules);
        let shown = |found: Vec<u32>| {
            let mut lines: Vec<u32> = found.iter().map(|at| rules.rules()[*at as usize].line).collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(shown(heads.related(b"/shop/cart")), [1, 2, 3, 4, 6, 7]);
        assert_eq!(shown(heads.related(b"/shop/c")), [1, 2, 3, 4, 6, 7]);
        assert_eq!(shown(heads.related(b"/b")), [2, 4, 5]);
        // `/shop/*.php` and `*x` have other bytes.
        assert_eq!(shown(heads.of_path(b"/shop/ca").0), [2, 4]);
        assert_eq!(shown(heads.of_path(b"/shop/cart").0), [2, 3, 4, 7]);
        assert_eq!(heads.of_path(b"/shop/ca").1, 3);
    }
}
