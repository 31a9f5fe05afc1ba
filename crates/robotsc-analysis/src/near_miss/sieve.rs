//! One look at a pattern that rules most of them out.

use super::folded::{Without, folded, of_byte};
use super::letters::has_other_letters;
use crate::text::composed::without_mark;
use crate::text::lookalike::lookalike;
use crate::text::part::INDEX_FILES;

/// A path without what near patterns can differ in.
pub(crate) struct Sieve {
    path: String,
}

impl Sieve {
    pub(crate) fn new(path: &[u8]) -> Self {
        Self { path: plain(path) }
    }

    /// Reports whether a pattern can be near the path: whether each of its pieces is in the path, at any place.
    pub(crate) fn may_be_near(&self, pattern: &Pieces) -> bool {
        pattern.pieces.iter().all(|piece| self.path.contains(piece))
    }
}

/// The pieces that each path near a pattern contains.
pub(crate) struct Pieces {
    pieces: Vec<String>,
}

impl Pieces {
    /// Returns those of a pattern; none if it is perhaps of another notation.
    pub(crate) fn of(pattern: &[u8]) -> Self {
        if is_of_other_notation(pattern) {
            return Self { pieces: Vec::new() };
        }
        // The page of a folder stands for the folder.
        let page = INDEX_FILES.iter().find(|page| pattern.ends_with(page));
        let folder = page.map_or(pattern, |page| &pattern[..pattern.len() - page.len()]);
        let pieces = folder.split(|byte| b"*?&".contains(byte)).filter(|piece| !piece.is_empty());
        Self { pieces: pieces.map(plain).collect() }
    }
}

/// Reports whether a pattern can hold an address or signs of another notation, which rewrites replace.
fn is_of_other_notation(pattern: &[u8]) -> bool {
    let is_start = matches!(pattern, [b'/', b'/', ..]) || !matches!(pattern, [b'/' | b'*', ..]);
    let has_sign = pattern.iter().any(|byte| b"\\:{<[^+;,\"'`()| \t".contains(byte));
    let has = |part: &[u8]| pattern.windows(part.len()).any(|window| window == part);
    let has_dots = || has(b"/./") || has(b"/../");
    // Dashes and quotes that text programs write begin with this byte.
    let has_typography = || pattern.contains(&0xE2);
    let has_stand_in = || {
        let is_shell = |three: &[u8]| matches!(three, [b'/', b'$', next] if next.is_ascii_lowercase());
        pattern.ends_with(b"%") || has(b"...") || has(b"/%s") || has(b"/%d/") || pattern.windows(3).any(is_shell)
    };
    is_start
        || has_sign
        || has(b".*")
        || has(b"?$")
        || has_dots()
        || has_typography()
        || has(b"%25")
        || has_stand_in()
        || has_other_letters(pattern)
}

/// Returns a text without case, escapes, slashes, `$`, marks of letters and what cannot be seen.
fn plain(text: &[u8]) -> String {
    let without = Without { case: true, escapes: true, slashes: false };
    let is_kept = |char: &char| !matches!(char, '/' | '\\' | '$' | '+') && !char.is_whitespace();
    let chars =
        folded(text, without).chars.into_iter().filter(|char| is_kept(char) && lookalike(*char, true).is_none());
    // Marks are part of a letter or after it, and the letter is in UTF-8 or in Latin-1.
    chars.filter_map(|char| without_mark(of_byte(char).map_or(char, char::from))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_patterns_pass() {
        let sieve = Sieve::new(b"/Shop/my%20files//a.png?b=9&c");
        for (pattern, passes) in [
            ("/?b=9", true),
            ("/?c&b=9", true),
            ("/shop/", true),
            ("/shop/my files/A.PNG$", true),
            ("/shop/%E2%80%8Bmyfiles", true),
            ("/shops", false),
            ("/shop/*.gif", false),
            ("https://h/shop", true),
            ("/a /b", true),
            ("/a|b", true),
            ("/./x/", true),
            ("/stra\u{df}e", false),
            ("/stra%DFe", true),
            ("/Sh\u{f3}p", true),
            ("/sho\u{301}p/", true),
            ("/shop%25a", true),
            ("/my files (old)", true),
            ("/shop/index.html", true),
            ("/shops/index.html", false),
            ("/%E2%80%9Cx%E2%80%9D", true),
        ] {
            assert_eq!(sieve.may_be_near(&Pieces::of(pattern.as_bytes())), passes, "{pattern}");
        }
    }
}
