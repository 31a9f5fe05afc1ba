//! Files and standard input: their names, and how they are opened.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use robotsc_answers::shown;

use crate::failure::Failure;

/// The size up to which a robots.txt or a program is read: far over every dialect's limit, and over every program of a
/// file within it.
const MAX_BYTES: u64 = 64 << 20;

/// How messages call standard input.
pub(crate) const STDIN_NAME: &str = "standard input";

/// Returns whether a name stands for standard input.
pub(crate) fn is_stdin(name: &OsStr) -> bool {
    name == "-"
}

/// Returns whether a name is that of a site, whose robots.txt is fetched.
pub(crate) fn is_url(name: &OsStr) -> bool {
    let starts = |scheme: &[u8]| {
        name.as_encoded_bytes().get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    starts(b"https://") || starts(b"http://")
}

/// Reads a file, or standard input if the name is `-`. Returns its name for messages, and its bytes.
///
/// # Errors
/// If it is missing, a directory, not readable, or larger than 64 MiB.
pub(crate) fn read(name: &OsStr) -> Result<(String, Vec<u8>), Failure> {
    if is_stdin(name) {
        return read_all(STDIN_NAME.to_owned(), io::stdin().lock());
    }
    let shown = shown::bytes(name.as_encoded_bytes());
    match open(Path::new(name)) {
        Ok(file) => read_all(shown, file),
        Err(error) => Err(cannot_read(&shown, &error)),
    }
}

fn read_all(name: String, reader: impl Read) -> Result<(String, Vec<u8>), Failure> {
    let mut bytes = Vec::new();
    if let Err(error) = reader.take(MAX_BYTES + 1).read_to_end(&mut bytes) {
        return Err(cannot_read(&name, &error));
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::new(format_args!(
            "file too large: {name}: over {} MiB: no robots.txt is",
            MAX_BYTES >> 20
        )));
    }
    Ok((name, bytes))
}

/// Opens a file, and refuses a directory, which would open and then fail to be read with a worse message on some
/// systems.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

/// Opens a source of captures, a file or a folder, to see whether it can be read. `None` stands for a pipe, whose
/// opening would wait for a writer.
pub(crate) fn open_source(path: &Path) -> io::Result<Option<File>> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() || metadata.is_dir() { File::open(path).map(Some) } else { Ok(None) }
}

/// Checks that a file that is opened next is no pipe, which would wait for a writer, and no device. What else is wrong
/// with it is reported when it is opened.
///
/// # Errors
/// If it is one.
pub(crate) fn check_is_file(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"))
        }
        _ => Ok(()),
    }
}

/// Returns the error for a file that cannot be read.
pub(crate) fn cannot_read(name: &str, error: &io::Error) -> Failure {
    // If `-` was given, it is no way out.
    let way_out = if name == "-" { "give a readable file" } else { "give a readable file, or - for standard input" };
    Failure::io("cannot read", name, error, way_out)
}
