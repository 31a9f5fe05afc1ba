//! Several agents at once: an origin is looked up once, and each program is walked once.

use std::sync::Arc;

use robotsc::Dialect;
use robotsc::origin::{BatchOrigin, OriginLookup};
use robotsc::outcome::UnknownReason;
use robotsc::pack::{PackAccesses, PackAgent, PackCrawlers, Slot};

use super::answer::{Answer, Class};
use super::args::{RequireArg, WithArg};
use super::overlay::FilterOverlay;
use super::policies::{AgentAnswers, LineUrl, PackQuery, Policies, decide_by_access, under};

/// The policies of a pack for several agents.
#[derive(Debug)]
pub(crate) struct SeveralPolicies {
    pub(crate) at: PackQuery,
    pub(crate) crawlers: PackCrawlers,
    /// Whose refusal makes the one verdict of a line.
    pub(crate) require: RequireArg,
    /// Whether the answer of each agent is written, and not the one verdict alone.
    pub(crate) wants_each: bool,
    /// What else is written.
    pub(crate) with: Vec<WithArg>,
    /// For each agent the policy over all origins; empty if there is none.
    pub(crate) overlays: Vec<Arc<FilterOverlay>>,
}

/// What counts for an origin.
#[derive(Debug)]
pub(crate) struct SeveralRules<'p> {
    slot: Option<Slot>,
    accesses: PackAccesses<'p>,
    /// Whether the policy over all origins applies to this one.
    is_under_overlay: bool,
}

impl<'p> OriginLookup<'p> for SeveralPolicies {
    type Place = Option<Slot>;
    type Policy = SeveralRules<'p>;

    fn dialect(&self) -> &Dialect {
        self.at.pack.dialect()
    }

    #[inline]
    fn place(&self, origin: &[u8]) -> Option<Slot> {
        self.at.pack.find(self.at.pack.key(origin))
    }

    fn look_up(&'p self, origins: &mut [BatchOrigin<'_, Self::Place, Self::Policy>]) {
        for origin in origins {
            // The first can have one of the batch before.
            if origin.policy.is_none() {
                let accesses = self.at.pack.accesses_at(origin.place, &self.crawlers, self.at.site, self.at.now);
                let is_under_overlay = self.overlays.first().is_some_and(|overlay| overlay.applies_to(origin.name()));
                origin.policy = Some(SeveralRules { slot: origin.place, accesses, is_under_overlay });
            }
        }
    }
}

impl Policies for SeveralPolicies {
    fn decide<'p>(&'p self, held: &SeveralRules<'p>, asked: &LineUrl<'_>, each: &mut AgentAnswers) -> Answer {
        let LineUrl { url, path, .. } = *asked;
        let mut distinct = held.accesses.distinct().iter().map(|access| decide_by_access(access, path));
        if !self.wants_each && !held.is_under_overlay {
            return self.require.of(&mut distinct);
        }
        each.clear();
        each.distinct.extend(distinct);
        for crawler in 0..held.accesses.crawlers() {
            let answer = each.distinct[held.accesses.index(crawler)];
            each.answers.push(match self.overlays.get(crawler) {
                Some(overlay) if held.is_under_overlay => under(overlay, answer, url, path),
                _ => answer,
            });
        }
        let answer = self.require.of(&mut each.answers.iter().copied());
        if !self.with.is_empty() {
            self.at.facts(held.slot, self.crawlers.agents(), &self.with, each);
        }
        answer
    }

    fn unknown_reason(&self, origin: &[u8]) -> Option<UnknownReason> {
        self.at.unknown_reason(origin)
    }
}

impl PackQuery {
    /// Adds what is wanted besides verdicts.
    pub(crate) fn facts(&self, slot: Option<Slot>, agents: &[PackAgent], with: &[WithArg], each: &mut AgentAnswers) {
        let entry = slot.map(|slot| self.pack.entry(slot));
        if with.contains(&WithArg::Delay) {
            each.delays.extend(agents.iter().map(|agent| entry.and_then(|entry| entry.crawl_delay(agent))));
        }
        if with.contains(&WithArg::Reason) {
            let reason = match entry {
                Some(entry) => entry.unknown_reason(self.site, self.now),
                None => Some(UnknownReason::NotHeld),
            };
            each.unknown = reason.map(UnknownReason::name);
        }
    }
}

impl RequireArg {
    /// Returns the one answer that several amount to: of what decides it, the first.
    #[inline]
    fn of(self, answers: &mut dyn Iterator<Item = Answer>) -> Answer {
        let decisive = match self {
            Self::All => Class::Disallowed,
            Self::Any => Class::Allowed,
        };
        let mut found: Option<Answer> = None;
        for answer in answers {
            if answer.class == decisive {
                return answer;
            }
            // Unknown is neither: it has priority over the agents that agree.
            if found.is_none_or(|found| found.class != Class::Unknown && answer.class == Class::Unknown) {
                found = Some(answer);
            }
        }
        found.unwrap_or(Answer::of(Class::Unknown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_verdict_of_several() {
        use Class::{Allowed, Disallowed, Unknown};
        for (answers, all, any) in [
            (&[Allowed, Allowed][..], Allowed, Allowed),
            (&[Allowed, Disallowed], Disallowed, Allowed),
            (&[Disallowed, Disallowed], Disallowed, Disallowed),
            (&[Allowed, Unknown], Unknown, Allowed),
            (&[Unknown, Disallowed], Disallowed, Unknown),
            (&[Disallowed, Unknown], Disallowed, Unknown),
            (&[Unknown], Unknown, Unknown),
            (&[], Unknown, Unknown),
        ] {
            let of = |require: RequireArg| require.of(&mut answers.iter().map(|class| Answer::of(*class))).class;
            assert_eq!((of(RequireArg::All), of(RequireArg::Any)), (all, any), "{answers:?}");
        }
    }
}
