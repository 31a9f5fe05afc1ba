//! The turns of one fetch, or of one site that is asked under several names: at the start it has one, and for each
//! further request it gives it back and waits for the next.
//!
//! ```text
//! fetch of shop.example      has a turn at shop.example
//! 301 to www.shop.example    gives it back, waits in the queue of shop.example, has a turn again
//! 301 to cdn.example         gives it back, waits in the queue of cdn.example, has a turn there
//! under another name         gives it back, waits in the queue of shop.example, has a turn again
//! ```
//!
//! Only redirects wait for a limited time. Thousands of origins can redirect to one site, but of those that are asked
//! under several names, few are under way.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use robotsc_frontier::outcome::NetworkError;
use tokio::sync::{mpsc, oneshot};
use url::Url;

use super::lookup::Lookup;
use super::queue::{Job, Key, Work};
use crate::client::Fault;
use crate::pacing::Pacing;

/// A fetch gives its turn back, if it has one, and asks for another.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) held: Option<Key>,
    pub(crate) job: Job,
}

/// The turns of one fetch, or of one site.
#[derive(Debug)]
pub(crate) struct Turns {
    asks: mpsc::UnboundedSender<Ask>,
    lookup: Lookup,
    /// The longest time that a redirect waits for its turn.
    redirect_wait: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// What the fetch has a turn at.
    held: Option<Key>,
    is_stopped: bool,
}

impl Turns {
    pub(crate) fn new(asks: mpsc::UnboundedSender<Ask>, lookup: Lookup, redirect_wait: Duration, held: Key) -> Self {
        Self { asks, lookup, redirect_wait, state: Mutex::new(State { held: Some(held), is_stopped: false }) }
    }

    /// Reports whether the run was stopped while the fetch waited for a turn.
    pub(crate) fn is_stopped(&self) -> bool {
        self.with(|state| state.is_stopped)
    }

    /// Returns what the fetch has a turn at, and whether it was stopped while it waited for one.
    pub(crate) fn into_end(self) -> (Option<Key>, bool) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.held, state.is_stopped)
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Pacing for Turns {
    async fn turn(&self, url: &Url, is_redirect: bool) -> Result<(), Fault> {
        let address = self.lookup.address(url).await;
        let key = Key::new(url.host_str().unwrap_or_default(), address);
        let (go, mut turn) = oneshot::channel();
        // A fetch that had no turn in time can be one of several, and holds none then.
        let held = self.with(|state| state.held.take());
        // If nobody listens, the sender is dropped, as it is on a stop.
        let _ = self.asks.send(Ask { held, job: Job { work: Work::Follow(go), key: key.clone() } });
        let waited = match is_redirect {
            true => tokio::time::timeout(self.redirect_wait, &mut turn).await,
            false => Ok((&mut turn).await),
        };
        // A turn that came at the last moment must be given back like any other.
        turn.close();
        match (waited, turn.try_recv()) {
            (Ok(Ok(())), _) | (_, Ok(())) => {
                self.with(|state| state.held = Some(key));
                Ok(())
            }
            (Ok(Err(_)), _) => {
                self.with(|state| state.is_stopped = true);
                Err(Fault::new(NetworkError::Refused, "the run was stopped"))
            }
            (Err(_), _) => {
                let what = "it redirects to a site that many others wait for, and had no turn in time";
                Err(Fault::new(NetworkError::Timeout, what))
            }
        }
    }
}
