//! The response to a request for robots.txt, as a crawler saw it.

use robotsc_compiler::dialect::{MAX_BODY_BYTES, MAX_BYTES_PAST_LIMIT};
use robotsc_compiler::{BodyKind, Dialect};

use super::{Caching, FetchEnd, FetchResult, NetworkError, Site, Time, Validators, challenge, coding};

/// The response to a request for robots.txt, or the error in its place.
///
/// A body is passed with its status, so that the body of an error page is never taken for rules.
///
/// ```
/// use robotsc::outcome::{NetworkError, Response};
///
/// let headers = [("Cache-Control", "max-age=3600")];
/// let response = Response::new(200, b"User-agent: *\nDisallow: /cart\n").with_headers(headers);
/// let refused = Response::failed(NetworkError::Connect);
/// # let _ = (response, refused);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Response<'b> {
    end: FetchEnd,
    redirects: u8,
    caching: Caching,
    site: Site,
    validators: Option<&'b Validators>,
    framing: Framing,
    is_challenge: bool,
    body: &'b [u8],
}

impl<'b> Response<'b> {
    const fn ended(end: FetchEnd, body: &'b [u8]) -> Self {
        let caching = Caching { max_age: None, no_store: false, age: 0, expires: None, date: None, retry_after: None };
        let framing = Framing::UNKNOWN;
        let site = Site::NotKnownUp;
        Self { end, redirects: 0, caching, site, validators: None, framing, is_challenge: false, body }
    }

    /// A response that arrived whole, redirects followed.
    pub const fn new(status: u16, body: &'b [u8]) -> Self {
        Self::ended(FetchEnd::Status(status), body)
    }

    /// A response whose body broke off: a bad chunk, fewer bytes than announced, a coding that cannot be read.
    ///
    /// What arrived of the body does not count, since the missing part may be the one that disallows.
    pub const fn incomplete(status: u16) -> Self {
        Self::ended(FetchEnd::BodyBroken(status), b"")
    }

    /// A chain of redirects that returned to a URL that it had visited.
    pub const fn redirect_loop() -> Self {
        Self::ended(FetchEnd::RedirectLoop, b"")
    }

    /// A redirect that has no `Location`. For one that is no URL, say [`failed`](Self::failed) with
    /// [`NetworkError::Protocol`].
    pub const fn lost_redirect() -> Self {
        Self::ended(FetchEnd::LostRedirect, b"")
    }

    /// No response at all.
    pub const fn failed(error: NetworkError) -> Self {
        Self::ended(FetchEnd::Network(error), b"")
    }

    /// Sets the number of redirects that were followed before this response.
    pub const fn with_redirects(mut self, followed: u8) -> Self {
        self.redirects = followed;
        self
    }

    /// Reads the header fields that matter (see [`Caching::from_headers`] and [`challenge`](fn@super::challenge)); all
    /// may be passed.
    ///
    /// A body that contradicts them is a failure: it is shorter than `Content-Length`, or still coded. What a client
    /// decoded and passes under the field of the server is no contradiction. Pass the bytes as they came, not a text
    /// that was made of them.
    ///
    /// ```
    /// use robotsc::Dialect;
    /// use robotsc::outcome::{Capture, Outcome, Response, Time};
    ///
    /// let response = Response::new(200, b"\x1f\x8b\x08\0").with_headers([("Content-Encoding", "gzip")]);
    /// let capture = Capture::after(None, &response, Time(1_790_000_000), &Dialect::GOOGLE);
    /// assert_eq!(capture.record().outcome, Outcome::Unreachable);
    /// ```
    pub fn with_headers<N: AsRef<[u8]>, V: AsRef<[u8]>>(mut self, headers: impl IntoIterator<Item = (N, V)>) -> Self {
        let (mut framing, mut is_challenge) = (Framing::UNKNOWN, false);
        let fields = headers.into_iter().inspect(|(name, value)| {
            framing.read(name.as_ref(), value.as_ref());
            is_challenge |= challenge::mark(name.as_ref(), value.as_ref()).is_some();
        });
        self.caching = Caching::from_headers(fields);
        (self.framing, self.is_challenge) = (framing, is_challenge);
        self
    }

    /// Sets whether the header fields say that this is a [challenge](fn@super::challenge), if they were read before.
    pub const fn with_challenge(mut self, is_challenge: bool) -> Self {
        self.is_challenge = is_challenge;
        self
    }

    /// Reports whether the header fields say that this is a challenge in place of the file.
    pub(super) const fn is_challenge(&self) -> bool {
        self.is_challenge
    }

    /// Sets what the header fields say about caching, if they were read before.
    pub const fn with_caching(mut self, caching: Caching) -> Self {
        self.caching = caching;
        self
    }

    /// States what is known of the site from its other pages. It matters only if the fetch failed.
    pub const fn with_site(mut self, site: Site) -> Self {
        self.site = site;
        self
    }

    /// Returns what is known of the site from its other pages.
    #[must_use]
    pub const fn site(&self) -> Site {
        self.site
    }

