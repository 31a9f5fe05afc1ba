//! The paths that URL normalization can produce, as an automaton.
//!
//! `/a/b?c` is such a path. `/a/../b` is none, since a client resolves it to `/b` before it asks; neither is `/a b`,
//! which it sends as `/a%20b`, nor `/%c3`, which every dialect compares as `/%C3`. A rule that only such paths match
//! never decides.
//!
//! [`UrlState`] reads a path byte by byte. The rules are those of [`url`](super) (WHATWG path state and query
//! state): in the path no dot segments and no backslash, in path and query no byte that a client escapes, and the hex
//! digits of escapes in upper case. Paths of the canonical forms escape more bytes, and fewer times. Tests compare the
//! automaton with `Dialect::url_path` on all short texts, and with `UrlPath::new` in every form.

use std::collections::BTreeSet;

use robotsc_runtime::{PathForm, is_query_data, is_unreserved};

/// What was read of the segment at hand, as far as it decides whether this is a dot segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Segment {
    /// Nothing.
    Empty,
    /// `.`, or its escape.
    Dot,
    /// Two of them.
    TwoDots,
    /// Anything else: no dot segment.
    Other,
}

/// What was read of an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Escape {
    /// Nothing.
    None,
    /// `%`.
    Percent,
    /// `%` and a hex digit.
    Digit(u8),
}

/// Reports whether a byte occurs in any normalized path.
#[must_use]
pub const fn is_in_urls(byte: u8) -> bool {
    !matches!(byte, 0..=0x20 | 0x7F.. | b'"' | b'#' | b'<' | b'>')
}

/// The state after some bytes of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UrlState {
    started: bool,
    in_query: bool,
    segment: Segment,
    escape: Escape,
}

impl UrlState {
    /// Nothing was read. The first byte must be `/`.
    pub const START: Self = Self { started: false, in_query: false, segment: Segment::Empty, escape: Escape::None };

    /// Returns the state after one more byte, or `None` if no path goes on so: paths as a client sends them.
    #[inline]
    #[must_use]
    pub fn step(self, byte: u8) -> Option<Self> {
        self.step_in(byte, PathForm::Escaped)
    }

    /// Returns the state after one more byte of a path in a form, or `None` if no path goes on so.
    #[inline]
    #[must_use]
    pub fn step_in(mut self, byte: u8, form: PathForm) -> Option<Self> {
        if !self.started {
            return (byte == b'/').then_some(Self { started: true, ..self });
        }
        let is_hex = byte.is_ascii_hexdigit();
        match std::mem::replace(&mut self.escape, Escape::None) {
            Escape::None => return self.plain(byte, form),
            Escape::Percent if is_hex => {
                self.escape = Escape::Digit(byte);
                return Some(self);
            }
            Escape::Digit(first) if is_hex => return self.escaped(first, byte, form),
            Escape::Percent | Escape::Digit(_) => {}
        }
        // A `%` that begins no escape.
        self.segment = Segment::Other;
        self.plain(byte, form)
    }

    /// Reads the second digit of an escape. Digits are upper case, and what a form decodes is never escaped.
    fn escaped(mut self, first: u8, second: u8, form: PathForm) -> Option<Self> {
        let value = digit(first) << 4 | digit(second);
        let is_decoded = match form {
            PathForm::Escaped => false,
            PathForm::Canonical { query_reserved } => {
                is_unreserved(value) || (query_reserved && self.in_query && is_query_data(value))
            }
        };
        if first.is_ascii_lowercase() || second.is_ascii_lowercase() || is_decoded {
            return None;
        }
        self.segment = if value == b'.' { self.after_dot() } else { Segment::Other };
        Some(self)
    }

    /// Reads a byte that continues no escape.
    fn plain(mut self, byte: u8, form: PathForm) -> Option<Self> {
        let is_canonical = matches!(form, PathForm::Canonical { .. });
        match byte {
            b'%' => self.escape = Escape::Percent,
            _ if !is_in_urls(byte) => return None,
            b'\'' if self.in_query && form != (PathForm::Canonical { query_reserved: true }) => return None,
            b'^' | b'|' | b'*' | b'$' if is_canonical => return None,
            b'\\' | b'`' | b'{' | b'}' if is_canonical || !self.in_query => return None,
            _ if self.in_query => {}
            b'/' | b'?' => {
                if self.is_dots() {
                    return None;
                }
                self.segment = Segment::Empty;
                self.in_query = byte == b'?';
            }
            b'.' => self.segment = self.after_dot(),
            _ => self.segment = Segment::Other,
        }
        Some(self)
    }

