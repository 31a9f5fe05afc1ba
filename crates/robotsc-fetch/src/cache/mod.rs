//! A crawler's cache that fetches what it does not know: one question, one answer, one request an origin.
//!
//! ```text
//! check("https://shop.example/cart")
//!   known, and not expired        answer at once
//!   known, and expires soon       answer at once; a task fetches robots.txt again
//!   expired, or unknown           wait for the fetch, then answer
//!   failed, and not to be retried yet    answer at once, as the dialect says of failures
//! ```
//!
//! The answers are those of the [`Frontier`], whose memory it is. [`schedule`](robotsc_frontier::schedule) decides when
//! to fetch. [`flights`] keeps one fetch an origin in the air, however many tasks wait for it, and [`turns`] a number
//! of them at most. [`saver`] collects what is fetched for a pack.

use std::sync::Arc;
use std::time::Duration;

use robotsc_compiler::Crawler;
use robotsc_frontier::frontier::{Check, Frontier};
use robotsc_frontier::origin::{Origin, OriginError};
use robotsc_frontier::outcome::{FetchRecord, Time};
use robotsc_frontier::pack::PackReport;
use robotsc_frontier::schedule::Due;

pub use builder::CacheBuilder;
pub use counters::CacheCounters;
pub use error::CacheError;
use error::Kind;
use shared::Shared;

use crate::{Client, Fetcher, HttpClient, UserAgent};

mod builder;
mod clock;
mod counters;
mod error;
mod flights;
mod saver;
mod shared;
mod turns;

/// Answers "may my crawler fetch this URL?" for URLs of any origin, and fetches each robots.txt that it needs. Clones
/// share what is known.
///
/// ```no_run
/// use robotsc::fetch::{Fetcher, RobotsCache, UserAgent};
/// use robotsc::frontier::Frontier;
/// use robotsc::{Crawler, Dialect};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let fetcher = Fetcher::new(UserAgent::new("FooBot/1.0 (+https://foo.example/bot)")?);
/// let frontier = Frontier::builder(Crawler::new("FooBot")?).dialect(&Dialect::RFC9309).memory(64 << 20);
/// let cache = RobotsCache::builder(frontier, fetcher).pack_file("robots.pack").build()?;
///
/// if cache.check("https://shop.example/cart").await?.is_allowed() {
///     println!("fetch it");
/// }
/// cache.save().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RobotsCache<C = HttpClient> {
    shared: Arc<Shared<C>>,
}

impl<C> Clone for RobotsCache<C> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl RobotsCache {
    /// Makes a cache for one product token, under `google`, with the default limits.
    ///
    /// # Errors
    /// [`CacheError`] if it is no product token.
    pub fn for_agent(agent: &str, user_agent: UserAgent) -> Result<Self, CacheError> {
        let crawler = Crawler::new(agent).map_err(|error| CacheError::from(Kind::Frontier(error.into())))?;
        Self::builder(Frontier::builder(crawler), Fetcher::new(user_agent)).build()
    }
}

impl<C: Client> RobotsCache<C> {
    /// Returns a builder of a cache. The frontier's builder says for whom it answers, under which dialect and in how
    /// much memory; the fetcher says how files are fetched.
    pub fn builder(frontier: robotsc_frontier::frontier::FrontierBuilder, fetcher: Fetcher<C>) -> CacheBuilder<C> {
        CacheBuilder::new(frontier, fetcher)
    }

    /// Reports whether a URL may be fetched now. If the origin's robots.txt is unknown or expired, fetches it first.
    ///
    /// However many tasks wait for an origin, there is one fetch. It is a task of its own: dropping this future stops
    /// the waiting, and the fetch goes on for the others.
    ///
    /// If the fetch fails, the answer is what the dialect says of failures, at first disallowed. The origin is asked
    /// again at [`retry_at`](Self::retry_at), with growing intervals. [`Check::Unknown`] is no answer and never an
    /// allow: try again then.
    ///
    /// Cost: of a known origin [`Frontier::check`] and a look at the clock; no task is started and nothing is awaited.
    ///
    /// # Errors
    /// [`OriginError`] if it is no URL with an origin. That is no allow.
    ///
    /// # Panics
    /// If a fetch is needed and it is not called from tokio, with time and I/O enabled.
    #[inline]
    pub async fn check(&self, url: impl AsRef<[u8]>) -> Result<Check, OriginError> {
        let url = url.as_ref();
        let (check, due) = self.shared.look_up(url)?;
        match due {
            Due::Nothing => Ok(check),
            Due::Refresh => {
                drop(self.shared.join(&Origin::of_url(url)?, true));
                Ok(check)
            }
            Due::Fetch => {
                let origin = match check {
                    Check::Unknown(origin) => origin,
                    _ => Origin::of_url(url)?,
                };
                if self.shared.wait(&origin).await {
                    return Ok(self.shared.look_up(url)?.0);
                }
                // The fetch was never recorded. What was known has expired, and is no answer.
                let (check, due) = self.shared.look_up(url)?;
                Ok(if due == Due::Fetch { Check::Unknown(origin) } else { check })
            }
        }
    }

    /// Fetches an origin's robots.txt unless it is known, as [`check`](Self::check) does, and returns the record of the
    /// last fetch.
    ///
    /// # Panics
    /// As [`check`](Self::check).
    pub async fn prefetch(&self, origin: &Origin) -> Option<FetchRecord> {
        // Any path but that of robots.txt itself, which is allowed without knowledge.
        let _ = self.check(format!("{origin}/")).await;
        self.shared.frontier.fetch_record(origin)
    }

    /// Returns when an origin whose robots.txt could not be fetched is asked again; `None` if a check asks at once.
    #[must_use]
    pub fn retry_at(&self, origin: &Origin) -> Option<Time> {
        self.shared.retry_at(origin)
    }

    /// Returns the frontier that answers: it explains answers, and knows records. What is
    /// [recorded](Frontier::record) in it counts as fetched.
    #[must_use]
    pub fn frontier(&self) -> &Frontier {
        &self.shared.frontier
    }

    /// Returns the longest crawl delay that the origin's robots.txt states for the crawler, if it is known: see
    /// [`Frontier::crawl_delay`].
    #[must_use]
    pub fn crawl_delay(&self, origin: &Origin) -> Option<Duration> {
        self.shared.frontier.crawl_delay(origin)
    }

    /// Returns the sitemaps that the origin's robots.txt names, if it is known.
    #[must_use]
    pub fn sitemaps(&self, origin: &Origin) -> Vec<Vec<u8>> {
        self.shared.frontier.sitemaps(origin)
    }

    /// Returns what was counted.
    #[must_use]
    pub fn counters(&self) -> CacheCounters {
        self.shared.counters()
    }

    /// Writes what the pack file held and what was fetched since the cache was made, to the
    /// [pack file](CacheBuilder::pack_file). The file is replaced when the new one is complete.
    ///
    /// # Errors
    /// [`CacheError`] if the cache has no pack file, or if writing failed: then the file is as it was, and what was
    /// fetched since the last save is not in the next one.
    ///
    /// # Panics
    /// If it is not called from tokio.
    pub async fn save(&self) -> Result<PackReport, CacheError> {
        let shared = Arc::clone(&self.shared);
        shared.collected().await;
        let saved = tokio::task::spawn_blocking(move || match &shared.saver {
            Some(saver) => saver.save().map_err(|error| Kind::Pack(error).into()),
            None => Err(Kind::NoPackFile.into()),
        });
        match saved.await {
            Ok(saved) => saved,
            Err(stopped) => std::panic::resume_unwind(stopped.into_panic()),
        }
    }
}
