//! What all clones of a cache share, and the fetch of one origin.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use robotsc_frontier::frontier::{Check, Frontier};
use robotsc_frontier::origin::{Origin, OriginError};
use robotsc_frontier::outcome::{Access, Capture, FetchEnd, FetchRecord, Outcome, Time};
use robotsc_frontier::schedule::{Due, Schedule, retry_at};
use tokio::sync::RwLock;

use super::clock::Clock;
use super::counters::{Atomics, CacheCounters};
use super::flights::{Flight, Flights, Postponed, Waiting};
use super::saver::Saver;
use super::turns::{Flying, TurnPool};
use crate::{Client, Fetched, Fetcher};

/// Attempts of one fetch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retries {
    pub(crate) attempts: u32,
    pub(crate) first_wait: Duration,
}

impl Retries {
    /// Returns the wait after an attempt.
    fn wait_after(&self, attempt: u32) -> Duration {
        self.first_wait.saturating_mul(1 << (attempt - 1).min(16)).min(MAX_WAIT)
    }
}

/// The longest wait between two attempts of one fetch.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The longest time for which a refresh is postponed, in seconds.
const MAX_POSTPONED: u32 = 24 * 3_600;

/// The turn of a task that fetches.
struct Turn<C: Client> {
    shared: Arc<Shared<C>>,
    is_over: bool,
}

impl<C: Client> Drop for Turn<C> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        if !std::thread::panicking() {
            // The runtime ends, and nothing can be started.
            self.shared.turns.free();
        } else if let Some(next) = self.shared.turns.next() {
            // The client panicked. The others have their turn all the same.
            tokio::spawn(Arc::clone(&self.shared).work(next));
        }
    }
}

