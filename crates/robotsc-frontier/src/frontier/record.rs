//! New states of an origin: what a fetch brought replaces what is older, and never what is newer.
//!
//! For example, a 500 after rules keeps the rules and their time, a 304 renews them, and an answer of yesterday that
//! arrives today changes nothing. What was known before is [`Before`].

use std::sync::{Arc, PoisonError};

use robotsc_compiler::{BodyKind, RobotsTxt};

use super::counters::Atomics;
use super::held::{Held, Parsed, Rules};
use super::{Found, Frontier};
use crate::origin::Origin;
use crate::outcome::{Capture, FetchRecord, Outcome, Response, Site, Time, Validators};
use crate::pack::Slot;

impl Frontier {
    /// Records the response to a request for an origin's robots.txt, which arrived at `now`: pages of errors, and no
    /// response at all, too.
    ///
    /// Returns the record that is kept from here on, or `None` if something newer is known: then nothing changes. Newer
    /// can be what is held, what the pack holds, and what was dropped: the newest times of that are kept, some hundred
    /// thousand in the default budget. After a dropped state, failures never open the origin: it can have had rules.
    ///
    /// The body counts only if the outcome is rules. A failed fetch keeps the rules that are known, for the time that
    /// the dialect gives them. A 304 renews the rules that are held; if none are, the origin stays unknown. So send
    /// `If-None-Match` and `If-Modified-Since` only if the [record](Self::fetch_record) has a
    /// [`good_at`](FetchRecord::good_at).
    ///
    /// What is older than what is held never replaces it. If a clock was wrong, and what is held is from the future,
    /// nothing is known of the origin ([`Future`](crate::outcome::UnknownReason::Future)), and nothing is recorded
    /// until then: see [`forget`](Self::forget).
    ///
    /// Cost: parses the body if it counts; compiles nothing.
    ///
    /// # Panics
    /// Never.
    pub fn record(&self, origin: &Origin, response: &Response<'_>, now: Time) -> Option<FetchRecord> {
        // Whether the body counts does not depend on what was known before. It is parsed before any lock is taken.
        let alone = Capture::after(None, response, now, &self.dialect);
        let parsed = alone.body().map(|body| self.parse(body));
        let is_other = match &parsed {
            Some((_, kind)) => !kind.is_robots(),
            None => response.body_kind(&self.dialect).is_some_and(|kind| !kind.is_robots()),
        };
        Atomics::count(&self.counters.other_bodies, u64::from(is_other));
        self.insert(
            origin,
            |known| known <= now,
            |before| {
                let capture = Capture::after(before.found.record(), response, now, &self.dialect);
                let mut record = *capture.record();
                let rules = match (capture.body(), parsed) {
                    (Some(_), Some((parsed, _))) => Rules::Listed(Arc::new(parsed)),
                    (Some(body), None) => Rules::Listed(Arc::new(self.parse(body).0)),
                    (None, _) => before.kept_rules(&mut record),
                };
                let sent = response.validators().filter(|_| record.outcome == Outcome::Rules).cloned().map(Arc::new);
                let validators = if capture.body().is_some() { sent } else { before.validators(&record, &rules, sent) };
                Held::new(origin.as_bytes(), record, response.site(), rules).with_validators(validators)
            },
        )
    }

    /// Restores a state that was stored earlier, as if it had been recorded then. Returns `false` if something newer is
    /// known, or if the capture was made under another dialect: then nothing changes. A failure keeps a good copy that
    /// is known and newer than its own.
    ///
    /// Cost: parses the body; compiles nothing.
    pub fn restore(&self, origin: &Origin, capture: &Capture<'_>) -> bool {
        if !capture.is_of(&self.dialect) {
            return false;
        }
        let mut record = *capture.record();
        let rules = capture.body().map(|body| Rules::Listed(Arc::new(self.parse(body).0)));
        let inserted = self.insert(
            origin,
            |known| known <= capture.record().fetched_at,
            |before| {
                let has_newer = record.outcome.is_failure() && before.good_at() > record.good_at;
                let rules = rules.filter(|_| !has_newer).unwrap_or_else(|| before.kept_rules(&mut record));
                Held::new(origin.as_bytes(), record, Site::NotKnownUp, rules)
            },
        );
        inserted.is_some()
    }

