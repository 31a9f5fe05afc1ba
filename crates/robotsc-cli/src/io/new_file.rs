//! Files that are written whole or not at all: under another name beside their target, which they take at the end.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// How the names of unfinished files end. They begin with a dot and the name of the target.
const UNFINISHED: &str = ".unfinished";

/// A file that is being written.
#[derive(Debug)]
pub(crate) enum NewFile {
    /// A file beside the one that it replaces.
    Beside { temporary: NamedTempFile, target: PathBuf },
    /// A pipe or a device, which is written as it is.
    Device(File),
}

impl NewFile {
    /// Begins a file that takes its name in [`finish`](Self::finish). Until then, and if writing fails, what stood at
    /// `path` stays.
    ///
    /// A symbolic link is written through, as `cp` does: the file that it leads to is replaced. Unfinished files of
    /// `path` that a killed run left are removed.
    ///
    /// # Errors
    /// If `path` is a directory or a link to nothing, or its directory cannot be written.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let target = match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_symlink() => fs::canonicalize(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => {
                    io::Error::new(ErrorKind::InvalidInput, "it is a link to a file that does not exist")
                }
                _ => error,
            })?,
            _ => path.to_owned(),
        };
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => {
                return Ok(Self::Device(File::options().write(true).open(&target)?));
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let directory = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let prefix = format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy());
        remove_stale(directory, &prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(UNFINISHED);
        // A temporary file is private by default; this one is as public as the umask has it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(directory)?;
        // The lock tells other runs that the file is in use. Where locks are not supported nothing is ever removed.
        let _ = temporary.as_file().try_lock();
        if let Ok(old) = fs::metadata(&target) {
            temporary.as_file().set_permissions(old.permissions())?;
        }
        Ok(Self::Beside { temporary, target })
    }

    /// Returns the file to write to.
    pub(crate) fn file(&mut self) -> &mut File {
        match self {
            Self::Beside { temporary, .. } => temporary.as_file_mut(),
            Self::Device(file) => file,
        }
    }

    /// Makes the file durable and gives it its name.
    ///
    /// # Errors
    /// Those of the operating system; then what stood there stays.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Beside { temporary, target } => {
                temporary.as_file().sync_all()?;
                temporary.persist(&target).map(drop).map_err(|error| error.error)
            }
            Self::Device(_) => Ok(()),
        }
    }
}

/// Removes the unfinished files of a target that no living run holds.
fn remove_stale(directory: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_unfinished = name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(UNFINISHED));
        // A pipe of such a name would wait for a writer.
        if is_unfinished
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // If another run removes it first, it is gone all the same.
            let _ = fs::remove_file(entry.path());
        }
    }
}
