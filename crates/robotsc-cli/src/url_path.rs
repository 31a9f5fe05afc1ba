//! From a URL on the command line to the path that rules are matched against.

use robotsc::{Dialect, UrlPathBuf};

/// How URLs are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UrlReader<'d> {
    /// The dialect, whose normal form the path has.
    pub(crate) dialect: &'d Dialect,
    /// Whether any bytes are accepted, as google/robotstxt does, and none is escaped first.
    pub(crate) raw: bool,
}

impl UrlReader<'_> {
    /// Returns the path to match.
    ///
    /// # Errors
    /// Says in words why the URL has none.
    pub(crate) fn path<'u>(self, url: &'u [u8]) -> Result<UrlPathBuf<'u>, String> {
        if self.raw {
            return Ok(self.dialect.raw_url_path(url));
        }
        self.dialect.url_path(url).map_err(|error| error.to_string())
    }
}
