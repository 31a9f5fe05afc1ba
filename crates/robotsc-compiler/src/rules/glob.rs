//! Whether a normal pattern matches a path, in linear time.
//!
//! `*` takes any bytes, none too. Segments between stars are found from the left, each as early as it goes: what lies
//! further right can only become longer by that, so nothing is ever tried twice. Only the segment before an anchor is
//! looked for at the end.

use memchr::memmem;

/// Returns the bytes of a normal pattern before its first `*`, or before its anchor.
#[inline]
pub(crate) fn head_len(pattern: &[u8]) -> usize {
    match memchr::memchr(b'*', pattern) {
        Some(star) => star,
        None => pattern.len() - usize::from(pattern.ends_with(b"$")),
    }
}

/// Reports whether `pattern`, which is normal, matches `path` from its start.
///
/// Cost: linear in both together.
pub fn matches(pattern: &[u8], path: &[u8]) -> bool {
    matches_after_head(pattern, head_len(pattern), path)
}

/// As [`matches`], if the [`head_len`] of the pattern is known.
pub(crate) fn matches_after_head(pattern: &[u8], head_len: usize, path: &[u8]) -> bool {
    let (head, tail) = pattern.split_at(head_len);
    let Some(mut rest) = path.strip_prefix(head) else { return false };
    let (tail, anchored) = match tail {
        [] => return true,
        [b'$'] => return rest.is_empty(),
        [tail @ .., b'$'] => (tail, true),
        _ => (tail, false),
    };
    // The tail begins with a star, so the first segment is empty.
    let mut segments = tail.split(|&byte| byte == b'*').filter(|segment| !segment.is_empty());
    let last = if anchored && !tail.ends_with(b"*") { segments.next_back() } else { None };
    for segment in segments {
        let found = match segment {
            [byte] => memchr::memchr(*byte, rest),
            _ => memmem::find(rest, segment),
        };
        let Some(at) = found else { return false };
        rest = &rest[at + segment.len()..];
    }
    last.is_none_or(|last| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_paths() {
        for (pattern, path, wanted) in [
            ("", "/", true),
            ("/", "/x", true),
            ("/x", "/", false),
            ("/fish", "/fish.html", true),
            ("/fish", "/Fish", false),
            ("/fish*", "/fish", true),
            ("/fish*$", "/fish", true),
            ("/fish*.php", "/fish.php", true),
            ("/fish*.php", "/fishheads/catfish.php?x", true),
            ("/fish*.php", "/fish.ph", false),
            ("/$", "/", true),
            ("/$", "/x", false),
            ("*", "/", true),
            ("*$", "/x", true),
            ("**$", "/x", true),
            ("*/x", "/x", true),
            ("*/x$", "/x/x", true),
            ("*.php$", "/a.php.php", true),
            ("/*.php$", "/a.php?x", false),
            ("/*ab", "/aab", true),
            ("/*ab*b$", "/ab", false),
            ("/*ab*b$", "/abb", true),
            ("/ab*ab$", "/ab", false),
            ("/ab*ab$", "/abab", true),
            ("/a$b", "/a$b", true),
            ("/a$$", "/a$", true),
            ("/a$$", "/a", false),
            ("/a$*", "/a$x", true),
            ("/a$*", "/ax", false),
            ("/a*$b", "/ax$bc", true),
            // A star in a path is a byte like others.
            ("/a*c", "/a*c", true),
            ("/ac", "/a*c", false),
            ("/*a*a*a*$", "/aa", false),
            ("/*a*a*a*$", "/aaa", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), wanted, "{pattern} {path}");
        }
    }

    /// Backtracking over these stars would not end: the work would be exponential in them.
    #[test]
    fn many_stars_do_not_match_a_long_path() {
        let path = [&b"/"[..], &[b'a'; 16_384]].concat();
        let stars = [&b"/"[..], &b"*".repeat(16_000), b"x"].concat();
        let segments = [&b"/"[..], &b"*a".repeat(8_000), b"b"].concat();
        let pairs = [&b"/"[..], &b"*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".repeat(500)].concat();
        for pattern in [stars, segments, pairs] {
            assert!(!matches(&pattern, &path));
        }
    }
}
