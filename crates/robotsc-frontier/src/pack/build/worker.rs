//! The threads that compile: each takes batches of captures and sorts the results.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use robotsc_compiler::BodyKind;

use super::super::error::PackErrorKind;
use super::super::{PackError, PackKey, PackOptions};
use super::cache::Cache;
use super::capture::Compiled;
use super::content::{Link, MakeError, Maker};
use super::sink::{Hash, Sink, hash};
use super::sorter::Sorter;
use crate::outcome::FetchRecord;

/// The number of captures of a batch, and the bytes of their bodies.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 1 << 19;
/// The number of refused origins in the report.
const REFUSED: usize = 100;

/// The result of compiling a body.
#[derive(Clone, Copy, Debug)]
enum Made {
    Link(Link, BodyKind),
    Refused,
}

/// The state that all threads share.
#[derive(Debug)]
struct Shared {
    maker: Maker,
    folder: PathBuf,
    seed: u64,
    bodies: Cache<Made>,
    /// Programs, lists and policies that were written.
    written: Cache<()>,
    compiled: AtomicU64,
    error: Mutex<Option<PackError>>,
}

/// Captures on their way to a worker.
#[derive(Debug, Default)]
struct Batch {
    bytes: Vec<u8>,
    items: Vec<Item>,
}

#[derive(Debug)]
struct Item {
    number: u64,
    record: FetchRecord,
    origin: usize,
    body: Option<usize>,
}

/// The results of a thread, sorted.
#[derive(Debug)]
pub(crate) struct Sorted {
    pub(crate) captures: Sorter,
    pub(crate) programs: Sorter,
    pub(crate) lists: Sorter,
    pub(crate) policies: Sorter,
    pub(crate) preferences: Sorter,
    pub(crate) refused: Vec<(Vec<u8>, String)>,
    pub(crate) refused_count: u64,
    pub(crate) other_bodies: Vec<(Vec<u8>, BodyKind)>,
    pub(crate) other_body_count: u64,
}

impl Sorted {
    fn new(memory: usize) -> Self {
        Self {
            captures: Sorter::new(memory / 16 * 6),
            programs: Sorter::new(memory / 16 * 6),
            lists: Sorter::new(memory / 16 * 2),
            policies: Sorter::new(memory / 16),
            preferences: Sorter::new(memory / 16),
            refused: Vec::new(),
            refused_count: 0,
            other_bodies: Vec::new(),
            other_body_count: 0,
        }
    }
}

/// The threads, and the batch that is being filled.
#[derive(Debug)]
pub(crate) struct Workers {
    shared: Arc<Shared>,
    batch: Batch,
    send: Option<SyncSender<Batch>>,
    threads: Vec<JoinHandle<Result<Sorted, PackError>>>,
    /// The results of the caller's own thread: origins of packs.
    own: Sorted,
    /// Whether captures were lost, so that there can be no pack.
    has_failed: bool,
}

impl Workers {
    pub(crate) fn start(options: &PackOptions, folder: PathBuf) -> Result<Self, PackError> {
        let count = options.threads.get();
        // Six eighths for sorting, one for the caches, one for batches and their results.
        let each = options.memory / 8 * 6 / (count + 1);
        let shared = Arc::new(Shared {
            maker: Maker::new(options),
            folder,
            seed: options.seed,
            bodies: Cache::new(options.memory / 16),
            written: Cache::new(options.memory / 16),
            compiled: AtomicU64::new(0),
            error: Mutex::new(None),
        });
        let (send, receive) = sync_channel::<Batch>(2 * count);
        let receive = Arc::new(Mutex::new(receive));
        let work = |_| {
            let (shared, receive) = (shared.clone(), receive.clone());
            let thread = std::thread::Builder::new().spawn(move || work(&shared, &receive, each));
            thread.map_err(PackError::io("start", "a thread"))
        };
        // Those that started end when the channel closes.
        let threads = (0..count).map(work).collect::<Result<_, _>>()?;
        Ok(Self {
            shared,
            batch: Batch::default(),
            send: Some(send),
            threads,
            own: Sorted::new(each),
            has_failed: false,
        })
    }

