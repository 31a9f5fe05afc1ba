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

use robotsc_frontier::outcome::{FetchEnd, NetworkError};
use tokio::sync::mpsc;

use super::queue::Key;
use super::target::{Input, Target};
use super::turns::{Ask, Turns};
use super::{Bulk, Underway};
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

/// What a site answered to one name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Visited {
    /// The fetch of robots.txt.
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

impl FetchedPage {
    fn of(fetched: Fetched) -> Self {
        let Fetched { hops, end, redirects, took, problem, .. } = fetched;
        Self { hops, end, redirects, took, problem }
    }
}

impl<C: Client> Bulk<C> {
    /// Asks sites under several names, at the pace of [`run`](Self::run): the requests of one site follow each other,
    /// and each waits for its turn. `each` gets what a site answered: to the own name first, then to the others in
    /// order.
    ///
    /// A site that cannot be reached under the own name, because its name has no address or none that may be connected
    /// to, is not asked under the others. `go_on` is as for [`run`](Self::run); a site that was not asked all when the
    /// run stopped has no result.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub async fn visit(
        &self,
        targets: mpsc::Receiver<Target>,
        visit: Visit,
        each: impl FnMut(Vec<Visited>) -> ControlFlow<()>,
        go_on: impl FnMut(Underway) -> bool,
    ) {
        let visit = Arc::new(visit);
        let fetch = |target, asks, held| self.visited(target, Arc::clone(&visit), asks, held);
        self.drive(Input::<iter::Empty<Target>>::Channel(targets), fetch, each, go_on).await;
    }

    fn visited(
        &self,
        target: Target,
        visit: Arc<Visit>,
        asks: mpsc::UnboundedSender<Ask>,
        held: Key,
    ) -> impl Future<Output = (Option<Vec<Visited>>, Option<Key>)> + Send + 'static {
        let fetcher = Arc::clone(&self.fetcher);
        let lookup = self.lookup();
        let redirect_wait = self.pace.redirect_wait;
        async move {
            let turns = Turns::new(asks, lookup, redirect_wait, held);
            let mut all: Vec<Visited> = Vec::with_capacity(visit.names.len() + 1);
            for name in iter::once(None).chain(visit.names.iter().map(Some)) {
                let order = Order { name, waits: !all.is_empty(), ..Order::of(&target.origin) };
                let robots = fetcher.fetch_paced(&order, &turns).await;
                if turns.is_stopped() {
                    break;
                }
                let order = Order { page: Some(&visit.page), waits: true, ..order };
                let page = fetcher.fetch_paced(&order, &turns).await;
                if turns.is_stopped() {
                    break;
                }
                let is_unreachable = [robots.end, page.end].into_iter().all(is_unreachable);
                all.push(Visited { robots, page: FetchedPage::of(page) });
                if is_unreachable && all.len() == 1 {
                    break;
                }
            }
            let (held, is_stopped) = turns.into_end();
            (Some(all).filter(|_| !is_stopped), held)
        }
    }
}

/// Reports whether no address was connected to, so that it does not matter who asks.
fn is_unreachable(end: FetchEnd) -> bool {
    matches!(end, FetchEnd::Network(NetworkError::Dns | NetworkError::Refused))
}
