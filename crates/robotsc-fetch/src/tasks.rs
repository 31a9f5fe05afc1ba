//! Tasks that end with the fetch that started them.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinSet;

/// Where a connection runs its tasks. HTTP/2 has some of its own, which would outlive the fetch if the server does not
/// close.
#[derive(Clone, Debug)]
pub(crate) struct Spawner(Arc<Mutex<JoinSet<()>>>);

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Spawner {
    fn execute(&self, task: F) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).spawn(task);
    }
}

/// The tasks of a connection: dropping it ends them.
#[derive(Debug)]
pub(crate) struct Tasks(Spawner);

impl Tasks {
    pub(crate) fn new() -> Self {
        Self(Spawner(Arc::default()))
    }

    pub(crate) fn spawner(&self) -> Spawner {
        self.0.clone()
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }
}
