//! WARC files (ISO 28500, versions 1.0 and 1.1), record by record: plain, gzip or zstd.
//!
//! A record counts when all of it was read: its content, and the checksum of what it was compressed in. One that is
//! damaged or cut is reported and skipped; reading goes on at the next that can be found.

use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

use robotsc_frontier::outcome::BodyEnd;

use crate::capture::{Broken, BrokenKind, PlaceInFile, SourceAnswer, SourcePlace, SourceResponse};
use crate::fetch_result;
use crate::http::{self, Parsed};
use crate::limits::SourceLimits;

pub(crate) use head::{Head, is_version, no_version};
pub(crate) use stream::{Packing, Stream};

use head::Truncated;
use stream::Fault;

mod bytes;
mod head;
mod stream;

/// What every record begins with, so far as the versions that are read agree.
const MARK: &[u8] = b"WARC/";

/// A record.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) head: Head,
    pub(crate) place: PlaceInFile,
    pub(crate) content: Content,
}

/// What a record holds.
#[derive(Debug)]
pub(crate) enum Content {
    Response(Parsed),
    /// The fetch ended without a response.
    Ended(SourceAnswer),
    /// The body is that of another record, and so is the status where none is named here, which is of success.
    Revisit(Option<u16>),
    /// Its content was not asked for.
    Unread,
}

/// The records of a file.
pub(crate) struct Warc<R: Read> {
    file: Arc<Path>,
    stream: Stream<R>,
    limits: SourceLimits,
    head: Vec<u8>,
    content: Vec<u8>,
    /// Where the record begins whose mark is in `head` already.
    found: Option<PlaceInFile>,
    /// What was met after the last record.
    fault: Option<Fault>,
    /// What was wrong at the end of the last record, which is whole.
    pending_report: Option<Broken>,
    ended: bool,
}

impl<R: Read> std::fmt::Debug for Warc<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Warc").field("file", &self.file).field("stream", &self.stream).finish_non_exhaustive()
    }
}