/// What all clones of a cache share.
pub(crate) struct Shared<C> {
    pub(crate) frontier: Frontier,
    pub(crate) fetcher: Fetcher<C>,
    pub(crate) schedule: Schedule,
    pub(crate) retries: Retries,
    pub(crate) flights: Arc<Flights>,
    pub(crate) turns: TurnPool,
    pub(crate) atomics: Atomics,
    pub(crate) clock: Box<Clock>,
    pub(crate) saver: Option<Saver>,
    /// Read while a capture is added to the pack that is saved later; saving waits for the end of that.
    pub(crate) collecting: Arc<RwLock<()>>,
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
        if is_refresh && !self.turns.is_free() {
            // There is time left until the copy expires.
            return None;
        }
        let (waiting, flight) = self.flights.join(origin);
        if let Some(flight) = flight {
            // Between the question and this flight another one can have ended, which recorded before it ended.
            if !self.is_still_due(origin, is_refresh) {
                return None;
            }
            Atomics::count(&self.atomics.fetches);
            if is_refresh {
                Atomics::count(&self.atomics.refreshes);
            }
            self.start(Flying { flight, is_refresh, attempt: 1, is_unconditional: false });
        }
        Some(waiting)
    }

    /// Starts a fetch when it has a turn.
    fn start(self: &Arc<Self>, flying: Flying) {
        if let Some(first) = self.turns.add(flying) {
            tokio::spawn(Arc::clone(self).work(first));
        }
    }

    /// Uses a turn for a fetch, and for those that wait after it.
    async fn work(self: Arc<Self>, first: Flying) {
        let mut turn = Turn { shared: self, is_over: false };
        let mut next = Some(first);
        while let Some(flying) = next {
            Arc::clone(&turn.shared).fly(flying).await;
            next = turn.shared.turns.next();
        }
        turn.is_over = true;
    }

    fn is_still_due(&self, origin: &Origin, is_refresh: bool) -> bool {
        let (record, now) = (self.frontier.fetch_record(origin), (self.clock)());
        let access = record.map(|record| record.effective(self.frontier.dialect(), now).access);
        let is_unknown = access.is_none_or(|access| access == Access::Unknown);
        match self.schedule.due(is_unknown, record.as_ref(), now) {
            Due::Fetch => true,
            Due::Refresh => is_refresh,
            Due::Nothing => false,
        }
    }

    /// Fetches an origin's robots.txt and records the result. If the network failed and there is another attempt, that
    /// is made later, with a turn of its own.
    async fn fly(self: Arc<Self>, mut flying: Flying) {
        let Flying { flight, is_refresh, .. } = &flying;
        let (origin, is_refresh) = (&flight.origin, *is_refresh);
        let known = self.frontier.fetch_record(origin);
        // Only if a copy is held: a 304 without it would leave nothing.
        let has_copy = known.is_some_and(|known| known.good_at.is_some()) && !flying.is_unconditional;
        let validators = self.frontier.validators(origin).filter(|_| has_copy);
        let mut fetched = self.fetcher.fetch(origin, validators.as_deref()).await;
        let good_at = known.and_then(|known| known.good_at);
        let is_lost = || {
            self.frontier.fetch_record(origin).and_then(|record| record.good_at) != good_at
                || self.frontier.validators(origin) != validators
        };
        if fetched.end == FetchEnd::Status(304) && validators.is_some() && is_lost() {
            // The copy was dropped from memory meanwhile, or another one was recorded: the 304 is not about that one.
            flying.is_unconditional = true;
            fetched = self.fetcher.fetch(&flying.flight.origin, None).await;
        }
        if fetched.is_transient() && flying.attempt < self.retries.attempts {
            Atomics::count(&self.atomics.retries);
            let wait = self.retries.wait_after(flying.attempt);
            flying.attempt += 1;
            tokio::spawn(async move {
                tokio::time::sleep(wait + jitter(wait)).await;
                self.start(flying);
            });
            return;
        }
        self.land(flying.flight, is_refresh, fetched).await;
    }

    /// Records the result of a fetch.
    async fn land(self: &Arc<Self>, flight: Flight, is_refresh: bool, fetched: Fetched) {
        let origin = &flight.origin;
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
        } else if fetched.refusal().is_some() {
            // A 429 that the dialect takes for a missing file still says when to come back: no refresh is before.
            let wait = fetched.caching.retry_after.unwrap_or_default().min(MAX_POSTPONED);
            let until = Time(now.0.saturating_add(wait));
            self.flights.postpone(origin, Postponed { at: now, until, refusal: None });
        }
        if known.is_some_and(|known| known.is_from_future(now)) {
            // What is held is from the future: a clock was wrong when it was stored. This clock never goes back.
            self.frontier.forget(origin);
        }
        if fetched.body_kind.is_some_and(|kind| !kind.is_robots()) {
            tracing::info!(
                origin = origin.as_str(),
                problem = fetched.problem.as_deref(),
                "what came is no robots.txt"
            );
        }
        self.frontier.record(origin, &response, now);
        flight.set_recorded();
        let collecting = match &self.saver {
            Some(_) => Some(Arc::clone(&self.collecting).read_owned().await),
            None => None,
        };
        // Who waits has an answer now. The capture is compiled for the pack meanwhile, with the turn of the fetch.
        drop(flight);
        if collecting.is_some() {
            self.collect(fetched, known, now).await;
        }
    }

    /// Adds a capture to the pack that is saved later.
    async fn collect(self: &Arc<Self>, fetched: Fetched, known: Option<FetchRecord>, now: Time) {
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

    /// Waits until what was fetched before is in the pack that is saved next.
    pub(crate) async fn collected(&self) {
        drop(self.collecting.write().await);
    }

    /// Returns when a failed origin is asked again.
    pub(crate) fn retry_at(&self, origin: &Origin) -> Option<Time> {
        let now = (self.clock)();
        let recorded = self.frontier.fetch_record(origin).map(|record| retry_at(&record));
        // A refusal counts before it is recorded, too.
        let refused = self.flights.postponed(origin, now).filter(|postponed| postponed.refusal.is_some());
        recorded.max(refused.map(|postponed| postponed.until)).filter(|at| *at > now)
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
