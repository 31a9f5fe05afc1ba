//! URLs that are already as they should be: their origin and their path are found in one pass, and borrowed.
//!
//! Nearly every URL of a frontier is [plain](PlainUrl): `http`, `https` or `ftp`, a host name in lower case ASCII, no user information, no port or one that is not the
//! scheme's own, and a path. Of such a URL the canonical origin is a prefix, and every reader agrees on where the host ends. What is not plain is not
//! wrong: it wants a reader that knows internationalised names, IP addresses and the rest, which is no matter of this crate.

/// The longest host name, in octets (RFC 1035 section 2.3.4, less the length octet and the root).
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
    /// The name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ftp => "ftp",
        }
    }

    /// The port that need not be named.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
            Self::Ftp => 21,
        }
    }
}

/// The forms that dialects compare paths in: what a path must not hold to be in that form as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathForm {
    /// Octets from 0x80 are escaped, hex digits of escapes in upper case: `google`, `google-2017`, `google-2019`.
    Escaped,
    /// The canonical form of RFC 9309.
    Canonical {
        /// Whether escapes of reserved bytes in the query are decoded: so in `rfc9309`.
        query_reserved: bool,
    },
}

/// A URL whose origin is a prefix of it.
///
/// ```
/// use robotsc_runtime::url::{PathForm, PlainUrl, Scheme};
///
/// let url = PlainUrl::split(b"https://shop.example:8443/cart?x=1").expect("a plain URL");
/// assert_eq!((url.scheme, url.host, url.port), (Scheme::Https, &b"shop.example"[..], Some(8443)));
/// assert_eq!((url.origin, url.path), (&b"https://shop.example:8443"[..], &b"/cart?x=1"[..]));
/// assert!(url.path_is_plain(PathForm::Escaped));
/// assert_eq!(PlainUrl::split(b"https://Shop.example/cart"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlainUrl<'u> {
    /// The scheme.
    pub scheme: Scheme,
    /// The host: labels of `a-z`, `0-9` and `-`, the last of which begins with a letter; at most [`MAX_HOST`] octets.
    pub host: &'u [u8],
    /// The port, where it is not the scheme's own.
    pub port: Option<u16>,
    /// Scheme, host and port, as they stand at the start of the URL: the canonical origin.
    pub origin: &'u [u8],
    /// All behind the origin, any fragment included; `/` where nothing is. Starts with `/`.
    pub path: &'u [u8],
}

impl<'u> PlainUrl<'u> {
    /// Splits a URL that is plain. `None` says nothing about the URL but that it is not.
    ///
    /// Where it is plain, a WHATWG parser finds the same scheme, host, port and place where the path starts, and so does robots.cc's cut.
    ///
    /// Cost: one look at each octet of scheme, host and port; none at the path. Never panics.
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
        let (host, behind) = rest.split_at_checked(length)?;
        let (port, port_length) = match behind {
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

    /// Whether the path is, as it stands, what the intake of a dialect with this form gives: without fragment, nothing to escape, nothing to trim.
    ///
    /// Cost: one look at each octet, sixteen together. `false` may be said of a path that would stay as it is.
    #[must_use]
    #[inline]
    pub fn path_is_plain(&self, form: PathForm) -> bool {
        let is_trimmed = !matches!(self.path, [.., 0..=0x20]);
        is_trimmed
            && match form {
                PathForm::Escaped => !any_octet(self.path, is_sign),
                // A path without any escape has none of a reserved byte in its query.
                PathForm::Canonical { .. } => !any_octet(self.path, changes),
            }
    }
}

/// What an octet is in a host name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter,
    Digit,
    Hyphen,
    Dot,
    /// No octet of a plain host.
    Other,
}

const PARTS: [Part; 256] = {
    let mut parts = [Part::Other; 256];
    let mut octet = 0;
    while octet < 256 {
        parts[octet] = match octet as u8 {
            b'a'..=b'z' => Part::Letter,
            b'0'..=b'9' => Part::Digit,
            b'-' => Part::Hyphen,
            b'.' => Part::Dot,
            _ => Part::Other,
        };
        octet += 1;
    }
    parts
};

