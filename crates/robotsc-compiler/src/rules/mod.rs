//! The rules that a crawler obeys: patterns brought to one form, ranked, and matched one by one.

pub(crate) mod escape;
pub(crate) mod glob;
pub mod notation;
pub mod pattern;
pub(crate) mod ranking;
pub mod reference;
pub mod rule_set;
mod sieve;
