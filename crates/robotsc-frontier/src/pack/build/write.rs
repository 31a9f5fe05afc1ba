//! From what was sorted to the sections of a pack.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::super::error::PackErrorKind;
use super::super::format::{Header, Section, UNIT, homes, record_start, settings};
use super::super::policy::policy;
use super::super::slot::Delay;
use super::super::{PackAgents, PackError, PackOptions};
use super::capture::Compiled;
use super::classes::{Classes, class_of};
use super::content::{Link, Stub};
use super::file::PackFile;
use super::places::{Places, PlacesWriter};
use super::records::{Kept, Scratch, TELL, append, keep_preferences, lost, pad, scratch, write_records};
use super::sink::Hash;
use super::sorter::{Merged, Sorter};
use super::table::{Targets, write_table};
use super::worker::Sorted;
use super::{PackReport, Phase, Progress};
use crate::outcome::Time;

/// The number of classes whose origins are counted, in the order of keys: enough that the most frequent are among them.
const COUNTED: usize = 1 << 18;

/// What all threads sorted.
#[derive(Debug, Default)]
pub(crate) struct Sorters {
    captures: Vec<Sorter>,
    programs: Vec<Sorter>,
    lists: Vec<Sorter>,
    policies: Vec<Sorter>,
    preferences: Vec<Sorter>,
}

impl PackReport {
    /// Adds what threads report. Returns what they sorted.
    pub(crate) fn take(&mut self, sorted: Vec<Sorted>) -> Sorters {
        let mut sorters = Sorters::default();
        for part in sorted {
            sorters.captures.push(part.captures);
            sorters.programs.push(part.programs);
            sorters.lists.push(part.lists);
            sorters.policies.push(part.policies);
            sorters.preferences.push(part.preferences);
            self.refused.extend(part.refused);
            self.refused_count += part.refused_count;
            self.other_bodies.extend(part.other_bodies);
            self.other_body_count += part.other_body_count;
        }
        self.refused.sort();
        self.refused.truncate(100);
        self.other_bodies.sort();
        self.other_bodies.truncate(100);
        sorters
    }
}

/// A pack whose captures are all sorted, and of which nothing is written.
#[derive(Debug)]
pub(crate) struct SortedPack {
    pub(crate) options: PackOptions,
    pub(crate) folder: PathBuf,
    pub(crate) file: PackFile,
    pub(crate) sorters: Sorters,
    pub(crate) report: PackReport,
}

impl SortedPack {
    /// Writes all sections and finishes the file: see the [module documentation](super).
    pub(crate) fn write(self, progress: &mut dyn FnMut(Progress)) -> Result<PackReport, PackError> {
        let Self { options, folder, mut file, sorters, mut report } = self;
        let folder = folder.as_path();
        let Sorters { captures, programs, lists, policies, preferences } = sorters;
        file.begin(Section::Meta)?;
        file.write(&settings(options.dialect.name, &options.agents))?;
        file.end();

        let mut tell = |phase, done, total| progress(Progress { phase, done, total });
        let sorter = || Sorter::new(options.memory / 16);
        let mut used = Used { programs: sorter(), lists: sorter(), policies: sorter(), preferences: sorter() };
        let (folded, origins, classes) = fold(folder, captures, &mut used, &mut tell)?;
        report.origins = origins;
        let used_policies = std::mem::replace(&mut used.policies, Sorter::new(0));
        let stubs = keep_policies(folder, policies, used_policies, &mut used)?;
        let (programs, count) =
            write_records(&mut file, folder, Section::Programs, programs, used.programs, &mut tell)?;
        report.programs = count;
        let (lists, _) = write_records(&mut file, folder, Section::Lists, lists, used.lists, &mut tell)?;
        let (preferences, stated) = keep_preferences(folder, preferences, used.preferences)?;
        let (policies, count) = write_policies(&mut file, folder, stubs, [&programs, &lists, &stated])?;
        report.policies = count;
        file.begin(Section::Classes)?;
        for class in classes.iter() {
            file.write(&class.to_bytes())?;
        }
        file.end();
        let header = Header {
            all_agents: options.agents == PackAgents::All,
            deciding_rules: options.deciding_rules,
            sitemaps: options.sitemaps,
            vocabulary: options.vocabulary_number(),
            seed: options.seed,
            origins,
            homes: homes(origins),
            ..Header::default()
        };
        let targets = Targets { programs, policies };
        let header = write_table(&mut file, folder, folded, header, &targets, &classes, &mut tell)?;
        if header.vocabulary.is_some() {
            file.copy(Section::Preferences, preferences)?;
        }
        tell(Phase::Sync, 0, 1);
        let header = file.finish(header)?;
        tell(Phase::Sync, 1, 1);
        report.bytes = header.file;
        let index = [Section::Classes, Section::Slots, Section::Extras, Section::NameBlocks];
        report.index_bytes = index.iter().map(|section| header.section(*section).bytes).sum();
        report.preference_bytes = header.section(Section::Preferences).bytes;
        report.name_bytes = header.section(Section::Names).bytes;
        Ok(report)
    }
}

