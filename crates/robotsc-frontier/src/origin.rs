//! Origins: scheme, host and port, in one canonical form; and from a URL to its origin and its path at once.
//!
//! A robots.txt speaks for one origin: `https://example.com:8443`. Two URLs are of one origin where the canonical texts are the same octets. In the canonical text:
//! - scheme and host are lower case, and a port that is the scheme's own (80, 443, 21) is left out;
//! - an internationalised name stands as punycode, an escape in a host is decoded (both as the WHATWG URL standard has them);
//! - an IPv4 address stands as four decimal numbers and an IPv6 address in its short form, in brackets; each speaks for itself only;
//! - one dot at the end of the host is dropped: `example.com.` names the same host;
//! - user information is dropped.
//!
//! Subdomains, other schemes and other ports are origins of their own. Only `http`, `https` and `ftp` have origins.
//!
//! # Where readers disagree, nobody is asked
//! Some URLs have their host at one place for one reader and elsewhere for another: `http://good\@evil/`, `http://a@b@c/`, `http://a;b/`, `http:///a`, `http:a/b`, a line break inside a host.
//! A filter that read one host and a fetcher that read the other would let through what a policy forbids. So these are errors, whatever one standard or the other
//! would make of them, under every dialect. What is left has one place where the authority ends, the first `/`, `?` or `#` behind `://`; origin and path are
//! taken from this one reading. Names that no resolver knows are errors too: empty labels, and more than [`MAX_HOST`] octets.

use std::fmt;
use std::str::FromStr;

use robotsc_compiler::UrlError;
pub use robotsc_runtime::url::{MAX_HOST, Scheme};
pub use split::{SplitUrl, path_form, split};
use url::{Host, Url};

mod split;

/// The longest authority that is looked at, in octets: no name of [`MAX_HOST`] octets needs more, with every octet escaped.
const MAX_AUTHORITY: usize = 4096;

/// A canonical origin: see the [module documentation](self).
///
/// ```
/// use robotsc_frontier::origin::Origin;
///
/// let origin: Origin = "HTTPS://B\u{fc}cher.example.:443".parse()?;
/// assert_eq!(origin.as_str(), "https://xn--bcher-kva.example");
/// assert_eq!(origin, Origin::of_url(b"https://user@xn--bcher-kva.example/a/b?c#d")?);
/// assert_eq!(origin.robots_url(), "https://xn--bcher-kva.example/robots.txt");
/// # Ok::<(), robotsc_frontier::origin::OriginError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    text: Box<str>,
}

impl Origin {
    /// The origin of a URL, which may hold any octets.
    ///
    /// Cost: linear in the part before the path; allocates the result.
    ///
    /// # Errors
    /// [`OriginError`] where the URL has no origin: see the [module documentation](self).
    ///
    /// # Panics
    /// Never, for any input.
    pub fn of_url(url: &[u8]) -> Result<Self, OriginError> {
        let (origin, _) = split::origin(url)?;
        // Canonical origins are ASCII.
        let text = String::from_utf8(origin.into_owned()).map_err(|_| OriginError(Kind::NotUtf8))?;
        Ok(Self { text: text.into() })
    }

    /// Reads an origin, canonical or not: a URL without user information, whose path is empty or `/`.
    ///
    /// # Errors
    /// [`OriginError`] where it is none, or more than that. A bare host is refused, since it does not say which scheme is meant.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn parse(text: &[u8]) -> Result<Self, OriginError> {
        let (origin, rest) = split::origin(text)?;
        if !matches!(rest, b"" | b"/") {
            return Err(OriginError(Kind::MoreThanOrigin));
        }
        let text = String::from_utf8(origin.into_owned()).map_err(|_| OriginError(Kind::NotUtf8))?;
        Ok(Self { text: text.into() })
    }

    /// Takes the canonical text from [`split`], which is ASCII.
    pub(crate) fn canonical(text: &[u8]) -> Result<Self, OriginError> {
        let text = str::from_utf8(text).map_err(|_| OriginError(Kind::NotUtf8))?;
        Ok(Self { text: text.into() })
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The canonical text's octets: the key in packs and frontiers.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The scheme.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        match self.text.as_bytes() {
            [b'f', ..] => Scheme::Ftp,
            [_, _, _, _, b's', ..] => Scheme::Https,
            _ => Scheme::Http,
        }
    }

    /// Host and port, as they stand in the text.
    fn authority(&self) -> &str {
        self.text.split_once("://").map_or("", |(_, authority)| authority)
    }

    /// The host: a name in lower case ASCII or an IP address; an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.authority();
        let end = match authority.rfind(']') {
            Some(bracket) => bracket + 1,
            None => authority.find(':').unwrap_or(authority.len()),
        };
        &authority[..end]
    }

    /// The port, the scheme's own where none is named.
    #[must_use]
    pub fn port(&self) -> u16 {
        let named = self.authority()[self.host().len()..].strip_prefix(':').and_then(|port| port.parse().ok());
        named.unwrap_or(self.scheme().default_port())
    }

    /// The URL of the origin's robots.txt.
    #[must_use]
    pub fn robots_url(&self) -> String {
        format!("{}/robots.txt", self.text)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, OriginError> {
        Self::parse(text.as_bytes())
    }
}

