//! The entry of one origin in a pack.

use std::time::Duration;

use robotsc_compiler::Program;
use robotsc_compiler::preferences::{PreferenceProgram, WantedUse};
use robotsc_runtime::{AgentMatch, AgentName, name_of_key};

use super::decision::{AccessForUse, PackAccess};
use super::format::{NOWHERE, Section};
use super::policy::{List, PolicyRecord};
use super::reader::{Agent, Pack, PackAgent, Slot};
use super::slot::{Delay, Extra, RawSlot, SlotKind, Target};
use crate::outcome::{Access, FetchRecord, Outcome, Site, Time, UnknownReason};

/// The entry of one origin in a pack: how the last fetch ended, and the rules that are held.
#[derive(Clone, Copy, Debug)]
pub struct PackEntry<'p> {
    pack: &'p Pack,
    record: FetchRecord,
    target: Target,
    /// The delay of all agents, if the target is a program.
    delay: Delay,
}

impl Pack {
    /// Returns the entry of a canonical origin (see [`origin`](crate::origin)), or `None`.
    ///
    /// An origin that the pack does not hold is taken for one that it holds with a probability of 2^-42 (see
    /// `docs/pack-format.md`).
    ///
    /// Cost: a hash of the origin and one or two neighbouring cache lines, however many origins there are.
    #[must_use]
    #[inline]
    pub fn get(&self, origin: &[u8]) -> Option<PackEntry<'_>> {
        self.find(self.key(origin)).map(|slot| self.entry(slot))
    }

    /// Returns the entry at a slot of this pack. At a slot of another pack there is a failed fetch, and no rules:
    /// nothing is allowed.
    #[must_use]
    #[inline]
    pub fn entry(&self, slot: Slot) -> PackEntry<'_> {
        match self.slot_bytes(slot) {
            Some(bytes) => PackEntry::of_slot(self, RawSlot::read(bytes)),
            None => PackEntry::broken(self, Time::MAX),
        }
    }
}

impl Pack {
    /// Returns the part of the origins of which nothing is known at `now`, since what the pack holds
    /// [expired](crate::outcome::UnknownReason::Expired): from 0 to 1, of up to a thousand origins all over the pack.
    ///
    /// ```no_run
    /// # fn warn(pack: &robotsc::pack::Pack, now: robotsc::outcome::Time) {
    /// if pack.expired_part(now) > 0.5 {
    ///     eprintln!("most of the pack expired: fetch the files again");
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn expired_part(&self, now: Time) -> f64 {
        const LOOKED_AT: usize = 1_000;
        let slots = self.slots();
        let step = slots.len().div_ceil(LOOKED_AT).max(1);
        let (mut count, mut expired) = (0_u32, 0_u32);
        for bytes in slots.iter().step_by(step) {
            let slot = RawSlot::read(bytes);
            if slot.distance().is_some() {
                count += 1;
                let reason = PackEntry::of_slot(self, slot).unknown_reason(Site::NotKnownUp, now);
                expired += u32::from(reason == Some(UnknownReason::Expired));
            }
        }
        f64::from(expired) / f64::from(count.max(1))
    }

    /// Returns what is allowed to an agent at `now`, at the slot of an origin: nothing is known without a slot.
    ///
    /// Cost: as [`PackEntry::access_at`].
    ///
    /// # Panics
    /// Never.
    #[must_use]
    #[inline]
    pub fn access_at(&self, slot: Option<Slot>, agent: &PackAgent, site: Site, now: Time) -> PackAccess<'_> {
        match slot {
            Some(slot) => self.entry(slot).access_at(agent, site, now),
            None => PackAccess::unknown(agent.wanted),
        }
    }
}

