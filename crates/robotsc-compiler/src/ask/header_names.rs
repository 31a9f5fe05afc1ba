//! Known names of crawlers in a whole `User-Agent` header.
//!
//! A [`Crawler`] has names, and nothing is ever cut from them: `Mozilla/5.0 (compatible; FooBot/2.1;
//! +http://foo.example/)` is no name. If only the header is known, [`HeaderNames`] finds the names in it.
//!
//! A name is found if it is a whole product in the header: neither neighbor is a letter, a digit, `_` or `-`, and it is
//! no part of a URL, a host or an address (no `/`, `.`, `:`, `@`, `=`, `&`, `?` or `%` before it, no `@` after it, no
//! `.` with a letter or digit after it). So `FooBot` is in `FooBot/2.1` and `(FooBot; x)`, and not in `MyFooBot`,
//! `FooBot-Image`, `FooBot2` or `+http://foobot.example/`.

use std::collections::BTreeSet;
use std::fmt;

use aho_corasick::{AhoCorasick, Match};
use robotsc_runtime::{AgentError, AgentName};

use crate::ask::agent::Crawler;
use crate::robots_txt::RobotsTxt;
use crate::small_sort::SmallSort as _;

/// Names of crawlers to look for in headers.
#[derive(Clone, Debug)]
pub struct HeaderNames {
    /// As they were given; of equal names the first.
    names: Vec<Vec<u8>>,
    automaton: AhoCorasick,
}

/// Reports why no [`HeaderNames`] could be made: a name is none, or the names are too many or too long.
#[derive(Clone, Debug)]
pub struct HeaderNamesError(HeaderNamesErrorKind);

#[derive(Clone, Debug)]
enum HeaderNamesErrorKind {
    Name(AgentError),
    TooMany(aho_corasick::BuildError),
}

impl fmt::Display for HeaderNamesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            HeaderNamesErrorKind::Name(error) => error.fmt(f),
            HeaderNamesErrorKind::TooMany(error) => write!(f, "too many agent names: {error}: look for fewer"),
        }
    }
}

impl std::error::Error for HeaderNamesError {}

/// Reports whether a byte can be part of a product's name.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

impl HeaderNames {
    /// Makes the search for these names. Names that differ only in case are one, in the first spelling.
    ///
    /// Cost: linear in the names, once.
    ///
    /// # Errors
    /// [`HeaderNamesError`] if a name is no [`AgentName`], since it would never be found; or if the names have more
    /// than about two billion bytes together.
    pub fn new<T: AsRef<[u8]>>(names: impl IntoIterator<Item = T>) -> Result<Self, HeaderNamesError> {
        let mut seen = BTreeSet::new();
        let mut known: Vec<Vec<u8>> = Vec::new();
        for name in names {
            let name = name.as_ref();
            AgentName::of_group(name).map_err(|error| HeaderNamesError(HeaderNamesErrorKind::Name(error)))?;
            if seen.insert(name.to_ascii_lowercase()) {
                known.push(name.to_vec());
            }
        }
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(&known);
        let automaton = automaton.map_err(|error| HeaderNamesError(HeaderNamesErrorKind::TooMany(error)))?;
        Ok(Self { names: known, automaton })
    }

    /// Makes the search for the names of a file: product tokens, and values as written. What is no name is skipped.
    ///
    /// # Errors
    /// As [`HeaderNames::new`].
    pub fn of(robots: &RobotsTxt<'_>) -> Result<Self, HeaderNamesError> {
        let body = robots.body();
        let names = robots.agents().iter().flat_map(|agent| [agent.token.of(body), agent.written(body)]);
        Self::new(names.filter(|name| AgentName::of_group(name).is_ok()))
    }

