//! Folders: files that are named after hosts, or what a manifest lists.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use robotsc_frontier::outcome::BodyEnd;

use crate::capture::{Broken, BrokenKind, PlaceInFile, SourceAnswer, SourceCapture, SourcePlace, SourceResponse};
use crate::limits::SourceLimits;
use crate::manifest::{Row, Rows};
use crate::site::{self, NamedOrigins};

/// The name of a manifest in a folder or an archive.
pub(crate) const MANIFEST: &str = "manifest.tsv";

/// What is wrong with the name of a file that is not named after a host.
pub(crate) const NO_HOST: &str = "its name is not that of a host, such as example.com.txt: skipped";

/// The maximum depth of folders that are read.
const MAX_DEPTH: usize = 16;

/// The captures of a folder without a manifest, in the order of the names.
#[derive(Debug)]
pub(crate) struct Folder {
    limits: SourceLimits,
    /// Each folder on the way.
    open: Vec<OpenFolder>,
    ready: VecDeque<SourceCapture>,
    /// How many files were not looked at.
    pub(crate) passed: u64,
}

/// A folder on the way.
#[derive(Debug, Default)]
struct OpenFolder {
    /// What is left of it, in the order of the names.
    names: VecDeque<PathBuf>,
    origins: NamedOrigins,
}

impl Folder {
    pub(crate) fn new(path: &Path, limits: &SourceLimits) -> Self {
        let root = OpenFolder { names: VecDeque::from([path.to_owned()]), ..OpenFolder::default() };
        Self { limits: *limits, open: vec![root], ready: VecDeque::new(), passed: 0 }
    }
}

impl Iterator for Folder {
    type Item = Result<SourceCapture, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(capture) = self.ready.pop_front() {
                return Some(Ok(capture));
            }
            let Some(path) = self.open.last_mut()?.names.pop_front() else {
                self.open.pop();
                continue;
            };
            let spot = SourcePlace { file: Arc::from(path.as_path()), place: PlaceInFile::File };
            let broken = |kind, what: String| Some(Err(Broken::new(kind, spot.clone(), what)));
            let metadata = match fs::symlink_metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) => return broken(BrokenKind::File, cause(&error)),
            };
            // The folder itself may be named by a link; what is in it may not lead out of it.
            if metadata.is_dir() || self.open.len() == 1 && path.is_dir() {
                if self.open.len() > MAX_DEPTH {
                    return broken(BrokenKind::File, format!("over {MAX_DEPTH} folders deep: not looked into"));
                }
                match opened(&path) {
                    Ok(folder) => self.open.push(folder),
                    Err(error) => return broken(BrokenKind::File, cause(&error)),
                }
                continue;
            }
            if metadata.is_symlink() && path.is_dir() {
                let what = "it is a link to a folder: not followed: give that folder as a source".to_owned();
                return broken(BrokenKind::Record, what);
            }
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            if !is_capture(name) {
                self.passed += 1;
                continue;
            }
            if !metadata.is_file() {
                return broken(BrokenKind::Record, "it is a link or no regular file: skipped".to_owned());
            }
            let origins = &self.open.last()?.origins;
            let Some(urls) = str::from_utf8(name).ok().and_then(|name| origins.of_file_name(b"", name)) else {
                return broken(BrokenKind::Record, NO_HOST.to_owned());
            };
            // Each of its origins has a file.
            if urls.is_empty() {
                self.passed += 1;
                continue;
            }
            match File::open(&path).and_then(|file| body(file, &self.limits)) {
                Ok((body, _)) if site::is_url_list(&body) => {
                    return broken(BrokenKind::Record, format!("{}: skipped", site::URL_LIST));
                }
                Ok((body, end)) => {
                    let answer =
                        SourceAnswer::Response(SourceResponse { status: 200, body, end, ..SourceResponse::default() });
                    push(&mut self.ready, urls, None, answer, &spot);
                }
                Err(error) => return broken(BrokenKind::Record, format!("{}: skipped", cause(&error))),
            }
        }
    }
}

/// Reports whether a file is looked at, by its name.
pub(crate) fn is_capture(name: &[u8]) -> bool {
    name.ends_with(b".txt") && !name.starts_with(b".")
}

/// Opens a folder.
fn opened(folder: &Path) -> io::Result<OpenFolder> {
    let mut names = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    let mut origins = NamedOrigins::default();
    for path in &names {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if site::is_of_one_origin(name) && path.symlink_metadata().is_ok_and(|file| file.is_file()) {
            origins.add(b"", name);
        }
    }
    Ok(OpenFolder { names: names.into(), origins })
}

