//! The octets of a pack: mapped from a file, or owned.
//!
//! This is the only unsafe code of the project. All it yields is a slice; whatever the slice holds, the rest of the
//! reader is safe code over it.
#![expect(unsafe_code, reason = "mapping a file is unsafe, since others may change it")]

use std::fs::File;
use std::io;

/// The octets of a pack.
#[derive(Debug)]
pub(crate) enum Octets {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Octets {
    /// Maps a whole file to be read only.
    pub(crate) fn map(file: &File) -> io::Result<Self> {
        // An empty file cannot be mapped everywhere.
        if file.metadata()?.len() == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        // SAFETY: the mapping is read only, and lives as long as what borrows from it. That its octets do not change is
        // the contract of `Pack::open`: packs are
        // written to a file of another name and renamed when they are complete, never changed in place. Were one
        // changed nevertheless, no invariant of safe code
        // rests on what its octets say: every offset is checked each time it is used, and no octet is taken for
        // anything but a number.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Self::Mapped(map))
    }

    /// Whether the system reads what is around a page that is touched. It may not listen; nothing depends on it.
    pub(crate) fn read_ahead(&self, wanted: bool) {
        #[cfg(unix)]
        if let Self::Mapped(map) = self {
            use memmap2::Advice;
            let _ = map.advise(if wanted { Advice::Normal } else { Advice::Random });
        }
        #[cfg(not(unix))]
        let _ = wanted;
    }

    /// Has the system read some octets, as far as there are any, while the caller goes on.
    pub(crate) fn want(&self, start: usize, octets: usize) {
        #[cfg(unix)]
        if let Self::Mapped(map) = self {
            let octets = octets.min(map.len().saturating_sub(start));
            if octets > 0 {
                let _ = map.advise_range(memmap2::Advice::WillNeed, start, octets);
            }
        }
        #[cfg(not(unix))]
        let _ = (start, octets);
    }

    /// All octets.
    #[inline]
    pub(crate) fn all(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(octets) => octets,
        }
    }
}
