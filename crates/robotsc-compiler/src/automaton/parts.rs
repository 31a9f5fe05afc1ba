//! Cutting a rule set that is too large for one automaton.
//!
//! Every part is compiled alone; its automaton reaches ranks of the whole set, and the verdict is the highest rank over
//! the parts. So a cut never changes a verdict.
//!
//! Parts are cut off the sorted rules one after the other. A part that goes over its budget is halved; after one that
//! does not, twice as many rules are tried. Once the work allowed for all parts is spent, or there are many parts, what
//! is left becomes a list of rules that are matched linearly; so does a rule that goes over alone, as one whose piece
//! repeats itself thousands of times does. So the cost is linear in the bytes of the patterns.

use crate::small_sort::SmallSort as _;

use robotsc_runtime::format::MAX_PARTS;

use super::budget::PartBudget;
use super::determinise::{BuilderMemory, determinise};
use super::{Automaton, Mode, RankedPattern};

/// What the parts cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Attempts that went over their budget.
    pub(crate) over: u32,
    /// Items moved, in futile attempts too.
    pub(crate) work: u64,
}

/// What automata may cost. What one may cost grows with its rules, so that all attempts together stay near linear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Nodes of a part with few rules; one with more may have more.
    pub(crate) nodes: u32,
    /// Work units for each byte of a part's patterns.
    pub(crate) work_per_byte: u32,
    /// Work units for all parts together, futile attempts included.
    pub(crate) work: u64,
}

/// The parts of a rule set.
#[derive(Debug, Default)]
pub(crate) struct Parts<'r> {
    pub(crate) automata: Vec<Automaton>,
    /// The rules that are matched linearly, from the top rank down.
    pub(crate) list: Vec<RankedPattern<'r>>,
    pub(crate) cost: Cost,
}

/// Bytes of a part that have their full allowance of work. Of those beyond each has a sixteenth: what can be compiled
/// at all takes less.
const GENEROUS_BYTES: u64 = 1 << 14;

/// The nodes that an automaton of all rules may have for each byte of their patterns, beside [`BASE_NODES`]. Nearly all
/// take fewer. More means that tails multiply: beside each way in which some can float, all ways of the others. Two
/// parts add them up. The 40 rules that every shop of one platform has would take 2,135 nodes for 652 bytes, and take
/// an eighth of the program in three parts.
const NODES_PER_BYTE: u64 = 1;

/// As [`NODES_PER_BYTE`], for a part. Once a set is cut, its parts may be larger, since each is walked for every path.
const PART_NODES_PER_BYTE: u64 = 2;

/// Automata, beyond which it is quicker to match the rules linearly than to walk another: each is walked for every
/// path. Rules without stars are cheaper in automata, up to [`MAX_PARTS`].
const PARTS_PREFERRED: usize = 12;

/// Nodes that an automaton may have besides those for its bytes.
const BASE_NODES: u64 = 128;

/// Work units for a byte of a rule that stands alone, whatever the limits: without a piece that repeats itself often it
/// takes a few.
const ALONE: u32 = 64;

