//! From files as written to declared rule sets: names, origins, what extends what, groups and rules.

pub(crate) mod compose;
mod denial;
mod layer;
pub(crate) mod never_decides;
pub mod origin;
mod robots;
