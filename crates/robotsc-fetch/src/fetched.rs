//! What a fetch did, hop by hop, and its result.

use std::time::Duration;

use http::HeaderMap;
use robotsc_compiler::BodyKind;
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{self, BodyEnd, Caching, FetchEnd, NetworkError, Response, Time, Validators};

use crate::client::{Protocol, Timings};

/// The result of a fetch of an origin's robots.txt, with everything that led to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fetched {
    /// The origin that the file is for, wherever redirects led.
    pub origin: Origin,
    /// The requests, in order.
    pub hops: Vec<Hop>,
    /// How it ended.
    pub end: FetchEnd,
    /// The number of redirects that were followed.
    pub redirects: u8,
    /// What the last response says about caching.
    pub caching: Caching,
    /// What the last response brought to ask later whether the file changed.
    pub validators: Option<Validators>,
    /// The body, decoded; empty unless a 2xx response arrived whole, or was cut at the limit: then it is one byte
    /// longer than [`FetchLimits::body`](crate::FetchLimits::body).
    pub body: Vec<u8>,
    /// How the body ends.
    pub body_end: BodyEnd,
    /// What the body is, as `google` reads it; `None` unless a 2xx response arrived. If it is no robots.txt,
    /// [`problem`](Self::problem) says so.
    pub body_kind: Option<BodyKind>,
    /// The body as it was sent, if it had an encoding and arrived whole or cut at the limit.
    pub encoded: Option<Vec<u8>>,
    /// How the body ends that was sent: cut if not all of it was read.
    pub sent_end: BodyEnd,
    /// When it ended.
    pub at: Time,
    /// How long it took.
    pub took: Duration,
    /// What went wrong, in words, if something did; also of a response that counts, such as a page in place of the
    /// file.
    pub problem: Option<String>,
}

impl Fetched {
    /// Returns the response to [record](robotsc_frontier::frontier::Frontier::record).
    pub fn response(&self) -> Response<'_> {
        let response = match self.end {
            FetchEnd::Status(status) => Response::new(status, &self.body),
            FetchEnd::BodyBroken(status) => Response::incomplete(status),
            FetchEnd::RedirectLoop => Response::redirect_loop(),
            FetchEnd::LostRedirect => Response::lost_redirect(),
            FetchEnd::Network(error) => Response::failed(error),
        };
        response
            .with_redirects(self.redirects)
            .with_caching(self.caching)
            .with_validators(self.validators.as_ref())
            .with_challenge(self.challenge().is_some())
    }

    /// Returns the header field by which the last response says that it is a [challenge](fn@outcome::challenge) in
    /// place of the file; `None` if it does not.
    #[must_use]
    pub fn challenge(&self) -> Option<&'static str> {
        challenge(&self.hops)
    }

    /// Returns the body as it was sent, without the encoding of the transfer.
    #[must_use]
    pub fn sent_body(&self) -> &[u8] {
        self.encoded.as_ref().unwrap_or(&self.body)
    }

    /// Returns the response without its body, if the server says with it when to come back. Without its body it is not
    /// whole: an empty one would open the site where a page in place of the file is a failure.
    pub(crate) fn refusal(&self) -> Option<Response<'static>> {
        let FetchEnd::Status(status) = self.end else { return None };
        self.caching.retry_after?;
        let response = Response::incomplete(status).with_redirects(self.redirects).with_caching(self.caching);
        Some(response.with_challenge(challenge(&self.hops).is_some()))
    }

    /// Reports whether another attempt soon can succeed: the network failed, and no server said anything.
    pub(crate) fn is_transient(&self) -> bool {
        use NetworkError::{Connect, Reset, Timeout};
        matches!(self.end, FetchEnd::Network(Connect | Reset | Timeout))
    }
}

/// Returns the header field by which the last response says that it is a challenge.
pub(crate) fn challenge(hops: &[Hop]) -> Option<&'static str> {
    hops.last().and_then(|hop| outcome::challenge(hop.headers.iter()))
}

/// A request of a fetch, and how it was answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Hop {
    /// The URL, without user information.
    pub url: String,
    /// The [status](crate::ClientAnswer::status), and what the server spoke; `None` if there was no response.
    pub status: Option<(u16, Protocol)>,
    /// The header fields of the request, without `Host`.
    pub request: HeaderMap,
    /// The header fields of the response; of `Location` the URL that it leads to, without user information.
    pub headers: HeaderMap,
    /// How long the steps took.
    pub timings: Timings,
}
