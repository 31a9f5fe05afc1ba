//! The text of a file, as lines and with edits, and the words of messages.

pub(crate) mod alignment;
pub(crate) mod composed;
pub(crate) mod edit;
pub(crate) mod encoding;
pub(crate) mod escapes;
pub(crate) mod hash;
pub(crate) mod hosts;
pub(crate) mod lines;
pub(crate) mod lookalike;
pub(crate) mod part;
pub(crate) mod placeholder;
pub mod words;
