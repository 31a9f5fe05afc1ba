//! The commands, a folder each.

pub(crate) mod agents;
pub(crate) mod census;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod conform;
pub(crate) mod diff;
pub(crate) mod explain;
#[cfg(feature = "fetch")]
pub(crate) mod fetch;
pub(crate) mod filter;
pub(crate) mod fmt;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod lint;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
pub(crate) mod manual;
pub(crate) mod matrix;
pub(crate) mod pack;
pub(crate) mod rules;
pub(crate) mod schema;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod set;
pub(crate) mod sites;
pub(crate) mod test;
