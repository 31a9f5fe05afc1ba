//! What the command line says: the options that several commands share, and what they mean.

pub(crate) mod config;
pub(crate) mod crawlers;
pub(crate) mod edit;
pub(crate) mod help;
pub(crate) mod network;
#[cfg(test)]
mod option_names;
pub(crate) mod options;
pub(crate) mod rule_sets;
pub(crate) mod time;
pub(crate) mod uses;
