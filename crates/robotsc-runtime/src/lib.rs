//! Walks compiled robots.txt programs: `no_std`, no allocation, no dependencies, no unsafe code.
//!
//! A [`Program`] answers for one set of rules, a [`Policy`] for all agents of one robots.txt. Both borrow their bytes,
//! which are in memory, in a mapped file or in the binary. The bytes can come from a hostile source:
//! [`Program::from_bytes`] checks them once. Whether it did or not, a walk reads nothing outside them, ends after a
//! number of steps that is bounded by the length of the path, and does not panic.
//!
//! Paths are [`UrlPath`], which record the form that they were normalized to; agents are [`AgentName`], checked names.
#![no_std]
#![forbid(unsafe_code)]

mod agent;
mod checksum;
mod classes;
pub mod embed;
#[doc(hidden)]
pub mod format;
mod list;
mod lookalike;
mod normalized;
mod path;
mod policy;
mod preference;
mod preference_program;
mod program;
mod rank;
mod search;
mod signs;
mod steps;
pub mod url;
mod validate;
mod verdict;
mod walk;
mod words;

pub use agent::{AgentError, AgentErrorKind, AgentMatch, AgentName};
#[doc(hidden)]
pub use agent::{AgentKey, WRITTEN_KEY, is_blank_beyond_ascii, is_token_byte, look_up, name_of_key};
#[doc(hidden)]
pub use checksum::checksum;
#[doc(hidden)]
pub use classes::{Escaped, escaped_byte, is_query_data, is_unreserved};
#[doc(hidden)]
pub use format::POLICY_MARK;
#[doc(hidden)]
pub use lookalike::latin_letter;
#[doc(hidden)]
pub use normalized::starts_with_dot_segment;
pub use path::{PathForm, PathFormError, UrlPath, UrlPathError};
pub use policy::Policy;
#[doc(hidden)]
pub use policy::{FORM_SHIFT, PARTIAL, POLICY_HEADER};
pub use preference::{Category, Preference, UseLevel};
pub use preference_program::{PathPreferences, PreferenceProgram};
pub use program::{DecidingRule, Program, ProgramError};
#[doc(hidden)]
pub use rank::Rank;
#[doc(hidden)]
pub use signs::Signs;
#[doc(hidden)]
pub use steps::State;
pub use verdict::Verdict;
