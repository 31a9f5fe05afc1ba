//! Paths in the form that rules are compared in.
//!
//! Under `Disallow: /caf%C3%A9`, the URL `https://h/café` must be disallowed. So a dialect compares patterns and paths
//! in one [form](PathForm), and a path reaches an engine only as a [`UrlPath`], which records its form. An engine that
//! was compiled for another form returns [`PathFormError`], never a verdict.
//!
//! Most paths are in every form as they stand: [`UrlPath::new`] checks that without a table or an allocation. To
//! normalize any URL, use `Dialect::url_path` of `robotsc-compiler`.

use core::fmt;

use crate::normalized;

/// The form that a dialect compares paths in.
///
/// In every form, dot segments, backslashes and tabs of a URL are resolved as the WHATWG URL standard says, bytes from
/// 0x80 are percent-encoded and the hex digits of escapes are upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathForm {
    /// Escapes are not decoded: `google`, `google-2017`, `google-2019`.
    Escaped,
    /// Escapes of unreserved bytes are decoded, `*` and `$` are escaped (RFC 9309 section 2.2.2).
    Canonical {
        /// Whether escapes of reserved bytes are decoded in the query: `rfc9309`, not `yandex`.
        query_reserved: bool,
    },
}

impl PathForm {
    /// All forms, in the order of their bytes in programs and packs.
    #[doc(hidden)]
    pub const ALL: [Self; 3] =
        [Self::Escaped, Self::Canonical { query_reserved: false }, Self::Canonical { query_reserved: true }];

    /// Returns the byte that stands for this form in programs and packs.
    #[doc(hidden)]
    #[must_use]
    pub const fn to_byte(self) -> u8 {
        match self {
            Self::Escaped => 0,
            Self::Canonical { query_reserved: false } => 1,
            Self::Canonical { query_reserved: true } => 2,
        }
    }

    /// Returns a number for this form: in memory it is the form itself, so that forms are compared as one byte.
    #[inline(always)]
    const fn number(self) -> u8 {
        match self {
            Self::Canonical { query_reserved } => query_reserved as u8,
            Self::Escaped => 2,
        }
    }

    /// Returns the form that a byte stands for, or `None` if it stands for none.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Escaped),
            1 => Some(Self::Canonical { query_reserved: false }),
            2 => Some(Self::Canonical { query_reserved: true }),
            _ => None,
        }
    }

    /// Reports whether a path that starts with `/` is in this form as written.
    ///
    /// Cost: one look at each byte, sixteen at a time; a second one at each [sign](crate::Signs).
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn is_normalized(self, path: &[u8]) -> bool {
        self.first_change(path, 0).is_none()
    }

    /// Returns the position of the first byte that normalization changes in the path that `text` ends with, whose `/`
    /// is at `slash`. `None` if the path is in this form as written.
    ///
    /// Cost: as [`is_normalized`](PathForm::is_normalized).
    #[doc(hidden)]
    #[must_use]
    pub fn first_change(self, text: &[u8], slash: usize) -> Option<usize> {
        match self {
            Self::Escaped => normalized::first_change::<false>(text, slash, false),
            Self::Canonical { query_reserved } => normalized::first_change::<true>(text, slash, query_reserved),
        }
    }
}

impl fmt::Display for PathForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Escaped => "escaped",
            Self::Canonical { query_reserved: false } => "canonical",
            Self::Canonical { query_reserved: true } => "canonical with a decoded query",
        })
    }
}

/// The path, parameters and query of a URL, with the form that they are in. Starts with `/`.
///
/// ```
/// use robotsc::{PathForm, UrlPath};
///
/// let path = UrlPath::new(b"/cart?x=1", PathForm::Escaped)?;
/// assert_eq!(path.as_bytes(), b"/cart?x=1");
/// // A URL is no path, and what must be normalized first is refused.
/// assert!(UrlPath::new(b"https://shop.example/cart", PathForm::Escaped).is_err());
/// assert!(UrlPath::new(b"/a/../cart", PathForm::Escaped).is_err());
/// # Ok::<(), robotsc::url::UrlPathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UrlPath<'u> {
    bytes: &'u [u8],
    form: PathForm,
}

impl<'u> UrlPath<'u> {
    /// Returns a path that is in `form` as written.
    ///
    /// Cost: one look at each byte, sixteen at a time. Never panics.
    ///
    /// # Errors
    /// [`UrlPathError`] if the path does not start with `/`, or normalization would change it.
    pub fn new(path: &'u [u8], form: PathForm) -> Result<Self, UrlPathError> {
        match path {
            [b'/', b'/' | b'\\', ..] => Err(UrlPathError(Kind::TwoSlashes)),
            [b'/', ..] if form.is_normalized(path) => Ok(Self { bytes: path, form }),
            [b'/', ..] => Err(UrlPathError(Kind::NotNormalized)),
            _ => Err(UrlPathError(Kind::NoSlash)),
        }
    }