    /// Adds a capture whose record was checked.
    pub(crate) fn push(
        &mut self,
        number: u64,
        origin: &[u8],
        record: FetchRecord,
        body: Option<&[u8]>,
    ) -> Result<(), PackError> {
        self.batch.bytes.extend_from_slice(origin);
        self.batch.bytes.extend_from_slice(body.unwrap_or_default());
        self.batch.items.push(Item { number, record, origin: origin.len(), body: body.map(<[u8]>::len) });
        if self.batch.items.len() < BATCH && self.batch.bytes.len() < BATCH_BYTES {
            return Ok(());
        }
        self.send()
    }

    fn send(&mut self) -> Result<(), PackError> {
        let batch = std::mem::take(&mut self.batch);
        let is_sent = self.send.as_ref().is_some_and(|send| send.send(batch).is_ok());
        let error = self.shared.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.has_failed |= error.is_some() || !is_sent;
        match error {
            Some(error) => Err(error),
            None if self.has_failed => Err(PackErrorKind::Worker.into()),
            None => Ok(()),
        }
    }

    /// Adds an origin of a pack.
    pub(crate) fn push_linked(&mut self, capture: &Compiled) -> Result<(), PackError> {
        let mut bytes = Vec::new();
        capture.write(&mut bytes);
        let pushed = self.own.captures.push(&self.shared.folder, &bytes);
        self.has_failed |= pushed.is_err();
        pushed
    }

    /// Makes [`finish`](Self::finish) fail: not all that was pushed is here.
    pub(crate) const fn fail(&mut self) {
        self.has_failed = true;
    }

    /// Returns the sink of an origin's programs, lists and policies.
    pub(crate) fn sink(&mut self) -> Store<'_> {
        Store { shared: &self.shared, sorted: &mut self.own, bytes: Vec::new() }
    }

    pub(crate) fn key(&self, origin: &[u8]) -> PackKey {
        PackKey::new(origin, self.shared.seed)
    }

    /// Waits for all threads. Returns what they sorted, and how many bodies were compiled.
    pub(crate) fn finish(mut self) -> Result<(Vec<Sorted>, u64), PackError> {
        if !self.batch.items.is_empty() {
            self.send()?;
        }
        drop(self.send.take());
        let mut sorted = vec![std::mem::replace(&mut self.own, Sorted::new(0))];
        for thread in std::mem::take(&mut self.threads) {
            sorted.push(thread.join().map_err(|_| PackErrorKind::Worker)??);
        }
        if let Some(error) = self.shared.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        if self.has_failed {
            return Err(PackErrorKind::Worker.into());
        }
        Ok((sorted, self.shared.compiled.load(Ordering::Relaxed)))
    }
}

impl Drop for Workers {
    /// Ends all threads of a builder that is dropped.
    fn drop(&mut self) {
        drop(self.send.take());
        for thread in std::mem::take(&mut self.threads) {
            let _ = thread.join();
        }
    }
}

fn work(shared: &Shared, receive: &Mutex<Receiver<Batch>>, memory: usize) -> Result<Sorted, PackError> {
    let mut sorted = Sorted::new(memory);
    loop {
        let batch = receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = batch else { return Ok(sorted) };
        if let Err(error) = take(shared, &batch, &mut sorted) {
            // The caller gets the error at the next batch; what is sent until then is dropped.
            shared.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            while receive.lock().unwrap_or_else(PoisonError::into_inner).recv().is_ok() {}
            return Ok(sorted);
        }
    }
}

