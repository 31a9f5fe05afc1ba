//! Whether a declared rule set answers what its author expects.

pub(crate) mod expect;
pub mod reference_matcher;
