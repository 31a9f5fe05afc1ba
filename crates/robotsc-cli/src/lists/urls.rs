//! The URLs of a command line and of files: one after another, never all in memory.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::files;
use crate::lists::csv::{RecordEnds, RestOfRecord};
use crate::lists::first_line::{Column, ListOptions};
use crate::lists::format::FormatArg;
use crate::lists::input::{self, BYTE_ORDER_MARK};
use crate::lists::layout::{Layout, without_end};
use crate::lists::text::Encoding;

/// The longest line that can hold a URL. A line without an end would fill the memory.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// Bytes that are read from a list at a time.
const BUFFER_BYTES: usize = 1 << 16;
/// What is kept of a longer line, for messages.
const KEPT_BYTES: usize = 80;

/// Files of URLs, and where the URL is in their lines.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// The files; `-` is standard input.
    pub(crate) files: Vec<OsString>,
    /// The format; `None` means by the name of each file or its first line.
    pub(crate) format: Option<FormatArg>,
    /// The number of the column, from 1, or its name in the first line, or the key of JSON.
    pub(crate) column: Option<String>,
    /// Whether the first line of each file is a header.
    pub(crate) header: bool,
    /// The separator of CSV.
    pub(crate) separator: Option<u8>,
    /// The encoding, if it is not UTF-8.
    pub(crate) encoding: Option<Encoding>,
    /// Whether URLs can hold any bytes, so that a tab in a line is a part of one.
    pub(crate) raw: bool,
}