/// Why a record cannot be given.
enum Trouble {
    Fault(Fault),
    /// The bytes do not have the form of a record; where to look for the next.
    Form(String, PlaceInFile),
    /// The record has its form and was read, but its content cannot be understood.
    Content(String),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<R: Read + Seek> Warc<R> {
    pub(crate) fn new(file: Arc<Path>, stream: Stream<R>, limits: &SourceLimits) -> Self {
        Self {
            file,
            stream,
            limits: *limits,
            head: Vec::new(),
            content: Vec::new(),
            found: None,
            fault: None,
            pending_report: None,
            ended: false,
        }
    }

    /// Returns how the file is packed.
    pub(crate) fn packing(&self) -> Packing {
        self.stream.packing()
    }

    /// Reports whether the file is not packed.
    pub(crate) fn is_plain(&self) -> bool {
        self.stream.packing() == Packing::Plain
    }

    /// Returns how far the file was read, in bytes.
    pub(crate) fn offset(&self) -> u64 {
        self.stream.offset()
    }

    /// Returns the record at a place that an earlier one had.
    pub(crate) fn record_at(&mut self, place: &PlaceInFile) -> Option<Result<Record, Broken>> {
        (self.found, self.fault, self.pending_report, self.ended) = (None, None, None, false);
        if let Err(fault) = self.stream.go_to(place) {
            return Some(Err(self.recover(place.clone(), Trouble::Fault(fault))));
        }
        self.next(|_| true)
    }

    /// Returns the next record; the content is read where `wanted` says so.
    pub(crate) fn next(&mut self, wanted: impl Fn(&Head) -> bool) -> Option<Result<Record, Broken>> {
        if let Some(broken) = self.pending_report.take() {
            return Some(Err(broken));
        }
        if self.ended {
            return None;
        }
        match self.fault.take().map_or_else(|| self.begin(), Err) {
            Ok(false) => {
                self.ended = true;
                None
            }
            Ok(true) => {
                let place = self.found.take().unwrap_or_else(|| self.stream.place());
                match self.read(&place, wanted) {
                    Ok(record) => Some(Ok(record)),
                    Err(trouble) => Some(Err(self.recover(place, trouble))),
                }
            }
            Err(fault) => {
                let place = match (&fault, self.stream.place()) {
                    (Fault::Member(member, _), _) => PlaceInFile::Inside { member: *member, byte: 0 },
                    (_, place) => place,
                };
                Some(Err(self.recover(place, Trouble::Fault(fault))))
            }
        }
    }

    /// Goes to the first byte of a record, over line ends; `false` at the end of the file.
    fn begin(&mut self) -> Result<bool, Fault> {
        if self.found.is_some() {
            return Ok(true);
        }
        self.head.clear();
        self.line_ends()?;
        Ok(!self.stream.fill()?.is_empty())
    }

    /// Skips line ends and returns how many bytes they were.
    fn line_ends(&mut self) -> Result<u64, Fault> {
        let mut bytes = 0;
        loop {
            let chunk = self.stream.fill()?;
            let here = chunk.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let all = here == chunk.len();
            bytes += here as u64;
            self.stream.consume(here);
            if !all || here == 0 {
                return Ok(bytes);
            }
        }
    }

    fn read(&mut self, place: &PlaceInFile, wanted: impl Fn(&Head) -> bool) -> Result<Record, Trouble> {
        let version = self.read_head(place)?;
        let after = self.stream.place();
        // A damaged header may have swallowed the record after it, so that one is looked for after its first line.
        let head = Head::parse(&self.head).map_err(|what| Trouble::Form(what, version))?;
        let is_known = matches!(head.kind.as_slice(), b"response" | b"resource" | b"revisit" | b"metadata");
        let wanted = is_known && wanted(&head);
        self.content.clear();
        if wanted {
            self.read_content(head.length)?;
        }
        let left = head.length - self.content.len() as u64;
        let skipped = self.stream.skip(left)?;
        if skipped < left {
            let there = self.content.len() as u64 + skipped;
            let what = format!("its content is {} bytes long, and the file ends after {there}", head.length);
            return Err(Trouble::Form(what, after));
        }
        self.read_end(place, after)?;
        if !wanted {
            return Ok(Record { head, place: place.clone(), content: Content::Unread });
        }
        let content = self.understood(&head).map_err(Trouble::Content)?;
        Ok(Record { head, place: place.clone(), content })
    }

    /// Reads a header and the empty line after it into `self.head`; returns the offset after its first line.
    fn read_head(&mut self, place: &PlaceInFile) -> Result<PlaceInFile, Trouble> {
        let mut first = true;
        let mut version = place.clone();
        loop {
            let chunk = self.stream.fill()?;
            if chunk.is_empty() {
                let after = if first { self.stream.place() } else { version };
                let what = match first && !b"WARC/1.0".starts_with(&self.head) && !self.head.starts_with(MARK) {
                    true => no_version(&self.head),
                    false => "the file ends in its header".to_owned(),
                };
                return Err(Trouble::Form(what, after));
            }
            let line = chunk.iter().position(|byte| *byte == b'\n').map_or(chunk.len(), |at| at + 1);
            let step = line.min((self.limits.head + 1).saturating_sub(self.head.len()));
            self.head.extend_from_slice(chunk.get(..step).unwrap_or_default());
            self.stream.consume(step);
            let ended = self.head.ends_with(b"\n");
            if first && (ended || self.head.len() > 20) {
                first = false;
                version = self.stream.place();
                if !is_version(&self.head) {
                    // Look again from here: the line itself does not begin a record.
                    return Err(Trouble::Form(no_version(&self.head), self.stream.place()));
                }
            }
            if self.head.ends_with(b"\n\n") || self.head.ends_with(b"\r\n\r\n") {
                return Ok(version);
            }
            if self.head.len() > self.limits.head {
                let what = format!("its header is longer than {} bytes", self.limits.head);
                return Err(Trouble::Form(what, version));
            }
        }
    }

    /// Reads the content, up to the limits: an HTTP header and a body.
    fn read_content(&mut self, length: u64) -> Result<(), Fault> {
        let most = length.min(self.limits.head.saturating_add(self.limits.encoded) as u64) as usize;
        while self.content.len() < most {
            let chunk = self.stream.fill()?;
            if chunk.is_empty() {
                break;
            }
            let step = chunk.len().min(most - self.content.len());
            self.content.extend_from_slice(chunk.get(..step).unwrap_or_default());
            self.stream.consume(step);
        }
        Ok(())
    }

    /// Sees that the record ends where its length says: line ends, then the next record or the end of the file.
    fn read_end(&mut self, place: &PlaceInFile, after: PlaceInFile) -> Result<(), Trouble> {
        let last = self.stream.member();
        let ends = match self.line_ends() {
            Ok(ends) => ends,
            // The members of this record are whole; what is wrong is the next.
            Err(Fault::Member(member, what)) if member > last => {
                self.fault = Some(Fault::Member(member, what));
                return Ok(());
            }
            Err(fault) => return Err(fault.into()),
        };
        let is_packed = !self.is_plain();
        let next = self.stream.fill()?.iter().take(MARK.len()).copied().collect::<Vec<u8>>();
        if is_packed && !next.is_empty() && self.stream.member() > last {
            // The member ends where the record does; what the next holds is not this record's.
            return Ok(());
        }
        let marked = next.iter().zip(MARK).all(|(byte, mark)| byte == mark);
        if next.is_empty() && ends < 4 {
            let what = "the file ends in the line ends after it; it is kept";
            self.pending_report = Some(Broken::new(BrokenKind::Record, self.spot(place.clone()), what));
        } else if !marked || ends == 0 && !next.is_empty() {
            let what = "it does not end where its Content-Length says".to_owned();
            return Err(Trouble::Form(what, after));
        }
        Ok(())
    }

    fn understood(&self, head: &Head) -> Result<Content, String> {
        let whole = head.length == self.content.len() as u64 && head.truncated.is_none();
        let mut parsed = match head.kind.as_slice() {
            // The header is its own, where there is one: an error page may have been sent with another status before.
            b"revisit" => match http::parse(&self.content, whole, &self.limits) {
                Ok(parsed) if parsed.response.status == 304 => return Ok(Content::Revisit(None)),
                Ok(parsed) if (200..300).contains(&parsed.response.status) => {
                    return Ok(Content::Revisit(Some(parsed.response.status)));
                }
                Ok(parsed) => parsed,
                Err(_) => return Ok(Content::Revisit(None)),
            },
            b"metadata" => {
                let ended = fetch_result::of_fields(&head.content_type, &self.content)?;
                return Ok(ended.map_or(Content::Unread, Content::Ended));
            }
            b"response" => http::parse(&self.content, whole, &self.limits)?,
            // The answer of an FTP server, and what was not kept as HTTP: the file itself.
            _ => {
                let mut body = self.content.clone();
                let mut end = if whole { BodyEnd::Whole } else { BodyEnd::Incomplete };
                if body.len() > self.limits.body {
                    body.truncate(self.limits.body + 1);
                    end = BodyEnd::CutAtLimit;
                }
                Parsed {
                    response: SourceResponse { status: 200, body, end, ..SourceResponse::default() },
                    location: None,
                }
            }
        };
        let response = &mut parsed.response;
        // Common Crawl writes the length of what it kept over the length that the server sent.
        if head.truncated.is_some() && response.end == BodyEnd::Whole {
            response.end = BodyEnd::Incomplete;
        }
        // What a crawler cut before any dialect does is not enough to tell what is allowed.
        let cut = head.truncated == Some(Truncated::Length) && response.body.len() >= self.limits.whole_body();
        if cut && response.end == BodyEnd::Incomplete {
            let line = response.body.iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).map_or(0, |at| at + 1);
            response.body.truncate(line);
            response.end = BodyEnd::CutAtLimit;
        }
        Ok(Content::Response(parsed))
    }

