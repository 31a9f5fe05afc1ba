//! What all clones of a cache share, and the fetch of one origin.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use robotsc_frontier::fetch::{Capture, EffectivePolicy, FetchEnd, FetchRecord, Outcome, Time};
use robotsc_frontier::frontier::{Check, Frontier};
use robotsc_frontier::origin::{Origin, OriginError};
use tokio::sync::Semaphore;

use super::counters::{Atomics, CacheCounters};
use super::due::{Due, Schedule, retry_at};
use super::flights::{Flight, Flights, Postponed, Waiting};
use super::saver::Saver;
use crate::{Client, Fetched, Fetcher};

/// Returns the time.
pub(crate) type Clock = dyn Fn() -> Time + Send + Sync;

/// Attempts of one fetch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retries {
    pub(crate) attempts: u32,
    pub(crate) first_wait: Duration,
}

/// The longest wait between two attempts of one fetch.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// What all clones of a cache share.
pub(crate) struct Shared<C> {
    pub(crate) frontier: Frontier,
    pub(crate) fetcher: Fetcher<C>,
    pub(crate) schedule: Schedule,
    pub(crate) retries: Retries,
    pub(crate) flights: Arc<Flights>,
    pub(crate) permits: Semaphore,
    pub(crate) atomics: Atomics,
    pub(crate) clock: Box<Clock>,
    pub(crate) saver: Option<Saver>,
}

impl<C> fmt::Debug for Shared<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("frontier", &self.frontier)
            .field("flights", &self.flights)
            .finish_non_exhaustive()
    }
}

impl<C: Client> Shared<C> {
    /// Returns the answer for a URL by what is known, and whether to fetch.
    #[inline]
    pub(crate) fn look_up(&self, url: &[u8]) -> Result<(Check, Due), OriginError> {
        let now = (self.clock)();
        let (check, record) = self.frontier.check_with_record(url, now)?;
        let due = self.schedule.due(matches!(check, Check::Unknown(_)), record.as_ref(), now);
        Ok((check, due))
    }

    /// Waits until an origin's robots.txt was fetched. Returns `false` if the fetch ended without a result.
    pub(crate) async fn wait(self: &Arc<Self>, origin: &Origin) -> bool {
        Atomics::count(&self.atomics.waits);
        match self.join(origin, false) {
            Some(waiting) => waiting.ended().await,
            None => true,
        }
    }

    /// Joins the fetch of an origin's robots.txt, and starts it if there is none. Returns `None` if there is nothing to
    /// wait for.
    pub(crate) fn join(self: &Arc<Self>, origin: &Origin, is_refresh: bool) -> Option<Waiting> {
        if let Some(postponed) = self.flights.postponed(origin, (self.clock)()) {
            if is_refresh {
                return None;
            }
            // The copy expired before the server wants to be asked again: what it answered then counts from now on.
            // It is not recorded if something newer is known.
            let recorded = postponed.refusal.map(|refusal| self.frontier.record(origin, &refusal, postponed.at));
            if recorded.flatten().is_some() {
                return None;
            }
        }
        let (waiting, flight) = self.flights.join(origin);
        if let Some(flight) = flight {
            // Between the question and this flight another one can have ended, which recorded before it ended.
            if !self.is_still_due(origin, is_refresh) {
                return None;
            }
            tokio::spawn(Arc::clone(self).fly(flight, is_refresh));
        }
        Some(waiting)
    }

    fn is_still_due(&self, origin: &Origin, is_refresh: bool) -> bool {
        let (record, now) = (self.frontier.fetch_record(origin), (self.clock)());
        let policy = record.map(|record| record.effective(self.frontier.dialect(), now).policy);
        let is_unknown = policy.is_none_or(|policy| policy == EffectivePolicy::Unknown);
        match self.schedule.due(is_unknown, record.as_ref(), now) {
            Due::Fetch => true,
            Due::Refresh => is_refresh,
            Due::Nothing => false,
        }
    }

