//! From a URL to its origin and its path, from one reading.

use std::borrow::Cow;

use robotsc_compiler::Dialect;
use robotsc_compiler::dialect::Escapes;
use robotsc_runtime::url::{PathForm, PlainUrl, Scheme};

use super::{Kind, OriginError, canonical};

/// A URL as the frontier takes it: whose robots.txt counts, and which path it is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitUrl<'u> {
    /// The canonical origin, borrowed where it is a prefix of the URL.
    pub origin: Cow<'u, [u8]>,
    /// The path in the dialect's form, borrowed where nothing had to change. Starts with `/`.
    pub path: Cow<'u, [u8]>,
}

impl SplitUrl<'_> {
    /// Whether this is the URL of the origin's robots.txt itself: a frontier always allows it, under every dialect, since nothing else can be known before.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        *self.path == *b"/robots.txt"
    }
}

/// Splits a URL into its canonical origin and its path in the dialect's form.
///
/// The path is that of [`Dialect::intake`]; what has no origin is an error, also where the intake would find a path. See the [module documentation](super)
/// on URLs that readers disagree on. White space and controls around the URL are no part of it.
///
/// Cost: two looks at each octet of a plain URL, which is borrowed from; others are read with the `url` crate. Never an allocation for a plain URL.
///
/// # Errors
/// [`OriginError`] where there is no origin or no path.
///
/// # Panics
/// Never, for any input.
///
/// ```
/// use robotsc_compiler::Dialect;
/// use robotsc_frontier::origin;
///
/// let url = origin::split(&Dialect::GOOGLE, b"HTTPS://Shop.example:443/caf%c3%a9#top")?;
/// assert_eq!((&*url.origin, &*url.path), (&b"https://shop.example"[..], &b"/caf%C3%A9"[..]));
/// assert!(origin::split(&Dialect::GOOGLE, b"mailto:me@shop.example").is_err());
/// # Ok::<(), origin::OriginError>(())
/// ```
#[inline]
pub fn split<'u>(dialect: &Dialect, url: &'u [u8]) -> Result<SplitUrl<'u>, OriginError> {
    if let Some(plain) = PlainUrl::split(url) {
        if plain.path_is_plain(path_form(dialect)) {
            return Ok(SplitUrl { origin: Cow::Borrowed(plain.origin), path: Cow::Borrowed(plain.path) });
        }
        return Ok(SplitUrl { origin: Cow::Borrowed(plain.origin), path: path(dialect, url)? });
    }
    split_any(dialect, url)
}

/// The form that a dialect compares paths in.
#[must_use]
#[inline]
pub fn path_form(dialect: &Dialect) -> PathForm {
    match dialect.escapes {
        Escapes::PatternOnly | Escapes::HexAndNonAscii => PathForm::Escaped,
        Escapes::Canonical => PathForm::Canonical { query_reserved: dialect.query_reserved },
    }
}

#[inline(never)]
fn path<'u>(dialect: &Dialect, url: &'u [u8]) -> Result<Cow<'u, [u8]>, OriginError> {
    Ok(dialect.intake(url).map_err(|error| OriginError(Kind::Path(error)))?.into_cow())
}

/// The same for any URL.
#[inline(never)]
fn split_any<'u>(dialect: &Dialect, url: &'u [u8]) -> Result<SplitUrl<'u>, OriginError> {
    let (scheme, authority, _) = read(url)?;
    // Behind an authority without `;`, `\` and white space, robots.cc's cut and WHATWG's find the path at the same place.
    let origin = Cow::Owned(canonical(scheme, authority)?.into_bytes());
    Ok(SplitUrl { origin, path: path(dialect, url)? })
}

/// The canonical origin of a URL, and what stands behind its authority.
pub(super) fn origin(url: &[u8]) -> Result<(Cow<'_, [u8]>, &[u8]), OriginError> {
    if let Some(plain) = PlainUrl::split(url) {
        return Ok((Cow::Borrowed(plain.origin), plain.path));
    }
    let (scheme, authority, rest) = read(url)?;
    Ok((Cow::Owned(canonical(scheme, authority)?.into_bytes()), rest))
}

/// Scheme, authority, and the rest of a URL, which is trimmed.
fn read(url: &[u8]) -> Result<(Scheme, &[u8], &[u8]), OriginError> {
    let wrong = |kind| Err(OriginError(kind));
    let url = trimmed(url);
    if url.is_empty() {
        return wrong(Kind::Empty);
    }
    let in_scheme = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.');
    let end = url.iter().position(|octet| !in_scheme(*octet)).unwrap_or(url.len());
    let (name, Some(rest)) = (&url[..end], url[end..].strip_prefix(b":")) else { return wrong(Kind::NoScheme) };
    let known = [Scheme::Http, Scheme::Https, Scheme::Ftp];
    let scheme = known.into_iter().find(|scheme| scheme.name().as_bytes().eq_ignore_ascii_case(name));
    let scheme = scheme.ok_or(OriginError(if name.is_empty() { Kind::NoScheme } else { Kind::OtherScheme }))?;
    let rest = rest.strip_prefix(b"//").ok_or(OriginError(Kind::NoSlashes))?;
    let end = rest.iter().position(|octet| matches!(octet, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    Ok((scheme, authority, rest))
}

/// `url` without controls and spaces at its ends.
fn trimmed(mut url: &[u8]) -> &[u8] {
    while let [..=0x20, rest @ ..] = url {
        url = rest;
    }
    while let [rest @ .., ..=0x20] = url {
        url = rest;
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain parts, and what makes a URL not plain.
    const PIECES: [&[u8]; 24] = [
        b"http://",
        b"https://",
        b"ftp://",
        b"HTTP:",
        b"a",
        b"b.c",
        b".",
        b"-",
        b"xn--",
        b"1",
        b":80",
        b":8080",
        b":443",
        b"/",
        b"?q=/",
        b"#f",
        b";",
        b"@",
        b"\\",
        b"%41",
        b"\xC3\xA4",
        b" ",
        b"\t",
        b"*",
    ];

    #[test]
    fn the_fast_path_answers_as_the_slow_one_does() {
        let mut plain = 0;
        for number in 0..PIECES.len().pow(3) {
            let pieces = (0..3).map(|place| PIECES[number / PIECES.len().pow(place) % PIECES.len()]);
            let pieces: Vec<u8> = pieces.flatten().copied().collect();
            for start in [&b""[..], b"http://", b"https://h", b"ftp://h/"] {
                let url = [start, &pieces].concat();
                plain += usize::from(PlainUrl::split(&url).is_some());
                for dialect in [&Dialect::GOOGLE, &Dialect::GOOGLE_2017, &Dialect::RFC9309] {
                    assert_eq!(
                        split(dialect, &url),
                        split_any(dialect, &url),
                        "{} {}",
                        dialect.name,
                        url.escape_ascii()
                    );
                }
            }
        }
        assert!(plain > 1_000, "{plain} of the URLs are plain");
    }
}