impl<'p> PackEntry<'p> {
    /// Reads the entry of a slot, and an extra only for what the slot has no room for.
    #[inline]
    pub(crate) fn of_slot(pack: &'p Pack, slot: RawSlot) -> Self {
        let fetched_at = slot.fetched_at();
        // Altered: a failure without rules allows nothing.
        let Some(class) = pack.class(slot.class()) else { return Self::broken(pack, fetched_at) };
        let outcome = class.outcome;
        if class.kind == SlotKind::Extra {
            let Some(extra) = pack.extra(slot.place()) else { return Self::broken(pack, fetched_at) };
            let Extra { expires_at, good_at, failing_since, target, delay, .. } = extra;
            let record = FetchRecord { outcome, fetched_at, expires_at, good_at, failing_since };
            return Self { pack, record, target, delay };
        }
        let target = class.target(slot.place());
        let (good_at, failing_since) = implied(outcome, fetched_at, target != Target::Nothing);
        let expires_at = Time(fetched_at.0.saturating_add(class.lifetime));
        let record = FetchRecord { outcome, fetched_at, expires_at, good_at, failing_since };
        Self { pack, record, target, delay: class.delay }
    }

    const fn broken(pack: &'p Pack, fetched_at: Time) -> Self {
        let record = FetchRecord {
            outcome: Outcome::Unreachable,
            fetched_at,
            expires_at: fetched_at,
            good_at: None,
            failing_since: Some(fetched_at),
        };
        Self { pack, record, target: Target::Nothing, delay: Delay::NONE }
    }

    /// Returns how the last fetch ended, and when.
    #[must_use]
    #[inline]
    pub const fn record(&self) -> &FetchRecord {
        &self.record
    }

    /// Reports whether rules are held: those of the last fetch, or of a good one before failures.
    #[must_use]
    #[inline]
    pub fn has_rules(&self) -> bool {
        self.target != Target::Nothing
    }

