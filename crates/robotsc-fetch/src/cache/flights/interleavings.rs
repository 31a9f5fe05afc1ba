//! Single flight in many orders of its tasks, which shuttle chooses.
//!
//! ```text
//! waiter 1   asks, joins, fetches   records   ends its flight
//! waiter 2         asks                     joins: a flight of its own, but what it wanted is recorded
//! ```
//! Tasks are switched where they take the lock of the flights, at each await, and where the model of the cache looks at
//! what is recorded. The channel of a flight is tokio's own: its inner steps are not interleaved.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use robotsc_frontier::origin::Origin;
use shuttle::future::{block_on, spawn, yield_now};

use super::{Flight, Flights};

/// The orders that each test tries.
const ORDERS: usize = 2_000;

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
}

/// Lets another task go on, in the tests of this file.
pub(super) fn point() {
    // The last flights can be dropped after the last task, where there is nothing to switch to.
    if IS_ON.get() && !std::thread::panicking() {
        shuttle::thread::yield_now();
    }
}

/// One origin, and what is known of it.
#[derive(Debug)]
struct World {
    flights: Arc<Flights>,
    origin: Origin,
    is_recorded: AtomicBool,
    /// Fetches that were begun, and those that go on now.
    begun: AtomicUsize,
    open: AtomicUsize,
    /// Fetches that end without a result, as one does that panics.
    failing: usize,
}

impl World {
    fn new(failing: usize) -> Arc<Self> {
        Arc::new(Self {
            flights: Arc::default(),
            origin: "https://a.example".parse().unwrap(),
            is_recorded: AtomicBool::new(false),
            begun: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
            failing,
        })
    }

    fn is_recorded(&self) -> bool {
        point();
        self.is_recorded.load(Ordering::SeqCst)
    }

    /// Asks as the cache does: looks, joins, looks again if the flight is new, waits, looks. Returns whether there is a
    /// result.
    async fn ask(self: Arc<Self>, waits: bool) -> bool {
        if self.is_recorded() {
            return true;
        }
        let (waiting, flight) = self.flights.join(&self.origin);
        if let Some(flight) = flight {
            if self.is_recorded() {
                return true;
            }
            spawn(Arc::clone(&self).fetch(flight));
        }
        // The flight can be one of a task that found at its second look that nothing is left to fetch.
        waits && (waiting.ended().await || self.is_recorded())
    }

    async fn fetch(self: Arc<Self>, flight: Flight) {
        assert_eq!(self.open.fetch_add(1, Ordering::SeqCst), 0, "two fetches at the same time");
        let number = self.begun.fetch_add(1, Ordering::SeqCst);
        yield_now().await;
        self.open.fetch_sub(1, Ordering::SeqCst);
        if number < self.failing {
            return;
        }
        self.is_recorded.store(true, Ordering::SeqCst);
        flight.set_recorded();
    }
}

/// Runs a test in many orders. One in which no task can go on, such as a waiter that is never woken, fails.
fn check(run: impl Fn() + Send + Sync + 'static) {
    let run = move || {
        IS_ON.set(true);
        run();
        IS_ON.set(false);
    };
    shuttle::check_random(run, ORDERS);
}

#[test]
fn one_fetch_for_all() {
    check(|| {
        let world = World::new(0);
        let tasks: Vec<_> = (0..4).map(|_| spawn(Arc::clone(&world).ask(true))).collect();
        for task in tasks {
            assert!(block_on(task).unwrap());
        }
        assert_eq!(world.begun.load(Ordering::SeqCst), 1);
        assert_eq!(world.flights.len(), 0);
    });
}

#[test]
fn a_waiter_that_goes_away_leaves_the_others() {
    check(|| {
        let world = World::new(0);
        let tasks: Vec<_> = (0..4).map(|number| (number, spawn(Arc::clone(&world).ask(number > 0)))).collect();
        for (number, task) in tasks {
            let answer = block_on(task).unwrap();
            assert!(answer || number == 0);
        }
        assert_eq!(world.begun.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn a_fetch_without_a_result_ends_the_waiting() {
    check(|| {
        let world = World::new(1);
        let tasks: Vec<_> = (0..4).map(|_| spawn(Arc::clone(&world).ask(true))).collect();
        // All end; those that came later can have a fetch of their own, and one fetch more is enough.
        let answers = tasks.into_iter().map(|task| block_on(task).unwrap()).filter(|is| *is).count();
        let begun = world.begun.load(Ordering::SeqCst);
        assert!(begun == 1 && answers == 0 || begun == 2 && answers > 0, "{begun} {answers}");
    });
}
