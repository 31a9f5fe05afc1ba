//! The stages and their threads: one reads, some answer, and the caller's thread writes, in the order of the input.
//!
//! The reader can wait for a pipe that never ends. So a run that is to stop does not wait for a stage without work, and
//! the threads own what they use.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use robotsc_answers::shown;

use super::answer::Answers;
use super::answerer::Answerer;
use super::pieces::Pieces;
use super::policies::Policies;
use super::sinks::Sinks;
use super::totals::Totals;
use crate::failure::{Failure, complain, io_cause};
use crate::io::stop::Stop;
use crate::lists::blocks::{Block, Cut, Progress, ReadEnd, Reader};

/// How often an idle run checks whether it is to stop, and draws the progress.
const TICK: Duration = Duration::from_millis(100);

/// The maximum number of bad lines that are reported; all are counted.
const MAX_REPORTED: usize = 5;

/// What a run needs besides its inputs and outputs.
pub(crate) struct Run<P> {
    pub(crate) cut: Cut,
    pub(crate) answerer: Answerer<P>,
    pub(crate) threads: NonZeroUsize,
    pub(crate) stop: Stop,
    /// The output that gets origins to fetch instead of lines.
    pub(crate) origins: Option<usize>,
    /// Called with the number of bytes taken and of lines answered.
    pub(crate) tick: Box<dyn FnMut(u64, u64)>,
    pub(crate) quiet: bool,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) totals: Totals,
    /// What went wrong with inputs.
    pub(crate) failures: Vec<String>,
    /// Whether the run was stopped.
    pub(crate) is_stopped: bool,
}

/// What reaches the writer.
enum Arrived {
    Answered(Box<Block<Answers>>),
    End(ReadEnd),
    /// A thread panicked.
    Lost,
}

/// Reports to the writer that a thread panics, so that it does not wait forever.
struct Watch(Sender<Arrived>);

impl Drop for Watch {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Arrived::Lost);
        }
    }
}

impl<P: Policies> Run<P> {
    /// Reads all inputs, answers and writes.
    ///
    /// # Errors
    /// If an output cannot be written; [`Failure::PipeClosed`] if its reader closed it.
    pub(crate) fn run(mut self, names: Vec<OsString>, sinks: &mut Sinks) -> Result<Ended, Failure> {
        // Two for each worker, so that none waits for the writer, and some for the reader, so that it does not sleep if
        // decoding a block takes about as long as answering one.
        let blocks = 2 * self.threads.get() + 8;
        let (return_empty, empty) = channel();
        for _ in 0..blocks {
            let _ = return_empty.send(Box::new(Block::new()));
        }
        let (send_filled, filled) = sync_channel(blocks);
        let (arrive, arrived) = channel();
        let progress = Arc::new(Progress::default());
        let reader = Reader {
            cut: self.cut.clone(),
            progress: Arc::clone(&progress),
            stop: self.stop.clone(),
            done: 0,
            empty,
            filled: send_filled,
        };
        let at_end = arrive.clone();
        let shown_names: Vec<String> = names.iter().map(|name| crate::lists::input::shown_name(name)).collect();
        start(move || {
            let watch = Watch(at_end);
            let end = reader.read_all(&names);
            let _ = watch.0.send(Arrived::End(end));
        })?;
        let filled = Arc::new(Mutex::new(filled));
        for _ in 0..self.threads.get() {
            let (answerer, filled, arrive) = (self.answerer.clone(), Arc::clone(&filled), arrive.clone());
            start(move || work(&answerer, &filled, &arrive))?;
        }
        drop(arrive);
        self.write(&arrived, &return_empty, &progress, &shown_names, sinks)
    }

