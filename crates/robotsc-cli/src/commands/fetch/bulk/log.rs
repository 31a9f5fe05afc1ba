//! The log of a bulk fetch: JSON Lines that are only appended.
//!
//! ```text
//! {"type":"log","version":1}
//! {"type":"warc","file":"new.warc.gz"}
//! {"type":"fetched","origin":"https://shop.example","at":1795300000,"end":"status","status":200,"warc":1834,
//!  "url":"https://shop.example/robots.txt","etag":"\"v1\""}                                   (one line)
//! {"type":"synced","warc":1834}
//! ```
//! A `fetched` line is written after the records of the fetch, and says how long the WARC file is with them. A `synced`
//! line is written after the WARC file was made durable up to that length.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};

use robotsc::fetch::Fetched;
use robotsc::outcome::{Outcome, Validators};
use serde::{Deserialize, Serialize};

use robotsc_answers::shown;

/// The version of the form.
const VERSION: u32 = 1;

/// A line.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Line<'l> {
    /// The first line.
    Log { version: u32 },
    /// What follows is about this WARC file.
    Warc {
        #[serde(borrow)]
        file: Cow<'l, str>,
    },
    /// The result of a fetch.
    #[serde(borrow)]
    Fetched(Done<'l>),
    /// The WARC file is durable up to this length.
    Synced { warc: u64 },
}

/// The result of a fetch.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) struct Done<'l> {
    #[serde(borrow)]
    pub(super) origin: Cow<'l, str>,
    /// When it ended, in seconds since 1970.
    pub(super) at: u32,
    #[serde(borrow)]
    end: Cow<'l, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// What else a row of the table says; absent from logs of earlier versions.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Cow<'l, str>>,
    #[serde(default)]
    redirects: u32,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    ms: u64,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    problem: Option<Cow<'l, str>>,
    /// The length of the WARC file with its records.
    pub(super) warc: u64,
    /// The URL that the validators belong to.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    url: Option<Cow<'l, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    etag: Option<Cow<'l, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    last_modified: Option<Cow<'l, str>>,
}

impl<'l> Done<'l> {
    /// Returns the result of a fetch. `warc` is the length of the WARC file with its records.
    pub(super) fn of(fetched: &'l Fetched, outcome: Outcome, warc: u64) -> Self {
        let (end, status) = (fetched.end.as_str(), fetched.end.status());
        let validators = fetched.validators.as_ref();
        // A value that is no UTF-8 is not sent back.
        let text = |value: Option<&'l [u8]>| value.and_then(|value| str::from_utf8(value).ok()).map(Cow::Borrowed);
        Self {
            origin: fetched.origin.as_str().into(),
            at: fetched.at.0,
            end: end.into(),
            status,
            outcome: Some(outcome.as_str().into()),
            redirects: fetched.redirects as u32,
            bytes: fetched.body.len() as u64,
            ms: fetched.took.as_millis() as u64,
            problem: fetched.problem.as_deref().map(Cow::Borrowed),
            warc,
            url: validators.map(|validators| validators.url().into()),
            etag: text(validators.and_then(Validators::etag)),
            last_modified: text(validators.and_then(Validators::last_modified)),
        }
    }

    /// Returns the row of the table; `None` if the log does not say what is in it.
    pub(super) fn row(&self) -> Option<String> {
        let Self { origin, redirects, bytes, ms, .. } = self;
        let outcome = self.outcome.as_deref()?;
        let status = self.status.filter(|_| self.end == "status").map(|status| status.to_string());
        let end = status.as_deref().unwrap_or(&self.end);
        let problem = shown::line(self.problem.as_deref().unwrap_or("-"));
        Some(format!("{origin}\t{outcome}\t{end}\t{redirects}\t{bytes}\t{ms}\t{problem}"))
    }

    /// Returns what the server sent to ask later whether the file changed.
    pub(super) fn validators(&self) -> Option<Validators> {
        let fields = [("etag", &self.etag), ("last-modified", &self.last_modified)];
        let fields = fields.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        Validators::from_headers(self.url.as_deref()?, fields)
    }
}

/// How far a log can be believed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// The length of its whole lines; 0 if it is new.
    pub(super) length: u64,
    /// The WARC file of its last lines.
    pub(super) warc: Option<String>,
    /// The length of the log with the line that names that file: later lines are about it.
    pub(super) warc_from: u64,
    /// The length up to which that file is durable.
    pub(super) synced: u64,
    /// After the last `synced` line: the lengths of the log and of the WARC file with each fetch.
    pub(super) unsynced: Vec<(u64, u64)>,
    /// The length of the log before the first of these.
    pub(super) before_unsynced: u64,
}