    /// Returns a path of these bytes without a check: the caller normalized them, or wants them compared as they are.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn assume(bytes: &'u [u8], form: PathForm) -> Self {
        Self { bytes, form }
    }

    /// Returns the bytes.
    #[must_use]
    #[inline(always)]
    pub const fn as_bytes(self) -> &'u [u8] {
        self.bytes
    }

    /// Returns the form that the path is in.
    #[must_use]
    #[inline(always)]
    pub const fn form(self) -> PathForm {
        self.form
    }

    /// Returns the bytes if they are in `form`.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form.
    #[doc(hidden)]
    #[inline(always)]
    pub fn in_form(self, form: PathForm) -> Result<&'u [u8], PathFormError> {
        if self.form.number() == form.number() {
            Ok(self.bytes)
        } else {
            Err(PathFormError { path: self.form, rules: form })
        }
    }
}

/// Reports that a path is in another form than the rules were compiled for.
///
/// It means that the path was made by another dialect than the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathFormError {
    path: PathForm,
    rules: PathForm,
}

impl PathFormError {
    /// Returns the form of the path.
    #[must_use]
    pub const fn path(&self) -> PathForm {
        self.path
    }

    /// Returns the form of the rules.
    #[must_use]
    pub const fn rules(&self) -> PathForm {
        self.rules
    }
}

impl fmt::Display for PathFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, rules } = self;
        write!(
            f,
            "the path is in the form '{path}', the rules compare paths in the form '{rules}': \
             normalize the URL with the dialect of the rules"
        )
    }
}

impl core::error::Error for PathFormError {}

/// Reports why bytes are no normalized path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlPathError(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    NoSlash,
    TwoSlashes,
    NotNormalized,
}

impl fmt::Display for UrlPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::NoSlash => "a path starts with '/': pass a whole URL to a function that takes URLs",
            Kind::TwoSlashes => "two slashes at the start begin a host, not a path: write the scheme before them",
            Kind::NotNormalized => "the path is not normalized: make it with Dialect::url_path of robotsc-compiler",
        })
    }
}

impl core::error::Error for UrlPathError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stand_for_one_form_each() {
        for form in PathForm::ALL {
            assert_eq!(PathForm::from_byte(form.to_byte()), Some(form));
        }
        assert_eq!((3..=255).find_map(PathForm::from_byte), None);
    }

    #[test]
    fn only_normalized_paths_are_accepted() {
        for (path, accepted) in [
            ("", [false; 3]),
            ("a", [false; 3]),
            ("https://h/a", [false; 3]),
            ("//h/a", [false; 3]),
            ("/\\h/a", [false; 3]),
            ("/", [true; 3]),
            ("/a/b-c_d.e:g;h,i/@(j)?k=l&m=n-o", [true; 3]),
            ("/a.b/c..d/.e/..f/~g/h!", [true; 3]),
            ("/a%2Fb%zz%", [true; 3]),
            ("/a%2fb", [false; 3]),
            ("/a?%2F", [true, true, false]),
            ("/a?b'c", [false, false, true]),
            ("/a'c?/../.", [true; 3]),
            ("/a|b^c", [true, false, false]),
            ("/%2e%2E/a", [false; 3]),
            ("/a/.%2e?b", [false; 3]),
            ("/a?b=/c", [true; 3]),
            ("/a*b", [true, false, false]),
            ("/a$", [true, false, false]),
            ("/a b", [false; 3]),
            ("/a\n", [false; 3]),
            ("/a#b", [false; 3]),
            ("/a\\b", [false; 3]),
            ("/a/../b", [false; 3]),
            ("/./b", [false; 3]),
            ("/a/..", [false; 3]),
            ("/%61", [true, false, false]),
            ("/\u{e4}", [false; 3]),
            ("/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%aba", [false; 3]),
            ("/aaaaaaaaaaaaaa/../aaaaaaaaaaaaaaaaaa", [false; 3]),
            ("/aaaaaaaaaaaaaaa/../aaaaaaaaaaaaaaaaa", [false; 3]),
        ] {
            assert_eq!(PathForm::ALL.map(|form| UrlPath::new(path.as_bytes(), form).is_ok()), accepted, "{path}");
        }
    }
}
