//! URLs that are normalized as they stand: one pass finds their origin and their path, both borrowed.
//!
//! Nearly every URL of a crawl is [plain](PlainUrl): `http`, `https` or `ftp`, a host name in lower case ASCII, no user
//! information, no port or one that is not the scheme's own, and a path. The canonical origin is a prefix of such a
//! URL, and every reader agrees where the host ends. Other URLs are not wrong: they need a reader that knows
//! internationalized names and IP addresses, which is out of scope for this crate.

use crate::{PathForm, UrlPath};

/// The longest host name, in bytes (RFC 1035 section 2.3.4, less the length byte and the root).
pub const MAX_HOST: usize = 253;

/// The schemes whose URLs have an origin here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// `http`, port 80.
    Http,
    /// `https`, port 443.
    Https,
    /// `ftp`, port 21.
    Ftp,
}

impl Scheme {
    /// Returns the name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ftp => "ftp",
        }
    }

    /// Returns the port that need not be named.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
            Self::Ftp => 21,
        }
    }
}

/// A URL whose origin is a prefix of it.
///
/// ```
/// use robotsc::PathForm;
/// use robotsc::url::{PlainUrl, Scheme};
///
/// let url = PlainUrl::split(b"https://shop.example:8443/cart?x=1").expect("a plain URL");
/// assert_eq!((url.scheme, url.host, url.port), (Scheme::Https, &b"shop.example"[..], Some(8443)));
/// assert_eq!((url.origin, url.path), (&b"https://shop.example:8443"[..], &b"/cart?x=1"[..]));
/// assert!(url.normalized_path(PathForm::Escaped).is_some());
/// assert_eq!(PlainUrl::split(b"https://Shop.example/cart"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlainUrl<'u> {
    /// The scheme.
    pub scheme: Scheme,
    /// The host: labels of `a-z`, `0-9` and `-`, the last of which begins with a letter; at most [`MAX_HOST`] bytes.
    pub host: &'u [u8],
    /// The port, if it is not the scheme's own.
    pub port: Option<u16>,
    /// Scheme, host and port, as they stand at the start of the URL: the canonical origin.
    pub origin: &'u [u8],
    /// All after the origin, a fragment too; `/` if nothing follows. Starts with `/`.
    pub path: &'u [u8],
}

impl<'u> PlainUrl<'u> {
    /// Splits a URL that is plain. `None` says nothing about the URL but that it is not.
    ///
    /// Where it is plain, a WHATWG parser finds the same scheme, host, port and place where the path starts, and so
    /// does robots.cc's cut.
    ///
    /// Cost: one look at each byte of scheme, host and port; none at the path. Never panics.
    #[must_use]
    #[inline]
    pub fn split(url: &'u [u8]) -> Option<Self> {
        let (scheme, start) = match url {
            [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => (Scheme::Https, 8),
            [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => (Scheme::Http, 7),
            [b'f', b't', b'p', b':', b'/', b'/', ..] => (Scheme::Ftp, 6),
            _ => return None,
        };
        let rest = url.get(start..)?;
        let length = host_length(rest)?;
        let (host, after) = rest.split_at_checked(length)?;
        let (port, port_length) = match after {
            [] | [b'/', ..] => (None, 0),
            [b':', digits @ ..] => {
                let (port, length) = plain_port(digits, scheme)?;
                (Some(port), length + 1)
            }
            _ => return None,
        };
        let (origin, path) = url.split_at_checked(start + length + port_length)?;
        let path = match path {
            [] => b"/",
            [b'/', ..] => path,
            _ => return None,
        };
        Some(Self { scheme, host, port, origin, path })
    }

    /// Returns the path if it is normalized as written: no fragment, nothing to escape, no dot segment.
    ///
    /// Cost: one look at each byte, sixteen at a time; a second one, byte by byte, if a byte such as `%` occurs.
    #[must_use]
    #[inline]
    pub fn normalized_path(&self, form: PathForm) -> Option<UrlPath<'u>> {
        form.is_normalized(self.path).then_some(UrlPath::assume(self.path, form))
    }
}

/// What a byte is in a host name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter,
    Digit,
    Hyphen,
    Dot,
    /// No byte of a plain host.
    Other,
}

