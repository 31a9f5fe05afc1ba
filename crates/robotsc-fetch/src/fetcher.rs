//! Fetches the robots.txt of one origin: follows redirects, judges each hop, decodes the body, keeps the time limit.
//!
//! ```text
//! GET https://shop.example/robots.txt      301 -> https://www.shop.example/robots.txt    judged, followed
//! GET https://www.shop.example/robots.txt  200, gzip                                     decoded
//! result: Status(200), one redirect, the body: rules of https://shop.example
//! ```
//!
//! Each way to end is one of [`FetchEnd`]. What it means is not decided here.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;
use std::time::SystemTime;

use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, HeaderName, HeaderValue, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, LOCATION, TRANSFER_ENCODING, USER_AGENT,
};
use http::{HeaderMap, Version};
use ipnet::IpNet;
use robotsc_compiler::{BodyKind, Dialect};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::coding::{self, DecodeLimits};
use robotsc_frontier::outcome::{self, BodyEnd, Caching, FetchEnd, NetworkError, Time, Validators};
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use crate::client::{Client, ClientAnswer, Fault, Protocol, Request};
use crate::fetched::{Fetched, Hop};
use crate::order::Order;
use crate::pacing::{AtOnce, Pacing};
use crate::{AddressGuard, FetchLimits, HttpClient, UserAgent};

/// The maximum number of bytes of a URL that a redirect leads to. RFC 9110 asks for at least 8,000, and it has to fit
/// in the header of a WARC record.
const MAX_URL_BYTES: usize = 8 << 10;

/// The bytes below which an encoded body that ends with the connection does not show whether it was sent whole.
const LEAST_ENCODED: usize = 4;

/// Fetches robots.txt files. Cheap to share by reference; each fetch is a connection of its own.
///
/// ```no_run
/// use robotsc::fetch::{Fetcher, UserAgent};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let fetcher = Fetcher::new(UserAgent::new("FooBot/1.0 (+https://foo.example/bot)")?);
/// let fetched = fetcher.fetch(&"https://shop.example".parse()?, None).await;
/// println!("{:?} after {} redirects, {} bytes", fetched.end, fetched.redirects, fetched.body.len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Fetcher<C = HttpClient> {
    client: C,
    guard: AddressGuard,
    limits: FetchLimits,
    headers: HeaderMap,
}

/// Makes a [`Fetcher`]: from [`Fetcher::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct FetcherBuilder {
    user_agent: UserAgent,
    allowed: Vec<IpNet>,
    limits: FetchLimits,
}

impl FetcherBuilder {
    /// Lets fetches connect to a network that is not public, too, such as `10.1.0.0/16`.
    pub fn allow_net(mut self, net: IpNet) -> Self {
        self.allowed.push(net);
        self
    }

    /// Sets the limits. One that would be none is lowered: see [`FetchLimits`].
    pub fn limits(mut self, limits: FetchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes a fetcher over [`HttpClient`].
    #[must_use]
    pub fn build(self) -> Fetcher {
        self.build_http(|client| client)
    }

    /// Makes a fetcher over an [`HttpClient`] that is changed first: another resolver, connector, or other roots.
    pub fn build_http(self, change: impl FnOnce(HttpClient) -> HttpClient) -> Fetcher {
        let client = HttpClient::new(AddressGuard::new(self.allowed.iter().copied()), self.limits);
        self.build_with(change(client))
    }

    /// Makes a fetcher over a client of the caller. Addresses that it resolves are for the client to judge: see
    /// [`Client`].
    pub fn build_with<C: Client>(self, client: C) -> Fetcher<C> {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, self.user_agent.header().clone());
        headers.insert(ACCEPT, HeaderValue::from_static("text/plain, */*;q=0.5"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, br, zstd"));
        Fetcher { client, guard: AddressGuard::new(self.allowed), limits: self.limits.clamped(), headers }
    }
}

impl Fetcher {
    /// Makes a fetcher with the default limits over [`HttpClient`].
    #[must_use]
    pub fn new(user_agent: UserAgent) -> Self {
        Self::builder(user_agent).build()
    }

    /// Returns a builder.
    pub fn builder(user_agent: UserAgent) -> FetcherBuilder {
        FetcherBuilder { user_agent, allowed: Vec::new(), limits: FetchLimits::default() }
    }
}

impl<C: Client> Fetcher<C> {
    /// Returns the limits.
    pub fn limits(&self) -> &FetchLimits {
        &self.limits
    }

    /// Reports whether the `User-Agent` has a name, in any case.
    pub(crate) fn sends_name(&self, name: &[u8]) -> bool {
        let sent = self.headers.get(USER_AGENT).map_or(&[][..], HeaderValue::as_bytes);
        !name.is_empty() && sent.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name))
    }

