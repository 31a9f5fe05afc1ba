//! Manifests: lists of captures, one a line, as tab-separated values.
//!
//! The columns are the origin, the status, the time of the fetch, the file that holds the body, and the site; a first
//! line that names them, empty lines and lines that begin with `#` are skipped.
//! - origin: `https://example.com`, or a bare host for both `http` and `https`;
//! - status: of HTTP, or `redirects` if there were too many, `incomplete` if the body is incomplete, or `unreachable`,
//!   `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `refused`: the server was not reached, or sent no
//!   usable response; or `lost-redirect`: a redirect that leads nowhere; or `missing`: an FTP server has no such file;
//! - time: seconds since 1970 or RFC 3339; empty or `-` if it is not known;
//! - file: its path from the manifest's folder; empty or `-` if there was no body;
//! - site: `missing-5xx` if the site is known to answer with 5xx for pages that it does not have; else empty, `-` or
//!   absent.

use std::io::{self, BufRead, Read as _};

use robotsc_frontier::outcome::BodyEnd;

use crate::capture::{SourceAnswer, SourceResponse};
use crate::fetch_result;
use crate::site;
use crate::time;

/// A line of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) urls: Vec<String>,
    pub(crate) fetched_at: Option<u64>,
    /// What came back, without a body yet.
    pub(crate) answer: SourceAnswer,
    pub(crate) file: Option<String>,
}

/// The lines of a manifest.
#[derive(Debug)]
pub(crate) struct Rows<R> {
    text: R,
    max: usize,
    line: u64,
    bytes: Vec<u8>,
}

impl<R: BufRead> Rows<R> {
    pub(crate) fn new(text: R, max: usize) -> Self {
        Self { text, max, line: 0, bytes: Vec::new() }
    }

    /// Returns the next row and the number of its line; `Ok(Err(…))` says in words what is wrong with the line.
    ///
    /// # Errors
    /// If the manifest cannot be read.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, Result<Row, String>)>> {
        loop {
            self.bytes.clear();
            let read = self.text.by_ref().take(self.max as u64 + 1).read_until(b'\n', &mut self.bytes)?;
            if read == 0 {
                return Ok(None);
            }
            self.line += 1;
            if read > self.max && !self.bytes.ends_with(b"\n") {
                self.text.skip_until(b'\n')?;
                return Ok(Some((self.line, Err(format!("longer than {} bytes: skipped", self.max)))));
            }
            let line = self.bytes.trim_ascii_end();
            let line = if self.line == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
            if line.is_empty() || line.starts_with(b"#") || self.line == 1 && line.starts_with(b"origin\t") {
                continue;
            }
            return Ok(Some((self.line, Row::parse(line).map_err(|what| format!("{what}: skipped")))));
        }
    }
}

impl Row {
    fn parse(line: &[u8]) -> Result<Self, String> {
        let line = str::from_utf8(line).map_err(|_| "it is not UTF-8")?;
        if !line.contains('\t') {
            return Err("it has no tab: the columns are origin, status, time, file and site".to_owned());
        }
        let mut columns = line.split('\t').map(|column| match column.trim() {
            "-" => "",
            column => column,
        });
        let mut column = || columns.next().unwrap_or_default();
        let (origin, status, fetched_at, file, site) = (column(), column(), column(), column(), column());
        let cut = |text: &str| text.chars().take(60).collect::<String>().escape_default().to_string();
        let urls = site::of_origin(origin)
            .ok_or_else(|| format!("'{}' is no origin such as https://example.com", cut(origin)))?;
        let fetched_at = if fetched_at.is_empty() {
            None
        } else {
            let time = time::parse(fetched_at.as_bytes());
            Some(time.ok_or_else(|| format!("'{}' is no time: give seconds since 1970 or RFC 3339", cut(fetched_at)))?)
        };
        let missing_is_5xx = match site {
            "" => false,
            "missing-5xx" => true,
            _ => return Err(format!("'{}' is no site: give missing-5xx, or - if nothing is known", cut(site))),
        };
        let response = |status, end| {
            SourceAnswer::Response(SourceResponse { status, end, missing_is_5xx, ..SourceResponse::default() })
        };
        let answer = match (fetch_result::of_word(status), status) {
            (Some(answer), _) => answer,
            (None, "301" | "302" | "303" | "307" | "308") => {
                let way_out = "give the status of what it led to, or 'redirects' if it led nowhere";
                return Err(format!("a redirect, {status}, is no answer: {way_out}"));
            }
            (None, _) => {
                let number = status.parse().ok().filter(|number| (200..=599).contains(number) && status.len() == 3);
                let number =
                    number.ok_or_else(|| format!("'{}' is no status: give one such as 200 or timeout", cut(status)))?;
                response(number, BodyEnd::Whole)
            }
        };
        let found = matches!(&answer, SourceAnswer::Response(response)
            if (200..300).contains(&response.status) && response.end == BodyEnd::Whole);
        if found && file.is_empty() {
            return Err(format!("status {status} without a file"));
        }
        Ok(Self { urls, fetched_at, answer, file: (!file.is_empty()).then(|| file.to_owned()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(u64, Result<Row, String>)> {
        let mut rows = Rows::new(text.as_bytes(), 100);
        std::iter::from_fn(|| rows.next().unwrap()).collect()
    }

    #[test]
    fn lines_become_rows() {
        let text = "origin\tstatus\tfetched at\tfile\n# a comment\n\nhttps://a.example\t200\t1970-01-02\ta/b.txt\r\n\
                    b.example\tdns\t-\nc.example\t503\t\t\tmissing-5xx\n";
        let got = rows(text);
        let [(4, Ok(first)), (5, Ok(second)), (6, Ok(third))] = got.as_slice() else { panic!("{got:?}") };
        assert_eq!((first.fetched_at, first.file.as_deref()), (Some(86_400), Some("a/b.txt")));
        assert!(matches!(&first.answer, SourceAnswer::Response(response) if !response.missing_is_5xx));
        assert!(matches!(&third.answer, SourceAnswer::Response(last) if last.missing_is_5xx && last.status == 503));
        assert_eq!((second.urls.len(), &second.answer, &second.file), (2, &SourceAnswer::Unreachable, &None));
    }

    #[test]
    fn bad_lines_are_told_and_the_next_are_read() {
        let long = "x".repeat(500);
        for bad in [
            "a.example",
            "a.example\t99\t\tf",
            "\t200\t\tf",
            "a.example\t200",
            "a.example\t301\t\tf",
            "a.example\t200\tnever\tf",
            "a.example\t+20\t\tf",
            "a.example\t503\t\t\tup",
            long.as_str(),
        ] {
            let got = rows(&format!("{bad}\nb.example\t404\n"));
            assert!(matches!(got.as_slice(), [(1, Err(_)), (2, Ok(_))]), "{bad}: {got:?}");
        }
    }
}
