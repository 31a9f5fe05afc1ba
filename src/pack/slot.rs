//! Slots: what is said of an origin in twenty octets, and what has no room there.

use super::format::{NOWHERE, PLACE};
use crate::fetch::{Outcome, Time};

/// Octets of a slot.
pub(crate) const SLOT: usize = 20;
/// The farthest that an origin may stand from its home: one octet says how far, and 0 means that the slot is empty.
pub(crate) const MAX_DISTANCE: u64 = 254;
/// Octets of what is said of an origin beside its slot.
pub(crate) const EXTRA: usize = 24;

/// What an origin's policy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// No rules are held.
    Nothing,
    /// All agents of the pack obey this program; there are no sitemaps, and the delay is that of the slot.
    Program(u64),
    /// A record of the section of policies.
    Policy(u64),
}

impl Target {
    /// Kind and place.
    pub(crate) const fn parts(self) -> (u64, u64) {
        match self {
            Self::Nothing => (0, 0),
            Self::Program(place) => (1, place),
            Self::Policy(place) => (2, place),
        }
    }

    pub(crate) const fn of_parts(kind: u64, place: u64) -> Self {
        match kind {
            1 => Self::Program(place),
            2 => Self::Policy(place),
            _ => Self::Nothing,
        }
    }
}

/// The kind of a slot whose place is that of an extra.
const KIND_EXTRA: u64 = 3;
/// The lifetime of a slot whose extra has it; all shorter ones stand in the slot.
const LIFETIME_BITS: u32 = 17;
const MAX_LIFETIME: u32 = (1 << LIFETIME_BITS) - 1;

/// A slot that is taken, as it stands in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawSlot {
    first: u64,
    second: u64,
    fetched: u32,
}

/// What a slot's place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Target(Target),
    Extra(u64),
}

impl RawSlot {
    #[inline]
    pub(crate) fn read(octets: &[u8; SLOT]) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = *octets;
        let [i, j, k, l, m, n, o, p, rest @ ..] = rest;
        Self {
            first: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            second: u64::from_le_bytes([i, j, k, l, m, n, o, p]),
            fetched: u32::from_le_bytes(rest),
        }
    }

    pub(crate) fn to_octets(self) -> [u8; SLOT] {
        let mut octets = [0; SLOT];
        octets[..8].copy_from_slice(&self.first.to_le_bytes());
        octets[8..16].copy_from_slice(&self.second.to_le_bytes());
        octets[16..].copy_from_slice(&self.fetched.to_le_bytes());
        octets
    }

    /// How far from its home it stands; `None` where the slot is empty.
    #[inline]
    pub(crate) const fn distance(self) -> Option<u64> {
        (self.first & 0xFF).checked_sub(1)
    }

    #[inline]
    pub(crate) const fn fingerprint(self) -> u64 {
        self.first >> 8 & ((1 << 48) - 1)
    }

    #[inline]
    pub(crate) const fn held(self) -> Held {
        let place = self.second & NOWHERE;
        match self.second >> 60 & 3 {
            KIND_EXTRA => Held::Extra(place),
            kind => Held::Target(Target::of_parts(kind, place)),
        }
    }

    #[inline]
    pub(crate) const fn fetched_at(self) -> Time {
        Time(self.fetched)
    }

    /// When it expires, where no extra says.
    #[inline]
    pub(crate) const fn expires_at(self) -> Time {
        Time(self.fetched.saturating_add((self.second >> 40) as u32 & MAX_LIFETIME))
    }

    #[inline]
    pub(crate) const fn outcome(self) -> Outcome {
        outcome(self.second >> 57 & 7)
    }

    /// The delay of all agents, where the place is that of a program.
    #[inline]
    pub(crate) const fn delay(self) -> Delay {
        Delay::of_code((self.first >> 56 | (self.second >> 62) << 8) as u16)
    }
}

/// The outcome of a number; what is none is taken for a failure, which allows nothing.
const fn outcome(number: u64) -> Outcome {
    match number {
        0 => Outcome::Rules,
        1 => Outcome::Unavailable,
        2 => Outcome::TooManyRedirects,
        3 => Outcome::ServerError,
        _ => Outcome::Unreachable,
    }
}

/// What a slot is written from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotParts {
    pub(crate) distance: u64,
    pub(crate) fingerprint: u64,
    pub(crate) held: Held,
    pub(crate) outcome: Outcome,
    pub(crate) fetched_at: Time,
    /// Seconds that [`lifetime`] gave.
    pub(crate) lifetime: u32,
    pub(crate) delay: Delay,
}

impl SlotParts {
    /// The slot; a delay without a code is not for slots.
    pub(crate) fn slot(&self) -> RawSlot {
        let code = u64::from(self.delay.code().unwrap_or(0));
        let (kind, place) = match self.held {
            Held::Target(target) => target.parts(),
            Held::Extra(place) => (KIND_EXTRA, place),
        };
        RawSlot {
            first: (self.distance + 1) & 0xFF | self.fingerprint << 8 | (code & 0xFF) << 56,
            second: place & NOWHERE
                | u64::from(self.lifetime & MAX_LIFETIME) << 40
                | (self.outcome as u64) << 57
                | kind << 60
                | (code >> 8) << 62,
            fetched: self.fetched_at.0,
        }
    }
}

