//! From a URL to the path that rules are matched against.
//!
//! `https://shop.example/a/../caf\u{e9}?q#top` asks for the path `/caf%C3%A9?q`, since that is what a client requests.
//! Every crate reads URLs with this module, which splits them and resolves the path as the WHATWG URL standard does
//! (only hosts beyond ASCII are checked where they are compared, by the origins of `robotsc-frontier`). Blanks
//! and controls around the URL are trimmed, tabs and line ends inside it removed, backslashes before the query are
//! slashes, dot segments (`..`, `%2e`) are resolved, and bytes that a client would escape are escaped. The path is then
//! brought to the [form](robotsc_runtime::PathForm) of the dialect.
//!
//! It is stricter than the standard where readers disagree on the host: a missing `//`, a `;` in the host, two `@`, an
//! empty label and schemes without robots.txt are errors. So is a blank that a scheme follows, as in a line of two
//! URLs. A URL without a path on a host, such as `mailto:me@shop.example`, is an error, never an answer.
//!
//! Most URLs need none of that, and one pass shows it: `plain_origin` finds the path in a URL whose host is a plain
//! name, and [`PathForm::first_change`] finds nothing to change in the path, which is borrowed. All other URLs take the
//! slow path.
//!
//! Property tests compare the result with that of the `url` crate, and the one pass with the slow path.

mod host;
pub(crate) mod path;
mod plain_origin;
#[doc(hidden)]
pub mod possible;
mod resolve;
pub(crate) mod site_origin;
pub(crate) mod url_path;

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;

use robotsc_runtime::url::{PlainUrl, Scheme};
use robotsc_runtime::{PathForm, UrlPath};

use self::host::HostProblem;
use crate::dialect::Dialect;
use crate::url::path::normalize_form;
use crate::url::plain_origin::plain_origin;
use crate::url::resolve::{escaped_once, resolve};
use crate::url::url_path::UrlPathBuf;

/// A URL, split: what decides whose robots.txt applies, and the path to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlParts<'u> {
    /// The scheme.
    pub scheme: Scheme,
    /// The host as written, in any case, without user information and port. Not empty. An IPv6 address is in brackets.
    pub host: Cow<'u, [u8]>,
    /// The port, if it is written and not the scheme's own.
    pub port: Option<u16>,
    /// The path in the form of the dialect.
    pub path: UrlPathBuf<'u>,
}

/// Reports why a URL has no path that robots.txt rules apply to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UrlError(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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

impl Dialect {
    /// Returns the path that a URL asks for, in the form of this dialect. See the [module documentation](crate::url).
    ///
    /// Takes a URL, or a path that starts with one `/`: `https://h` asks for `/`, `https://h?q` for `/?q`.
    ///
    /// Cost: linear; most URLs are borrowed from. Never panics.
    ///
    /// # Errors
    /// [`UrlError`] if the URL has no path on a host, such as `mailto:x`, `x` or an empty text.
    ///
    /// ```
    /// use robotsc::Dialect;
    ///
    /// let path = Dialect::GOOGLE.url_path("https://example.com/x/../caf\u{e9}?q=%aa#top")?;
    /// assert_eq!(path.as_bytes(), b"/caf%C3%A9?q=%AA");
    /// assert!(Dialect::GOOGLE.url_path("mailto:me@example.com").is_err());
    /// # Ok::<(), robotsc::UrlError>(())
    /// ```
    #[inline]
    pub fn url_path<'u>(&self, url: &'u (impl AsRef<[u8]> + ?Sized)) -> Result<UrlPathBuf<'u>, UrlError> {
        url_path(url, self.path_form())
    }

    /// Splits a URL into what decides whose robots.txt applies, and its path in the form of this dialect.
    ///
    /// Cost: linear; most URLs are borrowed from. Never panics.
    ///
    /// # Errors
    /// [`UrlError`] if the URL has no host or no path on it; a path alone has no host.
    ///
    /// ```
    /// use robotsc::Dialect;
    ///
    /// let url = Dialect::GOOGLE.split_url("https://user@Shop.example:8443/cart")?;
    /// assert_eq!((&*url.host, url.port), (&b"Shop.example"[..], Some(8443)));
    /// assert_eq!(url.path.as_bytes(), b"/cart");
    /// # Ok::<(), robotsc::UrlError>(())
    /// ```
    pub fn split_url<'u>(&self, url: &'u (impl AsRef<[u8]> + ?Sized)) -> Result<UrlParts<'u>, UrlError> {
        let form = self.path_form();
        match without_tabs(trimmed(url.as_ref()))? {
            Cow::Borrowed(url) => {
                let Split { scheme, host, port, path } = split(url)?;
                Ok(UrlParts { scheme, host: Cow::Borrowed(host), port, path: normalize(path, form) })
            }
            Cow::Owned(url) => {
                let Split { scheme, host, port, path } = split(&url)?;
                let path = UrlPathBuf::new(Cow::Owned(normalize(path, form).into_cow().into_owned()), form);
                Ok(UrlParts { scheme, host: Cow::Owned(host.to_vec()), port, path })
            }
        }
    }
}