    /// Replaces the state of an origin by what `make` returns for it, unless a state is known from a time that the new
    /// one may not replace.
    fn insert(
        &self,
        origin: &Origin,
        may_replace: impl FnOnce(Time) -> bool,
        make: impl FnOnce(&Before<'_>) -> Held,
    ) -> Option<FetchRecord> {
        let (hash, slot) = (self.hash(origin.as_bytes()), self.slot(origin.as_bytes()));
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        let slot_now = slot.filter(|slot| !self.forgotten.holds(*slot));
        let packed = slot_now.and_then(|slot| Some(self.pack.as_ref()?.0.entry(slot).record().fetched_at));
        let known = shard.fetched_at(hash, origin.as_bytes()).max(packed);
        if known.is_some_and(|known| !may_replace(known)) {
            return None;
        }
        let found = self.find_in(&shard, hash, origin.as_bytes(), slot);
        let dropped = known.filter(|_| matches!(found, Found::Nothing));
        let held = make(&Before { found, slot, dropped });
        let record = held.record;
        if let Some(slot) = slot {
            self.outdated.insert(slot);
        }
        let evicted = shard.insert(hash, Arc::new(held), self.budget());
        drop(shard);
        Atomics::count(&self.counters.inserted, 1);
        Atomics::count(&self.counters.evicted, evicted);
        Some(record)
    }

    /// Forgets an origin: what is held in memory, and what the pack holds of it. It is unknown from here on, and what
    /// is recorded next counts whatever its time is. Returns `false` if nothing was known.
    ///
    /// This is for an operator who knows better, such as after a clock that was wrong. A pack brings the origin back
    /// when a frontier is made with it again.
    pub fn forget(&self, origin: &Origin) -> bool {
        let (hash, slot) = (self.hash(origin.as_bytes()), self.slot(origin.as_bytes()));
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        let packed = slot.filter(|slot| !self.outdated.holds(*slot));
        if let Some(slot) = slot {
            self.outdated.insert(slot);
            self.forgotten.insert(slot);
        }
        shard.forget(hash, origin.as_bytes()) | packed.is_some()
    }

    /// Parses a robots.txt, for what it says to the crawler. Returns what the body is, too.
    fn parse(&self, body: &[u8]) -> (Parsed, BodyKind) {
        let robots = RobotsTxt::parse_with(body, &self.dialect);
        let selection = robots.select(&self.crawler);
        let parsed = Parsed {
            rules: robots.rule_set_of(&selection),
            crawl_delay: robots.crawl_delays(&selection).max(),
            sitemaps: robots.sitemaps().into_iter().map(Box::from).collect(),
        };
        (parsed, robots.body_kind())
    }
}

/// What was known of an origin before a new state.
struct Before<'f> {
    found: Found<'f>,
    slot: Option<Slot>,
    /// When the state was fetched that was dropped, if there was one and it is not known any more.
    dropped: Option<Time>,
}

impl Before<'_> {
    /// Returns when the good copy was fetched that is held.
    fn good_at(&self) -> Option<Time> {
        self.found.record().and_then(|record| record.good_at)
    }

    /// Returns the validators of the copy that is kept: those of a 304, else those from before.
    fn validators(
        &self,
        record: &FetchRecord,
        rules: &Rules,
        sent: Option<Arc<Validators>>,
    ) -> Option<Arc<Validators>> {
        match &self.found {
            Found::Memory(held) if held.record.good_at == record.good_at && rules.parsed().is_some() => {
                sent.or_else(|| held.validators.clone())
            }
            _ => None,
        }
    }

    /// Returns the rules that go on counting under a record that brought none: those of the same good copy.
    ///
    /// A state that was dropped can have had a good copy. So failures after it never count as those of a site without:
    /// when the copy would count, nothing is allowed. And a 304 says nothing, since the copy is gone.
    fn kept_rules(&self, record: &mut FetchRecord) -> Rules {
        if record.outcome.is_failure() {
            record.good_at = record.good_at.max(self.good_at()).max(self.dropped);
        }
        let rules = match &self.found {
            _ if record.good_at.is_none() => Rules::Nothing,
            Found::Memory(held) if held.record.good_at == record.good_at => held.rules.clone(),
            Found::Pack(entry) if entry.record().good_at == record.good_at && entry.has_rules() => {
                self.slot.map_or(Rules::Nothing, Rules::InPack)
            }
            _ => Rules::Nothing,
        };
        if record.outcome == Outcome::Rules && matches!(rules, Rules::Nothing) {
            *record = record.without_copy();
        }
        rules
    }
}
