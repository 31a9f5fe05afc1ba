//! Which names stand for one file: by what the system knows a file by, so that symbolic links, hard links and
//! redirections do not hide it.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use crate::io::files;

/// A regular file, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileId(Id);

#[cfg(unix)]
type Id = (u64, u64);
#[cfg(not(unix))]
type Id = std::path::PathBuf;

impl FileId {
    /// Returns the regular file that a path leads to. `None` if there is none, or it is a pipe, device or directory,
    /// which lose nothing when they are written to.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Self::of(&metadata, path)
    }

    /// Returns the regular file that an input is read from; `-` is standard input.
    pub(crate) fn of_input(name: &OsStr) -> Option<Self> {
        if files::is_stdin(name) { Self::of_stdin() } else { Self::of_path(Path::new(name)) }
    }

    /// Returns the regular file that standard input is redirected from.
    fn of_stdin() -> Option<Self> {
        of_stream(&io::stdin())
    }

    /// Returns the regular file that standard output is redirected to.
    pub(crate) fn of_stdout() -> Option<Self> {
        of_stream(&io::stdout())
    }

    #[cfg(unix)]
    fn of(metadata: &Metadata, _path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        metadata.is_file().then(|| Self((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata, path: &Path) -> Option<Self> {
        let path = path.canonicalize().ok()?;
        metadata.is_file().then_some(Self(path))
    }
}

#[cfg(unix)]
fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<FileId> {
    let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
    FileId::of(&file.metadata().ok()?, Path::new(""))
}

#[cfg(not(unix))]
fn of_stream<S>(_stream: &S) -> Option<FileId> {
    None
}