    /// Returns what decides which addresses are connected to.
    pub(crate) const fn guard(&self) -> &AddressGuard {
        &self.guard
    }

    /// Fetches the robots.txt of an origin. If `validators` are those of a copy that the caller holds, the request is
    /// conditional, and a 304 means that the copy is current.
    ///
    /// Every failure is a result, with its [`end`](Fetched::end). Dropping the future ends the fetch.
    ///
    /// Cost: at most [`FetchLimits::total`] of time, and of memory about [`FetchLimits::encoded`] and
    /// [`FetchLimits::body`].
    ///
    /// # Panics
    /// If it is not called from tokio, with time and I/O enabled.
    pub async fn fetch(&self, origin: &Origin, validators: Option<&Validators>) -> Fetched {
        self.fetch_paced(&Order { validators, ..Order::of(origin) }, &AtOnce).await
    }

    /// As [`fetch`](Self::fetch), with requests that wait for their turn. That time does not count.
    pub(crate) async fn fetch_paced(&self, order: &Order<'_>, pacing: &impl Pacing) -> Fetched {
        let started = Instant::now();
        let mut fetched = Fetched {
            origin: order.origin.clone(),
            hops: Vec::new(),
            end: FetchEnd::Network(NetworkError::Protocol),
            redirects: 0,
            caching: Caching::default(),
            validators: None,
            body: Vec::new(),
            body_end: BodyEnd::Whole,
            body_kind: None,
            encoded: None,
            sent_end: BodyEnd::Whole,
            at: Time::MAX,
            took: std::time::Duration::ZERO,
            problem: None,
        };
        self.follow(&mut fetched, order, started + self.limits.total, pacing).await;
        fetched.took = started.elapsed();
        fetched.at = Time::from(SystemTime::now());
        tracing::debug!(
            origin = fetched.origin.as_str(),
            page = order.page,
            end = ?fetched.end,
            redirects = fetched.redirects,
            bytes = fetched.body.len(),
            took = ?fetched.took,
            problem = fetched.problem.as_deref(),
            "fetched"
        );
        fetched
    }

    /// Sends the requests of a fetch, until one is not redirected.
    async fn follow(&self, fetched: &mut Fetched, order: &Order<'_>, mut deadline: Instant, pacing: &impl Pacing) {
        let mut url = match order.url() {
            Ok(url) => url,
            Err(fault) => return fail(fetched, fault),
        };
        let mut visited = BTreeSet::new();
        loop {
            if let Err(fault) = self.judge(&url, fetched.redirects) {
                return fail(fetched, fault);
            }
            let is_redirect = fetched.redirects > 0;
            if is_redirect || order.waits {
                let asked = Instant::now();
                if let Err(fault) = pacing.turn(&url, is_redirect).await {
                    return fail(fetched, fault);
                }
                deadline += asked.elapsed();
            }
            visited.insert(url.as_str().to_owned());
            let Step { answer, next, has_location, is_conditional } = self.ask(fetched, &url, order, deadline).await;
            let answer = match answer {
                Ok(answer) => answer,
                Err(fault) => return fail(fetched, fault),
            };
            if answer.status == 304 && !is_conditional {
                let what = "304, although the request did not ask whether the file changed";
                return fail(fetched, Fault::new(NetworkError::Protocol, what));
            }
            fetched.caching = Caching::from_headers(answer.headers.iter());
            if !outcome::is_redirect(answer.status) {
                return match order.page {
                    Some(_) => finish_page(fetched, &answer),
                    None => self.finish(fetched, answer, &url),
                };
            }
            if fetched.redirects >= self.limits.redirects {
                fetched.problem = Some(format!("more than {} redirects", self.limits.redirects));
                // After fewer than five, by a limit of the caller, the dialects take it for a failure.
                fetched.end = FetchEnd::Status(answer.status);
                return;
            }
            let Some(next) = next else {
                if has_location {
                    // The file is somewhere: only a redirect without the field can mean that there is none.
                    return fail(
                        fetched,
                        Fault::new(
                            NetworkError::Protocol,
                            "a redirect to a Location that is no URL, or a very long one",
                        ),
                    );
                }
                fetched.problem = Some("a redirect without a Location".to_owned());
                fetched.end = FetchEnd::LostRedirect;
                return;
            };
            if visited.contains(next.as_str()) {
                fetched.problem = Some("a redirect to a URL that was visited before".to_owned());
                fetched.end = FetchEnd::RedirectLoop;
                return;
            }
            fetched.redirects += 1;
            url = next;
        }
    }