/// The captures that a manifest lists, in its order.
#[derive(Debug)]
pub(crate) struct Manifest {
    limits: SourceLimits,
    file: Arc<Path>,
    folder: PathBuf,
    rows: Rows<BufReader<File>>,
    ready: VecDeque<SourceCapture>,
    ended: bool,
}

impl Manifest {
    pub(crate) fn open(path: &Path, limits: &SourceLimits) -> io::Result<Self> {
        let rows = Rows::new(BufReader::with_capacity(1 << 16, File::open(path)?), limits.line);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { limits: *limits, file: path.into(), folder, rows, ready: VecDeque::new(), ended: false })
    }

    /// Fills in the body of a row.
    fn answer(&self, row: &Row) -> Result<SourceAnswer, String> {
        let mut answer = row.answer.clone();
        if let (SourceAnswer::Response(response), Some(file)) = (&mut answer, &row.file) {
            let path = inside(&self.folder, file)?;
            let read = File::open(path).and_then(|file| body(file, &self.limits));
            let (body, end) = read.map_err(|error| format!("'{file}': {}: skipped", cause(&error)))?;
            response.body = body;
            if response.end == BodyEnd::Whole {
                response.end = end;
            }
        }
        Ok(answer)
    }
}

impl Iterator for Manifest {
    type Item = Result<SourceCapture, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(capture) = self.ready.pop_front() {
                return Some(Ok(capture));
            }
            if self.ended {
                return None;
            }
            let (line, row) = match self.rows.next() {
                Ok(row) => row?,
                Err(error) => {
                    self.ended = true;
                    let spot = SourcePlace { file: Arc::clone(&self.file), place: PlaceInFile::File };
                    return Some(Err(Broken::new(BrokenKind::File, spot, cause(&error))));
                }
            };
            let spot = SourcePlace { file: Arc::clone(&self.file), place: PlaceInFile::Line(line) };
            let whole = row.and_then(|row| Ok((self.answer(&row)?, row)));
            match whole {
                Ok((answer, row)) => push(&mut self.ready, row.urls, row.fetched_at, answer, &spot),
                Err(what) => return Some(Err(Broken::new(BrokenKind::Record, spot, what))),
            }
        }
    }
}

/// Adds one capture for each URL.
pub(crate) fn push(
    ready: &mut VecDeque<SourceCapture>,
    urls: Vec<String>,
    fetched_at: Option<u64>,
    answer: SourceAnswer,
    spot: &SourcePlace,
) {
    let capture =
        |url: String| SourceCapture { url: url.into(), fetched_at, answer: answer.clone(), spot: spot.clone() };
    ready.extend(urls.into_iter().map(capture));
}

/// Reads a body up to the limit.
pub(crate) fn body(file: impl Read, limits: &SourceLimits) -> io::Result<(Vec<u8>, BodyEnd)> {
    let mut body = Vec::new();
    file.take(limits.body as u64 + 1).read_to_end(&mut body)?;
    let end = if body.len() > limits.body { BodyEnd::CutAtLimit } else { BodyEnd::Whole };
    Ok((body, end))
}

/// Reports whether a path stays below the folder that it starts in.
pub(crate) fn goes_down(path: &Path) -> bool {
    path.components().all(|component| matches!(component, Component::Normal(_) | Component::CurDir))
}

/// Returns the path of a file that a manifest names: inside its folder, and with no link on the way.
fn inside(folder: &Path, file: &str) -> Result<PathBuf, String> {
    let name = Path::new(file);
    if !goes_down(name) {
        return Err(format!("'{file}': a file outside the folder of the manifest: skipped"));
    }
    let mut path = folder.to_owned();
    for component in name.components() {
        path.push(component);
        let metadata = fs::symlink_metadata(&path).map_err(|error| format!("'{file}': {}: skipped", cause(&error)))?;
        if metadata.is_symlink() {
            return Err(format!("'{file}': a link on the way: skipped"));
        }
    }
    if !path.is_file() {
        return Err(format!("'{file}': no regular file: skipped"));
    }
    Ok(path)
}

/// Returns the cause of an error of the operating system, without its number and with a small first letter.
pub(crate) fn cause(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let told = error.to_string();
            let mut letters = told.split(" (os error").next().unwrap_or_default().chars();
            letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
        }
    }
}
