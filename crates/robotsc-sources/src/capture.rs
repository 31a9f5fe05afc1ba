//! What the readers return: captures, and what was broken.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use robotsc_frontier::outcome::BodyEnd;

/// The result of one fetch of an origin's robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceCapture {
    /// The URL of the first request, as the source writes it. If the fetch was redirected, this is still the origin
    /// that the answer is for (RFC 9309, section 2.3.1.2).
    pub url: Vec<u8>,
    /// The time of the fetch, in seconds since 1970-01-01 00:00 UTC; `None` if the source does not say.
    pub fetched_at: Option<u64>,
    /// The answer.
    pub answer: SourceAnswer,
    /// Where the source holds it.
    pub spot: SourcePlace,
}

/// What a fetch returned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceAnswer {
    /// A response of the server, the last of a chain of redirects that was followed.
    Response(SourceResponse),
    /// There were more redirects than crawlers follow, or a loop.
    TooManyRedirects,
    /// The server was not reached, or the connection failed: DNS, connection, timeout.
    Unreachable,
}

/// A response of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceResponse {
    /// The HTTP status.
    pub status: u16,
    /// The number of redirects that led here.
    pub hops: u8,
    /// The header fields for caching, by their names in lower case; several of a name are joined by commas.
    pub headers: BTreeMap<&'static str, Vec<u8>>,
    /// The body, without the encodings of its transfer and its content.
    pub body: Vec<u8>,
    /// How the body ends.
    pub end: BodyEnd,
    /// Whether the site is known to answer with 5xx for pages that it does not have, so that some dialects read a 5xx
    /// for robots.txt as a 404. Only a manifest says so.
    pub missing_is_5xx: bool,
}

/// A file and a place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file.
    pub file: Arc<Path>,
    /// The place in it.
    pub place: PlaceInFile,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceInFile {
    /// The file as a whole.
    File,
    /// An offset, in bytes.
    Byte(u64),
    /// A place in what is compressed: the offset of the member (gzip) or frame (zstd) in the file, and the offset in
    /// what it holds, both in bytes.
    Inside {
        /// Where the member begins, in bytes of the file.
        member: u64,
        /// Where in what it holds.
        byte: u64,
    },
    /// A line, from 1.
    Line(u64),
    /// An entry of an archive.
    Entry(String),
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.file.as_os_str().as_encoded_bytes().utf8_chunks() {
            write!(f, "{}{}", chunk.valid(), chunk.invalid().escape_ascii())?;
        }
        match &self.place {
            PlaceInFile::File => Ok(()),
            place => write!(f, ": {place}"),
        }
    }
}

impl fmt::Display for PlaceInFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => write!(f, "the file"),
            Self::Byte(byte) | Self::Inside { member: byte, byte: 0 } => write!(f, "byte {byte}"),
            Self::Inside { member, byte } => write!(f, "byte {byte} of what byte {member} begins"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Entry(name) => write!(f, "{name}"),
        }
    }
}

/// Something that could not be read: where, what, and what the reader did about it. Reading goes on after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where the source holds it.
    pub spot: SourcePlace,
    /// Of what kind it is.
    pub kind: BrokenKind,
    /// What is wrong with it, and what was done.
    pub(crate) what: String,
}

/// What kind of thing could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BrokenKind {
    /// A file that cannot be opened or read, or is of no known kind: the rest of it is not read.
    File,
    /// A record, a line or an entry that is damaged or of an unknown form: it is skipped.
    Record,
    /// A capture that is whole but says that its answer is another's, and that other is not among the sources: a
    /// redirect or a revisit. Its origin stays unknown.
    Unresolved,
    /// A source that was read to its end and holds nothing about a robots.txt.
    Empty,
}

impl Broken {
    pub(crate) fn new(kind: BrokenKind, spot: SourcePlace, what: impl fmt::Display) -> Self {
        Self { spot, kind, what: what.to_string() }
    }

    /// Returns what is wrong and what was done, without the place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            BrokenKind::File => "cannot read",
            BrokenKind::Record => "broken record",
            BrokenKind::Unresolved => "no answer",
            BrokenKind::Empty => "no captures",
        };
        write!(f, "{kind}: {}: {}", self.spot, self.what)
    }
}

impl std::error::Error for Broken {}