impl AsRef<[u8]> for Origin {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// Why a URL has no origin, or no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OriginError(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    NoScheme,
    OtherScheme,
    NoSlashes,
    NoHost,
    InAuthority(u8),
    TwoAts,
    NotUtf8,
    TooLong,
    Host(url::ParseError),
    EmptyLabel,
    MoreThanOrigin,
    Path(UrlError),
}

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Empty => f.write_str("the URL is empty"),
            Kind::NoScheme => f.write_str("no scheme: write 'https://' or 'http://' in front of the host"),
            Kind::OtherScheme => f.write_str("of this scheme no host has a robots.txt: only of http, https and ftp"),
            Kind::NoSlashes => f.write_str("no '//' after the scheme"),
            Kind::NoHost => f.write_str("no host after the scheme"),
            Kind::InAuthority(octet) => {
                write!(f, "'{}' before the path: readers disagree on where the host ends", octet.escape_ascii())
            }
            Kind::TwoAts => f.write_str("more than one '@' before the path: readers disagree on where the host starts"),
            Kind::NotUtf8 => f.write_str("the host is not UTF-8"),
            Kind::TooLong => write!(f, "the host is longer than {MAX_HOST} octets"),
            Kind::Host(error) => write!(f, "not a host: {error}"),
            Kind::EmptyLabel => f.write_str("the host has an empty label"),
            Kind::MoreThanOrigin => f.write_str("more than an origin: only scheme, host and port are wanted"),
            Kind::Path(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OriginError {}

/// The canonical text of an origin that is not plain; `authority` is all between `//` and the path.
fn canonical(scheme: Scheme, authority: &[u8]) -> Result<String, OriginError> {
    let wrong = |kind| Err(OriginError(kind));
    if authority.len() > MAX_AUTHORITY {
        return wrong(Kind::TooLong);
    }
    // White space and backslashes are mended by some readers; at a semicolon robots.cc starts the path.
    let disputed = |octet: &&u8| matches!(octet, 0..=0x20 | 0x7F | b'<' | b'>' | b'\\' | b'^' | b'|' | b';');
    if let Some(octet) = authority.iter().find(disputed) {
        return wrong(Kind::InAuthority(*octet));
    }
    let mut parts = authority.splitn(3, |octet| *octet == b'@');
    let host = match (parts.next(), parts.next(), parts.next()) {
        (_, _, Some(_)) => return wrong(Kind::TwoAts),
        (_, Some(host), _) | (Some(host), ..) => host,
        _ => return wrong(Kind::NoHost),
    };
    if matches!(host, [] | [b':', ..]) {
        return wrong(Kind::NoHost);
    }
    let Ok(host) = std::str::from_utf8(host) else { return wrong(Kind::NotUtf8) };
    let url = Url::parse(&format!("{}://{host}/", scheme.name())).map_err(|error| OriginError(Kind::Host(error)))?;
    let mut text = format!("{}://", scheme.name());
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            if name.len() > MAX_HOST {
                return wrong(Kind::TooLong);
            }
            if name.split('.').any(str::is_empty) {
                return wrong(Kind::EmptyLabel);
            }
            // What was escaped counts as what it is.
            if let Some(octet) = name.as_bytes().iter().find(disputed) {
                return wrong(Kind::InAuthority(*octet));
            }
            text.push_str(name);
        }
        Some(address) => text.push_str(&address.to_string()),
        None => return wrong(Kind::NoHost),
    }
    if let Some(port) = url.port() {
        text.push_str(&format!(":{port}"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_origins() {
        for (url, origin) in [
            ("http://example.com", "http://example.com"),
            ("HTTP://EXAMPLE.com/A", "http://example.com"),
            ("http://example.com:80/", "http://example.com"),
            ("https://example.com:443/", "https://example.com"),
            ("ftp://example.com:21/", "ftp://example.com"),
            ("http://example.com:443/", "http://example.com:443"),
            ("http://example.com:/", "http://example.com"),
            ("http://example.com:0080/", "http://example.com"),
            ("http://example.com:0/", "http://example.com:0"),
            ("http://example.com./", "http://example.com"),
            ("http://example.com.:8080/", "http://example.com:8080"),
            ("http://www.example.com/", "http://www.example.com"),
            ("http://u:p@example.com/", "http://example.com"),
            ("http://u:p%40@example.com/", "http://example.com"),
            ("http://@example.com/", "http://example.com"),
            ("http://m\u{fc}ller.example/", "http://xn--mller-kva.example"),
            ("http://M\u{dc}LLER.example/", "http://xn--mller-kva.example"),
            ("http://xn--mller-kva.example/", "http://xn--mller-kva.example"),
            ("http://XN--MLLER-KVA.example/", "http://xn--mller-kva.example"),
            ("http://m%C3%BCller.example/", "http://xn--mller-kva.example"),
            ("http://ex%61mple.com/", "http://example.com"),
            ("http://example\u{3002}com/", "http://example.com"),
            ("http://a_b.example/", "http://a_b.example"),
            ("http://a--b.example/", "http://a--b.example"),
            ("http://212.96.82.21/", "http://212.96.82.21"),
            ("http://0x7f.1/", "http://127.0.0.1"),
            ("http://127.0.0.1./", "http://127.0.0.1"),
            ("http://[0:0::1]:8080/", "http://[::1]:8080"),
            ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]"),
            ("  http://a.b\r\n", "http://a.b"),
            ("http://a?b", "http://a"),
            ("http://a#b", "http://a"),
            ("http://a#@b", "http://a"),
        ] {
            let found = Origin::of_url(url.as_bytes()).map(|origin| origin.to_string());
            assert_eq!(found.as_deref(), Ok(origin), "{url}");
            assert_eq!(origin.parse::<Origin>().map(|origin| origin.to_string()).as_deref(), Ok(origin));
        }
    }

    #[test]
    fn what_has_no_origin_is_an_error() {
        for (url, kind) in [
            ("", Kind::Empty),
            (" \n", Kind::Empty),
            ("example.com", Kind::NoScheme),
            ("example.com/http://a", Kind::NoScheme),
            ("/a", Kind::NoScheme),
            ("//example.com/a", Kind::NoScheme),
            ("ht\ntp://a/", Kind::NoScheme),
            ("mailto:a@b", Kind::OtherScheme),
            ("example.com:8080/a", Kind::OtherScheme),
            ("ws://a/", Kind::OtherScheme),
            ("file:///a", Kind::OtherScheme),
            ("javascript:alert(1)", Kind::OtherScheme),
            ("http:", Kind::NoSlashes),
            ("http:/a", Kind::NoSlashes),
            ("http:a/b", Kind::NoSlashes),
            ("http:\\\\a/b", Kind::NoSlashes),
            ("http://", Kind::NoHost),
            ("http:///a", Kind::NoHost),
            ("http://:80/", Kind::NoHost),
            ("http://u@/", Kind::NoHost),
            ("http://?a", Kind::NoHost),
            ("http://a;b/", Kind::InAuthority(b';')),
            ("http://u;p@a/", Kind::InAuthority(b';')),
            ("http://a%3Bb/", Kind::InAuthority(b';')),
            ("http://a\\b/", Kind::InAuthority(b'\\')),
            ("http://good\\@evil/", Kind::InAuthority(b'\\')),
            ("http://a\tb/", Kind::InAuthority(b'\t')),
            ("http://a\nb/", Kind::InAuthority(b'\n')),
            ("http://a b/", Kind::InAuthority(b' ')),
            ("http://user@evil@host/", Kind::TwoAts),
            ("http://a:b/", Kind::Host(url::ParseError::InvalidPort)),
            ("http://a:65536/", Kind::Host(url::ParseError::InvalidPort)),
            ("http://[::1/", Kind::Host(url::ParseError::InvalidIpv6Address)),
            ("http://1.2.3.256/", Kind::Host(url::ParseError::InvalidIpv4Address)),
            ("http://a%2Fb/", Kind::Host(url::ParseError::IdnaError)),
            ("http://a\u{ff0f}b/", Kind::Host(url::ParseError::IdnaError)),
            ("http://./", Kind::EmptyLabel),
            ("http://a../", Kind::EmptyLabel),
            ("http://a..b/", Kind::EmptyLabel),
            ("http://.a/", Kind::EmptyLabel),
        ] {
            assert_eq!(Origin::of_url(url.as_bytes()), Err(OriginError(kind)), "{url}");
        }
        assert_eq!(Origin::of_url(b"http://\xFF/"), Err(OriginError(Kind::NotUtf8)));
        for length in [MAX_HOST + 1, MAX_AUTHORITY + 1] {
            let long = format!("http://{}/", "a".repeat(length));
            assert_eq!(Origin::of_url(long.as_bytes()), Err(OriginError(Kind::TooLong)), "{length}");
        }
    }

    #[test]
    fn an_origin_is_no_more_than_that() {
        for text in ["http://a/b", "http://a?", "http://a#"] {
            assert_eq!(text.parse::<Origin>(), Err(OriginError(Kind::MoreThanOrigin)), "{text}");
        }
        assert_eq!("http://a/".parse::<Origin>().map(|origin| origin.to_string()).as_deref(), Ok("http://a"));
        let error = "example.com".parse::<Origin>().unwrap_err();
        assert_eq!(error.to_string(), "no scheme: write 'https://' or 'http://' in front of the host");
    }

    #[test]
    fn parts() {
        for (text, scheme, host, port) in [
            ("http://a.b", Scheme::Http, "a.b", 80),
            ("https://a.b:8080", Scheme::Https, "a.b", 8080),
            ("ftp://[::1]", Scheme::Ftp, "[::1]", 21),
            ("https://[::1]:1", Scheme::Https, "[::1]", 1),
        ] {
            let origin: Origin = text.parse().unwrap();
            assert_eq!((origin.scheme(), origin.host(), origin.port()), (scheme, host, port));
        }
    }
}
