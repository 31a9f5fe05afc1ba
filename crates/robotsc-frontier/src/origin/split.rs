//! From a URL to its canonical origin and its path, from one reading: that of the compiler's URL reader.

use std::borrow::Cow;

use robotsc_compiler::{Dialect, UrlError, UrlPathBuf};
use robotsc_runtime::PathForm;
use robotsc_runtime::url::PlainUrl;

use super::{OriginError, OriginErrorKind, canonical};

/// The path of robots.txt itself.
pub(crate) const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// A URL as the frontier takes it: whose robots.txt applies, and which path it is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitUrl<'u> {
    /// The canonical origin, borrowed if it is a prefix of the URL.
    pub origin: Cow<'u, [u8]>,
    /// The path in the form of the dialect.
    pub path: UrlPathBuf<'u>,
}

impl SplitUrl<'_> {
    /// Reports whether this is the URL of the origin's robots.txt itself: a frontier always allows it, under every
    /// dialect, since nothing else can be known before.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        *self.path.as_bytes() == *ROBOTS_TXT
    }

    /// Returns the path in another form, for rules that were compiled for it, such as those of an overlay.
    ///
    /// Cost: copies the path.
    ///
    /// # Errors
    /// [`UrlError`] if the path cannot be read. That is no allow.
    pub fn path_as(&self, form: PathForm) -> Result<UrlPathBuf<'static>, UrlError> {
        let url = [&*self.origin, self.path.as_bytes()].concat();
        let path = robotsc_compiler::url::url_path(&url, form)?.into_cow().into_owned();
        Ok(UrlPathBuf::owned(path, form))
    }
}

/// Splits a URL into its canonical origin and its path in the form of a dialect.
///
/// The path is that of [`Dialect::url_path`]; what has no origin, such as a path alone, is an error. See the
/// [module documentation](super) on URLs that readers disagree on.
///
/// Cost: two looks at each byte of a plain URL, which is borrowed from; others are read with the `url` crate. No
/// allocation for a plain URL. Never panics.
///
/// # Errors
/// [`OriginError`] if there is no origin or no path.
///
/// ```
/// use robotsc::{Dialect, origin};
///
/// let url = origin::split(&Dialect::GOOGLE, b"HTTPS://Shop.example:443/caf%c3%a9#top")?;
/// assert_eq!((&*url.origin, url.path.as_bytes()), (&b"https://shop.example"[..], &b"/caf%C3%A9"[..]));
/// assert!(origin::split(&Dialect::GOOGLE, b"mailto:me@shop.example").is_err());
/// # Ok::<(), origin::OriginError>(())
/// ```
#[inline]
pub fn split<'u>(dialect: &Dialect, url: &'u [u8]) -> Result<SplitUrl<'u>, OriginError> {
    if let Some(plain) = PlainUrl::split(url)
        && let Some(path) = plain.normalized_path(dialect.path_form())
    {
        return Ok(SplitUrl { origin: Cow::Borrowed(plain.origin), path: path.into() });
    }
    split_any(dialect, url)
}

/// The same for any URL.
#[inline(never)]
fn split_any<'u>(dialect: &Dialect, url: &'u [u8]) -> Result<SplitUrl<'u>, OriginError> {
    let parts = dialect.split_url(url).map_err(|error| no_url(url, error))?;
    let origin = match PlainUrl::split(url) {
        Some(plain) => Cow::Borrowed(plain.origin),
        None => Cow::Owned(canonical(parts.scheme, &parts.host, parts.port)?.into_bytes()),
    };
    Ok(SplitUrl { origin, path: parts.path })
}

/// Returns the canonical origin of a URL.
pub(super) fn origin(url: &[u8]) -> Result<String, OriginError> {
    let parts = Dialect::GOOGLE.split_url(url).map_err(|error| no_url(url, error))?;
    canonical(parts.scheme, &parts.host, parts.port)
}

/// Returns why a text is no URL; of a path, what it lacks here.
#[cold]
fn no_url(text: &[u8], error: UrlError) -> OriginError {
    let is_path = matches!(text.trim_ascii_start(), [b'/', rest @ ..] if rest.first() != Some(&b'/'));
    OriginError(if is_path { OriginErrorKind::Path } else { OriginErrorKind::Url(error) })
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
