//! What refuses most rules of a set without a look at their patterns.
//!
//! ```text
//! path       /shop/tea?page=2       starts with /shop/te        holds the pairs /s sh ho op p/ /t te ea …
//!
//! /cart/              refused: another start
//! /shop/*.pdf         refused: the path does not hold `.p`
//! /shop/*?page=       looked at: it starts so, and holds `?p`, `pa`, `ag`, `ge` and `e=`
//! ```
//!
//! The *head* of a pattern is compared with the first bytes of the path, eight at a time. The *pairs* are the
//! neighbours in what follows the first `*`, up to 64 kinds of them: a path must hold all of them. Those of the path
//! are found once, when the first rule with a `*` has the path's head. In large sets many rules start alike
//! (`/archive/2019/…`), so that the *end* of what comes before the first `*` is compared, too.
//!
//! Invariant: a rule that is refused does not match. What is not refused may or may not.

use crate::rules::glob;

/// Sets of fewer rules have no pairs: to look at each pattern costs less than to read the path once more.
const LEAST_RULES: usize = 6;

/// Sets of fewer rules have no ends: few of them start alike.
const LEAST_ENDS: usize = 100;

/// Pairs of a path of more bytes are not asked for: it holds most kinds, whatever it is.
const MAX_BYTES: usize = 192;

/// The sieve of a rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sieve {
    /// One for each rule.
    heads: Vec<Head>,
    /// One for each rule, or none.
    pairs: Vec<Pairs>,
    /// One for each rule, or none.
    ends: Vec<End>,
}

impl Sieve {
    /// Makes the sieve of some patterns, from the top rank down.
    ///
    /// Cost: linear in the patterns that hold a `*`; constant for each of the others.
    pub(crate) fn new<'p>(patterns: impl ExactSizeIterator<Item = &'p [u8]> + Clone) -> Self {
        let mut pairs = Vec::new();
        if patterns.len() >= LEAST_RULES {
            pairs.reserve_exact(patterns.len());
            pairs.extend(patterns.clone().map(Pairs::of_pattern));
            if pairs.iter().all(|pairs| *pairs == Pairs::NONE) {
                pairs = Vec::new();
            }
        }
        let heads: Vec<Head> = patterns.clone().map(Head::of).collect();
        let mut ends = Vec::new();
        if heads.len() >= LEAST_ENDS {
            let whole = |head: &Head| head.mask == u64::MAX;
            ends.extend(patterns.zip(&heads).map(|(text, head)| if whole(head) { End::of(text) } else { End::NONE }));
        }
        Self { heads, pairs, ends }
    }

    /// Returns the most bytes that the sieve of so many rules takes on the heap.
    pub(crate) const fn most_bytes(rules: usize) -> usize {
        rules * size_of::<(Head, Pairs, End)>()
    }

    /// Reads what is read first. The result means nothing.
    pub(crate) fn read_early(&self) -> u64 {
        self.heads.first().map_or(0, |head| head.word) ^ self.pairs.first().map_or(0, |pairs| pairs.0)
    }

    /// Returns the first rule that is not refused and for which `matches` holds.
    #[inline]
    pub(crate) fn first(&self, path: &[u8], mut matches: impl FnMut(usize) -> bool) -> Option<usize> {
        let word = first_word(path);
        let mut held = None;
        let mut at = 0;
        loop {
            at += self.heads[at..].iter().position(|head| head.fits(word))?;
            if self.ends.get(at).is_some_and(|end| !end.fits(path)) {
                at += 1;
                continue;
            }
            let is_refused = match self.pairs.get(at) {
                None | Some(&Pairs::NONE) => false,
                Some(pairs) => !held.get_or_insert_with(|| Pairs::of_path(path)).hold(*pairs),
            };
            if !is_refused && matches(at) {
                return Some(at);
            }
            at += 1;
        }
    }
}

/// The first bytes that a path must have for a pattern to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    /// Up to eight bytes before the first `*` or the anchor, the first lowest.
    word: u64,
    /// All ones in the bytes that count.
    mask: u64,
}

impl Head {
    #[inline]
    fn of(pattern: &[u8]) -> Self {
        const LOW: u64 = u64::MAX / 255;
        let word = first_word(pattern);
        // The lowest bit that is set lies at the top of the first byte that is a star: the bits above are noise.
        let other = word ^ (LOW * b'*' as u64);
        let stars = other.wrapping_sub(LOW) & !other & (LOW << 7);
        let anchored = pattern.len() <= 8 && pattern.ends_with(b"$");
        let len = (stars.trailing_zeros() / 8).min(pattern.len().min(8) as u32 - u32::from(anchored));
        let mask = u64::MAX.checked_shr(64 - 8 * len).unwrap_or(0);
        Self { word: word & mask, mask }
    }

    #[inline]
    const fn fits(self, path: u64) -> bool {
        (path ^ self.word) & self.mask == 0
    }
}

/// The last six bytes that a path must have before a pattern's first `*` or its anchor, and in the top two bytes where
/// they start; 0 if the first eight bytes are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End(u64);

impl End {
    const NONE: Self = Self(0);

    #[inline]
    fn of(pattern: &[u8]) -> Self {
        let len = glob::head_len(pattern);
        if len <= 8 {
            return Self::NONE;
        }
        match (u16::try_from(len - 6), pattern[len - 6..].first_chunk()) {
            (Ok(at), Some(six)) => Self(u64::from(at) << 48 | word_of(six)),
            _ => Self::NONE,
        }
    }

    #[inline]
    fn fits(self, path: &[u8]) -> bool {
        let at = (self.0 >> 48) as usize;
        let six = path.get(at..).and_then(<[u8]>::first_chunk);
        at == 0 || six.is_some_and(|six| self.0 << 16 >> 16 == word_of(six))
    }
}

