//! Compiles declared rule sets to static Rust matchers.

mod compiled;
mod compose;
mod config;
pub mod diagnostic;
mod error;
mod expect;
mod form;
mod generate;
mod groups;
pub mod limits;
pub mod load;
mod locate;
mod lower;
#[doc(hidden)]
pub mod macros;
pub mod model;
pub mod origin;
mod places;
mod prefilter;
pub mod reference_matcher;
pub mod regex;
pub mod registry;
pub mod schema;
mod shadow;
mod table;
mod written;

pub use compiled::{CompileSetError, CompiledSet, Tables};
pub use config::{Config, Generated};
pub use error::Error;
pub use generate::{GeneratedFile, Shape};
