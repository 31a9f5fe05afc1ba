//! Building packs: captures in, one file out, in bounded memory.

//!
//! 1. Threads compile: each body once, as far as memory remembers. Programs, lists, policies and captures go to
//!    sorters, which write runs to files when
//!    their memory is full. What has content is named by its hash from here on.
//! 2. Captures are merged in the order of their keys and folded into one for each origin; what these use is noted.
//! 3. Programs, lists and policies that are used are merged and written in the order of their hashes, so that equal
//!    ones are written once.
//! 4. The folded captures become slots.
//!
//! All orders are those of octets, so that neither threads nor memory nor the order of the input can be seen in the
//! pack.

use std::path::{Path, PathBuf};

use capture::Compiled;
use content::{Link, Sink, Stub};
pub(crate) use content::{compiler, hash};
use file::{PackFile, folder_of};
use worker::Workers;

use super::error::Kind;
use super::format::Section;
use super::policy::PolicyRecord;
use super::slot::Target;
use super::{Pack, PackEntry, PackError, PackOptions};
use crate::fetch::Capture;
use crate::origin::Origin;

mod cache;
mod capture;
mod content;
mod file;
mod places;
mod sorter;
mod worker;
mod write;

/// What a builder is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Captures are put in order, and those of one origin made one.
    Sort,
    /// Programs are put in order and written.
    Programs,
    /// Origins get their slots.
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
    /// Different policies that are more than a program.
    pub policies: u64,
    /// Octets of the pack.
    pub octets: u64,
    /// Octets of the index: classes, slots, extras and name blocks.
    pub index_octets: u64,
    /// Octets of the origins' texts.
    pub name_octets: u64,
    /// Origins that were left out since their rules cannot be compiled, and why; the first hundred.
    pub refused: Vec<(Vec<u8>, String)>,
    /// How many were left out.
    pub refused_count: u64,
}

/// Builds a pack from captures in any order.
///
/// Of several captures of one origin the newest counts, of several of one time the one that came last. Where the newest
/// is a failure, the older ones say since when fetches
/// fail, and the last good copy is kept, or that there was none: what a cache would hold that had seen them all, in the
/// order of their times. Of a pack that is put in only what it holds of each origin is known: where a success that it had not seen ended a row of its failures, the
/// first failure after that is taken for the latest that is known, so that the failures pass for younger than they are.
#[derive(Debug)]
pub struct PackBuilder {
    options: PackOptions,
    folder: PathBuf,
    file: PackFile,
    workers: Workers,
    captures: u64,
    body_octets: u64,
}

impl PackBuilder {
    /// A builder of the pack at `target`. Until [`finish`](Self::finish) has succeeded, what is there stays as it is.
    ///
    /// # Errors
    /// [`PackError`] where the settings are not valid or no file can be made beside the target.
    pub fn new(options: PackOptions, target: impl AsRef<Path>) -> Result<Self, PackError> {
        let options = options.checked()?;
        let file = PackFile::new(target.as_ref())?;
        let folder = folder_of(target.as_ref());
        let workers = Workers::start(&options, folder.clone());
        Ok(Self { options, folder, file, workers, captures: 0, body_octets: 0 })
    }

    /// Adds a capture of an origin. Copies the bytes; other threads compile them.
    ///
    /// # Errors
    /// [`PackError`] if writing failed.
    pub fn push(&mut self, origin: &Origin, capture: &Capture<'_>) -> Result<(), PackError> {
        let (record, body) = (*capture.record(), capture.body());
        self.captures += 1;
        self.body_octets += body.map_or(0, |body| body.len() as u64);
        self.workers.push(self.captures, origin.as_bytes(), record, body)
    }

