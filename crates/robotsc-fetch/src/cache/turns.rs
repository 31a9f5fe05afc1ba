//! Which fetches go on: at most a number at the same time. The others wait as small entries, and not as tasks.
//!
//! ```text
//! working  [a] [b] [c]     three tasks; when one ends its fetch, it goes on with the next that waits
//! waiting  d e f g ...     an origin and a flight each
//! later    h (in 2 s)      a fetch whose network failed: it sleeps, and then waits for a turn like the others
//! ```

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::flights::Flight;

/// A fetch that has a flight.
#[derive(Debug)]
pub(crate) struct Flying {
    pub(crate) flight: Flight,
    /// Whether it is ahead of the expiry, in the background.
    pub(crate) is_refresh: bool,
    /// The number of the attempt, from 1.
    pub(crate) attempt: u32,
    /// Whether a 304 was about another copy than the one that is held.
    pub(crate) is_unconditional: bool,
}

/// The turns that are free, and the fetches that wait for one.
#[derive(Debug)]
pub(crate) struct TurnPool(Mutex<State>);

#[derive(Debug)]
struct State {
    free: usize,
    waiting: VecDeque<Flying>,
}

impl TurnPool {
    pub(crate) fn new(turns: usize) -> Self {
        Self(Mutex::new(State { free: turns, waiting: VecDeque::new() }))
    }

    /// Reports whether a fetch could start now.
    pub(crate) fn is_free(&self) -> bool {
        self.state().free > 0
    }

    /// Adds a fetch. If a turn is free, takes it and returns the fetch that has waited longest: the caller starts it.
    pub(crate) fn add(&self, flying: Flying) -> Option<Flying> {
        let mut state = self.state();
        state.waiting.push_back(flying);
        if state.free == 0 {
            return None;
        }
        state.free -= 1;
        state.waiting.pop_front()
    }

    /// Gives a turn to the fetch that has waited longest. If none waits, the turn is free.
    pub(crate) fn next(&self) -> Option<Flying> {
        let mut state = self.state();
        let next = state.waiting.pop_front();
        if next.is_none() {
            state.free += 1;
        }
        next
    }

    /// Frees a turn, although others may wait: the next that is added starts one of them.
    pub(crate) fn free(&self) {
        self.state().free += 1;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
