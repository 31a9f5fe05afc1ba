//! The WARC file that fetches are written to: complete, or not there.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use robotsc::fetcher::{Fetched, WarcWriter};
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::new_file::NewFile;

/// A WARC file that is being written.
pub(super) struct Archive {
    name: String,
    file: NewFile,
    writer: WarcWriter<Vec<u8>>,
}

impl Archive {
    /// Begins a file. What stands there stays until it is finished.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn create(path: &OsStr) -> Result<Self, Failure> {
        let name = shown::bytes(path.as_encoded_bytes());
        let software = concat!("robotsc/", env!("CARGO_PKG_VERSION"));
        let created =
            NewFile::create(Path::new(path)).and_then(|file| Ok((file, WarcWriter::new(Vec::new(), software)?)));
        match created {
            Ok((file, writer)) => Ok(Self { name, file, writer }),
            Err(error) => Err(unwritten(&name, &error)),
        }
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
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let finished = self.drain().and_then(|()| self.file.finish());
        finished.map_err(|error| unwritten(&self.name, &error))
    }

    /// Moves whole records to the file.
    fn drain(&mut self) -> io::Result<()> {
        let records = std::mem::take(self.writer.get_mut());
        io::Write::write_all(self.file.file(), &records)
    }
}

fn unwritten(name: &str, error: &io::Error) -> Failure {
    Failure::io("cannot write", name, error, "name a file in a directory that can be written with --warc")
}
