//! Archives of what folders hold: tar, plain or compressed.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use robotsc_frontier::outcome::BodyEnd;

use crate::capture::{Broken, BrokenKind, PlaceInFile, SourceAnswer, SourceCapture, SourcePlace, SourceResponse};
use crate::entries::{Entries, Entry};
use crate::folder::{self, MANIFEST, NO_HOST, cause, goes_down};
use crate::limits::SourceLimits;
use crate::manifest::{Row, Rows};
use crate::site::{self, NamedOrigins};
use crate::warc::Packing;

/// The captures of an archive, in its order. If it holds a manifest, those that the manifest lists.
///
/// If the manifest is the first file of the archive, the archive is read once; else, or if there is none, it is read
/// twice.
#[derive(Debug)]
pub(crate) struct Archive {
    limits: SourceLimits,
    file: Arc<Path>,
    packing: Packing,
    entries: Entries,
    /// The rows of the manifest by the files that they name; a file may serve several.
    manifest: Option<BTreeMap<PathBuf, Vec<Listed>>>,
    /// The origins that files are named after, if there is no manifest.
    origins: NamedOrigins,
    ready: VecDeque<Result<SourceCapture, Broken>>,
    /// How many files were not looked at.
    pub(crate) passed: u64,
    ended: bool,
}

/// A row of a manifest, with its line and whether its file was met.
#[derive(Debug)]
struct Listed {
    line: u64,
    row: Row,
    met: bool,
}

impl Archive {
    pub(crate) fn open(path: &Path, packing: Packing, limits: &SourceLimits) -> io::Result<Self> {
        let mut archive = Self {
            limits: *limits,
            file: path.into(),
            packing,
            entries: Entries::new(unpacked(path, packing)?),
            manifest: None,
            origins: NamedOrigins::default(),
            ready: VecDeque::new(),
            passed: 0,
            ended: false,
        };
        let mut first = true;
        loop {
            match archive.entries.next() {
                Ok(Some(Entry::File { name, size })) => {
                    let base = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
                    archive.origins.add(&name[..name.len() - base.len()], base);
                    let name = path_of(&name);
                    if name.as_deref().and_then(Path::file_name).is_some_and(|name| name == MANIFEST) {
                        let folder = name.unwrap_or_default().parent().unwrap_or(Path::new("")).to_owned();
                        archive.read_manifest(&folder, size)?;
                        if !first {
                            archive.entries = Entries::new(unpacked(path, packing)?);
                        }
                        return Ok(archive);
                    }
                    first = false;
                }
                Ok(Some(_)) => first = false,
                // What is wrong is reported when it is read again.
                Ok(None) | Err(_) => {
                    archive.entries = Entries::new(unpacked(path, packing)?);
                    return Ok(archive);
                }
            }
        }
    }

    fn read_manifest(&mut self, folder: &Path, size: u64) -> io::Result<()> {
        if size > self.limits.manifest {
            let most = self.limits.manifest;
            let what = format!("its manifest is {size} bytes long, over {most}: unpack it and give the manifest");
            return Err(io::Error::other(what));
        }
        let mut text = Vec::new();
        self.entries.read_to(&mut text)?;
        let mut rows = Rows::new(text.as_slice(), self.limits.line);
        let mut manifest = BTreeMap::<PathBuf, Vec<Listed>>::new();
        while let Some((line, row)) = rows.next()? {
            let spot = self.spot(format!("{MANIFEST}: line {line}"));
            let broken = |what: String| Err(Broken::new(BrokenKind::Record, spot.clone(), what));
            match row {
                Ok(row) => match &row.file {
                    None => self.push(row.urls, row.fetched_at, row.answer, &spot),
                    Some(file) if !goes_down(Path::new(file)) => {
                        self.ready
                            .push_back(broken(format!("'{file}': a file outside the folder of the manifest: skipped")));
                    }
                    Some(file) => {
                        let path = plain(&folder.join(file));
                        manifest.entry(path).or_default().push(Listed { line, row, met: false });
                    }
                },
                Err(what) => self.ready.push_back(broken(what)),
            }
        }
        self.manifest = Some(manifest);
        Ok(())
    }

    fn spot(&self, entry: String) -> SourcePlace {
        SourcePlace { file: Arc::clone(&self.file), place: PlaceInFile::Entry(entry) }
    }

    fn push(&mut self, urls: Vec<String>, fetched_at: Option<u64>, answer: SourceAnswer, spot: &SourcePlace) {
        let mut ready = VecDeque::new();
        folder::push(&mut ready, urls, fetched_at, answer, spot);
        self.ready.extend(ready.into_iter().map(Ok));
    }

