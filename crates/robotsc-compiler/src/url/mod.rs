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

mod error;
mod host;
pub(crate) mod path;
mod plain_origin;
#[doc(hidden)]
pub mod possible;
mod resolve;
pub(crate) mod site_origin;
pub(crate) mod url_path;

use std::borrow::Cow;
use std::net::Ipv6Addr;

use robotsc_runtime::url::{PlainUrl, Scheme};
use robotsc_runtime::{PathForm, UrlPath};

use self::error::Kind;
pub use self::error::{UrlError, UrlErrorKind};
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
mod tests;
