//! Ctrl-C: the first one asks the run to stop after what was read, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// What the shell expects of a run that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Whether the run was asked to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A stop that Ctrl-C asks for.
    pub(crate) fn on_ctrl_c() -> Result<Self, Failure> {
        let stop = Self::default();
        let asked = stop.clone();
        ctrlc::set_handler(move || {
            if asked.0.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        })
        .map_err(|error| Failure::new(format_args!("cannot listen for Ctrl-C: {error}")))?;
        Ok(stop)
    }

    /// Whether it was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks for it.
    #[cfg(test)]
    pub(crate) fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
