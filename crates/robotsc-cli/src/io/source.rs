//! The file that a command is about: a robots.txt, a compiled program, standard input, or the robots.txt of a site.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use robotsc::origin::Origin;
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::output;

/// The size up to which a robots.txt or a program is read: far over every dialect's limit, and over every program of a
/// file within it.
const MAX_BYTES: u64 = 64 << 20;

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name, for messages.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// The site that it was fetched from: its rules are for no other.
    pub(crate) site: Option<Origin>,
}

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

impl Source {
    /// Reads a file, standard input if the name is `-`, or the robots.txt of a site if it is a URL.
    ///
    /// # Errors
    /// If it is missing, a directory, not readable, or larger than 64 MiB; of a site, if there is no robots.txt.
    pub(crate) fn read(name: &OsStr) -> Result<Self, Failure> {
        if is_url(name) {
            return Self::fetched(name);
        }
        Self::read_file(name)
    }

    /// Reads a file, or standard input if the name is `-`.
    ///
    /// # Errors
    /// If it is missing, a directory, not readable, or larger than 64 MiB.
    pub(crate) fn read_file(name: &OsStr) -> Result<Self, Failure> {
        if is_stdin(name) {
            return Self::read_all(STDIN_NAME.to_owned(), io::stdin().lock());
        }
        let shown = shown::bytes(name.as_encoded_bytes());
        match open(Path::new(name)) {
            Ok(file) => Self::read_all(shown, file),
            Err(error) => Err(cannot_read(&shown, &error)),
        }
    }

    /// Reads a file that [`Source::replace`] is to replace, or standard input.
    ///
    /// # Errors
    /// As [`Source::read`], and if it is a pipe, which would wait for a writer and cannot be read again, or a device.
    pub(crate) fn read_to_replace(name: &OsStr) -> Result<Self, Failure> {
        if !is_stdin(name)
            && let Err(error) = check_is_file(Path::new(name))
        {
            let way_out = "name a file, which is replaced, or give - for standard input";
            return Err(Failure::io("cannot read", &shown::bytes(name.as_encoded_bytes()), &error, way_out));
        }
        Self::read(name)
    }

    /// Replaces the file that this was read from, whole or not at all.
    ///
    /// # Errors
    /// If it was edited since, or cannot be written.
    pub(crate) fn replace(&self, file: &OsStr, body: &[u8]) -> Result<(), Failure> {
        if Self::read_to_replace(file)?.bytes != self.bytes {
            return Err(Failure::new(format_args!(
                "changed meanwhile: {}: it was edited while the new text was proved: run the command again",
                self.name
            )));
        }
        output::write_whole(Path::new(file), body)
    }

    #[cfg(feature = "fetch")]
    fn fetched(name: &OsStr) -> Result<Self, Failure> {
        let (origin, bytes) = crate::commands::fetch::Network::read(name)?;
        Ok(Self { name: origin.robots_url(), bytes, site: Some(origin) })
    }

    #[cfg(not(feature = "fetch"))]
    fn fetched(_: &OsStr) -> Result<Self, Failure> {
        // Not the URL, which can hold a password.
        Err(Failure::new("cannot fetch: the URL: this robotsc was built without the feature 'fetch': give a file"))
    }

    fn read_all(name: String, reader: impl Read) -> Result<Self, Failure> {
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
        Ok(Self { name, bytes, site: None })
    }
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
    Failure::io("cannot read", name, error, "give a readable file, or - for standard input")
}

#[cfg(all(test, not(feature = "fetch")))]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_is_not_fetched_is_not_shown() {
        let error = Source::read(OsStr::new("https://me:secret@shop.example")).unwrap_err();
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
}
