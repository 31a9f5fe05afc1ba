//! Compiles declared rule sets to static Rust matchers.
//!
//! No code that matches is generated: the text is a `static Set` of tables and programs, which
//! `robotsc_runtime::embed` walks.
//!
//! The modules are the stages: `read` (the files of a folder), `lower` (one rule set from several), `check`
//! (expectations), `compile` (programs and tables) and `generate` (Rust text). [`load`] is the first three, [`Config`]
//! is all of them.

mod check;
mod compile;
mod config;
pub mod diagnostic;
mod error;
mod generate;
#[doc(hidden)]
pub mod include;
pub mod limits;
pub mod load;
mod lower;
pub mod model;
mod normalize;
mod outputs;
mod read;
pub mod regex;

pub use check::reference_matcher;
pub use compile::{CompileSetError, CompiledSet, Tables};
pub use config::{Config, Generated};
pub use error::{Error, ErrorKind};
pub use generate::GeneratedFile;
pub use lower::origin;
pub use read::{registry, schema};
