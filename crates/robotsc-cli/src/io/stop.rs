//! Ctrl-C: the first one asks the runs to stop after what was read, the second ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use crate::failure::{Failure, complain};

/// The exit code that shells expect of a run that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The runs that Ctrl-C stops. A process can have several, one after the other or at once, and one handler.
#[derive(Debug, Default)]
struct Runs(Mutex<Vec<Weak<AtomicBool>>>);

impl Runs {
    fn add(&self, stop: &Stop) {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        runs.retain(|run| run.strong_count() > 0);
        runs.push(Arc::downgrade(&stop.0));
    }

    /// Requests all runs to stop. Reports whether one was not requested before.
    fn stop(&self) -> bool {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_new = false;
        for run in runs.iter().filter_map(Weak::upgrade) {
            is_new |= !run.swap(true, Ordering::Relaxed);
        }
        is_new
    }
}

/// Whether a run is to stop: what its owner requests, or Ctrl-C if it listens for that.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Returns a stop that Ctrl-C requests. The process handles Ctrl-C from then on: if no run is left, it ends.
    pub(crate) fn on_ctrl_c() -> Result<Self, Failure> {
        static RUNS: OnceLock<Result<Runs, String>> = OnceLock::new();
        let runs = RUNS.get_or_init(|| {
            let handler = ctrlc::set_handler(|| {
                let is_new = RUNS.get().is_some_and(|runs| runs.as_ref().is_ok_and(Runs::stop));
                if !is_new {
                    complain("stopped");
                    std::process::exit(INTERRUPTED);
                }
                complain("stopping when what was begun is finished; press Ctrl-C again to stop now");
            });
            handler.map(|()| Runs::default()).map_err(|error| error.to_string())
        });
        match runs {
            Ok(runs) => {
                let stop = Self::default();
                runs.add(&stop);
                Ok(stop)
            }
            Err(error) => Err(Failure::new(format_args!("cannot listen for Ctrl-C: {error}"))),
        }
    }

    /// Reports whether a stop was requested.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Requests a stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_runs_of_a_process_are_stopped_and_later_ones_are_not() {
        let runs = Runs::default();
        assert!(!runs.stop(), "no run");
        let [first, second] = [Stop::default(), Stop::default()];
        runs.add(&first);
        runs.add(&second);
        assert!(runs.stop());
        assert!(first.is_requested() && second.is_requested());
        assert!(!runs.stop(), "the second Ctrl-C");
        drop(first);
        let third = Stop::default();
        runs.add(&third);
        assert!(!third.is_requested());
        assert!(runs.stop() && third.is_requested());
        assert_eq!(runs.0.lock().unwrap().len(), 2, "a run that ended is forgotten");
    }
}