/// The hashes of the content that origins use: what newer captures override is not written.
struct Used {
    programs: Sorter,
    lists: Sorter,
    policies: Sorter,
    preferences: Sorter,
}

/// Writes the policies that are used to a file, and adds what they use to `used`.
fn keep_policies(
    folder: &Path,
    sorters: Vec<Sorter>,
    used_policies: Sorter,
    used: &mut Used,
) -> Result<BufWriter<File>, PackError> {
    let mut kept = Kept::new(sorters, used_policies)?;
    let mut out = scratch(folder)?;
    let mut record = Vec::new();
    while kept.next(&mut record)? {
        let stub = record.get(16..).and_then(Stub::read).ok_or_else(lost)?;
        for (hash, _) in &stub.entries {
            used.programs.push(folder, hash)?;
        }
        for hash in [stub.sitemaps, stub.tokens].iter().flatten() {
            used.lists.push(folder, hash)?;
        }
        for hash in stub.preferences.iter().flatten() {
            used.preferences.push(folder, hash)?;
        }
        append(&mut out, &(record.len() as u32).to_le_bytes())?;
        append(&mut out, &record)?;
    }
    Ok(out)
}

fn write_policies(
    file: &mut PackFile,
    folder: &Path,
    stubs: BufWriter<File>,
    [programs, lists, preferences]: [&Places; 3],
) -> Result<(Places, u64), PackError> {
    let mut stubs = Scratch::new(stubs)?;
    let mut places = PlacesWriter::new(folder)?;
    let (mut record, mut count) = (Vec::new(), 0);
    file.begin(Section::Policies)?;
    while stubs.next(&mut record)? {
        let (hash, bytes) = record.split_first_chunk::<16>().ok_or_else(lost)?;
        let stub = Stub::read(bytes).ok_or_else(lost)?;
        let list = |hash: Option<Hash>| hash.map(|hash| lists.get(&hash).ok_or_else(lost)).transpose();
        let entries: Option<Vec<(u64, Delay)>> =
            stub.entries.iter().map(|(hash, delay)| Some((programs.get(hash)?, *delay))).collect();
        let stated = stub.preferences.iter();
        let stated = stated.map(|hash| hash.map(|hash| preferences.get(&hash).ok_or_else(lost)).transpose());
        let stated = stated.collect::<Result<Vec<Option<u64>>, PackError>>()?;
        let bytes = policy([list(stub.sitemaps)?, list(stub.tokens)?], &entries.ok_or_else(lost)?, &stated);
        let at = record_start(file.section_len(), bytes.len() as u64);
        pad(file, at)?;
        places.push(hash, at / UNIT)?;
        file.write(&bytes)?;
        count += 1;
    }
    file.end();
    Ok((places.finish()?, count))
}

/// Folds the captures of each origin into one, writes them to a file and adds what they use to `used`. Returns the
/// file, the number of origins and the classes.
fn fold(
    folder: &Path,
    sorters: Vec<Sorter>,
    used: &mut Used,
    tell: &mut dyn FnMut(Phase, u64, u64),
) -> Result<(BufWriter<File>, u64, Classes), PackError> {
    let mut merged = Merged::new(sorters)?;
    let mut out = scratch(folder)?;
    let (mut record, mut bytes, mut current, mut count) = (Vec::new(), Vec::new(), None::<Compiled>, 0);
    let mut counts = BTreeMap::new();
    // Whether older captures can add something, and when the oldest failure was.
    let (mut learns, mut failed) = (true, Time::MAX);
    let mut emit = |capture: &Compiled| -> Result<(), PackError> {
        match capture.link {
            Link::Nothing => {}
            Link::Program(hash, _) => used.programs.push(folder, &hash)?,
            Link::Policy(hash) => used.policies.push(folder, &hash)?,
            // Nothing older counts for it: what is not known is not allowed.
            Link::Refused => return Ok(()),
        }
        let class = class_of(capture);
        if counts.len() < COUNTED || counts.contains_key(&class) {
            *counts.entry(class).or_insert(0) += 1;
        }
        capture.write(&mut bytes);
        append(&mut out, &(bytes.len() as u32).to_le_bytes())?;
        append(&mut out, &bytes)?;
        count += 1;
        if count % TELL == 0 {
            tell(Phase::Sort, count, count);
        }
        Ok(())
    };
    while merged.next(&mut record)? {
        let capture = Compiled::read(&record).ok_or_else(lost)?;
        match &mut current {
            Some(newest) if newest.key == capture.key => {
                if newest.origin != capture.origin {
                    let origins = Box::new((newest.origin.clone(), capture.origin));
                    return Err(PackErrorKind::Collision(origins).into());
                }
                learns = learns && newest.learn(&capture, &mut failed);
            }
            _ => {
                failed = capture.record.fetched_at;
                if let Some(done) = current.replace(capture) {
                    emit(&done)?;
                }
                learns = true;
            }
        }
    }
    if let Some(done) = current {
        emit(&done)?;
    }
    let all = counts.values().sum::<u64>() == count;
    Ok((out, count, Classes::choose(counts, all)))
}
