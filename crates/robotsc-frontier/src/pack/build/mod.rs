//! Builds packs: captures in, one file out, in bounded memory.
//!
//! 1. Threads compile: each body once, as far as memory remembers. Programs, lists, policies and captures go to
//!    sorters, which write runs to files when their memory is full. From here on a hash names each content.
//! 2. Captures are merged in the order of their keys and folded into one for each origin; what these use is noted.
//! 3. Programs, lists and policies that are used are merged and written in the order of their hashes, so that equal
//!    ones are written once.
//! 4. The folded captures become slots.
//!
//! All orders are those of bytes, so that the pack does not depend on threads, memory or the order of the input.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use robotsc_compiler::BodyKind;

use capture::Compiled;
pub(crate) use content::compiler;
use content::{Link, Stub, longest};
use file::{PackFile, folder_of};
use sink::Sink;
pub(crate) use sink::hash;
use worker::Workers;
use write::SortedPack;

use super::error::PackErrorKind;
use super::format::{NOWHERE, Section};
use super::policy::{PolicyRecord, list};
use super::slot::Target;
use super::{Pack, PackEntry, PackError, PackOptions};
use crate::origin::Origin;
use crate::outcome::{Capture, FetchRecord};

mod cache;
mod capture;
mod classes;
mod content;
mod file;
mod places;
mod records;
mod sink;
mod sorter;
mod stated;
mod table;
mod worker;
mod write;

/// What a builder is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// Captures are sorted, and those of one origin are merged.
    Sort,
    /// Programs are sorted and written.
    Programs,
    /// Origins get their slots.
    Origins,
    /// The file is made durable.
    Sync,
}

/// The progress of a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// The number of records done.
    pub done: u64,
    /// The number of all records, as far as is known.
    pub total: u64,
}

/// What was built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackReport {
    /// Captures that were pushed.
    pub captures: u64,
    /// Origins in the pack.
    pub origins: u64,
    /// Bytes of the bodies that were pushed.
    pub body_bytes: u64,
    /// Bodies that were compiled.
    pub compiled: u64,
    /// Different programs.
    pub programs: u64,
    /// Different policies that are more than a program.
    pub policies: u64,
    /// Bytes of the pack.
    pub bytes: u64,
    /// Bytes of the index: classes, slots, extras and name blocks.
    pub index_bytes: u64,
    /// Bytes of the origins' texts.
    pub name_bytes: u64,
    /// Bytes of preferences; policies have their places.
    pub preference_bytes: u64,
    /// Origins without an entry because their rules cannot be compiled, and why: the first hundred of each thread.
    pub refused: Vec<(Vec<u8>, String)>,
    /// The number of origins without an entry.
    pub refused_count: u64,
    /// Origins with a capture whose body is [no robots.txt](BodyKind), and what it is: the first hundred. It counts as
    /// a file without rules.
    pub other_bodies: Vec<(Vec<u8>, BodyKind)>,
    /// The number of captures whose body is no robots.txt.
    pub other_body_count: u64,
}

/// The rules that a frontier holds of an origin.
#[derive(Debug)]
pub(crate) struct HeldRules<'h> {
    pub(crate) program: &'h [u8],
    pub(crate) delay: Option<Duration>,
    pub(crate) sitemaps: Vec<&'h [u8]>,
}

/// Builds a pack from captures in any order.
///
/// Of several captures of one origin the newest counts; of several of one time the last one pushed. If the newest is a
/// failure, the older ones say since when fetches fail, and the last good copy is kept, or that there was none: what a
/// cache would hold after all of them, in the order of their times. Of a pack that is pushed, only the state of each
/// origin is known. If a success that the pack did not record ended a series of its failures, the first failure after
/// it is taken for the latest known one, so that the failures count as younger than they are. A 304 between the
/// failures of two packs leaves no trace in either: then all of them count as one series.
#[derive(Debug)]
pub struct PackBuilder {
    options: PackOptions,
    folder: PathBuf,
    file: PackFile,
    workers: Workers,
    captures: u64,
    body_bytes: u64,
}

impl PackBuilder {
    /// Makes a builder of the pack at `target`. Until [`finish`](Self::finish) has succeeded, what is there stays as it
    /// is.
    ///
    /// # Errors
    /// [`PackError`] if the settings are not valid, no file can be made beside the target, or a thread cannot start.
    pub fn new(options: PackOptions, target: impl AsRef<Path>) -> Result<Self, PackError> {
        let options = options.checked()?;
        let file = PackFile::new(target.as_ref())?;
        let folder = folder_of(target.as_ref());
        let workers = Workers::start(&options, folder.clone())?;
        Ok(Self { options, folder, file, workers, captures: 0, body_bytes: 0 })
    }

