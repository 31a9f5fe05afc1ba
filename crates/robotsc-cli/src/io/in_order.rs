//! Work on threads, in the order of the input: one thread reads, some work, and the caller's takes the results.
//!
//! A fixed number of items circulates: the reader fills one, a worker works on it, the caller takes what it needs, and
//! the reader fills it again. So memory does not grow with the input.
//!
//! The reader can wait for a pipe that never ends. So threads are never joined, and own what they use.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::stop::Stop;
use crate::failure::{Failure, io_cause};

/// How often an idle run checks whether it is to stop.
const TICK: Duration = Duration::from_millis(100);

/// An item and its number in the order of the input.
type Numbered<T> = (u64, Box<T>);

/// The caller's part of a run.
pub(crate) trait Take<T> {
    /// Takes the next item.
    fn take(&mut self, item: &mut T) -> Result<(), Failure>;

    /// Called if there is nothing to take.
    fn wait(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// Why a reader can end early: the run has ended.
pub(crate) struct Closed;

/// What a reader fills.
pub(crate) struct Items<T> {
    empty: Receiver<Box<T>>,
    filled: Sender<Numbered<T>>,
    counts: Arc<Counts>,
}

/// How many items were sent, and taken.
#[derive(Debug, Default)]
struct Counts {
    sent: AtomicU64,
    taken: AtomicU64,
}

impl Counts {
    fn is_idle(&self) -> bool {
        self.sent.load(Ordering::Relaxed) == self.taken.load(Ordering::Relaxed)
    }
}

impl<T> Items<T> {
    /// Waits for an item to fill. It is new, or was taken before.
    pub(crate) fn next(&self) -> Result<Box<T>, Closed> {
        self.empty.recv().map_err(|_| Closed)
    }

    /// Sends an item to the workers.
    pub(crate) fn send(&self, item: Box<T>) -> Result<(), Closed> {
        // The reader alone sends.
        let number = self.counts.sent.fetch_add(1, Ordering::Relaxed);
        self.filled.send((number, item)).map_err(|_| Closed)
    }

    /// Reports whether all that was sent was taken.
    pub(crate) fn is_idle(&self) -> bool {
        self.counts.is_idle()
    }
}

/// What reaches the caller.
enum Arrived<T, R> {
    Item(Numbered<T>),
    /// The reader is done: what it returned.
    End(R),
    /// A thread panicked.
    Lost,
}

/// Reports that a thread panics, so that nobody waits for it forever.
struct Watch<T, R>(Sender<Arrived<T, R>>);

impl<T, R> Drop for Watch<T, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Arrived::Lost);
        }
    }
}

/// Reads items on a thread of its own, works on them on `threads` others, and hands them to `take` in order.
///
/// Returns what `read` returned. If `stop` is given and requested, a reader that sends nothing is not waited for; then
/// returns `None`.
///
/// # Errors
/// Those of `take`, after which no more is read; if a thread cannot start; and if one panicked, which is a bug.
pub(crate) fn in_order<T, R>(
    threads: NonZeroUsize,
    stop: Option<&Stop>,
    read: impl FnOnce(Items<T>) -> R + Send + 'static,
    work: impl Fn(&mut T) + Send + Sync + 'static,
    take: &mut dyn Take<T>,
) -> Result<Option<R>, Failure>
where
    T: Default + Send + 'static,
    R: Send + 'static,
{
    // Two for each worker, so that none waits for the caller, and some for the reader, so that it does not sleep if
    // reading an item takes about as long as working on it.
    let (return_empty, empty) = sync_channel(2 * threads.get() + 8);
    while return_empty.try_send(Box::default()).is_ok() {}
    let (send_filled, filled) = channel();
    let (arrive, arrived) = channel();
    let counts = Arc::new(Counts::default());
    let items = Items { empty, filled: send_filled, counts: Arc::clone(&counts) };
    let watch = Watch(arrive.clone());
    start(move || {
        let watch = watch;
        let end = read(items);
        let _ = watch.0.send(Arrived::End(end));
    })?;
    let (filled, work) = (Arc::new(Mutex::new(filled)), Arc::new(work));
    for _ in 0..threads.get() {
        let (filled, work, watch) = (Arc::clone(&filled), Arc::clone(&work), Watch(arrive.clone()));
        start(move || work_on(&filled, &*work, &watch))?;
    }
    drop(arrive);
    let mut waiting = BTreeMap::new();
    let (mut next, mut end) = (0, None);
    while end.is_none() || next < counts.sent.load(Ordering::Relaxed) {
        match arrived.recv_timeout(TICK) {
            Ok(Arrived::Item((number, item))) => {
                waiting.insert(number, item);
            }
            Ok(Arrived::End(read)) => end = Some(read),
            Err(RecvTimeoutError::Timeout) => {
                take.wait()?;
                if stop.is_some_and(Stop::is_requested) && counts.is_idle() {
                    break;
                }
            }
            // Nothing counts as complete then.
            Ok(Arrived::Lost) | Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::new("a part was not answered: this is a bug of robotsc: please report it"));
            }
        }
        while let Some(mut item) = waiting.remove(&next) {
            next += 1;
            take.take(&mut item)?;
            counts.taken.store(next, Ordering::Relaxed);
            // The reader can be done.
            let _ = return_empty.send(item);
        }
        if counts.is_idle() {
            take.wait()?;
        }
    }
    Ok(end)
}

