//! Paths that stand for all paths of a pattern.
//!
//! The pattern `/a*b` matches `/axb`. If `x` occurs in no other pattern, then whatever pattern matches `/axb` matches
//! every path of `/a*b`: what matched the `x` was a `*`, and takes any bytes in its place. So one path shows which
//! rules include the pattern as a whole.
//!
//! Paths start with `/`. So a `*` at the start takes either nothing or a text that starts with `/`, and a pattern such
//! as `*/a` has two such paths, `/a` and `/x/a`.

use crate::space::{Paths, Reader, Reading};

/// Returns the paths that stand for all those of a pattern, if `fresh` occurs in no pattern that is compared with it.
///
/// `None` if one of them is not in `paths`, or patterns see other bytes than those of the path.
pub(crate) fn instances(pattern: &[u8], fresh: u8, reader: Reader, paths: Paths) -> Option<Vec<Vec<u8>>> {
    let body = match pattern {
        [body @ .., b'*', b'$'] => [body, b"*"].concat(),
        [body @ .., b'$'] => body.to_vec(),
        _ => [pattern, b"*"].concat(),
    };
    let filled = |text: &[u8]| {
        let mut filled = Vec::with_capacity(text.len());
        for byte in text {
            if *byte != b'*' {
                filled.push(*byte);
            } else if filled.last() != Some(&fresh) {
                filled.push(fresh);
            }
        }
        filled
    };
    let found = match body.iter().position(|byte| *byte != b'*') {
        // Stars alone: any path.
        None => vec![vec![b'/', fresh]],
        Some(0) => vec![filled(&body)],
        Some(stars) => {
            let rest = &body[stars..];
            let mut found = vec![[&[b'/', fresh][..], &filled(rest)].concat()];
            if rest[0] == b'/' {
                found.push(filled(rest));
            }
            found
        }
    };
    let is_seen_as_written = |path: &[u8]| {
        let mut reading = Reading::default();
        path.iter().all(|byte| reader.step(&mut reading, *byte).as_bytes() == [*byte])
    };
    let is_fit = |path: &Vec<u8>| {
        paths.contains(path) && (reader == Reader::Unchanged || !path.contains(&b'%') && is_seen_as_written(path))
    };
    found.iter().all(is_fit).then_some(found)
}

/// Returns the shortest path that a pattern matches: that in which each `*` matches nothing.
pub(crate) fn shortest_instance(pattern: &[u8]) -> Vec<u8> {
    let literal = pattern.strip_suffix(b"$").unwrap_or(pattern).iter().copied().filter(|byte| *byte != b'*');
    let mut path: Vec<u8> = literal.collect();
    if path.first() != Some(&b'/') {
        path.insert(0, b'/');
    }
    path
}

/// Returns a byte that stands for itself in every path and occurs in none of these patterns.
pub(crate) fn fresh_byte<'p>(patterns: impl Iterator<Item = &'p [u8]>) -> Option<u8> {
    let mut used = [false; 256];
    for byte in patterns.flatten() {
        used[usize::from(*byte)] = true;
    }
    // No hex digits: after a `%` they would make an escape.
    (b'g'..=b'z').rev().chain(b'G'..=b'Z').chain([b'_', b'-', b'~']).find(|byte| !used[usize::from(*byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_pattern() {
        for (pattern, wanted) in [
            ("/a", Some(&["/az"][..])),
            ("/a$", Some(&["/a"])),
            ("/a*", Some(&["/az"])),
            ("/a*$", Some(&["/az"])),
            ("/a**b$", Some(&["/azb"])),
            ("*", Some(&["/z"])),
            ("", Some(&["/z"])),
            ("*$", Some(&["/z"])),
            ("*.php", Some(&["/z.phpz"])),
            ("*/a", Some(&["/z/az", "/az"])),
            ("**/a$", Some(&["/z/a", "/a"])),
            ("/a b", None),
            ("/x/../y", None),
        ] {
            let found = instances(pattern.as_bytes(), b'z', Reader::Unchanged, Paths::Urls);
            let found = found.map(|paths| paths.iter().map(|path| path.escape_ascii().to_string()).collect::<Vec<_>>());
            assert_eq!(found, wanted.map(|paths| paths.iter().map(|path| path.to_string()).collect()), "{pattern}");
        }
    }
}