fn take(shared: &Shared, batch: &Batch, sorted: &mut Sorted) -> Result<(), PackError> {
    let mut rest = &batch.bytes[..];
    let mut bytes = Vec::new();
    for item in &batch.items {
        let (origin, after) = rest.split_at(item.origin);
        let (body, after) = after.split_at(item.body.unwrap_or(0));
        rest = after;
        let link = match item.body {
            None => Link::Nothing,
            Some(_) => match make(shared, body, sorted)? {
                Ok((link, kind)) => {
                    if !kind.is_robots() {
                        sorted.other_body_count += 1;
                        if sorted.other_bodies.len() < REFUSED {
                            sorted.other_bodies.push((origin.to_vec(), kind));
                        }
                    }
                    link
                }
                Err(why) => {
                    sorted.refused_count += 1;
                    if sorted.refused.len() < REFUSED {
                        sorted.refused.push((origin.to_vec(), why));
                    }
                    Link::Refused
                }
            },
        };
        let key = PackKey::new(origin, shared.seed);
        let (number, record) = (item.number, item.record);
        let capture = Compiled { key, number, record, missing_at: None, link, origin: origin.to_vec() };
        capture.write(&mut bytes);
        sorted.captures.push(&shared.folder, &bytes)?;
    }
    Ok(())
}

/// Compiles a body. Returns the link to its policy and what the body is, or why it was refused.
fn make(shared: &Shared, body: &[u8], sorted: &mut Sorted) -> Result<Result<(Link, BodyKind), String>, PackError> {
    let key = hash(body);
    // Why a body was refused is not kept; such a body seldom occurs twice.
    if let Some(Made::Link(link, kind)) = shared.bodies.get(&key) {
        return Ok(Ok((link, kind)));
    }
    shared.compiled.fetch_add(1, Ordering::Relaxed);
    let mut sink = Store { shared, sorted, bytes: Vec::new() };
    match shared.maker.make(body, &mut sink) {
        Ok((link, kind)) => {
            shared.bodies.insert(key, Made::Link(link, kind));
            Ok(Ok((link, kind)))
        }
        Err(MakeError::Refused(error)) => {
            shared.bodies.insert(key, Made::Refused);
            Ok(Err(error.to_string()))
        }
        Err(MakeError::NoProgram) => {
            shared.bodies.insert(key, Made::Refused);
            Ok(Err("the compiled policy lacks a program: this is a defect of robotsc: please report it".to_owned()))
        }
        Err(MakeError::Sink(error)) => Err(error),
    }
}

/// A thread's sorters; what is known to be in one already is skipped.
#[derive(Debug)]
pub(crate) struct Store<'a> {
    shared: &'a Shared,
    sorted: &'a mut Sorted,
    bytes: Vec<u8>,
}

impl Store<'_> {
    fn record(&mut self, hash: Hash, bytes: &[u8]) -> bool {
        if !self.shared.written.insert(hash, ()) {
            return false;
        }
        self.bytes.clear();
        self.bytes.extend_from_slice(&hash);
        self.bytes.extend_from_slice(bytes);
        true
    }
}

impl Sink for Store<'_> {
    type Error = PackError;

    fn program(&mut self, hash: Hash, bytes: &[u8]) -> Result<(), PackError> {
        if self.record(hash, bytes) {
            self.sorted.programs.push(&self.shared.folder, &self.bytes)?;
        }
        Ok(())
    }

    fn list(&mut self, hash: Hash, bytes: &[u8]) -> Result<(), PackError> {
        if self.record(hash, bytes) {
            self.sorted.lists.push(&self.shared.folder, &self.bytes)?;
        }
        Ok(())
    }

    fn policy(&mut self, hash: Hash, stub: &[u8]) -> Result<(), PackError> {
        if self.record(hash, stub) {
            self.sorted.policies.push(&self.shared.folder, &self.bytes)?;
        }
        Ok(())
    }

    fn preferences(&mut self, hash: Hash, bytes: &[u8]) -> Result<(), PackError> {
        if self.record(hash, bytes) {
            self.sorted.preferences.push(&self.shared.folder, &self.bytes)?;
        }
        Ok(())
    }
}
