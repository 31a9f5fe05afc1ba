//! Cutting a rule set that is too large for one automaton.
//!
//! Every part is compiled alone; its automaton reaches ranks of the whole set, and the verdict is the highest rank over the parts. So a cut never changes a verdict.
//! Cutting always ends: the automaton of one rule is linear in its pattern.
//!
//! Parts are cut off the sorted rules one after the other. A part that goes over its budget is halved; after one that does not, twice as many rules are tried. So
//! futile attempts cost at most about twice what the others do, and the whole is linear in the octets of the patterns.

use super::determinise::{Budget, determinise};
use super::{Automaton, Mode, RankedPattern};

/// What the parts cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Attempts that went over their budget.
    pub(crate) over: u32,
    /// Items moved, in futile attempts too.
    pub(crate) work: u64,
}

/// What one automaton may cost: it grows with the rules, so that all attempts together stay near linear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Nodes that any part may have, beyond two for each rule and one for every other octet of its patterns.
    pub(crate) nodes: u32,
    /// Work units for each octet of its patterns.
    pub(crate) work_per_octet: u32,
    /// Work units after which each octet has only [`THRIFTY`] units.
    pub(crate) work: u64,
}

/// Octets of a rule set that have their full allowance of work; those beyond have [`THRIFTY`] units each.
const GENEROUS_OCTETS: u64 = 1 << 14;
/// Work units for an octet of a rule set that is large or has cost much already.
const THRIFTY: u64 = 8;

impl Allowance {
    fn budget(&self, rules: &[RankedPattern<'_>], spent: u64) -> Budget {
        if let [rule] = rules {
            return Budget { nodes: rule.pattern.len() * 4 + 16, work: u64::MAX };
        }
        let octets = rules.iter().map(|rule| rule.pattern.len() as u64).sum::<u64>();
        let generous = if spent < self.work { octets.min(GENEROUS_OCTETS) * u64::from(self.work_per_octet) } else { 0 };
        let nodes = self.nodes as usize + 2 * rules.len() + octets as usize / 2;
        Budget { nodes, work: 4096 + generous + octets * THRIFTY }
    }
}

/// The automata of all rules: one where the allowance suffices, else several.
pub(crate) fn compile(rules: &[RankedPattern<'_>], mode: Mode, allowance: Allowance) -> (Vec<Automaton>, Cost) {
    let mut cost = Cost::default();
    match determinise(rules, mode, allowance.budget(rules, 0)) {
        Ok((automaton, work)) => {
            cost.work = work;
            return (vec![automaton], cost);
        }
        Err(over) => {
            cost.work = over.work;
            cost.over = 1;
        }
    }
    let mode = if mode == Mode::Verdict { Mode::Part } else { mode };
    let mut sorted = rules.to_vec();
    sorted.sort_by_cached_key(|rule| (kinship(rule.pattern), rule.pattern));
    let mut rest = &sorted[..];
    let mut parts = Vec::new();
    // The first cut is made before the rules that make others dear.
    let simple = sorted.partition_point(|rule| kinship(rule.pattern).0 <= SIMPLE);
    let mut size = if simple == 0 || simple == sorted.len() { sorted.len() / 2 } else { simple };
    while !rest.is_empty() {
        size = size.clamp(1, rest.len());
        match determinise(&rest[..size], mode, allowance.budget(&rest[..size], cost.work)) {
            Ok((automaton, work)) => {
                cost.work += work;
                parts.push(automaton);
                rest = &rest[size..];
                size = if parts.len() == 1 { rest.len() } else { size * 2 };
            }
            Err(over) => {
                cost.work += over.work;
                cost.over += 1;
                size /= 2;
            }
        }
    }
    (parts, cost)
}

/// Up to so many pieces a pattern costs little beside others: a head and one tail.
const SIMPLE: usize = 2;

/// What to sort rules by before they are cut, so that those go together which share work: by the number of pieces, and where there are several tails by the last.
fn kinship(pattern: &[u8]) -> (usize, Vec<u8>) {
    let tails: Vec<&[u8]> = pattern.split(|&octet| octet == b'*').skip(1).filter(|tail| !tail.is_empty()).collect();
    match tails.as_slice() {
        [] => (1, Vec::new()),
        [_] => (SIMPLE, Vec::new()),
        [.., last] => (SIMPLE + 1, last.to_vec()),
    }
}
