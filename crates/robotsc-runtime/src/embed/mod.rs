//! Rule sets that are compiled into the binary.
//!
//! A [`Set`] is a compiled rule set: the agents that it names, the origins that it applies to, its rules. It borrows
//! everything, so a `static` holds one without any work at start-up: no parsing, no allocation, no initialization.
//! `robotsc-build` writes such statics; a program that uses them needs only this crate.
//!
//! # How rules rank
//! The declared rules come first, in their order: the first that matches decides. If none matches, the rules of the
//! agent's groups decide as in a robots.txt, by the longest match. If none of them matches either, the path is allowed.

mod declared;
mod dfa;
mod origin;
mod places;
mod prefilter;
mod set;
mod sets;

pub use declared::{Declared, DeclaredPrefilter, DeclaredQuery, DeclaredRegex};
pub use dfa::{Dfa, DfaError};
pub use origin::{HostPattern, OriginPattern, PortPattern};
#[doc(hidden)]
pub use places::{PLACES_PER_BLOCK, place_width};
pub use places::{Places, RuleSource};
pub use prefilter::{Prefilter, PrefilterError};
pub use set::{AgentGroup, NamedAgent, NotPlain, Parts, Rules, Set, SetVerdict, program};
pub use sets::Sets;
