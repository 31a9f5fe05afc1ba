//! One request for a robots.txt file: what a client is asked, and what it answers.

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use http::{HeaderMap, Version};
use robotsc_frontier::outcome::BodyEnd;
use robotsc_frontier::outcome::NetworkError;
use url::Url;

use crate::FetchLimits;

/// Sends one request. A [`Fetcher`](crate::Fetcher) makes a fetch of it: redirects, decoding, time limits.
///
/// # What an implementation must keep
/// - It follows no redirect, sends no header that it was not given (but `Host` and what frames the message), keeps no
///   cookies, and does not decode the body.
/// - It connects to no address that its [guard](crate::AddressGuard) refuses, after the name was resolved. The fetcher
///   checks only the addresses that URLs name literally.
/// - It verifies certificates.
/// - It reports a body as whole only if the server ended it. hyper, and what is built on it, does not report that a
///   stream of HTTP/2 was reset for no error.
/// - Dropping the future ends the request.
///
/// [`HttpClient`](crate::HttpClient) keeps all of it. `examples/reqwest_client.rs` implements it with reqwest.
pub trait Client: Send + Sync + 'static {
    /// Sends a GET request and returns the response.
    ///
    /// # Errors
    /// [`Fault`] if there is no response. A body that breaks off is no fault: its [end](ClientAnswer::end) says so.
    fn get(&self, request: Request<'_>) -> impl Future<Output = Result<ClientAnswer, Fault>> + Send;

    /// Reports whether it reads `ftp` URLs, too. The fetcher asks it for no others than `http` and `https` if not.
    fn reads_ftp(&self) -> bool {
        false
    }
}

/// What a client is asked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r> {
    /// The URL: `http` or `https`, or `ftp` if the client reads it; without user information and fragment.
    pub url: &'r Url,
    /// The header fields to send.
    pub headers: &'r HeaderMap,
    /// The bytes of a body without an encoding that count. One more has to be read of a longer one, so that the parser
    /// sees that the body goes on; then reading can stop, and the end is `CutAtLimit`.
    pub max_body: usize,
    /// The bytes of an encoded body after which reading can stop.
    pub max_encoded: usize,
}

impl<'r> Request<'r> {
    /// Makes a request with the default limits, for a [`Client`] that is used alone.
    #[must_use]
    pub fn new(url: &'r Url, headers: &'r HeaderMap) -> Self {
        let limits = FetchLimits::default();
        Self { url, headers, max_body: limits.body, max_encoded: limits.encoded }
    }
}

/// What a client answers.
#[derive(Clone, Debug)]
pub struct ClientAnswer {
    /// The status; over FTP 200 for a file, and 404 for the reply 550, which says that there is none.
    pub status: u16,
    /// What the server spoke.
    pub protocol: Protocol,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body as it was sent, without the encoding of the transfer; empty if the status is not 2xx.
    pub body: Vec<u8>,
    /// How the body ends.
    pub end: BodyEnd,
    /// How long the steps took.
    pub timings: Timings,
}

/// What a server spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// HTTP, of a version.
    Http(Version),
    /// FTP, with the code of the reply that decided.
    Ftp(u32),
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(version) => write!(f, "{version:?}"),
            Self::Ftp(reply) => write!(f, "FTP {reply}"),
        }
    }
}

impl From<Version> for Protocol {
    fn from(version: Version) -> Self {
        Self::Http(version)
    }
}

/// How long the steps of a request took, as far as a client knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Resolving the name; `None` if the host is an address.
    pub dns: Option<Duration>,
    /// The address that was connected to.
    pub address: Option<SocketAddr>,
    /// Connecting by TCP.
    pub connect: Option<Duration>,
    /// Negotiating TLS; `None` without TLS.
    pub tls: Option<Duration>,
    /// From the request to the end of the head.
    pub head: Option<Duration>,
    /// Reading the body.
    pub body: Option<Duration>,
}

/// Why there is no response.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The kind.
    pub error: NetworkError,
    /// What happened, in words for a person, without the URL.
    pub what: String,
    /// The steps until then.
    pub timings: Box<Timings>,
}

impl Fault {
    /// Makes a fault of a kind.
    pub fn new(error: NetworkError, what: impl fmt::Display) -> Self {
        Self { error, what: what.to_string(), timings: Box::default() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}