impl Allowance {
    fn budget(&self, rules: &[RankedPattern<'_>], nodes_per_byte: u64) -> PartBudget {
        let bytes = rules.iter().map(|rule| rule.pattern.len() as u64).sum::<u64>();
        // Two nodes for each rule and one for every other byte are what a set without surprises takes; one rule,
        // however cut, takes no more than four for a byte.
        let (nodes, work_per_byte) = match rules {
            [] | [_] => (bytes * 4 + 16, ALONE),
            _ => {
                let nodes = u64::from(self.nodes) * (2048 + 2 * rules.len() as u64 + bytes / 2) / 2048;
                (nodes.min(BASE_NODES + bytes * nodes_per_byte), self.work_per_byte)
            }
        };
        let work = u64::from(work_per_byte) * (64 + bytes.min(GENEROUS_BYTES) + bytes / 16);
        PartBudget { nodes: usize::try_from(nodes).unwrap_or(usize::MAX), work }
    }
}

/// Returns the automata of all rules: one if the allowance suffices, else several and perhaps a list.
pub(crate) fn compile<'r>(
    rules: &[RankedPattern<'r>],
    mode: Mode,
    allowance: Allowance,
    memory: &mut BuilderMemory,
) -> Parts<'r> {
    let mut parts = Parts::default();
    if parts.attempt(rules, mode, allowance.budget(rules, NODES_PER_BYTE), memory) {
        return parts;
    }
    let mode = if mode == Mode::Verdict { Mode::Part } else { mode };
    let mut sorted = rules.to_vec();
    sorted.small_sort_by_cached_key(|rule| (cut_order(rule.pattern), rule.pattern));
    // The first cut is made before the rules that make others expensive.
    let rules_with_pieces = |most: usize| sorted.partition_point(|rule| cut_order(rule.pattern).0 <= most);
    let (without_tails, up_to_one_tail) = (rules_with_pieces(1), rules_with_pieces(2));
    let mut at = 0;
    // All of them together were just tried.
    let mut size = if up_to_one_tail == 0 || up_to_one_tail == sorted.len() { sorted.len() / 2 } else { sorted.len() };
    while at < sorted.len() {
        let rest = &sorted[at..];
        let spent = parts.cost.work >= allowance.work || parts.automata.len() >= PARTS_PREFERRED;
        if parts.automata.len() >= MAX_PARTS || (spent && at >= without_tails) {
            parts.list.extend_from_slice(rest);
            break;
        }
        let limit = if spent { without_tails } else { up_to_one_tail };
        let most = if at < limit { limit - at } else { rest.len() };
        // A few rules more make no part of their own.
        size = if size + size / 4 >= most { most } else { size.max(1) };
        let before = parts.cost.work;
        let budget = allowance.budget(&rest[..size], PART_NODES_PER_BYTE);
        if parts.attempt(&rest[..size], mode, budget, memory) {
            let is_cheap = (parts.cost.work - before) * 3 <= budget.work;
            at += size;
            size *= if is_cheap { 2 } else { 1 };
        } else if size == 1 {
            parts.list.push(rest[0]);
            at += 1;
        } else {
            size /= 2;
        }
    }
    // Stable, so that rules of one rank stand in the same order whichever sort is used.
    parts.list.small_sort_by_key(|rule| std::cmp::Reverse(rule.rank));
    if parts.automata.is_empty() {
        // The first part of a program is never the list.
        parts.attempt(&[], mode, allowance.budget(&[], NODES_PER_BYTE), memory);
    }
    parts
}

impl<'r> Parts<'r> {
    /// Adds the automaton of some rules, unless it goes over its budget.
    fn attempt(
        &mut self,
        rules: &[RankedPattern<'r>],
        mode: Mode,
        budget: PartBudget,
        memory: &mut BuilderMemory,
    ) -> bool {
        match determinise(rules, mode, budget, memory) {
            Ok((automaton, work)) => {
                self.cost.work += work;
                self.automata.push(automaton);
                true
            }
            Err(over) => {
                self.cost.work += over.work;
                self.cost.over += 1;
                false
            }
        }
    }
}

/// Returns what to sort rules by before they are cut, so that those go together which share work: by the number of
/// pieces up to three, and where there are several tails by the first. Rules that wait for the same tail take hardly
/// more nodes than one of them, until it comes.
fn cut_order(pattern: &[u8]) -> (usize, &[u8]) {
    let mut tails = pattern.split(|&byte| byte == b'*').skip(1).filter(|tail| !tail.is_empty());
    match (tails.next(), tails.next()) {
        // Empty, but part of the pattern: to compare what points nowhere takes a hundred times as long.
        (None, _) => (1, &pattern[..0]),
        (Some(_), None) => (2, &pattern[..0]),
        (Some(first), Some(_)) => (3, first),
    }
}
