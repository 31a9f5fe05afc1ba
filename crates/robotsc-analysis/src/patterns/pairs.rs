//! Rules out most patterns that do not match a path, without reading them.
//!
//! ```text
//! /shop/*?sort=     pairs: /s sh ho op p/ ?s so or rt t=
//! /shop/cart        has no `?s`: the pattern does not match
//! ```
//!
//! A path that a pattern matches has each pair of neighbouring bytes that the pattern has, unless one of them is a `*`.
//! A set of pairs is 128 bits, one for each pair by a hash. Two pairs can share a bit, so a pattern that passes can
//! still not match. One that does not pass never matches. The sieve of the compiler has pairs, too, but 64 bits of them
//! for what follows the first `*`, since it has looked at the head: here a pattern has no other filter.

/// The pairs of neighbouring bytes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BytePairs(u128);

impl BytePairs {
    /// Returns the pairs that each path has which a normal pattern matches.
    pub(crate) fn of_pattern(pattern: &[u8]) -> Self {
        let literal = pattern.strip_suffix(b"$").unwrap_or(pattern);
        Self::of(literal.windows(2).filter(|pair| !pair.contains(&b'*')))
    }

    /// Returns the pairs of a path as patterns see it.
    pub(crate) fn of_path(path: &[u8]) -> Self {
        Self::of(path.windows(2))
    }

    /// Reports whether all of these are in others.
    pub(crate) const fn are_in(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    fn of<'p>(pairs: impl Iterator<Item = &'p [u8]>) -> Self {
        // Multiplication by the golden ratio; the upper seven bits are a number below 128.
        let bit = |pair: &[u8]| (u32::from(pair[0]) << 8 | u32::from(pair[1])).wrapping_mul(0x9E37_79B1) >> 25;
        Self(pairs.fold(0, |bits, pair| bits | 1 << bit(pair)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_compiler::pattern_matches;

    #[test]
    fn a_pattern_that_matches_passes() {
        let passes = |pattern: &str, path: &str| {
            BytePairs::of_pattern(pattern.as_bytes()).are_in(BytePairs::of_path(path.as_bytes()))
        };
        for (pattern, path) in [
            ("/shop/*?sort=", "/shop/x?sort=1"),
            ("/", "/"),
            ("*", "/a"),
            ("", "/a"),
            ("/a$", "/a"),
            ("/a*$", "/a"),
            ("/**b", "/ab"),
            ("/a$b", "/a$bc"),
            ("*b*c$", "/bc"),
        ] {
            assert!(pattern_matches(pattern.as_bytes(), path.as_bytes()), "{pattern} {path}");
            assert!(passes(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [("/shop/*?sort=", "/shop/cart"), ("/ab", "/a"), ("/*.php$", "/a.html")] {
            assert!(!passes(pattern, path), "{pattern} {path}");
        }
    }
}
