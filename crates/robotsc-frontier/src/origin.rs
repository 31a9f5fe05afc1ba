//! Origins: scheme, host and port, in one canonical form; and from a URL to its origin and its path at once.
//!
//! A robots.txt applies to one origin: `https://example.com:8443`. Two URLs have the same origin if their canonical
//! texts are the same bytes. In the canonical text:
//! - scheme and host are lower case, and a port that is the scheme's own (80, 443, 21) is omitted;
//! - an internationalized name is punycode, and an escape in a host is decoded (both as in the WHATWG URL standard);
//! - an IPv4 address is four decimal numbers, an IPv6 address has its short form, in brackets; each is an origin of its
//!   own;
//! - one dot at the end of the host is dropped: `example.com.` names the same host;
//! - user information is dropped.
//!
//! Subdomains, other schemes and other ports are origins of their own. Only `http`, `https` and `ftp` have origins.
//!
//! # Where readers disagree, no host is chosen
//! Some URLs have their host at one place for one reader and elsewhere for another: `http://a@b@c/`, `http://a;b/`,
//! `http:///a`, `http:a/b`. A filter that read one host and a fetcher that read the other would let through what a
//! policy forbids. So these are errors under every dialect. Names that no resolver knows are errors too: empty labels,
//! and more than [`MAX_HOST`] bytes.

use std::fmt;
use std::str::FromStr;

pub use batch::{BATCH_URLS, Batch, BatchOrigin, BatchUrl, OriginLookup};
use robotsc_compiler::UrlError;
pub use robotsc_runtime::url::{MAX_HOST, Scheme};
pub(crate) use split::ROBOTS_TXT;
pub use split::{SplitUrl, split};
use url::{Host, Url};

mod batch;
mod split;

/// The longest host that is read, in bytes: no name of [`MAX_HOST`] bytes needs more, with every byte escaped.
const MAX_HOST_TEXT: usize = 4096;

/// A canonical origin: see the [module documentation](self).
///
/// ```
/// use robotsc::origin::Origin;
///
/// let origin: Origin = "HTTPS://B\u{fc}cher.example.:443".parse()?;
/// assert_eq!(origin.as_str(), "https://xn--bcher-kva.example");
/// assert_eq!(origin, Origin::of_url(b"https://user@xn--bcher-kva.example/a/b?c#d")?);
/// assert_eq!(origin.robots_url(), "https://xn--bcher-kva.example/robots.txt");
/// # Ok::<(), robotsc::origin::OriginError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    text: Box<str>,
}

impl Origin {
    /// Returns the origin of a URL, which can hold any bytes.
    ///
    /// Cost: linear in the part before the path; allocates the result.
    ///
    /// # Errors
    /// [`OriginError`] if the URL has no origin: see the [module documentation](self).
    ///
    /// # Panics
    /// Never, for any input.
    pub fn of_url(url: &[u8]) -> Result<Self, OriginError> {
        Ok(Self { text: split::origin(url)?.into() })
    }

    /// Reads an origin, canonical or not: a URL without user information, whose path is empty or `/`.
    ///
    /// # Errors
    /// [`OriginError`] if it is no origin, or more than one. A bare host is refused, since its scheme is unknown.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn parse(text: &[u8]) -> Result<Self, OriginError> {
        let text = text.trim_ascii();
        let origin = split::origin(text)?;
        // After the host there is nothing, or the path `/`.
        let rest = text.splitn(2, |byte| *byte == b':').nth(1).and_then(|rest| rest.strip_prefix(b"//"));
        let is_origin = rest.is_some_and(|rest| {
            let end = rest.iter().position(|byte| matches!(byte, b'/' | b'\\' | b'?' | b'#')).unwrap_or(rest.len());
            matches!(&rest[end..], b"" | b"/") && !rest.contains(&b'@')
        });
        if !is_origin {
            return Err(OriginError(OriginErrorKind::MoreThanOrigin));
        }
        Ok(Self { text: origin.into() })
    }

    /// Takes the canonical text from [`split`], which is ASCII.
    pub(crate) fn canonical(text: &[u8]) -> Result<Self, OriginError> {
        let text = str::from_utf8(text).map_err(|_| OriginError(OriginErrorKind::NotUtf8))?;
        Ok(Self { text: text.into() })
    }

    /// Returns the canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the bytes of the canonical text: the key in packs and frontiers.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Returns the scheme.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        match self.text.as_bytes() {
            [b'f', ..] => Scheme::Ftp,
            [_, _, _, _, b's', ..] => Scheme::Https,
            _ => Scheme::Http,
        }
    }

    /// Returns host and port, as written in the text.
    fn authority(&self) -> &str {
        self.text.split_once("://").map_or("", |(_, authority)| authority)
    }

    /// Returns the host: a name in lower case ASCII or an IP address; an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.authority();
        let end = match authority.rfind(']') {
            Some(bracket) => bracket + 1,
            None => authority.find(':').unwrap_or(authority.len()),
        };
        &authority[..end]
    }

    /// Returns the port; that of the scheme if the text has none.
    #[must_use]
    pub fn port(&self) -> u16 {
        let named = self.authority()[self.host().len()..].strip_prefix(':').and_then(|port| port.parse().ok());
        named.unwrap_or(self.scheme().default_port())
    }

    /// Returns the URL of the origin's robots.txt.
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct OriginError(OriginErrorKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OriginErrorKind {
    Url(UrlError),
    Path,
    InHost(u8),
    NotUtf8,
    TooLong,
    Host(url::ParseError),
    EmptyLabel,
    MoreThanOrigin,
}

/// Writes the message too: a `main` that returns the error prints nothing else.
impl fmt::Debug for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OriginError").field(&format_args!("{self}")).finish()
    }
}

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            OriginErrorKind::Path => {
                f.write_str("a path alone has no origin: write 'https://' or 'http://' and the host before it")
            }
            OriginErrorKind::Url(error) => error.fmt(f),
            OriginErrorKind::InHost(byte) => {
                write!(f, "'{}' in the host: readers disagree on where it ends", byte.escape_ascii())
            }
            OriginErrorKind::NotUtf8 => f.write_str("the host is not UTF-8"),
            OriginErrorKind::TooLong => write!(f, "the host is longer than {MAX_HOST} bytes"),
            OriginErrorKind::Host(error) => write!(f, "not a host: {error}"),
            OriginErrorKind::EmptyLabel => f.write_str("the host has an empty label: remove the extra dot"),
            OriginErrorKind::MoreThanOrigin => f.write_str("more than an origin: write scheme, host and port only"),
        }
    }
}