    fn write(
        &mut self,
        arrived: &Receiver<Arrived>,
        return_empty: &Sender<Box<Block<Answers>>>,
        progress: &Progress,
        names: &[String],
        sinks: &mut Sinks,
    ) -> Result<Ended, Failure> {
        let mut writer = Writer {
            totals: Totals::new(self.answerer.route.hits),
            sinks,
            origins: self.origins,
            names,
            place: (0, 0),
            reported: if self.quiet { MAX_REPORTED } else { 0 },
            list: Pieces::default(),
        };
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut end: Option<ReadEnd> = None;
        let mut is_stopped = false;
        while end.as_ref().is_none_or(|end| next < end.blocks) {
            match arrived.recv_timeout(TICK) {
                Ok(Arrived::Answered(block)) => {
                    waiting.insert(block.number, block);
                }
                Ok(Arrived::End(read)) => end = Some(read),
                Err(RecvTimeoutError::Timeout) => {
                    writer.sinks.flush()?;
                    let is_idle = progress.sent.load(Ordering::Relaxed) == next;
                    if self.stop.is_requested() && is_idle {
                        is_stopped = true;
                        break;
                    }
                }
                // This is a bug. Nothing counts as complete then.
                Ok(Arrived::Lost) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new("a block was not answered: this is a bug of robotsc: please report it"));
                }
            }
            while let Some(block) = waiting.remove(&next) {
                next += 1;
                writer.write(&block)?;
                progress.written.store(next, Ordering::Relaxed);
                (self.tick)(progress.taken.load(Ordering::Relaxed), writer.totals.answered());
                // The reader can be done.
                let _ = return_empty.send(block);
            }
            if progress.sent.load(Ordering::Relaxed) == next {
                writer.sinks.flush()?;
            }
        }
        is_stopped |= self.stop.is_requested();
        Ok(Ended { totals: writer.totals, failures: end.unwrap_or_default().failures, is_stopped })
    }
}

/// Starts a thread that is never joined.
fn start(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let started = thread::Builder::new().spawn(work);
    started.map(drop).map_err(|error| {
        Failure::new(format_args!("cannot start a thread: {}: give fewer with --threads", io_cause(&error)))
    })
}

/// Answers blocks until there are none.
fn work<P: Policies>(answerer: &Answerer<P>, filled: &Mutex<Receiver<Box<Block<Answers>>>>, arrive: &Sender<Arrived>) {
    let watch = Watch(arrive.clone());
    loop {
        let received = match filled.lock() {
            Ok(filled) => filled.recv(),
            Err(_) => return,
        };
        let Ok(mut block) = received else { return };
        answerer.answer(&mut block);
        if watch.0.send(Arrived::Answered(block)).is_err() {
            return;
        }
    }
}

/// Writes blocks, and adds up their counts.
struct Writer<'r> {
    totals: Totals,
    sinks: &'r mut Sinks,
    origins: Option<usize>,
    names: &'r [String],
    /// The input of the block before, and how many of its lines were written.
    place: (usize, u64),
    /// How many bad lines were reported.
    reported: usize,
    /// Origins to fetch.
    list: Pieces,
}

impl Writer<'_> {
    fn write(&mut self, block: &Block<Answers>) -> Result<(), Failure> {
        let answers = &block.work;
        for (number, pieces) in answers.outputs.iter().enumerate() {
            self.sinks.write(number, pieces, &block.bytes)?;
        }
        let (list, wanted) = (&mut self.list, self.origins.is_some());
        self.totals.add(answers, |origin| {
            if wanted {
                list.own.extend_from_slice(origin);
                list.own.push(b'\n');
            }
        });
        if let Some(number) = self.origins {
            self.sinks.write(number, &self.list, b"")?;
            self.list.clear();
        }
        if self.place.0 != block.file {
            self.place = (block.file, 0);
        }
        for bad in &answers.bad {
            if self.reported == MAX_REPORTED {
                break;
            }
            self.reported += 1;
            // The answers so far come first if both streams are one terminal.
            self.sinks.flush()?;
            let name = self.names.get(block.file).map_or("", String::as_str);
            // A record can be of several lines, and only records are counted.
            let unit = if block.layout.quoting().is_some() { "record" } else { "line" };
            let (text, number) = (shown::cut(&bad.text, 120), self.place.1 + bad.line + 1);
            complain(&format!("bad URL: '{text}': {unit} {number} of {name}: {}", bad.reason));
        }
        self.place.1 += answers.lines;
        Ok(())
    }
}
