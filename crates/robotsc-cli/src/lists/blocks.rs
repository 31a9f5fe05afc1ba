//! Blocks: the input, cut at line ends into parts that workers answer. One thread reads and decompresses them.

use std::ffi::OsString;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::csv::{RecordEnds, RestOfRecord};
use super::first_line::{ListOptions, Start};
use super::input::{self, Input};
use super::layout::{Layout, empty_lines, without_end};
use super::lines::{Lines, MAX_LINE_BYTES};
use crate::failure::{Failure, io_cause};
use crate::io::in_order::{Closed, Items};
use crate::io::stop::Stop;

/// A block on its way through the pipeline.
#[derive(Debug)]
pub(crate) struct Block<W> {
    /// The number of the input.
    pub(crate) file: usize,
    /// Where the URL is in a line.
    pub(crate) layout: Layout,
    /// Where the agent is in a line, if lines name one.
    pub(crate) agent: Option<Layout>,
    /// What was read: whole lines, and unused room after them.
    pub(crate) bytes: Vec<u8>,
    /// The lines to answer, in `bytes`. The last line of a file can lack its end.
    pub(crate) lines: Range<usize>,
    /// The header line before them, in `bytes`; empty if there is none. Only empty lines can precede it.
    pub(crate) header: Range<usize>,
    /// The lines are one that is too long, of which only the start was kept.
    pub(crate) is_cut: bool,
    /// What the worker that reads the lines keeps with them.
    pub(crate) work: W,
}

impl<W: Default> Default for Block<W> {
    fn default() -> Self {
        Self {
            file: 0,
            layout: Layout::Line,
            agent: None,
            bytes: Vec::new(),
            lines: 0..0,
            header: 0..0,
            is_cut: false,
            work: W::default(),
        }
    }
}

/// How inputs are cut.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The size of a block, in bytes, about.
    pub(crate) block: usize,
    /// What the command line says about lines.
    pub(crate) said: ListOptions,
}

/// The reader.
pub(crate) struct Reader<W> {
    pub(crate) cut: Cut,
    pub(crate) items: Items<Block<W>>,
    pub(crate) stop: Stop,
    /// Bytes of the inputs that are finished.
    pub(crate) done: u64,
    /// Bytes taken from the inputs, for others.
    pub(crate) taken: Arc<AtomicU64>,
}

impl<W> Reader<W> {
    /// Reads all inputs, one after the other, until the run ends or is to stop. An input that cannot be read is
    /// skipped. Returns what went wrong, in the order of the inputs.
    pub(crate) fn read_all(mut self, names: &[OsString]) -> Vec<String> {
        let mut failures = Vec::new();
        for (file, name) in names.iter().enumerate() {
            match input::open(name, self.cut.said.encoding) {
                Ok(mut input) => {
                    let head = input.head(MAX_LINE_BYTES);
                    let head = &head[empty_lines(&head)..];
                    let line = &head[..memchr::memchr(b'\n', head).unwrap_or(head.len())];
                    match self.cut.said.start(Path::new(name), without_end(line)) {
                        Ok(start) => {
                            if self.read_one(file, start, input, &mut failures).is_err() {
                                break;
                            }
                        }
                        Err(what) => failures.push(what),
                    }
                }
                Err(Failure::Error(what)) => failures.push(what),
                Err(Failure::PipeClosed) => {}
            }
        }
        failures
    }

    /// Reads one input to its end.
    fn read_one(
        &mut self,
        file: usize,
        start: Start,
        mut input: Input,
        failures: &mut Vec<String>,
    ) -> Result<(), Closed> {
        let Start { mut layout, agent, has_header } = start;
        // The first record can be a header, and says how many fields all records have.
        let mut wants_first = has_header || layout.quoting().is_some();
        let mut rest: Vec<u8> = Vec::new();
        loop {
            let mut block = self.items.next()?;
            block.agent = agent;
            let took = self.fill(&mut block.bytes, &rest, layout.quoting(), &mut input);
            self.taken.store(self.done + input.taken.load(Ordering::Relaxed), Ordering::Relaxed);
            rest.clear();
            let mut start = 0;
            let mut lines_end = took.lines;
            if let Some(error) = &took.error {
                failures.push(broken(&input, error, lines_end < took.filled));
            } else if took.at_end {
                lines_end = took.filled;
            }
            block.header = 0..0;
            let empty = if wants_first { empty_lines(&block.bytes[..lines_end]) } else { 0 };
            if wants_first && let Some(first) = Lines::new(&block.bytes[..lines_end], empty, layout.quoting()).next() {
                wants_first = false;
                let first = first.place;
                layout = layout.with_first(without_end(&block.bytes[first.clone()]));
                if has_header {
                    start = first.end;
                    block.header = first;
                }
            }
            block.is_cut = false;
            if !(took.at_end || took.error.is_some()) {
                if lines_end > start || !block.header.is_empty() {
                    rest.extend_from_slice(&block.bytes[lines_end..took.filled]);
                } else {
                    // The line is too long: its start is kept, to be reported as an error.
                    lines_end = took.filled;
                    block.is_cut = true;
                    // If it is the header, no other line is.
                    wants_first &= !has_header;
                    let bytes = &block.bytes[..lines_end];
                    let record = layout.quoting().map(|separator| RestOfRecord::after(bytes, separator));
                    if let Err(error) = skip_line(&mut input.reader, record, &mut rest, &self.stop) {
                        failures.push(broken(&input, &error, false));
                        block.lines = start..lines_end;
                        self.send(block, file, layout)?;
                        return Ok(());
                    }
                }
            }
            block.lines = start..lines_end;
            self.send(block, file, layout)?;
            if took.at_end || took.error.is_some() {
                self.done += input.taken.load(Ordering::Relaxed);
                return Ok(());
            }
            if self.stop.is_requested() {
                return Err(Closed);
            }
        }
    }

