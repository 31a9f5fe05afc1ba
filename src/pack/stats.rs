//! Figures of a pack.

use super::Pack;

/// Figures of a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackStats {
    /// Origins.
    pub origins: u64,
}

pub(crate) fn stats(pack: &Pack) -> PackStats {
    PackStats { origins: pack.len() }
}
