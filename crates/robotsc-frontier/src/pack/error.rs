//! What can be wrong with a pack, or with building one.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a pack could not be read or built.
#[derive(Debug)]
pub struct PackError(PackErrorKind);

#[derive(Debug)]
pub(crate) enum PackErrorKind {
    /// Reading or writing a file failed.
    Io {
        what: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    Changed,
    NoMark,
    Version {
        found: u32,
        known: [u32; 2],
    },
    TooShort {
        bytes: u64,
        wanted: u64,
    },
    HeaderChecksum,
    Header(&'static str),
    Dialect(String),
    Checksum(&'static str),
    Broken {
        what: &'static str,
        number: u64,
    },
    OwnDialect(&'static str),
    OwnVocabulary,
    Agents(String),
    Collision(Box<(Vec<u8>, Vec<u8>)>),
    Crowded,
    TooLarge(&'static str),
    Different(&'static str),
    Worker,
}

impl PackError {
    pub(crate) const fn new(kind: PackErrorKind) -> Self {
        Self(kind)
    }

    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self(PackErrorKind::Io { what, path, error })
    }

    /// Reports whether a file could not be read or written: then [`source`](std::error::Error::source) says why.
    #[must_use]
    pub const fn is_io(&self) -> bool {
        matches!(self.0, PackErrorKind::Io { .. })
    }

    /// Reports whether two origins have the same key, or too many share a home, under this seed: choose another
    /// [`seed`](crate::pack::PackOptions::seed).
    #[must_use]
    pub const fn is_seed(&self) -> bool {
        matches!(self.0, PackErrorKind::Collision(_) | PackErrorKind::Crowded)
    }
}

impl From<PackErrorKind> for PackError {
    fn from(kind: PackErrorKind) -> Self {
        Self(kind)
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            PackErrorKind::Io { what, path, error } => write!(f, "cannot {what} {}: {error}", path.display()),
            PackErrorKind::Changed => f.write_str(
                "the pack was changed in place while it was read, so answers may be wrong: build a new pack and rename \
                 it over the old one",
            ),
            PackErrorKind::NoMark => f.write_str("not a policy pack: give a file that `robotsc pack build` wrote"),
            PackErrorKind::Version { found, known: [old, new] } => {
                write!(f, "pack version {found}, this reader knows {old} and {new}: build it again")
            }
            PackErrorKind::TooShort { bytes, wanted } => {
                write!(f, "the pack has {bytes} bytes, its header says {wanted}: build it again")
            }
            PackErrorKind::HeaderChecksum => {
                f.write_str("the checksum of the pack's header does not fit: build it again")
            }
            PackErrorKind::Header(what) => write!(f, "the header of the pack is not valid ({what}): build it again"),
            PackErrorKind::Dialect(name) => {
                write!(f, "the pack was built under the dialect '{name}', which is not known here")
            }
            PackErrorKind::Checksum(section) => {
                write!(f, "the checksum of the pack's {section} does not fit, the file was altered: build it again")
            }
            PackErrorKind::Broken { what, number } => {
                write!(f, "the pack is not valid: {what} (number {number}): build it again")
            }
            PackErrorKind::OwnDialect(name) => {
                write!(
                    f,
                    "a pack states its dialect by name, and this is a changed '{name}': use a named dialect as it is"
                )
            }
            PackErrorKind::OwnVocabulary => f.write_str(
                "a pack states its vocabulary by the number of a revision: use one of `Vocabulary::REVISIONS`",
            ),
            PackErrorKind::Agents(what) => write!(f, "{what}"),
            PackErrorKind::Collision(origins) => write!(
                f,
                "the origins '{}' and '{}' have the same key: build with another seed",
                origins.0.escape_ascii(),
                origins.1.escape_ascii()
            ),
            PackErrorKind::Crowded => {
                f.write_str("more origins than chance allows share a home: build with another seed")
            }
            PackErrorKind::TooLarge(what) => write!(f, "{what}: split the pack"),
            PackErrorKind::Different(what) => {
                write!(f, "the packs were built with different settings ({what}): build them alike")
            }
            PackErrorKind::Worker => f.write_str("a worker thread stopped: build again"),
        }
    }
}

impl std::error::Error for PackError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            PackErrorKind::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
