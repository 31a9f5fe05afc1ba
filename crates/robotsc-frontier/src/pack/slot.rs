//! Slots, sixteen bytes for each origin; classes, for what many origins have in common; and extras, for what has no
//! room in either.

use super::format::{NOWHERE, PLACE, SLOT, place, word};
use crate::outcome::{Outcome, Time};

/// The maximum distance of an origin from its home: six bits store it, and 0 means that the slot is empty.
pub(crate) const MAX_DISTANCE: u64 = 62;
/// Bits of a fingerprint.
pub(crate) const FINGERPRINT: u32 = 42;
/// The largest place that a slot can store: 512 GiB of programs.
pub(crate) const MAX_PLACE: u64 = (1 << 36) - 1;
/// Bytes of a class.
pub(crate) const CLASS: usize = 12;
/// The maximum number of classes of a pack.
pub(crate) const MAX_CLASSES: usize = 1 << 12;
/// Bytes of an extra.
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
    pub(crate) const fn kind(self) -> SlotKind {
        match self {
            Self::Nothing => SlotKind::Nothing,
            Self::Program(_) => SlotKind::Program,
            Self::Policy(_) => SlotKind::Policy,
        }
    }

    pub(crate) const fn place(self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Program(place) | Self::Policy(place) => place,
        }
    }
}

/// What a place leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SlotKind {
    Nothing,
    Program,
    Policy,
    Extra,
}

impl SlotKind {
    const fn of(number: u8) -> Self {
        match number & 3 {
            0 => Self::Nothing,
            1 => Self::Program,
            2 => Self::Policy,
            _ => Self::Extra,
        }
    }

    /// Returns the target at a place; an extra is none.
    const fn target(self, place: u64) -> Target {
        match self {
            Self::Program => Target::Program(place),
            Self::Policy => Target::Policy(place),
            Self::Nothing | Self::Extra => Target::Nothing,
        }
    }
}

/// A slot as stored in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawSlot {
    first: u64,
    second: u64,
}

impl RawSlot {
    /// Makes a slot that is taken.
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
    pub(crate) fn read(bytes: &[u8; SLOT]) -> Self {
        let number = u128::from_le_bytes(*bytes);
        Self { first: number as u64, second: (number >> 64) as u64 }
    }

    pub(crate) fn to_bytes(self) -> [u8; SLOT] {
        (u128::from(self.second) << 64 | u128::from(self.first)).to_le_bytes()
    }

    /// Returns its distance from its home, in slots; `None` if the slot is empty.
    #[inline]
    pub(crate) const fn distance(self) -> Option<u64> {
        (self.first & 63).checked_sub(1)
    }

    #[inline]
    pub(crate) const fn fingerprint(self) -> u64 {
        self.first >> 6 & ((1 << FINGERPRINT) - 1)
    }

    /// Returns the number of its class.
    #[inline]
    pub(crate) const fn class(self) -> u64 {
        self.first >> 48 & (MAX_CLASSES as u64 - 1)
    }

    /// Returns the place; the class says what is there.
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
    pub(crate) kind: SlotKind,
    pub(crate) outcome: Outcome,
    /// Seconds from the fetch until it expires; 0 if an extra stores it.
    pub(crate) lifetime: u32,
    /// The delay of all agents, of a program.
    pub(crate) delay: Delay,
}

impl Class {
    /// Returns the class of origins that have an extra.
    pub(crate) const fn extra(outcome: Outcome) -> Self {
        Self { kind: SlotKind::Extra, outcome, lifetime: 0, delay: Delay::NONE }
    }

