//! What answers for an origin: a policy pack, or what a test makes up.

use std::sync::Arc;
use std::time::Duration;

use robotsc::Dialect;
use robotsc::origin::{self, BatchOrigin, OriginLookup};
use robotsc::outcome::{Site, Time, UnknownReason};
use robotsc::pack::{Pack, PackAccess, PackAgent, Slot};
use robotsc_runtime::UrlPath;

use super::answer::{Answer, Class};
use super::overlay::FilterOverlay;
use crate::lists::layout::Layout;

/// Policies that can answer for blocks.
pub(crate) trait Policies: for<'p> OriginLookup<'p> + Send + Sync + 'static {
    /// Decides about a URL whose origin was looked up. `each` gets what is wanted of each agent, if there are several.
    fn decide<'p>(
        &'p self,
        held: &<Self as OriginLookup<'p>>::Policy,
        asked: &LineUrl<'_>,
        each: &mut AgentAnswers,
    ) -> Answer;

    /// Returns why nothing is known of an origin, if nothing is.
    fn unknown_reason(&self, origin: &[u8]) -> Option<UnknownReason> {
        let _ = origin;
        None
    }

    /// Returns why a line is an error although it holds a URL.
    fn problem(&self, asked: &LineUrl<'_>) -> String {
        let _ = asked;
        String::new()
    }
}

/// A URL, and the line that it is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineUrl<'l> {
    pub(crate) url: &'l [u8],
    pub(crate) path: UrlPath<'l>,
    /// The line, with its end.
    pub(crate) line: &'l [u8],
    /// Where the agent is in the line, if it names one.
    pub(crate) agent: Option<Layout>,
}

/// What is said to each of several agents: kept by a worker, filled for a line.
#[derive(Debug, Default)]
pub(crate) struct AgentAnswers {
    /// The answers, in the order of the agents.
    pub(crate) answers: Vec<Answer>,
    /// The crawl delays, if they are wanted.
    pub(crate) delays: Vec<Option<Duration>>,
    /// Why nothing is known of the origin, if that is wanted and so.
    pub(crate) unknown: Option<&'static str>,
    /// The answers of accesses that differ.
    pub(crate) distinct: Vec<Answer>,
}

impl AgentAnswers {
    pub(crate) fn clear(&mut self) {
        self.answers.clear();
        self.delays.clear();
        self.distinct.clear();
        self.unknown = None;
    }
}

/// What counts for an origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OriginRules<'p> {
    pub(crate) policy: PackAccess<'p>,
    /// The policy over all origins, if it applies to this one.
    pub(crate) overlay: Option<&'p FilterOverlay>,
}

impl OriginRules<'_> {
    /// Decides about a URL.
    #[inline(always)]
    pub(crate) fn decide(&self, url: &[u8], path: UrlPath<'_>) -> Answer {
        let answer = decide_by_access(&self.policy, path);
        match self.overlay {
            Some(overlay) => under(overlay, answer, url, path),
            None => answer,
        }
    }
}

/// Decides by what an origin allows.
#[inline(always)]
pub(crate) fn decide_by_access(access: &PackAccess<'_>, path: UrlPath<'_>) -> Answer {
    match access.decide_with_refusal(path) {
        Some((verdict, deciding_rule, refusal)) => Answer { deciding_rule, refusal, ..Answer::of(verdict.into()) },
        None => Answer::of(Class::Unknown),
    }
}

/// Returns what becomes of an answer under a policy over all origins that applies to this one.
#[inline]
pub(crate) fn under(overlay: &FilterOverlay, answer: Answer, url: &[u8], path: UrlPath<'_>) -> Answer {
    // Nothing is known before robots.txt itself is fetched, so no overlay forbids it.
    let is_exempt = *path.as_bytes() == *b"/robots.txt";
    if !is_exempt && answer.class != Class::Disallowed && !overlay.allows(url, path) {
        return Answer { is_overlaid: true, ..Answer::of(Class::Disallowed) };
    }
    answer
}

/// The policies of a pack as they hold at a time.
#[derive(Clone, Debug)]
pub(crate) struct PackQuery {
    pub(crate) pack: Arc<Pack>,
    pub(crate) now: Time,
    /// What is known of all sites.
    pub(crate) site: Site,
}

impl PackQuery {
    /// Returns why nothing is known of an origin, if nothing is.
    #[cold]
    pub(crate) fn unknown_reason(&self, origin: &[u8]) -> Option<UnknownReason> {
        match self.pack.get(origin) {
            Some(entry) => entry.unknown_reason(self.site, self.now),
            None => Some(UnknownReason::NotHeld),
        }
    }
}

/// The policies of a pack for one agent.
#[derive(Debug)]
pub(crate) struct PackPolicies {
    pub(crate) at: PackQuery,
    pub(crate) agent: PackAgent,
    /// A policy over all origins, which can only disallow more.
    pub(crate) overlay: Option<Arc<FilterOverlay>>,
}

impl Policies for PackPolicies {
    #[inline(always)]
    fn decide<'p>(&'p self, held: &OriginRules<'p>, asked: &LineUrl<'_>, _: &mut AgentAnswers) -> Answer {
        held.decide(asked.url, asked.path)
    }

    fn unknown_reason(&self, origin: &[u8]) -> Option<UnknownReason> {
        self.at.unknown_reason(origin)
    }
}

impl<'p> origin::OriginLookup<'p> for PackPolicies {
    type Place = Option<Slot>;
    type Policy = OriginRules<'p>;

    fn dialect(&self) -> &Dialect {
        self.at.pack.dialect()
    }

    #[inline]
    fn place(&self, origin: &[u8]) -> Self::Place {
        self.at.pack.find(self.at.pack.key(origin))
    }

    #[inline]
    fn look_up(&'p self, origins: &mut [BatchOrigin<'_, Self::Place, OriginRules<'p>>]) {
        for origin in origins {
            let policy = self.at.pack.access_at(origin.place, &self.agent, self.at.site, self.at.now);
            let overlay = self.overlay.as_deref().filter(|overlay| overlay.applies_to(origin.name()));
            origin.policy = Some(OriginRules { policy, overlay });
        }
    }
}
