//! What one request may ask for.

use std::time::{Duration, Instant};

use super::problem::Problem;

/// What to do with more URLs than a request may have.
pub const IN_PARTS: &str = "ask for fewer URLs or agents at a time";

/// What one request may ask for.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum size of a request that is not streamed.
    pub body_bytes: usize,
    /// The maximum length of a URL.
    pub url_bytes: usize,
    /// The maximum number of URLs.
    pub urls: usize,
    /// The maximum number of agents.
    pub agents: usize,
    /// The maximum number of answers, URLs times agents.
    pub answers: usize,
    /// The maximum size of the answers.
    pub answer_bytes: usize,
    /// The maximum number of edges of an automaton that is drawn.
    pub drawn_edges: usize,
    /// The time for the answers; `None` where there is no clock, and the caller ends what takes too long.
    pub answer_time: Option<Duration>,
}

/// The time for the answers of a request.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    /// Starts the time.
    #[must_use]
    pub fn start(limits: &Limits) -> Self {
        Self(limits.answer_time.map(|time| (Instant::now(), time)))
    }

    /// Reports whether the time is over.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|(start, time)| start.elapsed() >= time)
    }

    /// Checks that the time is not over: rules with many stars can take long. `way_out` is what to do then.
    ///
    /// # Errors
    /// If it is over.
    pub fn check(self, way_out: &str) -> Result<(), Problem> {
        match self.0 {
            Some((_, time)) if self.is_over() => {
                let detail = format_args!("the answers take over {} s: {way_out}", time.as_secs());
                Err(Problem::too_large(detail).at("/urls"))
            }
            _ => Ok(()),
        }
    }
}
