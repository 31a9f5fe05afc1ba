//! What the paths under `/v1` answer. [`form`] has what several requests contain.

pub(crate) mod about;
pub(crate) mod agents;
pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod explain;
mod form;
pub(crate) mod lint;
pub(crate) mod matrix;
pub(crate) mod openapi;
