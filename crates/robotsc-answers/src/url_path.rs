//! From a URL on the command line to the path that rules are matched against.

use robotsc::Dialect;
use robotsc::origin::{self, Origin};
use robotsc::url::UrlPathBuf;

/// How URLs are read.
#[derive(Clone, Copy, Debug)]
pub struct UrlReader<'d> {
    /// The dialect, whose normal form the path has.
    pub dialect: &'d Dialect,
    /// Whether any bytes are accepted, as google/robotstxt does, and none is escaped first.
    pub raw: bool,
    /// The site whose robots.txt answers, if it is known: URLs of others are mistakes, since other rules count there.
    pub site: Option<&'d Origin>,
}

impl<'d> UrlReader<'d> {
    /// Reads the URLs of any site, as every client sends them.
    #[must_use]
    pub const fn new(dialect: &'d Dialect) -> Self {
        Self { dialect, raw: false, site: None }
    }

    /// Returns the path to match. A URL with a host is read as `filter` and the frontier read it, so that `check`
    /// refuses what they refuse; a path, which starts with a slash, has no host.
    ///
    /// # Errors
    /// Says in words why the URL has none, or that it is one of another site.
    pub fn path<'u>(self, url: &'u [u8]) -> Result<UrlPathBuf<'u>, String> {
        if let Some(site) = self.site
            && !is_path(url)
            && let Some(own) = Origin::of_url(url).ok().filter(|own| own != site)
        {
            return Err(format!("it is of another origin than {site}: {own}/robots.txt counts for it"));
        }
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
    fn urls_of_other_sites_are_mistakes() {
        let site = Origin::parse(b"https://shop.example").expect("an origin");
        for raw in [false, true] {
            let reader = UrlReader { raw, site: Some(&site), ..UrlReader::new(&Dialect::GOOGLE) };
            for url in ["/a", "https://shop.example/a", "HTTPS://SHOP.EXAMPLE:443/a"] {
                assert!(reader.path(url.as_bytes()).is_ok(), "{url}");
            }
            for url in ["http://shop.example/a", "https://www.shop.example/a", "https://shop.example:8443/a"] {
                let reason = reader.path(url.as_bytes()).err();
                let own = url.strip_suffix("/a").expect("a path");
                let wanted =
                    format!("it is of another origin than https://shop.example: {own}/robots.txt counts for it");
                assert_eq!(reason, Some(wanted), "{url}");
            }
        }
    }

    #[test]
    fn check_refuses_what_filter_refuses() {
        for dialect in Dialect::ALL {
            let reader = UrlReader::new(dialect);
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
