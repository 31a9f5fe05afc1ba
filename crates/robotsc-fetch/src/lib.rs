//! Fetches robots.txt: one file safely, or a crawler's cache that keeps the files of many sites fresh.
//!
//! - [`RobotsCache`] is for authors of crawlers: `check(url).await` answers from memory, and fetches what is missing.
//! - [`Fetcher`] fetches the robots.txt of one origin, follows redirects, and reports what happened hop by hop.
//! - [`Bulk`] fetches those of many origins, with few requests at a time to one site.
//! - [`WarcWriter`] keeps fetches in a file that packs are built of.
//! - [`Client`] sends one request. [`HttpClient`] does it with hyper and rustls; implement the trait to use another.
//!
//! The feature `ftp` adds `HttpClient::with_ftp`, which reads `ftp://host/robots.txt`, too.
//!
//! What a result means (a 404, a 503, a redirect that leads nowhere) is decided by [`robotsc_frontier::outcome`] and
//! the [dialect](robotsc_compiler::Dialect). Nothing here turns a failed fetch into "allowed".
//!
//! ```no_run
//! use robotsc::fetch::{RobotsCache, UserAgent};
//! use robotsc::frontier::Check;
//!
//! # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
//! let user_agent = UserAgent::new("FooBot/1.0 (+https://foo.example/bot)")?;
//! let cache = RobotsCache::for_agent("FooBot", user_agent)?;
//! match cache.check("https://shop.example/cart").await? {
//!     Check::Allowed => println!("fetch it"),
//!     Check::Disallowed(reason) => println!("skip it: {reason:?}"),
//!     Check::Unknown(origin) => println!("try again at {:?}", cache.retry_at(&origin)),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What is never done
//! No cookie and no credentials are sent, a certificate that does not verify is a failure, and addresses that are not
//! public are refused at every hop ([`AddressGuard`]). URLs are reported and logged without user information.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use addresses::AddressGuard;
pub use bulk::{Bulk, BulkLimits, FetchedPage, Target, Underway, Visit, Visited};
pub use cache::{CacheBuilder, CacheCounters, CacheError, RobotsCache};
pub use cached_resolver::CachedResolver;
pub use client::{Client, ClientAnswer, Fault, Protocol, Request, Timings};
pub use connect::{Connect, Stream, TcpConnector};
pub use fetched::{Fetched, Hop};
pub use fetcher::{Fetcher, FetcherBuilder};
pub use future::BoxFuture;
pub use hosts::{Hosts, HostsError};
pub use http_client::HttpClient;
pub use ipnet::IpNet;
pub use limits::FetchLimits;
pub use proxy::{ProxyConnector, ProxyError};
pub use resolve::{Resolve, SystemResolver};
pub use robotsc_frontier::outcome::BodyEnd;
pub use user_agent::{UserAgent, UserAgentError};
pub use warc::WarcWriter;

mod addresses;
mod bulk;
mod cache;
mod cached_resolver;
mod client;
mod connect;
mod fetched;
mod fetcher;
#[cfg(feature = "ftp")]
mod ftp;
mod future;
mod hosts;
mod http_client;
mod limits;
mod metered;
mod order;
mod pacing;
mod proxy;
mod resolve;
mod tasks;
mod tls;
mod user_agent;
mod warc;
