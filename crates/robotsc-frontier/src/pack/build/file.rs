//! The file that becomes the pack: beside the target, under a name of its own, and renamed over it when it is complete
//! and durable.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::Xxh3;

use super::super::PackError;
use super::super::format::{HEADER, Header, LINE, Section, Span};

/// How the names of unfinished packs end.
const UNFINISHED: &str = ".unfinished";

/// Returns the folder of a path.
pub(crate) fn folder_of(target: &Path) -> PathBuf {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The checksum of a section that is being written.
struct Sum(Xxh3);

impl fmt::Debug for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sum").finish_non_exhaustive()
    }
}

/// A pack that is being written.
#[derive(Debug)]
pub(crate) struct PackFile {
    temporary: NamedTempFile,
    /// The same file; its lock tells others that it is in use.
    out: BufWriter<File>,
    target: PathBuf,
    at: u64,
    section: Option<(Section, u64)>,
    sum: Sum,
    spans: [Span; Section::COUNT],
}

impl PackFile {
    /// Makes the file, and removes stale files of builders of the same target that were killed.
    ///
    /// A target that is a link is written through, as `cp` does: the pack takes the place of the file that the link
    /// leads to.
    pub(crate) fn new(target: &Path) -> Result<Self, PackError> {
        let target = &replaceable(target).map_err(PackError::io("write", target))?;
        let folder = folder_of(target);
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let prefix = format!(".{name}.");
        remove_stale(&folder, &prefix);
        let wrong = || PackError::io("make a file beside", target);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(UNFINISHED);
        // A temporary file is private by default; a new pack is as public as the umask has it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(&folder).map_err(wrong())?;
        // If locks are not supported, stale files cannot be told from files in use, and nothing is removed.
        let _ = temporary.as_file().try_lock();
        let out = temporary.as_file().try_clone().map_err(wrong())?;
        let mut file = Self {
            temporary,
            out: BufWriter::with_capacity(1 << 20, out),
            target: target.to_owned(),
            at: 0,
            section: None,
            sum: Sum(Xxh3::new()),
            spans: [Span::default(); Section::COUNT],
        };
        // Zeros until the header is known: an unfinished file is no pack.
        file.write(&[0; HEADER])?;
        Ok(file)
    }

    /// Starts a section at the next line. Sections come in their order, all of them.
    pub(crate) fn begin(&mut self, section: Section) -> Result<(), PackError> {
        let pad = self.at.next_multiple_of(LINE as u64) - self.at;
        self.write(&[0; LINE][..pad as usize])?;
        self.section = Some((section, self.at));
        self.sum.0.reset();
        Ok(())
    }

    /// Returns the bytes of the section so far.
    pub(crate) fn section_len(&self) -> u64 {
        self.section.as_ref().map_or(0, |(_, start)| self.at - start)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), PackError> {
        self.sum.0.update(bytes);
        self.at += bytes.len() as u64;
        self.out.write_all(bytes).map_err(PackError::io("write", &self.target))
    }

    pub(crate) fn end(&mut self) {
        if let Some((section, start)) = self.section.take() {
            self.spans[section as usize] = Span { start, bytes: self.at - start, checksum: self.sum.0.digest() };
        }
    }

    /// Writes a whole section from a temporary file.
    pub(crate) fn copy(&mut self, section: Section, from: BufWriter<File>) -> Result<(), PackError> {
        let wrong = || PackError::io("read", "a temporary file");
        let mut from = from.into_inner().map_err(|error| wrong()(error.into_error()))?;
        from.seek(SeekFrom::Start(0)).map_err(wrong())?;
        self.begin(section)?;
        let mut chunk = vec![0; 1 << 18];
        loop {
            let read = from.read(&mut chunk).map_err(wrong())?;
            if read == 0 {
                break;
            }
            self.write(&chunk[..read])?;
        }
        self.end();
        Ok(())
    }

    /// Writes the header, makes the file durable and renames it over the target.
    pub(crate) fn finish(mut self, mut header: Header) -> Result<Header, PackError> {
        header.file = self.at;
        header.sections = self.spans;
        let wrong = || PackError::io("write", &self.target);
        self.out.seek(SeekFrom::Start(0)).map_err(wrong())?;
        self.out.write_all(&header.to_bytes()).and_then(|()| self.out.flush()).map_err(wrong())?;
        set_mode(self.temporary.as_file(), &self.target).map_err(wrong())?;
        self.temporary.as_file().sync_all().map_err(wrong())?;
        let persisted = self.temporary.persist(&self.target);
        persisted.map_err(|error| PackError::io("put the new pack in the place of", &self.target)(error.error))?;
        // The rename is durable when the folder is. If folders cannot be opened, nothing can be done.
        if let Ok(folder) = File::open(folder_of(&self.target)) {
            let _ = folder.sync_all();
        }
        Ok(header)
    }
}

/// Returns the file that a pack for `target` replaces: what the target's link leads to, or the target itself.
///
/// # Errors
/// If the target is a link to nothing, or exists and is no regular file: a directory, a pipe or a device stays.
fn replaceable(target: &Path) -> io::Result<PathBuf> {
    let is_link = fs::symlink_metadata(target).is_ok_and(|metadata| metadata.is_symlink());
    let path = match fs::canonicalize(target) {
        Ok(path) if is_link => path,
        Err(error) if is_link && error.kind() == ErrorKind::NotFound => {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is a link to a file that does not exist"));
        }
        Err(error) if is_link => return Err(error),
        _ => target.to_owned(),
    };
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => {
            Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file, so no pack can take its place"))
        }
        _ => Ok(path),
    }
}

/// Gives a pack the mode of the one that it replaces. A new pack keeps the mode that the umask left it.
#[cfg(unix)]
fn set_mode(file: &File, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    match fs::metadata(target) {
        Ok(old) => file.set_permissions(fs::Permissions::from_mode(old.permissions().mode() & 0o777)),
        Err(_) => Ok(()),
    }
}

#[cfg(not(unix))]
fn set_mode(_file: &File, _target: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes unfinished files that no living builder holds.
fn remove_stale(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_stale = name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(UNFINISHED));
        // A pipe of such a name would wait for a writer.
        if is_stale
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // Whoever else removes it first did the same.
            let _ = fs::remove_file(entry.path());
        }
    }
}
