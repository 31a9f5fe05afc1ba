//! Why a URL has no path that rules apply to.

use std::fmt;

use super::host::HostProblem;

/// Reports why a URL has no path that robots.txt rules apply to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UrlError(pub(super) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Empty,
    NoScheme,
    TwoSlashes,
    OtherScheme,
    NoSlashes,
    NoHost,
    InHost(u8),
    TwoAts,
    Port,
    Address,
    OtherOrigin,
    HostNotAscii,
    Host(HostProblem),
    TwoUrls,
}

impl UrlError {
    /// The URL is not of the origin that a robots.txt was parsed for.
    pub(crate) const OTHER_ORIGIN: Self = Self(Kind::OtherOrigin);
    /// The host must be in its ASCII form to be compared.
    pub(crate) const HOST_NOT_ASCII: Self = Self(Kind::HostNotAscii);
}

/// Writes the message too: a `main` that returns the error prints nothing else.
impl fmt::Debug for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UrlError").field(&format_args!("{self}")).finish()
    }
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Empty => "the URL is empty",
            Kind::NoScheme => {
                "neither a URL nor a path: write 'https://' or 'http://' before the host, or '/' before a path"
            }
            Kind::TwoSlashes => "no scheme before '//': write 'https:' or 'http:' before it",
            Kind::OtherScheme => "robots.txt rules apply to http, https and ftp URLs only",
            Kind::NoSlashes => "no '//' after the scheme: write it",
            Kind::NoHost => "no host after the scheme",
            Kind::InHost(byte) => {
                return write!(f, "a host cannot contain '{}': remove or escape it", byte.escape_ascii());
            }
            Kind::TwoAts => "two '@' before the path, readers disagree on the host: escape the first as %40",
            Kind::Port => "the port is not a number from 0 to 65535",
            Kind::Address => "the address in brackets is not an IPv6 address",
            Kind::OtherOrigin => {
                "the URL is not of the origin of this robots.txt: ask the robots.txt of its own origin"
            }
            Kind::Host(HostProblem::EmptyLabel) => "the host has an empty label: remove the extra dot",
            Kind::Host(HostProblem::TooLong) => "the host is longer than 253 bytes",
            Kind::Host(HostProblem::NotUtf8) => "the host is not UTF-8",
            Kind::Host(HostProblem::NotAnAddress) => "not a host: it ends in a number and is not an IPv4 address",
            Kind::Host(HostProblem::Byte(byte)) => {
                return write!(f, "not a host: it cannot contain '{}'", byte.escape_ascii());
            }
            Kind::TwoUrls => "a blank and another URL in the URL: give URLs one by one",
            Kind::HostNotAscii => "the host is not in its ASCII form: write it in lower-case punycode (xn--)",
        })
    }
}

/// What is wrong with a URL: see [`UrlError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UrlErrorKind {
    /// Not a URL: empty, without a scheme or without `//` after it, or two of them.
    NotAUrl,
    /// A URL of a scheme that robots.txt does not apply to, such as `mailto:`. A crawler skips such links.
    OtherScheme,
    /// No host, or one that readers disagree on or that no resolver knows.
    Host,
    /// The port is not a number from 0 to 65535.
    Port,
    /// The URL is of another origin than the robots.txt that was asked.
    OtherOrigin,
}

impl UrlError {
    /// Returns what is wrong with the URL.
    ///
    /// ```
    /// use robotsc::Dialect;
    /// use robotsc::url::UrlErrorKind;
    ///
    /// let kind = |url: &str| Dialect::GOOGLE.url_path(url).unwrap_err().kind();
    /// assert_eq!(kind("mailto:me@shop.example"), UrlErrorKind::OtherScheme);
    /// assert_eq!(kind("shop.example/cart"), UrlErrorKind::NotAUrl);
    /// assert_eq!(kind("https://shop..example/"), UrlErrorKind::Host);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> UrlErrorKind {
        match self.0 {
            Kind::Empty | Kind::NoScheme | Kind::TwoSlashes | Kind::NoSlashes | Kind::TwoUrls => UrlErrorKind::NotAUrl,
            Kind::OtherScheme => UrlErrorKind::OtherScheme,
            Kind::NoHost | Kind::InHost(_) | Kind::TwoAts | Kind::Address | Kind::HostNotAscii | Kind::Host(_) => {
                UrlErrorKind::Host
            }
            Kind::Port => UrlErrorKind::Port,
            Kind::OtherOrigin => UrlErrorKind::OtherOrigin,
        }
    }
}

impl std::error::Error for UrlError {}