/// Reads a log, and passes each fetch to `each`, with the length of the log up to and with its line. A last line that
/// is not whole, as a killed run leaves it, is not counted; neither is what a power cut left after the last `synced`
/// line.
///
/// # Errors
/// If it cannot be read, or is no log.
pub(super) fn read(file: &File, mut each: impl FnMut(&Done<'_>, u64)) -> io::Result<Extent> {
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut extent = Extent::default();
    let (mut line, mut number, mut bad) = (Vec::new(), 0_u64, None);
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        number += 1;
        let is_whole = line.ends_with(b"\n");
        let parsed = serde_json::from_slice::<Line<'_>>(&line).ok().filter(|_| is_whole);
        let is_header = matches!(parsed, Some(Line::Log { version: VERSION }));
        if number == 1 && !is_header && (is_whole || !header().starts_with(&line)) {
            return Err(io::Error::other("it is no log of robotsc fetch"));
        }
        if bad.is_some() {
            // If something after a bad line was made durable, then so was the bad line: no power cut left it.
            if matches!(parsed, Some(Line::Synced { .. })) {
                return Err(io::Error::other(format!("line {} is damaged", bad.unwrap_or_default())));
            }
            continue;
        }
        let Some(parsed) = parsed else {
            bad = Some(number);
            continue;
        };
        extent.length += line.len() as u64;
        match parsed {
            Line::Log { .. } => extent.before_unsynced = extent.length,
            Line::Warc { file } => {
                (extent.warc, extent.synced) = (Some(file.into_owned()), 0);
                extent.unsynced.clear();
                (extent.before_unsynced, extent.warc_from) = (extent.length, extent.length);
            }
            Line::Fetched(done) => {
                extent.unsynced.push((extent.length, done.warc));
                each(&done, extent.length);
            }
            Line::Synced { warc } => {
                extent.synced = warc;
                extent.unsynced.clear();
                extent.before_unsynced = extent.length;
            }
        }
    }
    Ok(extent)
}

/// Returns the first line.
pub(super) fn header() -> Vec<u8> {
    bytes(&Line::Log { version: VERSION })
}

/// Returns the bytes of a line.
pub(super) fn bytes(line: &Line<'_>) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(line).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const HEADER: &str = "{\"type\":\"log\",\"version\":1}\n{\"type\":\"warc\",\"file\":\"a.warc.gz\"}\n";

    fn fetched(number: u64) -> String {
        format!(
            "{{\"type\":\"fetched\",\"origin\":\"http://{number}.example\",\"at\":7,\"end\":\"dns\",\
             \"warc\":{number}}}\n"
        )
    }

    fn read_text(text: &str) -> (io::Result<Extent>, Vec<String>) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        io::Seek::rewind(&mut file).unwrap();
        let mut origins = Vec::new();
        let extent = read(&file, |done, _| origins.push(done.origin.to_string()));
        (extent, origins)
    }

    #[test]
    fn a_log_counts_up_to_its_last_whole_line() {
        let synced = "{\"type\":\"synced\",\"warc\":20}\n";
        let whole = [HEADER, &fetched(10), &fetched(20), synced, &fetched(30)].concat();
        for (after, count) in
            [("", 3), ("{\"type\":\"fetch", 3), ("\0\0\0\0\n", 3), (&*format!("\0\n{}", fetched(40)), 3)]
        {
            let (extent, origins) = read_text(&format!("{whole}{after}"));
            let extent = extent.unwrap();
            assert_eq!((extent.length, origins.len()), (whole.len() as u64, count), "{after:?}");
            assert_eq!((extent.warc.as_deref(), extent.synced), (Some("a.warc.gz"), 20));
            assert_eq!(extent.unsynced, [(whole.len() as u64, 30)]);
            assert_eq!(extent.before_unsynced, (whole.len() - fetched(30).len()) as u64);
        }
        // A run that was killed at once.
        assert_eq!(read_text("").0.unwrap(), Extent::default());
        assert_eq!(read_text("{\"type\":\"lo").0.unwrap(), Extent::default());
        // What no run leaves.
        for text in
            ["User-agent: *\n", "User-agent: *", &format!("{HEADER}x\n{synced}"), "{\"type\":\"log\",\"version\":2}\n"]
        {
            assert!(read_text(text).0.is_err(), "{text}");
        }
    }

    #[test]
    fn validators_come_back() {
        let text = "{\"type\":\"fetched\",\"origin\":\"http://a.example\",\"at\":7,\"end\":\"status\",\"status\":200,\
                    \"outcome\":\"rules\",\"redirects\":1,\"bytes\":20,\"ms\":7,\
                    \"warc\":9,\"url\":\"http://a.example/robots.txt\",\"etag\":\"\\\"v1\\\"\"}\n";
        let mut file = tempfile::tempfile().unwrap();
        write!(file, "{HEADER}{text}").unwrap();
        io::Seek::rewind(&mut file).unwrap();
        let mut found = Vec::new();
        read(&file, |done, _| {
            found.push((
                bytes(&Line::Fetched(Done {
                    origin: done.origin.clone(),
                    at: done.at,
                    end: done.end.clone(),
                    status: done.status,
                    outcome: done.outcome.clone(),
                    redirects: done.redirects,
                    bytes: done.bytes,
                    ms: done.ms,
                    problem: done.problem.clone(),
                    warc: done.warc,
                    url: done.url.clone(),
                    etag: done.etag.clone(),
                    last_modified: done.last_modified.clone(),
                })),
                done.validators(),
            ))
        })
        .unwrap();
        let (again, validators) = found.pop().unwrap();
        assert_eq!(String::from_utf8(again).unwrap(), text);
        assert_eq!(validators.unwrap().etag(), Some(&b"\"v1\""[..]));
    }
}