    /// Sends one request of a fetch, and adds it to the hops.
    async fn ask(&self, fetched: &mut Fetched, url: &Url, order: &Order<'_>, deadline: Instant) -> Step {
        let mut sent = self.headers_for(url);
        order.change(&mut sent);
        if let Some(validators) = order.validators.filter(|validators| validators.url() == url.as_str()) {
            add_conditions(&mut sent, validators);
        }
        let (max_body, max_encoded) = order.max_bytes(&self.limits);
        let request = Request { url, headers: &sent, max_body, max_encoded };
        let answer = match timeout_at(deadline, self.client.get(request)).await {
            Ok(answer) => answer,
            Err(_) => Err(Fault::new(NetworkError::Timeout, "the fetch took longer than the time limit")),
        };
        let (status, timings) = match &answer {
            Ok(answer) => (Some((answer.status, answer.protocol)), answer.timings.clone()),
            Err(fault) => (None, (*fault.timings).clone()),
        };
        let mut headers = answer.as_ref().map(|answer| answer.headers.clone()).unwrap_or_default();
        let location = headers.remove(LOCATION);
        let next = location.as_ref().and_then(|location| target(url, location.as_bytes()));
        if let Some(next) = next.as_ref().and_then(|next| HeaderValue::from_str(next.as_str()).ok()) {
            headers.insert(LOCATION, next);
        }
        let is_conditional = sent.contains_key(IF_NONE_MATCH) || sent.contains_key(IF_MODIFIED_SINCE);
        fetched.hops.push(Hop { url: url.to_string(), status, request: sent, headers, timings });
        Step { answer, next, has_location: location.is_some(), is_conditional }
    }

    /// Returns the header fields of a request. Over FTP there are none but the name of the crawler, which logs in.
    fn headers_for(&self, url: &Url) -> HeaderMap {
        let mut headers = self.headers.clone();
        if url.scheme() == "ftp" {
            headers.remove(ACCEPT);
            headers.remove(ACCEPT_ENCODING);
        }
        headers
    }

    /// Checks the scheme of a URL, and its address if it names one. No redirect leads to FTP.
    fn judge(&self, url: &Url, redirects: u8) -> Result<(), Fault> {
        let refused = |what: fmt::Arguments<'_>| Err(Fault::new(NetworkError::Refused, what));
        match url.scheme() {
            "http" | "https" => {}
            "ftp" if redirects > 0 => return refused(format_args!("a redirect to FTP is not followed")),
            "ftp" if self.client.reads_ftp() => {}
            "ftp" => return refused(format_args!("FTP is not fetched here: it takes a build with the feature 'ftp'")),
            other => return refused(format_args!("the scheme '{other}' is not fetched: http and https are")),
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            _ => return Ok(()),
        };
        if self.guard.refuses(address) {
            return refused(format_args!(
                "{address} is not a public address: if this is meant, allow it (allow-net {address})"
            ));
        }
        Ok(())
    }

    /// Takes the last response.
    fn finish(&self, fetched: &mut Fetched, answer: ClientAnswer, url: &Url) {
        fetched.end = FetchEnd::Status(answer.status);
        if let Some(field) = fetched.challenge() {
            fetched.problem = Some(format!("a challenge in place of the file ({field})"));
        }
        if !(200..300).contains(&answer.status) {
            if answer.status == 304 {
                fetched.validators = Validators::from_headers(url.as_str(), answer.headers.iter());
            }
            return;
        }
        let (sent_end, protocol, headers) = (answer.end, answer.protocol, answer.headers);
        match self.decoded(answer.body, sent_end, protocol, &headers) {
            Ok(Decoded { body, end, encoded }) => {
                (fetched.body, fetched.body_end) = (body, end);
                (fetched.encoded, fetched.sent_end) = (encoded, sent_end);
                if sent_end == BodyEnd::Whole && fetched.encoded.is_none() {
                    // A client can read more than the limit.
                    fetched.sent_end = end;
                }
                fetched.validators = Validators::from_headers(url.as_str(), headers.iter());
                fetched.body_kind = Some(BodyKind::of(&fetched.body, &Dialect::GOOGLE));
                if let Some(kind) = fetched.body_kind.filter(|kind| !kind.is_robots()) {
                    fetched.problem.get_or_insert_with(|| format!("no robots.txt: the body is {kind}"));
                }
            }
            Err(problem) => {
                (fetched.body_end, fetched.sent_end) = (BodyEnd::Incomplete, BodyEnd::Incomplete);
                fetched.end = FetchEnd::BodyBroken(answer.status);
                fetched.problem = Some(problem);
            }
        }
    }

