//! Path patterns in normal form.
//!
//! A normal pattern is a string of octets in which `*` is always a wildcard and `$`, as the last octet, always the anchor; every other octet stands for itself.
//! (A literal `*` cannot occur: under `google` it cannot be written, under canonical escapes it is `%2A`.)

use crate::dialect::{Dialect, Escapes, LeadingSlash, Length};
use crate::escape::{self, Side};

impl Dialect {
    /// The normal form of a rule's value: what its pattern is in a [`RuleSet`](crate::RuleSet).
    ///
    /// A value whose normal form starts with neither `/` nor `*` can match no path, save the empty value, whose meaning the dialect states apart
    /// ([`EmptyValue`](crate::dialect::EmptyValue)).
    ///
    /// Cost: linear; the form is at most three times as long as the value, and an octet. Never panics.
    ///
    /// ```
    /// use robotsc_compiler::Dialect;
    ///
    /// assert_eq!(Dialect::RFC9309.normalise_pattern("/caf\u{e9}/%61$b*$".as_bytes()), b"/caf%C3%A9/a%24b*$");
    /// assert_eq!(Dialect::GOOGLE_2017.normalise_pattern(b"cart"), b"/cart");
    /// ```
    #[must_use]
    pub fn normalise_pattern(&self, value: &[u8]) -> Vec<u8> {
        let mut pattern = Vec::with_capacity(value.len() + 1);
        push_normal(self, value, &mut pattern);
        pattern
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
            if escape::canonical_may_differ(value, Side::Pattern, dialect.query_reserved) {
                escape::canonical(value, Side::Pattern, dialect.query_reserved, text);
            } else {
                text.extend_from_slice(value);
            }
        }
    }
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

/// Reports whether the dialect adds a `/` in front of a value.
#[inline]
fn lacks_slash(dialect: &Dialect, value: &[u8]) -> bool {
    dialect.leading_slash == LeadingSlash::Assumed && !matches!(value, [] | [b'/' | b'*', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

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
        (&Dialect::RFC9309, "/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", 34),
        (&Dialect::RFC9309, "/a:b;c?d;e?f&g=h*$", "/a:b;c?d%3Be%3Ff&g=h*$", 22),
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
            let normal = dialect.normalise_pattern(value.as_bytes());
            assert_eq!(String::from_utf8_lossy(&normal), pattern, "{} {value}", dialect.name);
            assert_eq!(ranking_length(dialect, value.as_bytes(), &normal), length, "{} {value}", dialect.name);
        }
    }

    #[test]
    fn without_the_query_field_reserved_octets_stay() {
        let dialect = Dialect { query_reserved: false, ..Dialect::RFC9309 };
        assert_eq!(dialect.normalise_pattern(b"/a?b=c:/d"), b"/a?b=c:/d");
    }

    #[test]
    fn any_octets_that_are_not_utf8() {
        assert_eq!(Dialect::GOOGLE.normalise_pattern(b"/\xFF%\x80"), b"/%FF%%80");
        assert_eq!(Dialect::RFC9309.normalise_pattern(b"/\xFF%\x80"), b"/%FF%%80");
    }
}
