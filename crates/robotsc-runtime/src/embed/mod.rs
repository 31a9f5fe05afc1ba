//! Rule sets that lie in the binary: what generated code is made of, and what an in-memory engine borrows.
//!
//! A [`Set`] is a declared rule set, compiled: who it names, where it applies, what it answers. All of it is borrowed, so that a `static` holds one without any work at
//! start-up: no parsing, no allocation, no initialisation. `robotsc-build` writes such statics; a program that uses them needs this crate and nothing else.
//!
//! # How rules rank
//! The declared rules come first, in their order: the first that matches decides. Where none does, the rules of the agent's groups decide as in a robots.txt, by the
//! longest match. Where none of them matches either, the path is allowed.

#[doc(hidden)]
pub mod code;
mod declared;
mod dfa;
mod origin;
mod places;
mod prefilter;
mod set;
mod sets;

pub use declared::{Declared, DeclaredPaths, DeclaredPrefilter, DeclaredQuery, DeclaredRegex};
pub use dfa::{Dfa, DfaError};
pub use origin::{HostPattern, OriginPattern, PortPattern};
#[doc(hidden)]
pub use places::{PLACES_PER_BLOCK, place_width};
pub use places::{Places, RuleSource};
pub use prefilter::{Prefilter, PrefilterError};
pub use set::{Agent, Group, Matcher, NotPlain, Parts, Rules, Set, SetVerdict, program};
pub use sets::Sets;