impl std::error::Error for OriginError {}

/// Returns the canonical text of an origin, from its parts as written.
fn canonical(scheme: Scheme, host: &[u8], port: Option<u16>) -> Result<String, OriginError> {
    let wrong = |kind| Err(OriginError(kind));
    if host.len() > MAX_HOST_TEXT {
        return wrong(OriginErrorKind::TooLong);
    }
    let Ok(host) = std::str::from_utf8(host) else { return wrong(OriginErrorKind::NotUtf8) };
    let url = Url::parse(&format!("{}://{host}/", scheme.name()))
        .map_err(|error| OriginError(OriginErrorKind::Host(error)))?;
    let mut text = format!("{}://", scheme.name());
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            if name.len() > MAX_HOST {
                return wrong(OriginErrorKind::TooLong);
            }
            if name.split('.').any(str::is_empty) {
                return wrong(OriginErrorKind::EmptyLabel);
            }
            // An escaped byte counts as the byte.
            let disputed = |byte: &&u8| matches!(byte, 0..=0x20 | 0x7F | b'<' | b'>' | b'\\' | b'^' | b'|' | b';');
            if let Some(byte) = name.as_bytes().iter().find(disputed) {
                return wrong(OriginErrorKind::InHost(*byte));
            }
            text.push_str(name);
        }
        Some(address) => text.push_str(&address.to_string()),
        None => return wrong(OriginErrorKind::EmptyLabel),
    }
    if let Some(port) = port {
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
            ("http://a\\b/", "http://a"),
            ("http://good\\@evil/", "http://good"),
            ("http://a\tb/", "http://ab"),
            ("ht\ntp://a/", "http://a"),
        ] {
            let found = Origin::of_url(url.as_bytes()).map(|origin| origin.to_string());
            assert_eq!(found.as_deref(), Ok(origin), "{url}");
            assert_eq!(origin.parse::<Origin>().map(|origin| origin.to_string()).as_deref(), Ok(origin));
        }
    }

    #[test]
    fn what_has_no_origin_is_an_error() {
        for (url, message) in [
            ("", "the URL is empty"),
            (" \n", "the URL is empty"),
            ("example.com", "neither a URL nor a path"),
            ("example.com/http://a", "neither a URL nor a path"),
            ("/a", "a path alone has no origin"),
            ("//example.com/a", "no scheme before"),
            ("mailto:a@b", "http, https and ftp URLs only"),
            ("example.com:8080/a", "neither a URL nor a path"),
            ("ws://a/", "http, https and ftp URLs only"),
            ("file:///a", "http, https and ftp URLs only"),
            ("javascript:alert(1)", "http, https and ftp URLs only"),
            ("http:", "no '//'"),
            ("http:/a", "no '//'"),
            ("http:a/b", "no '//'"),
            ("http:\\\\a/b", "no '//'"),
            ("http://", "no host"),
            ("http:///a", "no host"),
            ("http://:80/", "no host"),
            ("http://u@/", "no host"),
            ("http://?a", "no host"),
            ("http://a;b/", "';'"),
            ("http://u;p@a/", "';'"),
            ("http://a%3Bb/", "';'"),
            ("http://a b/", "' '"),
            ("http://user@evil@host/", "two '@'"),
            ("http://a:b/", "the port is not a number"),
            ("http://a:65536/", "the port is not a number"),
            ("http://[::1/", "not an IPv6 address"),
            ("http://1.2.3.256/", "not a host"),
            ("http://a%2Fb/", "not a host"),
            ("http://a\u{ff0f}b/", "not a host"),
            ("http://./", "an empty label"),
            ("http://a../", "an empty label"),
            ("http://a..b/", "an empty label"),
            ("http://.a/", "an empty label"),
        ] {
            let error = Origin::of_url(url.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{url}: {error}");
        }
        assert_eq!(Origin::of_url(b"http://\xFF/").unwrap_err().to_string(), "the host is not UTF-8");
        for length in [MAX_HOST + 1, MAX_HOST_TEXT + 1] {
            let long = format!("http://{}/", "a".repeat(length));
            let error = Origin::of_url(long.as_bytes()).unwrap_err().to_string();
            assert_eq!(error, OriginError(OriginErrorKind::TooLong).to_string(), "{length}");
        }
    }

    #[test]
    fn an_origin_is_no_more_than_that() {
        for text in ["http://a/b", "http://a?", "http://a#"] {
            assert_eq!(text.parse::<Origin>(), Err(OriginError(OriginErrorKind::MoreThanOrigin)), "{text}");
        }
        assert_eq!("http://a/".parse::<Origin>().map(|origin| origin.to_string()).as_deref(), Ok("http://a"));
        let error = "example.com".parse::<Origin>().unwrap_err().to_string();
        assert!(error.contains("write 'https://' or 'http://' before the host"), "{error}");
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
