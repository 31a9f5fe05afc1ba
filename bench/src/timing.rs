//! Minima over passes, medians over rounds.

use std::time::{Duration, Instant};

/// How long the passes over one host, or one file, go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeBudget {
    /// Passes that are always made.
    pub(crate) passes: u32,
    /// Further passes are made until this much time is spent.
    pub(crate) time: Duration,
    /// A pass that takes longer than this is not made again.
    pub(crate) once: Duration,
}

impl TimeBudget {
    /// For rows that repeat the URLs of one host.
    pub(crate) const HOT: Self = Self { passes: 3, time: Duration::from_micros(60), once: Duration::from_millis(20) };
    /// For rows that prepare one file.
    pub(crate) const PREPARE: Self =
        Self { passes: 2, time: Duration::from_micros(60), once: Duration::from_millis(20) };
    /// For rows whose one pass goes over all hosts.
    pub(crate) const WHOLE: Self = Self { passes: 3, time: Duration::ZERO, once: Duration::from_secs(4) };
}

/// The shortest of several passes, in nanoseconds.
pub(crate) fn shortest(budget: TimeBudget, mut pass: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut best = Duration::MAX;
    let mut passes = 0;
    loop {
        let from = Instant::now();
        pass();
        best = best.min(from.elapsed());
        passes += 1;
        let done = passes >= budget.passes && start.elapsed() >= budget.time;
        if done || best > budget.once {
            return best.as_secs_f64() * 1e9;
        }
    }
}

/// The value at a fraction of a sorted list; NaN for an empty one.
pub(crate) fn percentile(sorted: &[f64], fraction: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * fraction).round() as usize).copied().unwrap_or(f64::NAN)
}

/// The median; NaN for an empty list.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    percentile(&values, 0.5)
}
