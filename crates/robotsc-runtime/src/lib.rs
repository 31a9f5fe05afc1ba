//! Walks compiled robots.txt programs: `no_std`, no allocation, no dependencies, no unsafe code.
#![no_std]
#![forbid(unsafe_code)]

mod verdict;

pub use verdict::Verdict;
mod policy;
mod program;

pub use policy::Policy;
pub use program::{Program, ProgramError, Winner};
