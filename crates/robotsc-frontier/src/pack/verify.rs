//! Checks a whole pack, as if an attacker had written it, with right checksums.
//!
//! In this order, each step on what the ones before have checked: the header (when the pack was opened), the sections'
//! checksums, programs, lists, policies, classes, slots with extras and names.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use robotsc_compiler::Program;
use robotsc_compiler::preferences::PreferenceProgram;

use super::entry::PackEntry;
use super::error::PackErrorKind;
use super::format::SLOT;
use super::format::{self, NAME_BLOCK, NOWHERE, PLACE, Section, UNIT};
use super::policy::{List, PolicyRecord};
use super::slot::{CLASS, Class, Delay, EXTRA, Extra, MAX_CLASSES, RawSlot, SlotKind, Target};
use super::{Pack, PackAgents, PackError, PackKey, names};
use crate::origin::Origin;
use crate::outcome::Capture;

impl Pack {
    /// Checks the checksum of every section. It finds any byte that changed since the pack was built, but not a pack
    /// that an attacker wrote: see [`verify`](Self::verify).
    ///
    /// Cost: reads the pack once, from front to back, as fast as memory or the disk gives it (`docs/pack-format.md`
    /// has figures).
    ///
    /// # Errors
    /// [`PackError`] names the first section that was altered.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn check_sums(&self) -> Result<(), PackError> {
        let _scan = self.scan();
        sums(self)
    }

    /// Checks the whole pack: the checksum of every section, every slot, place, program, policy and name, that equal
    /// records are stored once, and that every origin is found.
    ///
    /// Cost: a few passes over the pack, and a bit of memory for each eight bytes of it.
    ///
    /// # Errors
    /// [`PackError`] names the first invariant that does not hold.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn verify(&self) -> Result<(), PackError> {
        let _scan = self.scan();
        verify(self)
    }
}

fn verify(pack: &Pack) -> Result<(), PackError> {
    sums(pack)?;
    if pack.header().homes != format::homes(pack.len()) {
        return Err(broken("the table has not the size for its origins", pack.header().homes));
    }
    let mut programs = check_programs(pack)?;
    let mut lists = check_lists(pack)?;
    let mut preferences = check_preferences(pack)?;
    let mut policies = check_policies(pack, [&mut programs, &mut lists, &mut preferences])?;
    check_classes(pack)?;
    check_slots(pack, &mut programs, &mut policies)?;
    let unused = "a record is not used by any origin";
    [programs, lists, policies, preferences]
        .iter()
        .find_map(Starts::unused)
        .map_or(Ok(()), |place| Err(broken(unused, place)))
}

const fn broken(what: &'static str, number: u64) -> PackError {
    PackError::new(PackErrorKind::Broken { what, number })
}

/// Checks that each section has the checksum of the header, and that there are only zeros between them.
fn sums(pack: &Pack) -> Result<(), PackError> {
    let mut end = format::HEADER as u64;
    for section in pack.header().present().iter().copied() {
        let span = pack.header().section(section);
        let between = pack.as_bytes().get(end as usize..span.start as usize).unwrap_or(&[1]);
        if between.iter().any(|byte| *byte != 0) {
            return Err(broken("there is something between two sections", end));
        }
        end = span.start + span.bytes;
        if xxh3_64(pack.section(section)) != span.checksum {
            return Err(PackErrorKind::Checksum(section.name()).into());
        }
    }
    Ok(())
}

/// Where the records of a section start, and which of them are used: a bit of each for each unit.
struct Starts {
    starts: Vec<u64>,
    used: Vec<u64>,
}

impl Starts {
    fn new(bytes: usize) -> Self {
        let words = bytes.div_ceil(64 * UNIT as usize);
        Self { starts: vec![0; words], used: vec![0; words] }
    }

    fn insert(&mut self, at: u64) {
        if let Some(bits) = self.starts.get_mut((at / UNIT / 64) as usize) {
            *bits |= 1 << (at / UNIT % 64);
        }
    }

    /// Reports whether a record starts at a place, and marks it as used.
    fn take(&mut self, place: u64) -> bool {
        let (word, bit) = ((place / 64) as usize, 1 << (place % 64));
        let is_start = self.starts.get(word).is_some_and(|bits| bits & bit != 0);
        if let (true, Some(bits)) = (is_start, self.used.get_mut(word)) {
            *bits |= bit;
        }
        is_start
    }

