//! What kind of source a path names: by its name if that says it, else by its first bytes.

use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::path::Path;
use std::sync::Arc;

use crate::archive::Archive;
use crate::folder::{Folder, MANIFEST, Manifest};
use crate::limits::SourceLimits;
use crate::warc::{Packing, Stream, Warc};

/// A source that is open.
#[derive(Debug)]
pub(crate) enum Source {
    Folder(Folder),
    Manifest(Manifest),
    Archive(Box<Archive>),
    Warc(Box<Warc<File>>),
}

impl Source {
    pub(crate) fn open(path: &Path, limits: &SourceLimits) -> io::Result<Self> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            let manifest = path.join(MANIFEST);
            return Ok(match manifest.is_file() {
                true => Self::Manifest(Manifest::open(&manifest, limits)?),
                false => Self::Folder(Folder::new(path, limits)),
            });
        }
        if !path.metadata()?.is_file() {
            let what = "it is no regular file: sources are read more than once: put it in a file or a folder";
            return Err(io::Error::other(what));
        }
        let (warc, first) = warc(&path.into(), limits)?;
        match Kind::of(name, &first) {
            Some(Kind::Warc) => Ok(Self::Warc(Box::new(warc))),
            Some(Kind::Archive) => Ok(Self::Archive(Box::new(Archive::open(path, warc.packing(), limits)?))),
            Some(Kind::Manifest) => Ok(Self::Manifest(Manifest::open(path, limits)?)),
            // One robots.txt whose name says of what host it is. `robots2.txt` and `robots.old.txt` say nothing.
            None if name
                .strip_suffix(".txt")
                .is_some_and(|host| host.contains('.') && !host.starts_with("robots.")) =>
            {
                Ok(Self::Folder(Folder::new(path, limits)))
            }
            None if name.ends_with(".txt") => Err(io::Error::other(
                "its name says no host: give a folder, a manifest (.tsv), a tar or a WARC file, or name it as \
                 shop.example.txt",
            )),
            None => Err(io::Error::other("of no known kind: give a folder, a manifest (.tsv), a tar or a WARC file")),
        }
    }
}

/// A file that holds captures of many sites.
enum Kind {
    Warc,
    Archive,
    Manifest,
}

impl Kind {
    /// Returns the kind of a file by its name and the first bytes of what it holds.
    fn of(name: &str, first: &[u8]) -> Option<Self> {
        if name.contains(".warc") || first.starts_with(b"WARC/") {
            return Some(Self::Warc);
        }
        if name.contains(".tar") || name.ends_with(".tgz") || first.get(257..262) == Some(b"ustar") {
            return Some(Self::Archive);
        }
        name.ends_with(".tsv").then_some(Self::Manifest)
    }
}

/// Reports whether a path names a source of many sites: a folder, a manifest, a tar or a WARC file, and not one
/// robots.txt. What cannot be read is none.
#[must_use]
pub fn is_of_many(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let first = || warc(&path.into(), &SourceLimits::default()).map(|(_, first)| first).unwrap_or_default();
    path.is_dir() || path.is_file() && Kind::of(name, &first()).is_some()
}

/// Opens a file as if it were a WARC file, and returns the first bytes of what it holds.
pub(crate) fn warc(path: &Arc<Path>, limits: &SourceLimits) -> io::Result<(Warc<File>, Vec<u8>)> {
    let mut file = File::open(path)?;
    let mut first = Vec::new();
    file.by_ref().take(8).read_to_end(&mut first)?;
    file.rewind()?;
    let packing = match Packing::of(&first) {
        // The first bytes may be the damaged ones; what the name says holds then.
        Packing::Plain if !first.starts_with(b"WARC/") => Packing::of_name(path),
        packing => packing,
    };
    let mut stream = Stream::new(file, packing)?;
    // What cannot be unpacked is reported when it is read.
    let first = stream.fill().map(|bytes| bytes.iter().take(512).copied().collect()).unwrap_or_default();
    let _ = stream.restart();
    Ok((Warc::new(Arc::clone(path), stream, limits), first))
}
