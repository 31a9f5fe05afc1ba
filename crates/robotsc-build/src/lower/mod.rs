//! From files as written to declared rule sets: names, origins, what extends what, groups and rules.

pub(crate) mod compose;
mod layer;
mod never_decides;
pub mod origin;
