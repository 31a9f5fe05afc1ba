//! Known product tokens in a full `User-Agent` header.
//!
//! A [`Crawler`](crate::Crawler) is named by product tokens, and nothing is ever cut from them: `Mozilla/5.0 (compatible; FooBot/2.1; +http://foo.example/)` equals
//! no token of any file. Who has only the header asks here, expressly, which of the tokens that he knows stand in it.
//!
//! A token is found where it stands as a whole product: neither neighbour is a letter, a digit, `_` or `-`, and it is no part of a URL, a host or an
//! address (no `/`, `.`, `:`, `@`, `=`, `&`, `?` or `%` before it, no `@` behind it, no `.` with a letter or digit behind it). So `FooBot` is in
//! `FooBot/2.1` and `(FooBot; x)`, and not in `MyFooBot`, `FooBot-Image`, `FooBot2` or `+http://foobot.example/`.

use std::collections::BTreeSet;
use std::fmt;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::robots_txt::RobotsTxt;

/// Product tokens to look for in headers.
#[derive(Clone, Debug)]
pub struct KnownAgents {
    /// As they were given, first of equal ones only.
    tokens: Vec<Vec<u8>>,
    automaton: AhoCorasick,
}

/// Why no [`KnownAgents`] could be made: the tokens are too many, or too long.
#[derive(Clone, Debug)]
pub struct KnownAgentsError(aho_corasick::BuildError);

impl fmt::Display for KnownAgentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "too many product tokens: {}", self.0)
    }
}

impl std::error::Error for KnownAgentsError {}

/// Whether an octet can be part of a product's name.
const fn is_word(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-')
}

impl KnownAgents {
    /// Makes the search for these tokens. Tokens that differ only in case are one, in the first spelling; what cannot be a product token (empty, or octets other than letters,
    /// digits, `_` and `-`) can stand in no header and is left out.
    ///
    /// Cost: linear in the tokens, to be paid once.
    ///
    /// # Errors
    /// Where the tokens have more than about two thousand million octets together.
    pub fn new<T: AsRef<[u8]>>(tokens: impl IntoIterator<Item = T>) -> Result<Self, KnownAgentsError> {
        let mut seen = BTreeSet::new();
        let mut known: Vec<Vec<u8>> = Vec::new();
        for token in tokens {
            let token = token.as_ref();
            let is_token = !token.is_empty() && token.iter().all(|&octet| is_word(octet));
            if is_token && seen.insert(token.to_ascii_lowercase()) {
                known.push(token.to_vec());
            }
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(&known)
            .map_err(KnownAgentsError)?;
        Ok(Self { tokens: known, automaton })
    }

    /// The search for the tokens that a file names.
    ///
    /// # Errors
    /// As [`KnownAgents::new`].
    pub fn of(robots: &RobotsTxt<'_>) -> Result<Self, KnownAgentsError> {
        Self::new(robots.agents().iter().map(|agent| agent.token.of(robots.body())))
    }

    /// The tokens, as they were given.
    pub fn tokens(&self) -> impl Iterator<Item = &[u8]> {
        self.tokens.iter().map(Vec::as_slice)
    }

    /// The known tokens that stand in a header, in the header's order; one that stands there twice comes twice.
    ///
    /// Cost: linear in the header. Never panics.
    ///
    /// ```
    /// use robotsc_compiler::user_agent::KnownAgents;
    ///
    /// let known = KnownAgents::new(["FooBot", "FooBot-Image"])?;
    /// let header = b"Mozilla/5.0 (compatible; foobot-image/1.0; +http://foobot.example/)";
    /// assert_eq!(known.find(header).collect::<Vec<_>>(), [b"FooBot-Image"]);
    /// # Ok::<(), robotsc_compiler::user_agent::KnownAgentsError>(())
    /// ```
    pub fn find<'s>(&'s self, header: &'s [u8]) -> impl Iterator<Item = &'s [u8]> {
        // All octets of a token are word octets. So a match that is no whole word hides none that is: it lies inside one word.
        self.automaton
            .find_iter(header)
            .filter(|found| is_product(&header[..found.start()], &header[found.end()..]))
            .filter_map(|found| self.tokens.get(found.pattern().as_usize()).map(Vec::as_slice))
    }
}

/// Whether what stands between `before` and `after` is a product of its own.
fn is_product(before: &[u8], after: &[u8]) -> bool {
    let begins = before.last().is_none_or(|&octet| {
        !is_word(octet) && !matches!(octet, b'/' | b'.' | b':' | b'@' | b'=' | b'&' | b'?' | b'%')
    });
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
    use crate::dialect::Dialect;

    #[test]
    fn whole_products_only() {
        let known =
            KnownAgents::new(["FooBot", "Foo", "foobot-image", "FOOBOT", "", "*", "a b", "Mozilla", "Bot_9"]).unwrap();
        assert_eq!(known.tokens().count(), 5);
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
        ] {
            let tokens: Vec<_> = known.find(header.as_bytes()).map(|token| String::from_utf8_lossy(token)).collect();
            assert_eq!(tokens, found, "{header}");
        }
    }

    #[test]
    fn no_token_is_found_nowhere() {
        let known = KnownAgents::new([""; 0]).unwrap();
        assert_eq!(known.find(b"FooBot").count(), 0);
    }

    #[test]
    fn tokens_of_a_file() {
        let body = b"User-agent: FooBot/2.1\nUser-agent: *\nUser-agent: foobot\nDisallow: /\nUser-agent: Bar\n";
        let known = KnownAgents::of(&RobotsTxt::parse(body, &Dialect::GOOGLE)).unwrap();
        assert_eq!(known.tokens().collect::<Vec<_>>(), [&b"FooBot"[..], b"Bar"]);
        assert_eq!(known.find(b"Mozilla/5.0 (Bar/1.0)").collect::<Vec<_>>(), [b"Bar"]);
    }
}
