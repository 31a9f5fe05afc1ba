//! The files of a folder as they are written: their values, and where each value stands.

pub(crate) mod locate;
pub mod registry;
pub mod schema;
pub(crate) mod written;
