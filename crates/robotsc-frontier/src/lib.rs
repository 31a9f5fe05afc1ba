//! Keeps the robots.txt state of millions of origins: what was fetched, what counts, and the verdict for a URL.
//!
//! - [`outcome`] turns the result of a fetch into a record, and a record into what counts: pure functions of time.
//! - [`origin`] splits URLs, one or many at once, into their canonical origins and the paths that a dialect compares.
//! - [`pack`] stores the compiled policies of many origins in one mapped file.
//! - [`frontier`] answers from memory and from a pack, for many threads at once.
//! - [`schedule`] says when a cache fetches again.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod frontier;
pub mod origin;
pub mod outcome;
pub mod pack;
pub mod schedule;