/// Returns the path that a URL asks for, in a form: that of an embedded rule set or a program, if its dialect is not at
/// hand. See [`Dialect::url_path`].
///
/// # Errors
/// As [`Dialect::url_path`].
#[inline]
pub fn url_path<'u>(url: &'u (impl AsRef<[u8]> + ?Sized), form: PathForm) -> Result<UrlPathBuf<'u>, UrlError> {
    let url = url.as_ref();
    let Some(slash) = plain_origin(url) else { return any_url_path(url, form) };
    match form.first_change(url, slash) {
        None => Ok(UrlPath::assume(&url[slash..], form).into()),
        Some(change) => changed_url_path(url, slash, change, form),
    }
}

/// Normalizes the path of a URL with a plain origin, given where the path starts and where it first changes.
#[inline(never)]
fn changed_url_path(url: &[u8], slash: usize, change: usize, form: PathForm) -> Result<UrlPathBuf<'_>, UrlError> {
    let path = &url[slash..];
    if memchr::memchr(b' ', path).is_some() {
        return any_url_path(url, form);
    }
    let is_trimmed = path.last().is_some_and(|byte| *byte > b' ');
    if form == PathForm::Escaped
        && is_trimmed
        && let Some(escaped) = escaped_once(path, change - slash)
    {
        return Ok(UrlPathBuf::new(Cow::Owned(escaped), form));
    }
    if path.iter().any(|byte| *byte <= b' ' || *byte == b'#') {
        return any_url_path(url, form);
    }
    Ok(resolved(path, form))
}

#[inline(never)]
fn any_url_path(url: &[u8], form: PathForm) -> Result<UrlPathBuf<'_>, UrlError> {
    match without_tabs(trimmed(url))? {
        Cow::Borrowed(url) => trimmed_url_path(url, form),
        Cow::Owned(url) => {
            let path = trimmed_url_path(&url, form)?.into_cow().into_owned();
            Ok(UrlPathBuf::new(Cow::Owned(path), form))
        }
    }
}

fn trimmed_url_path(url: &[u8], form: PathForm) -> Result<UrlPathBuf<'_>, UrlError> {
    match url {
        [b'/' | b'\\', b'/' | b'\\', ..] => Err(UrlError(Kind::TwoSlashes)),
        [b'/' | b'\\', ..] => Ok(normalize(url, form)),
        _ => Ok(normalize(split(url)?.path, form)),
    }
}

/// Normalizes what follows the authority of a URL.
fn normalize(path: &[u8], form: PathForm) -> UrlPathBuf<'_> {
    let path = memchr::memchr(b'#', path).map_or(path, |at| &path[..at]);
    if path.is_empty() {
        return UrlPathBuf::new(Cow::Borrowed(b"/"), form);
    }
    if !path.starts_with(b"/") {
        return resolved(path, form);
    }
    match form.first_change(path, 0) {
        None => UrlPathBuf::new(Cow::Borrowed(path), form),
        Some(change) => {
            let escaped = (form == PathForm::Escaped).then(|| escaped_once(path, change)).flatten();
            escaped.map_or_else(|| resolved(path, form), |escaped| UrlPathBuf::new(Cow::Owned(escaped), form))
        }
    }
}

/// Normalizes a path that is not normalized as written, without its fragment.
fn resolved(path: &[u8], form: PathForm) -> UrlPathBuf<'_> {
    let resolved = resolve(path);
    let bytes = match normalize_form(&resolved, form) {
        Cow::Owned(bytes) => bytes,
        Cow::Borrowed(_) => resolved,
    };
    UrlPathBuf::new(Cow::Owned(bytes), form)
}

/// Returns `url` without controls and blanks at its ends.
fn trimmed(mut url: &[u8]) -> &[u8] {
    while let [..=0x20, rest @ ..] = url {
        url = rest;
    }
    while let [rest @ .., ..=0x20] = url {
        url = rest;
    }
    url
}