const PARTS: [Part; 256] = {
    let mut parts = [Part::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        parts[byte] = match byte as u8 {
            b'a'..=b'z' => Part::Letter,
            b'0'..=b'9' => Part::Digit,
            b'-' => Part::Hyphen,
            b'.' => Part::Dot,
            _ => Part::Other,
        };
        byte += 1;
    }
    parts
};

/// Returns the bytes of the plain host name at the start of `text`.
#[inline]
fn host_length(text: &[u8]) -> Option<usize> {
    // The host starts as a label does.
    let mut before = Part::Dot;
    let mut last_label = Part::Other;
    let mut length = 0;
    for byte in text {
        let part = PARTS[usize::from(*byte)];
        match (before, part) {
            (_, Part::Other) => break,
            // An empty label; and what may be a label of an encoded name, `xn--`.
            (Part::Dot, Part::Dot) | (Part::Hyphen, Part::Hyphen) => return None,
            (Part::Dot, first) => last_label = first,
            _ => {}
        }
        before = part;
        length += 1;
    }
    // Else it ends in a dot, or may be an IP address.
    (before != Part::Dot && last_label == Part::Letter && length <= MAX_HOST).then_some(length)
}

/// Returns a port as the canonical form has it, and its bytes.
fn plain_port(digits: &[u8], scheme: Scheme) -> Option<(u16, usize)> {
    let length = digits.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let digits = digits.get(..length)?;
    if digits.first() == Some(&b'0') || !(1..=5).contains(&length) {
        return None;
    }
    let port = digits.iter().fold(0_u32, |port, digit| port * 10 + u32::from(digit - b'0'));
    let port = u16::try_from(port).ok()?;
    (port != scheme.default_port()).then_some((port, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_urls() {
        for (url, origin, path) in [
            ("http://a.b/", "http://a.b", "/"),
            ("http://a.b", "http://a.b", "/"),
            ("https://a-b.c9/x?y#z", "https://a-b.c9", "/x?y#z"),
            ("https://localhost:80/x", "https://localhost:80", "/x"),
            ("http://a.b:443/x", "http://a.b:443", "/x"),
            ("http://a.b:65535", "http://a.b:65535", "/"),
            ("ftp://9.b/x", "ftp://9.b", "/x"),
            ("http://-a-.-b.c-/", "http://-a-.-b.c-", "/"),
        ] {
            let plain = PlainUrl::split(url.as_bytes()).unwrap_or_else(|| panic!("{url}"));
            assert_eq!((plain.origin, plain.path), (origin.as_bytes(), path.as_bytes()), "{url}");
        }
    }

    #[test]
    fn others() {
        for url in [
            "",
            "http:",
            "http://",
            "http:///",
            "HTTP://a.b/",
            "ws://a.b/",
            " http://a.b/",
            "http://A.b/",
            "http://a.b./",
            "http://.a/",
            "http://a..b/",
            "http://a_b.c/",
            "http://xn--a.b/",
            "http://a.xn--b/",
            "http://1.2.3.4/",
            "http://a.1/",
            "http://a.0x1/",
            "http://a.-b/",
            "http://[::1]/",
            "http://a@b/",
            "http://a:b@c/",
            "http://a?b",
            "http://a#b",
            "http://a;b/",
            "http://a\\b/",
            "http://a b/",
            "http://a\t/",
            "http://\u{e4}.a/",
            "http://a%62/",
            "http://a:/",
            "http://a:80/",
            "http://a:080/",
            "http://a:0/",
            "http://a:65536/",
            "http://a:123456/",
            "http://a:8x/",
            "http://a:81?b",
            "https://a:443/",
            "ftp://a:21/",
        ] {
            assert_eq!(PlainUrl::split(url.as_bytes()), None, "{url}");
        }
    }

    #[test]
    fn hosts_longer_than_names_can_be_are_not_plain() {
        let mut url = [b'a'; 7 + MAX_HOST + 1];
        url[..7].copy_from_slice(b"http://");
        assert_eq!(PlainUrl::split(&url[..7 + MAX_HOST]).map(|url| url.host.len()), Some(MAX_HOST));
        assert_eq!(PlainUrl::split(&url), None);
    }
}
