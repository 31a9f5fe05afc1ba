//! The origins of a bulk fetch: from the command line, files and a pack, each once, read when there is room for them.

use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use robotsc::fetch::Target;
use robotsc::origin::Origin;
use robotsc_answers::shown;
use tokio::sync::mpsc::Sender;

use super::refresh::Refresh;
use crate::failure::{Failure, complain};
use crate::io::files;
use crate::io::network;
use crate::lists::input::{self, BYTE_ORDER_MARK};

/// The maximum number of bytes of a line. No origin is longer.
const MAX_LINE_BYTES: usize = 4 << 10;

/// The maximum number of lines without an origin that are reported one by one.
const MAX_REPORTED: u64 = 10;

/// Origins by a hash of 64 bits: of fifty million, two have the same with a probability of 1 in 10,000. Then one of
/// them is not fetched, and stays unknown.
#[derive(Debug, Default)]
pub(super) struct Seen {
    hasher: RandomState,
    hashes: HashSet<u64>,
}

impl Seen {
    /// Adds an origin. Returns `false` if it is there.
    pub(super) fn insert(&mut self, origin: &str) -> bool {
        self.hashes.insert(self.hasher.hash_one(origin))
    }

    /// Reports whether an origin is there.
    pub(super) fn contains(&self, origin: &str) -> bool {
        self.hashes.contains(&self.hasher.hash_one(origin))
    }
}

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Origins that were read, each once.
    pub(super) origins: AtomicU64,
    /// Of these, those that the log has.
    pub(super) known: AtomicU64,
    /// Lines that are no origin.
    pub(super) bad: AtomicU64,
    /// Bytes that were taken from the files.
    pub(super) bytes: AtomicU64,
    pub(super) is_ended: AtomicBool,
    /// Files that cannot be read.
    pub(super) failures: Mutex<Vec<String>>,
}

/// Reads origins and passes them on.
pub(super) struct Feeder {
    pub(super) origins: Vec<Origin>,
    pub(super) files: Vec<OsString>,
    pub(super) refresh: Option<Refresh>,
    /// What the log says was fetched.
    pub(super) fetched: Seen,
    pub(super) counts: Arc<Counts>,
    pub(super) targets: Sender<Target>,
}

/// The run takes no more origins.
struct Closed;

impl Feeder {
    /// Reads all origins, until the run takes no more.
    pub(super) fn run(mut self) {
        let mut seen = Seen::default();
        let _ = self.feed(&mut seen);
        self.counts.is_ended.store(true, Ordering::Relaxed);
    }

    fn feed(&mut self, seen: &mut Seen) -> Result<(), Closed> {
        for origin in std::mem::take(&mut self.origins) {
            self.pass(origin.into(), seen)?;
        }
        if let Some(refresh) = self.refresh.take() {
            for target in refresh.due() {
                self.pass(target, seen)?;
            }
        }
        for name in std::mem::take(&mut self.files) {
            self.file(&name, seen)?;
        }
        Ok(())
    }

    /// Passes an origin on, unless it was before.
    fn pass(&mut self, target: Target, seen: &mut Seen) -> Result<(), Closed> {
        if !seen.insert(target.origin.as_str()) {
            return Ok(());
        }
        self.counts.origins.fetch_add(1, Ordering::Relaxed);
        if self.fetched.contains(target.origin.as_str()) {
            self.counts.known.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        self.targets.blocking_send(target).map_err(|_| Closed)
    }

    /// Passes on the origins of a file, one a line.
    fn file(&mut self, name: &OsString, seen: &mut Seen) -> Result<(), Closed> {
        let shown_name = if files::is_stdin(name) { files::STDIN_NAME.to_owned() } else { input::shown_name(name) };
        let unreadable = |error: &std::io::Error| format!("cannot read: {shown_name}: {error}: not all of it was read");
        let input = match input::open(name, None) {
            Ok(input) => input,
            Err(Failure::Error(message)) => {
                self.failed(message);
                return Ok(());
            }
            Err(Failure::PipeClosed) => return Ok(()),
        };
        let before = self.counts.bytes.load(Ordering::Relaxed);
        let mut reader = BufReader::with_capacity(1 << 16, input.reader);
        let (mut line, mut number) = (Vec::new(), 0_u64);
        loop {
            line.clear();
            number += 1;
            match reader.by_ref().take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) => {
                    self.failed(unreadable(&error));
                    return Ok(());
                }
            }
            self.counts.bytes.store(before + input.taken.load(Ordering::Relaxed), Ordering::Relaxed);
            let is_long = line.len() == MAX_LINE_BYTES && !line.ends_with(b"\n");
            if is_long && let Err(error) = reader.skip_until(b'\n') {
                self.failed(unreadable(&error));
                return Ok(());
            }
            let text = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| number == 1).unwrap_or(&line).trim_ascii();
            if text.is_empty() {
                continue;
            }
            let origin = match is_long {
                true => Err(format!("it is longer than {MAX_LINE_BYTES} bytes")),
                false => network::parse_origin(text),
            };
            match origin {
                Ok(origin) => self.pass(origin.into(), seen)?,
                Err(why) => {
                    if self.counts.bad.fetch_add(1, Ordering::Relaxed) < MAX_REPORTED {
                        complain(&format!("not a site: {shown_name}: line {number}: {}: skipped", shown::line(&why)));
                    }
                }
            }
        }
    }

    fn failed(&self, message: String) {
        self.counts.failures.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }
}