/// Returns `url` without tabs and line ends.
///
/// A blank, a tab or a line end that a scheme follows is an error: it separates two URLs, and the second must not
/// become part of the path of the first.
fn without_tabs(url: &[u8]) -> Result<Cow<'_, [u8]>, UrlError> {
    let begins_url = |text: &[u8]| {
        let has = |scheme: &[u8]| text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme));
        has(b"http://") || has(b"https://") || has(b"ftp://")
    };
    let mut blanks = memchr::memchr3_iter(b' ', b'\n', b'\r', url).chain(memchr::memchr_iter(b'\t', url));
    if blanks.any(|at| begins_url(&url[at + 1..])) {
        return Err(UrlError(Kind::TwoUrls));
    }
    if memchr::memchr3(b'\t', b'\n', b'\r', url).is_none() {
        return Ok(Cow::Borrowed(url));
    }
    Ok(Cow::Owned(url.iter().copied().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')).collect()))
}

/// The parts of a URL as written.
struct Split<'u> {
    scheme: Scheme,
    host: &'u [u8],
    port: Option<u16>,
    /// All after the authority.
    path: &'u [u8],
}

/// Splits a trimmed URL.
fn split(url: &[u8]) -> Result<Split<'_>, UrlError> {
    if let Some(PlainUrl { scheme, host, port, origin, .. }) = PlainUrl::split(url) {
        return Ok(Split { scheme, host, port, path: &url[origin.len()..] });
    }
    let (scheme, rest) = split_scheme(url)?;
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'\\' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host_and_port = match memchr::memchr(b'@', authority) {
        Some(at) if authority[at + 1..].contains(&b'@') => return Err(UrlError(Kind::TwoAts)),
        Some(at) => &authority[at + 1..],
        None => authority,
    };
    // Readers disagree on these, wherever in the authority they are: robots.cc starts the path at a semicolon.
    let disputed = |byte: &&u8| matches!(byte, 0..=0x20 | 0x7F | b'<' | b'>' | b'^' | b'|' | b';');
    if let Some(byte) = authority.iter().find(disputed) {
        return Err(UrlError(Kind::InHost(*byte)));
    }
    let (host, port) = split_port(host_and_port)?;
    Ok(Split { scheme, host, port: port.filter(|port| *port != scheme.default_port()), path })
}

/// Returns the scheme of a URL, and what follows its `//`.
fn split_scheme(url: &[u8]) -> Result<(Scheme, &[u8]), UrlError> {
    match url {
        [] => return Err(UrlError(Kind::Empty)),
        // A host without a scheme.
        [b'/' | b'\\', b'/' | b'\\', ..] => return Err(UrlError(Kind::TwoSlashes)),
        _ => {}
    }
    let in_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let end = url.iter().position(|byte| !in_scheme(byte)).unwrap_or(url.len());
    let (name, Some(rest)) = (&url[..end], url[end..].strip_prefix(b":")) else {
        return Err(UrlError(Kind::NoScheme));
    };
    let known = [Scheme::Http, Scheme::Https, Scheme::Ftp];
    let Some(scheme) = known.into_iter().find(|scheme| scheme.name().as_bytes().eq_ignore_ascii_case(name)) else {
        // `localhost:8080/a` is a host and a port.
        let is_scheme =
            name.first().is_some_and(u8::is_ascii_alphabetic) && !rest.first().is_some_and(u8::is_ascii_digit);
        return Err(UrlError(if is_scheme { Kind::OtherScheme } else { Kind::NoScheme }));
    };
    Ok((scheme, rest.strip_prefix(b"//").ok_or(UrlError(Kind::NoSlashes))?))
}

