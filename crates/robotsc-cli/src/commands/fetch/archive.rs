//! The WARC file that fetches are written to: complete, or not there. Without a name, it is there only for a pack.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use robotsc::fetch::{Fetched, WarcWriter};
use robotsc_answers::shown;
use tempfile::{NamedTempFile, TempPath};

use crate::failure::Failure;
use crate::io::new_file::NewFile;

/// The software that WARC files name.
pub(super) const SOFTWARE: &str = concat!("robotsc/", env!("CARGO_PKG_VERSION"));

/// A WARC file that is being written.
pub(super) struct Archive {
    name: String,
    file: Written,
    writer: WarcWriter<Vec<u8>>,
}

enum Written {
    Named(NewFile, PathBuf),
    /// It is removed after the pack was made of it.
    Temporary(NamedTempFile),
}

/// A WARC file that is complete.
pub(super) enum Complete {
    Named(PathBuf),
    Temporary(TempPath),
}

impl Complete {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Named(path) => path,
            Self::Temporary(path) => path,
        }
    }
}

impl Archive {
    /// Begins a file. What stands there stays until it is finished.
    ///
    /// # Errors
    /// If it exists and is not empty, or cannot be written.
    pub(super) fn create(path: &OsStr) -> Result<Self, Failure> {
        let name = shown::bytes(path.as_encoded_bytes());
        if fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0) {
            return Err(Failure::new(format_args!(
                "a file that exists as the WARC file: {name}: it would be lost: name a new one, or append to it with \
                 the --log of the run that wrote it"
            )));
        }
        let created = NewFile::create(Path::new(path)).and_then(|file| {
            let file = Written::Named(file, path.into());
            Ok(Self { name: name.clone(), file, writer: WarcWriter::new(Vec::new(), SOFTWARE)? })
        });
        created.map_err(|error| unwritten(&name, &error))
    }

    /// Begins a file beside a pack.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn temporary(pack: &Path) -> Result<Self, Failure> {
        let folder = pack.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = shown::bytes(folder.as_os_str().as_encoded_bytes());
        let created = tempfile::Builder::new().suffix(".warc.gz").tempfile_in(folder).and_then(|file| {
            let file = Written::Temporary(file);
            Ok(Self { name: name.clone(), file, writer: WarcWriter::new(Vec::new(), SOFTWARE)? })
        });
        created.map_err(|error| unwritten(&name, &error))
    }

    /// Writes a fetch.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&mut self, fetched: &Fetched) -> Result<(), Failure> {
        let written = self.writer.write(fetched).and_then(|()| self.drain());
        written.map_err(|error| unwritten(&self.name, &error))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self) -> Result<Complete, Failure> {
        let drained = self.drain();
        let finished = drained.and_then(|()| match self.file {
            Written::Named(file, path) => file.finish().map(|()| Complete::Named(path)),
            Written::Temporary(file) => Ok(Complete::Temporary(file.into_temp_path())),
        });
        finished.map_err(|error| unwritten(&self.name, &error))
    }

    /// Moves whole records to the file.
    fn drain(&mut self) -> io::Result<()> {
        let records = std::mem::take(self.writer.get_mut());
        let file: &mut File = match &mut self.file {
            Written::Named(file, _) => file.file(),
            Written::Temporary(file) => file.as_file_mut(),
        };
        io::Write::write_all(file, &records)
    }
}

fn unwritten(name: &str, error: &io::Error) -> Failure {
    Failure::io(
        "cannot write",
        name,
        error,
        "name a file in a directory that can be written with --warc; with --log as well, what was fetched is kept",
    )
}
