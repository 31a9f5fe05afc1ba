//! Rules that are matched linearly: what is left of a rule set that would have cost too much as automata.
//!
//! A list is the number of its rules, 4 bytes, and for each rule from the top rank down: its rank, the length of its
//! pattern in 4 bytes, its pattern.
//!
//! Trying a rule is linear in its pattern and the path, whatever they are.

use crate::search::find;
use crate::walk::Code;

/// Bytes of a pattern's length.
const LENGTH: usize = 4;

/// Returns the rules of the list that starts at `at`: ranks and patterns. Ends at the first rule that is not whole.
pub(crate) fn rules<'p>(code: &Code<'p>, at: usize) -> impl Iterator<Item = (u32, &'p [u8])> + use<'p> {
    let code = *code;
    let mut left = code.bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |count| u32::from_le_bytes(*count));
    // Where it would overflow there is no count, and nothing is read.
    let mut at = at.saturating_add(4);
    core::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let start = at + code.rank_width + LENGTH;
        let length = code.bytes.get(..start)?.last_chunk().map(|length| u32::from_le_bytes(*length) as usize)?;
        let pattern = code.bytes.get(start..start.checked_add(length)?)?;
        let rank = code.number(at, code.rank_width) as u32;
        at = start + length;
        Some((rank, pattern))
    })
}

/// Returns the rank of the first rule above `best` whose pattern matches, else `best`.
pub(crate) fn best(code: &Code<'_>, at: usize, path: &[u8], best: u32) -> u32 {
    let pairs = Pairs::of(path);
    let mut above = rules(code, at).take_while(|&(rank, _)| rank > best);
    above.find(|(_, pattern)| pairs.may_match(pattern) && matches(pattern, path)).map_or(best, |(rank, _)| rank)
}

/// Which pairs of neighbours occur in a path, by the low six bits of each byte. A pattern with a pair that does not
/// occur cannot match, which spares most searches.
struct Pairs([u64; 64]);

impl Pairs {
    fn of(path: &[u8]) -> Self {
        let mut pairs = Self([0; 64]);
        for pair in path.windows(2) {
            pairs.0[usize::from(pair[0] & 63)] |= 1 << (pair[1] & 63);
        }
        pairs
    }

    fn may_match(&self, pattern: &[u8]) -> bool {
        let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
        body.windows(2).all(|pair| {
            let occurs = self.0[usize::from(pair[0] & 63)] >> (pair[1] & 63) & 1 == 1;
            occurs || pair[0] == b'*' || pair[1] == b'*'
        })
    }
}

/// Reports whether a normal pattern matches a path. A piece after a `*` is taken where it is first found: no later
/// place could help more.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (body, to_end) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    let mut pieces = body.split(|&byte| byte == b'*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let Some(mut piece) = pieces.next() else { return !to_end || rest.is_empty() };
    for next in pieces {
        let Some(found) = find(rest, piece) else { return false };
        rest = &rest[found + piece.len()..];
        piece = next;
    }
    if to_end { rest.ends_with(piece) } else { find(rest, piece).is_some() }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match() {
        for (pattern, path, expected) in [
            ("/a", "/ab", true),
            ("/a$", "/ab", false),
            ("/a$", "/a", true),
            ("", "/", true),
            ("*", "/", true),
            ("/*$", "/x", true),
            ("/*.php$", "/a.php.php", true),
            ("/*.php$", "/a.php.ph", false),
            ("/fish*.php", "/fish.php?x", true),
            ("/a*a$", "/a", false),
            ("/a*b*b", "/ab", false),
            ("/a*b*b", "/abb", true),
            ("*b", "/ab", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), expected, "{pattern} {path}");
        }
    }
}
