//! What a bulk fetch is asked for, and where that comes from.

use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::Validators;
use tokio::sync::mpsc::Receiver;
use tokio::sync::mpsc::error::TryRecvError;

/// An origin to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The origin.
    pub origin: Origin,
    /// The validators of the copy that the caller holds. With them, the request is conditional, and a 304 means that
    /// the copy is current.
    pub validators: Option<Validators>,
}

impl From<Origin> for Target {
    fn from(origin: Origin) -> Self {
        Self { origin, validators: None }
    }
}

/// Where targets come from.
#[derive(Debug)]
pub(crate) enum Input<I> {
    List(I),
    Channel(Receiver<Target>),
    Ended,
}

impl<I: Iterator<Item = Target>> Input<I> {
    /// Returns the next target if it is there already.
    pub(crate) fn ready(&mut self) -> Option<Target> {
        let target = match self {
            Self::List(list) => list.next(),
            Self::Channel(channel) => match channel.try_recv() {
                Ok(target) => Some(target),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => None,
            },
            Self::Ended => None,
        };
        if target.is_none() {
            *self = Self::Ended;
        }
        target
    }

    /// Waits for the next target. Returns `None` after the last.
    pub(crate) async fn next(&mut self) -> Option<Target> {
        let target = match self {
            Self::List(list) => list.next(),
            Self::Channel(channel) => channel.recv().await,
            Self::Ended => None,
        };
        if target.is_none() {
            *self = Self::Ended;
        }
        target
    }

    pub(crate) const fn is_ended(&self) -> bool {
        matches!(self, Self::Ended)
    }
}
