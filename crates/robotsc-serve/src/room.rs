//! The room of requests in memory: it is taken as their bytes come, never as they are promised.
//!
//! The head of a request says how long its body is, and its client can then send nothing. So a body takes room for the
//! bytes that are read, and the first of them need none: the number of connections bounds those. What is larger has a
//! share of the room by its size, so that a file of usual size waits for no large one.
//!
//! If several bodies fill a share together, and none has room for its rest, one of them has the turn: it is read to its
//! end in room that is kept for that, and then gives back what it took.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::config::Limits;
use crate::problem::Problem;

/// The bytes of a body that need no room.
const FREE_BYTES: usize = 16 << 10;
/// The maximum size of a body that does not count as large.
const USUAL_BYTES: usize = 256 << 10;

/// The room of all requests.
#[derive(Debug)]
pub(crate) struct Rooms {
    usual: Share,
    large: Share,
    wait_time: Duration,
}

/// A part of the room.
#[derive(Clone, Debug)]
struct Share {
    /// KiB of bodies.
    room: Arc<Semaphore>,
    /// Held by the body that is read to its end whatever the room.
    turn: Arc<Semaphore>,
}

impl Share {
    /// Creates a share of some bytes, with a part for a body that has the turn.
    fn new(bytes: usize, one: usize) -> Self {
        let room = bytes.saturating_sub(one) / 1024;
        Self { room: Arc::new(Semaphore::new(room.min(Semaphore::MAX_PERMITS))), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl Rooms {
    pub(crate) fn new(limits: &Limits) -> Self {
        let usual = limits.memory_bytes / 4;
        Self {
            usual: Share::new(usual, USUAL_BYTES.min(limits.body_bytes)),
            large: Share::new(limits.memory_bytes - usual, limits.body_bytes),
            wait_time: limits.wait_time,
        }
    }

    /// Returns the room of a body of which nothing is read yet. If its length is not known, it counts as large.
    pub(crate) fn of_body(&self, length: Option<usize>) -> Room {
        let is_large = length.is_none_or(|length| length > USUAL_BYTES);
        let share = if is_large { &self.large } else { &self.usual };
        Room { share: share.clone(), is_large, wait_left: self.wait_time, held: None, turn: None }
    }
}

/// The room that a request takes until it is dropped.
#[derive(Debug)]
pub(crate) struct Room {
    share: Share,
    is_large: bool,
    /// The time that all waits of the request may still take: a body grows with each of its frames.
    wait_left: Duration,
    held: Option<OwnedSemaphorePermit>,
    turn: Option<OwnedSemaphorePermit>,
}

impl Room {
    /// Reports whether the request waits with the large ones.
    pub(crate) const fn is_large(&self) -> bool {
        self.is_large
    }

    /// Waits until there is room for all bytes that are read.
    ///
    /// # Errors
    /// If there is none in time.
    pub(crate) async fn grow(&mut self, bytes: usize) -> Result<(), Problem> {
        let wanted = bytes.saturating_sub(FREE_BYTES).div_ceil(1024);
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        if self.turn.is_some() || wanted <= held {
            return Ok(());
        }
        let more = u32::try_from(wanted - held).unwrap_or(u32::MAX);
        let Share { room, turn } = self.share.clone();
        let taken = async {
            tokio::select! {
                biased;
                Ok(more) = room.acquire_many_owned(more) => (Some(more), None),
                Ok(turn) = turn.acquire_owned() => (None, Some(turn)),
                else => (None, None),
            }
        };
        let (more, turn) = self.wait(taken).await?;
        match (more, &mut self.held) {
            (Some(more), Some(held)) => held.merge(more),
            (Some(more), none) => *none = Some(more),
            (None, _) => self.turn = Some(turn.ok_or_else(Problem::busy)?),
        }
        Ok(())
    }

    /// Waits for something that the request needs, within the time that is left for all its waits.
    ///
    /// # Errors
    /// If it does not come in time.
    pub(crate) async fn wait<T>(&mut self, wanted: impl Future<Output = T>) -> Result<T, Problem> {
        let start = Instant::now();
        let found = timeout(self.wait_left, wanted).await;
        self.wait_left = self.wait_left.saturating_sub(start.elapsed());
        found.map_err(|_| Problem::busy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each wait is short enough; the time of all of them together is not.
    #[tokio::test]
    async fn the_waits_of_a_request_have_one_end() {
        let limits = Limits { wait_time: Duration::from_secs(2), ..Limits::default() };
        let mut room = Rooms::new(&limits).of_body(None);
        assert!(room.wait(tokio::time::sleep(Duration::from_secs(1))).await.is_ok());
        assert!(room.wait(tokio::time::sleep(Duration::from_millis(1800))).await.is_err());
        // What is there needs no wait.
        assert!(room.grow(FREE_BYTES + 1).await.is_ok());
    }
}