    const fn after_dot(self) -> Segment {
        match self.segment {
            Segment::Empty => Segment::Dot,
            Segment::Dot => Segment::TwoDots,
            Segment::TwoDots | Segment::Other => Segment::Other,
        }
    }

    const fn is_dots(self) -> bool {
        matches!(self.segment, Segment::Dot | Segment::TwoDots)
    }

    /// Reports whether a path can end here.
    #[must_use]
    pub fn is_whole(self) -> bool {
        // A `%` after the dots makes them another segment.
        self.started && (self.in_query || !self.is_dots() || self.escape != Escape::None)
    }

    /// Returns a number for this state, below 2^8. States of one number go on alike in the paths of [`UrlState::step`].
    #[must_use]
    pub const fn number(self) -> u64 {
        let escape = match self.escape {
            Escape::None => 0,
            Escape::Percent => 1,
            Escape::Digit(b'2') => 2,
            Escape::Digit(b'a'..=b'f') => 4,
            Escape::Digit(_) => 3,
        };
        self.started as u64 | (self.in_query as u64) << 1 | (self.segment as u64) << 2 | escape << 4
    }
}

/// Reports whether a normal pattern matches any path of a form. `*` stands for any bytes, and `$` at the end for the
/// end of the path. Text that only becomes an escape when it is decoded, such as `%%41a`, counts as that escape.
///
/// Costs the length of the pattern times the number of states, which is below 2^8.
#[must_use]
pub fn matches_any_path(pattern: &[u8], form: PathForm) -> bool {
    let (body, is_anchored) = pattern.strip_suffix(b"$").map_or((pattern, false), |body| (body, true));
    let mut states = BTreeSet::from([UrlState::START]);
    for byte in body {
        states = match byte {
            b'*' => reached_by_any_bytes(states, form),
            byte => states.into_iter().filter_map(|state| state.step_in(*byte, form)).collect(),
        };
    }
    // Some path goes on from every state, so that only an anchor asks for the end.
    states.into_iter().any(|state| !is_anchored || state.is_whole())
}

fn reached_by_any_bytes(from: BTreeSet<UrlState>, form: PathForm) -> BTreeSet<UrlState> {
    let mut pending: Vec<UrlState> = from.iter().copied().collect();
    let mut reached = from;
    while let Some(state) = pending.pop() {
        let next = (0..0x80).filter_map(|byte| state.step_in(byte, form));
        pending.extend(next.filter(|next| reached.insert(*next)));
    }
    reached
}

/// Returns the value of a hexadecimal digit.
const fn digit(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        _ => (byte | 0x20).wrapping_sub(b'a').wrapping_add(10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    fn is_whole(path: &[u8]) -> bool {
        path.iter().try_fold(UrlState::START, |state, byte| state.step(*byte)).is_some_and(UrlState::is_whole)
    }

    #[test]
    fn all_short_texts_over_the_bytes_that_matter() {
        let alphabets: [(&[u8], u32); 2] = [(b"/.%2Eae?", 6), (b"/?%'{}\\^|*$#\" \x80aF.", 4)];
        for (alphabet, length) in alphabets {
            for length in 0..=length {
                for number in 0..alphabet.len().pow(length) {
                    let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
                    let path: Vec<u8> = (0..length).map(digit).collect();
                    let url = [b"https://h/", path.as_slice()].concat();
                    let normal = Dialect::GOOGLE.url_path(&url).expect("a URL");
                    let path = &url[b"https://h".len()..];
                    assert_eq!(is_whole(path), normal.as_bytes() == path, "{}", path.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn a_path_goes_on_from_every_state() {
        for form in PathForm::ALL {
            let states = reached_by_any_bytes(BTreeSet::from([UrlState::START]), form);
            assert!(states.len() < 256);
            let stuck = |state: &UrlState| {
                !reached_by_any_bytes(BTreeSet::from([*state]), form).iter().any(|next| next.is_whole())
            };
            assert_eq!(states.iter().find(|state| stuck(state)), None);
        }
    }

    #[test]
    fn every_byte_in_path_and_query() {
        for byte in 0..=u8::MAX {
            for path in [&[b'/', b'a', byte, b'a'][..], &[b'/', b'?', byte, b'a']] {
                let url = [b"https://h", path].concat();
                let normal = Dialect::GOOGLE.url_path(&url).expect("a URL");
                assert_eq!(is_whole(path), normal.as_bytes() == path, "{}", path.escape_ascii());
            }
        }
    }
}
