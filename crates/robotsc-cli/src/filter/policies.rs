//! What answers for an origin: a policy pack, or what a test makes up.

use robotsc::Dialect;
use robotsc::dialect::FetchRules;
use robotsc::fetch::{Site, Time};
pub(crate) use robotsc::pack::PackPolicy as Standing;
use robotsc::pack::{Pack, PackAgent, Slot};

/// Policies by origin.
///
/// Looking up goes in two steps, so that the first can be made for many origins before the second: then the memory
/// answers all of them at once.
pub(crate) trait Policies: Send + Sync + 'static {
    /// Where an origin's policy is.
    type Place: Copy;

    /// The dialect whose form paths must have.
    fn dialect(&self) -> &'static Dialect;

    /// Finds a canonical origin.
    fn find(&self, origin: &[u8]) -> Self::Place;

    /// What holds for it.
    fn standing(&self, place: Self::Place) -> Standing<'_>;
}

/// The policies of a pack for one agent, as they hold at a time.
#[derive(Debug)]
pub(crate) struct PackPolicies {
    pub(crate) pack: Pack,
    pub(crate) agent: PackAgent,
    pub(crate) now: Time,
    /// What is known of all sites.
    pub(crate) site: Site,
    /// What the dialect makes of failures.
    pub(crate) failures: FetchRules,
}

impl Policies for PackPolicies {
    type Place = Option<Slot>;

    fn dialect(&self) -> &'static Dialect {
        self.pack.dialect()
    }

    #[inline]
    fn find(&self, origin: &[u8]) -> Self::Place {
        self.pack.find(self.pack.key(origin))
    }

    #[inline]
    fn standing(&self, place: Self::Place) -> Standing<'_> {
        let Some(slot) = place else { return Standing::Unknown };
        self.pack.entry(slot).policy_at(&self.agent, &self.failures, self.site, self.now)
    }
}
