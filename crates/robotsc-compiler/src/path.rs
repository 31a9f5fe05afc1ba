//! From a URL to the path that is matched, and from a path to the form that its dialect compares.

use std::borrow::Cow;

use crate::dialect::Dialect;

impl Dialect {
    /// Brings a path (path, parameters and query, as it stands in the URL) to the form that this dialect compares. Borrows where nothing changes.
    #[must_use]
    pub fn normalise_path<'p>(&self, _path: &'p [u8]) -> Cow<'p, [u8]> {
        todo!()
    }
}
