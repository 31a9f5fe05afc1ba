//! The check whether a path is normalized as written, so that it can be borrowed from its URL.
//!
//! Only [signs](Signs) can change, so only they are looked at, each on its own: `%C3` stays, `%c3` is changed, `%61` is
//! changed in the canonical form, and `/.hidden` stays where `/./` is changed. What a sign means depends on the query
//! for a few bytes; where the query starts is searched when the first of them occurs.
//!
//! The answer is exact: [`first_change`] returns `None` if and only if normalization returns the path itself.

use crate::classes::{Escaped, escaped_byte, is_query_data, is_unreserved};
use crate::signs::Signs;

/// Returns the position of the first byte that normalization changes in the path that `text` ends with, which starts
/// with the `/` at `slash`. `None` if there is none.
///
/// `CANONICAL` is the form; with `decodes_query` the canonical form decodes escapes of reserved bytes in the query.
pub(crate) fn first_change<const CANONICAL: bool>(text: &[u8], slash: usize, decodes_query: bool) -> Option<usize> {
    let mut query = Query { start: None };
    for at in Signs::<CANONICAL>::after(text, slash) {
        let stays = match text.get(at).map_or(Action::Change, |byte| ACTIONS[usize::from(*byte)]) {
            Action::Stay => true,
            Action::Dot => !starts_dots(text, at) || query.holds(text, slash, at),
            Action::Escape => {
                let after_slash = text.get(at.wrapping_sub(1)) == Some(&b'/');
                if after_slash && starts_dots(text, at) && !query.holds(text, slash, at) {
                    return Some(at);
                }
                match text.get(at + 1..).and_then(<[u8]>::first_chunk).and_then(escaped_byte) {
                    None => true,
                    Some(Escaped { is_upper: false, .. }) => false,
                    Some(Escaped { value, .. }) => {
                        let is_decoded = CANONICAL
                            && (is_unreserved(value)
                                || (decodes_query && is_query_data(value) && query.holds(text, slash, at)));
                        !is_decoded
                    }
                }
            }
            Action::Change => false,
            Action::ChangeInPath => !CANONICAL && query.holds(text, slash, at),
            Action::ChangeInQuery => decodes_query || !query.holds(text, slash, at),
            Action::ChangeIfCanonical => !CANONICAL,
        };
        if !stays {
            return Some(at);
        }
    }
    None
}

/// Where the query of a path starts, once something depends on it.
struct Query {
    start: Option<usize>,
}

impl Query {
    /// Reports whether the byte at `at` is in the query of the path that starts at `slash`.
    #[inline(never)]
    fn holds(&mut self, text: &[u8], slash: usize, at: usize) -> bool {
        let first = || {
            let path = text.get(slash..).unwrap_or_default();
            path.iter().position(|byte| *byte == b'?').map_or(usize::MAX, |length| slash + length)
        };
        at > *self.start.get_or_insert_with(first)
    }
}

/// What normalization does about a sign.
#[derive(Clone, Copy)]
enum Action {
    /// Nothing, in any form.
    Stay,
    /// It looks for a dot segment.
    Dot,
    /// It looks at the two digits that follow.
    Escape,
    /// It escapes the byte, or stops before it.
    Change,
    /// It changes the byte in the path; in the query in the canonical form alone.
    ChangeInPath,
    /// It changes the byte in the query, unless reserved bytes are decoded there.
    ChangeInQuery,
    ChangeIfCanonical,
}

const ACTIONS: [Action; 256] = {
    let mut actions = [Action::Stay; 256];
    let mut byte = 0;
    while byte < 256 {
        actions[byte] = match byte as u8 {
            b'.' => Action::Dot,
            b'%' => Action::Escape,
            b'`' | b'{' | b'}' | b'\\' => Action::ChangeInPath,
            b'\'' => Action::ChangeInQuery,
            b'^' | b'|' | b'*' | b'$' => Action::ChangeIfCanonical,
            0..=0x20 | 0x7F.. | b'"' | b'<' | b'>' | b'#' => Action::Change,
            _ => Action::Stay,
        };
        byte += 1;
    }
    actions
};

/// Reports whether a dot segment starts at a position.
#[inline]
fn starts_dots(text: &[u8], at: usize) -> bool {
    starts_with_dot_segment(text.get(at..).unwrap_or_default())
}

/// Reports whether a path segment is `.` or `..`, escaped or not (WHATWG URL standard, path state).
#[must_use]
pub fn starts_with_dot_segment(segment: &[u8]) -> bool {
    let dot = |text: &[u8]| match text {
        [b'.', ..] => 1,
        [b'%', b'2', b'e' | b'E', ..] => 3,
        _ => 0,
    };
    let first = dot(segment);
    let second = dot(segment.get(first..).unwrap_or_default());
    let ends = |length: usize| matches!(segment.get(length..), Some([] | [b'/' | b'\\' | b'?' | b'#', ..]));
    first > 0 && (ends(first) || (second > 0 && ends(first + second)))
}