/// The lifetime as a slot has it; `None` where it needs an extra.
pub(crate) fn lifetime(fetched: Time, expires: Time) -> Option<u32> {
    expires.0.checked_sub(fetched.0).filter(|seconds| *seconds <= MAX_LIFETIME)
}

/// A crawl delay in milliseconds; [`Delay::NONE`] where none is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Delay(pub(crate) u32);

/// Codes 1 to this are whole seconds.
const WHOLE_SECONDS: u16 = 720;

impl Delay {
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// The ten bits of a slot: 0 none, up to 720 seconds, then tenths of a second from 0 to 30.2. `None` for all other delays.
    pub(crate) fn code(self) -> Option<u16> {
        match self {
            Self::NONE => Some(0),
            Self(ms) if ms > 0 && ms % 1000 == 0 && ms / 1000 <= u32::from(WHOLE_SECONDS) => Some((ms / 1000) as u16),
            Self(ms) if ms % 100 == 0 && ms / 100 <= u32::from(1022 - WHOLE_SECONDS) => {
                Some(WHOLE_SECONDS + 1 + (ms / 100) as u16)
            }
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn of_code(code: u16) -> Self {
        match code {
            0 => Self::NONE,
            1..=WHOLE_SECONDS => Self(code as u32 * 1000),
            _ => Self((code - WHOLE_SECONDS - 1) as u32 * 100),
        }
    }
}

/// What is said of an origin that its slot has no room for: failures with a history, long lifetimes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extra {
    pub(crate) expires_at: Time,
    pub(crate) good_at: Option<Time>,
    pub(crate) failing_since: Option<Time>,
    pub(crate) target: Target,
}

impl Extra {
    pub(crate) fn read(octets: &[u8; EXTRA]) -> Self {
        let word = |at: usize| u32::from_le_bytes([octets[at], octets[at + 1], octets[at + 2], octets[at + 3]]);
        let flags = octets[12];
        Self {
            expires_at: Time(word(0)),
            good_at: (flags & 1 != 0).then(|| Time(word(4))),
            failing_since: (flags & 2 != 0).then(|| Time(word(8))),
            target: Target::of_parts(u64::from(flags >> 2 & 3), u64::from(word(16)) | u64::from(octets[20]) << 32),
        }
    }

    pub(crate) fn to_octets(self) -> [u8; EXTRA] {
        let (kind, place) = self.target.parts();
        let mut octets = [0; EXTRA];
        octets[..4].copy_from_slice(&self.expires_at.0.to_le_bytes());
        octets[4..8].copy_from_slice(&self.good_at.unwrap_or_default().0.to_le_bytes());
        octets[8..12].copy_from_slice(&self.failing_since.unwrap_or_default().0.to_le_bytes());
        octets[12] = u8::from(self.good_at.is_some()) | u8::from(self.failing_since.is_some()) << 1 | (kind as u8) << 2;
        octets[16..21].copy_from_slice(&place.to_le_bytes()[..PLACE]);
        octets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_keep_what_they_are_given() {
        for (number, held) in [
            Held::Target(Target::Nothing),
            Held::Target(Target::Program(NOWHERE - 1)),
            Held::Target(Target::Policy(0x12_3456_789A)),
            Held::Extra(77),
        ]
        .into_iter()
        .enumerate()
        {
            for outcome in [
                Outcome::Rules,
                Outcome::Unavailable,
                Outcome::TooManyRedirects,
                Outcome::ServerError,
                Outcome::Unreachable,
            ] {
                let parts = SlotParts {
                    distance: number as u64 * 84,
                    fingerprint: (1 << 48) - 1 - number as u64,
                    held,
                    outcome,
                    fetched_at: Time(u32::MAX - 200_000),
                    lifetime: 86_400,
                    delay: Delay(30_200),
                };
                let slot = RawSlot::read(&parts.slot().to_octets());
                assert_eq!(slot.distance(), Some(parts.distance));
                assert_eq!(slot.fingerprint(), parts.fingerprint);
                assert_eq!((slot.held(), slot.outcome()), (held, outcome));
                assert_eq!((slot.fetched_at(), slot.expires_at().0), (parts.fetched_at, u32::MAX - 113_600));
                assert_eq!(slot.delay(), parts.delay);
            }
        }
        assert_eq!(RawSlot::read(&[0; SLOT]).distance(), None);
    }

    #[test]
    fn delays_have_codes() {
        for code in 0..1024 {
            let delay = Delay::of_code(code);
            assert_eq!(Delay::of_code(delay.code().unwrap()), delay, "{code}");
        }
        assert_eq!(Delay(720_000).code(), Some(720));
        assert_eq!(Delay(500).code().map(Delay::of_code), Some(Delay(500)));
        for other in [1, 250, 30_300, 721_000, u32::MAX - 1] {
            assert_eq!(Delay(other).code(), None, "{other}");
        }
    }
}
