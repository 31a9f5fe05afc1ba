//! From a URL on the command line to the path that rules are matched against.

use robotsc::{Dialect, UrlPathBuf, origin};

/// How URLs are read.
#[derive(Clone, Copy, Debug)]
pub struct UrlReader<'d> {
    /// The dialect, whose normal form the path has.
    pub dialect: &'d Dialect,
    /// Whether any bytes are accepted, as google/robotstxt does, and none is escaped first.
    pub raw: bool,
}

impl UrlReader<'_> {
    /// Returns the path to match. A URL with a host is read as `filter` and the frontier read it, so that `check`
    /// refuses what they refuse; a path, which starts with a slash, has no host.
    ///
    /// # Errors
    /// Says in words why the URL has none.
    pub fn path<'u>(self, url: &'u [u8]) -> Result<UrlPathBuf<'u>, String> {
        if self.raw {
            return Ok(self.dialect.raw_url_path(url));
        }
        if is_path(url) {
            return self.dialect.url_path(url).map_err(|error| error.to_string());
        }
        origin::split(self.dialect, url).map(|url| url.path).map_err(|error| error.to_string())
    }
}

/// Reports whether a URL is a path, without a host: whether it starts with a slash or, as WHATWG reads it, a backslash
/// after blanks and controls.
pub fn is_path(url: &[u8]) -> bool {
    matches!(url.iter().find(|byte| **byte > b' '), Some(b'/' | b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_refuses_what_filter_refuses() {
        for dialect in Dialect::ALL {
            let reader = UrlReader { dialect, raw: false };
            for url in [
                "http://h.example;x",
                "http://h.example;x/a",
                "http://[::1",
                "http://[::1/a",
                "http://h.example:99999/",
                "http://a..b/",
                "http://.a/a",
                "http://a@b@c/",
                "http:///a",
                "http://a%00b/",
                "http://256.256.256.256/",
                "mailto:me@h.example",
                "h.example/a",
                "//h.example/a",
                "\t/\\h.example/a",
                "",
            ] {
                let refused = reader.path(url.as_bytes());
                assert!(refused.is_err(), "{} {url}: {refused:?}", dialect.name);
                assert!(origin::split(dialect, url.as_bytes()).is_err(), "{} {url}", dialect.name);
            }
            for (url, path) in [
                ("http://h.example\\a", "/a"),
                ("http://h.example", "/"),
                ("http://[::1]:8080/a", "/a"),
                ("http://b\u{fc}cher.example./a", "/a"),
                ("  /a/../b", "/b"),
                ("\\a", "/a"),
            ] {
                let found = reader.path(url.as_bytes()).map(|path| path.into_cow().into_owned());
                assert_eq!(found.as_deref(), Ok(path.as_bytes()), "{} {url}", dialect.name);
            }
        }
    }
}
