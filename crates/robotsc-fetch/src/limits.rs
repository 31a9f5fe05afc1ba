//! How long a fetch can take, and how much it can hold.

use std::time::Duration;

use robotsc_frontier::outcome::coding::DecodeLimits;

/// How long a fetch can take, and how much it can hold. All limits are on by default, and none can be turned off: a
/// fetcher lowers a time over a day to a day, bytes over 256 MiB to 256 MiB, header fields over 4,096 to 4,096.
///
/// ```
/// use std::time::Duration;
///
/// let limits = robotsc::fetch::FetchLimits { total: Duration::from_secs(10), ..Default::default() };
/// assert_eq!(limits.redirects, 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// The time for a connection of one hop: names resolved, TCP connected, TLS negotiated.
    pub connect: Duration,
    /// The time from a request to the end of the head of its response.
    pub first_byte: Duration,
    /// The time of the whole fetch, with all redirects.
    pub total: Duration,
    /// The bytes of a body, after decoding, that count. One more is kept of a longer one, so that the parser sees that
    /// it goes on, and the rest is not read. No dialect reads more than the default; under a lower limit a longer body
    /// is a failure.
    pub body: usize,
    /// The maximum number of bytes of an encoded body, and between two encodings of one. If what is read up to it does
    /// not decode to the maximum of a body that dialects read, the fetch is a failure.
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

/// The longest time that a limit can be.
const MAX_TIME: Duration = Duration::from_secs(24 * 3_600);

/// The most bytes that a limit can be: sums of a few of them fit in 32 bits.
const MAX_BYTES: usize = 256 << 20;

/// The most header fields that a limit can be: hyper has room for them before it reads any.
const MAX_FIELDS: usize = 4_096;

/// The maximum number of redirects: all dialects take one after it for the end of the chain.
pub(crate) const MAX_REDIRECTS: u8 = 5;

impl FetchLimits {
    /// Returns limits that are limits.
    pub(crate) fn clamped(self) -> Self {
        Self {
            connect: self.connect.min(MAX_TIME),
            first_byte: self.first_byte.min(MAX_TIME),
            total: self.total.min(MAX_TIME),
            body: self.body.min(MAX_BYTES),
            encoded: self.encoded.min(MAX_BYTES),
            head: self.head.min(MAX_BYTES),
            fields: self.fields.min(MAX_FIELDS),
            redirects: self.redirects.min(MAX_REDIRECTS),
            addresses: self.addresses,
        }
    }
}

impl Default for FetchLimits {
    fn default() -> Self {
        let body = DecodeLimits::default().body;
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(15),
            total: Duration::from_secs(30),
            body,
            encoded: 1 << 20,
            head: 64 << 10,
            fields: 256,
            redirects: MAX_REDIRECTS,
            addresses: 4,
        }
    }
}