    /// Returns the program that an agent obeys by the rules that are held.
    ///
    /// `None` if [none are held](Self::has_rules), if the agent is that of another pack, or if the bytes of the pack
    /// were altered so that there is no program: then nothing is known.
    ///
    /// Cost: reads the header of the program, and before it a policy if agents differ; in a pack for all agents a
    /// binary search among the file's tokens.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    #[inline(always)]
    pub fn program(&self, agent: &PackAgent) -> Option<Program<'p>> {
        self.program_at(self.program_place(agent)?)
    }

    /// Returns where the program is that an agent obeys. Two agents with one place obey one program.
    #[inline(always)]
    pub(crate) fn program_place(&self, agent: &PackAgent) -> Option<ProgramPlace> {
        match self.target {
            Target::Nothing => None,
            _ if !self.pack.knows(agent) => None,
            _ if agent.is_named_only && !self.names(agent) => Some(ProgramPlace::AllowAll),
            Target::Program(place) => Some(ProgramPlace::At(place)),
            Target::Policy(place) => Some(ProgramPlace::At(self.policy_entry(place, agent)?.0)),
        }
    }

    /// Returns the program at a place of this entry, unless the bytes of the pack were altered so that there is none.
    #[inline(always)]
    pub(crate) fn program_at(&self, place: ProgramPlace) -> Option<Program<'p>> {
        match place {
            ProgramPlace::AllowAll => Some(Program::allow_all(self.pack.dialect().path_form())),
            ProgramPlace::At(place) => self.pack.program_at(place),
        }
    }

    /// Returns what the rules that are held state of the use of pages to an agent, in a pack that [holds
    /// preferences](Pack::preferences); `None` if they state nothing. They say nothing of a page that the agent may not
    /// fetch.
    ///
    /// Cost: as [`program`](Self::program).
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn preferences(&self, agent: &PackAgent) -> Option<PreferenceProgram<'p>> {
        self.pack.preferences_at(self.preferences_place(agent))
    }

    /// Returns where the preferences are that are stated to an agent: [`NOWHERE`] if none are.
    pub(crate) fn preferences_place(&self, agent: &PackAgent) -> u64 {
        match self.target {
            Target::Policy(place) if self.pack.knows(agent) && (!agent.is_named_only || self.names(agent)) => {
                let policy = self.pack.record(Section::Policies, place).and_then(PolicyRecord::read);
                let number = policy.and_then(|policy| self.number(&policy, agent));
                policy.zip(number).map_or(NOWHERE, |(policy, number)| policy.preferences(number))
            }
            _ => NOWHERE,
        }
    }

    /// Returns the policy that counts for an agent at `now`: the rules, or what the dialect makes of a failed fetch,
    /// with what is known of the site.
    ///
    /// If rules are promised and the bytes of the pack were altered so that there are none, nothing is allowed.
    ///
    /// Cost: as [`program`](Self::program).
    ///
    /// # Panics
    /// Never.
    #[must_use]
    #[inline]
    pub fn access_at(&self, agent: &PackAgent, site: Site, now: Time) -> PackAccess<'p> {
        if let Some(wanted) = agent.wanted {
            return self.access_for_use(agent, wanted, site, now);
        }
        match self.record.effective_under(&self.pack.dialect().fetch, site, now).access {
            Access::Rules => self.program(agent).map_or(PackAccess::DisallowAll, PackAccess::Rules),
            Access::AllowAll => PackAccess::AllowAll,
            Access::DisallowAll => PackAccess::DisallowAll,
            Access::Unknown => PackAccess::Unknown,
        }
    }

    #[inline(never)]
    fn access_for_use(&self, agent: &PackAgent, wanted: WantedUse, site: Site, now: Time) -> PackAccess<'p> {
        let access = self.record.effective_under(&self.pack.dialect().fetch, site, now).access;
        let (place, stated) = match access {
            Access::Rules => (self.program_place(agent), self.preferences_place(agent)),
            _ => (None, NOWHERE),
        };
        self.for_use(access, place, stated, wanted)
    }

    /// Returns what is allowed for a use, from the places of a program and of preferences.
    pub(crate) fn for_use(
        &self,
        access: Access,
        place: Option<ProgramPlace>,
        stated: u64,
        wanted: WantedUse,
    ) -> PackAccess<'p> {
        let form = self.pack.dialect().path_form();
        let program = match access {
            Access::Rules => {
                let program = place.and_then(|place| self.program_at(place));
                Some(program.unwrap_or(Program::disallow_all(form)))
            }
            Access::AllowAll => Some(Program::allow_all(form)),
            Access::DisallowAll => Some(Program::disallow_all(form)),
            Access::Unknown => None,
        };
        PackAccess::ForUse(AccessForUse { program, preferences: self.pack.preferences_at(stated), wanted })
    }

    /// Returns why nothing is known at `now`, if nothing is: see [`FetchRecord::unknown_reason`].
    #[must_use]
    pub fn unknown_reason(&self, site: Site, now: Time) -> Option<UnknownReason> {
        self.record.unknown_reason(&self.pack.dialect().fetch, site, now)
    }

    /// Returns the longest crawl delay that is stated for an agent, in milliseconds rounded up, at most 49 days.
    /// Whether crawlers of the dialect obey one is
    /// [`Dialect::crawl_delay_obeyed`](robotsc_compiler::Dialect::crawl_delay_obeyed).
    #[must_use]
    pub fn crawl_delay(&self, agent: &PackAgent) -> Option<Duration> {
        let delay = match self.target {
            _ if agent.is_named_only && !self.names(agent) => Delay::NONE,
            Target::Program(_) => self.delay,
            Target::Policy(place) => self.policy_entry(place, agent)?.1,
            Target::Nothing => Delay::NONE,
        };
        (delay != Delay::NONE).then(|| Duration::from_millis(u64::from(delay.0)))
    }

    /// Returns the sitemaps of the rules that are held; none if the pack was built without.
    pub fn sitemaps(&self) -> impl Iterator<Item = &'p [u8]> + use<'p> {
        let list = self.policy().and_then(|policy| self.pack.list(policy.sitemaps));
        (0..list.map_or(0, |list| list.len())).filter_map(move |number| list?.get(number).map(|(text, _)| text))
    }

    /// Returns the product tokens that the file names, in lower case, in a pack for all agents; in other packs none.
    pub fn tokens(&self) -> impl Iterator<Item = &'p [u8]> + use<'p> {
        let list = self.policy().and_then(|policy| self.pack.list(policy.tokens));
        (0..list.map_or(0, |list| list.len())).filter_map(move |number| name_of_key(list?.get(number)?.0))
    }

    /// Returns the identity of the policy: equal for two origins of a pack if and only if their rules, delays and
    /// sitemaps are. `None` if no rules are held.
    #[must_use]
    pub fn policy_id(&self) -> Option<PolicyId> {
        self.has_rules().then_some(PolicyId(self.target, self.delay))
    }

    /// Reads the first byte of what a verdict reads, so that it is in the cache when the verdict is needed.
    #[inline]
    pub(crate) fn first_byte(&self) -> u8 {
        let record = match self.target {
            Target::Program(place) => self.pack.record(Section::Programs, place),
            Target::Policy(place) => self.pack.record(Section::Policies, place),
            Target::Nothing => None,
        };
        record.and_then(|record| record.first()).map_or(0, |byte| *byte)
    }

    pub(crate) const fn pack(&self) -> &'p Pack {
        self.pack
    }

    pub(crate) const fn target(&self) -> Target {
        self.target
    }

    pub(crate) const fn delay(&self) -> Delay {
        self.delay
    }

    fn policy(&self) -> Option<PolicyRecord<'p>> {
        match self.target {
            Target::Policy(place) => PolicyRecord::read(self.pack.record(Section::Policies, place)?),
            _ => None,
        }
    }

    /// Reports whether a group of the file names the agent, in a pack for all agents.
    fn names(&self, agent: &PackAgent) -> bool {
        let Agent::Names(names) = &agent.agent else { return false };
        let list = self.policy().and_then(|policy| self.pack.list(policy.tokens));
        list.is_some_and(|keys| find_name(&keys, names, self.pack.dialect().agent_match).is_some())
    }

    fn policy_entry(&self, place: u64, agent: &PackAgent) -> Option<(u64, Delay)> {
        let policy = PolicyRecord::read(self.pack.record(Section::Policies, place)?)?;
        if !self.pack.knows(agent) {
            return None;
        }
        policy.entry(self.number(&policy, agent)?)
    }

    /// Returns which of a policy's programs is that of an agent; `None` if the list of tokens was altered.
    #[inline]
    fn number(&self, policy: &PolicyRecord<'_>, agent: &PackAgent) -> Option<usize> {
        Some(match &agent.agent {
            Agent::Number(number) if policy.len() > 1 => *number,
            Agent::Names(names) if policy.tokens != NOWHERE => {
                let keys: List<'_> = self.pack.list(policy.tokens)?;
                find_name(&keys, names, self.pack.dialect().agent_match).unwrap_or(0) as usize
            }
            _ => 0,
        })
    }
}

