//! What the paths under `/v1` answer. [`form`] has what several requests contain.

pub(crate) mod about;
pub(crate) mod agents;
pub(crate) mod automaton;
pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod explain;
#[cfg(feature = "fetch")]
pub(crate) mod fetch;
mod form;
pub(crate) mod format;
pub(crate) mod lint;
pub(crate) mod matrix;
pub(crate) mod openapi;
pub(crate) mod pack;
mod stream;