    /// Sends a block to the workers.
    fn send(&self, mut block: Box<Block<W>>, file: usize, layout: Layout) -> Result<(), Closed> {
        block.file = file;
        block.layout = layout;
        self.items.send(block)
    }

    /// Fills `bytes` with the rest of the block before and with more, until there are enough lines. If the other stages
    /// are idle, or a pipe has no more to read, one line is enough: so a slow pipe is answered line by line, and a fast
    /// one in blocks. A record of CSV counts as a line, and `quoting` is its separator then.
    fn fill(&self, bytes: &mut Vec<u8>, rest: &[u8], quoting: Option<u8>, input: &mut Input) -> Filled {
        let wanted = self.cut.block.max(2 * rest.len()).max(1);
        if bytes.is_empty() {
            // New memory is zero already; `resize` would write it.
            *bytes = vec![0; wanted];
        } else if bytes.len() < wanted {
            bytes.resize(wanted, 0);
        }
        bytes[..rest.len()].copy_from_slice(rest);
        // What follows a line that was too long can hold line ends; otherwise there is none.
        let mut ends = quoting.map(|separator| RecordEnds::new(separator, 0));
        let mut last_end = |bytes: &[u8], new: Range<usize>| match &mut ends {
            Some(ends) => Some(ends.last(&bytes[..new.end])).filter(|end| *end > 0),
            None => memchr::memrchr(b'\n', &bytes[new.clone()]).map(|at| new.start + at + 1),
        };
        let lines = last_end(rest, 0..rest.len()).unwrap_or(0);
        let mut took = Filled { filled: rest.len(), lines, at_end: false, error: None };
        loop {
            if took.lines > 0 && input.pipe.as_ref().is_some_and(|pipe| !pipe.has_more()) {
                return took;
            }
            match input.reader.read(&mut bytes[took.filled..]) {
                Ok(0) => took.at_end = true,
                Ok(read) => {
                    let new = took.filled..took.filled + read;
                    took.filled += read;
                    took.lines = last_end(bytes, new).unwrap_or(took.lines);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => took.error = Some(error),
            }
            if took.at_end || took.error.is_some() || (took.lines > 0 && self.items.is_idle()) {
                return took;
            }
            if took.filled == bytes.len() {
                if took.lines > 0 || took.filled > MAX_LINE_BYTES {
                    return took;
                }
                bytes.resize((2 * bytes.len()).min(MAX_LINE_BYTES + 1).max(bytes.len() + 1), 0);
            }
        }
    }
}

/// What was read into a block.
struct Filled {
    /// Bytes that were read.
    filled: usize,
    /// Bytes of them up to the last line end.
    lines: usize,
    at_end: bool,
    error: Option<io::Error>,
}

/// Reads up to the end of a line, or of a record of CSV, and keeps what follows it.
fn skip_line(
    reader: &mut dyn Read,
    mut record: Option<RestOfRecord>,
    rest: &mut Vec<u8>,
    stop: &Stop,
) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        if stop.is_requested() {
            return Ok(());
        }
        let read = match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = match &mut record {
            Some(record) => record.end(&buffer[..read]),
            None => memchr::memchr(b'\n', &buffer[..read]).map(|at| at + 1),
        };
        if let Some(end) = end {
            rest.extend_from_slice(&buffer[end..read]);
            return Ok(());
        }
    }
}

/// Returns the message for an input that ends early or is damaged, with the offset.
fn broken(input: &Input, error: &io::Error, in_line: bool) -> String {
    let taken = input.taken.load(Ordering::Relaxed);
    let what = match (input.coding, error.kind()) {
        (Some(coding), io::ErrorKind::UnexpectedEof) => format!("the {coding} stream is cut short"),
        (Some(coding), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other) => {
            format!("the {coding} stream is damaged")
        }
        _ => io_cause(error),
    };
    let except = if in_line { ", except the incomplete one" } else { "" };
    format!("cannot read: {}: byte {taken}: {what}: the lines before are answered{except}", input.name)
}
