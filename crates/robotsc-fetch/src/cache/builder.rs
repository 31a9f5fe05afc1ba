//! The settings of a cache.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use robotsc_compiler::CrawlerKind;
use robotsc_frontier::frontier::FrontierBuilder;
use robotsc_frontier::outcome::Time;
use robotsc_frontier::pack::Pack;
use robotsc_frontier::schedule::Schedule;
use tokio::sync::RwLock;

use super::clock::{self, Clock};
use super::counters::Atomics;
use super::error::{CacheError, Kind};
use super::saver::Saver;
use super::shared::{Retries, Shared};
use super::turns::TurnPool;
use super::{RobotsCache, flights};
use crate::{Client, Fetcher};

/// Makes a [`RobotsCache`]: from [`RobotsCache::builder`].
#[must_use]
pub struct CacheBuilder<C> {
    frontier: FrontierBuilder,
    fetcher: Fetcher<C>,
    pack_file: Option<PathBuf>,
    allow_other_agent: bool,
    refresh_ahead: Duration,
    stale_for: Duration,
    retries: Retries,
    max_fetches: usize,
    clock: Box<Clock>,
}

impl<C: Client> CacheBuilder<C> {
    pub(super) fn new(frontier: FrontierBuilder, fetcher: Fetcher<C>) -> Self {
        Self {
            frontier,
            fetcher,
            pack_file: None,
            allow_other_agent: false,
            refresh_ahead: Duration::from_secs(3_600),
            stale_for: Duration::ZERO,
            retries: Retries { attempts: 2, first_wait: Duration::from_secs(1) },
            max_fetches: 512,
            clock: clock::steady(),
        }
    }

    /// Starts from the pack in a file if the file exists, and lets [`RobotsCache::save`] write it.
    pub fn pack_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.pack_file = Some(path.into());
        self
    }

    /// Sets how long before its expiry a file that is still used is fetched again, in the background; an hour by
    /// default, and never more than a tenth of its lifetime. [`Duration::ZERO`] turns it off.
    pub fn refresh_ahead(mut self, ahead: Duration) -> Self {
        self.refresh_ahead = ahead;
        self
    }

    /// Sets for how long after its expiry a file still answers, while it is fetched again in the background; not at all
    /// by default. It never makes an answer older than the dialect allows (`rfc9309`: 24 hours).
    pub fn stale_for(mut self, stale: Duration) -> Self {
        self.stale_for = stale;
        self
    }

    /// Sets how many attempts a fetch has if the network fails, and the wait before the second one, which doubles
    /// before each other; 2 attempts and a second by default. A response of the server, whatever it is, ends a fetch.
    ///
    /// After the last attempt the failure is recorded, and the origin is asked again after 5 minutes, then after half
    /// the time that it has been failing, up to a day.
    pub fn attempts(mut self, attempts: u32, first_wait: Duration) -> Self {
        self.retries = Retries { attempts: attempts.max(1), first_wait };
        self
    }

    /// Sets the maximum number of fetches at the same time; 512 by default, at least 1.
    pub fn max_fetches(mut self, fetches: usize) -> Self {
        self.max_fetches = fetches.max(1);
        self
    }

    /// Sets the clock; that of the system by default, except that it never goes back.
    pub fn clock(mut self, clock: impl Fn() -> Time + Send + Sync + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Allows a crawler whose name is not in the `User-Agent` that the fetcher sends. Otherwise that is an error: a
    /// site that looks at the `User-Agent` would see another crawler than the one whose groups are obeyed.
    pub fn allow_other_agent(mut self) -> Self {
        self.allow_other_agent = true;
        self
    }

    /// Makes the cache.
    ///
    /// # Errors
    /// [`CacheError`] if the crawler has no usable name, or one that the `User-Agent` does not have, or if there is a
    /// pack file that cannot be read, was built for others, or cannot be written.
    pub fn build(self) -> Result<RobotsCache<C>, CacheError> {
        let mut frontier = self.frontier;
        let pack = match &self.pack_file {
            Some(path) if path.exists() => Some(Arc::new(Pack::open(path).map_err(Kind::Pack)?)),
            _ => None,
        };
        if let Some(pack) = &pack {
            frontier = frontier.pack(Arc::clone(pack));
        }
        let frontier = frontier.build().map_err(Kind::Frontier)?;
        if !self.allow_other_agent
            && frontier.crawler().names().len() > 0
            && !frontier.crawler().names().any(|name| self.fetcher.sends_name(name.as_bytes()))
        {
            return Err(Kind::OtherAgent(frontier.crawler().to_string()).into());
        }
        let saver = match &self.pack_file {
            Some(_) if frontier.crawler().kind() == CrawlerKind::Pool => return Err(Kind::Pool.into()),
            Some(path) => {
                let saver = Saver::new(path, pack.as_deref(), frontier.crawler(), frontier.dialect());
                Some(saver.map_err(Kind::Pack)?)
            }
            None => None,
        };
        let schedule = Schedule::new(self.refresh_ahead, self.stale_for, &frontier.dialect().fetch);
        let shared = Shared {
            frontier,
            fetcher: self.fetcher,
            schedule,
            retries: self.retries,
            flights: Arc::new(flights::Flights::default()),
            turns: TurnPool::new(self.max_fetches),
            atomics: Atomics::default(),
            clock: self.clock,
            saver,
            collecting: Arc::new(RwLock::new(())),
        };
        Ok(RobotsCache { shared: Arc::new(shared) })
    }
}

impl<C> fmt::Debug for CacheBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CacheBuilder")
            .field("frontier", &self.frontier)
            .field("pack_file", &self.pack_file)
            .field("refresh_ahead", &self.refresh_ahead)
            .field("stale_for", &self.stale_for)
            .field("max_fetches", &self.max_fetches)
            .finish_non_exhaustive()
    }
}
