//! Walks compiled robots.txt programs: `no_std`, no allocation, no dependencies, no unsafe code.
//!
//! A [`Program`] answers for one set of rules, a [`Policy`] for all agents of one robots.txt. Both borrow their bytes, which may lie in memory, in a mapped file or
//! in the binary, and both may come from a hostile source: [`Program::from_bytes`] checks them once, and after it (in fact even without it) a walk
//! reads nothing outside them, ends after as many steps as the path has octets, up to a constant, and does not panic.
#![no_std]
#![forbid(unsafe_code)]

mod checksum;
pub mod embed;
#[doc(hidden)]
pub mod format;
mod list;
mod octets;
mod policy;
mod program;
mod search;
pub mod url;
mod validate;
mod verdict;
mod walk;

#[doc(hidden)]
pub use checksum::checksum;
pub use policy::Policy;
#[doc(hidden)]
pub use policy::{PARTIAL, POLICY_HEADER, POLICY_MARK};
pub use program::{Program, ProgramError, Winner};
pub use verdict::Verdict;