    /// Takes all origins of a pack that was built with the same settings. Nothing is compiled again. The pack [is
    /// verified](Pack::verify) first, so that nothing
    /// broken is carried on.
    ///
    /// # Errors
    /// [`PackError`] where the settings differ, the pack is not valid, or writing failed.
    pub fn push_pack(&mut self, pack: &Pack) -> Result<(), PackError> {
        let options = &self.options;
        for (same, what) in [
            (*pack.dialect() == options.dialect, "the dialect"),
            (*pack.agents() == options.agents, "the agents"),
            (pack.names_winners() == options.winners, "winners"),
            (pack.has_sitemaps() == options.sitemaps, "sitemaps"),
        ] {
            if !same {
                return Err(Kind::Different(what).into());
            }
        }
        pack.verify()?;
        let broken = |what| move || PackError::from(Kind::Broken { what, number: 0 });
        let mut entries = pack.entries();
        while let Some((origin, slot)) = entries.next_slot() {
            let entry = PackEntry::of_slot(pack, slot);
            self.captures += 1;
            let link = relink(pack, &entry, &mut self.workers.sink())?.ok_or_else(broken("a policy"))?;
            let key = self.workers.key(&origin);
            self.workers.push_linked(&Compiled {
                key,
                number: self.captures,
                record: *entry.record(),
                missing_at: pack.missing_at(slot),
                link,
                origin,
            })?;
        }
        Ok(())
    }

    /// Writes the pack, makes it durable and puts it in the target's place, all at once.
    ///
    /// # Errors
    /// [`PackError`] where writing failed, or where origins have the same key: then the target is as it was, and
    /// nothing else is left.
    pub fn finish(self) -> Result<PackReport, PackError> {
        self.finish_with(&mut |_| {})
    }

    /// As [`finish`](Self::finish), telling how far it is.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_with(self, progress: &mut dyn FnMut(Progress)) -> Result<PackReport, PackError> {
        let (sorted, compiled) = self.workers.finish()?;
        let mut report = write::write(self.file, &self.folder, &self.options, sorted, progress)?;
        report.captures = self.captures;
        report.body_octets = self.body_octets;
        report.compiled = compiled;
        Ok(report)
    }
}

/// What an entry of a pack holds, by hashes; `None` where a place has nothing.
fn relink<S: Sink>(pack: &Pack, entry: &PackEntry<'_>, sink: &mut S) -> Result<Option<Link>, S::Error> {
    let record = match entry.target() {
        Target::Nothing => return Ok(Some(Link::Nothing)),
        Target::Program(place) => {
            let Some(octets) = pack.sized_record(Section::Programs, place) else { return Ok(None) };
            let hash = hash(octets);
            sink.program(hash, octets)?;
            return Ok(Some(Link::Program(hash, entry.delay())));
        }
        Target::Policy(place) => pack.record(Section::Policies, place).and_then(PolicyRecord::read),
    };
    let Some(record) = record else { return Ok(None) };
    let mut stub = Stub::default();
    for number in 0..record.len() {
        let Some((place, delay)) = record.entry(number) else { return Ok(None) };
        let Some(octets) = pack.sized_record(Section::Programs, place) else { return Ok(None) };
        let hash = hash(octets);
        sink.program(hash, octets)?;
        stub.entries.push((hash, delay));
    }
    for (place, list) in [(record.sitemaps, &mut stub.sitemaps), (record.tokens, &mut stub.tokens)] {
        if let Some(octets) = pack.sized_record(Section::Lists, place) {
            let hash = hash(octets);
            sink.list(hash, octets)?;
            *list = Some(hash);
        }
    }
    stub.link(sink).map(Some)
}

/// The settings of a pack, to build one like it.
impl From<&Pack> for PackOptions {
    fn from(pack: &Pack) -> Self {
        Self {
            agents: pack.agents().clone(),
            winners: pack.names_winners(),
            sitemaps: pack.has_sitemaps(),
            seed: pack.seed(),
            ..Self::new(pack.dialect())
        }
    }
}

/// Merges packs that were built with the same settings into one: for each origin as [`PackBuilder`] says. The target
/// may be one of them.
///
/// `memory` and `threads` are taken from `options`, and so is the seed. To put captures into a pack, push the pack and
/// then the captures.
///
/// # Errors
/// As [`PackBuilder::push_pack`] and [`PackBuilder::finish`].
pub fn merge(packs: &[&Pack], options: &PackOptions, target: impl AsRef<Path>) -> Result<PackReport, PackError> {
    let mut builder = PackBuilder::new(options.clone(), target)?;
    for pack in packs {
        builder.push_pack(pack)?;
    }
    builder.finish()
}
