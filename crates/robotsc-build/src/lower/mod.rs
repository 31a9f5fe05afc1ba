//! From files as written to declared rule sets: names, origins, what extends what, groups and rules.

pub(crate) mod compose;
mod layer;
pub mod origin;
mod shadow;
