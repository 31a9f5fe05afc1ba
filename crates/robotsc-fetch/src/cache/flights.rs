//! The fetches that are under way: one an origin, however many tasks wait for it.
//!
//! A flight is open from its start until its result is recorded. Who joins an origin waits for the open flight, or
//! starts one. A waiter holds only a receiver, so that it can go away at any time; a fetch that panics closes its
//! flight as well, since that is what dropping it does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{Response, Time};
use tokio::sync::watch;

/// The number of postponed refreshes from which those that are due again are forgotten.
const MANY: usize = 1024;

/// The fetches that are under way.
#[derive(Debug, Default)]
pub(crate) struct Flights(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    open: HashMap<Origin, watch::Receiver<bool>>,
    /// Refreshes that failed while the copy is fresh.
    postponed: HashMap<Origin, Postponed>,
    forget_at: usize,
}

/// A refresh that failed while the copy is fresh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Postponed {
    /// When it failed.
    pub(crate) at: Time,
    /// When to try again.
    pub(crate) until: Time,
    /// What the server answered, if it said when to come back: then it is not asked before, even if the copy expires.
    pub(crate) refusal: Option<Response<'static>>,
}

/// A fetch that is under way: dropping it ends the waiting.
#[derive(Debug)]
pub(crate) struct Flight {
    flights: Arc<Flights>,
    pub(crate) origin: Origin,
    /// Whether the result is recorded. Dropped after the flight is removed: so who is woken finds what was recorded, or
    /// starts anew.
    recorded: watch::Sender<bool>,
}

/// Waits for a flight.
#[derive(Debug)]
pub(crate) struct Waiting(watch::Receiver<bool>);

impl Waiting {
    /// Returns when the flight has ended, and whether its result is recorded.
    pub(crate) async fn ended(mut self) -> bool {
        // An error means that the sender was dropped.
        while self.0.changed().await.is_ok() {}
        *self.0.borrow()
    }
}

impl Flight {
    /// Notes that the result is recorded.
    pub(crate) fn set_recorded(&self) {
        self.recorded.send_replace(true);
    }
}

impl Flights {
    /// Joins the flight of an origin. The flight is returned if it is new: then the caller fetches.
    pub(crate) fn join(self: &Arc<Self>, origin: &Origin) -> (Waiting, Option<Flight>) {
        let mut state = self.state();
        if let Some(open) = state.open.get(origin) {
            return (Waiting(open.clone()), None);
        }
        let (sender, receiver) = watch::channel(false);
        state.open.insert(origin.clone(), receiver.clone());
        let flight = Flight { flights: Arc::clone(self), origin: origin.clone(), recorded: sender };
        (Waiting(receiver), Some(flight))
    }

    /// Notes that a refresh failed and is not tried again before a time.
    pub(crate) fn postpone(&self, origin: &Origin, postponed: Postponed) {
        let mut state = self.state();
        if state.postponed.len() >= state.forget_at.max(MANY) {
            state.postponed.retain(|_, known| known.until > postponed.at);
            state.forget_at = state.postponed.len() * 2;
        }
        state.postponed.insert(origin.clone(), postponed);
    }

    /// Returns the refresh that failed, if it is not to be tried again yet.
    pub(crate) fn postponed(&self, origin: &Origin, now: Time) -> Option<Postponed> {
        self.state().postponed.get(origin).copied().filter(|postponed| postponed.until > now)
    }

    /// Returns the number of fetches that are under way.
    pub(crate) fn len(&self) -> usize {
        self.state().open.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        #[cfg(test)]
        interleavings::point();
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.flights.state().open.remove(&self.origin);
    }
}

#[cfg(test)]
mod interleavings;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_flight_ends_for_all_when_it_is_dropped() {
        let flights = Arc::new(Flights::default());
        let origin: Origin = "https://a.example".parse().unwrap();
        let (first, flight) = flights.join(&origin);
        let (second, none) = flights.join(&origin);
        assert!(none.is_none() && flights.len() == 1);
        // A waiter that goes away leaves the flight open.
        drop(first);
        assert_eq!(flights.len(), 1);
        let waiting = tokio::spawn(second.ended());
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(flight.unwrap());
        assert!(!waiting.await.unwrap(), "nothing was recorded");
        assert_eq!(flights.len(), 0);
        let (third, flight) = flights.join(&origin);
        flight.unwrap().set_recorded();
        assert!(third.ended().await);
    }

    #[test]
    fn postponed_refreshes_are_forgotten() {
        let flights = Flights::default();
        for number in 0..10 * MANY as u32 {
            let origin: Origin = format!("https://a{number}.example").parse().unwrap();
            flights.postpone(&origin, Postponed { at: Time(number), until: Time(number + 10), refusal: None });
            assert!(flights.postponed(&origin, Time(number + 9)).is_some());
            assert!(flights.postponed(&origin, Time(number + 10)).is_none());
        }
        assert!(flights.state().postponed.len() <= MANY);
    }
}
