//! Slots: what is said of an origin in sixteen octets; the classes that say what many origins have in common; and
//! extras, for what has no room in either.

use super::format::{NOWHERE, PLACE, place, word};
use crate::fetch::{Outcome, Time};

/// Octets of a slot.
pub(crate) const SLOT: usize = 16;
/// The farthest that an origin may stand from its home: six bits say how far, and 0 means that the slot is empty.
pub(crate) const MAX_DISTANCE: u64 = 62;
/// Bits of a fingerprint.
pub(crate) const FINGERPRINT: u32 = 42;
/// Places that slots have room for: 512 GiB of programs.
pub(crate) const MAX_PLACE: u64 = (1 << 36) - 1;
/// Octets of a class.
pub(crate) const CLASS: usize = 12;
/// Classes of a pack, at most.
pub(crate) const MAX_CLASSES: usize = 1 << 12;
/// Octets of an extra.
pub(crate) const EXTRA: usize = 24;

/// What an origin's policy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// No rules are held.
    Nothing,
    /// All agents of the pack obey this program; there are no sitemaps, and the delay is that of the class.
    Program(u64),
    /// A record of the section of policies.
    Policy(u64),
}

impl Target {
    pub(crate) const fn kind(self) -> Kind {
        match self {
            Self::Nothing => Kind::Nothing,
            Self::Program(_) => Kind::Program,
            Self::Policy(_) => Kind::Policy,
        }
    }

    pub(crate) const fn place(self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Program(place) | Self::Policy(place) => place,
        }
    }
}

/// What a place is the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Nothing,
    Program,
    Policy,
    Extra,
}

impl Kind {
    const fn of(number: u8) -> Self {
        match number & 3 {
            0 => Self::Nothing,
            1 => Self::Program,
            2 => Self::Policy,
            _ => Self::Extra,
        }
    }

    /// The target at a place; an extra is none.
    const fn target(self, place: u64) -> Target {
        match self {
            Self::Program => Target::Program(place),
            Self::Policy => Target::Policy(place),
            Self::Nothing | Self::Extra => Target::Nothing,
        }
    }
}

/// A slot as it stands in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawSlot {
    first: u64,
    second: u64,
}

impl RawSlot {
    /// A slot that is taken.
    pub(crate) const fn new(distance: u64, fingerprint: u64, class: u64, place: u64, fetched_at: Time) -> Self {
        Self {
            first: (distance + 1) & 63
                | (fingerprint & ((1 << FINGERPRINT) - 1)) << 6
                | (class & (MAX_CLASSES as u64 - 1)) << 48
                | (place >> 32) << 60,
            second: place & 0xFFFF_FFFF | (fetched_at.0 as u64) << 32,
        }
    }

    #[inline]
    pub(crate) fn read(octets: &[u8; SLOT]) -> Self {
        let number = u128::from_le_bytes(*octets);
        Self { first: number as u64, second: (number >> 64) as u64 }
    }

    pub(crate) fn to_octets(self) -> [u8; SLOT] {
        (u128::from(self.second) << 64 | u128::from(self.first)).to_le_bytes()
    }

    /// How far from its home it stands; `None` where the slot is empty.
    #[inline]
    pub(crate) const fn distance(self) -> Option<u64> {
        (self.first & 63).checked_sub(1)
    }

    #[inline]
    pub(crate) const fn fingerprint(self) -> u64 {
        self.first >> 6 & ((1 << FINGERPRINT) - 1)
    }

    /// The number of its class.
    #[inline]
    pub(crate) const fn class(self) -> u64 {
        self.first >> 48 & (MAX_CLASSES as u64 - 1)
    }

    /// What its class says that it is the place of.
    #[inline]
    pub(crate) const fn place(self) -> u64 {
        self.first >> 60 << 32 | self.second & 0xFFFF_FFFF
    }

    #[inline]
    pub(crate) const fn fetched_at(self) -> Time {
        Time((self.second >> 32) as u32)
    }
}

/// What many origins have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class {
    pub(crate) kind: Kind,
    pub(crate) outcome: Outcome,
    /// Seconds from the fetch until it expires; 0 where an extra says.
    pub(crate) lifetime: u32,
    /// The delay of all agents, of a program.
    pub(crate) delay: Delay,
}

impl Class {
    /// The class of origins that have an extra.
    pub(crate) const fn extra(outcome: Outcome) -> Self {
        Self { kind: Kind::Extra, outcome, lifetime: 0, delay: Delay::NONE }
    }

    #[inline]
    pub(crate) const fn read(octets: &[u8; CLASS]) -> Self {
        let [kind, outcome, _, _, a, b, c, d, e, f, g, h] = *octets;
        Self {
            kind: Kind::of(kind),
            outcome: match outcome {
                0 => Outcome::Rules,
                1 => Outcome::Unavailable,
                2 => Outcome::TooManyRedirects,
                3 => Outcome::ServerError,
                // What is none is taken for a failure, which allows nothing.
                _ => Outcome::Unreachable,
            },
            lifetime: u32::from_le_bytes([a, b, c, d]),
            delay: Delay(u32::from_le_bytes([e, f, g, h])),
        }
    }

