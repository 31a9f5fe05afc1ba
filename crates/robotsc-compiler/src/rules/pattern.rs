//! Path patterns in normal form.
//!
//! A normal pattern is a string of bytes in which `*` is always a wildcard and `$`, as the last byte, always the
//! anchor; every other byte stands for itself. (A literal `*` cannot occur: under `google` it cannot be written, under
//! canonical escapes it is `%2A`.)

use crate::dialect::{Dialect, Escapes, LeadingSlash, Length};
use crate::rules::escape::{self, Side};

impl Dialect {
    /// Returns the normal form of a rule's value: what its pattern is in a [`RuleSet`](crate::RuleSet).
    ///
    /// A value whose normal form starts with neither `/` nor `*` can match no path, save the empty value, whose meaning
    /// the dialect states apart ([`EmptyValue`](crate::dialect::EmptyValue)).
    ///
    /// Under [`query_reserved`](Dialect::query_reserved), a pattern with an escape such as `%2F` after a `*` and before
    /// any `?` matches more than its normal form says: see [`Dialect::is_whole_pattern`].
    ///
    /// Cost: linear; the form is at most three times as long as the value, and a byte. Never panics.
    ///
    /// ```
    /// use robotsc::Dialect;
    ///
    /// assert_eq!(Dialect::RFC9309.normalize_pattern("/caf\u{e9}/%61$b*$".as_bytes()), b"/caf%C3%A9/a%24b*$");
    /// assert_eq!(Dialect::GOOGLE_2017.normalize_pattern(b"cart"), b"/cart");
    /// ```
    #[must_use]
    pub fn normalize_pattern(&self, value: &[u8]) -> Vec<u8> {
        let mut pattern = Vec::with_capacity(value.len() + 1);
        push_normal(self, value, &mut pattern);
        pattern
    }

    /// Reports whether a normal pattern alone says what the rule matches.
    ///
    /// This is not so for a pattern such as `/*%2Fprint` under [`query_reserved`](Dialect::query_reserved): outside the
    /// query it means `%2F` and never `/`, but inside, where both are equal, it means `/*?*/print`. A rule of a file
    /// then becomes several rules of a [`RuleSet`](crate::RuleSet), with one rank.
    ///
    /// ```
    /// use robotsc::Dialect;
    ///
    /// assert!(Dialect::RFC9309.is_whole_pattern(b"/a%2Fb*/print"));
    /// assert!(!Dialect::RFC9309.is_whole_pattern(b"/*%2Fprint"));
    /// ```
    #[must_use]
    pub fn is_whole_pattern(&self, normal: &[u8]) -> bool {
        more_patterns(self, normal, true).is_empty()
    }
}

/// Appends the normal form of a value that is not empty.
#[inline]
pub(crate) fn push_normal(dialect: &Dialect, value: &[u8], text: &mut Vec<u8>) {
    if lacks_slash(dialect, value) {
        text.push(b'/');
    }
    match dialect.escapes {
        Escapes::PatternOnly | Escapes::HexAndNonAscii => {
            if escape::escaped_may_differ(value) {
                escape::escaped(value, text);
            } else {
                text.extend_from_slice(value);
            }
        }
        Escapes::Canonical => {
            if escape::canonical_may_differ(value, Side::Pattern) {
                escape::canonical(value, Side::Pattern, dialect.query_reserved, text);
            } else {
                text.extend_from_slice(value);
            }
        }
    }
}

/// Returns the patterns that a rule has in addition to its normal pattern.
///
/// See [`escape::query_patterns`]. Other dialects than those with
/// [`query_reserved`](Dialect::query_reserved) have none.
#[inline]
pub(crate) fn more_patterns(dialect: &Dialect, normal: &[u8], is_disallow: bool) -> Vec<Vec<u8>> {
    if !dialect.query_reserved || dialect.escapes != Escapes::Canonical || memchr::memchr(b'%', normal).is_none() {
        return Vec::new();
    }
    escape::query_patterns(normal, is_disallow)
}

