//! Where the answers go: standard output, and files that get their names when the run is over.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::answer::{OUTPUTS, STDOUT};
use super::pieces::Pieces;
use crate::failure::Failure;
use crate::shown;

/// The outputs of a run, by number; what is not asked for is not there.
#[derive(Debug, Default)]
pub(crate) struct Sinks {
    sinks: [Option<Sink>; OUTPUTS],
}

/// An output.
pub(crate) enum Sink {
    /// Standard output, or what a test takes for it.
    Stream(Box<dyn Write>),
    /// A file beside the one that it will replace.
    New { file: NamedTempFile, path: PathBuf },
    /// What is no plain file, a pipe or a device: written as it is.
    Device { file: File, path: PathBuf },
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stream(_) => f.write_str("Stream"),
            Self::New { path, .. } | Self::Device { path, .. } => path.fmt(f),
        }
    }
}

impl Sinks {
    /// Adds an output.
    pub(crate) fn add(&mut self, number: usize, sink: Sink) {
        self.sinks[number] = Some(sink);
    }

    /// Writes to an output what it gets of a block.
    ///
    /// # Errors
    /// [`Failure::PipeClosed`] where the reader of standard output is gone.
    pub(crate) fn write(&mut self, number: usize, pieces: &Pieces, block: &[u8]) -> Result<(), Failure> {
        if pieces.is_empty() {
            return Ok(());
        }
        match &mut self.sinks[number] {
            None => Ok(()),
            Some(Sink::Stream(out)) => Ok(pieces.write(block, out)?),
            Some(Sink::New { file, path }) => {
                pieces.write(block, file.as_file_mut()).map_err(|error| cannot_write(path, &error))
            }
            Some(Sink::Device { file, path }) => pieces.write(block, file).map_err(|error| cannot_write(path, &error)),
        }
    }

    /// Hands on what standard output holds back.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.sinks[STDOUT] {
            Some(Sink::Stream(out)) => Ok(out.flush()?),
            _ => Ok(()),
        }
    }

    /// Ends all outputs; files take their names.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        for sink in self.sinks.into_iter().flatten() {
            if let Sink::New { file, path } = sink {
                file.as_file().sync_all().map_err(|error| cannot_write(&path, &error))?;
                file.persist(&path).map_err(|error| cannot_write(&path, &error.error))?;
            }
        }
        Ok(())
    }
}

impl Sink {
    /// Makes ready to write a file: a new one, where there is none or a plain one.
    pub(crate) fn file(path: &Path) -> Result<Self, Failure> {
        let path = path.to_path_buf();
        let open = || {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
                Ok(metadata) if !metadata.is_file() => {
                    return Ok(Self::Device { file: File::options().write(true).open(&path)?, path: path.clone() });
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            let directory = match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            let mut builder = tempfile::Builder::new();
            builder.prefix(".robotsc-");
            // A temporary file is private by default; this one is as public as the umask has it.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            Ok(Self::New { file: builder.tempfile_in(directory)?, path: path.clone() })
        };
        open().map_err(|error| cannot_write(&path, &error))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let name = shown::octets(path.as_os_str().as_encoded_bytes());
    Failure::io("cannot write", &name, error, "name a file in a directory that can be written, with room")
}
