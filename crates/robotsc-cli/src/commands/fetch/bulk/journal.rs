//! A WARC file and a log that agree, so that a run that was killed can go on.
//!
//! ```text
//! WARC  | records of a | records of b | records of c | rec          torn: cut off
//! log   | a, up to 812 | b, up to 1702 | synced 1702 | c, up to 2690 | {"ty    torn: cut off
//! ```
//! For each fetch the records are written first, then the line of the log; each in one write, and neither is held back
//! in memory. So whenever the process is killed, the file has what the log says, and perhaps a rest, which is cut off.
//! Every few seconds both are made durable, the WARC file first. If the machine stops, what the log says after its last
//! `synced` line is believed only as far as the records can be read.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use robotsc::fetch::{Fetched, WarcWriter};
use robotsc::outcome::Outcome;

use super::log::{self, Done, Extent, Line};
use crate::commands::fetch::archive::SOFTWARE;
use crate::failure::Failure;
use robotsc_answers::shown;

/// The time after which what was written is made durable.
pub(super) const SYNC_AFTER: Duration = Duration::from_secs(5);

/// A WARC file and a log that are being written.
pub(super) struct Journal {
    warc: Appended,
    log: Appended,
    writer: WarcWriter<Vec<u8>>,
    /// Since when something was written that is not durable.
    unsynced_since: Option<Instant>,
}

/// A file that is only appended to.
struct Appended {
    name: String,
    file: File,
    length: u64,
}

impl Appended {
    /// Opens a file to append to it. It cannot be shared: another run would overwrite it.
    fn open(path: &OsStr, option: &str) -> Result<Self, Failure> {
        let name = shown::bytes(path.as_encoded_bytes());
        let way_out = format!("name a file in a directory that can be written with {option}");
        let wrong = |error: &io::Error| Failure::io("cannot write", &name, error, &way_out);
        let path = Path::new(path);
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(wrong(&io::Error::other("it is not a file")));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| wrong(&error))?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Failure::new(format_args!("in use: {name}: another run writes it: wait for its end")));
        }
        let length = file.metadata().map_err(|error| wrong(&error))?.len();
        Ok(Self { name, file, length })
    }

    /// Cuts the file to a length, and goes to its end.
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.length = length;
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn failure(&self, error: &io::Error) -> Failure {
        Failure::io(
            "cannot write",
            &self.name,
            error,
            "what was fetched until now is kept: make room, and run the same command again",
        )
    }
}