    /// Sets what the server sent to ask later whether the file changed. It matters only if the body counts, or for a
    /// 304.
    pub const fn with_validators(mut self, validators: Option<&'b Validators>) -> Self {
        self.validators = validators;
        self
    }

    /// Returns what the server sent to ask later whether the file changed.
    pub(crate) const fn validators(&self) -> Option<&'b Validators> {
        self.validators
    }

    /// Returns the body as it arrived, whatever the status.
    pub(super) const fn body(&self) -> &'b [u8] {
        self.body
    }

    /// Returns what the body of a success is; `None` if there was no success, or if the body is not whole.
    ///
    /// Cost: parses the body.
    #[must_use]
    pub fn body_kind(&self, dialect: &Dialect) -> Option<BodyKind> {
        let is_whole = matches!(self.end, FetchEnd::Status(200..=299)) && !self.framing.is_contradicted(self.body);
        is_whole.then(|| BodyKind::of(self.body, dialect))
    }

    /// Returns the result of the fetch, which ended at `at`.
    #[must_use]
    pub fn result(&self, at: Time) -> FetchResult {
        let end = match self.end {
            FetchEnd::Status(status @ 200..=299) if self.framing.is_contradicted(self.body) => {
                FetchEnd::BodyBroken(status)
            }
            end => end,
        };
        FetchResult { end, redirects: self.redirects, caching: self.caching, at }
    }
}

/// The bytes of a body from which on a caller may have cut it: all that a dialect reads is there.
const CUT_FROM: usize = MAX_BODY_BYTES - MAX_BYTES_PAST_LIMIT;

/// What the header fields say about the bytes of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Framing {
    /// Whether a content or transfer coding is named, besides `chunked` and `identity`.
    is_coded: bool,
    length: Option<u64>,
    /// Whether there is a length that is no number, or several that differ.
    is_length_wrong: bool,
}

impl Framing {
    const UNKNOWN: Self = Self { is_coded: false, length: None, is_length_wrong: false };

    fn read(&mut self, name: &[u8], value: &[u8]) {
        let name = name.trim_ascii();
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        if is(b"content-encoding") || is(b"transfer-encoding") {
            self.is_coded |= coding::codings(value).any(|word| word != "chunked");
        } else if is(b"content-length") {
            let length = str::from_utf8(value.trim_ascii()).ok().and_then(|text| text.parse().ok());
            self.is_length_wrong |= length.is_none() || self.length.is_some() && self.length != length;
            self.length = self.length.or(length);
        }
    }

    /// Reports whether a body is not what the fields say.
    fn is_contradicted(&self, body: &[u8]) -> bool {
        if self.is_coded {
            // The length is that of the coded bytes.
            return matches!(BodyKind::of_mark(body), Some(BodyKind::Gzip | BodyKind::Zstd))
                || coding::has_controls(body);
        }
        let is_short = self.length.is_some_and(|length| length > body.len() as u64);
        body.len() < CUT_FROM && (self.is_length_wrong || is_short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_contradicts_its_header_fields_is_broken() {
        const RULES: &[u8] = b"User-agent: *\nDisallow: /\n";
        let large = vec![b'#'; CUT_FROM];
        for (headers, body, is_broken) in [
            (&[][..], RULES, false),
            (&[("Content-Length", "26")], RULES, false),
            (&[("Content-Length", "27")], RULES, true),
            (&[("content-length", "9")], RULES, false),
            (&[("Content-Length", "x")], RULES, true),
            (&[("Content-Length", "26"), ("Content-Length", "26")], RULES, false),
            (&[("Content-Length", "26"), ("Content-Length", "9")], RULES, true),
            (&[("Content-Length", "9000000")], &large, false),
            // Decoded by the client.
            (&[("Content-Encoding", "gzip"), ("Content-Length", "900")], RULES, false),
            (&[("Content-Encoding", "identity")], b"\x1f\x8b\x08\0", false),
            (&[("Content-Encoding", "gzip")], b"\x1f\x8b\x08\0", true),
            (&[("Content-Encoding", "x-gzip")], b"\x1f\x8b\x08\0", true),
            (&[("Content-Encoding", "zstd")], b"\x28\xb5\x2f\xfd\x20", true),
            (&[("Content-Encoding", "br")], b"\x1b\x0d\x01\x00\x44", true),
            (&[("Content-Encoding", "gzip")], b"\x1b\x0d\x01\x00\x44", true),
            (&[("Transfer-Encoding", "gzip, chunked")], b"\x1f\x8b\x08\0", true),
            (&[("Transfer-Encoding", "chunked")], RULES, false),
        ] {
            let response = Response::new(200, body).with_headers(headers.iter().copied());
            let end = if is_broken { FetchEnd::BodyBroken(200) } else { FetchEnd::Status(200) };
            assert_eq!(response.result(Time(9)).end, end, "{headers:?} {}", body.escape_ascii());
        }
    }
}
