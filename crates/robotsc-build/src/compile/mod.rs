//! From a declared rule set to bytes: programs of groups and paths, tables of regular expressions, the table of places.

mod groups;
mod places;
mod prefilter;
mod set;

pub(crate) use self::groups::CompiledGroup;
pub(crate) use self::prefilter::Prefiltered;
pub use self::set::{CompileSetError, CompiledSet, Tables};
