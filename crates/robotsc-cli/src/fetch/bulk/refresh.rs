//! `--refresh`: the origins of a pack that expire soon, with what the log knows to ask whether they changed.

use std::collections::HashMap;
use std::time::Duration;

use robotsc::fetch::{Time, Validators};
use robotsc::fetcher::Target;
use robotsc::origin::Origin;
use robotsc::pack::Pack;

use super::log::Done;

/// The origins of a pack that are to be asked again.
pub(super) struct Refresh {
    pack: Pack,
    /// What expires before this is asked.
    before: Time,
    /// The validators of the copies that the pack holds.
    validators: HashMap<Box<str>, Validators>,
}

impl Refresh {
    pub(super) fn new(pack: Pack, now: Time, within: Duration) -> Self {
        let within = u32::try_from(within.as_secs()).unwrap_or(u32::MAX);
        Self { pack, before: Time(now.0.saturating_add(within)), validators: HashMap::new() }
    }

    /// Takes a fetch of the log. Returns `true` if it is newer than what the pack holds: then the origin is not asked
    /// again.
    pub(super) fn learn(&mut self, done: &Done<'_>) -> bool {
        let Some(entry) = self.pack.get(done.origin.as_bytes()) else { return true };
        let record = entry.record();
        if done.at > record.fetched_at.0 {
            return true;
        }
        // Only of the copy that is held: a 304 must not renew another one.
        if record.expires_at <= self.before
            && record.good_at == Some(Time(done.at))
            && let Some(validators) = done.validators()
        {
            self.validators.insert(done.origin.as_ref().into(), validators);
        }
        false
    }

    /// Returns the origins that expire soon, in the order of the pack.
    pub(super) fn due(&self) -> impl Iterator<Item = Target> {
        self.pack.entries().filter_map(|(origin, entry)| {
            if entry.record().expires_at > self.before {
                return None;
            }
            let origin = Origin::parse(&origin).ok()?;
            let validators = self.validators.get(origin.as_str()).cloned();
            Some(Target { origin, validators })
        })
    }
}
