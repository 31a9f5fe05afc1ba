//! The stages: blocks are read, answered on threads, and written in the order of the input.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use robotsc_answers::shown;

use super::answer::Answers;
use super::answerer::Answerer;
use super::pieces::Pieces;
use super::policies::Policies;
use super::sinks::Sinks;
use super::totals::Totals;
use crate::failure::{Failure, complain};
use crate::io::in_order::{Take, in_order};
use crate::io::stop::Stop;
use crate::lists::blocks::{Block, Cut, Reader};

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

impl<P: Policies> Run<P> {
    /// Reads all inputs, answers and writes.
    ///
    /// # Errors
    /// If an output cannot be written; [`Failure::PipeClosed`] if its reader closed it.
    pub(crate) fn run(self, names: Vec<OsString>, sinks: &mut Sinks) -> Result<Ended, Failure> {
        let Self { cut, answerer, threads, stop, origins, tick, quiet } = self;
        let taken = Arc::new(AtomicU64::default());
        let shown_names: Vec<String> = names.iter().map(|name| crate::lists::input::shown_name(name)).collect();
        let mut writer = Writer {
            totals: Totals::new(answerer.route.hits),
            sinks,
            origins,
            names: &shown_names,
            place: (0, 0),
            reported: if quiet { MAX_REPORTED } else { 0 },
            list: Pieces::default(),
            taken: Arc::clone(&taken),
            tick,
        };
        let of_reader = stop.clone();
        let read = move |items| Reader { cut, items, stop: of_reader, done: 0, taken }.read_all(&names);
        let work = move |block: &mut Block<Answers>| answerer.answer(block);
        let failures = in_order(threads, Some(&stop), read, work, &mut writer)?;
        Ok(Ended {
            totals: writer.totals,
            is_stopped: failures.is_none() || stop.is_requested(),
            failures: failures.unwrap_or_default(),
        })
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
    /// Bytes taken from the inputs.
    taken: Arc<AtomicU64>,
    tick: Box<dyn FnMut(u64, u64)>,
}

impl Take<Block<Answers>> for Writer<'_> {
    fn take(&mut self, block: &mut Block<Answers>) -> Result<(), Failure> {
        self.write(block)?;
        (self.tick)(self.taken.load(Ordering::Relaxed), self.totals.answered());
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Failure> {
        self.sinks.flush()
    }
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
