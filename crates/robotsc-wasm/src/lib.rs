//! robots.txt answers over a plain C interface, for WebAssembly.
//!
//! The package `robotsc` for JavaScript is a thin shell over it, and any other host of WebAssembly can call it.
//!
//! # How to call
//! - Bytes are an address and a length. The caller gets memory from `robotsc_alloc`, and returns it to `robotsc_free`
//!   with the same length.
//! - A file, a crawler, a matcher and a program are objects. A call returns the address of one, which belongs to the
//!   caller until `robotsc_drop`. An object of another kind than a call expects is an error.
//! - A call that can fail takes the address of a `Reply`, fills it, and returns a number. If it is negative, it is
//!   a `Mistake`, and the reply holds the message as UTF-8. Otherwise the reply holds what the call answers: bytes,
//!   which the caller frees, or the address of an object.
//! - All modules but `page` use SIMD of 128 bits, and all use bulk memory; a host without it cannot start them.
//! - There is no other state: calls on two instances, or on objects of one instance, do not affect each other.
//! - A panic or an allocation that fails stops the instance (a trap). It answers nothing then; discard it.
//!
//! # Features
//! Without features, the module validates programs and walks them. `matching` parses, asks and compiles, `analysis`
//! explains, lints, compares and formats. `cache` knows sites, for a crawler that fetches. `page` answers the
//! requests of the HTTP API, for the page as files.
#![deny(unsafe_code)]

#[cfg(feature = "analysis")]
mod analysis;
#[cfg(feature = "cache")]
mod cache;
#[cfg(feature = "matching")]
mod crawler;
mod exports;
#[cfg(feature = "matching")]
mod matching;
mod memory;
mod mistake;
mod object;
#[cfg(feature = "page")]
mod page;
mod programs;
#[cfg(feature = "cache")]
mod sites;
#[cfg(feature = "cache")]
mod words;
