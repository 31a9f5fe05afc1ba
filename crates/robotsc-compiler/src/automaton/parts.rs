//! Cutting a rule set that is too large for one automaton.
//!
//! Every part is compiled alone; its automaton reaches ranks of the whole set, and the verdict is the highest rank over the parts. So a cut never changes a verdict.
//! Cutting always ends: the automaton of one rule is linear in its pattern.

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
    /// Nodes that any part may have.
    pub(crate) nodes: u32,
    /// Work units for each octet of its patterns.
    pub(crate) work_per_octet: u32,
}

impl Allowance {
    fn budget(&self, rules: &[RankedPattern<'_>]) -> Budget {
        if let [rule] = rules {
            return Budget { nodes: rule.pattern.len() * 4 + 16, work: u64::MAX };
        }
        let octets: usize = rules.iter().map(|rule| rule.pattern.len()).sum();
        Budget {
            nodes: self.nodes as usize + 2 * rules.len(),
            work: 4096 + u64::from(self.work_per_octet) * octets as u64,
        }
    }
}

/// The automata of all rules: one where the allowance suffices, else several.
pub(crate) fn compile(rules: &[RankedPattern<'_>], mode: Mode, allowance: Allowance) -> (Vec<Automaton>, Cost) {
    let mut cost = Cost::default();
    match determinise(rules, mode, allowance.budget(rules)) {
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
    sorted.sort_unstable_by_key(|rule| (rule.pattern.contains(&b'*'), rule.pattern));
    let mut parts = Vec::new();
    let mut waiting = vec![&sorted[..]];
    while let Some(rules) = waiting.pop() {
        match determinise(rules, mode, allowance.budget(rules)) {
            Ok((automaton, work)) => {
                cost.work += work;
                parts.push(automaton);
            }
            Err(over) => {
                cost.work += over.work;
                cost.over += 1;
                let (left, right) = rules.split_at(rules.len() / 2);
                waiting.push(right);
                waiting.push(left);
            }
        }
    }
    (parts, cost)
}