    #[inline]
    pub(crate) fn read(bytes: &[u8; CLASS]) -> Self {
        let [kind, outcome, _, _, a, b, c, d, e, f, g, h] = *bytes;
        Self {
            kind: SlotKind::of(kind),
            outcome: Outcome::of(outcome),
            lifetime: u32::from_le_bytes([a, b, c, d]),
            delay: Delay(u32::from_le_bytes([e, f, g, h])),
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; CLASS] {
        let mut bytes = [0; CLASS];
        bytes[0] = self.kind as u8;
        bytes[1] = self.outcome as u8;
        bytes[4..8].copy_from_slice(&self.lifetime.to_le_bytes());
        bytes[8..].copy_from_slice(&self.delay.0.to_le_bytes());
        bytes
    }

    /// Returns the target at a place.
    #[inline]
    pub(crate) const fn target(self, place: u64) -> Target {
        self.kind.target(place)
    }
}

/// A crawl delay in milliseconds; [`Delay::NONE`] if none is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Delay(pub(crate) u32);

impl Delay {
    pub(crate) const NONE: Self = Self(u32::MAX);
}

/// What no class stores of an origin: failures with a history, rare lifetimes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extra {
    pub(crate) expires_at: Time,
    pub(crate) good_at: Option<Time>,
    pub(crate) failing_since: Option<Time>,
    /// When the file was known to be missing, before the failures; never together with `good_at`, whose field it takes.
    pub(crate) missing_at: Option<Time>,
    pub(crate) target: Target,
    pub(crate) delay: Delay,
}

/// The bit of an extra that marks the time of the good copy as that of a missing file.
const MISSING: u8 = 1 << 4;

impl Extra {
    pub(crate) fn read(bytes: &[u8; EXTRA]) -> Self {
        let time = |at| Time(word(bytes, at).unwrap_or(0));
        let flags = bytes[12];
        let target = SlotKind::of(flags >> 2).target(place(bytes, 13).unwrap_or(NOWHERE));
        Self {
            expires_at: time(0),
            good_at: (flags & 1 != 0).then_some(time(4)),
            failing_since: (flags & 2 != 0).then_some(time(8)),
            missing_at: (flags & MISSING != 0).then_some(time(4)),
            target,
            delay: Delay(word(bytes, 20).unwrap_or(u32::MAX)),
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; EXTRA] {
        let mut bytes = [0; EXTRA];
        bytes[..4].copy_from_slice(&self.expires_at.0.to_le_bytes());
        let success = self.good_at.or(self.missing_at).unwrap_or_default();
        bytes[4..8].copy_from_slice(&success.0.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.failing_since.unwrap_or_default().0.to_le_bytes());
        let kind = self.target.kind() as u8;
        let missing = if self.missing_at.is_some() { MISSING } else { 0 };
        bytes[12] =
            u8::from(self.good_at.is_some()) | u8::from(self.failing_since.is_some()) << 1 | kind << 2 | missing;
        bytes[13..13 + PLACE].copy_from_slice(&self.target.place().to_le_bytes()[..PLACE]);
        bytes[20..].copy_from_slice(&self.delay.0.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back() {
        for (distance, class, place) in [(0, 0, 0), (MAX_DISTANCE, 4095, MAX_PLACE), (7, 1_000, 0x8_1234_5678)] {
            let fingerprint = (1 << FINGERPRINT) - 1 - place % 1000;
            let slot = RawSlot::new(distance, fingerprint, class, place, Time(u32::MAX - 5));
            let slot = RawSlot::read(&slot.to_bytes());
            assert_eq!((slot.distance(), slot.fingerprint()), (Some(distance), fingerprint));
            assert_eq!((slot.class(), slot.place(), slot.fetched_at()), (class, place, Time(u32::MAX - 5)));
        }
        assert_eq!(RawSlot::read(&[0; SLOT]).distance(), None);
    }

    #[test]
    fn classes_and_extras_come_back() {
        for kind in [SlotKind::Nothing, SlotKind::Program, SlotKind::Policy, SlotKind::Extra] {
            for outcome in Outcome::ALL {
                let class = Class { kind, outcome, lifetime: 86_400, delay: Delay(1_500) };
                assert_eq!(Class::read(&class.to_bytes()), class);
            }
            let extra = Extra {
                expires_at: Time(9),
                good_at: (kind != SlotKind::Nothing).then_some(Time(0)),
                failing_since: (kind == SlotKind::Policy).then_some(Time(7)),
                missing_at: (kind == SlotKind::Nothing).then_some(Time(6)),
                target: kind.target(MAX_PLACE),
                delay: Delay(77),
            };
            assert_eq!(Extra::read(&extra.to_bytes()), extra);
        }
    }
}
