//! Redirects and revisits: captures whose answer is another capture's.
//!
//! While the sources are read, such a capture is put off, and the position of every capture is recorded. At the end
//! each is led to its answer, hop by hop, by reading the captures that it names again, in the order of their places.
//! Memory is bounded: what is put off is taken up in batches, and the notes spill ([`crate::index`]).

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use robotsc_frontier::outcome::is_redirect;

use crate::capture::{Broken, BrokenKind, PlaceInFile, SourceAnswer, SourceCapture, SourcePlace, SourceResponse};
use crate::index::{Index, Item, hash};
use crate::limits::SourceLimits;
use crate::site;
use crate::warc::{Content, Record, Warc};

/// A capture that was put off.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The URL that was asked for first.
    pub(crate) url: Vec<u8>,
    /// The URL whose answer it is, in normal form.
    pub(crate) target: String,
    /// When the answer was given: of its captures the nearest in time is meant.
    pub(crate) time: u64,
    /// For a revisit, when it was made: the time of the answer, instead of that of the capture it names.
    pub(crate) revisited: Option<u64>,
    /// For a revisit, its own status, where it names one.
    pub(crate) status: Option<u16>,
    /// Its position.
    pub(crate) source: u32,
    pub(crate) place: PlaceInFile,
    /// How many redirects were followed.
    pub(crate) hops: u8,
    /// The URLs that it was led through, for loops.
    pub(crate) seen: Vec<u64>,
}

/// The captures that are put off, and the positions of all.
#[derive(Debug)]
pub(crate) struct Follow {
    limits: SourceLimits,
    index: Index,
    put_off: BufWriter<File>,
    number: u64,
}

impl Follow {
    /// # Errors
    /// If no temporary file can be made.
    pub(crate) fn new(limits: &SourceLimits) -> io::Result<Self> {
        let put_off = BufWriter::with_capacity(1 << 16, tempfile::tempfile()?);
        Ok(Self { limits: *limits, index: Index::new(limits.memory / 2), put_off, number: 0 })
    }

    /// Records the position of the answer of a URL.
    pub(crate) fn note(&mut self, url: &[u8], time: Option<u64>, source: u32, place: &PlaceInFile) -> io::Result<()> {
        let Some(url) = site::normal(url) else { return Ok(()) };
        let (member, byte) = numbers(place);
        self.index.push(Item { hash: hash(url.as_str()), time: time.unwrap_or_default(), source, member, byte })
    }

    /// Puts a capture off.
    pub(crate) fn put_off(&mut self, one: &Pending) -> io::Result<()> {
        let (member, byte) = numbers(&one.place);
        let compressed = u64::from(matches!(one.place, PlaceInFile::Inside { .. }));
        let revisited = one.revisited.map_or(0, |time| time + 1);
        let status = one.status.unwrap_or_default().into();
        let fields = [one.time, revisited, status, one.source.into(), compressed, member, byte];
        for field in fields {
            self.put_off.write_all(&field.to_le_bytes())?;
        }
        for text in [one.url.as_slice(), one.target.as_bytes()] {
            self.put_off.write_all(&(text.len() as u64).to_le_bytes())?;
            self.put_off.write_all(text)?;
        }
        self.number += 1;
        Ok(())
    }

    /// Ends the taking in.
    pub(crate) fn lead(self, files: Vec<Arc<Path>>) -> io::Result<PendingAnswers> {
        let mut put_off = self.put_off.into_inner().map_err(io::IntoInnerError::into_error)?;
        put_off.rewind()?;
        let left = self.number;
        Ok(PendingAnswers {
            limits: self.limits,
            index: self.index,
            put_off: BufReader::with_capacity(1 << 16, put_off),
            left,
            files,
            level: Vec::new().into_iter(),
            next_level: Vec::new(),
            open: None,
            last: None,
        })
    }
}

fn numbers(place: &PlaceInFile) -> (u64, u64) {
    match place {
        PlaceInFile::Byte(offset) => (*offset, 0),
        PlaceInFile::Inside { member, byte } => (*member, *byte),
        _ => (0, 0),
    }
}

