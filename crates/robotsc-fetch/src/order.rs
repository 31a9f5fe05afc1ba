//! What one fetch requests: the robots.txt of an origin, or a page of it; under the caller's name, or under another.

use http::HeaderMap;
use http::header::{ACCEPT, HeaderValue, USER_AGENT};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{NetworkError, Validators};
use url::Url;

use crate::client::Fault;
use crate::{FetchLimits, UserAgent};

/// The bytes of a page after which reading stops. Only whether it is sent matters.
const PAGE_BYTES: usize = 16 << 10;

/// What one fetch requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order<'o> {
    /// Whose robots.txt, or whose page.
    pub(crate) origin: &'o Origin,
    /// The path of a page, in place of robots.txt.
    pub(crate) page: Option<&'o str>,
    /// With them, the request is conditional.
    pub(crate) validators: Option<&'o Validators>,
    /// The name to send in place of the caller's.
    pub(crate) name: Option<&'o UserAgent>,
    /// Whether the first request waits for its turn, as redirects do.
    pub(crate) waits: bool,
}

impl<'o> Order<'o> {
    /// Orders the robots.txt of an origin, at once.
    pub(crate) const fn of(origin: &'o Origin) -> Self {
        Self { origin, page: None, validators: None, name: None, waits: false }
    }

    /// Returns the URL that is requested first.
    pub(crate) fn url(&self) -> Result<Url, Fault> {
        let refused = |what: &str| Err(Fault::new(NetworkError::Refused, what));
        let robots = self.origin.robots_url();
        let text = match self.page {
            None => robots,
            Some(page) if page.starts_with('/') => format!("{}{page}", self.origin),
            Some(_) => return refused("the page is no path: it starts with no slash"),
        };
        let mut url = Url::parse(&text).map_err(|error| Fault::new(NetworkError::Protocol, error))?;
        url.set_fragment(None);
        if url.scheme() == "ftp" && (self.page.is_some() || self.name.is_some()) {
            return refused("FTP knows no User-Agent: only robots.txt is fetched, under the own name");
        }
        Ok(url)
    }

    /// Changes the header fields that a fetch of robots.txt sends.
    pub(crate) fn change(&self, headers: &mut HeaderMap) {
        if self.page.is_some() {
            headers.insert(ACCEPT, HeaderValue::from_static("text/html, */*;q=0.5"));
        }
        if let Some(name) = self.name {
            headers.insert(USER_AGENT, name.header().clone());
        }
    }

    /// Returns the bytes of a body after which reading stops, and those of an encoded one.
    pub(crate) fn max_bytes(&self, limits: &FetchLimits) -> (usize, usize) {
        match self.page {
            None => (limits.body, limits.encoded),
            Some(_) => (limits.body.min(PAGE_BYTES), limits.encoded.min(PAGE_BYTES)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_page_little_is_read() {
        let origin: Origin = "https://shop.example".parse().expect("an origin");
        let robots = Order::of(&origin);
        let page = Order { page: Some("/"), ..robots };
        let limits = FetchLimits::default();
        assert_eq!(robots.max_bytes(&limits), (limits.body, limits.encoded));
        assert_eq!(page.max_bytes(&limits), (16 << 10, 16 << 10));
        let low = FetchLimits { body: 100, encoded: 10, ..limits };
        assert_eq!(page.max_bytes(&low), (100, 10));
    }
}