/// Where the program of an agent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgramPlace {
    /// In no bytes: nothing is said to the agent.
    AllowAll,
    /// In the section of programs.
    At(u64),
}

/// Returns the number of the first name that a list of tokens has.
fn find_name(keys: &List<'_>, names: &[Vec<u8>], mode: AgentMatch) -> Option<u32> {
    names.iter().filter_map(|name| AgentName::of_group(name).ok()).find_map(|name| keys.find(name, mode))
}

/// The identity of a policy of a pack: [`PackEntry::policy_id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyId(Target, Delay);

/// A word without blanks, such as `p1a2b`: the same for equal policies of one pack, and no others.
impl std::fmt::Display for PolicyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Target::Program(place) if self.1 == Delay::NONE => write!(f, "p{place:x}"),
            Target::Program(place) => write!(f, "p{place:x}-{}ms", self.1.0),
            Target::Policy(place) => write!(f, "a{place:x}"),
            Target::Nothing => f.write_str("none"),
        }
    }
}

/// Returns what a slot without an extra means: when the rules were fetched, and since when fetches fail.
#[inline]
pub(crate) const fn implied(outcome: Outcome, fetched_at: Time, has_rules: bool) -> (Option<Time>, Option<Time>) {
    match outcome {
        Outcome::Rules if has_rules => (Some(fetched_at), None),
        _ if outcome.is_failure() => (None, Some(fetched_at)),
        _ => (None, None),
    }
}
