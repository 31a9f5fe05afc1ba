//! From what was sorted to the sections of a pack.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::super::entry::implied;
use super::super::error::Kind;
use super::super::format::{
    Delay, Extra, Header, Held, LINE, MAX_DISTANCE, NAME_BLOCK, NOWHERE, PLACE, SLOT, Section, SlotParts, Target, UNIT,
    homes, lifetime,
};
use super::super::policy::policy;
use super::super::{PackAgents, PackError, PackOptions, names};
use super::capture::Compiled;
use super::content::{Hash, Link, Stub};
use super::file::PackFile;
use super::places::{Places, PlacesWriter};
use super::sorter::{Merged, Sorter};
use super::worker::Sorted;
use super::{PackReport, Phase, Progress};

/// A record that is no longer than this does not lie in two cache lines.
const WHOLE: u64 = LINE as u64;
/// How often progress is told, in records.
const TELL: u64 = 1 << 14;

pub(crate) fn write(
    mut file: PackFile,
    folder: &Path,
    options: &PackOptions,
    sorted: Vec<Sorted>,
    progress: &mut dyn FnMut(Progress),
) -> Result<PackReport, PackError> {
    let mut report = PackReport::default();
    let (mut captures, mut programs, mut lists, mut policies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for part in sorted {
        captures.push(part.captures);
        programs.push(part.programs);
        lists.push(part.lists);
        policies.push(part.policies);
        report.refused.extend(part.refused);
        report.refused_count += part.refused_count;
    }
    report.refused.sort();
    report.refused.truncate(100);
    file.begin(Section::Meta)?;
    file.write(&super::super::format::settings(options.dialect.name, &options.agents))?;
    file.end();

    let mut tell = |phase, done, total| progress(Progress { phase, done, total });
    let (programs, count) = write_records(&mut file, folder, Section::Programs, programs, &mut tell)?;
    report.programs = count;
    let (lists, _) = write_records(&mut file, folder, Section::Lists, lists, &mut tell)?;
    let (policies, count) = write_policies(&mut file, folder, policies, &programs, &lists)?;
    report.policies = count;

    let places = [programs, policies];
    let (resolved, origins) = resolve(folder, captures, &places, &mut tell)?;
    drop(places);
    report.origins = origins;
    let header = Header {
        all_agents: options.agents == PackAgents::All,
        winners: options.winners,
        sitemaps: options.sitemaps,
        seed: options.seed,
        origins,
        homes: homes(origins),
        ..Header::default()
    };
    let header = write_table(&mut file, folder, resolved, header, &mut tell)?;
    tell(Phase::Sync, 0, 1);
    let header = file.finish(header)?;
    tell(Phase::Sync, 1, 1);
    report.octets = header.file;
    let index = [Section::Slots, Section::Extras, Section::NameBlocks];
    report.index_octets = index.iter().map(|section| header.section(*section).octets).sum();
    report.name_octets = header.section(Section::Names).octets;
    Ok(report)
}

/// The next record that is not named as the one before.
fn next_different(merged: &mut Merged, record: &mut Vec<u8>, before: &mut Option<Hash>) -> Result<bool, PackError> {
    while merged.next(record)? {
        let hash = record.first_chunk::<16>().copied();
        if hash != *before {
            *before = hash;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Writes programs or lists, each once, in the order of their hashes. Gives where they are, and how many.
fn write_records(
    file: &mut PackFile,
    folder: &Path,
    section: Section,
    sorters: Vec<Sorter>,
    tell: &mut dyn FnMut(Phase, u64, u64),
) -> Result<(Places, u64), PackError> {
    let mut merged = Merged::new(sorters)?;
    let mut places = PlacesWriter::new(folder)?;
    let (mut record, mut before, mut count) = (Vec::new(), None, 0);
    file.begin(section)?;
    while next_different(&mut merged, &mut record, &mut before)? {
        let Some((hash, octets)) = record.split_first_chunk::<16>() else { continue };
        let length = u32::try_from(octets.len()).map_err(|_| Kind::TooLarge("a program has 4 GiB or more"))?;
        let at = record_start(file.section_len(), 4 + u64::from(length));
        pad(file, at)?;
        if at / UNIT >= NOWHERE {
            return Err(Kind::TooLarge("the programs have 8 TiB or more").into());
        }
        places.push(hash, at / UNIT)?;
        file.write(&length.to_le_bytes())?;
        file.write(octets)?;
        count += 1;
        if count % TELL == 0 {
            tell(Phase::Programs, count, count);
        }
    }
    file.end();
    tell(Phase::Programs, count, count);
    Ok((places.finish()?, count))
}

/// Where a record starts that comes when `at` octets of its section are written.
fn record_start(at: u64, octets: u64) -> u64 {
    let at = at.next_multiple_of(UNIT);
    let line = LINE as u64;
    if octets <= WHOLE && at / line != (at + octets - 1) / line { at.next_multiple_of(line) } else { at }
}

/// Zeros up to a place in the section.
fn pad(file: &mut PackFile, at: u64) -> Result<(), PackError> {
    let zeros = at - file.section_len();
    file.write(&[0; LINE][..zeros as usize])
}

fn write_policies(
    file: &mut PackFile,
    folder: &Path,
    sorters: Vec<Sorter>,
    programs: &Places,
    lists: &Places,
) -> Result<(Places, u64), PackError> {
    let mut merged = Merged::new(sorters)?;
    let mut places = PlacesWriter::new(folder)?;
    let (mut record, mut before, mut count) = (Vec::new(), None, 0);
    let lost = || PackError::from(Kind::Broken { what: "a temporary file was altered", number: 0 });
    file.begin(Section::Policies)?;
    while next_different(&mut merged, &mut record, &mut before)? {
        let Some((hash, octets)) = record.split_first_chunk::<16>() else { continue };
        let stub = Stub::read(octets).ok_or_else(lost)?;
        let list = |hash: Option<Hash>| hash.map(|hash| lists.get(&hash).ok_or_else(lost)).transpose();
        let entries: Option<Vec<(u64, Delay)>> =
            stub.entries.iter().map(|(hash, delay)| Some((programs.get(hash)?, *delay))).collect();
        let octets = policy(list(stub.sitemaps)?, list(stub.tokens)?, &entries.ok_or_else(lost)?);
        let at = record_start(file.section_len(), octets.len() as u64);
        pad(file, at)?;
        places.push(hash, at / UNIT)?;
        file.write(&octets)?;
        count += 1;
    }
    file.end();
    Ok((places.finish()?, count))
}

/// A temporary file.
fn scratch(folder: &Path) -> Result<BufWriter<File>, PackError> {
    let file = tempfile::tempfile_in(folder).map_err(PackError::io("make a temporary file in", folder))?;
    Ok(BufWriter::with_capacity(1 << 18, file))
}

fn put(out: &mut BufWriter<File>, octets: &[u8]) -> Result<(), PackError> {
    out.write_all(octets).map_err(PackError::io("write", "a temporary file"))
}

/// Folds the captures of each origin into one and writes them to a file, with the place of what they link. Gives how many there are.
fn resolve(
    folder: &Path,
    sorters: Vec<Sorter>,
    [programs, policies]: &[Places; 2],
    tell: &mut dyn FnMut(Phase, u64, u64),
) -> Result<(BufWriter<File>, u64), PackError> {
    let lost = || PackError::from(Kind::Broken { what: "a temporary file was altered", number: 0 });
    let mut merged = Merged::new(sorters)?;
    let mut out = scratch(folder)?;
    let (mut record, mut current, mut count) = (Vec::new(), None::<Compiled>, 0);
    // Whether older captures have something to add.
    let mut learns = true;
    let mut emit = |capture: &Compiled| -> Result<(), PackError> {
        let (place, delay) = match capture.link {
            Link::Nothing => (0, Delay::NONE),
            Link::Program(hash, delay) => (programs.get(&hash).ok_or_else(lost)?, delay),
            Link::Policy(hash) => (policies.get(&hash).ok_or_else(lost)?, Delay::NONE),
        };
        let mut octets = Vec::with_capacity(128);
        capture.write(&mut octets);
        put(&mut out, &(octets.len() as u32).to_le_bytes())?;
        put(&mut out, &place.to_le_bytes())?;
        put(&mut out, &delay.0.to_le_bytes())?;
        put(&mut out, &octets)?;
        count += 1;
        if count % TELL == 0 {
            tell(Phase::Origins, 0, count);
        }
        Ok(())
    };
    while merged.next(&mut record)? {
        let capture = Compiled::read(&record).ok_or_else(lost)?;
        match &mut current {
            Some(newest) if newest.key == capture.key => {
                if newest.origin != capture.origin {
                    let origins = Box::new((newest.origin.clone(), capture.origin));
                    return Err(Kind::Collision(origins).into());
                }
                learns = learns && newest.learn(&capture);
            }
            _ => {
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
    Ok((out, count))
}

/// Writes slots, extras and names of the origins, which come in the order of their keys.
fn write_table(
    file: &mut PackFile,
    folder: &Path,
    resolved: BufWriter<File>,
    mut header: Header,
    tell: &mut dyn FnMut(Phase, u64, u64),
) -> Result<Header, PackError> {
    let lost = || PackError::from(Kind::Broken { what: "a temporary file was altered", number: 0 });
    let wrong = || PackError::io("read", "a temporary file");
    let mut resolved = resolved.into_inner().map_err(|error| wrong()(error.into_error()))?;
    resolved.seek(SeekFrom::Start(0)).map_err(wrong())?;
    let mut resolved = BufReader::with_capacity(1 << 18, resolved);
    let (mut extras, mut names, mut blocks) = (scratch(folder)?, scratch(folder)?, scratch(folder)?);
    let (mut extra_count, mut name_octets, mut farthest) = (0, 0_u64, 0);
    let mut octets = Vec::new();
    let mut next = 0;
    file.begin(Section::Slots)?;
    let mut block = |slot: u64, names: u64| match slot % NAME_BLOCK {
        0 => put(&mut blocks, &names.to_le_bytes()[..PLACE]),
        _ => Ok(()),
    };
    for number in 0..header.origins {
        let mut head = [0; 16];
        resolved.read_exact(&mut head).map_err(wrong())?;
        let [a, b, c, d, rest @ ..] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let (place, delay) = rest.split_first_chunk::<8>().ok_or_else(lost)?;
        let place = u64::from_le_bytes(*place);
        let delay = Delay(delay.first_chunk().map_or(0, |delay| u32::from_le_bytes(*delay)));
        octets.resize(length, 0);
        resolved.read_exact(&mut octets).map_err(wrong())?;
        let capture = Compiled::read(&octets).ok_or_else(lost)?;

        let home = capture.key.home(header.homes);
        while next < home {
            block(next, name_octets)?;
            file.write(&[0; SLOT])?;
            next += 1;
        }
        let distance = next - home;
        if distance > MAX_DISTANCE {
            return Err(Kind::Crowded.into());
        }
        farthest = farthest.max(distance);
        let target = match capture.link {
            Link::Nothing => Target::Nothing,
            Link::Program(..) => Target::Program(place),
            Link::Policy(_) => Target::Policy(place),
        };
        let record = &capture.record;
        let stated = (record.good_at, record.failing_since);
        let plain = lifetime(record.fetched_at, record.expires_at)
            .filter(|_| stated == implied(record.outcome, record.fetched_at, target != Target::Nothing));
        let held = match plain {
            Some(_) => Held::Target(target),
            None => {
                let (good_at, failing_since) = stated;
                put(&mut extras, &Extra { expires_at: record.expires_at, good_at, failing_since, target }.to_octets())?;
                extra_count += 1;
                Held::Extra(extra_count - 1)
            }
        };
        let slot = SlotParts {
            distance,
            fingerprint: capture.key.fingerprint(),
            held,
            outcome: record.outcome,
            fetched_at: record.fetched_at,
            lifetime: plain.unwrap_or(0),
            delay: if matches!(target, Target::Program(_)) { delay } else { Delay::NONE },
        };
        block(next, name_octets)?;
        file.write(&slot.slot().to_octets())?;
        next += 1;
        octets.clear();
        names::write(&capture.origin, &mut octets);
        put(&mut names, &octets)?;
        name_octets += octets.len() as u64;
        if number % TELL == 0 {
            tell(Phase::Origins, number, header.origins);
        }
    }
    while next < header.homes {
        block(next, name_octets)?;
        file.write(&[0; SLOT])?;
        next += 1;
    }
    file.end();
    tell(Phase::Origins, header.origins, header.origins);
    header.slots = next;
    header.farthest = farthest as u32;
    if name_octets >= NOWHERE {
        return Err(Kind::TooLarge("the names have 1 TiB or more").into());
    }
    file.copy(Section::Extras, extras)?;
    file.copy(Section::NameBlocks, blocks)?;
    file.copy(Section::Names, names)?;
    Ok(header)
}