    /// Returns the place of the first record that is not used.
    fn unused(&self) -> Option<u64> {
        let mut words = (0..).zip(self.starts.iter().zip(&self.used));
        words.find_map(|(word, (starts, used))| {
            let left = starts & !used;
            (left != 0).then(|| word * 64 + u64::from(left.trailing_zeros()))
        })
    }
}

/// Checks the records of a section. `length` returns the length of the record that the bytes start with, `None` if
/// there is none.
fn check_records(
    bytes: &[u8],
    what: &'static str,
    length: impl Fn(&[u8]) -> Option<usize>,
    mut check: impl FnMut(u64, &[u8]) -> Result<(), PackError>,
) -> Result<Starts, PackError> {
    let mut starts = Starts::new(bytes.len());
    let mut end = 0_u64;
    while end < bytes.len() as u64 {
        // A record starts at the next unit, or at the next cache line if it would be in two.
        let places = [end.next_multiple_of(UNIT), end.next_multiple_of(format::LINE as u64)];
        let found = places.into_iter().find_map(|at| {
            let rest = bytes.get(usize::try_from(at).ok()?..)?;
            let record = rest.get(..length(rest)?)?;
            (format::record_start(end, record.len() as u64) == at).then_some((at, record))
        });
        let (at, record) = found.ok_or(broken(what, end))?;
        check(at, record)?;
        starts.insert(at);
        end = at + record.len() as u64;
    }
    Ok(starts)
}

/// Returns the length of a record that starts with it. It is not 0, which is what is between records.
fn sized(bytes: &[u8]) -> Option<usize> {
    match format::word(bytes, 0)? {
        0 => None,
        length => Some(length as usize + 4),
    }
}

/// Checks that hashes grow from record to record, so that no two are equal.
fn check_order(hash: [u8; 16], before: &mut Option<[u8; 16]>, at: u64) -> Result<(), PackError> {
    match before.replace(hash) {
        Some(before) if before >= hash => Err(broken("a record is not in order, or is stored twice", at)),
        _ => Ok(()),
    }
}

fn check_programs(pack: &Pack) -> Result<Starts, PackError> {
    let mut before = None;
    let without_rules = Program::allow_all(pack.dialect().path_form()).as_bytes();
    check_records(pack.section(Section::Programs), "a program is not where it should be", sized, |at, record| {
        let bytes = &record[4..];
        let program = Program::from_bytes(bytes).map_err(|_| broken("a program is not valid", at))?;
        if program.path_form() != pack.dialect().path_form() {
            return Err(broken("a program compares paths in another form than the dialect", at));
        }
        // A program without rules has none to name.
        let is_as_stated = program.names_deciding_rule() == pack.names_deciding_rules()
            || (pack.names_deciding_rules() && bytes == without_rules);
        if !is_as_stated {
            return Err(broken("a program names its rules, or does not, unlike the header says", at));
        }
        check_order(super::build::hash(bytes), &mut before, at)
    })
}

fn check_lists(pack: &Pack) -> Result<Starts, PackError> {
    let mut before = None;
    check_records(pack.section(Section::Lists), "a list is not where it should be", sized, |at, record| {
        let bytes = &record[4..];
        let bad = || broken("a list is not valid", at);
        let list = List::read(bytes).ok_or_else(bad)?;
        let ends = (0..list.len()).map(|number| list.end(number));
        let last = list.len().checked_sub(1).and_then(|last| list.end(last));
        if !ends.is_sorted() || last != Some(list.text_len()) {
            return Err(bad());
        }
        check_order(super::build::hash(bytes), &mut before, at)
    })
}

fn check_preferences(pack: &Pack) -> Result<Starts, PackError> {
    let mut before = None;
    let section = pack.section(Section::Preferences);
    check_records(section, "preferences are not where they should be", sized, |at, record| {
        let bytes = &record[4..];
        let program = PreferenceProgram::from_bytes(bytes).map_err(|_| broken("preferences are not valid", at))?;
        if program.path_form() != pack.dialect().path_form() {
            return Err(broken("preferences compare paths in another form than the dialect", at));
        }
        check_order(super::build::hash(bytes), &mut before, at)
    })
}