    /// Fetches an origin's robots.txt and records the result.
    async fn fly(self: Arc<Self>, flight: Flight, is_refresh: bool) {
        // Never closed.
        let _permit = self.permits.acquire().await;
        let origin = &flight.origin;
        Atomics::count(&self.atomics.fetches);
        if is_refresh {
            Atomics::count(&self.atomics.refreshes);
        }
        let known = self.frontier.fetch_record(origin);
        // Only if a copy is held: a 304 without it would leave nothing.
        let validators =
            self.frontier.validators(origin).filter(|_| known.is_some_and(|known| known.good_at.is_some()));
        let mut fetched = self.attempts(origin, validators.as_deref()).await;
        let good_at = known.and_then(|known| known.good_at);
        let is_lost = || {
            self.frontier.fetch_record(origin).and_then(|record| record.good_at) != good_at
                || self.frontier.validators(origin) != validators
        };
        if fetched.end == FetchEnd::Status(304) && validators.is_some() && is_lost() {
            // The copy was dropped from memory meanwhile, or another one was recorded: the 304 is not about that one.
            fetched = self.attempts(origin, None).await;
        }
        let known = self.frontier.fetch_record(origin);
        let now = (self.clock)();
        let response = fetched.response();
        let capture = Capture::after(known.as_ref(), &response, now, self.frontier.dialect());
        let outcome = capture.record().outcome;
        let is_failure = matches!(outcome, Outcome::ServerError | Outcome::Unreachable);
        tracing::debug!(origin = origin.as_str(), ?outcome, end = ?fetched.end, is_refresh, "robots.txt checked");
        if is_failure {
            Atomics::count(&self.atomics.failures);
            tracing::info!(
                origin = origin.as_str(),
                end = ?fetched.end,
                problem = fetched.problem.as_deref(),
                "robots.txt could not be fetched"
            );
            if is_refresh && known.is_some_and(|known| is_fresh(&known, now)) {
                // The copy counts until it expires. Then a failure counts.
                let until = capture.record().expires_at;
                self.flights.postpone(origin, Postponed { at: now, until, refusal: fetched.refusal() });
                return;
            }
        } else if fetched.end == FetchEnd::Status(304) {
            Atomics::count(&self.atomics.not_modified);
        }
        self.frontier.record(origin, &response, now);
        flight.set_recorded();
        self.collect(fetched, known, now).await;
    }

    /// Adds a capture to the pack that is saved later.
    async fn collect(self: &Arc<Self>, fetched: Fetched, known: Option<FetchRecord>, now: Time) {
        if self.saver.is_none() {
            return;
        }
        let shared = Arc::clone(self);
        let pushed = tokio::task::spawn_blocking(move || {
            let response = fetched.response();
            let capture = Capture::after(known.as_ref(), &response, now, shared.frontier.dialect());
            let pushed = shared.saver.as_ref().map_or(Ok(()), |saver| saver.push(&fetched.origin, &capture));
            if let Err(error) = pushed {
                Atomics::count(&shared.atomics.unsaved);
                tracing::warn!(origin = fetched.origin.as_str(), %error, "a capture is missing in the pack");
            }
        });
        // A panic in it is not that of the fetch, whose result is recorded.
        let _ = pushed.await;
    }

    /// Fetches, and again if the network fails.
    async fn attempts(&self, origin: &Origin, validators: Option<&robotsc_frontier::fetch::Validators>) -> Fetched {
        let mut wait = self.retries.first_wait;
        let mut attempt = 1;
        loop {
            let fetched = self.fetcher.fetch(origin, validators).await;
            if attempt >= self.retries.attempts || !fetched.is_transient() {
                return fetched;
            }
            attempt += 1;
            Atomics::count(&self.atomics.retries);
            tokio::time::sleep(wait.min(MAX_WAIT) + jitter(wait.min(MAX_WAIT))).await;
            wait = wait.saturating_mul(2);
        }
    }

    /// Returns when a failed origin is asked again.
    pub(crate) fn retry_at(&self, origin: &Origin) -> Option<Time> {
        let record = self.frontier.fetch_record(origin)?;
        Some(retry_at(&record)).filter(|at| *at > (self.clock)())
    }

    pub(crate) fn counters(&self) -> CacheCounters {
        CacheCounters {
            frontier: self.frontier.counters(),
            in_flight: self.flights.len() as u64,
            ..self.atomics.read()
        }
    }
}

fn is_fresh(record: &FetchRecord, now: Time) -> bool {
    now < record.expires_at
}

/// Returns up to half a time, at random: crawlers that failed together do not come back together.
fn jitter(time: Duration) -> Duration {
    let random = RandomState::new().hash_one(0_u8) >> 32;
    let half = u64::try_from(time.as_millis() / 2).unwrap_or(u64::MAX);
    Duration::from_millis((random * half) >> 32)
}
