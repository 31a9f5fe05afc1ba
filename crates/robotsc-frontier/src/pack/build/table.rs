//! The table of origins: slots, extras and names, in the order of the keys.
//!
//! For example, four origins whose homes are the slots 1, 1, 2 and 5 stand in the slots 1, 2, 3 and 5: each as near
//! after its home as those before it let it be. Slots 0 and 4 stay empty. Every [`NAME_BLOCK`] slots, the place of the
//! next name is noted.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use super::super::error::PackErrorKind;
use super::super::format::{Header, NAME_BLOCK, NOWHERE, PLACE, SLOT, Section};
use super::super::slot::{Class, Delay, Extra, MAX_DISTANCE, RawSlot, SlotKind, Target};
use super::super::{PackError, names};
use super::Phase;
use super::capture::Compiled;
use super::classes::{Classes, class_of};
use super::content::Link;
use super::file::PackFile;
use super::places::Places;
use super::records::{Scratch, TELL, append, lost, scratch};
use crate::outcome::FetchRecord;

/// Where the programs and policies of a pack stand in it.
pub(crate) struct Targets {
    pub(crate) programs: Places,
    pub(crate) policies: Places,
}

impl Targets {
    /// Returns what a capture points to, and the delay that stands in its slot.
    fn of(&self, link: &Link) -> Result<(Target, Delay), PackError> {
        Ok(match link {
            Link::Nothing | Link::Refused => (Target::Nothing, Delay::NONE),
            Link::Program(hash, delay) => (Target::Program(self.programs.get(hash).ok_or_else(lost)?), *delay),
            Link::Policy(hash) => (Target::Policy(self.policies.get(hash).ok_or_else(lost)?), Delay::NONE),
        })
    }
}

/// Writes slots, extras and names of the origins, which come in the order of their keys.
pub(crate) fn write_table(
    file: &mut PackFile,
    folder: &Path,
    folded: BufWriter<File>,
    mut header: Header,
    targets: &Targets,
    classes: &Classes,
    tell: &mut dyn FnMut(Phase, u64, u64),
) -> Result<Header, PackError> {
    let mut folded = Scratch::new(folded)?;
    let mut bytes = Vec::new();
    file.begin(Section::Slots)?;
    let mut slots = Slots::new(file, folder)?;
    let mut extras = Extras { file: scratch(folder)?, count: 0 };
    let mut neighbours = Neighbours::default();
    for number in 0..header.origins {
        if !folded.next(&mut bytes)? {
            return Err(lost());
        }
        let capture = Compiled::read(&bytes).ok_or_else(lost)?;
        let home = capture.key.home(header.homes);
        neighbours.add(home, &capture)?;
        let distance = slots.advance_to(home)?;
        let (target, delay) = targets.of(&capture.link)?;
        let own = class_of(&capture);
        let (class, place) = match classes.number(&own) {
            Some(class) if own.kind != SlotKind::Extra => (class, target.place()),
            _ => {
                let class = classes.number(&Class::extra(capture.record.outcome)).ok_or_else(lost)?;
                (class, extras.push(&capture, target, delay)?)
            }
        };
        let slot = RawSlot::new(distance, capture.key.fingerprint(), class, place, capture.record.fetched_at);
        slots.push(&slot, &capture.origin)?;
        if number % TELL == 0 {
            tell(Phase::Origins, number, header.origins);
        }
    }
    slots.fill_to(header.homes)?;
    let Slots { next, farthest, names, name_bytes, blocks, .. } = slots;
    file.end();
    tell(Phase::Origins, header.origins, header.origins);
    header.slots = next;
    header.farthest = farthest as u32;
    if name_bytes >= NOWHERE {
        return Err(PackErrorKind::TooLarge("the names have 1 TiB or more").into());
    }
    file.copy(Section::Extras, extras.file)?;
    file.copy(Section::NameBlocks, blocks)?;
    file.copy(Section::Names, names)?;
    Ok(header)
}

/// The origins of one home, by fingerprint.
#[derive(Default)]
struct Neighbours {
    home: u64,
    origins: Vec<(u64, Vec<u8>)>,
}

impl Neighbours {
    /// Adds an origin.
    ///
    /// # Errors
    /// [`PackError`] if another one has its home and its fingerprint: the second of two would never be found.
    fn add(&mut self, home: u64, capture: &Compiled) -> Result<(), PackError> {
        if home != self.home {
            self.origins.clear();
            self.home = home;
        }
        let fingerprint = capture.key.fingerprint();
        if let Some((_, other)) = self.origins.iter().find(|(other, _)| *other == fingerprint) {
            return Err(PackErrorKind::Collision(Box::new((other.clone(), capture.origin.clone()))).into());
        }
        self.origins.push((fingerprint, capture.origin.clone()));
        Ok(())
    }
}

/// What no slot has room for.
struct Extras {
    file: BufWriter<File>,
    count: u64,
}

impl Extras {
    /// Writes what is known of an origin, and returns its place.
    fn push(&mut self, capture: &Compiled, target: Target, delay: Delay) -> Result<u64, PackError> {
        let FetchRecord { expires_at, good_at, failing_since, .. } = capture.record;
        let extra = Extra { expires_at, good_at, failing_since, missing_at: capture.missing_at, target, delay };
        append(&mut self.file, &extra.to_bytes())?;
        self.count += 1;
        Ok(self.count - 1)
    }
}

/// The slots as they are written, and the names that belong to them.
struct Slots<'f> {
    file: &'f mut PackFile,
    /// The number of the slot that is written next.
    next: u64,
    /// The greatest distance of a slot from its home.
    farthest: u64,
    names: BufWriter<File>,
    name_bytes: u64,
    blocks: BufWriter<File>,
    bytes: Vec<u8>,
}

impl<'f> Slots<'f> {
    fn new(file: &'f mut PackFile, folder: &Path) -> Result<Self, PackError> {
        let (names, blocks) = (scratch(folder)?, scratch(folder)?);
        Ok(Self { file, next: 0, farthest: 0, names, name_bytes: 0, blocks, bytes: Vec::new() })
    }

    fn write(&mut self, slot: &[u8; SLOT]) -> Result<(), PackError> {
        if self.next.is_multiple_of(NAME_BLOCK) {
            append(&mut self.blocks, &self.name_bytes.to_le_bytes()[..PLACE])?;
        }
        self.file.write(slot)?;
        self.next += 1;
        Ok(())
    }

    /// Writes empty slots before one.
    fn fill_to(&mut self, slot: u64) -> Result<(), PackError> {
        while self.next < slot {
            self.write(&[0; SLOT])?;
        }
        Ok(())
    }

    /// Writes empty slots as far as a home, and returns how far after it the next slot is.
    fn advance_to(&mut self, home: u64) -> Result<u64, PackError> {
        self.fill_to(home)?;
        let distance = self.next - home;
        if distance > MAX_DISTANCE {
            return Err(PackErrorKind::Crowded.into());
        }
        self.farthest = self.farthest.max(distance);
        Ok(distance)
    }

    /// Writes the slot of an origin, and its name.
    fn push(&mut self, slot: &RawSlot, origin: &[u8]) -> Result<(), PackError> {
        self.write(&slot.to_bytes())?;
        self.bytes.clear();
        names::write(origin, &mut self.bytes);
        append(&mut self.names, &self.bytes)?;
        self.name_bytes += self.bytes.len() as u64;
        Ok(())
    }
}