    /// Returns the body without its encodings; or why it does not count.
    fn decoded(
        &self,
        mut body: Vec<u8>,
        mut end: BodyEnd,
        protocol: Protocol,
        headers: &HeaderMap,
    ) -> Result<Decoded, String> {
        let broken = |problem: &str| Err(problem.to_owned());
        if end == BodyEnd::Incomplete {
            return broken("the body broke off");
        }
        let mut codings: Vec<String> = words_of(headers, &CONTENT_ENCODING).collect();
        // The encodings of the transfer are around those of the content. Chunks are the outermost, and are joined.
        let mut transfer: Vec<String> = words_of(headers, &TRANSFER_ENCODING).collect();
        transfer.pop_if(|coding| coding == "chunked");
        if transfer.iter().any(|coding| coding == "chunked") {
            return broken("the transfer is chunked inside another encoding");
        }
        codings.append(&mut transfer);
        let mut encoded = None;
        if !codings.is_empty() {
            let is_framed = headers.contains_key(CONTENT_LENGTH)
                || headers.contains_key(TRANSFER_ENCODING)
                || protocol == Protocol::Http(Version::HTTP_2);
            if body.len() < LEAST_ENCODED && !is_framed {
                return broken("the encoded body is too short to show whether it is whole");
            }
            let limits = DecodeLimits { body: self.limits.body, encoded: self.limits.encoded };
            let decoded = coding::decode_sent(&codings, &body, &limits)?;
            if !decoded.ended {
                return broken("the body cannot be decoded to its end");
            }
            encoded = Some(body);
            body = decoded.bytes;
        }
        // Text that calls itself encoded, too, and an encoding that ended where it was cut, can look whole.
        if end == BodyEnd::CutAtLimit && body.len() <= FetchLimits::default().body {
            return broken("the body was cut before the limit of the dialects");
        }
        if body.len() > self.limits.body {
            // Below the limits of the dialects, what is cut can be the part that disallows.
            if self.limits.body < FetchLimits::default().body {
                return broken("the body is longer than the limit of this fetcher");
            }
            // One byte more, by which the parser sees that the body goes on.
            body.truncate(self.limits.body + 1);
            end = BodyEnd::CutAtLimit;
        }
        Ok(Decoded { body, end, encoded })
    }
}

/// What came of one request.
struct Step {
    answer: Result<ClientAnswer, Fault>,
    /// Where a `Location` leads that can be followed.
    next: Option<Url>,
    has_location: bool,
    /// The request asked whether the file changed.
    is_conditional: bool,
}

/// A body, and what it was before.
struct Decoded {
    body: Vec<u8>,
    end: BodyEnd,
    /// The body as it was sent, if it had an encoding.
    encoded: Option<Vec<u8>>,
}

/// Returns the encodings that header fields of a name list, in the order in which they were applied.
pub(crate) fn words_of(headers: &HeaderMap, name: &HeaderName) -> impl Iterator<Item = String> {
    headers.get_all(name).iter().flat_map(|value| coding::codings(value.as_bytes()))
}

/// Takes the last response to the request of a page. Its body is not kept.
fn finish_page(fetched: &mut Fetched, answer: &ClientAnswer) {
    let is_broken = answer.end == BodyEnd::Incomplete;
    fetched.end = if is_broken { FetchEnd::BodyBroken(answer.status) } else { FetchEnd::Status(answer.status) };
    fetched.problem = is_broken.then(|| "the body broke off".to_owned());
}

/// Ends a fetch without a response.
fn fail(fetched: &mut Fetched, fault: Fault) {
    fetched.end = FetchEnd::Network(fault.error);
    fetched.caching = Caching::default();
    fetched.problem = Some(fault.what);
}

/// Asks only for a file that changed.
fn add_conditions(headers: &mut HeaderMap, validators: &Validators) {
    let fields = [(IF_NONE_MATCH, validators.etag()), (IF_MODIFIED_SINCE, validators.last_modified())];
    for (name, value) in fields {
        if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            headers.insert(name, value);
        }
    }
}

/// Returns the URL that a `Location` leads to, without user information and fragment; `None` if it is no URL, or longer
/// than [`MAX_URL_BYTES`].
fn target(base: &Url, location: &[u8]) -> Option<Url> {
    let location = str::from_utf8(location.trim_ascii()).ok().filter(|location| !location.is_empty())?;
    let mut url = base.join(location).ok().filter(|url| url.as_str().len() <= MAX_URL_BYTES)?;
    url.set_fragment(None);
    // They fail for URLs that have no host, which have no user information either.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(url)
}