/// Starts a thread that is never joined.
fn start(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let started = thread::Builder::new().spawn(work);
    started.map(drop).map_err(|error| {
        Failure::new(format_args!("cannot start a thread: {}: give fewer with --threads", io_cause(&error)))
    })
}

/// Works on items until there are none.
fn work_on<T, R>(filled: &Mutex<Receiver<Numbered<T>>>, work: &dyn Fn(&mut T), watch: &Watch<T, R>) {
    loop {
        let received = match filled.lock() {
            Ok(filled) => filled.recv(),
            Err(_) => return,
        };
        let Ok((number, mut item)) = received else { return };
        work(&mut item);
        if watch.0.send(Arrived::Item((number, item))).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes numbers until there are enough.
    struct Numbers {
        taken: Vec<u64>,
        limit: usize,
    }

    impl Take<u64> for Numbers {
        fn take(&mut self, number: &mut u64) -> Result<(), Failure> {
            self.taken.push(*number);
            if self.taken.len() == self.limit { Err(Failure::new("full")) } else { Ok(()) }
        }
    }

    /// Sends the numbers up to 1,000, and returns how many.
    fn read(items: Items<u64>) -> u64 {
        let send = |number: &u64| {
            let Ok(mut item) = items.next() else { return false };
            *item = *number;
            items.send(item).is_ok()
        };
        (0..1_000).take_while(send).count() as u64
    }

    fn run(
        limit: usize,
        read: impl FnOnce(Items<u64>) -> u64 + Send + 'static,
        work: impl Fn(&mut u64) + Send + Sync + 'static,
    ) -> (Vec<u64>, Result<Option<u64>, String>) {
        let mut numbers = Numbers { taken: Vec::new(), limit };
        let end = in_order(NonZeroUsize::new(3).unwrap(), None, read, work, &mut numbers);
        (numbers.taken, end.map_err(|failure| format!("{failure:?}")))
    }

    fn double(number: &mut u64) {
        if number.is_multiple_of(97) {
            thread::sleep(Duration::from_millis(2));
        }
        *number *= 2;
    }

    #[test]
    fn results_come_in_order_and_an_error_ends_the_run() {
        let (taken, end) = run(usize::MAX, read, double);
        assert!(taken.into_iter().eq((0..1_000).map(|number| number * 2)));
        assert_eq!(end, Ok(Some(1_000)));
        let (taken, end) = run(10, read, double);
        assert_eq!((taken.len(), end.unwrap_err().contains("full")), (10, true));
    }

    #[test]
    fn a_panic_ends_the_run_with_an_error() {
        let of_worker = run(usize::MAX, read, |number| assert!(*number != 500, "a panic that the test wants"));
        let of_reader = run(usize::MAX, |_| panic!("a panic that the test wants"), double);
        for (taken, end) in [of_worker, of_reader] {
            assert!(taken.len() <= 500, "{}", taken.len());
            assert!(end.as_ref().is_err_and(|error| error.contains("this is a bug of robotsc")), "{end:?}");
        }
    }

    #[test]
    fn a_run_that_is_to_stop_does_not_wait_for_its_reader() {
        let stop = Stop::default();
        stop.request();
        let (hold, held) = channel::<()>();
        let read = move |items: Items<u64>| {
            let sent = items.next().and_then(|item| items.send(item)).is_ok();
            // It waits until the test is over.
            let _ = held.recv();
            sent
        };
        let mut numbers = Numbers { taken: Vec::new(), limit: 2 };
        let end = in_order(NonZeroUsize::MIN, Some(&stop), read, |_| {}, &mut numbers);
        assert!(matches!(end, Ok(None)), "{end:?}");
        assert_eq!(numbers.taken, [0]);
        drop(hold);
    }
}