    /// Returns the names, as they were given.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(Vec::as_slice)
    }

    /// Returns the known names in a header, in the header's order; one that is there twice comes twice.
    ///
    /// Cost: linear in the header and the names found. Never panics.
    ///
    /// ```
    /// use robotsc::agent::HeaderNames;
    ///
    /// let known = HeaderNames::new(["FooBot", "FooBot-Image"])?;
    /// let header = b"Mozilla/5.0 (compatible; foobot-image/1.0; +http://foobot.example/)";
    /// assert_eq!(known.find(header).collect::<Vec<_>>(), [b"FooBot-Image"]);
    /// # Ok::<(), robotsc::agent::HeaderNamesError>(())
    /// ```
    pub fn find<'s>(&'s self, header: &'s [u8]) -> impl Iterator<Item = &'s [u8]> {
        let mut found: Vec<Match> = self
            .automaton
            .find_overlapping_iter(header)
            .filter(|found| is_product(&header[..found.start()], &header[found.end()..]))
            .collect();
        found.small_sort_unstable_by_key(|found| (found.start(), std::cmp::Reverse(found.end())));
        // Names within a longer one that was found are parts of it.
        let mut end = 0;
        found.retain(|found| {
            let is_inside = found.end() <= end;
            end = end.max(found.end());
            !is_inside
        });
        found.into_iter().filter_map(|found| self.names.get(found.pattern().as_usize()).map(Vec::as_slice))
    }

    /// Returns the crawler with the known names in a header, as a pool; [`Crawler::others`] if none is in it.
    #[must_use]
    pub fn crawler(&self, header: &[u8]) -> Crawler {
        Crawler::pool_of(self.find(header).filter_map(|name| AgentName::of_group(name).ok()))
    }
}

/// Reports whether what is between `before` and `after` is a product of its own.
fn is_product(before: &[u8], after: &[u8]) -> bool {
    let begins = before
        .last()
        .is_none_or(|&byte| !is_word(byte) && !matches!(byte, b'/' | b'.' | b':' | b'@' | b'=' | b'&' | b'?' | b'%'));
    let ends = match after {
        [b'@', ..] => false,
        [b'.', next, ..] => !next.is_ascii_alphanumeric(),
        [next, ..] => !is_word(*next),
        [] => true,
    };
    begins && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_products_only() {
        let known = HeaderNames::new([
            "FooBot",
            "Foo",
            "foobot-image",
            "FOOBOT",
            "Mozilla",
            "Bot_9",
            "MJ",
            "MJ12bot",
            "archive",
            "archive.org_bot",
            "org_bot",
        ])
        .unwrap();
        assert_eq!(known.names().count(), 10);
        for (header, found) in [
            ("", &[][..]),
            ("FooBot", &["FooBot"]),
            ("foobot/2.1", &["FooBot"]),
            ("Mozilla/5.0 (compatible; FooBot/2.1; +http://foobot.example/bot)", &["Mozilla", "FooBot"]),
            ("FooBot-Image/1.0 FooBot", &["foobot-image", "FooBot"]),
            ("FooBot-Images", &[]),
            ("MyFooBot FooBot2 FooBot_ -FooBot XFoo-FooBot", &[]),
            ("FooBot. Foo, FOO", &["FooBot", "Foo", "Foo"]),
            ("foobot.example www.foobot x@foobot foobot@x http://foobot", &[]),
            ("/foo?foobot=1 a=foobot", &[]),
            ("(foobot;bot_9)", &["FooBot", "Bot_9"]),
            ("\u{e4}FooBot\u{e4}", &["FooBot"]),
            ("Foo Bot Foo\tBot", &["Foo", "Foo"]),
            ("Mozilla/5.0 (compatible; MJ12bot/v1.4.8)", &["Mozilla", "MJ12bot"]),
            ("archive.org_bot/1", &["archive.org_bot"]),
        ] {
            let tokens: Vec<_> = known.find(header.as_bytes()).map(|token| String::from_utf8_lossy(token)).collect();
            assert_eq!(tokens, found, "{header}");
        }
    }

    #[test]
    fn without_names_nothing_is_found() {
        for none in ["", "*", "a b"] {
            assert!(HeaderNames::new(["FooBot", none]).is_err(), "{none}");
        }
        let known = HeaderNames::new([""; 0]).unwrap();
        assert_eq!(known.find(b"FooBot").count(), 0);
    }

    #[test]
    fn tokens_of_a_file() {
        let body = b"User-agent: FooBot/2.1\nUser-agent: *\nUser-agent: foobot\nDisallow: /\nUser-agent: Bar\n";
        let known = HeaderNames::of(&RobotsTxt::parse(body)).unwrap();
        assert_eq!(known.names().collect::<Vec<_>>(), [&b"FooBot"[..], b"Bar"]);
        assert_eq!(known.find(b"Mozilla/5.0 (Bar/1.0)").collect::<Vec<_>>(), [b"Bar"]);
    }
}
