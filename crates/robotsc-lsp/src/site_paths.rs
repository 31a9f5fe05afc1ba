//! The paths of a site's pages, from its sitemaps, for completion.
//!
//! ```text
//! /blog/2025/a   /blog/2025/b   /cart        after `/b`: `/blog/` (2 URLs)        after `/blog/`: `/blog/2025/`
//! ```

use robotsc::Dialect;

/// The paths of the URLs of sitemaps.
#[derive(Debug)]
pub(crate) struct SitePaths {
    /// Sorted, each once.
    paths: Vec<String>,
}

/// A text that goes on with what was typed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Continuation<'p> {
    /// Up to the next `/`, or a whole path.
    pub(crate) path: &'p str,
    /// The number of pages below it.
    pub(crate) pages: usize,
}

impl SitePaths {
    /// Reads the paths of URLs, in the form in which a dialect compares them with patterns. What is no URL is skipped.
    /// Cost: n log n.
    pub(crate) fn new(urls: &[Vec<u8>], dialect: &Dialect) -> Self {
        let path = |url: &Vec<u8>| String::from_utf8(dialect.url_path(url).ok()?.as_bytes().to_vec()).ok();
        let mut paths: Vec<String> = urls.iter().filter_map(path).collect();
        paths.sort_unstable();
        paths.dedup();
        Self { paths }
    }

    /// Returns what can come after a text, at most `limit` of it, in order.
    ///
    /// Cost: two binary searches for each.
    pub(crate) fn continuations(&self, typed: &str, limit: usize) -> Vec<Continuation<'_>> {
        let mut found = Vec::new();
        let mut rest = self.starting_with(&self.paths, typed);
        while let Some(first) = rest.first().filter(|_| found.len() < limit) {
            let tail = &first[typed.len()..];
            let path = tail.find('/').map_or(first.as_str(), |at| &first[..typed.len() + at + 1]);
            // What was typed is a page itself.
            let is_typed = tail.is_empty();
            let pages = if path.ends_with('/') && !is_typed { self.starting_with(rest, path).len() } else { 1 };
            rest = &rest[pages..];
            if !is_typed {
                found.push(Continuation { path, pages });
            }
        }
        found
    }

    fn starting_with<'p>(&self, paths: &'p [String], prefix: &str) -> &'p [String] {
        let start = paths.partition_point(|path| path.as_str() < prefix);
        let count = paths[start..].partition_point(|path| path.starts_with(prefix));
        &paths[start..start + count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_part_of_a_path() {
        let urls =
            ["https://h/blog/2025/a", "https://h/blog/2025/b", "/blog/x", "/cart", "/blog/", "/cart", "mailto:x"];
        let site = SitePaths::new(&urls.map(|url| url.as_bytes().to_vec()), &Dialect::RFC9309);
        for (typed, wanted) in [
            ("", &["/ 5"][..]),
            ("/", &["/blog/ 4", "/cart 1"]),
            ("/b", &["/blog/ 4"]),
            ("/blog/", &["/blog/2025/ 2", "/blog/x 1"]),
            ("/blog/2025/a", &[]),
            ("/x", &[]),
        ] {
            let found = site.continuations(typed, 9);
            let found: Vec<_> = found.iter().map(|next| format!("{} {}", next.path, next.pages)).collect();
            assert_eq!(found, wanted, "{typed}");
        }
        assert_eq!(site.continuations("/", 1).len(), 1);
    }

    #[test]
    fn a_completed_path_matches_its_page() {
        let url = b"https://h/go?u=%2Fx%7e\xC3\xA9".to_vec();
        for dialect in Dialect::ALL {
            let site = SitePaths::new(std::slice::from_ref(&url), dialect);
            let path = site.continuations("/go", 1)[0].path.to_owned();
            let whole = site.continuations(&path, 1).first().map_or(path, |next| next.path.to_owned());
            let body = format!("User-agent: *\nDisallow: {whole}\n");
            let robots = robotsc::RobotsTxt::parse_with(body.as_bytes(), dialect);
            let set = robots.rule_set(&robotsc::Crawler::others());
            let path = dialect.url_path(&url).expect("a URL");
            let rule = set.deciding_rule(path.as_path()).expect("a path of the form");
            assert_eq!(rule.map(|rule| rule.line), Some(2), "{}: {whole}", dialect.name);
        }
    }
}