    /// Adds a capture of an origin. Copies the bytes; other threads compile them.
    ///
    /// A capture that has no body (a 304, a failure) takes its good copy from older captures; if none brings it,
    /// nothing is known of it.
    ///
    /// # Errors
    /// [`PackError`] if the capture was made under another dialect, or if writing failed: then
    /// [`finish`](Self::finish) fails too.
    pub fn push(&mut self, origin: &Origin, capture: &Capture<'_>) -> Result<(), PackError> {
        if !capture.is_of(&self.options.dialect) {
            return Err(PackErrorKind::Different("the dialect").into());
        }
        let (record, body) = (*capture.record(), capture.body());
        // A copy that it does not bring can come from older captures.
        let record = if body.is_some() { record } else { record.without_copy() };
        self.captures += 1;
        self.body_bytes += body.map_or(0, |body| body.len() as u64);
        self.workers.push(self.captures, origin.as_bytes(), record, body)
    }

    /// Adds what a frontier holds of an origin, in a pack for one agent.
    pub(crate) fn push_held(
        &mut self,
        origin: &Origin,
        record: &FetchRecord,
        rules: Option<HeldRules<'_>>,
    ) -> Result<(), PackError> {
        self.captures += 1;
        let record = if rules.is_some() { *record } else { record.without_copy() };
        let pushed = self.push_linked(origin, record, rules);
        if pushed.is_err() {
            self.workers.fail();
        }
        pushed
    }

    fn push_linked(
        &mut self,
        origin: &Origin,
        record: FetchRecord,
        rules: Option<HeldRules<'_>>,
    ) -> Result<(), PackError> {
        let link = match rules {
            None => Link::Nothing,
            Some(HeldRules { program, delay, sitemaps }) => {
                let mut sink = self.workers.sink();
                let number = hash(program);
                sink.program(number, program)?;
                let mut stub = Stub { entries: vec![(number, longest(delay.into_iter()))], ..Stub::default() };
                let urls = sitemaps.iter().map(|url| (*url, 0));
                if let Some(bytes) = (!sitemaps.is_empty()).then(|| list(urls)).flatten() {
                    let number = hash(&bytes);
                    sink.list(number, &bytes)?;
                    stub.sitemaps = Some(number);
                }
                stub.link(&mut sink)?
            }
        };
        let (key, number) = (self.workers.key(origin.as_bytes()), self.captures);
        let origin = origin.as_bytes().to_vec();
        self.workers.push_linked(&Compiled { key, number, record, missing_at: None, link, origin })
    }

    /// Adds all origins of a pack that was built with the same settings. Nothing is compiled again. The pack [is
    /// verified](Pack::verify) first, so that nothing broken is copied.
    ///
    /// # Errors
    /// [`PackError`] if the settings differ, the pack is not valid, or writing failed.
    pub fn push_pack(&mut self, pack: &Pack) -> Result<(), PackError> {
        self.push_pack_where(pack, |_| true)
    }

    /// As [`PackBuilder::push_pack`], but for entries whose origins are left out.
    ///
    /// # Errors
    /// As [`PackBuilder::push_pack`].
    pub fn push_pack_where(&mut self, pack: &Pack, is_kept: impl Fn(&[u8]) -> bool) -> Result<(), PackError> {
        let options = &self.options;
        for (same, what) in [
            (pack.dialect().reads_as(&options.dialect), "the dialect"),
            (*pack.agents() == options.agents, "the agents"),
            (pack.names_deciding_rules() == options.deciding_rules, "deciding_rules"),
            (pack.has_sitemaps() == options.sitemaps, "sitemaps"),
            (pack.preferences() == options.preferences, "preferences"),
        ] {
            if !same {
                return Err(PackErrorKind::Different(what).into());
            }
        }
        pack.verify()?;
        let copied = self.copy(pack, is_kept);
        if copied.is_err() {
            self.workers.fail();
        }
        copied
    }