/// Returns the length that ranks a rule, from its value as written and its normal pattern.
#[inline]
pub(crate) fn ranking_length(dialect: &Dialect, value: &[u8], normal: &[u8]) -> u32 {
    let without_stars = |text: &[u8]| text.iter().rposition(|&byte| byte != b'*').map_or(0, |last| last + 1);
    let assumed_slash = || usize::from(lacks_slash(dialect, value));
    let length = match dialect.length {
        Length::Normalized => normal.len(),
        Length::NormalizedWithoutTrailingStars => without_stars(normal),
        Length::Written => value.len() + assumed_slash(),
        Length::WrittenWithoutTrailingStars => without_stars(value) + assumed_slash(),
    };
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Reports whether the dialect adds a `/` before a value.
#[inline]
fn lacks_slash(dialect: &Dialect, value: &[u8]) -> bool {
    dialect.leading_slash == LeadingSlash::Assumed && !matches!(value, [] | [b'/' | b'*', ..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::robots_txt::RuleKind;
    use crate::rules::rule_set::RuleSet;

    /// A byte as `rfc9309` compares it: itself, or an escape that is none of an unreserved byte.
    type Unit = (u8, bool);

    /// Returns the units of a text, and which of them come after its first `?`.
    fn units(text: &str) -> Vec<Unit> {
        let mut units = Vec::new();
        let mut rest = text.as_bytes();
        while let Some((&first, tail)) = rest.split_first() {
            let escape = (first == b'%').then(|| tail.get(..2)).flatten();
            let value = escape.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
            units.push((value.unwrap_or(first), value.is_some()));
            rest = if value.is_some() { &tail[2..] } else { tail };
        }
        units
    }

    /// The meaning, unit by unit: `%2F` equals `/` in the query of the path and nowhere else.
    fn means(pattern: &[Unit], path: &[Unit], in_query: bool) -> bool {
        match (pattern, path) {
            ([], _) => true,
            ([(b'*', false), rest @ ..], _) => {
                let goes_on = |(unit, path): (&Unit, &[Unit])| means(pattern, path, in_query || *unit == (b'?', false));
                means(rest, path, in_query) || path.split_first().is_some_and(goes_on)
            }
            ([(b'$', false)], path) => path.is_empty(),
            ([unit, pattern @ ..], [of_path, path @ ..]) => {
                let same = unit == of_path || (in_query && unit.0 == of_path.0);
                same && means(pattern, path, in_query || *of_path == (b'?', false))
            }
            (_, []) => false,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn escapes_equal_reserved_bytes_in_the_query_and_nowhere_else(
            pattern in "/([a/?:]|[*]|%2F|%3a|%3F){0,7}[$]?",
            paths in prop::collection::vec("/([a/?:]|%2f|%3A|%3F){0,8}", 1..8),
        ) {
            let rules = RuleSet::from_rules(&Dialect::RFC9309, [(RuleKind::Disallow, &pattern, 1)]);
            for path in paths {
                let path_form = Dialect::RFC9309.raw_path(path.as_bytes());
                let disallowed = !rules.verdict(path_form.as_path()).unwrap().is_allow();
                prop_assert_eq!(disallowed, means(&units(&pattern), &units(&path), false), "{} {}", pattern, path);
            }
        }
    }

    /// Dialect, value, normal pattern, ranking length.
    const CASES: &[(&Dialect, &str, &str, u32)] = &[
        // robots.cc's MaybeEscapePattern.
        (&Dialect::GOOGLE, "http://www.example.com", "http://www.example.com", 22),
        (&Dialect::GOOGLE, "/a/b/c", "/a/b/c", 6),
        (&Dialect::GOOGLE, "á", "%C3%A1", 6),
        (&Dialect::GOOGLE, "%aa", "%AA", 3),
        (&Dialect::GOOGLE, "/%aa%Bb%cC%DD", "/%AA%BB%CC%DD", 13),
        (&Dialect::GOOGLE, "/%", "/%", 2),
        (&Dialect::GOOGLE, "/%a", "/%a", 3),
        (&Dialect::GOOGLE, "/%zz%a%aa", "/%zz%a%AA", 9),
        (&Dialect::GOOGLE, "/%2ab$c*$", "/%2Ab$c*$", 9),
        (&Dialect::GOOGLE, "/a b<c", "/a b<c", 6),
        (&Dialect::GOOGLE, "fish", "fish", 4),
        // 2019: the length of the escaped pattern, less the stars at its end.
        (&Dialect::GOOGLE_2019, "/%61/á", "/%61/%C3%A1", 11),
        (&Dialect::GOOGLE_2019, "/á**", "/%C3%A1**", 7),
        (&Dialect::GOOGLE_2019, "/a*$", "/a*$", 4),
        (&Dialect::GOOGLE_2019, "**", "**", 0),
        // RFC 9309: both sides canonical.
        (&Dialect::RFC9309, "/%62%7e%2D", "/b~-", 4),
        (&Dialect::RFC9309, "/%2f%2a%24%25", "/%2F%2A%24%25", 13),
        (&Dialect::RFC9309, "/ä%zz/x", "/%C3%A4%zz/x", 12),
        (&Dialect::RFC9309, "/a\t \"<>\\^`{|}\x7F", "/a%09%20%22%3C%3E%5C%5E%60%7B%7C%7D%7F", 38),
        (&Dialect::RFC9309, "/a$b*c$", "/a%24b*c$", 9),
        (&Dialect::RFC9309, "/a$$", "/a%24$", 6),
        (&Dialect::RFC9309, "*.gif$", "*.gif$", 6),
        (&Dialect::RFC9309, "/foo/bar?baz=https%3a%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", 28),
        (&Dialect::RFC9309, "/a%3Ab%3Bc?d%3Be%3Ff%26g%3Dh*$", "/a%3Ab%3Bc?d;e?f%26g%3Dh*$", 26),
        // 2017: the value as written, with the slash that it lacks, without the stars at its end.
        (&Dialect::GOOGLE_2017, "fish", "/fish", 5),
        (&Dialect::GOOGLE_2017, "/fish***", "/fish***", 5),
        (&Dialect::GOOGLE_2017, "*", "*", 0),
        (&Dialect::GOOGLE_2017, "/*$", "/*$", 3),
        (&Dialect::GOOGLE_2017, "/%61á", "/%61%C3%A1", 6),
        (&Dialect::GOOGLE_2017, "á", "/%C3%A1", 3),
        (&Dialect::YANDEX, "/%61*", "/a*", 4),
        (&Dialect::YANDEX, "/a?b=/c", "/a?b=/c", 7),
    ];

    #[test]
    fn values_in_normal_form() {
        for &(dialect, value, pattern, length) in CASES {
            let normal = dialect.normalize_pattern(value.as_bytes());
            assert_eq!(String::from_utf8_lossy(&normal), pattern, "{} {value}", dialect.name);
            assert_eq!(ranking_length(dialect, value.as_bytes(), &normal), length, "{} {value}", dialect.name);
        }
    }

    #[test]
    fn without_the_query_field_escapes_of_reserved_bytes_stay() {
        let dialect = Dialect { query_reserved: false, ..Dialect::RFC9309 };
        assert_eq!(dialect.normalize_pattern(b"/a?b=c:%2fd"), b"/a?b=c:%2Fd");
    }

    #[test]
    fn any_bytes_that_are_not_utf8() {
        assert_eq!(Dialect::GOOGLE.normalize_pattern(b"/\xFF%\x80"), b"/%FF%%80");
        assert_eq!(Dialect::RFC9309.normalize_pattern(b"/\xFF%\x80"), b"/%FF%%80");
    }
}
