//! Building packs: captures in, one file out, in bounded memory.

use std::path::Path;

use super::error::Kind;
use super::{Pack, PackError, PackOptions};
use crate::fetch::FetchRecord;

/// What came back when an origin's robots.txt was fetched.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'c> {
    /// The canonical origin (see [`origin`](crate::origin)).
    pub origin: &'c [u8],
    /// How the fetch ended.
    pub record: FetchRecord,
    /// The body: that of the fetch, or, where the record says that there is a good one before failures, that one.
    pub body: Option<&'c [u8]>,
}

/// What a builder is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Programs are put in order and written.
    Programs,
    /// Origins are put in order and written.
    Origins,
    /// The file is made durable.
    Sync,
}

/// How far a builder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is at.
    pub phase: Phase,
    /// How many are done.
    pub done: u64,
    /// How many there are, as far as is known.
    pub total: u64,
}

/// What was built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackReport {
    /// Captures that went in.
    pub captures: u64,
    /// Origins in the pack.
    pub origins: u64,
    /// Octets of the bodies that went in.
    pub body_octets: u64,
    /// Bodies that were compiled.
    pub compiled: u64,
    /// Different programs.
    pub programs: u64,
    /// Octets of the pack.
    pub octets: u64,
    /// Octets of the index: slots, extras and name blocks.
    pub index_octets: u64,
    /// Origins that were left out since their rules cannot be compiled, and why; the first hundred.
    pub refused: Vec<(Vec<u8>, String)>,
    /// How many were left out.
    pub refused_count: u64,
}

/// Builds a pack from captures in any order.
#[derive(Debug)]
pub struct PackBuilder {
    _options: PackOptions,
}

impl PackBuilder {
    /// A builder of the pack at `target`.
    ///
    /// # Errors
    /// [`PackError`] where the settings are not valid or no file can be made beside the target.
    pub fn new(options: PackOptions, _target: impl AsRef<Path>) -> Result<Self, PackError> {
        Ok(Self { _options: options.checked()? })
    }

    /// Takes a capture.
    ///
    /// # Errors
    /// [`PackError`] where it is not valid, or writing failed.
    pub fn push(&mut self, _capture: Capture<'_>) -> Result<(), PackError> {
        Err(Kind::Worker.into())
    }

    /// Takes all origins of a pack that was built with the same settings; nothing is compiled again.
    ///
    /// # Errors
    /// [`PackError`] where the settings differ, or writing failed.
    pub fn push_pack(&mut self, _pack: &Pack) -> Result<(), PackError> {
        Err(Kind::Worker.into())
    }

    /// Writes the pack and puts it in the target's place.
    ///
    /// # Errors
    /// [`PackError`].
    pub fn finish(self) -> Result<PackReport, PackError> {
        self.finish_with(&mut |_| {})
    }

    /// As [`finish`](Self::finish), telling how far it is.
    ///
    /// # Errors
    /// [`PackError`].
    pub fn finish_with(self, _progress: &mut dyn FnMut(Progress)) -> Result<PackReport, PackError> {
        Err(Kind::Worker.into())
    }
}

/// Merges packs.
///
/// # Errors
/// [`PackError`].
pub fn merge(_packs: &[&Pack], _options: &PackOptions, _target: impl AsRef<Path>) -> Result<PackReport, PackError> {
    Err(Kind::Worker.into())
}
