//! The form that a dialect compares paths in, and the raw entry: the path as google/robotstxt takes it from a URL.

use std::borrow::Cow;

use robotsc_runtime::PathForm;

use crate::dialect::{Dialect, Escapes};
use crate::rules::escape::{self, Side};
use crate::url::url_path::UrlPathBuf;

impl Dialect {
    /// Returns the form that this dialect compares paths in.
    #[must_use]
    #[inline]
    pub const fn path_form(&self) -> PathForm {
        match self.escapes {
            Escapes::PatternOnly | Escapes::HexAndNonAscii => PathForm::Escaped,
            Escapes::Canonical => PathForm::Canonical { query_reserved: self.query_reserved },
        }
    }

    /// Returns the path that google/robotstxt takes from a URL, in the form of this dialect: any bytes have a path, and
    /// under [`Dialect::GOOGLE`] nothing in it is resolved or escaped. For conformance with recorded answers only; a
    /// crawler wants [`Dialect::url_path`].
    ///
    /// Cost: linear. Never panics.
    ///
    /// ```
    /// use robotsc::Dialect;
    ///
    /// assert_eq!(Dialect::GOOGLE.raw_url_path(b"example.com/a/../b c#d").as_bytes(), b"/a/../b c");
    /// assert_eq!(Dialect::GOOGLE.raw_url_path(b"mailto:x").as_bytes(), b"/");
    /// assert_eq!(Dialect::RFC9309.raw_url_path(b"https://h/%7ea*b").as_bytes(), b"/~a%2Ab");
    /// ```
    #[must_use]
    pub fn raw_url_path<'u>(&self, url: &'u [u8]) -> UrlPathBuf<'u> {
        let bytes = match (self.escapes, google_path(url)) {
            (Escapes::PatternOnly, path) => path,
            (_, Cow::Borrowed(path)) => normalize_form(path, self.path_form()),
            (_, Cow::Owned(path)) => Cow::Owned(normalize_form(&path, self.path_form()).into_owned()),
        };
        UrlPathBuf::new(bytes, self.path_form())
    }

    /// Returns a path as written in a URL, in the form of this dialect, without resolving it: see
    /// [`raw_url_path`](Dialect::raw_url_path). For tests of the engines.
    #[doc(hidden)]
    #[must_use]
    pub fn raw_path<'p>(&self, path: &'p [u8]) -> UrlPathBuf<'p> {
        let bytes = match self.escapes {
            Escapes::PatternOnly => Cow::Borrowed(path),
            Escapes::HexAndNonAscii | Escapes::Canonical => normalize_form(path, self.path_form()),
        };
        UrlPathBuf::new(bytes, self.path_form())
    }
}

/// Brings a resolved path to a form.
pub(crate) fn normalize_form(path: &[u8], form: PathForm) -> Cow<'_, [u8]> {
    match form {
        PathForm::Escaped => escaped_path(path),
        PathForm::Canonical { query_reserved } if escape::canonical_may_differ(path, Side::Path) => {
            let mut canonical = Vec::with_capacity(path.len() + 32);
            escape::canonical(path, Side::Path, query_reserved, &mut canonical);
            Cow::Owned(canonical)
        }
        PathForm::Canonical { .. } => Cow::Borrowed(path),
    }
}

/// Escapes bytes from 0x80, and brings the hex digits of escapes to upper case.
fn escaped_path(path: &[u8]) -> Cow<'_, [u8]> {
    if !escape::escaped_differs(path) {
        return Cow::Borrowed(path);
    }
    let mut escaped = Vec::with_capacity(path.len() + 32);
    escape::escaped(path, &mut escaped);
    Cow::Owned(escaped)
}

/// Returns the path, parameters and query of a URL as robots.cc's `GetPathParamsQuery` does, bug for bug: any bytes
/// have a path, and nothing is escaped. Borrows unless the path lacks its slash (`http://host?query`).
fn google_path(url: &[u8]) -> Cow<'_, [u8]> {
    // The matcher of robots.cc takes the path as a C string.
    let path = google_split(url).map(|path| memchr::memchr(0, path).map_or(path, |nul| &path[..nul]));
    match path {
        Some(path) if path.starts_with(b"/") => Cow::Borrowed(path),
        Some(path) => Cow::Owned([b"/", path].concat()),
        None => Cow::Borrowed(b"/"),
    }
}

