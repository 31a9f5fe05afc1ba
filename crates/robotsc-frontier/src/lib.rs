//! Keeps the robots.txt state of millions of origins: what was fetched, which policy is effective, and the verdict for
//! a URL.
//!
//! - [`fetch`] turns the result of a fetch into a record, and a record into the effective policy: pure functions of
//!   time.
//! - [`origin`] splits a URL into its canonical origin and the path that a dialect compares.
//! - [`pack`] stores the compiled policies of many origins in one mapped file.
//! - [`frontier`] answers from memory and from a pack, for many threads at once.
//! - [`batch`] splits many URLs and looks their origins up together.

pub mod batch;
pub mod fetch;
pub mod frontier;
pub mod origin;
pub mod pack;