/// Splits a host and its port.
fn split_port(text: &[u8]) -> Result<(&[u8], Option<u16>), UrlError> {
    let (host, after) = if text.starts_with(b"[") {
        let end = text.iter().position(|byte| *byte == b']').ok_or(UrlError(Kind::Address))?;
        let address = std::str::from_utf8(&text[1..end]).map_err(|_| UrlError(Kind::Address))?;
        address.parse::<Ipv6Addr>().map_err(|_| UrlError(Kind::Address))?;
        text.split_at(end + 1)
    } else {
        let end = memchr::memchr(b':', text).unwrap_or(text.len());
        if let Some(bracket) = text[..end].iter().find(|byte| matches!(byte, b'[' | b']')) {
            return Err(UrlError(Kind::InHost(*bracket)));
        }
        text.split_at(end)
    };
    if host.is_empty() {
        return Err(UrlError(Kind::NoHost));
    }
    if !host.starts_with(b"[") {
        host::check(host).map_err(|problem| UrlError(Kind::Host(problem)))?;
    }
    let digits = match after {
        [] | [b':'] => return Ok((host, None)),
        [b':', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => digits,
        _ => return Err(UrlError(Kind::Port)),
    };
    let port = digits.iter().try_fold(0_u16, |port, digit| port.checked_mul(10)?.checked_add(u16::from(digit - b'0')));
    Ok((host, Some(port.ok_or(UrlError(Kind::Port))?)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path_of(dialect: &Dialect, url: &str) -> Result<String, Kind> {
        let path = dialect.url_path(url).map_err(|error| error.0)?;
        Ok(String::from_utf8(path.as_bytes().to_vec()).expect("normalized paths are ASCII"))
    }

    #[test]
    fn urls_have_the_same_path_in_every_dialect() {
        for (url, path) in [
            ("http://example.com", "/"),
            ("https://example.com/", "/"),
            ("HTTP://example.com/a", "/a"),
            ("ftp://u:p@example.com:21/a/../b", "/b"),
            ("https://example.com/a/b?c=d&e=f#g#h", "/a/b?c=d&e=f"),
            ("https://example.com?q", "/?q"),
            ("https://example.com#q/r", "/"),
            ("https://example.com?q#r/s", "/?q"),
            ("https://example.com/%c3%a4/\u{e4}", "/%C3%A4/%C3%A4"),
            ("https://example.com/%zz%a", "/%zz%a"),
            ("https://example.com?\u{e4}", "/?%C3%A4"),
            ("  \thttps://example.com/a\r\n", "/a"),
            ("https://exam\tple.com/a\n/b", "/a/b"),
            ("https://example.com\\a\\b?c\\", "/a/b?c\\"),
            ("https://example.com/x/../private", "/private"),
            ("https://example.com/x/%2E%2e/private", "/private"),
            ("https://example.com/../../a", "/a"),
            ("https://example.com/a/..", "/"),
            ("https://example.com/a/.", "/a/"),
            ("https://example.com/a//../b", "/a/b"),
            ("https://example.com/a/...", "/a/..."),
            ("https://example.com//a", "//a"),
            ("https://example.com/a b\"", "/a%20b%22"),
            ("/a/b", "/a/b"),
            ("/a#b", "/a"),
            ("/..", "/"),
            ("\\a", "/a"),
            ("https://[::1]:8080/a", "/a"),
        ] {
            for dialect in Dialect::ALL {
                let path =
                    if dialect.path_form() == PathForm::Escaped { path.to_owned() } else { path.replace('\\', "%5C") };
                assert_eq!(path_of(dialect, url), Ok(path), "{} {url}", dialect.name);
            }
        }
    }

    #[test]
    fn urls_without_a_path_are_errors_everywhere() {
        for (url, kind) in [
            ("", Kind::Empty),
            ("  ", Kind::Empty),
            ("x", Kind::NoScheme),
            ("?a", Kind::NoScheme),
            ("example.com/a", Kind::NoScheme),
            ("localhost:8080/a", Kind::NoScheme),
            ("1http://h/a", Kind::NoScheme),
            ("mailto:me@example.com", Kind::OtherScheme),
            ("javascript://example.com/%0Aalert(1)", Kind::OtherScheme),
            ("data:text/html,a/b", Kind::OtherScheme),
            ("foo:", Kind::OtherScheme),
            ("ws://h/a", Kind::OtherScheme),
            ("file:///a", Kind::OtherScheme),
            ("//example.com/a", Kind::TwoSlashes),
            ("/\\example.com/a", Kind::TwoSlashes),
            ("http:", Kind::NoSlashes),
            ("http:example.com/a", Kind::NoSlashes),
            ("http:/h/a", Kind::NoSlashes),
            ("http:\\\\h/a", Kind::NoSlashes),
            ("http:///a", Kind::NoHost),
            ("http://?a", Kind::NoHost),
            ("http://:80/a", Kind::NoHost),
            ("http://u@/a", Kind::NoHost),
            ("http://h h/a", Kind::InHost(b' ')),
            ("http://h;x", Kind::InHost(b';')),
            ("http://u;p@h/a", Kind::InHost(b';')),
            ("http://a@b@h/a", Kind::TwoAts),
            ("http://h:99999/", Kind::Port),
            ("http://h:8x/", Kind::Port),
            ("http://[::1/", Kind::Address),
            ("http://[::x]/", Kind::Address),
            ("http://a]b/", Kind::InHost(b']')),
            ("http://a..b/", Kind::Host(HostProblem::EmptyLabel)),
            ("https://a../x", Kind::Host(HostProblem::EmptyLabel)),
            ("https://.a/x", Kind::Host(HostProblem::EmptyLabel)),
            ("https://a%2e.b/x", Kind::Host(HostProblem::EmptyLabel)),
            ("http://1.2.3.256/", Kind::Host(HostProblem::NotAnAddress)),
            ("http://a%2Fb/", Kind::Host(HostProblem::Byte(b'/'))),
            ("http://h/ok\rhttps://h/x", Kind::TwoUrls),
            ("http://h/ok\tHTTP://h/x", Kind::TwoUrls),
            ("http://h/ok http://h/x", Kind::TwoUrls),
            ("/ok\nftp://h/x", Kind::TwoUrls),
        ] {
            for dialect in Dialect::ALL {
                assert_eq!(path_of(dialect, url), Err(kind), "{} {url}", dialect.name);
            }
        }
    }

    #[test]
    fn paths_are_in_the_form_of_the_dialect() {
        let url = "https://example.com/%61*$/ \u{e4}?u=http://h/%2f";
        assert_eq!(path_of(&Dialect::GOOGLE, url).unwrap(), "/%61*$/%20%C3%A4?u=http://h/%2F");
        assert_eq!(path_of(&Dialect::GOOGLE_2017, url).unwrap(), "/%61*$/%20%C3%A4?u=http://h/%2F");
    }

    #[test]
    fn plain_urls_are_borrowed() {
        for dialect in Dialect::ALL {
            let path = dialect.url_path("https://example.com/a/b-c.html?d=e&f=1").unwrap();
            assert!(matches!(path.into_cow(), Cow::Borrowed(b"/a/b-c.html?d=e&f=1")));
        }
    }

    #[test]
    fn the_fast_path_returns_what_the_slow_one_does() {
        let alphabet: [&[u8]; 17] = [
            b"/", b"?", b"#", b";", b"a", b":", b"@", b"%61", b"%aa", b"*", b" ", b"\\", b"\xE4", b"'", b"..", b"%2e",
            b"\t",
        ];
        let mut plain = 0;
        for number in 0..alphabet.len().pow(4) {
            let part = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            let parts: Vec<&[u8]> = (0..4).map(part).collect();
            for start in [&b"http://"[..], b"https://h/", b"https://h/a?b=c"] {
                let url = [start, &parts.concat()].concat();
                for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309, &Dialect::YANDEX] {
                    plain += usize::from(plain_origin(&url).is_some());
                    let (one, other) = (dialect.url_path(&url), any_url_path(&url, dialect.path_form()));
                    assert_eq!(one, other, "{} {}", dialect.name, url.escape_ascii());
                    // What is normalized is normalized as written.
                    let Ok(path) = one else { continue };
                    let again = dialect
                        .url_path(&[b"https://h", path.as_bytes()].concat())
                        .map(|path| path.into_cow().into_owned());
                    assert_eq!(again.as_deref(), Ok(path.as_bytes()), "{} {}", dialect.name, url.escape_ascii());
                    if dialect.path_form() == PathForm::Escaped && !path.as_bytes().starts_with(b"//") {
                        assert!(
                            UrlPath::new(path.as_bytes(), path.as_path().form()).is_ok(),
                            "{}",
                            path.as_bytes().escape_ascii()
                        );
                    }
                }
            }
        }
        assert!(plain > 1_000, "{plain} of the URLs are plain");
    }

    /// Parts of URLs, chosen so that random strings of them are often accepted and often unusual.
    const PARTS: [&str; 46] = [
        "shop-1_x",
        "index.html",
        "/",
        "/",
        "/",
        "\\",
        ".",
        "..",
        "/..",
        "/./",
        "%2e",
        "%2E",
        "?",
        "#",
        "a",
        "B",
        "z",
        "-",
        "_",
        "~",
        "\u{e9}",
        "\u{1f600}",
        " ",
        "%",
        "%zz",
        "%aa",
        "%41",
        "\t",
        "\n",
        ";",
        "@",
        ":",
        "'",
        "\"",
        "<",
        ">",
        "`",
        "{",
        "}",
        "|",
        "[",
        "*",
        "$",
        "&",
        "=",
        "\u{7f}",
    ];

    fn parts(parts: &'static [&'static str], count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(parts), count).prop_map(|parts| parts.concat())
    }

    fn any_url() -> impl Strategy<Value = String> {
        let scheme = prop::sample::select(&["http", "https", "ftp", "HTTPS", " http"][..]);
        let user = prop::sample::select(&["", "", "", "user@", "user:word@", "%40@"][..]);
        let hosts =
            ["shop.example", "Shop.Example", "a", "h.", "xn--caf-dma.example", "127.0.0.1", "[::1]", "[2001:DB8::1]"];
        let port =
            prop::sample::select(&["", "", "", ":", ":80", ":443", ":21", ":8443", ":0", ":00080", ":65535"][..]);
        let host = prop::sample::select(hosts.to_vec());
        let path = (prop::sample::select(&["/", "/", "\\", "?", "#"][..]), parts(&PARTS, 0..12));
        (scheme, user, host, port, prop_oneof![1 => Just(("", String::new())), 9 => path])
            .prop_map(|(scheme, user, host, port, (start, path))| format!("{scheme}://{user}{host}{port}{start}{path}"))
    }

    /// Brings the digits of escapes to upper case.
    fn with_upper_case_escapes(path: &str) -> Vec<u8> {
        let mut bytes = path.as_bytes().to_vec();
        for at in 0..bytes.len() {
            if bytes[at] == b'%' && bytes.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
            {
                bytes[at + 1..at + 3].make_ascii_uppercase();
            }
        }
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn accepted_urls_agree_with_the_url_crate(text in any_url()) {
            for dialect in Dialect::ALL {
                let Ok(parts) = dialect.split_url(&text) else { continue };
                // The crate keeps a drive letter such as `a|` from dot segments; the standard does so for files alone.
                let is_drive = |part: &str| {
                    matches!(part.as_bytes(), [letter, b'|' | b':', ..] if letter.is_ascii_alphabetic())
                };
                if text.split(['/', '\\']).skip(3).any(is_drive) {
                    continue;
                }
                let url = ::url::Url::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert_eq!(parts.scheme.name(), url.scheme());
                prop_assert_eq!(parts.port, url.port());
                let host = String::from_utf8_lossy(&parts.host).to_lowercase();
                prop_assert_eq!(Some(&*host), url.host_str());
                let asked = match url.query() {
                    Some(query) => format!("{}?{query}", url.path()),
                    None => url.path().to_owned(),
                };
                let form = dialect.path_form();
                let wanted = match form {
                    PathForm::Escaped => with_upper_case_escapes(&asked),
                    _ => normalize_form(asked.as_bytes(), form).into_owned(),
                };
                prop_assert_eq!(parts.path.as_bytes().escape_ascii().to_string(), wanted.escape_ascii().to_string());
                prop_assert_eq!(dialect.url_path(&text), Ok(parts.path));
            }
        }

        #[test]
        fn the_one_pass_agrees_with_the_slow_path(
            text in any_url(),
            start in "https?://[a-zA-Z0-9.-]{0,20}",
            end in parts(&PARTS, 0..60),
            byte in any::<u8>(),
        ) {
            let plain = [start.as_bytes(), b"/", end.as_bytes()].concat();
            let with_byte = [start.as_bytes(), &[byte], end.as_bytes(), &[byte]].concat();
            for url in [text.as_bytes(), &plain, &with_byte] {
                for dialect in Dialect::ALL {
                    let slow = any_url_path(url, dialect.path_form());
                    prop_assert_eq!(dialect.url_path(url), slow, "{} {}", dialect.name, url.escape_ascii());
                }
            }
        }

        #[test]
        fn a_checked_path_is_one_that_normalization_keeps(rest in parts(&PARTS, 0..24), byte in any::<u8>()) {
            for path in [format!("/{rest}").into_bytes(), [b"/a", &[byte][..], rest.as_bytes()].concat()] {
                // Two slashes start a host.
                prop_assume!(!matches!(path.as_slice(), [_, b'/' | b'\\', ..]));
                for dialect in Dialect::ALL {
                    let form = dialect.path_form();
                    // Step by step: `url_path` itself asks the same check first.
                    let is_kept = *normalize_form(&resolve(&path), form) == *path;
                    prop_assert_eq!(UrlPath::new(&path, form).is_ok(), is_kept, "{} {}", form, path.escape_ascii());
                }
            }
        }
    }
}
