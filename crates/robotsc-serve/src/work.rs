//! How much is done at a time: streams and answers in memory, and analyses.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::config::Limits;
use crate::problem::Problem;
use crate::room::{Room, Rooms};

/// The size from which answers of a stream are sent.
pub(crate) const CHUNK_BYTES: usize = 128 << 10;
/// The number of chunks of a stream that wait for the client.
pub(crate) const CHUNKS: usize = 2;

/// Returns what the chunks of a stream take at most: those that wait and one that is written, each with an answer after
/// its end, whose URL and path take up to nine times the bytes of the URL in JSON.
pub(crate) const fn stream_bytes(limits: &Limits) -> usize {
    (CHUNKS + 1) * (CHUNK_BYTES + 9 * limits.url_bytes)
}

/// Permits for what is bounded.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) rooms: Rooms,
    /// KiB of streams, which last as long as their clients want and so must not take the room of requests.
    streams: Arc<Semaphore>,
    /// KiB of answers that clients have not read yet.
    answers: Arc<Semaphore>,
    analyses: Arc<Semaphore>,
    /// Those of large requests, and of streams.
    large_analyses: Arc<Semaphore>,
    #[cfg(feature = "fetch")]
    fetches: Arc<Semaphore>,
    wait_time: Duration,
}

impl Work {
    pub(crate) fn new(limits: &Limits) -> Self {
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.clamp(1, Semaphore::MAX_PERMITS)));
        // What one request may take is there, however little all may.
        let room = |bytes: usize, one: usize| semaphore(kib(bytes.max(one)) as usize);
        let all = limits.memory_bytes;
        Self {
            rooms: Rooms::new(limits),
            streams: room(all.saturating_mul(2), stream_bytes(limits) + 4 * limits.body_bytes),
            answers: room(all, limits.answer_bytes),
            analyses: semaphore(limits.analyses),
            large_analyses: semaphore(limits.analyses),
            #[cfg(feature = "fetch")]
            fetches: semaphore(limits.fetches),
            wait_time: limits.wait_time,
        }
    }

    /// Waits until there is room for a stream of some bytes; it is taken until the permit is dropped.
    ///
    /// # Errors
    /// If there is none in time.
    pub(crate) async fn stream(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        self.wait(&self.streams, kib(bytes)).await
    }

    /// Gives a part of the room of a stream back, or waits for more.
    ///
    /// # Errors
    /// If there is none in time.
    pub(crate) async fn resize(
        &self,
        mut room: OwnedSemaphorePermit,
        bytes: usize,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        let (has, wants) = (room.num_permits(), kib(bytes) as usize);
        if has > wants {
            drop(room.split(has - wants));
        } else if has < wants {
            room.merge(self.wait(&self.streams, u32::try_from(wants - has).unwrap_or(u32::MAX)).await?);
        }
        Ok(room)
    }

    /// Takes room for an answer of some bytes until the permit is dropped. It does not wait: the answer is in memory.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn answer(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        self.answers.clone().try_acquire_many_owned(kib(bytes)).map_err(|_| Problem::busy())
    }

    /// Waits for the turn of a fetch.
    ///
    /// # Errors
    /// If it does not come in time.
    #[cfg(feature = "fetch")]
    pub(crate) async fn fetch(&self) -> Result<OwnedSemaphorePermit, Problem> {
        self.wait(&self.fetches, 1).await
    }

    /// Runs the analysis of a request when its turn comes, on a thread where it holds up no other request. Large
    /// requests wait for each other, and no other waits for them. The request keeps its room to the end of the
    /// analysis.
    ///
    /// # Errors
    /// If its turn does not come in time. Its own work budget bounds its time. If its caller goes away, it goes on to
    /// its end and keeps its permit until then.
    pub(crate) async fn analyse<T: Send + 'static>(
        &self,
        mut room: Room,
        analysis: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turns = if room.is_large() { &self.large_analyses } else { &self.analyses };
        let permit = room.wait(turns.clone().acquire_owned()).await?.map_err(|_| Problem::busy())?;
        run((permit, room), analysis).await
    }

    /// Runs the first analysis of a stream as [`analyse`](Self::analyse) does.
    ///
    /// # Errors
    /// If its turn does not come in time.
    pub(crate) async fn analyse_head<T: Send + 'static>(
        &self,
        analysis: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = self.wait(&self.large_analyses, 1).await?;
        run(permit, analysis).await
    }

    /// Runs a part of a stream as [`analyse`](Self::analyse) does, however long its turn takes to come: a stream that
    /// began is answered to its end.
    ///
    /// # Errors
    /// If the analysis breaks off.
    pub(crate) async fn analyse_part<T: Send + 'static>(
        &self,
        analysis: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        // The semaphore is never closed.
        let permit = self.large_analyses.clone().acquire_owned().await.ok();
        run(permit, analysis).await
    }

    async fn wait(&self, permits: &Arc<Semaphore>, count: u32) -> Result<OwnedSemaphorePermit, Problem> {
        match timeout(self.wait_time, permits.clone().acquire_many_owned(count)).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Problem::busy()),
        }
    }
}

/// Runs an analysis on a thread of its own, with its permit.
async fn run<T: Send + 'static>(
    permit: impl Send + 'static,
    analysis: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let running = tokio::task::spawn_blocking(move || {
        let answer = analysis();
        drop(permit);
        answer
    });
    running.await.map_err(|_| Problem::internal("the analysis broke off"))
}

/// Returns bytes in KiB, at least 1.
fn kib(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1024).max(1)).unwrap_or(u32::MAX)
}
