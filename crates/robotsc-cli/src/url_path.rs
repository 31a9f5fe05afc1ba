//! From a URL on the command line to the path that rules are matched against.

use std::borrow::Cow;

use robotsc::Dialect;
use robotsc::path::google_path;

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
    pub(crate) fn path<'u>(self, url: &'u [u8]) -> Result<Cow<'u, [u8]>, String> {
        if !self.raw {
            return self.dialect.intake(url).map(|path| path.into_cow()).map_err(|error| error.to_string());
        }
        Ok(match google_path(url) {
            Cow::Borrowed(path) => self.dialect.normalise_path(path),
            Cow::Owned(path) => Cow::Owned(self.dialect.normalise_path(&path).into_owned()),
        })
    }
}
