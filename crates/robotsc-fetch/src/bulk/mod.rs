//! Fetches the robots.txt of many origins, many at the same time, and few at a time from one site.
//!
//! ```text
//! origins -> resolve names -> queue, by registrable domain and by address -> fetch -> results, as they come
//!                                       ^------------- redirect --------------'
//! ```
//!
//! The [queue](queue) decides which request may start. Origins are read when there is room for them. Each result is
//! passed to the caller as soon as it is there, so that memory does not grow with the number of origins.

use std::future::Future;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use url::Url;

use crate::order::Order;
use crate::{Client, Fetched, Fetcher, Resolve};
use lookup::Lookup;
pub use pace::BulkLimits;
use queue::{Job, Key, Queue, Work};
use target::Input;
pub use target::Target;
use turns::{Ask, Turns};
pub use visit::{FetchedPage, Visit, Visited};

mod lookup;
mod pace;
mod queue;
mod target;
mod turns;
mod visit;

/// How often the caller is asked whether to go on while nothing happens.
const TICK: Duration = Duration::from_millis(100);

/// What a bulk fetch has under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Underway {
    /// Requests that were sent and not answered yet.
    pub in_flight: usize,
    /// Origins that were read and wait for their turn, and redirects that do.
    pub waiting: usize,
}

/// Fetches many origins at a pace.
///
/// ```no_run
/// use std::ops::ControlFlow;
///
/// use robotsc::fetch::{Bulk, CachedResolver, Fetcher, BulkLimits, SystemResolver, UserAgent};
/// use robotsc::origin::Origin;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let resolver = CachedResolver::new(SystemResolver);
/// let user_agent = UserAgent::new("FooBot/1.0 (+https://foo.example/bot)")?;
/// let fetcher = Fetcher::builder(user_agent).build_http(|client| client.with_resolver(resolver.clone()));
/// let bulk = Bulk::new(fetcher, resolver, BulkLimits::default());
/// let origins: [Origin; 2] = ["https://shop.example".parse()?, "https://news.example".parse()?];
/// bulk.run(origins, |fetched| {
///     println!("{} {:?}", fetched.origin, fetched.end);
///     ControlFlow::Continue(())
/// }, |_| true)
/// .await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Bulk<C = crate::HttpClient> {
    fetcher: Arc<Fetcher<C>>,
    resolver: Arc<dyn Resolve>,
    pace: BulkLimits,
}

impl<C: Client> Bulk<C> {
    /// Makes a bulk fetch. Pass the resolver that the fetcher's client has, a [cached](crate::CachedResolver) one, so
    /// that each name is resolved once.
    pub fn new(fetcher: Fetcher<C>, resolver: impl Resolve, pace: BulkLimits) -> Self {
        let pace = pace.at_least_one();
        Self { fetcher: Arc::new(fetcher), resolver: Arc::new(resolver), pace }
    }

    /// Fetches origins, and passes each result to `each` when it is there. Origins are taken from the iterator when
    /// there is room for them: an iterator that blocks, such as one over standard input, blocks the whole run. For such
    /// inputs there is [`run_channel`](Self::run_channel).
    ///
    /// `go_on` is called several times a second. If it returns `false`, or `each` breaks, nothing new is started.
    /// Requests that were sent are waited for, and their results passed. Origins that were not asked, and those whose
    /// redirect was not followed yet, have no result.
    ///
    /// Cost: memory for the origins that wait, and for the fetches that are under way.
    ///
    /// # Panics
    /// If the client panics, or if it is not called from tokio, with time and I/O enabled.
    pub async fn run<T: Into<Target>>(
        &self,
        targets: impl IntoIterator<Item = T>,
        each: impl FnMut(Fetched) -> ControlFlow<()>,
        go_on: impl FnMut(Underway) -> bool,
    ) {
        let fetch = |target, asks, held| self.fetched(target, asks, held);
        self.drive(self.pace, Input::List(targets.into_iter().map(Into::into)), fetch, each, go_on).await;
    }