/// Returns six bytes as a number, the first lowest.
const fn word_of(&[a, b, c, d, e, f]: &[u8; 6]) -> u64 {
    u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
}

/// Returns the first eight bytes of `text`, the first lowest; zeros stand for those that it does not have.
#[inline]
fn first_word(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// The kinds of neighbours in a text, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pairs(u64);

impl Pairs {
    const NONE: Self = Self(0);

    /// Returns the kind of two neighbours. A `?` is of one kind whatever comes before it: many patterns are `/*?`.
    #[inline]
    const fn kind(before: u8, byte: u8) -> u64 {
        let mixed = (before as u32).wrapping_mul(0x9E5).wrapping_add((byte as u32).wrapping_mul(0x3B1));
        1 << if byte == b'?' { 63 } else { mixed >> 4 & 63 }
    }

    /// Returns the pairs that each path that matches a pattern holds after its head.
    fn of_pattern(pattern: &[u8]) -> Self {
        let Some(star) = memchr::memchr(b'*', pattern) else { return Self::NONE };
        let tail = pattern[star..].strip_suffix(b"$").unwrap_or(&pattern[star..]);
        let mut pairs = 0;
        for pair in tail.windows(2) {
            match *pair {
                [_, b'*'] => {}
                [b'*', b'?'] => pairs |= Self::kind(0, b'?'),
                [b'*', _] => {}
                [before, byte] => pairs |= Self::kind(before, byte),
                _ => {}
            }
        }
        Self(pairs)
    }

    /// Returns the pairs of a path.
    fn of_path(path: &[u8]) -> Self {
        if path.len() > MAX_BYTES {
            return Self(u64::MAX);
        }
        // The first byte has a neighbour, too: it can be a `?`.
        let before = [0].iter().chain(path);
        Self(before.zip(path).fold(0, |pairs, (before, byte)| pairs | Self::kind(*before, *byte)))
    }

    const fn hold(self, wanted: Self) -> bool {
        wanted.0 & !self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn heads_refuse_no_path_that_matches() {
        for pattern in
            ["", "*", "$", "/", "/$", "/1234567", "/123456$", "/1234567$", "/12345678", "/12345*8", "/\0", "*/1234567"]
        {
            for path in ["/", "/1234567", "/123456", "/12345678", "/123459998", "/\0", "", "/x/12345678"] {
                let fits = Head::of(pattern.as_bytes()).fits(first_word(path.as_bytes()));
                let matches = glob::matches(pattern.as_bytes(), path.as_bytes());
                assert!(fits || !matches, "{pattern} {path}");
                let literal = !pattern.contains(['*', '$']) && pattern.len() <= 8;
                assert!(fits == matches || !literal || path.len() < pattern.len(), "{pattern} {path}");
            }
        }
        assert_eq!(Head::of(b"/ab+*").mask, 0xFFFF_FFFF, "a neighbour of the star is no star");
    }

    #[test]
    fn ends_refuse_what_starts_alike() {
        let archive = |tail: &str| format!("/archive/2019/{tail}");
        for (pattern, path, fits) in [
            ("tea", "tea", true),
            ("tea", "teapot", true),
            ("tea", "te", false),
            ("tea", "cake", false),
            ("tea$", "tea", true),
            ("tea$", "teapot", true),
            ("tea*pot", "tea", true),
            ("tea*pot", "cake", false),
            ("*pot", "cake", true),
        ] {
            assert_eq!(End::of(archive(pattern).as_bytes()).fits(archive(path).as_bytes()), fits, "{pattern} {path}");
        }
        for short in ["", "*", "/", "/$", "/1234567", "/1234567$", "/*12345678"] {
            assert_eq!(End::of(short.as_bytes()), End::NONE, "{short}");
        }
    }

    #[test]
    fn pairs_refuse_what_a_path_does_not_hold() {
        let path = Pairs::of_path(b"/shop/tea?page=2");
        for (pattern, holds) in [
            ("/shop", true),
            ("/shop/*?page=", true),
            ("/*?", true),
            ("*", true),
            ("/*$", true),
            ("/*tea*=2$", true),
            ("/shop/*.pdf", false),
            ("/*?sort=", false),
            ("/*&utm_", false),
        ] {
            assert_eq!(path.hold(Pairs::of_pattern(pattern.as_bytes())), holds, "{pattern}");
        }
        assert!(!Pairs::of_path(b"/shop").hold(Pairs::of_pattern(b"/*?")));
        let long = [&b"/"[..], &[b'a'; MAX_BYTES]].concat();
        assert!(Pairs::of_path(&long).hold(Pairs::of_pattern(b"/*?x")));
    }

    // Tests for big-endian processors run in an emulator, which is slow.
    const CASES: u32 = if cfg!(target_endian = "big") { 300 } else { 4_000 };

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: CASES, ..ProptestConfig::default() })]

        #[test]
        fn no_rule_that_matches_is_refused(
            patterns in prop::collection::vec("[/*][ab*$?.=/]{0,12}|/aaaaaaaa[ab]{0,3}[*$]?b?", 0..130),
            path in "[ab*$?.=/]{0,24}|/aaaaaaaa[ab]{0,5}",
        ) {
            let sieve = Sieve::new(patterns.iter().map(|pattern| pattern.as_bytes()));
            let mut looked_at = vec![false; patterns.len()];
            sieve.first(path.as_bytes(), |at| { looked_at[at] = true; false });
            for (pattern, looked_at) in patterns.iter().zip(looked_at) {
                prop_assert!(looked_at || !glob::matches(pattern.as_bytes(), path.as_bytes()), "{} {}", pattern, path);
            }
        }
    }
}
