//! Whether two programs have one verdict for every path, whatever they name besides.
//!
//! Both are walked at once, byte by byte, from each pair of states to the next; pairs that were seen are not walked
//! again. A byte that neither state distinguishes from others stands for all of them.

use std::collections::{HashSet, VecDeque};

use robotsc_runtime::{Program, State};

/// States of all parts of two programs.
type Pair = [Vec<State>; 2];

/// Reports whether two programs have one verdict for every path. `None` if that takes more steps of a part than are
/// left, or rules are matched linearly. The steps that it takes are subtracted.
///
/// Cost: up to the product of their states. Never panics.
#[doc(hidden)]
#[must_use]
pub fn have_same_verdicts(programs: [&Program<'_>; 2], steps_left: &mut u64) -> Option<bool> {
    let [one, other] = programs;
    if one.path_form() != other.path_form() {
        return Some(false);
    }
    let mut step = |pair: &Pair, byte: u8| -> Option<Pair> {
        *steps_left = steps_left.checked_sub((pair[0].len() + pair[1].len()) as u64)?;
        let next = |side: usize| {
            let next = pair[side].iter().map(|state| programs[side].next_state(*state, byte));
            let mut next: Vec<State> = next.collect();
            programs[side].share_best_rank(&mut next);
            next
        };
        Some([next(0), next(1)])
    };
    // Every path starts with a slash.
    let first = step(&[one.first_states()?.collect(), other.first_states()?.collect()], b'/')?;
    let mut seen: HashSet<Pair> = HashSet::from([first.clone()]);
    // What differs is mostly near the start.
    let mut open = VecDeque::from([first]);
    while let Some(pair) = open.pop_front() {
        if one.verdict_at(pair[0].iter().copied()) != other.verdict_at(pair[1].iter().copied()) {
            return Some(false);
        }
        if pair.iter().flatten().all(State::is_done) {
            continue;
        }
        let mut marks = [false; 256];
        for (program, states) in programs.iter().zip(&pair) {
            states.iter().for_each(|state| program.mark_bytes(*state, &mut marks));
        }
        let unmarked = marks.iter().position(|is_marked| !is_marked);
        let marked = (0..=u8::MAX).filter(|byte| marks[usize::from(*byte)]);
        for byte in marked.chain(unmarked.map(|byte| byte as u8)) {
            let next = step(&pair, byte)?;
            if !seen.contains(&next) {
                seen.insert(next.clone());
                open.push_back(next);
            }
        }
    }
    Some(true)
}
