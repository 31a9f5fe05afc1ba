//! How long a fetch can take, and how much it can hold.

use std::time::Duration;

/// How long a fetch can take, and how much it can hold. All limits are on by default.
///
/// ```
/// use std::time::Duration;
///
/// let limits = robotsc_fetch::Limits { total: Duration::from_secs(10), ..Default::default() };
/// assert_eq!(limits.redirects, 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time for a connection of one hop: names resolved, TCP connected, TLS negotiated.
    pub connect: Duration,
    /// The time from a request to the end of the head of its response.
    pub first_byte: Duration,
    /// The time of the whole fetch, with all redirects.
    pub total: Duration,
    /// The maximum number of bytes of a body after decoding. A longer one is cut, and the rest is not read. No dialect
    /// reads more than the default; under a lower limit a longer body is a failure.
    pub body: usize,
    /// The maximum number of bytes of an encoded body, and between two encodings of one.
    pub encoded: usize,
    /// The maximum number of bytes of a response's head.
    pub head: usize,
    /// The maximum number of header fields of a response. HTTP/2 bounds them by their bytes alone.
    pub fields: usize,
    /// The maximum number of redirects that are followed: at most 5, after which all dialects take a redirect for a
    /// missing file. Under a lower limit it is a failure.
    pub redirects: u8,
    /// The maximum number of addresses of a host that are tried.
    pub addresses: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let archives = robotsc_sources::Limits::default();
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(15),
            total: Duration::from_secs(30),
            body: archives.body,
            encoded: archives.encoded,
            head: archives.head,
            fields: 256,
            redirects: archives.hops,
            addresses: 4,
        }
    }
}
