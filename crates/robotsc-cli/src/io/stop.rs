//! Ctrl-C: the first one asks the run to stop after what was read, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, complain};

/// The exit code that shells expect of a run that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Whether the run is to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Returns a stop that Ctrl-C requests.
    pub(crate) fn on_ctrl_c() -> Result<Self, Failure> {
        let stop = Self::default();
        let requested = stop.clone();
        ctrlc::set_handler(move || {
            if requested.0.swap(true, Ordering::Relaxed) {
                complain("stopped");
                std::process::exit(INTERRUPTED);
            }
            complain("stopping when what was begun is finished; press Ctrl-C again to stop now");
        })
        .map_err(|error| Failure::new(format_args!("cannot listen for Ctrl-C: {error}")))?;
        Ok(stop)
    }

    /// Reports whether a stop was requested.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Requests a stop.
    #[cfg(test)]
    pub(crate) fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
