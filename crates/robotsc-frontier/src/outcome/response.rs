//! The response to a request for robots.txt, as a crawler saw it.

use super::{Caching, FetchEnd, FetchResult, NetworkError, Site, Time, Validators};

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
    body: &'b [u8],
}

impl<'b> Response<'b> {
    const fn ended(end: FetchEnd, body: &'b [u8]) -> Self {
        let caching = Caching { max_age: None, no_store: false, age: 0, expires: None, date: None, retry_after: None };
        Self { end, redirects: 0, caching, site: Site::NotKnownUp, validators: None, body }
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

    /// A redirect that has no `Location`, or one that is no URL.
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

    /// Reads the header fields that matter (see [`Caching::from_headers`]); all may be passed.
    pub fn with_headers<N: AsRef<[u8]>, V: AsRef<[u8]>>(self, headers: impl IntoIterator<Item = (N, V)>) -> Self {
        self.with_caching(Caching::from_headers(headers))
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

    /// Returns the result of the fetch, which ended at `at`.
    #[must_use]
    pub const fn result(&self, at: Time) -> FetchResult {
        FetchResult { end: self.end, redirects: self.redirects, caching: self.caching, at }
    }
}