/// Leads what was put off to its answers.
#[derive(Debug)]
pub(crate) struct PendingAnswers {
    limits: SourceLimits,
    index: Index,
    put_off: BufReader<File>,
    left: u64,
    files: Vec<Arc<Path>>,
    /// What is led on by one hop, with the position of the target, in the order of the positions.
    level: std::vec::IntoIter<(Item, Pending)>,
    next_level: Vec<Pending>,
    open: Option<(u32, Warc<File>)>,
    /// The record that was read last: many hosts redirect to one.
    last: Option<(Item, Result<Record, String>)>,
}

impl PendingAnswers {
    /// Returns the next answer.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<SourceCapture, Broken>>> {
        loop {
            if let Some((item, one)) = self.level.next() {
                if let Some(answer) = self.step(&item, one) {
                    return Ok(Some(answer));
                }
                continue;
            }
            let mut batch = std::mem::take(&mut self.next_level);
            if batch.is_empty() {
                batch = self.batch()?;
            }
            if batch.is_empty() {
                return Ok(None);
            }
            let mut level = Vec::with_capacity(batch.len());
            for one in batch {
                let items = self.index.find(hash(&one.target))?;
                // The capture of the URL that is nearest in time; if there is none, an item that sorts last.
                let nearest = items.into_iter().min_by_key(|item| item.time.abs_diff(one.time));
                let absent = Item { hash: 0, time: 0, source: u32::MAX, member: 0, byte: 0 };
                level.push((nearest.unwrap_or(absent), one));
            }
            level.sort_by_key(|(item, _)| (item.source, item.member, item.byte));
            self.level = level.into_iter();
        }
    }

    /// Returns the next captures that were put off, as many as fit the memory.
    fn batch(&mut self) -> io::Result<Vec<Pending>> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while self.left > 0 && bytes < self.limits.memory / 2 {
            self.left -= 1;
            let mut fields = [0; 7];
            for field in &mut fields {
                *field = self.number()?;
            }
            let [time, revisited, status, source, compressed, member, byte] = fields;
            let place = if compressed == 1 { PlaceInFile::Inside { member, byte } } else { PlaceInFile::Byte(member) };
            let url = self.text()?;
            let target = String::from_utf8(self.text()?).map_err(io::Error::other)?;
            let seen = site::normal(&url).map(|url| hash(url.as_str())).into_iter().collect();
            bytes += size_of::<Pending>() + url.len() + target.len() + 64;
            let (source, status) = (source as u32, (status > 0).then_some(status as u16));
            let revisited = revisited.checked_sub(1);
            batch.push(Pending { url, target, time, revisited, status, source, place, hops: 0, seen });
        }
        Ok(batch)
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.put_off.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn text(&mut self) -> io::Result<Vec<u8>> {
        let length = self.number()?;
        let mut text = Vec::new();
        self.put_off.by_ref().take(length).read_to_end(&mut text)?;
        Ok(text)
    }

    /// Leads one on by a hop: to an answer, or to the next level.
    fn step(&mut self, item: &Item, mut one: Pending) -> Option<Result<SourceCapture, Broken>> {
        let spot = self.spot(&one);
        let unresolved = |what: String| Some(Err(Broken::new(BrokenKind::Unresolved, spot.clone(), what)));
        let verb = if one.revisited.is_some() && one.hops == 0 { "revisits" } else { "redirects to" };
        let target: String = one.target.chars().take(200).collect();
        let file = match self.files.get(item.source as usize) {
            None => {
                return unresolved(format!("it {verb} {target}, of which the sources hold no capture: left unknown"));
            }
            Some(file) => Arc::clone(file),
        };
        if one.revisited.is_none() || one.hops > 0 {
            one.hops = one.hops.saturating_add(1);
        }
        let capture = |answer, time: u64| {
            let fetched_at = one.revisited.or((time > 0).then_some(time));
            Some(Ok(SourceCapture { url: one.url.clone(), fetched_at, answer, spot: spot.clone() }))
        };
        let here = hash(&one.target);
        if one.hops > self.limits.hops || one.hops > 0 && one.seen.contains(&here) {
            return capture(SourceAnswer::TooManyRedirects, one.time);
        }
        let record = match self.read(item, &file) {
            Ok(record) => record,
            Err(what) => return unresolved(format!("it {verb} {target}, whose capture cannot be read: {what}")),
        };
        if site::normal(&record.head.url).is_none_or(|url| url.as_str() != one.target) {
            return unresolved(format!("it {verb} {target}, of which the sources hold no capture: left unknown"));
        }
        let time = record.head.date.unwrap_or_default();
        match &record.content {
            // The same body, sent with another status.
            Content::Response(parsed)
                if one.hops == 0 && one.status.is_some_and(|own| own != parsed.response.status) =>
            {
                let status = one.status.unwrap_or_default();
                capture(SourceAnswer::Response(SourceResponse { status, ..parsed.response.clone() }), time)
            }
            Content::Response(parsed) => match redirect(&record.head.url, &parsed.response, parsed.location.as_deref())
            {
                None => {
                    let response = SourceResponse { hops: one.hops, ..parsed.response.clone() };
                    capture(SourceAnswer::Response(response), time)
                }
                Some(Err(what)) => unresolved(what),
                Some(Ok(target)) => {
                    one.seen.push(here);
                    (one.target, one.time) = (target, time);
                    if one.hops == 0 {
                        // A revisit of a redirect: the hop is the one that it revisits.
                        one.revisited = None;
                    }
                    self.next_level.push(one);
                    None
                }
            },
            _ => unresolved(format!("it {verb} {target}, whose capture holds no response: left unknown")),
        }
    }

    fn spot(&self, one: &Pending) -> SourcePlace {
        let file = self.files.get(one.source as usize).cloned().unwrap_or_else(|| Arc::from(Path::new("")));
        SourcePlace { file, place: one.place.clone() }
    }

    fn read(&mut self, item: &Item, file: &Arc<Path>) -> Result<&Record, String> {
        if self.last.as_ref().is_none_or(|(last, _)| last != item) {
            let record = self.reread(item, file);
            self.last = Some((*item, record));
        }
        match &self.last {
            Some((_, Ok(record))) => Ok(record),
            Some((_, Err(what))) => Err(what.clone()),
            None => Err("nothing was read".to_owned()),
        }
    }

    fn reread(&mut self, item: &Item, file: &Arc<Path>) -> Result<Record, String> {
        if self.open.as_ref().is_none_or(|(source, _)| *source != item.source) {
            let (warc, _) = crate::open::warc(file, &self.limits).map_err(|error| error.to_string())?;
            self.open = Some((item.source, warc));
        }
        let Some((_, warc)) = &mut self.open else { return Err("it cannot be opened".to_owned()) };
        let place = if warc.is_plain() {
            PlaceInFile::Byte(item.member)
        } else {
            PlaceInFile::Inside { member: item.member, byte: item.byte }
        };
        match warc.record_at(&place) {
            Some(Ok(record)) => Ok(record),
            Some(Err(broken)) => Err(broken.what().to_owned()),
            None => Err("the file became shorter".to_owned()),
        }
    }
}

/// Returns where a response redirects to, in normal form, if it does; `Some(Err(…))` where that is no URL.
pub(crate) fn redirect(
    from: &[u8],
    response: &SourceResponse,
    location: Option<&[u8]>,
) -> Option<Result<String, String>> {
    if !is_redirect(response.status) {
        return None;
    }
    let location = location?;
    let target = site::normal(from)
        .zip(str::from_utf8(location).ok())
        .and_then(|(base, location)| base.join(location).ok())
        .and_then(|url| site::normal(url.as_str().as_bytes()));
    Some(target.map(String::from).ok_or_else(|| {
        let shown: String = location.escape_ascii().to_string().chars().take(200).collect();
        format!("it redirects to '{shown}', which is no web URL: left unknown")
    }))
}