    fn copy(&mut self, pack: &Pack, is_kept: impl Fn(&[u8]) -> bool) -> Result<(), PackError> {
        let broken = |what| move || PackError::from(PackErrorKind::Broken { what, number: 0 });
        // Many origins can share a policy.
        let mut links = BTreeMap::new();
        let mut entries = pack.entries();
        while let Some((origin, slot)) = entries.next_slot() {
            if !is_kept(&origin) {
                continue;
            }
            let entry = PackEntry::of_slot(pack, slot);
            self.captures += 1;
            let link = match links.get(&entry.target()) {
                Some(link) => *link,
                None => {
                    let link = relink(pack, &entry, &mut self.workers.sink())?.ok_or_else(broken("a policy"))?;
                    links.insert(entry.target(), link);
                    link
                }
            };
            // The delay of a program is that of the origin.
            let link = match link {
                Link::Program(hash, _) => Link::Program(hash, entry.delay()),
                link => link,
            };
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

    /// Writes the pack, makes it durable and renames it over the target.
    ///
    /// # Errors
    /// [`PackError`] if writing failed, or if origins have the same key: then the target is as it was, and
    /// nothing else is left.
    pub fn finish(self) -> Result<PackReport, PackError> {
        self.finish_with(&mut |_| {})
    }

    /// As [`finish`](Self::finish), and reports the progress.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_with(self, progress: &mut dyn FnMut(Progress)) -> Result<PackReport, PackError> {
        self.sorted()?.write(progress)
    }

    /// As [`finish_with`](Self::finish_with), if `accepts` returns `true` for what is known before anything is written:
    /// the captures, and the origins that get no entry. Otherwise returns `None`; then the target is as it was, and
    /// nothing else is left.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    ///
    /// # Examples
    /// ```
    /// use robotsc::Dialect;
    /// use robotsc::pack::{PackBuilder, PackOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let target = folder.path().join("frontier.pack");
    /// let builder = PackBuilder::new(PackOptions::new(&Dialect::GOOGLE), &target)?;
    /// let written = builder.finish_if(&mut |_| {}, &mut |report| report.captures > 0)?;
    /// assert!(written.is_none() && !target.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish_if(
        self,
        progress: &mut dyn FnMut(Progress),
        accepts: &mut dyn FnMut(&PackReport) -> bool,
    ) -> Result<Option<PackReport>, PackError> {
        let sorted = self.sorted()?;
        if accepts(&sorted.report) { sorted.write(progress).map(Some) } else { Ok(None) }
    }

    /// Ends the threads. What they sorted can be written.
    fn sorted(self) -> Result<SortedPack, PackError> {
        let (parts, compiled) = self.workers.finish()?;
        let mut report =
            PackReport { captures: self.captures, body_bytes: self.body_bytes, compiled, ..PackReport::default() };
        let sorters = report.take(parts);
        Ok(SortedPack { options: self.options, folder: self.folder, file: self.file, sorters, report })
    }
}

/// Returns what an entry of a pack holds, by hashes; `None` if a place has nothing.
fn relink<S: Sink>(pack: &Pack, entry: &PackEntry<'_>, sink: &mut S) -> Result<Option<Link>, S::Error> {
    let record = match entry.target() {
        Target::Nothing => return Ok(Some(Link::Nothing)),
        Target::Program(place) => {
            let Some(bytes) = pack.sized_record(Section::Programs, place) else { return Ok(None) };
            let hash = hash(bytes);
            sink.program(hash, bytes)?;
            return Ok(Some(Link::Program(hash, entry.delay())));
        }
        Target::Policy(place) => pack.record(Section::Policies, place).and_then(PolicyRecord::read),
    };
    let Some(record) = record else { return Ok(None) };
    let mut stub = Stub::default();
    for number in 0..record.len() {
        let Some((place, delay)) = record.entry(number) else { return Ok(None) };
        let Some(bytes) = pack.sized_record(Section::Programs, place) else { return Ok(None) };
        let hash = hash(bytes);
        sink.program(hash, bytes)?;
        stub.entries.push((hash, delay));
        if record.has_preferences() {
            let place = record.preferences(number);
            let stated = pack.sized_record(Section::Preferences, place).filter(|_| place != NOWHERE);
            let stated = stated.map(|bytes| (sink::hash(bytes), bytes));
            if let Some((hash, bytes)) = stated {
                sink.preferences(hash, bytes)?;
            }
            stub.preferences.push(stated.map(|(hash, _)| hash));
        }
    }
    for (place, list) in [(record.sitemaps, &mut stub.sitemaps), (record.tokens, &mut stub.tokens)] {
        if let Some(bytes) = pack.sized_record(Section::Lists, place) {
            let hash = hash(bytes);
            sink.list(hash, bytes)?;
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
            deciding_rules: pack.names_deciding_rules(),
            sitemaps: pack.has_sitemaps(),
            preferences: pack.preferences(),
            seed: pack.seed(),
            ..Self::new(pack.dialect())
        }
    }
}

/// Merges packs that were built with the same settings into one: for each origin as [`PackBuilder`] says. The target
/// may be one of them.
///
/// `memory` and `threads` are taken from `options`, and so is the seed. To add captures to a pack, push the pack and
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
