//! All captures of several sources, one after the other, redirects and revisits last.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::capture::{Broken, BrokenKind, PlaceInFile, SourceAnswer, SourceCapture, SourcePlace};
use crate::folder::cause;
use crate::follow::{Follow, Pending, PendingAnswers, redirect};
use crate::limits::SourceLimits;
use crate::open::Source;
use crate::site;
use crate::warc::{Content, Record};

/// All captures of several sources, one after the other: an iterator of captures and of what was broken.
///
/// After something that is broken the iterator goes on with what can be read. It ends for every input. Two captures of
/// one origin both come, in the order of the sources. A redirect or a revisit in a WARC file comes at the end, with the
/// answer that it leads to, for the origin of the first request; its target can be in any of the sources.
///
/// Cost: reads each source once (an archive without a leading manifest twice), and the targets of redirects once more.
/// [`SourceLimits`] bounds the memory, but for the names of a folder.
///
/// ```
/// use robotsc_sources::{SourceAnswer, Captures, SourceLimits};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("https_shop.example.txt"), "User-agent: *\nDisallow: /cart\n")?;
/// let mut captures = Captures::new(vec![folder.path().to_owned()], &SourceLimits::default());
/// let capture = captures.next().unwrap()?;
/// assert_eq!(capture.url, b"https://shop.example/robots.txt");
/// assert!(matches!(capture.answer, SourceAnswer::Response(response) if response.status == 200));
/// assert!(captures.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Captures {
    limits: SourceLimits,
    sources: std::vec::IntoIter<PathBuf>,
    /// The sources so far: a source's number is its place here.
    files: Vec<Arc<Path>>,
    source: Option<Source>,
    follow: Option<Follow>,
    lead: Option<PendingAnswers>,
    /// The bytes of the sources that are finished.
    finished: u64,
    /// Whether the source gave anything, and the records of it that are of no robots.txt.
    gave: bool,
    records: u64,
    /// How many files and records were skipped in the sources that are finished.
    passed: u64,
}

impl Captures {
    /// Returns the captures of these sources: folders, manifests, tar and WARC files.
    #[must_use]
    pub fn new(sources: Vec<PathBuf>, limits: &SourceLimits) -> Self {
        Self {
            limits: *limits,
            sources: sources.into_iter(),
            files: Vec::new(),
            source: None,
            follow: None,
            lead: None,
            finished: 0,
            gave: false,
            records: 0,
            passed: 0,
        }
    }

