//! What answers for an origin: a policy pack, or what a test makes up.

use robotsc::fetch::{FetchPolicy, Force, Site, Time};
use robotsc::pack::{Pack, PackAgent, Slot};
use robotsc::{Dialect, Program};

/// What holds for an origin at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Standing<'p> {
    /// The rules decide.
    Rules(Program<'p>),
    /// All is allowed.
    AllowAll,
    /// All is disallowed.
    DisallowAll,
    /// Nothing is known.
    Unknown,
}

/// Policies by origin.
///
/// Looking up goes in two steps, so that the first can be made for many origins before the second: then the memory answers all of them at once.
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
    /// What the dialect makes of failures.
    pub(crate) failures: FetchPolicy,
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
        let entry = self.pack.entry(slot);
        match entry.record().in_force_under(self.failures, Site::NotKnownUp, self.now).policy {
            // Rules are promised; where they are not there, the pack's octets were altered.
            Force::Rules => entry.program(&self.agent).map_or(Standing::DisallowAll, Standing::Rules),
            Force::AllowAll => Standing::AllowAll,
            Force::DisallowAll => Standing::DisallowAll,
            Force::Unknown => Standing::Unknown,
        }
    }
}
