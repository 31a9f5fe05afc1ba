//! `--refresh`: the origins of a pack that expire soon, with what the log knows to ask whether they changed.

use std::collections::HashMap;
use std::time::Duration;

use robotsc::fetch::Target;
use robotsc::origin::Origin;
use robotsc::outcome::{FetchRecord, Time, Validators};
use robotsc::pack::Pack;

use super::log::Done;

/// The origins of a pack that are to be asked again.
pub(super) struct Refresh {
    pack: Pack,
    now: Time,
    /// What expires before this is asked.
    before: Time,
    /// The validators of the copies that the pack holds.
    validators: HashMap<Box<str>, Validators>,
}

/// Reports whether a pack holds a fetch of the log, or a later one.
pub(super) fn holds(pack: &Pack, done: &Done<'_>) -> bool {
    pack.get(done.origin.as_bytes()).is_some_and(|entry| entry.record().fetched_at.0 >= done.at)
}

impl Refresh {
    pub(super) fn new(pack: Pack, now: Time, within: Duration) -> Self {
        let within = u32::try_from(within.as_secs()).unwrap_or(u32::MAX);
        Self { pack, now, before: Time(now.0.saturating_add(within)), validators: HashMap::new() }
    }

    /// Takes a fetch of the log. Returns `true` if it is newer than what the pack holds, and the end of this run adds
    /// it to the pack: then the origin is not asked again. `is_here` says whether the WARC file of this run has it. If
    /// an earlier one has it, and its run was killed before the pack was updated, nothing would ever add it.
    pub(super) fn learn(&mut self, done: &Done<'_>, is_here: bool) -> bool {
        let entry = self.pack.get(done.origin.as_bytes()).filter(|_| holds(&self.pack, done));
        let Some(record) = entry.map(|entry| *entry.record()) else { return is_here };
        // Only of the copy that is held: a 304 must not renew another one.
        if self.is_due(&record)
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
            if !self.is_due(entry.record()) {
                return None;
            }
            let origin = Origin::parse(&origin).ok()?;
            let validators = self.validators.get(origin.as_str()).cloned();
            Some(Target { origin, validators })
        })
    }

    /// Reports whether an origin is asked again. What a failure has is the time of the next attempt, such as that of
    /// its `Retry-After`: it is not asked before.
    fn is_due(&self, record: &FetchRecord) -> bool {
        record.expires_at <= if record.failing_since.is_some() { self.now } else { self.before }
    }
}
