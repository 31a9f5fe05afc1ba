//! A pattern beside a path that it matches but for case, escapes or slashes.
//!
//! ```text
//! pattern   /Img*.PNG      as the path writes it   /img*.png
//! path      /img/a.png     as the rule writes it   /Img/a.PNG
//! ```

use super::folded::{Folded, Without, folded};

/// A pattern and a path, each as the other writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aligned {
    /// A pattern that matches the path.
    pub(super) pattern: Vec<u8>,
    /// A path that the pattern matches.
    pub(super) path: Vec<u8>,
}

/// A part of a pattern without a `*`, and where it is found in a path.
struct Place<'p> {
    piece: &'p [u8],
    /// The first character of the folded path, and the one after the last.
    chars: [usize; 2],
}

/// Finds a pattern in a path that is folded in the same way. `is_end_optional` means that a `/` at the end of the
/// pattern can be missing in the path, if the path ends there or goes on with its query. Adds the characters that it
/// has  compared to `compared`.
pub(super) fn aligned(
    pattern: &[u8],
    path: &[u8],
    path_folded: &Folded,
    without: Without,
    is_end_optional: bool,
    compared: &mut usize,
) -> Option<Aligned> {
    let (body, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(body) if !body.ends_with(b"*") => (body, true),
        Some(body) => (body, false),
        None => (pattern, false),
    };
    let pieces: Vec<&[u8]> = body.split(|byte| *byte == b'*').collect();
    let chars = &path_folded.chars;
    let mut places: Vec<Place<'_>> = Vec::with_capacity(pieces.len());
    let mut from = 0;
    for (number, piece) in pieces.iter().enumerate() {
        let is_last = number + 1 == pieces.len();
        let wanted = folded(piece, without).chars;
        let mut wanted = wanted.as_slice();
        if is_last && is_end_optional {
            wanted = wanted.strip_suffix(&['/']).filter(|rest| !rest.is_empty())?;
        }
        let at = match (number, is_last && is_anchored) {
            (0, _) => chars.starts_with(wanted).then_some(0)?,
            (_, true) => chars.len().checked_sub(wanted.len()).filter(|at| chars[*at..] == *wanted)?,
            _ => find(chars.get(from..)?, wanted, compared)? + from,
        };
        if at < from {
            return None;
        }
        from = at + wanted.len();
        places.push(Place { piece, chars: [at, from] });
    }
    let is_whole = from == chars.len();
    if (is_anchored && !is_whole) || (is_end_optional && !is_whole && chars[from] != '?') {
        return None;
    }
    let is_long = |place: &Place<'_>| place.piece.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() >= 3;
    let ends_a_name = is_whole || !chars[from].is_alphanumeric() || !chars[from.checked_sub(1)?].is_alphanumeric();
    let is_one_name = places.len() == 1 && places.iter().all(is_long);
    if !ends_a_name && !is_one_name {
        // A few letters at the start of a name say little.
        return None;
    }
    Some(written(&places, path, path_folded, is_anchored))
}

/// Writes the pattern as the path does, and the path as the pattern does.
fn written(places: &[Place<'_>], path: &[u8], path_folded: &Folded, is_anchored: bool) -> Aligned {
    let raw = |at: usize| path_folded.starts[at];
    let (mut pattern, mut other) = (Vec::new(), Vec::new());
    let mut end = 0;
    for (number, Place { piece, chars: [from, to] }) in places.iter().enumerate() {
        if number > 0 {
            pattern.push(b'*');
            other.extend_from_slice(&path[end..raw(*from)]);
        }
        pattern.extend_from_slice(&path[raw(*from)..raw(*to)]);
        other.extend_from_slice(piece);
        end = raw(*to);
    }
    other.extend_from_slice(&path[end..]);
    if is_anchored {
        pattern.push(b'$');
    }
    Aligned { pattern, path: other }
}

/// Returns where some characters are first.
fn find(chars: &[char], wanted: &[char], compared: &mut usize) -> Option<usize> {
    let Some(first) = wanted.first() else { return Some(0) };
    let is_here = |window: &[char]| {
        let is_near = window[0] == *first;
        *compared += if is_near { wanted.len() } else { 1 };
        is_near && window == wanted
    };
    chars.windows(wanted.len()).position(is_here)
}
