//! The shortest pattern that matches the same paths, as far as stars go: `/a` for `/a*`, `/a*$` and `/a**`.

use std::borrow::Cow;

/// Returns a pattern without `*` at its end, and without several in a row. It matches the same paths.
///
/// One `*` stays in `/a$*`: without it, the `$` would be an anchor.
pub(crate) fn without_stars(pattern: &[u8]) -> Cow<'_, [u8]> {
    let is_short = !pattern.ends_with(b"*") && !pattern.ends_with(b"*$") && !pattern.windows(2).any(|two| two == b"**");
    if is_short {
        return Cow::Borrowed(pattern);
    }
    let mut short = pattern.to_vec();
    short.dedup_by(|one, before| *one == b'*' && *before == b'*');
    let end = match short.as_slice() {
        [start @ .., b'*', b'$'] | [start @ .., b'*'] => start.len(),
        all => all.len(),
    };
    let keeps_star = end < short.len() && short[..end].ends_with(b"$");
    short.truncate(end + usize::from(keeps_star));
    Cow::Owned(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_that_match_nothing_more() {
        for (pattern, wanted) in [
            ("/a", "/a"),
            ("/a*", "/a"),
            ("/a**", "/a"),
            ("/a*$", "/a"),
            ("/a**b***c$", "/a*b*c$"),
            ("/*", "/"),
            ("**", ""),
            ("*$", ""),
            ("/a$", "/a$"),
            ("/a$*", "/a$*"),
            ("/a$**$", "/a$*"),
            ("", ""),
        ] {
            assert_eq!(&*without_stars(pattern.as_bytes()), wanted.as_bytes(), "{pattern}");
        }
    }
}