fn check_policies(pack: &Pack, [programs, lists, preferences]: [&mut Starts; 3]) -> Result<Starts, PackError> {
    let length =
        |bytes: &[u8]| PolicyRecord::read(bytes).filter(|policy| policy.len() > 0).map(|policy| policy.bytes());
    let mut seen = Vec::new();
    // Many policies can share a list.
    let mut counts = BTreeMap::new();
    let starts =
        check_records(pack.section(Section::Policies), "a policy is not where it should be", length, |at, record| {
            let policy = PolicyRecord::read(record).ok_or(broken("a policy is not valid", at))?;
            seen.push(xxh3_128(record));
            check_policy(pack, &policy, at, [&mut *programs, &mut *lists, &mut *preferences], &mut counts)?;
            // What is written is what is read.
            if record.get(14..16) == Some(&[u8::from(policy.has_preferences()), 0]) {
                Ok(())
            } else {
                Err(broken("a policy is not valid", at))
            }
        })?;
    seen.sort_unstable();
    match seen.windows(2).position(|pair| pair[0] == pair[1]) {
        Some(number) => Err(broken("a policy is stored twice", number as u64)),
        None => Ok(starts),
    }
}

fn check_policy(
    pack: &Pack,
    policy: &PolicyRecord<'_>,
    at: u64,
    [programs, lists, preferences]: [&mut Starts; 3],
    counts: &mut BTreeMap<u64, Option<u32>>,
) -> Result<(), PackError> {
    let entry = |number| policy.entry(number).map(|(place, delay)| (place, delay, policy.preferences(number)));
    let entries: Option<Vec<_>> = (0..policy.len()).map(entry).collect();
    let entries = entries.filter(|entries| entries.iter().all(|(place, ..)| programs.take(*place)));
    let Some(entries) = entries else { return Err(broken("a policy has a program that is none", at)) };
    let mut has_list = |place| place == NOWHERE || lists.take(place);
    if !has_list(policy.sitemaps) || !has_list(policy.tokens) || (policy.sitemaps != NOWHERE && !pack.has_sitemaps()) {
        return Err(broken("a policy has a list that is none", at));
    }
    let mut stated = entries.iter().map(|(.., place)| *place).filter(|place| *place != NOWHERE);
    let states = stated.clone().next().is_some();
    if states != policy.has_preferences() || !stated.all(|place| preferences.take(place)) {
        return Err(broken("a policy has preferences that are none", at));
    }
    // One program without lists is stored as the program alone.
    let is_needed = entries.len() > 1 || policy.sitemaps != NOWHERE || policy.tokens != NOWHERE || states;
    let are_equal = entries.iter().all(|entry| Some(entry) == entries.first());
    let is_valid = is_needed
        && match (pack.agents(), pack.list(policy.tokens)) {
            (PackAgents::Some(agents), None) => entries.len() == 1 || (entries.len() == agents.len() && !are_equal),
            (PackAgents::All, None) => entries.len() == 1,
            (PackAgents::All, Some(list)) => {
                let mut distinct = entries.clone();
                distinct.sort_unstable();
                let count = counts.entry(policy.tokens).or_insert_with(|| numbered_programs(&list));
                distinct.windows(2).all(|pair| pair[0] != pair[1])
                    && count.is_some_and(|count| count as usize == entries.len())
            }
            (PackAgents::Some(_), Some(_)) => false,
        };
    if is_valid { Ok(()) } else { Err(broken("a policy has not one program for each of its agents", at)) }
}

/// Returns the number of programs that a list of tokens numbers, with that of `*`. `None` unless tokens are in lower
/// case and in order, and programs are numbered as they first occur.
fn numbered_programs(list: &List<'_>) -> Option<u32> {
    let tokens = (0..list.len()).map(|number| list.get(number));
    let mut next = 1;
    let mut is_valid = |(token, number): (&[u8], u32)| {
        let is_numbered = number <= next;
        next += u32::from(number == next);
        is_numbered && !token.is_empty() && !token.iter().any(u8::is_ascii_uppercase)
    };
    let are_valid = tokens.clone().all(|token| token.is_some_and(&mut is_valid))
        && tokens.map(|token| token.map(|(token, _)| token)).is_sorted_by(|a, b| a < b);
    are_valid.then_some(next)
}

/// Checks that classes are in order, each once, and as the builder writes them.
fn check_classes(pack: &Pack) -> Result<(), PackError> {
    let (classes, rest) = pack.section(Section::Classes).as_chunks::<CLASS>();
    let mut before = None;
    for (number, bytes) in (0..).zip(classes) {
        let class = Class::read(bytes);
        let is_valid = match class.kind {
            SlotKind::Program => true,
            SlotKind::Nothing | SlotKind::Policy => class.delay == Delay::NONE,
            SlotKind::Extra => class == Class::extra(class.outcome),
        };
        if !is_valid || class.to_bytes() != *bytes || before.replace(class).is_some_and(|before| before >= class) {
            return Err(broken("a class is not valid", number));
        }
    }
    if rest.is_empty() && classes.len() <= MAX_CLASSES { Ok(()) } else { Err(broken("there are too many classes", 0)) }
}

