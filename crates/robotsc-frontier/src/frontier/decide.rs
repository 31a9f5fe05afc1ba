//! Verdicts: from rules in memory, from programs, from what a fetch ended with, from an overlay.

use std::sync::{Arc, PoisonError};

use robotsc_compiler::{Compiler, Program, UrlPath, Verdict};

use super::answer::{FrontierVerdict, Reason};
use super::counters::Atomics;
use super::held::{Held, Parsed, Rules};
use super::{Found, Frontier};
use crate::origin::SplitUrl;
use crate::outcome::{Access, Site, Time};
use crate::pack::{PackAccess, PackEntry};

/// A [`Check`] without the origin that it may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    Allowed,
    Disallowed(Reason),
    Unknown,
}

impl Decided {
    pub(super) const fn by_rules(verdict: Verdict) -> Self {
        if verdict.is_allow() { Self::Allowed } else { Self::Disallowed(Reason::Rules) }
    }

    pub(super) const fn verdict(self) -> FrontierVerdict {
        match self {
            Self::Allowed => FrontierVerdict::Allowed,
            Self::Disallowed(_) => FrontierVerdict::Disallowed,
            Self::Unknown => FrontierVerdict::Unknown,
        }
    }
}

impl Frontier {
    /// Reports whether a URL is allowed whatever is known: nothing is known before robots.txt itself is fetched.
    pub(super) fn is_exempt(&self, url: &SplitUrl<'_>) -> bool {
        url.is_robots_txt() && !self.robots_txt_by_rules
    }

    /// Returns which policy counts for an origin.
    pub(super) fn effective(&self, found: &Found<'_>, now: Time) -> Access {
        match found {
            Found::Memory(held) => held.record.effective_under(&self.dialect.fetch, held.site, now).access,
            Found::Pack(entry) => entry.record().effective_under(&self.dialect.fetch, Site::NotKnownUp, now).access,
            Found::Nothing => Access::Unknown,
        }
    }

    /// Decides about a URL of an origin that was found.
    #[inline]
    pub(super) fn decide(&self, found: &Found<'_>, url: &SplitUrl<'_>, now: Time) -> Decided {
        // Nothing else can be known before it is fetched, so no overlay forbids it.
        if self.is_exempt(url) {
            return Decided::Allowed;
        }
        let decided = self.decide_without_overlay(found, url, now);
        match &self.overlay {
            Some(overlay) if !matches!(decided, Decided::Disallowed(_)) && !overlay(url).is_allow() => {
                Decided::Disallowed(Reason::Overlay)
            }
            _ => decided,
        }
    }

    fn decide_without_overlay(&self, found: &Found<'_>, url: &SplitUrl<'_>, now: Time) -> Decided {
        match found {
            Found::Memory(held) => self.decide_in_memory(held, url.path.as_path(), now),
            Found::Pack(entry) => self.decide_in_pack(entry, url.path.as_path(), now),
            Found::Nothing => Decided::Unknown,
        }
    }

    fn decide_in_pack(&self, entry: &PackEntry<'_>, path: UrlPath<'_>, now: Time) -> Decided {
        let Some((_, agent)) = &self.pack else { return Decided::Unknown };
        let policy = entry.access_at(agent, Site::NotKnownUp, now);
        match (policy.decide_by_rules(path), policy) {
            (None, _) => Decided::Unknown,
            (Some((verdict, _)), PackAccess::Rules(_)) => Decided::by_rules(verdict),
            (Some((Verdict::Allow, _)), _) => Decided::Allowed,
            (Some(_), _) => Decided::Disallowed(Reason::Fetch(entry.record().outcome)),
        }
    }

    fn decide_in_memory(&self, held: &Arc<Held>, path: UrlPath<'_>, now: Time) -> Decided {
        let by_fetch = Decided::Disallowed(Reason::Fetch(held.record.outcome));
        match held.record.effective_under(&self.dialect.fetch, held.site, now).access {
            // If rules are promised and there are none, the bytes of the pack were altered.
            Access::Rules => self.verdict_of(held, path).map_or(by_fetch, Decided::by_rules),
            Access::AllowAll => Decided::Allowed,
            Access::DisallowAll => by_fetch,
            Access::Unknown => Decided::Unknown,
        }
    }

    /// Returns the verdict of the rules that are held; `None` if there are none.
    #[inline]
    fn verdict_of(&self, held: &Arc<Held>, path: UrlPath<'_>) -> Option<Verdict> {
        held.mark();
        // A path of another form is never asked about; were it, nothing would be known.
        match &held.rules {
            Rules::Nothing => None,
            Rules::InPack(slot) => {
                let (pack, agent) = self.pack.as_ref()?;
                pack.entry(*slot).program(agent)?.verdict(path).ok()
            }
            Rules::Compiled(_, program) => Program::from_trusted(program).ok()?.verdict(path).ok(),
            Rules::TooMany(parsed) => parsed.rules.verdict(path).ok(),
            Rules::Listed(parsed) => {
                if held.is_asked_often(1, self.compile_after) {
                    self.compile(held, parsed);
                }
                parsed.rules.verdict(path).ok()
            }
        }
    }

    /// Returns the line of the rule that decides, if one does and it is known.
    pub(super) fn line(&self, found: &Found<'_>, path: UrlPath<'_>) -> Option<u32> {
        let decides = if let Found::Memory(held) = found
            && let Some(parsed) = held.rules.parsed()
        {
            parsed.rules.deciding_rule(path)
        } else {
            self.packed_program(found)?.deciding_rule(path)
        };
        decides.ok()?.filter(|rule| !rule.is_empty_line()).map(|rule| rule.line)
    }

    /// Returns the entry of the pack that holds the rules of an origin.
    pub(super) fn packed_copy<'f>(&'f self, found: &Found<'f>) -> Option<PackEntry<'f>> {
        match found {
            Found::Pack(entry) => Some(*entry),
            Found::Memory(held) => match held.rules {
                Rules::InPack(slot) => Some(self.pack.as_ref()?.0.entry(slot)),
                _ => None,
            },
            Found::Nothing => None,
        }
    }

    #[inline]
    fn packed_program<'f>(&'f self, found: &Found<'f>) -> Option<Program<'f>> {
        self.packed_copy(found)?.program(&self.pack.as_ref()?.1)
    }

    /// Replaces listed rules by a program.
    #[cold]
    fn compile(&self, held: &Arc<Held>, parsed: &Arc<Parsed>) {
        let rules = match Compiler::new().compile(&parsed.rules) {
            Ok(compiled) => Rules::Compiled(Arc::clone(parsed), compiled.into_bytes().into()),
            Err(_) => Rules::TooMany(Arc::clone(parsed)),
        };
        let validators = held.validators.clone();
        let compiled = Held::new(&held.origin, held.record, held.site, rules).with_validators(validators);
        let compiled = Arc::new(compiled);
        let hash = self.hash(&held.origin);
        let mut shard = self.shard(hash).write().unwrap_or_else(PoisonError::into_inner);
        if let Some(evicted) = shard.replace(hash, held, compiled, self.budget()) {
            Atomics::count(&self.counters.compiled, 1);
            Atomics::count(&self.counters.evicted, evicted);
        }
    }
}
