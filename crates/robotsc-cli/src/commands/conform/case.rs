//! Conformance cases: one JSON object a line, plain, gzip or zstd.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use robotsc_answers::shown;
use serde::Deserialize;

use super::args::Expect;
use crate::failure::{Failure, io_cause};
use crate::io::decode::decoded;
use crate::io::files;

/// The longest line of a file of cases.
const MAX_LINE_BYTES: u64 = 256 << 20;

/// A case.
#[derive(Debug)]
pub(crate) struct Case {
    /// Its line in the file, from 1.
    pub(crate) line: u64,
    /// Its name in its suite; cases can share one.
    pub(crate) name: String,
    /// How the suite's answer relates to google/robotstxt's, if the file says so.
    pub(crate) class: Option<String>,
    /// The question.
    pub(crate) question: Question,
}

/// The question of a case, and the answer that it expects.
#[derive(Debug)]
pub(crate) enum Question {
    /// May the agents fetch the URL?
    Verdict { robots: Vec<u8>, agents: Vec<String>, url: Vec<u8>, expected: bool },
    /// Which path does google/robotstxt read from the URL?
    UrlToPath { url: Vec<u8>, expected: Vec<u8> },
    /// What does google/robotstxt make of the pattern?
    EscapePattern { pattern: Vec<u8>, expected: Vec<u8> },
    /// What does the parser count? Only the figures that the case names are compared.
    ParseReport { robots: Vec<u8>, expected: ParseReport },
    /// Nothing: the suite gives no verdict.
    NoVerdict,
    /// An unknown kind of case.
    Unknown,
}

/// What a parser counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParseReport {
    /// Lines with a directive of google/robotstxt.
    pub(crate) valid: Option<u32>,
    /// Lines with any other key.
    pub(crate) unknown: Option<u32>,
    /// The last line with a key, from 1.
    pub(crate) last_line: Option<u32>,
}

/// A line of a file, before it is checked.
#[derive(Deserialize)]
struct Row {
    kind: Option<String>,
    case: Option<String>,
    robots: Option<String>,
    robots_b64: Option<String>,
    agents: Option<Vec<String>>,
    url: Option<String>,
    url_b64: Option<String>,
    allowed: Option<bool>,
    google: Option<bool>,
    vs_google: Option<String>,
    r#in: Option<String>,
    out: Option<String>,
    valid_directives: Option<u32>,
    unknown_directives: Option<u32>,
    last_line_seen: Option<u32>,
}

/// A file of cases.
pub(crate) struct Cases {
    reader: Box<dyn BufRead>,
    name: String,
    line: u64,
    expect: Option<Expect>,
}

impl Cases {
    /// Opens a file of cases; `-` is standard input. gzip and zstd are recognized.
    pub(crate) fn open(name: &OsStr, expect: Option<Expect>) -> Result<Self, Failure> {
        let shown = shown::bytes(name.as_encoded_bytes());
        let open = || -> io::Result<Box<dyn BufRead>> {
            let file =
                if files::is_stdin(name) { decoded(io::stdin()) } else { decoded(files::open(Path::new(name))?) };
            Ok(Box::new(BufReader::with_capacity(1 << 16, file?)))
        };
        match open() {
            Ok(reader) => Ok(Self { reader, name: shown, line: 0, expect }),
            Err(error) => {
                Err(Failure::io("cannot read", &shown, &error, "give a file of cases, one JSON object a line"))
            }
        }
    }

    /// Returns the file's name without its folders and endings.
    pub(crate) fn suite(&self) -> &str {
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        let name = name.strip_suffix(".gz").unwrap_or(name);
        name.strip_suffix(".jsonl").unwrap_or(name)
    }

    /// Returns the next case, `None` at the end, or `Err` with a message about a line that is no case. After an error
    /// of the file itself comes the end.
    pub(crate) fn next_case(&mut self) -> Option<Result<Case, String>> {
        loop {
            let mut text = Vec::new();
            match self.reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) => self.line += 1,
                Err(error) => {
                    self.reader = Box::new(io::empty());
                    let (name, line) = (&self.name, self.line + 1);
                    return Some(Err(format!("cannot read: {name}: line {line}: {}", io_cause(&error))));
                }
            }
            if text.trim_ascii().is_empty() {
                continue;
            }
            return Some(
                self.case(&text).map_err(|reason| format!("bad case: {}: line {}: {reason}", self.name, self.line)),
            );
        }
    }

    fn case(&self, text: &[u8]) -> Result<Case, String> {
        let row: Row = serde_json::from_slice(text).map_err(|error| {
            let cause = error.to_string();
            // serde_json counts lines within this one line.
            match cause.rsplit_once(" at line ") {
                Some((cause, _)) => format!("no case in JSON: {cause} at column {}", error.column()),
                None => format!("no case in JSON: {cause}"),
            }
        })?;
        let name = row.case.clone().unwrap_or_default();
        Ok(Case { line: self.line, name, class: row.vs_google.clone(), question: question(row, self.expect)? })
    }
}

fn question(row: Row, expect: Option<Expect>) -> Result<Question, String> {
    let bytes = |name: &str, text: Option<String>, encoded: Option<String>| match (text, encoded) {
        (Some(text), None) => Ok(text.into_bytes()),
        (None, Some(encoded)) => STANDARD.decode(encoded).map_err(|_| format!("`{name}_b64` is no base64")),
        (None, None) => Err(format!("neither `{name}` nor `{name}_b64`")),
        (Some(_), Some(_)) => Err(format!("both `{name}` and `{name}_b64`")),
    };
    let both = |given: Option<String>, out: Option<String>| match (given, out) {
        (Some(given), Some(out)) => Ok((given.into_bytes(), out.into_bytes())),
        _ => Err("`in` or `out` is missing".to_owned()),
    };
    match row.kind.as_deref() {
        None | Some("verdict") => {
            let robots = bytes("robots", row.robots, row.robots_b64)?;
            let agents = row.agents.ok_or("no `agents`")?;
            let url = bytes("url", row.url, row.url_b64)?;
            let expected = match expect {
                Some(Expect::Google) => row.google,
                Some(Expect::Allowed) => row.allowed,
                None => row.allowed.map(|allowed| row.google.unwrap_or(allowed)),
            };
            Ok(expected.map_or(Question::NoVerdict, |expected| Question::Verdict { robots, agents, url, expected }))
        }
        Some("url_to_path") => both(row.r#in, row.out).map(|(url, expected)| Question::UrlToPath { url, expected }),
        Some("escape_pattern") => {
            both(row.r#in, row.out).map(|(pattern, expected)| Question::EscapePattern { pattern, expected })
        }
        Some("parse_report") => {
            let robots = bytes("robots", row.robots, row.robots_b64)?;
            let expected = ParseReport {
                valid: row.valid_directives,
                unknown: row.unknown_directives,
                last_line: row.last_line_seen,
            };
            Ok(Question::ParseReport { robots, expected })
        }
        Some(_) => Ok(Question::Unknown),
    }
}