    /// Returns how many bytes of the sources were read so far: of WARC files as they go, of others when they are after.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        let here = match &self.source {
            Some(Source::Warc(warc)) => warc.offset(),
            _ => 0,
        };
        self.finished + here
    }

    /// Returns how many files and records of the sources so far were skipped because they are not a robots.txt: files
    /// whose names do not end in `.txt` or that the archive's manifest does not list, and records of other URLs and
    /// kinds.
    #[must_use]
    pub fn passed_over(&self) -> u64 {
        self.passed + self.passed_here()
    }

    fn passed_here(&self) -> u64 {
        match &self.source {
            Some(Source::Folder(folder)) => folder.passed,
            Some(Source::Archive(archive)) => archive.passed,
            _ => self.records,
        }
    }

    /// Opens the next source; `None` after the last.
    fn open(&mut self) -> Option<Result<(), Broken>> {
        let path = self.sources.next()?;
        self.files.push(path.as_path().into());
        match Source::open(&path, &self.limits) {
            Ok(source) => {
                self.source = Some(source);
                Some(Ok(()))
            }
            Err(error) => Some(Err(file(path.as_path().into(), &error))),
        }
    }

    /// Leaves the source; says so where it gave nothing.
    fn close(&mut self) -> Option<Broken> {
        let passed = self.passed_here();
        self.passed += passed;
        let source = self.source.take();
        let gave = std::mem::take(&mut self.gave);
        self.records = 0;
        let length = self.files.last().and_then(|file| std::fs::metadata(file).ok());
        self.finished += length.filter(std::fs::Metadata::is_file).map_or(0, |metadata| metadata.len());
        let what = match (source?, passed) {
            (Source::Manifest(_), _) => "it lists none".to_owned(),
            (Source::Warc(_), 0) => "it holds no record".to_owned(),
            (Source::Warc(_), _) => format!("none of its {passed} records answers for a /robots.txt"),
            (_, 0) => "it holds no file".to_owned(),
            _ => format!("none of its {passed} files is named after a host, such as example.com.txt"),
        };
        let spot = SourcePlace { file: Arc::clone(self.files.last()?), place: PlaceInFile::File };
        (!gave).then(|| Broken::new(BrokenKind::Empty, spot, what))
    }

    /// Takes in a record of a WARC file: a capture, or nothing yet.
    fn take(&mut self, record: Record) -> Option<Result<SourceCapture, Broken>> {
        let source = self.files.len().saturating_sub(1) as u32;
        let file = self.files.last().cloned()?;
        let Record { head, place, content } = record;
        let is_answer =
            matches!(head.kind.as_slice(), b"response" | b"resource") || matches!(content, Content::Response(_));
        let spot = SourcePlace { file: Arc::clone(&file), place: place.clone() };
        if let Content::Ended(answer) = content {
            return Some(Ok(SourceCapture { url: head.url, fetched_at: head.date, answer, spot }));
        }
        let unknown = |error: &io::Error| {
            Some(Err(Broken::new(BrokenKind::File, spot.clone(), format_args!("no temporary file: {}", cause(error)))))
        };
        if (is_answer || !matches!(content, Content::Unread)) && self.follow.is_none() {
            match Follow::new(&self.limits) {
                Ok(follow) => self.follow = Some(follow),
                Err(error) => return unknown(&error),
            }
        }
        let follow = self.follow.as_mut()?;
        if is_answer && let Err(error) = follow.note(&head.url, head.date, source, &place) {
            return unknown(&error);
        }
        let time = head.date.unwrap_or_default();
        let mut status = None;
        let target = match content {
            Content::Unread | Content::Ended(_) => return None,
            Content::Response(parsed) => match redirect(&head.url, &parsed.response, parsed.location.as_deref()) {
                None => {
                    let answer = SourceAnswer::Response(parsed.response);
                    return Some(Ok(SourceCapture { url: head.url, fetched_at: head.date, answer, spot }));
                }
                Some(target) => target.map(|target| (target, time, None)),
            },
            Content::Revisit(own) => {
                status = own;
                let target = site::normal(head.refers_to.as_deref().unwrap_or(&head.url)).map(String::from);
                let target = target.ok_or_else(|| "it revisits what is no web URL: left unknown".to_owned());
                target.map(|target| (target, head.refers_to_date.unwrap_or(time), Some(time)))
            }
        };
        match target {
            Err(what) => Some(Err(Broken::new(BrokenKind::Unresolved, spot, what))),
            Ok((target, time, revisited)) => {
                let (url, seen) = (head.url, Vec::new());
                let one = Pending { url, target, time, revisited, status, source, place, hops: 0, seen };
                follow.put_off(&one).err().and_then(|error| unknown(&error))
            }
        }
    }
}

impl Iterator for Captures {
    type Item = Result<SourceCapture, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(lead) = &mut self.lead {
                return match lead.next() {
                    Ok(next) => next,
                    Err(error) => {
                        self.lead = None;
                        self.follow = None;
                        let what = format!("a temporary file cannot be read: {}", cause(&error));
                        let spot = SourcePlace { file: Arc::from(Path::new("redirects")), place: PlaceInFile::File };
                        Some(Err(Broken::new(BrokenKind::File, spot, what)))
                    }
                };
            }
            let next = match &mut self.source {
                None => match self.open() {
                    Some(Ok(())) => continue,
                    Some(Err(broken)) => return Some(Err(broken)),
                    None => {
                        match self.follow.take()?.lead(std::mem::take(&mut self.files)) {
                            Ok(lead) => self.lead = Some(lead),
                            Err(error) => return Some(Err(file(Arc::from(Path::new("redirects")), &error))),
                        }
                        continue;
                    }
                },
                Some(Source::Folder(folder)) => folder.next(),
                Some(Source::Manifest(manifest)) => manifest.next(),
                Some(Source::Archive(archive)) => archive.next(),
                Some(Source::Warc(warc)) => match warc.next(|head| site::is_robots_txt(&head.url)) {
                    Some(Ok(record)) => {
                        match matches!(record.content, Content::Unread) {
                            true => self.records += 1,
                            false => self.gave = true,
                        }
                        match self.take(record) {
                            Some(next) => Some(next),
                            None => continue,
                        }
                    }
                    Some(Err(broken)) => Some(Err(broken)),
                    None => None,
                },
            };
            match next {
                Some(next) => {
                    self.gave = true;
                    return Some(next);
                }
                None => {
                    if let Some(empty) = self.close() {
                        return Some(Err(empty));
                    }
                }
            }
        }
    }
}

fn file(file: Arc<Path>, error: &io::Error) -> Broken {
    Broken::new(BrokenKind::File, SourcePlace { file, place: PlaceInFile::File }, cause(error))
}
