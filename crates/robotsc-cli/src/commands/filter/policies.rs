//! What answers for an origin: a policy pack, or what a test makes up.

use std::sync::Arc;

use robotsc::Dialect;
use robotsc::origin::{self, BatchOrigin};
use robotsc::outcome::{Site, Time};
use robotsc::pack::{Pack, PackAccess, PackAgent, Slot};

use super::overlay::FilterOverlay;

/// Policies that can answer for blocks.
pub(crate) trait Policies:
    for<'p> origin::OriginLookup<'p, Policy = OriginRules<'p>> + Send + Sync + 'static
{
}

impl<P: for<'p> origin::OriginLookup<'p, Policy = OriginRules<'p>> + Send + Sync + 'static> Policies for P {}

/// What counts for an origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OriginRules<'p> {
    pub(crate) policy: PackAccess<'p>,
    /// The policy over all origins, if it applies to this one.
    pub(crate) overlay: Option<&'p FilterOverlay>,
}

/// The policies of a pack for one agent, as they hold at a time.
#[derive(Debug)]
pub(crate) struct PackPolicies {
    pub(crate) pack: Pack,
    pub(crate) agent: PackAgent,
    pub(crate) now: Time,
    /// What is known of all sites.
    pub(crate) site: Site,
    /// A policy over all origins, which can only disallow more.
    pub(crate) overlay: Option<Arc<FilterOverlay>>,
}

impl<'p> origin::OriginLookup<'p> for PackPolicies {
    type Place = Option<Slot>;
    type Policy = OriginRules<'p>;

    fn dialect(&self) -> &Dialect {
        self.pack.dialect()
    }

    #[inline]
    fn place(&self, origin: &[u8]) -> Self::Place {
        self.pack.find(self.pack.key(origin))
    }

    #[inline]
    fn look_up(&'p self, origins: &mut [BatchOrigin<'_, Self::Place, OriginRules<'p>>]) {
        for origin in origins {
            let policy = self.pack.access_at(origin.place, &self.agent, self.site, self.now);
            let overlay = self.overlay.as_deref().filter(|overlay| overlay.applies_to(origin.name()));
            origin.policy = Some(OriginRules { policy, overlay });
        }
    }
}
