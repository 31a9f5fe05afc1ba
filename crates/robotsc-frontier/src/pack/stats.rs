//! Figures of a pack.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::format::{LINE, Section, UNIT, word};
use super::policy::PolicyRecord;
use super::slot::{RawSlot, Target};
use super::{Pack, Slot};
use crate::fetch::Outcome;

/// Programs that are named as the largest.
const LARGEST: usize = 10;

/// Figures of a pack, from [`Pack::stats`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PackStats {
    /// Origins.
    pub origins: u64,
    /// Origins by the outcome of their last fetch.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// Origins of which rules are held.
    pub with_rules: u64,
    /// Different programs that they come to.
    pub programs: u64,
    /// Octets of the pack.
    pub octets: u64,
    /// Octets of the index: classes, slots, extras and name blocks.
    pub index_octets: u64,
    /// Octets of programs.
    pub program_octets: u64,
    /// Octets of policies that are more than a program.
    pub policy_octets: u64,
    /// Octets of lists: sitemaps and agents.
    pub list_octets: u64,
    /// Octets of the origins' texts.
    pub name_octets: u64,
    /// The mean distance of an origin's slot from where it would be alone, in slots, and the farthest.
    pub distance: (f64, u64),
    /// The largest programs, largest first.
    pub largest: Vec<LargeProgram>,
}

/// One of a pack's largest programs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LargeProgram {
    /// Its octets.
    pub octets: u64,
    /// The first origin, in the order of slots, that has an agent that obeys it.
    pub origin: Option<Vec<u8>>,
    /// Origins that have such an agent.
    pub origins: u64,
}

/// The places of the largest programs, the first that stand there where several are as large; counts all.
fn largest(pack: &Pack, count: &mut u64) -> BTreeMap<u64, (Option<Slot>, u64)> {
    let mut largest = BTreeSet::new();
    let octets = pack.section(Section::Programs);
    let mut end = 0_u64;
    while end < octets.len() as u64 {
        let places = [end.next_multiple_of(UNIT), end.next_multiple_of(LINE as u64)];
        let found = places.into_iter().find_map(|at| {
            let length = word(octets, usize::try_from(at).ok()?).filter(|length| *length > 0)?;
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

pub(crate) fn stats(pack: &Pack) -> PackStats {
    let octets = |section: Section| pack.header().section(section).octets;
    let mut stats = PackStats {
        origins: pack.len(),
        octets: pack.as_bytes().len() as u64,
        index_octets: octets(Section::Classes)
            + octets(Section::Slots)
            + octets(Section::Extras)
            + octets(Section::NameBlocks),
        program_octets: octets(Section::Programs),
        policy_octets: octets(Section::Policies),
        list_octets: octets(Section::Lists),
        name_octets: octets(Section::Names),
        ..PackStats::default()
    };
    let mut largest = largest(pack, &mut stats.programs);
    let mut distances = 0;
    for (at, octets) in (0..).zip(pack.slots()) {
        let slot = RawSlot::read(octets);
        let Some(distance) = slot.distance() else { continue };
        distances += distance;
        stats.distance.1 = stats.distance.1.max(distance);
        let entry = super::PackEntry::of_slot(pack, slot);
        *stats.outcomes.entry(entry.record().outcome).or_default() += 1;
        stats.with_rules += u64::from(entry.has_rules());
        let mut count = |place: u64| {
            if let Some((first, origins)) = largest.get_mut(&place) {
                first.get_or_insert(Slot(at));
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
            octets: pack.sized_record(Section::Programs, place).map_or(0, |octets| octets.len() as u64),
            origin: first.and_then(|slot| pack.origin(slot)),
            origins,
        })
        .collect();
    stats.largest.sort_by_key(|program| Reverse(program.octets));
    stats
}
