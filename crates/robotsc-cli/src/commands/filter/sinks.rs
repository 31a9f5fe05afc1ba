//! Where the answers go: standard output, and files that get their names when the run ends.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use robotsc_answers::shown;

use super::answer::{OUTPUTS, STDOUT};
use super::pieces::Pieces;
use crate::failure::Failure;
use crate::io::new_file::NewFile;

/// The outputs of a run, by number; `None` if an output is not wanted.
#[derive(Debug, Default)]
pub(crate) struct Sinks {
    sinks: [Option<Sink>; OUTPUTS],
}

/// An output.
pub(crate) enum Sink {
    /// Standard output, or what a test uses instead.
    Stream(Box<dyn Write>),
    /// A file, and its name on the command line.
    File { file: NewFile, path: PathBuf },
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stream(_) => f.write_str("Stream"),
            Self::File { path, .. } => path.fmt(f),
        }
    }
}

impl Sinks {
    /// Adds an output.
    pub(crate) fn add(&mut self, number: usize, sink: Sink) {
        self.sinks[number] = Some(sink);
    }

    /// Writes the part of a block that goes to an output.
    ///
    /// # Errors
    /// If the output cannot be written; [`Failure::PipeClosed`] if the reader of standard output closed it.
    pub(crate) fn write(&mut self, number: usize, pieces: &Pieces, block: &[u8]) -> Result<(), Failure> {
        if pieces.is_empty() {
            return Ok(());
        }
        match &mut self.sinks[number] {
            None => Ok(()),
            Some(Sink::Stream(out)) => Ok(pieces.write(block, out)?),
            Some(Sink::File { file, path }) => {
                pieces.write(block, file.file()).map_err(|error| cannot_write(path, &error))
            }
        }
    }

    /// Flushes standard output.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.sinks[STDOUT] {
            Some(Sink::Stream(out)) => Ok(out.flush()?),
            _ => Ok(()),
        }
    }

    /// Finishes all outputs; files take their names.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        for sink in self.sinks.into_iter().flatten() {
            if let Sink::File { file, path } = sink {
                file.finish().map_err(|error| cannot_write(&path, &error))?;
            }
        }
        Ok(())
    }
}

impl Sink {
    /// Begins to write a file.
    pub(crate) fn file(path: &Path) -> Result<Self, Failure> {
        let file = NewFile::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Self::File { file, path: path.to_owned() })
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let name = shown::bytes(path.as_os_str().as_encoded_bytes());
    Failure::io("cannot write", &name, error, "name a file in a directory that can be written, with room")
}