impl Journal {
    /// Opens a log and a WARC file, cuts off what a killed run left unfinished, and passes what the log says was
    /// fetched to `each`, with whether the records are in this WARC file.
    ///
    /// # Errors
    /// If a file cannot be written, is in use, or the two do not belong together.
    pub(super) fn open(log: &OsStr, warc: &OsStr, mut each: impl FnMut(&Done<'_>, bool)) -> Result<Self, Failure> {
        let file_name = shown::bytes(Path::new(warc).file_name().unwrap_or(warc).as_encoded_bytes());
        let mut log = Appended::open(log, "--log")?;
        let mut extent = read(&log, |_, _| {})?;
        let mut warc = Appended::open(warc, "--warc")?;
        let is_known = extent.warc.as_deref() == Some(&*file_name);
        if is_known {
            let length = believed(&mut extent, &mut warc)?;
            warc.cut(length).map_err(|error| warc.failure(&error))?;
        } else if warc.length > 0 {
            return Err(Failure::new(format_args!(
                "a WARC file that the log does not know: {}: {} is not about it: name a new file with --warc, or the \
                 log of this one with --log",
                warc.name, log.name
            )));
        } else {
            // Whether the other file has these records is not known: they are asked again.
            extent.length = extent.before_unsynced;
        }
        log.cut(extent.length).map_err(|error| log.failure(&error))?;
        // Once more, since the end may have been cut off.
        log.file.rewind().map_err(|error| log.failure(&error))?;
        read(&log, |done, at| each(done, is_known && at > extent.warc_from))?;
        let mut journal = Self {
            writer: WarcWriter::new(Vec::new(), SOFTWARE).map_err(|error| warc.failure(&error))?,
            warc,
            log,
            unsynced_since: None,
        };
        journal.begin(&extent, file_name)?;
        Ok(journal)
    }

    /// Writes the first lines of the log, then the first record of the WARC file: a file that has something is one that
    /// the log knows.
    fn begin(&mut self, extent: &Extent, file_name: String) -> Result<(), Failure> {
        self.log.cut(extent.length).map_err(|error| self.log.failure(&error))?;
        let mut lines = if extent.length == 0 { log::header() } else { Vec::new() };
        if extent.warc.as_deref() != Some(&*file_name) {
            lines.extend(log::bytes(&Line::Warc { file: file_name.into() }));
        }
        if !lines.is_empty() {
            let written = self.log.append(&lines).and_then(|()| self.log.file.sync_data());
            written.map_err(|error| self.log.failure(&error))?;
        }
        let first = std::mem::take(self.writer.get_mut());
        if self.warc.length == 0 {
            self.warc.append(&first).map_err(|error| self.warc.failure(&error))?;
        }
        Ok(())
    }

    /// Writes a fetch.
    ///
    /// # Errors
    /// If a file cannot be written. Then both are as they were before.
    pub(super) fn write(&mut self, fetched: &Fetched, outcome: Outcome) -> Result<(), Failure> {
        let before = (self.warc.length, self.log.length);
        let written = self.try_write(fetched, outcome);
        if written.is_err() {
            // A disk that is full lets files be cut.
            let _ = self.warc.cut(before.0);
            let _ = self.log.cut(before.1);
        }
        written
    }

    fn try_write(&mut self, fetched: &Fetched, outcome: Outcome) -> Result<(), Failure> {
        self.writer.write(fetched).map_err(|error| self.warc.failure(&error))?;
        let records = std::mem::take(self.writer.get_mut());
        self.warc.append(&records).map_err(|error| self.warc.failure(&error))?;
        let line = log::bytes(&Line::Fetched(Done::of(fetched, outcome, self.warc.length)));
        self.log.append(&line).map_err(|error| self.log.failure(&error))?;
        self.unsynced_since.get_or_insert_with(Instant::now);
        self.sync_after(SYNC_AFTER)
    }

    /// Makes durable what was written, if that is longer ago.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn sync_after(&mut self, time: Duration) -> Result<(), Failure> {
        if self.unsynced_since.is_none_or(|since| since.elapsed() < time) {
            return Ok(());
        }
        self.warc.file.sync_data().map_err(|error| self.warc.failure(&error))?;
        let line = log::bytes(&Line::Synced { warc: self.warc.length });
        self.log.append(&line).map_err(|error| self.log.failure(&error))?;
        self.log.file.sync_data().map_err(|error| self.log.failure(&error))?;
        self.unsynced_since = None;
        Ok(())
    }
}

fn read(log: &Appended, each: impl FnMut(&Done<'_>, u64)) -> Result<Extent, Failure> {
    log::read(&log.file, each).map_err(|error| {
        Failure::io("cannot resume", &log.name, &error, "name the log of an earlier run with --log, or a new file")
    })
}

/// Returns the length of the WARC file up to which it has what the log says, and cuts the log to it.
///
/// # Errors
/// If the file is shorter than it was when it was made durable: it is another one.
fn believed(extent: &mut Extent, warc: &mut Appended) -> Result<u64, Failure> {
    if warc.length < extent.synced {
        return Err(Failure::new(format_args!(
            "not the WARC file of the log: {}: it has {} bytes, and the log says that it had {}: name the file of this \
             log with --warc, or begin a new log",
            warc.name, warc.length, extent.synced
        )));
    }
    let mut good = extent.synced;
    let mut log_length = extent.before_unsynced;
    for (log, end) in &extent.unsynced {
        let is_whole = || -> io::Result<bool> {
            let mut file = &warc.file;
            file.seek(SeekFrom::Start(good))?;
            let mut members = flate2::read::MultiGzDecoder::new(file.take(end.saturating_sub(good)));
            Ok(io::copy(&mut members, &mut io::sink()).is_ok())
        };
        if *end > warc.length || *end <= good || !is_whole().map_err(|error| warc.failure(&error))? {
            break;
        }
        (good, log_length) = (*end, *log);
    }
    // Without a fetch that counts, the first record, about the file, is written anew.
    extent.length = log_length;
    Ok(good)
}
