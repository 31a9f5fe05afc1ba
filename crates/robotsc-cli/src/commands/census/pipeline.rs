//! Runs work on threads, and takes the results in the order of the input.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

/// Reads items on a thread of its own, works on them on `threads` others, and hands the results to `take` in order.
///
/// `read` gets a function that sends an item, and stops if that returns `false`. Memory is bounded: four items a thread
/// are on their way at most, however slow one of them or `take` is.
///
/// # Errors
/// Of `take`, after which no more is read.
pub(super) fn in_order<I: Send, O: Send, R: Send, E>(
    threads: NonZeroUsize,
    read: impl FnOnce(&mut dyn FnMut(I) -> bool) -> R + Send,
    work: impl Fn(I) -> O + Sync,
    mut take: impl FnMut(O) -> Result<(), E>,
) -> Result<R, E> {
    let most = 4 * threads.get();
    let (send_item, items) = sync_channel::<(u64, I)>(most);
    let (items, work) = (&Mutex::new(items), &work);
    thread::scope(|scope| {
        // An item is sent for each token; the writer returns them.
        let (return_token, tokens) = channel();
        for _ in 0..most {
            let _ = return_token.send(());
        }
        let (send_result, results) = channel::<(u64, O)>();
        let reader = scope.spawn(move || {
            let mut number = 0;
            read(&mut |item| {
                number += 1;
                tokens.recv().is_ok() && send_item.send((number - 1, item)).is_ok()
            })
        });
        for _ in 0..threads.get() {
            let send_result = send_result.clone();
            scope.spawn(move || {
                loop {
                    let Ok(Ok((number, item))) = items.lock().map(|items| items.recv()) else { return };
                    if send_result.send((number, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send_result);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                take(result)?;
                // The reader can be done.
                let _ = return_token.send(());
            }
        }
        // A panic goes on here, and not in a result.
        Ok(reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_an_error_stops_the_reader() {
        let threads = NonZeroUsize::new(3).unwrap();
        let mut taken = Vec::new();
        let read = |send: &mut dyn FnMut(u64) -> bool| (0..1_000).take_while(|item| send(*item)).count();
        let work = |item: u64| {
            if item.is_multiple_of(97) {
                thread::sleep(std::time::Duration::from_millis(2));
            }
            item * 2
        };
        let count = in_order(threads, read, work, |result| {
            taken.push(result);
            Ok::<(), ()>(())
        });
        assert_eq!(count, Ok(1_000));
        assert!(taken.into_iter().eq((0..1_000).map(|item| item * 2)));
        let mut left = 10;
        let stopped = in_order(threads, read, work, |_| {
            left -= 1;
            if left == 0 { Err("full") } else { Ok(()) }
        });
        assert_eq!(stopped, Err("full"));
    }
}
