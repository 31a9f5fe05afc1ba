//! What the fuzz targets hold to be true of any input. Each target is one function here; it panics where something is
//! not true.
//!
//! - [`analysis`]: for any two files, findings are of the file, fixes settle, and safe ones change no verdict; what
//!   differs, and why a URL is allowed, is what the reference matcher says;
//! - [`captures`]: any bytes are read to an end as a source of captures;
//! - [`parse`]: any bytes parse under every dialect, and every span lies in the body;
//! - [`compile_walk`]: for any body and path, every engine answers as the reference does, whole or cut in parts;
//! - [`format`]: any body means the same after it is formatted or minified, and a second run changes nothing;
//! - [`program_bytes`]: any bytes are refused as a program or walk to an end;
//! - [`embed_bytes`]: any bytes are refused as a table of an embedded rule set or walk to an end;
//! - [`pack`]: any bytes are refused as a policy pack or can be read;
//! - [`origin`]: any bytes are refused as a URL, or give an origin and a path that every reader finds;
//! - [`rule_sets`]: any text is refused as a file of rule sets, or what it declares is compiled and answers as its
//!   reference matcher does;
//! - [`url_intake`]: any bytes are refused as a URL or give a path.
//!
//! `.ci/fuzz` runs each of them, with its seeds and its dictionary.
#![forbid(unsafe_code)]

mod analysis;
mod captures;
mod compile_walk;
mod embed_bytes;
mod format;
mod meaning;
mod origin;
mod pack;
mod parse;
mod program_bytes;
mod rule_sets;
mod url_intake;

pub use analysis::analysis;
pub use captures::captures;
pub use compile_walk::compile_walk;
pub use embed_bytes::embed_bytes;
pub use format::format;
pub use origin::origin;
pub use pack::pack;
pub use parse::parse;
pub use program_bytes::program_bytes;
pub use rule_sets::rule_sets;
pub use url_intake::url_intake;

/// Splits a body from what follows a line of three hyphens.
fn split(data: &[u8]) -> (&[u8], &[u8]) {
    const MARK: &[u8] = b"\n---\n";
    match data.windows(MARK.len()).position(|window| window == MARK) {
        Some(at) => (&data[..at + 1], &data[at + MARK.len()..]),
        None => (data, b"/"),
    }
}
