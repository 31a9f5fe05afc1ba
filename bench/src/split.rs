//! From a URL to its path by the simplest means, for the corpus and for the peers that take a path only.

use std::borrow::Cow;

/// The path, parameters and query of a URL, as robots.cc's `GetPathParamsQuery` gives them.
pub(crate) fn google_path(url: &str) -> Cow<'_, str> {
    let start = if url.starts_with("//") { 2 } else { 0 };
    let after = |from: usize| url[from..].find(['/', '?', ';']).map(|at| from + at);
    let scheme = url[start..].find("://").map(|at| start + at);
    let authority = match (scheme, after(start)) {
        (Some(scheme), Some(path)) if path < scheme => start,
        (Some(scheme), _) => scheme + 3,
        (None, _) => start,
    };
    let Some(path) = after(authority) else { return Cow::Borrowed("/") };
    let end = match url[start..].find('#').map(|at| start + at) {
        Some(hash) if hash < path => return Cow::Borrowed("/"),
        Some(hash) => hash,
        None => url.len(),
    };
    let text = &url[path..end];
    if text.starts_with('/') { Cow::Borrowed(text) } else { Cow::Owned(format!("/{text}")) }
}

/// The path of an ordinary `scheme://host/path#fragment` by three memchr calls: the least that splitting can cost.
pub(crate) fn slice_path(url: &[u8]) -> &[u8] {
    let host = memchr::memchr(b':', url).map_or(0, |at| at + 3);
    let rest = url.get(host..).unwrap_or_default();
    let Some(path) = memchr::memchr(b'/', rest) else { return b"/" };
    let rest = &rest[path..];
    memchr::memchr(b'#', rest).map_or(rest, |at| &rest[..at])
}

#[cfg(test)]
mod tests {
    use super::{google_path, slice_path};

    #[test]
    fn paths_are_those_of_robots_cc() {
        for (url, path) in [
            ("", "/"),
            ("http://www.example.com", "/"),
            ("http://www.example.com/a", "/a"),
            ("http://www.example.com/a/b?c=http://d.e/#f", "/a/b?c=http://d.e/"),
            ("http://www.example.com?a", "/?a"),
            ("http://www.example.com/a;c#d", "/a;c"),
            ("http://www.example.com#a/b", "/"),
            ("example.com/a", "/a"),
            ("//a/b/c", "/b/c"),
            ("//a/b?c", "/b?c"),
            ("a", "/"),
            ("a/b", "/b"),
        ] {
            assert_eq!(google_path(url), path, "{url}");
        }
    }

    #[test]
    fn ordinary_urls_are_sliced_alike() {
        for url in ["http://a/", "https://a.b/c?d=e", "https://a.b/c#d"] {
            assert_eq!(slice_path(url.as_bytes()), google_path(url).as_bytes(), "{url}");
        }
    }
}
