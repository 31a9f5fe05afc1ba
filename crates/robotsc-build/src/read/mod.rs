//! The files of a folder as they are written: their values, and where each value stands.

pub(crate) mod file;
pub(crate) mod folders;
pub(crate) mod known_names;
pub(crate) mod locate;
pub mod registry;
pub mod schema;
pub(crate) mod syntax;
pub(crate) mod written;
