//! Whether a normal pattern matches a path, in linear time.
//!
//! `*` takes any octets, none too. Segments between stars are found from the left, each as early as it goes: what lies further right can only become
//! longer by that, so nothing is ever tried twice. Only the segment before an anchor is looked for at the end.

use memchr::memmem;

/// The octets of a normal pattern before its first `*`, or before its anchor.
#[inline]
pub(crate) fn head_len(pattern: &[u8]) -> usize {
    match memchr::memchr(b'*', pattern) {
        Some(star) => star,
        None => pattern.len() - usize::from(pattern.ends_with(b"$")),
    }
}

/// Whether `pattern`, which is normal, matches `path` from its start.
///
/// Cost: linear in both together.
pub(crate) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    matches_behind_head(pattern, head_len(pattern), path)
}

/// As [`matches`], where the [`head_len`] of the pattern is known.
pub(crate) fn matches_behind_head(pattern: &[u8], head_len: usize, path: &[u8]) -> bool {
    let (head, tail) = pattern.split_at(head_len);
    let Some(mut rest) = path.strip_prefix(head) else { return false };
    let (tail, anchored) = match tail {
        [] => return true,
        [b'$'] => return rest.is_empty(),
        [tail @ .., b'$'] => (tail, true),
        _ => (tail, false),
    };
    // The tail begins with a star, so the first segment is empty.
    let mut segments = tail.split(|&octet| octet == b'*').filter(|segment| !segment.is_empty());
    let last = if anchored && !tail.ends_with(b"*") { segments.next_back() } else { None };
    for segment in segments {
        let found = match segment {
            [octet] => memchr::memchr(*octet, rest),
            _ => memmem::find(rest, segment),
        };
        let Some(at) = found else { return false };
        rest = &rest[at + segment.len()..];
    }
    last.is_none_or(|last| rest.ends_with(last))
}
