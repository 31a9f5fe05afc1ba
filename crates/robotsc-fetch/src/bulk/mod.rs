//! Fetches the robots.txt of many origins, many at the same time, and few at a time from one site.
//!
//! ```text
//! origins -> resolve names -> queue, by registrable domain and by address -> fetch -> results, as they come
//! ```
//!
//! The [queue](queue) decides which fetch may start. Each result is passed to the caller as soon as it is there, so
//! that memory does not grow with the number of origins.

use std::future::Future;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use robotsc_frontier::origin::Origin;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use url::{Host, Url};

use crate::{Client, Fetched, Fetcher, Resolve};
use queue::{Job, Queue};

mod queue;

/// How often the caller is asked whether to go on while nothing happens.
const TICK: Duration = Duration::from_millis(100);

/// How many fetches there are at the same time, and how close together. A domain is a registrable one: `shop.example`
/// with all its subdomains, by the public suffix list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The maximum number of fetches at the same time.
    pub in_flight: usize,
    /// The maximum number of fetches of one domain at the same time.
    pub per_domain: usize,
    /// The least time between the starts of two fetches of one domain.
    pub domain_interval: Duration,
    /// The maximum number of fetches at one address at the same time.
    pub per_address: usize,
    /// The least time between the starts of two fetches at one address.
    pub address_interval: Duration,
    /// The maximum number of origins that are read ahead and wait for their turn.
    pub waiting: usize,
}

impl Default for Pace {
    /// 64 fetches, one at a time of a domain, a second apart; four at a time at an address, 100 ms apart; 100,000
    /// origins read ahead.
    fn default() -> Self {
        Self {
            in_flight: 64,
            per_domain: 1,
            domain_interval: Duration::from_secs(1),
            per_address: 4,
            address_interval: Duration::from_millis(100),
            waiting: 100_000,
        }
    }
}

/// Fetches many origins at a pace.
///
/// ```no_run
/// use std::ops::ControlFlow;
///
/// use robotsc_fetch::{Bulk, CachedResolver, Fetcher, Pace, SystemResolver, UserAgent};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let resolver = CachedResolver::new(SystemResolver);
/// let user_agent = UserAgent::new("FooBot/1.0 (+https://foo.example/bot)")?;
/// let fetcher = Fetcher::builder(user_agent).build_http(|client| client.with_resolver(resolver.clone()));
/// let bulk = Bulk::new(fetcher, resolver, Pace::default());
/// let origins = ["https://shop.example".parse()?, "https://news.example".parse()?];
/// bulk.run(origins, |fetched| {
///     println!("{} {:?}", fetched.origin, fetched.end);
///     ControlFlow::Continue(())
/// }, || true)
/// .await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Bulk<C = crate::HttpClient> {
    fetcher: Arc<Fetcher<C>>,
    resolver: Arc<dyn Resolve>,
    pace: Pace,
}

impl<C: Client> Bulk<C> {
    /// Makes a bulk fetch. Pass the resolver that the fetcher's client has, a [cached](crate::CachedResolver) one, so
    /// that each name is resolved once.
    pub fn new(fetcher: Fetcher<C>, resolver: impl Resolve, pace: Pace) -> Self {
        let at_least_one = |count: usize| count.max(1);
        let pace = Pace {
            in_flight: at_least_one(pace.in_flight),
            per_domain: at_least_one(pace.per_domain),
            per_address: at_least_one(pace.per_address),
            waiting: at_least_one(pace.waiting),
            ..pace
        };
        Self { fetcher: Arc::new(fetcher), resolver: Arc::new(resolver), pace }
    }

    /// Fetches origins, and passes each result to `each` when it is there. If `each` breaks, or `go_on` is `false`,
    /// nothing new is started, and the fetches that are under way end: their results are passed, too.
    ///
    /// The pace is that of the origins. A redirect to another site is followed at once.
    ///
    /// Cost: memory for the origins that wait, and for the bodies of the fetches that are under way.
    ///
    /// # Panics
    /// If the client panics, or if it is not called from tokio, with time and I/O enabled.
    pub async fn run(
        &self,
        origins: impl IntoIterator<Item = Origin>,
        mut each: impl FnMut(Fetched) -> ControlFlow<()>,
        go_on: impl Fn() -> bool,
    ) {
        let mut origins = origins.into_iter().fuse();
        let mut queue = Queue::new(self.pace);
        let mut resolving = JoinSet::new();
        let mut fetching = JoinSet::new();
        let (mut is_ended, mut is_stopped) = (false, false);
        loop {
            is_stopped |= !go_on();
            if is_stopped {
                resolving.abort_all();
            }
            while !is_ended
                && !is_stopped
                && resolving.len() < self.pace.in_flight
                && queue.len() + resolving.len() < self.pace.waiting
            {
                match origins.next() {
                    Some(origin) => drop(resolving.spawn(self.resolved(origin))),
                    None => is_ended = true,
                }
            }
            let now = Instant::now();
            while !is_stopped && fetching.len() < self.pace.in_flight {
                let Some(job) = queue.next(now) else { break };
                let fetcher = Arc::clone(&self.fetcher);
                fetching.spawn(async move { (fetcher.fetch(&job.origin, None).await, job) });
            }
            let is_idle = is_stopped || is_ended && resolving.is_empty() && queue.len() == 0;
            if is_idle && fetching.is_empty() {
                return;
            }
            let wake = queue.wake().filter(|_| !is_stopped && fetching.len() < self.pace.in_flight);
            let wake = wake.map_or(now + TICK, |wake| wake.min(now + TICK));
            tokio::select! {
                Some(fetched) = fetching.join_next() => {
                    let (fetched, job) = match fetched {
                        Ok(done) => done,
                        // No task is aborted: it panicked.
                        Err(error) => std::panic::resume_unwind(error.into_panic()),
                    };
                    queue.finish(&job, Instant::now());
                    is_stopped |= each(fetched).is_break();
                }
                Some(resolved) = resolving.join_next() => match resolved {
                    Ok(job) => queue.push(job),
                    Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Err(_aborted) => {}
                },
                () = sleep_until(wake) => {}
            }
        }
    }

    /// Resolves the name of an origin, for the limit by address. A name that is not resolved has none: the fetch says
    /// what is wrong with it.
    fn resolved(&self, origin: Origin) -> impl Future<Output = Job> + Send + 'static {
        let resolver = Arc::clone(&self.resolver);
        let limit = self.fetcher.limits().connect;
        async move {
            let host = Url::parse(origin.as_str()).ok().and_then(|url| url.host().map(|host| host.to_owned()));
            let address = match host {
                Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
                Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
                Some(Host::Domain(name)) => {
                    let resolved = tokio::time::timeout(limit, resolver.resolve(&name)).await;
                    resolved.ok().and_then(Result::ok).and_then(|addresses| addresses.first().copied())
                }
                None => None,
            };
            Job::new(origin, address)
        }
    }
}