/// Returns what [`google_path`] finds, before it puts a slash before a path that begins with `?` or `;`; `None` if
/// there is no path.
fn google_split(url: &[u8]) -> Option<&[u8]> {
    // Two slashes at the start are those of a URL without a scheme.
    let url = url.strip_prefix(b"//").unwrap_or(url);
    let first = |from: usize| memchr::memchr3(b'/', b'?', b';', url.get(from..)?).map(|at| from + at);
    let authority = match url {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 8,
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 7,
        _ => {
            // Only where `://` stands before any other sign of a path does it end a scheme.
            let slash = first(0)?;
            let scheme = slash > 0 && url[slash - 1] == b':' && url[slash..].starts_with(b"//");
            if scheme { slash + 2 } else { 0 }
        }
    };
    let start = first(authority)?;
    match memchr::memchr(b'#', url) {
        Some(fragment) if fragment < start => None,
        Some(fragment) => Some(&url[start..fragment]),
        None => Some(&url[start..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_urls_as_robots_cc_takes_them() {
        for (url, path) in [
            ("", "/"),
            ("http://www.example.com", "/"),
            ("http://www.example.com/", "/"),
            ("http://www.example.com/a", "/a"),
            ("http://www.example.com/a/", "/a/"),
            ("http://www.example.com/a/b?c=http://d.e/", "/a/b?c=http://d.e/"),
            ("http://www.example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
            ("example.com", "/"),
            ("example.com/", "/"),
            ("example.com/a", "/a"),
            ("example.com/a/", "/a/"),
            ("example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
            ("a", "/"),
            ("a/", "/"),
            ("/a", "/a"),
            ("a/b", "/b"),
            ("example.com?a", "/?a"),
            ("example.com/a;b#c", "/a;b"),
            ("//a/b/c", "/b/c"),
            // What follows from its code.
            ("http://example.com;x", "/;x"),
            ("http://example.com#/a", "/"),
            ("example.com?a://b/c", "/?a://b/c"),
            ("//http://example.com/a", "/a"),
            ("://a/b", "/b"),
            ("///a", "/a"),
            ("//", "/"),
            ("/", "/"),
            ("http:/a", "/a"),
            ("http:///a", "/a"),
            ("HTTPS://h/%aa\u{e9}", "/%aa\u{e9}"),
            ("a#://b/c", "/"),
            ("mailto:x@y", "/"),
            ("https://", "/"),
            // A NUL ends the path, but nothing before it.
            ("http://example.com/a\0b?c", "/a"),
            ("http://example.com/a?b\0#c", "/a?b"),
            ("http://example.com?\0", "/?"),
            ("exam\0ple.com/a", "/a"),
        ] {
            assert_eq!(String::from_utf8_lossy(&google_path(url.as_bytes())), path, "{url}");
        }
    }

    /// The same cut, written as robots.cc's steps are: searches from the start, one after the other.
    fn by_steps(url: &[u8]) -> Vec<u8> {
        let from = if url.starts_with(b"//") { 2 } else { 0 };
        let find = |from: usize, wanted: &dyn Fn(&[u8]) -> bool| (from..url.len()).find(|&at| wanted(&url[at..]));
        let sign = |rest: &[u8]| matches!(rest[0], b'/' | b'?' | b';');
        let early = find(from, &sign).unwrap_or(usize::MAX);
        let authority = match find(from, &|rest: &[u8]| rest.starts_with(b"://")) {
            Some(scheme) if early >= scheme => scheme + 3,
            _ => from,
        };
        let Some(start) = find(authority, &sign) else { return b"/".to_vec() };
        let fragment = find(from, &|rest: &[u8]| rest[0] == b'#').unwrap_or(url.len());
        if fragment < start {
            return b"/".to_vec();
        }
        let path = &url[start..fragment];
        if path.starts_with(b"/") { path.to_vec() } else { [b"/", path].concat() }
    }

    #[test]
    fn every_short_text_over_the_bytes_that_matter() {
        let alphabet = b"/:?#;a";
        for length in 0..7 {
            for number in 0..alphabet.len().pow(length) {
                let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
                let url: Vec<u8> = (0..length).map(digit).collect();
                assert_eq!(*google_path(&url), *by_steps(&url), "{}", url.escape_ascii());
                for scheme in [&b"http"[..], b"https", b"http://", b"https://"] {
                    let url = [scheme, &url].concat();
                    assert_eq!(*google_path(&url), *by_steps(&url), "{}", url.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn paths_in_the_dialects_form() {
        let hex = &Dialect::GOOGLE_2017;
        let canonical = &Dialect::RFC9309;
        for (dialect, path, form) in [
            (&Dialect::GOOGLE, &b"/%aa\xE3\x83\x84 *$"[..], &b"/%aa\xE3\x83\x84 *$"[..]),
            (hex, b"/%aa\xE3\x83\x84 *$%61%zz%", b"/%AA%E3%83%84 *$%61%zz%"),
            (canonical, b"/%61%aa\xE3\x83\x84 *$%2f%2A%zz%", b"/a%AA%E3%83%84%20%2A%24%2F%2A%zz%"),
            (canonical, b"/a/b:c;d?e=/f&g=%3a:;?", b"/a/b:c;d?e=/f&g=::;?"),
            (canonical, b"/foo/bar?baz=https://foo.bar", b"/foo/bar?baz=https://foo.bar"),
            (canonical, b"/foo/bar?baz=https%3a%2F%2ffoo.bar", b"/foo/bar?baz=https://foo.bar"),
            (canonical, b"", b""),
        ] {
            let normal = dialect.raw_path(path);
            assert_eq!(
                normal.as_bytes().escape_ascii().to_string(),
                form.escape_ascii().to_string(),
                "{}",
                dialect.name
            );
        }
    }

    #[test]
    fn nothing_to_do_borrows() {
        for path in [&b"/a/b-c_d.e~f:g;h,i/@(j)?k=l&m=n-o"[..], b"/", b"/a?", b"/%AF"] {
            assert!(matches!(Dialect::GOOGLE_2017.raw_path(path).into_cow(), Cow::Borrowed(_)));
        }
        for path in [&b"/a/b-c_d.e~f:g;h,i/@(j)?k=l&m=n-o"[..], b"/", b"/a?"] {
            assert!(matches!(Dialect::RFC9309.raw_path(path).into_cow(), Cow::Borrowed(_)));
        }
    }
}
