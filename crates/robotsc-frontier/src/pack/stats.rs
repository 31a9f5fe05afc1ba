//! Figures of a pack.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::format::{LINE, Section, UNIT, word};
use super::policy::PolicyRecord;
use super::slot::{RawSlot, Target};
use super::{Pack, Slot};
use crate::outcome::Outcome;

/// The number of programs that are reported as the largest.
const LARGEST: usize = 10;

/// Figures of a pack, from [`Pack::stats`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PackStats {
    /// Origins.
    pub origins: u64,
    /// Origins by the outcome of their last fetch.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// Origins whose rules are held.
    pub with_rules: u64,
    /// Different programs.
    pub programs: u64,
    /// Bytes of the pack.
    pub bytes: u64,
    /// Bytes of the index: classes, slots, extras and name blocks.
    pub index_bytes: u64,
    /// Bytes of programs.
    pub program_bytes: u64,
    /// Bytes of policies that are more than a program.
    pub policy_bytes: u64,
    /// Bytes of lists: sitemaps and agents.
    pub list_bytes: u64,
    /// Bytes of the origins' texts.
    pub name_bytes: u64,
    /// Bytes of preferences.
    pub preference_bytes: u64,
    /// The mean distance of an origin from its home, in slots, and the maximum.
    pub distance: (f64, u64),
    /// The largest programs, largest first.
    pub largest: Vec<LargeProgram>,
}

/// One of a pack's largest programs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LargeProgram {
    /// The bytes of the program.
    pub bytes: u64,
    /// The first origin, in the order of slots, that has an agent that obeys it.
    pub origin: Option<Vec<u8>>,
    /// Origins that have such an agent.
    pub origins: u64,
}

/// Returns the places of the largest programs, and counts all; of programs of one size the first come first.
fn largest(pack: &Pack, count: &mut u64) -> BTreeMap<u64, (Option<Slot>, u64)> {
    let mut largest = BTreeSet::new();
    let bytes = pack.section(Section::Programs);
    let mut end = 0_u64;
    while end < bytes.len() as u64 {
        let places = [end.next_multiple_of(UNIT), end.next_multiple_of(LINE as u64)];
        let found = places.into_iter().find_map(|at| {
            let length = word(bytes, usize::try_from(at).ok()?).filter(|length| *length > 0)?;
            Some((at, length))
        });
        let Some((at, length)) = found else { break };
        *count += 1;
        largest.insert((length, Reverse(at)));
        if largest.len() > LARGEST {
            largest.pop_first();
        }
        end = at + 4 + u64::from(length);
    }
    largest.into_iter().map(|(_, Reverse(at))| (at / UNIT, (None, 0))).collect()
}

impl Pack {
    /// Returns figures of the pack: counts and sizes. Reads all slots.
    #[must_use]
    pub fn stats(&self) -> PackStats {
        let _scan = self.scan();
        stats(self)
    }
}

fn stats(pack: &Pack) -> PackStats {
    let bytes = |section: Section| pack.header().section(section).bytes;
    let mut stats = PackStats {
        origins: pack.len(),
        bytes: pack.as_bytes().len() as u64,
        index_bytes: bytes(Section::Classes)
            + bytes(Section::Slots)
            + bytes(Section::Extras)
            + bytes(Section::NameBlocks),
        program_bytes: bytes(Section::Programs),
        policy_bytes: bytes(Section::Policies),
        list_bytes: bytes(Section::Lists),
        name_bytes: bytes(Section::Names),
        preference_bytes: bytes(Section::Preferences),
        ..PackStats::default()
    };
    let mut largest = largest(pack, &mut stats.programs);
    let mut distances = 0;
    for (at, bytes) in (0..).zip(pack.slots()) {
        let slot = RawSlot::read(bytes);
        let Some(distance) = slot.distance() else { continue };
        distances += distance;
        stats.distance.1 = stats.distance.1.max(distance);
        let entry = super::PackEntry::of_slot(pack, slot);
        *stats.outcomes.entry(entry.record().outcome).or_default() += 1;
        stats.with_rules += u64::from(entry.has_rules());
        let mut count = |place: u64| {
            if let Some((first, origins)) = largest.get_mut(&place) {
                first.get_or_insert(pack.slot(at));
                *origins += 1;
            }
        };
        match entry.target() {
            Target::Program(place) => count(place),
            Target::Policy(place) => {
                let record = pack.record(Section::Policies, place).and_then(PolicyRecord::read);
                let places =
                    record.iter().flat_map(|record| (0..record.len()).filter_map(|number| record.entry(number)));
                places.map(|(place, _)| place).collect::<BTreeSet<u64>>().into_iter().for_each(count);
            }
            Target::Nothing => {}
        }
    }
    stats.distance.0 = distances as f64 / stats.origins.max(1) as f64;
    stats.largest = largest
        .into_iter()
        .map(|(place, (first, origins))| LargeProgram {
            bytes: pack.sized_record(Section::Programs, place).map_or(0, |bytes| bytes.len() as u64),
            origin: first.and_then(|slot| pack.origin(slot)),
            origins,
        })
        .collect();
    stats.largest.sort_by_key(|program| Reverse(program.bytes));
    stats
}