fn check_slots(pack: &Pack, programs: &mut Starts, policies: &mut Starts) -> Result<(), PackError> {
    let header = pack.header();
    let all_names = pack.section(Section::Names);
    let mut names_left = all_names;
    let (mut origins, mut extras, mut farthest, mut next_distance) = (0, 0, 0, 0);
    let mut before: Option<PackKey> = None;
    for (at, bytes) in (0..).zip(pack.slots()) {
        if at % NAME_BLOCK == 0 {
            check_block(pack, at / NAME_BLOCK, all_names.len() - names_left.len())?;
        }
        let slot = RawSlot::read(bytes);
        let Some(distance) = slot.distance() else {
            if *bytes != [0; SLOT] {
                return Err(broken("an empty slot is not empty", at));
            }
            next_distance = 0;
            continue;
        };
        // An origin is at its home, or after others that are as near to theirs.
        if distance > next_distance || distance > at {
            return Err(broken("an origin is not where it is looked for", at));
        }
        next_distance = distance + 1;
        farthest = farthest.max(distance);
        origins += 1;
        let name = names::read(&mut names_left).ok_or(broken("an origin has no name", at))?;
        let key = pack.key(&name);
        if key.home(header.homes) != at - distance || key.fingerprint() != slot.fingerprint() {
            return Err(broken("a slot is not that of its origin", at));
        }
        if !Origin::parse(&name).is_ok_and(|canonical| canonical.as_bytes() == name) {
            return Err(broken("an origin is not canonical", at));
        }
        // Of two with one home and one fingerprint only the first is found.
        if pack.find(key) != Some(pack.slot(at)) {
            return Err(broken("an origin is not found", at));
        }
        if before.replace(key).is_some_and(|before| before >= key) {
            return Err(broken("origins are not in order", at));
        }
        check_slot(pack, bytes, at, &mut extras, programs, policies)?;
    }
    let extra_bytes = pack.section(Section::Extras).len();
    if origins != header.origins || farthest != u64::from(header.farthest) {
        return Err(broken("the header counts other origins", origins));
    }
    if !names_left.is_empty() || extra_bytes as u64 != extras * EXTRA as u64 {
        return Err(broken("there is more than the slots account for", origins));
    }
    Ok(())
}

fn check_block(pack: &Pack, block: u64, names_before: usize) -> Result<(), PackError> {
    let place = pack.section(Section::NameBlocks).get(block as usize * PLACE..).and_then(|rest| format::place(rest, 0));
    if place == Some(names_before as u64) { Ok(()) } else { Err(broken("a block of names is not in its place", block)) }
}

fn check_slot(
    pack: &Pack,
    bytes: &[u8; SLOT],
    at: u64,
    extras: &mut u64,
    programs: &mut Starts,
    policies: &mut Starts,
) -> Result<(), PackError> {
    let slot = RawSlot::read(bytes);
    let class = pack.class(slot.class()).ok_or(broken("an origin has a class that is none", at))?;
    if class.kind == SlotKind::Extra {
        let extra = pack.section(Section::Extras).as_chunks::<EXTRA>().0.get(slot.place() as usize);
        let is_valid = |bytes: &&[u8; EXTRA]| {
            let extra = Extra::read(bytes);
            let is_failure = class.outcome.is_failure();
            extra.to_bytes() == **bytes
                && (extra.delay == Delay::NONE || extra.target.kind() == SlotKind::Program)
                && (extra.missing_at.is_none() || (is_failure && extra.good_at.is_none()))
        };
        if slot.place() != *extras || !extra.is_some_and(|extra| is_valid(&extra)) {
            return Err(broken("an extra is not that of its origin", at));
        }
        *extras += 1;
    }
    let entry = PackEntry::of_slot(pack, slot);
    let is_there = match entry.target() {
        Target::Nothing => class.kind == SlotKind::Extra || slot.place() == 0,
        Target::Program(place) => programs.take(place),
        Target::Policy(place) => policies.take(place),
    };
    if !is_there {
        return Err(broken("an origin has a policy that is none", at));
    }
    // The body itself is compiled; that there was one is all that counts.
    let copy = entry.has_rules().then_some(&b""[..]);
    match Capture::restored(*entry.record(), copy) {
        Ok(_) => Ok(()),
        Err(_) => Err(broken("an origin has a record that no fetch leaves", at)),
    }
}
