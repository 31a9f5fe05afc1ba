//! Compiles declared rule sets to static Rust matchers.
