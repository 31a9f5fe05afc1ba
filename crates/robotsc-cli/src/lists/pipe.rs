//! Whether a pipe has more to read at once, so that lines that were read are answered before the next are waited for.

#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long to wait for more: a program that writes without a pause is read in whole blocks.
#[cfg(unix)]
const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };

/// An input whose reader can have to wait: no regular file.
#[derive(Debug)]
pub(crate) struct Pipe(#[cfg(unix)] OwnedFd);

#[cfg(unix)]
impl Pipe {
    /// Returns the pipe that a stream reads from; `None` for a regular file, which never waits.
    pub(crate) fn of(stream: &impl AsFd) -> Option<Self> {
        let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
        let is_file = file.metadata().ok()?.is_file();
        (!is_file).then(|| Self(file.into()))
    }

    /// Reports whether there are bytes to read, or the end, now or in a moment. What a decoder holds back is not seen.
    pub(crate) fn has_more(&self) -> bool {
        poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&WAIT)).is_ok_and(|ready| ready > 0)
    }
}

/// Elsewhere a pipe cannot be asked: lines wait for a full block, or for the end.
#[cfg(not(unix))]
impl Pipe {
    pub(crate) fn of<S>(_: &S) -> Option<Self> {
        None
    }

    pub(crate) fn has_more(&self) -> bool {
        true
    }
}
