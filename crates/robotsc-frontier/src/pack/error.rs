//! What can be wrong with a pack, or with building one.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a pack could not be read or built.
#[derive(Debug)]
pub struct PackError(Kind);

#[derive(Debug)]
pub(crate) enum Kind {
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
    pub(crate) const fn new(kind: Kind) -> Self {
        Self(kind)
    }

    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self(Kind::Io { what, path, error })
    }

    /// Reports whether a file could not be read or written: then [`source`](std::error::Error::source) says why.
    #[must_use]
    pub const fn is_io(&self) -> bool {
        matches!(self.0, Kind::Io { .. })
    }

    /// Reports whether two origins have the same key, or too many share a home, under this seed: choose another
    /// [`seed`](crate::pack::PackOptions::seed).
    #[must_use]
    pub const fn is_seed(&self) -> bool {
        matches!(self.0, Kind::Collision(_) | Kind::Crowded)
    }
}

impl From<Kind> for PackError {
    fn from(kind: Kind) -> Self {
        Self(kind)
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Io { what, path, error } => write!(f, "cannot {what} {}: {error}", path.display()),
            Kind::Changed => f.write_str(
                "the pack was changed in place while it was read, so answers may be wrong: build a new pack and rename \
                 it over the old one",
            ),
            Kind::NoMark => f.write_str("not a policy pack: give a file that `robotsc pack build` wrote"),
            Kind::Version { found, known: [old, new] } => {
                write!(f, "pack version {found}, this reader knows {old} and {new}: build it again")
            }
            Kind::TooShort { bytes, wanted } => {
                write!(f, "the pack has {bytes} bytes, its header says {wanted}: build it again")
            }
            Kind::HeaderChecksum => f.write_str("the checksum of the pack's header does not fit: build it again"),
            Kind::Header(what) => write!(f, "the header of the pack is not valid ({what}): build it again"),
            Kind::Dialect(name) => write!(f, "the pack was built under the dialect '{name}', which is not known here"),
            Kind::Checksum(section) => {
                write!(f, "the checksum of the pack's {section} does not fit, the file was altered: build it again")
            }
            Kind::Broken { what, number } => {
                write!(f, "the pack is not valid: {what} (number {number}): build it again")
            }
            Kind::OwnDialect(name) => {
                write!(
                    f,
                    "a pack states its dialect by name, and this is a changed '{name}': use a named dialect as it is"
                )
            }
            Kind::OwnVocabulary => f.write_str(
                "a pack states its vocabulary by the number of a revision: use one of `Vocabulary::REVISIONS`",
            ),
            Kind::Agents(what) => write!(f, "{what}"),
            Kind::Collision(origins) => write!(
                f,
                "the origins '{}' and '{}' have the same key: build with another seed",
                origins.0.escape_ascii(),
                origins.1.escape_ascii()
            ),
            Kind::Crowded => f.write_str("more origins than chance allows share a home: build with another seed"),
            Kind::TooLarge(what) => write!(f, "{what}: split the pack"),
            Kind::Different(what) => {
                write!(f, "the packs were built with different settings ({what}): build them alike")
            }
            Kind::Worker => f.write_str("a worker thread stopped: build again"),
        }
    }
}

impl std::error::Error for PackError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Kind::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