/// Why a URL has no answer, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The file; `None` for a URL of the command line.
    pub(crate) input: Option<String>,
    /// The line of the file, from 1.
    pub(crate) line: Option<u64>,
    /// The reason.
    pub(crate) reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(input), Some(line)) = (&self.input, self.line) {
            write!(f, "{input} line {line}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// A stream of URLs.
pub(crate) struct Urls {
    /// URLs of the command line; a `-` stands for standard input.
    given: std::vec::IntoIter<OsString>,
    files: std::vec::IntoIter<OsString>,
    said: ListOptions,
    raw: bool,
    /// The list that is being read.
    list: Option<List>,
    /// The URL of the command line, or the line of the list.
    line: Vec<u8>,
    /// The URL of the line.
    url: Result<Vec<u8>, String>,
}

/// A file of URLs that is open.
struct List {
    name: String,
    reader: BufReader<Box<dyn Read + Send>>,
    layout: Layout,
    /// The first line, if it is no header: it was read to find out.
    first: Option<Vec<u8>>,
    /// The number of the line that was read last, from 1.
    number: u64,
    /// The record that was read last is too long: only its start was kept.
    is_cut: bool,
}

impl Urls {
    /// Starts with the URLs of a command line, then reads the lists; standard input if there are neither.
    ///
    /// # Errors
    /// If a file does not exist, or the column cannot be one.
    pub(crate) fn new(given: Vec<OsString>, lists: Lists) -> Result<Self, Failure> {
        // A mistyped name is reported before the first answer.
        for file in lists.files.iter().filter(|file| !files::is_stdin(file)) {
            let shown = || shown::bytes(file.as_encoded_bytes());
            match fs::metadata(file) {
                Ok(metadata) if metadata.is_dir() => {
                    return Err(files::cannot_read(&shown(), &io::ErrorKind::IsADirectory.into()));
                }
                Ok(_) => {}
                Err(error) => return Err(files::cannot_read(&shown(), &error)),
            }
        }
        let column = Column::of(lists.column.as_deref()).map_err(Failure::new)?;
        let Lists { format, header, separator, encoding, .. } = lists;
        let (agent, adds) = (Column::Unsaid, Vec::new());
        let said = ListOptions { format, column, agent, header, separator, encoding, adds };
        let mut files = lists.files;
        if given.is_empty() && files.is_empty() {
            files.push("-".into());
        }
        Ok(Self {
            given: given.into_iter(),
            files: files.into_iter(),
            said,
            raw: lists.raw,
            list: None,
            line: Vec::new(),
            url: Ok(Vec::new()),
        })
    }

    /// Returns whether standard input is read for this command line.
    pub(crate) fn read_stdin(given: &[OsString], files: &[OsString]) -> bool {
        (given.is_empty() && files.is_empty()) || given.iter().chain(files).any(|name| files::is_stdin(name))
    }

    /// Returns whether the next URL can be read without waiting for more input.
    pub(crate) fn has_line_waiting(&self) -> bool {
        match &self.list {
            Some(list) => list.first.is_some() || list.reader.buffer().contains(&b'\n'),
            None => self.given.as_slice().first().is_some_and(|url| !files::is_stdin(url)),
        }
    }

    /// Moves to the next URL; returns `false` at the end. Empty lines are skipped.
    ///
    /// # Errors
    /// If a list cannot be read.
    pub(crate) fn advance(&mut self) -> Result<bool, Failure> {
        loop {
            if let Some(list) = &mut self.list {
                if list.read_record(&mut self.line)? {
                    self.url = list.url(&mut self.line, self.raw);
                    return Ok(true);
                }
                self.list = None;
            }
            let file = match self.given.next() {
                Some(url) if !files::is_stdin(&url) => {
                    self.line.clear();
                    self.line.extend_from_slice(url.as_encoded_bytes());
                    self.url = Ok(self.line.clone());
                    return Ok(true);
                }
                Some(stdin) => stdin,
                None => match self.files.next() {
                    Some(file) => file,
                    None => return Ok(false),
                },
            };
            self.list = Some(List::open(&file, &self.said)?);
        }
    }

    /// Returns the URL.
    ///
    /// # Errors
    /// Says in words why its line has none.
    pub(crate) fn url(&self) -> Result<&[u8], String> {
        self.url.as_deref().map_err(Clone::clone)
    }

    /// Returns the URL, or the line if it has none.
    pub(crate) fn line(&self) -> &[u8] {
        self.url.as_deref().unwrap_or(&self.line)
    }

    /// Returns a problem with this URL.
    pub(crate) fn problem(&self, reason: String) -> Problem {
        let list = self.list.as_ref();
        Problem { input: list.map(|list| list.name.clone()), line: list.map(|list| list.number), reason }
    }
}

impl List {
    fn open(file: &OsString, said: &ListOptions) -> Result<Self, Failure> {
        let path = Path::new(file);
        let input = input::open(file, said.encoding)?;
        let (name, reader) = (input.name, BufReader::with_capacity(BUFFER_BYTES, input.reader));
        let mut list = Self { name, reader, layout: Layout::Line, first: None, number: 0, is_cut: false };
        let mut line = Vec::new();
        let mut is_empty = !list.begin_record(&mut line)?;
        if list.number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
            if line.is_empty() {
                is_empty = !list.begin_record(&mut line)?;
            }
        }
        let start = said.start(path, &line).map_err(Failure::new)?;
        list.layout = start.layout;
        list.finish_record(&mut line)?;
        if !list.is_cut {
            list.layout = list.layout.with_first(&line);
        }
        if !start.has_header && !is_empty {
            list.first = Some(line);
        }
        Ok(list)
    }

    /// Reads the next record that is not empty, without its line end. Of a record that is too long, only the start is
    /// kept.
    fn read_record(&mut self, record: &mut Vec<u8>) -> Result<bool, Failure> {
        if let Some(first) = self.first.take() {
            *record = first;
            return Ok(true);
        }
        let has_more = self.begin_record(record)?;
        if has_more {
            self.finish_record(record)?;
        }
        Ok(has_more)
    }

    /// Reads the next line that is not empty, without its end.
    fn begin_record(&mut self, line: &mut Vec<u8>) -> Result<bool, Failure> {
        loop {
            line.clear();
            let read = self.read_line(line)?;
            if read == 0 {
                return Ok(false);
            }
            self.is_cut = read as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n");
            if self.is_cut {
                return Ok(true);
            }
            line.truncate(without_end(line).len());
            if !line.is_empty() {
                return Ok(true);
            }
        }
    }

    /// Reads on while a record of CSV, of which the first line was read, is within quotes; skips what is too long.
    fn finish_record(&mut self, record: &mut Vec<u8>) -> Result<(), Failure> {
        if let Some(separator) = self.layout.quoting().filter(|_| !self.is_cut && record.contains(&b'"')) {
            record.push(b'\n');
            let mut ends = RecordEnds::new(separator, 0);
            while ends.last(record) < record.len() {
                self.is_cut = record.len() as u64 >= MAX_LINE_BYTES;
                if self.is_cut || self.read_line(record)? == 0 {
                    break;
                }
            }
        }
        if self.is_cut {
            return self.skip_rest(record);
        }
        record.truncate(without_end(record).len());
        Ok(())
    }

    /// Reads a line to the end of `text`, as far as there is room for it, and returns its length; 0 at the end.
    fn read_line(&mut self, text: &mut Vec<u8>) -> Result<usize, Failure> {
        let room = MAX_LINE_BYTES.saturating_sub(text.len() as u64);
        let read = self.reader.by_ref().take(room).read_until(b'\n', text);
        let read = read.map_err(|error| files::cannot_read(&self.name, &error))?;
        self.number += u64::from(read > 0);
        Ok(read)
    }

    /// Skips the rest of a record that is too long.
    fn skip_rest(&mut self, start: &[u8]) -> Result<(), Failure> {
        let mut rest = self.layout.quoting().map(|separator| RestOfRecord::after(start, separator));
        let mut last = start.last().copied();
        loop {
            let next = match self.reader.fill_buf() {
                Ok(next) => next,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(files::cannot_read(&self.name, &error)),
            };
            let end = match &mut rest {
                Some(rest) => rest.end(next),
                None => memchr::memchr(b'\n', next).map(|at| at + 1),
            };
            let skipped = &next[..end.unwrap_or(next.len())];
            // The lines that begin here: after each line end but the last.
            let begins = |last: Option<u8>| u64::from(last == Some(b'\n'));
            if let Some((end, before)) = skipped.split_last() {
                self.number += begins(last) + memchr::memchr_iter(b'\n', before).count() as u64;
                last = Some(*end);
            }
            let length = skipped.len();
            self.reader.consume(length);
            if end.is_some() || length == 0 {
                return Ok(());
            }
        }
    }

    fn url(&self, line: &mut Vec<u8>, raw: bool) -> Result<Vec<u8>, String> {
        if self.is_cut {
            let reason = self.layout.too_long(line, MAX_LINE_BYTES as usize);
            line.truncate(KEPT_BYTES);
            return Err(reason);
        }
        if raw && self.layout == Layout::Line {
            return Ok(line.clone());
        }
        Ok(self.layout.url(line)?.into_owned())
    }
}

/// Refuses files among the URLs of a command line: their lines are meant, and their names can be read as paths.
///
/// # Errors
/// If one is a file that exists.
pub(crate) fn refuse_files(urls: &[OsString]) -> Result<(), Failure> {
    let is_file = |url: &&OsString| {
        let has_scheme = url.as_encoded_bytes().windows(3).any(|part| part == b"://");
        !has_scheme && !files::is_stdin(url) && Path::new(url).is_file()
    };
    match urls.iter().find(is_file) {
        None => Ok(()),
        Some(file) => {
            let name = shown::bytes(file.as_encoded_bytes());
            Err(Failure::new(format_args!(
                "a file among the URLs: {name}: for its lines use --urls {name} or < {name}; for a path of that name \
                 write the whole URL"
            )))
        }
    }
}
