//! Asks sites under several names, one after the other: what a server answers can depend on the `User-Agent`.
//!
//! ```text
//! shop.example  own name  robots.txt, then the page
//!               GPTBot    robots.txt, then the page     each request waits for its turn at shop.example
//!               CCBot     robots.txt, then the page
//! ```

use std::future::Future;
use std::iter;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use http::header::RETRY_AFTER;
use robotsc_frontier::outcome::FetchEnd;
use tokio::sync::mpsc;
use url::{Position, Url};

use super::queue::Key;
use super::target::{Input, Target};
use super::turns::{Ask, Turns};
use super::{Bulk, BulkLimits, Underway};
use crate::fetched::challenge;
use crate::order::Order;
use crate::{Client, Fetched, Hop, UserAgent};

/// What a site is asked: its robots.txt and a page, under the own name and then under others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The names besides the own one, in order.
    pub names: Vec<UserAgent>,
    /// The path of the page, such as `/`. What starts with no slash is not requested.
    pub page: String,
}

impl Visit {
    /// Returns the path that is requested for a page: without a fragment, and with dot segments, backslashes and blanks
    /// as clients send them. `None` if it starts with no slash.
    ///
    /// ```
    /// use robotsc::fetch::Visit;
    ///
    /// assert_eq!(Visit::requested_path("/shop/../a b?c#d").as_deref(), Some("/a%20b?c"));
    /// ```
    #[must_use]
    pub fn requested_path(page: &str) -> Option<String> {
        let page = Some(page).filter(|page| page.starts_with('/'))?;
        let url = Url::parse(&format!("https://shop.example{page}")).ok()?;
        Some(url[Position::BeforePath..Position::AfterQuery].to_owned())
    }
}

/// What a site answered to one name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Visited {
    /// The fetch of robots.txt, without its body as it was sent.
    pub robots: Fetched,
    /// The fetch of the page.
    pub page: FetchedPage,
}

/// The result of a fetch of a page, which is no robots.txt: no rules are in it, and its body is not kept.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FetchedPage {
    /// The requests, in order; with the header fields of the answers.
    pub hops: Vec<Hop>,
    /// How it ended. A body that is longer than a few kilobytes is not read to its end, which is no failure.
    pub end: FetchEnd,
    /// The number of redirects that were followed.
    pub redirects: u8,
    /// How long it took.
    pub took: Duration,
    /// What went wrong, in words, if something did.
    pub problem: Option<String>,
}

impl Visited {
    /// Reports whether the server asks to come back later, for robots.txt or for the page.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        is_limited(self.robots.end, &self.robots.hops) || self.page.is_limited()
    }

    /// Reports whether no response came to either request.
    fn is_unreachable(&self) -> bool {
        [self.robots.end, self.page.end].into_iter().all(|end| matches!(end, FetchEnd::Network(_)))
    }
}

impl FetchedPage {
    /// Reports whether the server asks to come back later: 429, or 503 with `Retry-After`.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        is_limited(self.end, &self.hops)
    }

    /// Returns the header field by which the last response says that it is a
    /// [challenge](fn@robotsc_frontier::outcome::challenge) in place of the page; `None` if it does not.
    #[must_use]
    pub fn challenge(&self) -> Option<&'static str> {
        challenge(&self.hops)
    }

    fn of(fetched: Fetched) -> Self {
        let Fetched { hops, end, redirects, took, problem, .. } = fetched;
        Self { hops, end, redirects, took, problem }
    }
}

impl<C: Client> Bulk<C> {
    /// Asks sites under several names, at the pace of [`run`](Self::run): the requests of one site follow each other,
    /// and each waits for its turn.
    ///
    /// `note` makes of each answer what is kept of it. It gets the number of the name, from 0 for the own one, what the
    /// own name got, and what this name got. `each` gets the notes of a site, in the order of the names.
    ///
    /// A site that does not answer under the own name, or asks to come back later
    /// ([`is_limited`](Visited::is_limited)), is not asked under the others. `go_on` is as for [`run`](Self::run); a
    /// site that was not asked all when the run stopped has no result.
    ///
    /// Cost: memory for the notes, and for two answers of each site that was begun. These are at most twice as many as
    /// the fetches at the same time.
    ///
    /// # Panics
    /// As [`run`](Self::run), and if `note` does.
    pub async fn visit<T: Send + 'static>(
        &self,
        targets: mpsc::Receiver<Target>,
        visit: Visit,
        note: impl Fn(usize, &Visited, &Visited) -> T + Send + Sync + 'static,
        each: impl FnMut(Vec<T>) -> ControlFlow<()>,
        go_on: impl FnMut(Underway) -> bool,
    ) {
        // A site that was begun waits with an answer in memory, unlike one that was only read.
        let pace = BulkLimits { waiting: self.pace.waiting.min(self.pace.in_flight), ..self.pace };
        let plan = Arc::new((visit, note));
        let fetch = |target, asks, held| self.visited(target, Arc::clone(&plan), asks, held);
        self.drive(pace, Input::<iter::Empty<Target>>::Channel(targets), fetch, each, go_on).await;
    }

    fn visited<T: Send, N: Fn(usize, &Visited, &Visited) -> T + Send + Sync>(
        &self,
        target: Target,
        plan: Arc<(Visit, N)>,
        asks: mpsc::UnboundedSender<Ask>,
        held: Key,
    ) -> impl Future<Output = (Option<Vec<T>>, Option<Key>)> + Send + use<T, N, C> {
        let fetcher = Arc::clone(&self.fetcher);
        let lookup = self.lookup();
        let redirect_wait = self.pace.longest_redirect_wait();
        async move {
            let turns = Turns::new(asks, lookup, redirect_wait, held);
            let (visit, note) = &*plan;
            let mut own: Option<Visited> = None;
            let mut notes = Vec::with_capacity(visit.names.len() + 1);
            for name in iter::once(None).chain(visit.names.iter().map(Some)) {
                let order = Order { name, waits: own.is_some(), ..Order::of(&target.origin) };
                let mut robots = fetcher.fetch_paced(&order, &turns).await;
                if turns.is_stopped() {
                    break;
                }
                // No archive is made of it.
                robots.encoded = None;
                let order = Order { page: Some(&visit.page), waits: true, ..order };
                let page = fetcher.fetch_paced(&order, &turns).await;
                if turns.is_stopped() {
                    break;
                }
                let visited = Visited { robots, page: FetchedPage::of(page) };
                notes.push(note(notes.len(), own.as_ref().unwrap_or(&visited), &visited));
                if own.is_none() {
                    if visited.is_unreachable() || visited.is_limited() {
                        break;
                    }
                    own = Some(visited);
                }
            }
            let (held, is_stopped) = turns.into_end();
            (Some(notes).filter(|_| !is_stopped), held)
        }
    }
}

/// Reports whether the last answer of a fetch is that the caller may come back later.
fn is_limited(end: FetchEnd, hops: &[Hop]) -> bool {
    match end {
        FetchEnd::Status(429) => true,
        FetchEnd::Status(503) => hops.last().is_some_and(|hop| hop.headers.contains_key(RETRY_AFTER)),
        _ => false,
    }
}
