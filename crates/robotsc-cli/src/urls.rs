//! The URLs that are asked about: from the command line, then from standard input, one by one and never all at once.

use std::ffi::OsString;
use std::io::{self, BufRead as _, Read as _, StdinLock};

use crate::failure::Failure;
use crate::shown;
use crate::source;

/// The longest line of standard input that is taken for a URL. A line without an end would fill the memory.
const MOST_OCTETS: u64 = 1 << 20;

/// A stream of URLs.
#[derive(Debug)]
pub(crate) struct Urls {
    given: std::vec::IntoIter<OsString>,
    stdin: Option<StdinLock<'static>>,
    line: u64,
    url: Vec<u8>,
    too_long: bool,
}

impl Urls {
    /// The URLs of a command line; standard input where there is none, and where one is `-`.
    pub(crate) fn new(given: Vec<OsString>) -> Self {
        let stdin = given.is_empty().then(|| io::stdin().lock());
        Self { given: given.into_iter(), stdin, line: 0, url: Vec::new(), too_long: false }
    }

    /// Whether standard input is read for URLs of this command line.
    pub(crate) fn read_stdin(given: &[OsString]) -> bool {
        given.is_empty() || given.iter().any(|url| source::is_stdin(url))
    }

    /// Goes to the next URL, if any; empty lines are none.
    pub(crate) fn advance(&mut self) -> Result<bool, Failure> {
        loop {
            if self.stdin.is_some() {
                if self.read_line()? {
                    return Ok(true);
                }
                self.stdin = None;
                continue;
            }
            let Some(url) = self.given.next() else { return Ok(false) };
            if source::is_stdin(&url) {
                self.stdin = Some(io::stdin().lock());
                continue;
            }
            self.url.clear();
            self.url.extend_from_slice(url.as_encoded_bytes());
            return Ok(true);
        }
    }

    /// The URL, or `Err` where its line is too long to be one.
    pub(crate) fn url(&self) -> Result<&[u8], String> {
        if self.too_long {
            return Err(format!("longer than {} KiB", MOST_OCTETS >> 10));
        }
        Ok(&self.url)
    }

    /// The URL for messages, cut where it is long.
    pub(crate) fn shown(&self) -> String {
        shown::cut(&self.url, 120)
    }

    /// Where the URL stands, for messages: `: line 7 of standard input`, or nothing for the command line.
    pub(crate) fn place(&self) -> String {
        if self.stdin.is_some() { format!(": line {} of standard input", self.line) } else { String::new() }
    }

    fn read_line(&mut self) -> Result<bool, Failure> {
        let Some(stdin) = &mut self.stdin else { return Ok(false) };
        let unreadable = |error| source::cannot_read("standard input", &error);
        loop {
            self.url.clear();
            let read = stdin.by_ref().take(MOST_OCTETS).read_until(b'\n', &mut self.url).map_err(unreadable)?;
            if read == 0 {
                return Ok(false);
            }
            self.line += 1;
            self.too_long = read as u64 == MOST_OCTETS && !self.url.ends_with(b"\n");
            if self.too_long {
                stdin.skip_until(b'\n').map_err(unreadable)?;
                self.url.truncate(80);
                return Ok(true);
            }
            if self.url.ends_with(b"\n") {
                self.url.pop();
            }
            if self.url.ends_with(b"\r") {
                self.url.pop();
            }
            if !self.url.is_empty() {
                return Ok(true);
            }
        }
    }
}
