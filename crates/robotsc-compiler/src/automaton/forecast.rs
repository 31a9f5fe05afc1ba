//! Forecasts: about how many nodes the floats of an automaton will take, before they are made.
//!
//! With `/*ab*x` and `/*cd*y`, a path can have passed neither `ab` nor `cd`, one of them or both. That makes four
//! floats, each with a scan and with the nodes of its own tails. With twenty such rules there are a million floats, and
//! what an attempt has made when it goes over its budget was made for nothing.
//!
//! So when a scan is made, the floats that its tails lead to are followed, and the nodes of each are estimated from its
//! tails alone: those of a trie in which no run goes past a byte that starts a tail. This is not exact. Rules that
//! agree drop each other, and a path that passes a tail passes those that lie inside it, too: `/*a*x`, `/*aa*x`,
//! `/*aaa*x`, … make one float for each rule, and are estimated as if they made one for each set of rules. An attempt
//! that is ended although it would have kept to its budget costs one automaton more, and changes no verdict.

use crate::small_sort::SmallSort as _;

use super::budget::PartBudget;
use super::floating::{FloatId, Floats, Item};
use super::pieces::{Next, Pieces};

/// What is known of the floats so far.
#[derive(Debug)]
pub(super) struct Forecast {
    /// The nodes of all floats that were counted.
    nodes: usize,
    /// The work done to count them.
    work: u64,
    /// Whether a float was counted, by its number.
    counted: Vec<bool>,
    /// The number of each tail's text among all of them.
    text_orders: Vec<u32>,
    /// Scratch: the tails of the float at hand, each with the number of its text.
    tails: Vec<(u32, Item)>,
    /// Scratch: what joins the float where the tails of one text have matched.
    joining: Vec<Item>,
}

impl Forecast {
    pub(super) fn new(pieces: &Pieces) -> Self {
        Self {
            nodes: 0,
            work: 0,
            counted: Vec::new(),
            text_orders: pieces.tail_text_orders(),
            tails: Vec::new(),
            joining: Vec::new(),
        }
    }

    /// Counts the nodes of a float, and of all that it leads to, unless they [exceed](Self::exceeds) the budget.
    pub(super) fn add(&mut self, from: FloatId, floats: &mut Floats, pieces: &Pieces, budget: PartBudget) {
        let mut open = vec![from];
        while let Some(float) = open.pop() {
            if !self.mark_counted(float) {
                continue;
            }
            let heads = pieces.heads.len();
            let numbered = |tail: &Item| (self.text_orders[tail.place() as usize - heads], *tail);
            self.tails.clear();
            self.tails.extend(floats.tails(float).iter().map(numbered));
            self.tails.small_sort_unstable();
            self.work += self.tails.len() as u64;
            self.nodes += 1;
            let mut before: &[u8] = &[];
            for same in self.tails.chunk_by(|a, b| a.0 == b.0) {
                let text = pieces.text_of(same[0].1.place());
                let shared = text.iter().zip(before).take_while(|(a, b)| a == b).count();
                // The byte at which it leaves its neighbour, and each after that at which a tail can start.
                let starts = text.iter().skip(shared + 1).filter(|byte| floats.get(float).starts_with(**byte));
                self.nodes += 1 + starts.count();
                self.work += text.len() as u64 / 16;
                before = text;

                self.joining.clear();
                self.joining.extend(same.iter().filter_map(|(_, tail)| match pieces.get(tail.place()).next {
                    Next::Star(next) => Some(Item::new(next, tail.rank())),
                    Next::Complete | Next::End => None,
                }));
                if self.joining.is_empty() {
                    continue;
                }
                let (to, spent) = floats.join(pieces, float, &self.joining, 0);
                self.work += spent;
                open.push(to);
                if self.exceeds(budget) {
                    return;
                }
            }
        }
    }

    /// Returns the work done, which is no part of the attempt's: an attempt that keeps to its budget does so with a
    /// forecast, too.
    pub(super) const fn work(&self) -> u64 {
        self.work
    }

    /// Reports whether the nodes counted are so many, or took so much work, that the automaton will exceed the budget.
    ///
    /// Of the rule sets of 14,667 real files and their parts, two that would keep to their budget are estimated above
    /// it, at 1.23 times at most. To make the nodes takes several times the work of counting them.
    pub(super) const fn exceeds(&self, budget: PartBudget) -> bool {
        self.nodes > budget.nodes || self.work > budget.work / 4
    }

    /// Marks a float as counted. Reports whether it was not.
    fn mark_counted(&mut self, float: FloatId) -> bool {
        let at = float.0 as usize;
        if at >= self.counted.len() {
            self.counted.resize(at + 1, false);
        }
        !std::mem::replace(&mut self.counted[at], true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::determinise::{BuilderMemory, by_subsets};
    use super::super::{Mode, RankedPattern};
    use super::*;

    /// Returns whether an automaton of these patterns keeps to the budget, and the work done.
    fn attempt<'p>(patterns: &'p [String], budget: PartBudget) -> (bool, u64) {
        // All of one rank, as neighbours with one verdict are.
        let ranked = |pattern: &'p String| RankedPattern { pattern: pattern.as_bytes(), rank: 2 };
        let rules: Vec<_> = patterns.iter().map(ranked).collect();
        match by_subsets(&rules, Mode::Verdict, budget, &mut BuilderMemory::default()) {
            Ok((_, work)) => (true, work),
            Err(over) => (false, over.work),
        }
    }

    #[test]
    fn tails_that_lead_to_tails_of_their_own_end_an_attempt() {
        let patterns: Vec<_> = (b'a'..b'u').map(|n| format!("/*{0}{0}-*-{0}", char::from(n))).collect();
        let budget = PartBudget { nodes: 4096, work: 1 << 20 };
        let (fits, work) = attempt(&patterns, budget);
        assert!(!fits && work < budget.work / 8, "{fits} {work}");
    }

    #[test]
    fn a_forecast_costs_a_quarter_of_the_attempt() {
        let patterns: Vec<_> = (b'a'..b'u').map(|n| format!("/*{0}{0}-*-{0}", char::from(n))).collect();
        let budget = PartBudget { nodes: usize::MAX, work: 1 << 16 };
        let (fits, work) = attempt(&patterns, budget);
        assert!(!fits && work < budget.work / 2, "{fits} {work}");
    }

    #[test]
    fn tails_that_lead_to_the_same_tail_fit() {
        let patterns: Vec<_> = (b'a'..b'u').map(|n| format!("/*{0}{0}-*-end", char::from(n))).collect();
        // So little work that a forecast is made.
        let budget = PartBudget { nodes: 1024, work: 1 << 12 };
        let (fits, work) = attempt(&patterns, budget);
        assert!(fits && work > budget.work / 16, "{fits} {work}");
        // Equal texts match together, so that they make one float, not one for each set of them.
        let patterns: Vec<_> = (b'a'..b'u').map(|n| format!("/*/*{0}{0}-{0}", char::from(n))).collect();
        let (fits, work) = attempt(&patterns, budget);
        assert!(fits && work > budget.work / 16, "{fits} {work}");
    }
}
