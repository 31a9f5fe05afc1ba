//! The bytes of a pack: mapped from a file, or owned.
//!
//! This is the only unsafe code of the libraries. All it yields is a slice; whatever the slice holds, the rest of the
//! reader is safe code over it.
#![expect(unsafe_code, reason = "mapping a file is unsafe, since others may change it")]

use std::fs::File;
use std::io;
use std::time::SystemTime;

/// The bytes of a pack.
#[derive(Debug)]
pub(crate) enum Bytes {
    Mapped { map: memmap2::Mmap, file: File, state: FileState },
    Owned(Vec<u8>),
}

/// What changes if a file is changed in place: its length and the time of its last change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        // If the system keeps no times, only the length can be compared.
        Ok(Self { bytes: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl Bytes {
    /// Maps a whole file to be read only.
    pub(crate) fn map(file: &File) -> io::Result<Self> {
        let state = FileState::of(file)?;
        // An empty file cannot be mapped everywhere.
        if state.bytes == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        let kept = file.try_clone()?;
        // SAFETY: the mapping is read only, and lives as long as what borrows from it. That its bytes do not change is
        // the contract of `Pack::open`: packs are written to a file of another name and renamed when they are complete,
        // never changed in place. If one is changed nevertheless, no invariant of safe code rests on its bytes: every
        // offset is checked each time it is used, and no byte is taken for anything but a number.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Self::Mapped { map, file: kept, state })
    }

    /// Reports whether the mapped file has the length and the time of change that it had when it was mapped. Owned
    /// bytes never change.
    pub(crate) fn is_unchanged(&self) -> io::Result<bool> {
        match self {
            Self::Mapped { file, state, .. } => Ok(FileState::of(file)? == *state),
            Self::Owned(_) => Ok(true),
        }
    }

    /// Advises the system whether to read what is around a page that is touched. Nothing depends on it.
    pub(crate) fn read_ahead(&self, wanted: bool) {
        #[cfg(unix)]
        if let Self::Mapped { map, .. } = self {
            use memmap2::Advice;
            let _ = map.advise(if wanted { Advice::Normal } else { Advice::Random });
        }
        #[cfg(not(unix))]
        let _ = wanted;
    }

    /// Asks the system to read some bytes, as far as there are any, while the caller goes on.
    pub(crate) fn want(&self, start: usize, bytes: usize) {
        #[cfg(unix)]
        if let Self::Mapped { map, .. } = self {
            let bytes = bytes.min(map.len().saturating_sub(start));
            if bytes > 0 {
                let _ = map.advise_range(memmap2::Advice::WillNeed, start, bytes);
            }
        }
        #[cfg(not(unix))]
        let _ = (start, bytes);
    }

    /// Returns all bytes.
    #[inline]
    pub(crate) fn all(&self) -> &[u8] {
        match self {
            Self::Mapped { map, .. } => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// Ends the process with a line on standard error and exit code 2 if a mapped pack can no longer be read, where the
/// system would end it with SIGBUS.
///
/// A page of a mapped file cannot be read if another program cuts the file short, or if its disk fails. No code can go
/// on from there, so a command can at least say what happened. Libraries should not call this: it replaces the
/// handler of SIGBUS for the whole process. It does nothing on systems without that signal.
pub fn exit_on_bus_error() {
    #[cfg(unix)]
    {
        const MESSAGE: &[u8] = b"robotsc: cannot read the pack: it was changed in place, or its disk fails: \
            build a new pack and rename it over the old one, as 'robotsc pack' does\n";
        extern "C" fn report(_signal: libc::c_int) {
            // SAFETY: both functions are async-signal-safe, and the buffer is a constant.
            unsafe {
                libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
                libc::_exit(2);
            }
        }
        // SAFETY: the handler calls only async-signal-safe functions and does not return.
        unsafe {
            libc::signal(libc::SIGBUS, report as extern "C" fn(libc::c_int) as libc::sighandler_t);
        }
    }
}
