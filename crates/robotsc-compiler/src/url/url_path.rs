//! The path that rules are matched against, owned or borrowed from its URL.

use std::borrow::Cow;

use robotsc_runtime::{PathForm, UrlPath};

/// The path of a URL in the form of a dialect, borrowed from the URL if nothing had to change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UrlPathBuf<'u> {
    bytes: Cow<'u, [u8]>,
    form: PathForm,
}

impl<'u> UrlPathBuf<'u> {
    pub(crate) const fn new(bytes: Cow<'u, [u8]>, form: PathForm) -> Self {
        Self { bytes, form }
    }

    /// Takes the bytes of a path that is in its form.
    #[doc(hidden)]
    #[must_use]
    pub const fn owned(bytes: Vec<u8>, form: PathForm) -> Self {
        Self { bytes: Cow::Owned(bytes), form }
    }

    /// Returns the path as the engines take it.
    #[must_use]
    #[inline]
    pub fn as_path(&self) -> UrlPath<'_> {
        UrlPath::assume(&self.bytes, self.form)
    }

    /// Returns the bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes, borrowed from the URL if nothing had to change.
    #[must_use]
    pub fn into_cow(self) -> Cow<'u, [u8]> {
        self.bytes
    }
}

impl<'u> From<UrlPath<'u>> for UrlPathBuf<'u> {
    fn from(path: UrlPath<'u>) -> Self {
        Self::new(Cow::Borrowed(path.as_bytes()), path.form())
    }
}
