//! Fetches robots.txt: one file safely, or a crawler's cache that keeps the files of many sites fresh.
//!
//! - [`Fetcher`] fetches the robots.txt of one origin, follows redirects, and reports what happened hop by hop.
//! - [`Client`] sends one request. [`HttpClient`] does it with hyper and rustls; implement the trait to use another.
//!
//! What a result means (a 404, a 503, a redirect that leads nowhere) is decided by [`robotsc_frontier::fetch`] and the
//! [dialect](robotsc_compiler::Dialect). Nothing here turns a failed fetch into "allowed".
//!
//! # What is never done
//! No cookie and no credentials are sent, a certificate that does not verify is a failure, and addresses that are not
//! public are refused at every hop ([`AddressGuard`]). URLs are reported and logged without user information.
#![forbid(unsafe_code)]

pub use addresses::AddressGuard;
pub use client::{Answer, Client, Fault, Request, Steps};
pub use connect::{Connect, Stream, TcpConnector};
pub use fetched::{Fetched, Hop};
pub use fetcher::{Fetcher, FetcherBuilder};
pub use http_client::HttpClient;
pub use limits::Limits;
pub use resolve::{Resolve, SystemResolver};
pub use user_agent::{UserAgent, UserAgentError};

mod addresses;
mod client;
mod connect;
mod fetched;
mod fetcher;
mod http_client;
mod limits;
mod metered;
mod resolve;
mod tasks;
mod tls;
mod user_agent;
