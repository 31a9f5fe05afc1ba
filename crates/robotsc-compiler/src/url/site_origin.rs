//! The origin that a robots.txt was fetched from, whose URLs alone it answers for.

use robotsc_runtime::url::Scheme;

use crate::dialect::Dialect;
use crate::url::UrlError;
use crate::url::url_path::UrlPathBuf;

/// The origin whose URLs a robots.txt is for: scheme, host in lower case, port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteOrigin {
    scheme: Scheme,
    host: Vec<u8>,
    port: Option<u16>,
}

impl SiteOrigin {
    /// Returns the origin of a URL, and its path in the form of `dialect`.
    pub(crate) fn split<'u>(dialect: &Dialect, url: &'u [u8]) -> Result<(Self, UrlPathBuf<'u>), UrlError> {
        let url = dialect.split_url(url)?;
        // Other spellings of a host take tables to compare.
        if !url.host.iter().all(|byte| byte.is_ascii() && *byte != b'%') {
            return Err(UrlError::HOST_NOT_ASCII);
        }
        let host = url.host.strip_suffix(b".").unwrap_or(&url.host).to_ascii_lowercase();
        Ok((Self { scheme: url.scheme, host, port: url.port }, url.path))
    }
}

/// Returns the path of a URL, which must be of `origin` if that is known. A path alone is of every origin.
pub(crate) fn path_of<'u>(
    dialect: &Dialect,
    origin: Option<&SiteOrigin>,
    url: &'u [u8],
) -> Result<UrlPathBuf<'u>, UrlError> {
    match origin {
        Some(origin) if !matches!(url.trim_ascii_start(), [b'/' | b'\\', ..]) => match SiteOrigin::split(dialect, url)?
        {
            (other, path) if other == *origin => Ok(path),
            _ => Err(UrlError::OTHER_ORIGIN),
        },
        _ => dialect.url_path(url),
    }
}