    fn spot(&self, place: PlaceInFile) -> SourcePlace {
        SourcePlace { file: Arc::clone(&self.file), place }
    }

    /// Goes on to the next record that can be found, and says what was wrong with the one at `place`.
    fn recover(&mut self, place: PlaceInFile, trouble: Trouble) -> Broken {
        let (what, went) = match trouble {
            Trouble::Content(what) => (what, Ok(true)),
            Trouble::Fault(Fault::File(error)) => {
                self.ended = true;
                let what = format!("{}: what is left of it was not read", error.to_string().to_lowercase());
                return Broken::new(BrokenKind::File, self.spot(place), what);
            }
            Trouble::Fault(Fault::Member(member, what)) => {
                let went =
                    self.stream.next_member(member).and_then(|there| if there { self.find() } else { Ok(false) });
                (what, went)
            }
            Trouble::Form(what, after) => {
                let distance = distance(&after, &self.stream.place());
                let went = if self.stream.may_repeat(distance) { self.stream.go_to(&after) } else { Ok(()) };
                (what, went.and_then(|()| self.find()))
            }
        };
        let done = match went {
            Ok(true) => match &self.found {
                Some(found) => format!("skipped to {found}"),
                None => "skipped".to_owned(),
            },
            Ok(false) => {
                self.ended = true;
                "no other record was found after it".to_owned()
            }
            Err(_) => {
                self.ended = true;
                "what is left of the file cannot be read".to_owned()
            }
        };
        Broken::new(BrokenKind::Record, self.spot(place), format_args!("{what}: {done}"))
    }