/// The octets of the plain host name at the start of `text`.
#[inline]
fn host_length(text: &[u8]) -> Option<usize> {
    // The host starts as a label does.
    let mut before = Part::Dot;
    let mut last_label = Part::Other;
    let mut length = 0;
    for octet in text {
        let part = PARTS[usize::from(*octet)];
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

/// A port as the canonical form has it, and its octets.
fn plain_port(digits: &[u8], scheme: Scheme) -> Option<(u16, usize)> {
    let length = digits.iter().take(6).take_while(|octet| octet.is_ascii_digit()).count();
    let digits = digits.get(..length)?;
    if digits.first() == Some(&b'0') || !(1..=5).contains(&length) {
        return None;
    }
    let port = digits.iter().fold(0_u32, |port, digit| port * 10 + u32::from(digit - b'0'));
    let port = u16::try_from(port).ok()?;
    (port != scheme.default_port()).then_some((port, length))
}

/// Whether `wanted` holds for any octet of `text`. Without a branch in the loop, so that sixteen octets are looked at together.
#[inline]
fn any_octet(text: &[u8], wanted: impl Fn(u8) -> bool) -> bool {
    let Some(last) = text.last_chunk::<16>() else { return text.iter().any(|&octet| wanted(octet)) };
    let mut seen = [false; 16];
    let (chunks, _) = text.as_chunks::<16>();
    for chunk in chunks.iter().chain([last]) {
        for (seen, octet) in seen.iter_mut().zip(chunk) {
            *seen |= wanted(*octet);
        }
    }
    seen.contains(&true)
}

/// A `#`, a `%` or an octet from 0x80; `!` and `'` are taken for them, so that one comparison finds all four.
#[inline]
const fn is_sign(octet: u8) -> bool {
    (octet | 6 == b'#' | 6) | !octet.is_ascii()
}

/// What the canonical form changes wherever it stands in a path: controls, space, ``"$%*<>\^`{|}`` and octets from 0x80; and `#`.
#[inline]
const fn changes(octet: u8) -> bool {
    (octet <= b' ')
        | (octet.wrapping_sub(b'"') <= b'%' - b'"')
        | (octet == b'*')
        | (octet | 2 == b'>')
        | (octet | 2 == b'^')
        | (octet == b'`')
        | ((octet >= b'{') & (octet != b'~'))
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

    #[test]
    fn paths_in_their_form() {
        let is_plain = |path: &str, form| {
            let mut url = [0; 64];
            url[..8].copy_from_slice(b"http://a");
            url[8..8 + path.len()].copy_from_slice(path.as_bytes());
            PlainUrl::split(&url[..8 + path.len()]).expect("plain").path_is_plain(form)
        };
        let all = [
            PathForm::Escaped,
            PathForm::Canonical { query_reserved: false },
            PathForm::Canonical { query_reserved: true },
        ];
        for (path, plain) in [
            ("", [true, true, true]),
            ("/a/b-c_d.e~f:g;h,i/@(j)?k=l&m=n-o", [true, true, true]),
            ("/a?b=/c", [true, true, true]),
            ("/a?b?c:;[]@()+,", [true, true, true]),
            ("/a!'", [false, true, true]),
            ("/a?b=%2Fc", [false, false, false]),
            ("/a*b", [true, false, false]),
            ("/a$", [true, false, false]),
            ("/a b", [true, false, false]),
            ("/a ", [false, false, false]),
            ("/a\n", [false, false, false]),
            ("/a#b", [false, false, false]),
            ("/%61", [false, false, false]),
            ("/\u{e4}", [false, false, false]),
            ("/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%aaa", [false, false, false]),
        ] {
            assert_eq!(all.map(|form| is_plain(path, form)), plain, "{path}");
        }
    }
}