    pub(crate) fn to_octets(self) -> [u8; CLASS] {
        let mut octets = [0; CLASS];
        octets[0] = self.kind as u8;
        octets[1] = self.outcome as u8;
        octets[4..8].copy_from_slice(&self.lifetime.to_le_bytes());
        octets[8..].copy_from_slice(&self.delay.0.to_le_bytes());
        octets
    }

    /// The target at a place, where it is that of one.
    #[inline]
    pub(crate) const fn target(self, place: u64) -> Target {
        self.kind.target(place)
    }
}

/// A crawl delay in milliseconds; [`Delay::NONE`] where none is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Delay(pub(crate) u32);

impl Delay {
    pub(crate) const NONE: Self = Self(u32::MAX);
}

/// What is said of an origin that no class says: failures with a history, lifetimes that hardly another has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extra {
    pub(crate) expires_at: Time,
    pub(crate) good_at: Option<Time>,
    pub(crate) failing_since: Option<Time>,
    /// When there was known to be no file, before the failures; never together with `good_at`, whose place it takes.
    pub(crate) missing_at: Option<Time>,
    pub(crate) target: Target,
    pub(crate) delay: Delay,
}

/// The bit of an extra that says that the time of the good copy is that of a missing file.
const MISSING: u8 = 1 << 4;

impl Extra {
    pub(crate) fn read(octets: &[u8; EXTRA]) -> Self {
        let time = |at| Time(word(octets, at).unwrap_or(0));
        let flags = octets[12];
        let target = Kind::of(flags >> 2).target(place(octets, 13).unwrap_or(NOWHERE));
        Self {
            expires_at: time(0),
            good_at: (flags & 1 != 0).then_some(time(4)),
            failing_since: (flags & 2 != 0).then_some(time(8)),
            missing_at: (flags & MISSING != 0).then_some(time(4)),
            target,
            delay: Delay(word(octets, 20).unwrap_or(u32::MAX)),
        }
    }

    pub(crate) fn to_octets(self) -> [u8; EXTRA] {
        let mut octets = [0; EXTRA];
        octets[..4].copy_from_slice(&self.expires_at.0.to_le_bytes());
        let success = self.good_at.or(self.missing_at).unwrap_or_default();
        octets[4..8].copy_from_slice(&success.0.to_le_bytes());
        octets[8..12].copy_from_slice(&self.failing_since.unwrap_or_default().0.to_le_bytes());
        let kind = self.target.kind() as u8;
        let missing = if self.missing_at.is_some() { MISSING } else { 0 };
        octets[12] =
            u8::from(self.good_at.is_some()) | u8::from(self.failing_since.is_some()) << 1 | kind << 2 | missing;
        octets[13..13 + PLACE].copy_from_slice(&self.target.place().to_le_bytes()[..PLACE]);
        octets[20..].copy_from_slice(&self.delay.0.to_le_bytes());
        octets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_keep_what_they_are_given() {
        for (distance, class, place) in [(0, 0, 0), (MAX_DISTANCE, 4095, MAX_PLACE), (7, 1_000, 0x8_1234_5678)] {
            let fingerprint = (1 << FINGERPRINT) - 1 - place % 1000;
            let slot = RawSlot::new(distance, fingerprint, class, place, Time(u32::MAX - 5));
            let slot = RawSlot::read(&slot.to_octets());
            assert_eq!((slot.distance(), slot.fingerprint()), (Some(distance), fingerprint));
            assert_eq!((slot.class(), slot.place(), slot.fetched_at()), (class, place, Time(u32::MAX - 5)));
        }
        assert_eq!(RawSlot::read(&[0; SLOT]).distance(), None);
    }

    #[test]
    fn classes_and_extras_come_back() {
        for kind in [Kind::Nothing, Kind::Program, Kind::Policy, Kind::Extra] {
            for outcome in [Outcome::Rules, Outcome::Unavailable, Outcome::TooManyRedirects, Outcome::ServerError] {
                let class = Class { kind, outcome, lifetime: 86_400, delay: Delay(1_500) };
                assert_eq!(Class::read(&class.to_octets()), class);
            }
            let extra = Extra {
                expires_at: Time(9),
                good_at: (kind != Kind::Nothing).then_some(Time(0)),
                failing_since: (kind == Kind::Policy).then_some(Time(7)),
                missing_at: (kind == Kind::Nothing).then_some(Time(6)),
                target: kind.target(MAX_PLACE),
                delay: Delay(77),
            };
            assert_eq!(Extra::read(&extra.to_octets()), extra);
        }
    }
}
