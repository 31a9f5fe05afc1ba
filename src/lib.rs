//! Compiles robots.txt to small automata and answers "may my agent fetch this URL?" by walking them.
#![forbid(unsafe_code)]

pub use robotsc_compiler::*;
