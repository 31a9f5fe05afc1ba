//! A capture on its way to its slot: what is sorted.

use super::super::PackKey;
use super::super::slot::Delay;
use super::content::Link;
use crate::outcome::{FetchRecord, Outcome, Time};

/// The longest wait after a failure, in seconds.
const LONGEST_WAIT: u32 = 24 * 3_600;

/// A capture that was compiled. Its bytes sort by key, then the newest first, then the last one pushed first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiled {
    pub(crate) key: PackKey,
    /// Its number among all captures that were pushed.
    pub(crate) number: u64,
    pub(crate) record: FetchRecord,
    /// When the file was last known to be missing, before the failures: it overrides older copies. Never together with
    /// a good copy.
    pub(crate) missing_at: Option<Time>,
    pub(crate) link: Link,
    pub(crate) origin: Vec<u8>,
}

/// The flag of a time that is not that of a good copy.
const MISSING: u8 = 1 << 4;

impl Compiled {
    /// The bytes of the key.
    pub(crate) const KEY: usize = 16;

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.extend_from_slice(&self.key.to_bytes());
        bytes.extend_from_slice(&(!self.record.fetched_at.0).to_be_bytes());
        bytes.extend_from_slice(&(!self.number).to_be_bytes());
        let (good, failing) = (self.record.good_at, self.record.failing_since);
        let (kind, hash, delay) = match self.link {
            Link::Nothing => (0, [0; 16], Delay::NONE),
            Link::Program(hash, delay) => (1, hash, delay),
            Link::Policy(hash) => (2, hash, Delay::NONE),
            Link::Refused => (3, [0; 16], Delay::NONE),
        };
        bytes.extend_from_slice(&[
            self.record.outcome as u8,
            u8::from(good.is_some())
                | u8::from(failing.is_some()) << 1
                | kind << 2
                | if self.missing_at.is_some() { MISSING } else { 0 },
        ]);
        let success = good.or(self.missing_at).unwrap_or_default();
        for word in [self.record.expires_at.0, success.0, failing.unwrap_or_default().0, delay.0] {
            bytes.extend_from_slice(&word.to_be_bytes());
        }
        bytes.extend_from_slice(&hash);
        bytes.extend_from_slice(&self.origin);
    }

    /// Reads what [`write`](Self::write) wrote; `None` for anything else.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (key, rest) = bytes.split_first_chunk::<{ Self::KEY }>()?;
        let (fetched, rest) = rest.split_first_chunk::<4>()?;
        let (number, rest) = rest.split_first_chunk::<8>()?;
        let (&[outcome, flags], rest) = rest.split_first_chunk::<2>()?;
        let (words, rest) = rest.split_first_chunk::<16>()?;
        let (hash, origin) = rest.split_first_chunk::<16>()?;
        let words = words.as_chunks::<4>().0;
        let word = |number: usize| u32::from_be_bytes(words[number]);
        let link = match flags >> 2 & 3 {
            0 => Link::Nothing,
            1 => Link::Program(*hash, Delay(word(3))),
            2 => Link::Policy(*hash),
            _ => Link::Refused,
        };
        let record = FetchRecord {
            outcome: Outcome::of(outcome),
            fetched_at: Time(!u32::from_be_bytes(*fetched)),
            expires_at: Time(word(0)),
            good_at: (flags & 1 != 0).then(|| Time(word(1))),
            failing_since: (flags & 2 != 0).then(|| Time(word(2))),
        };
        let missing_at = (flags & MISSING != 0).then(|| Time(word(1)));
        let number = !u64::from_be_bytes(*number);
        Some(Self { key: PackKey::of_bytes(*key), number, record, missing_at, link, origin: origin.to_vec() })
    }

    /// Reports whether the fetch failed, so that what was known before still counts.
    const fn is_failure(&self) -> bool {
        self.record.outcome.is_failure()
    }

    /// Reports whether the fetch said that the copy from before is current, and that copy is not here.
    fn lacks_its_copy(&self) -> bool {
        self.record.outcome == Outcome::NotModified
    }

    /// Returns the time of the last fetch that is known not to have failed, also of a missing file, which leaves no
    /// copy.
    fn success(&self) -> Option<Time> {
        let is_without = self.is_failure() || self.lacks_its_copy();
        if is_without { self.record.good_at.max(self.missing_at) } else { Some(self.record.fetched_at) }
    }

    /// Adds what an older capture of the same origin knows: since when fetches fail, and the last good copy. A fetch
    /// that did not fail needs nothing of before, but that a 304 needs the copy. `failed` is when the oldest of the
    /// failures was that were seen here.
    ///
    /// What is newer counts: a success that `older` records ends the failures before it, and overrides older copies,
    /// also those that this capture brought from a pack.
    ///
    /// Returns `true` if still older captures may add more.
    pub(crate) fn learn(&mut self, older: &Self, failed: &mut Time) -> bool {
        if self.lacks_its_copy() {
            return self.find_copy(older);
        }
        if !self.is_failure() {
            return false;
        }
        let success = older.success();
        if success > self.success() {
            self.record.good_at = older.record.good_at;
            self.missing_at = success.filter(|_| older.record.good_at.is_none());
            self.link = older.link;
        }
        if older.is_failure() {
            *failed = older.record.fetched_at;
        }
        let known = [self.record.failing_since, older.record.failing_since.filter(|_| older.is_failure())];
        let after = self.success().unwrap_or_default();
        let since = known.into_iter().flatten().filter(|since| *since >= after).min().unwrap_or(*failed);
        self.record.failing_since = Some(since);
        // As `FetchRecord::after` has it: the longer it fails, the longer is the wait.
        let fetched_at = self.record.fetched_at.0;
        let wait = (fetched_at.saturating_sub(since.0) / 2).min(LONGEST_WAIT);
        self.record.expires_at = self.record.expires_at.max(Time(fetched_at.saturating_add(wait)));
        older.is_failure()
    }

    /// Takes the copy that the server says is current from an older capture. Returns `true` if still older captures may
    /// have it.
    fn find_copy(&mut self, older: &Self) -> bool {
        if older.record.good_at.is_some() && older.link != Link::Nothing {
            self.record.outcome = Outcome::Rules;
            self.record.good_at = older.record.good_at;
            self.link = older.link;
            return false;
        }
        older.is_failure() && older.missing_at.is_none() || older.lacks_its_copy()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(outcome: Outcome, fetched: u32, link: Link) -> Compiled {
        let failing = outcome.is_failure();
        let record = FetchRecord {
            outcome,
            fetched_at: Time(fetched),
            expires_at: Time(fetched + 10),
            good_at: (outcome == Outcome::Rules).then_some(Time(fetched)),
            failing_since: failing.then_some(Time(fetched)),
        };
        let origin = b"https://a.example".to_vec();
        Compiled { key: PackKey::new(&origin, 0), number: 7, record, missing_at: None, link, origin }
    }

    #[test]
    fn captures_come_back_and_sort_newest_first() {
        let rules = Link::Program([9; 16], Delay(5_000));
        let captures = [
            capture(Outcome::Rules, 100, rules),
            capture(Outcome::Unavailable, 200, Link::Nothing),
            capture(Outcome::ServerError, 150, Link::Policy([3; 16])),
            Compiled { missing_at: Some(Time(90)), ..capture(Outcome::Unreachable, 120, Link::Nothing) },
        ];
        let mut written: Vec<Vec<u8>> = captures
            .iter()
            .map(|capture| {
                let mut bytes = Vec::new();
                capture.write(&mut bytes);
                assert_eq!(Compiled::read(&bytes).as_ref(), Some(capture));
                bytes
            })
            .collect();
        written.sort();
        let times: Vec<u32> = written.iter().map(|bytes| Compiled::read(bytes).unwrap().record.fetched_at.0).collect();
        assert_eq!(times, [200, 150, 120, 100]);
    }

    #[test]
    fn failures_keep_the_last_good_copy() {
        let rules = Link::Program([9; 16], Delay::NONE);
        let good = capture(Outcome::Rules, 100, rules);
        let first = capture(Outcome::Unreachable, 200, Link::Nothing);
        let mut last = capture(Outcome::ServerError, 300, Link::Nothing);
        let mut failed = Time(300);
        assert!(last.learn(&first, &mut failed));
        assert!(!last.learn(&good, &mut failed));
        assert_eq!((last.record.failing_since, last.record.good_at), (Some(Time(200)), Some(Time(100))));
        assert_eq!((last.link, last.record.fetched_at), (rules, Time(300)));
        // A file that is gone is no good copy, and nothing before it counts.
        let gone = capture(Outcome::Unavailable, 250, Link::Nothing);
        let mut last = capture(Outcome::ServerError, 300, Link::Nothing);
        assert!(!last.learn(&gone, &mut Time(300)));
        assert_eq!((last.record.failing_since, last.link), (Some(Time(300)), Link::Nothing));
        // That it was gone is not forgotten: an older copy of another pack stays overridden.
        assert_eq!(last.missing_at, Some(Time(250)));
        assert!(!last.learn(&good, &mut Time(300)));
        assert_eq!((last.record.good_at, last.missing_at, last.link), (None, Some(Time(250)), Link::Nothing));
        // A newer one is effective.
        assert!(!last.learn(&capture(Outcome::Rules, 270, rules), &mut Time(300)));
        assert_eq!((last.record.good_at, last.missing_at, last.link), (Some(Time(270)), None, rules));
    }

    #[test]
    fn a_copy_that_is_current_is_found() {
        let rules = Link::Program([9; 16], Delay::NONE);
        let good = capture(Outcome::Rules, 100, rules);
        let failed = capture(Outcome::Unreachable, 200, Link::Nothing);
        let mut last = capture(Outcome::NotModified, 300, Link::Nothing);
        assert!(last.learn(&failed, &mut Time(300)));
        assert!(!last.learn(&good, &mut Time(300)));
        assert_eq!((last.record.outcome, last.record.good_at, last.link), (Outcome::Rules, Some(Time(100)), rules));
        assert_eq!((last.record.fetched_at, last.record.failing_since), (Time(300), None));
        // Without the copy nothing is known.
        let gone = capture(Outcome::Unavailable, 250, Link::Nothing);
        let mut last = capture(Outcome::NotModified, 300, Link::Nothing);
        assert!(!last.learn(&gone, &mut Time(300)));
        assert_eq!((last.record.outcome, last.link), (Outcome::NotModified, Link::Nothing));
        // Failures after it start anew: that nobody held the copy does not make them older.
        let mut last = capture(Outcome::ServerError, 400, Link::Nothing);
        assert!(!last.learn(&capture(Outcome::NotModified, 300, Link::Nothing), &mut Time(400)));
        assert_eq!((last.record.failing_since, last.link), (Some(Time(400)), Link::Nothing));
    }

    #[test]
    fn a_newer_success_overrides_the_copy_of_a_pack() {
        let [old, new] = [[8; 16], [9; 16]].map(|hash| Link::Program(hash, Delay::NONE));
        let folded = |fetched, link| {
            let mut folded = capture(Outcome::ServerError, fetched, link);
            (folded.record.good_at, folded.record.failing_since) = (Some(Time(100)), Some(Time(150)));
            folded
        };
        for (newer, good_at, link) in [
            (capture(Outcome::Rules, 200, new), Some(Time(200)), new),
            (capture(Outcome::Unavailable, 200, Link::Nothing), None, Link::Nothing),
            (capture(Outcome::Rules, 200, Link::Refused), Some(Time(200)), Link::Refused),
        ] {
            let mut last = folded(300, old);
            assert!(!last.learn(&newer, &mut Time(300)));
            assert_eq!((last.record.good_at, last.link), (good_at, link));
            assert_eq!(last.record.failing_since, Some(Time(300)));
        }
        // The same if a failure of another pack brings the newer copy.
        let mut last = folded(300, old);
        let mut other = folded(260, new);
        (other.record.good_at, other.record.failing_since) = (Some(Time(200)), Some(Time(220)));
        assert!(last.learn(&other, &mut Time(300)));
        assert_eq!((last.record.good_at, last.link), (Some(Time(200)), new));
        assert_eq!(last.record.failing_since, Some(Time(220)));
        // An older one changes nothing.
        assert!(!last.learn(&capture(Outcome::Rules, 190, old), &mut Time(260)));
        assert_eq!((last.record.good_at, last.link), (Some(Time(200)), new));
    }
}