    /// Takes in a regular file.
    fn file(&mut self, name: &[u8], size: u64) -> io::Result<()> {
        let shown = name.escape_ascii().to_string();
        let spot = self.spot(shown);
        let base = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let Some(path) = path_of(name) else {
            let what = match str::from_utf8(name) {
                Ok(_) => "its name leads out of the archive: skipped",
                Err(_) if self.manifest.is_none() && folder::is_capture(base) => NO_HOST,
                Err(_) => {
                    self.passed += 1;
                    return Ok(());
                }
            };
            self.ready.push_back(Err(Broken::new(BrokenKind::Record, spot, what)));
            return Ok(());
        };
        if let Some(manifest) = &mut self.manifest {
            let Some(listed) = manifest.get_mut(&path) else {
                self.passed += u64::from(base != MANIFEST.as_bytes());
                return Ok(());
            };
            // A second entry of the same name is skipped.
            let mut rows = Vec::new();
            for listed in listed.iter_mut().filter(|listed| !listed.met) {
                listed.met = true;
                rows.push(listed.row.clone());
            }
            let (body, end) = self.body(size)?;
            for mut row in rows {
                if let SourceAnswer::Response(response) = &mut row.answer {
                    response.body.clone_from(&body);
                    if response.end == BodyEnd::Whole {
                        response.end = end;
                    }
                }
                self.push(row.urls, row.fetched_at, row.answer, &spot);
            }
            return Ok(());
        }
        if !folder::is_capture(base) {
            self.passed += 1;
            return Ok(());
        }
        let folder = &name[..name.len() - base.len()];
        match str::from_utf8(base).ok().and_then(|name| self.origins.of_file_name(folder, name)) {
            // Each of its origins has a file.
            Some(urls) if urls.is_empty() => self.passed += 1,
            Some(urls) => {
                let (body, end) = self.body(size)?;
                if site::is_url_list(&body) {
                    let what = format!("{}: skipped", site::URL_LIST);
                    self.ready.push_back(Err(Broken::new(BrokenKind::Record, spot, what)));
                    return Ok(());
                }
                let answer =
                    SourceAnswer::Response(SourceResponse { status: 200, body, end, ..SourceResponse::default() });
                self.push(urls, None, answer, &spot);
            }
            None => {
                self.ready.push_back(Err(Broken::new(BrokenKind::Record, spot, NO_HOST)));
            }
        }
        Ok(())
    }

    fn body(&mut self, size: u64) -> io::Result<(Vec<u8>, BodyEnd)> {
        let (body, end) = folder::body((&mut self.entries).take(size), &self.limits)?;
        if end == BodyEnd::Whole && (body.len() as u64) < size {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive is cut short"));
        }
        Ok((body, end))
    }

    /// Goes on by an entry; `false` at the end.
    fn step(&mut self) -> io::Result<bool> {
        let told = match self.entries.next()? {
            None => return Ok(false),
            Some(Entry::File { name, size }) => {
                self.file(&name, size)?;
                return Ok(true);
            }
            Some(Entry::Other { name }) => {
                let spot = self.spot(name.escape_ascii().to_string());
                Broken::new(BrokenKind::Record, spot, "it is a link or no regular file: skipped")
            }
            Some(Entry::Broken { offset, what }) => {
                let place = match self.packing {
                    Packing::Plain => PlaceInFile::Byte(offset),
                    _ => PlaceInFile::Inside { member: 0, byte: offset },
                };
                let spot = SourcePlace { file: Arc::clone(&self.file), place };
                Broken::new(BrokenKind::Record, spot, what)
            }
        };
        self.ready.push_back(Err(told));
        Ok(true)
    }
}

impl Iterator for Archive {
    type Item = Result<SourceCapture, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(ready) = self.ready.pop_front() {
                return Some(ready);
            }
            if self.ended {
                return None;
            }
            match self.step() {
                Ok(true) => {}
                ended => {
                    self.ended = true;
                    if let Err(error) = ended {
                        let spot = SourcePlace { file: Arc::clone(&self.file), place: PlaceInFile::File };
                        let cause = match error.kind() {
                            io::ErrorKind::UnexpectedEof => "the archive is cut short".to_owned(),
                            _ => cause(&error),
                        };
                        let what = format!("{cause}: what is left of it was not read");
                        self.ready.push_back(Err(Broken::new(BrokenKind::File, spot, what)));
                    }
                    let absent = self.manifest.take().unwrap_or_default().into_values().flatten();
                    for Listed { line, row, .. } in absent.filter(|listed| !listed.met) {
                        let spot = self.spot(format!("{MANIFEST}: line {line}"));
                        let what = format!("'{}': not in the archive: skipped", row.file.unwrap_or_default());
                        self.ready.push_back(Err(Broken::new(BrokenKind::Record, spot, what)));
                    }
                }
            }
        }
    }
}

/// Returns the path of an entry, where it stays inside the archive.
fn path_of(name: &[u8]) -> Option<PathBuf> {
    let path = Path::new(str::from_utf8(name).ok()?);
    goes_down(path).then(|| plain(path))
}

/// Returns a path without the `.` in it.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|component| matches!(component, std::path::Component::Normal(_))).collect()
}

fn unpacked(path: &Path, packing: Packing) -> io::Result<Box<dyn Read>> {
    let file = BufReader::with_capacity(1 << 16, File::open(path)?);
    Ok(match packing {
        Packing::Plain => Box::new(file),
        Packing::Gzip => Box::new(BufReader::with_capacity(1 << 16, flate2::bufread::MultiGzDecoder::new(file))),
        #[cfg(feature = "zstd")]
        Packing::Zstd => Box::new(BufReader::with_capacity(1 << 16, zstd::stream::read::Decoder::with_buffer(file)?)),
    })
}