    /// Looks for a line that begins as a record does, over damaged members; `false` at the end of the file. The mark is
    /// read then.
    fn find(&mut self) -> Result<bool, Fault> {
        let mut matched = 0;
        let mut line_start = true;
        let mut place = self.stream.place();
        loop {
            let (mut used, mut hit) = (0, false);
            let chunk = match self.stream.fill() {
                Ok([]) => return Ok(false),
                Ok(chunk) => chunk,
                Err(Fault::Member(member, _)) => {
                    if !self.stream.next_member(member)? {
                        return Ok(false);
                    }
                    (matched, line_start) = (0, true);
                    continue;
                }
                Err(fault) => return Err(fault),
            };
            let mut began = None;
            while let Some(rest) = chunk.get(used..).filter(|rest| !rest.is_empty()) {
                if matched == 0 && !line_start {
                    let end = rest.iter().position(|byte| *byte == b'\n');
                    used += end.map_or(rest.len(), |at| at + 1);
                    line_start = end.is_some();
                    continue;
                }
                let byte = rest.first().copied();
                if byte == MARK.get(matched).copied() {
                    if matched == 0 {
                        began = Some(used);
                    }
                    matched += 1;
                    used += 1;
                    if matched == MARK.len() {
                        hit = true;
                        break;
                    }
                } else {
                    // No byte but the first of the mark begins one, so this byte may.
                    line_start = matched == 0 && byte == Some(b'\n');
                    used += usize::from(matched == 0);
                    matched = 0;
                }
            }
            if let Some(began) = began {
                self.stream.consume(began);
                place = self.stream.place();
                used -= began;
            }
            self.stream.consume(used);
            if hit {
                self.head.clear();
                self.head.extend_from_slice(MARK);
                self.found = Some(place);
                return Ok(true);
            }
        }
    }
}

/// Returns how many bytes lie between two places, if they would be read again.
fn distance(from: &PlaceInFile, to: &PlaceInFile) -> u64 {
    match (from, to) {
        (PlaceInFile::Byte(from), PlaceInFile::Byte(to)) => to.saturating_sub(*from),
        (PlaceInFile::Inside { member: one, byte: from }, PlaceInFile::Inside { member: other, byte: to }) => {
            other.saturating_sub(*one).saturating_add(from.saturating_add(*to))
        }
        _ => 0,
    }
}