    /// As [`run`](Self::run), with origins that arrive through a channel, until its senders are dropped.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub async fn run_channel(
        &self,
        targets: mpsc::Receiver<Target>,
        each: impl FnMut(Fetched) -> ControlFlow<()>,
        go_on: impl FnMut(Underway) -> bool,
    ) {
        let fetch = |target, asks, held| self.fetched(target, asks, held);
        self.drive(self.pace, Input::<std::iter::Empty<Target>>::Channel(targets), fetch, each, go_on).await;
    }

    async fn drive<I, R, F>(
        &self,
        pace: BulkLimits,
        mut input: Input<I>,
        fetch: impl Fn(Target, mpsc::UnboundedSender<Ask>, Key) -> F,
        mut each: impl FnMut(R) -> ControlFlow<()>,
        mut go_on: impl FnMut(Underway) -> bool,
    ) where
        I: Iterator<Item = Target>,
        R: Send + 'static,
        F: Future<Output = (Option<R>, Option<Key>)> + Send + 'static,
    {
        let mut queue = Queue::new(pace);
        let mut resolving = JoinSet::new();
        let mut fetching = JoinSet::new();
        let (asks, mut asked) = mpsc::unbounded_channel::<Ask>();
        let (mut in_flight, mut is_stopped) = (0_usize, false);
        loop {
            let underway = Underway { in_flight, waiting: queue.len() + resolving.len() };
            if !is_stopped && !go_on(underway) {
                is_stopped = true;
            }
            if is_stopped {
                resolving.abort_all();
                // Redirects that wait for a turn have none from now on.
                queue = Queue::new(pace);
                input = Input::Ended;
            }
            let has_room = |queue: &Queue, resolving: &JoinSet<Job>| {
                resolving.len() < pace.in_flight && queue.len() + resolving.len() < pace.waiting
            };
            while has_room(&queue, &resolving)
                && let Some(target) = input.ready()
            {
                resolving.spawn(self.resolved(target));
            }
            in_flight += start(&mut queue, pace.in_flight - in_flight, &mut fetching, |target, key| {
                fetch(target, asks.clone(), key)
            });
            if input.is_ended() && resolving.is_empty() && queue.len() == 0 && fetching.is_empty() {
                return;
            }
            let tick = Instant::now() + TICK;
            let wake = queue.wake().filter(|_| in_flight < pace.in_flight).map_or(tick, |wake| wake.min(tick));
            tokio::select! {
                Some(ended) = fetching.join_next() => {
                    // No task is aborted: one that did not end panicked.
                    let (fetched, held) = ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
                    if let Some(key) = held {
                        in_flight -= 1;
                        queue.finish(&key, Instant::now());
                    }
                    if let Some(fetched) = fetched {
                        is_stopped |= each(fetched).is_break();
                    }
                }
                Some(Ask { held, job }) = asked.recv() => {
                    if let Some(held) = held {
                        in_flight -= 1;
                        queue.finish(&held, Instant::now());
                    }
                    if !is_stopped {
                        queue.push(job);
                    }
                }
                Some(resolved) = resolving.join_next() => match resolved {
                    Ok(job) => queue.push(job),
                    Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Err(_aborted) => {}
                },
                Some(target) = input.next(), if !input.is_ended() && has_room(&queue, &resolving) => {
                    resolving.spawn(self.resolved(target));
                }
                () = sleep_until(wake) => {}
            }
        }
    }

    fn lookup(&self) -> Lookup {
        Lookup {
            resolver: Arc::clone(&self.resolver),
            guard: self.fetcher.guard().clone(),
            wait: self.fetcher.limits().connect,
        }
    }

    /// Resolves the name of an origin, for the limit by address.
    fn resolved(&self, target: Target) -> impl Future<Output = Job> + Send + 'static {
        let lookup = self.lookup();
        async move {
            let address = match Url::parse(target.origin.as_str()) {
                Ok(url) => lookup.address(&url).await,
                Err(_) => None,
            };
            let key = Key::new(target.origin.host(), address);
            Job { work: Work::Start(target), key }
        }
    }

    /// Fetches an origin. Returns no result if the run was stopped before a redirect had its turn; and what the fetch
    /// has a turn at.
    fn fetched(
        &self,
        target: Target,
        asks: mpsc::UnboundedSender<Ask>,
        held: Key,
    ) -> impl Future<Output = (Option<Fetched>, Option<Key>)> + Send + 'static {
        let fetcher = Arc::clone(&self.fetcher);
        let lookup = self.lookup();
        let redirect_wait = self.pace.longest_redirect_wait();
        async move {
            let turns = Turns::new(asks, lookup, redirect_wait, held);
            let order = Order { validators: target.validators.as_ref(), ..Order::of(&target.origin) };
            let fetched = fetcher.fetch_paced(&order, &turns).await;
            let (held, is_stopped) = turns.into_end();
            (Some(fetched).filter(|_| !is_stopped), held)
        }
    }
}

/// Starts the fetches and goes on with those whose turn has come, as many as there is room for. Returns how many there
/// were.
fn start<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    queue: &mut Queue,
    room: usize,
    fetching: &mut JoinSet<T>,
    fetch: impl Fn(Target, Key) -> F,
) -> usize {
    let now = Instant::now();
    let mut started = 0;
    while started < room
        && let Some(job) = queue.next(now)
    {
        match job.work {
            Work::Start(target) => {
                fetching.spawn(fetch(target, job.key));
                started += 1;
            }
            Work::Follow(go) => match go.send(()) {
                Ok(()) => started += 1,
                // The fetch gave up.
                Err(()) => queue.finish(&job.key, now),
            },
        }
    }
    started
}
