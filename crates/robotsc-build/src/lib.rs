//! Compiles declared rule sets to static Rust matchers.

pub mod model;
pub mod origin;
pub mod registry;
