//! The paths that URL normalization can produce, as an automaton.
//!
//! `/a/b?c` is such a path. `/a/../b` is none, since a client resolves it to `/b` before it asks; neither is `/a b`,
//! which it sends as `/a%20b`, nor `/%c3`, which every dialect compares as `/%C3`. A rule that only such paths match
//! never decides.
//!
//! [`UrlState`] reads a path byte by byte. The rules are those of `robotsc_compiler::url` (WHATWG path state and query
//! state): in the path no dot segments and no backslash, in path and query no byte that a client escapes, and the hex
//! digits of escapes in upper case. A test compares the automaton with `Dialect::url_path` on all short texts.

/// What was read of the segment at hand, as far as it decides whether this is a dot segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// Nothing.
    None,
    /// `%`.
    Percent,
    /// `%2`, which `E` makes a dot.
    Two,
    /// `%` and a digit or an upper-case letter.
    Upper,
    /// `%` and a lower-case hex digit, which a second digit makes an escape that is not normalized.
    Lower,
}

/// Reports whether a byte occurs in any normalized path.
pub(crate) const fn is_in_urls(byte: u8) -> bool {
    !matches!(byte, 0..=0x20 | 0x7F.. | b'"' | b'#' | b'<' | b'>')
}

/// The state after some bytes of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UrlState {
    started: bool,
    in_query: bool,
    segment: Segment,
    escape: Escape,
}

impl UrlState {
    /// Nothing was read. The first byte must be `/`.
    pub(super) const START: Self =
        Self { started: false, in_query: false, segment: Segment::Empty, escape: Escape::None };

    /// Returns the state after one more byte, or `None` if no path goes on so.
    pub(super) fn step(mut self, byte: u8) -> Option<Self> {
        if !self.started {
            return (byte == b'/').then_some(Self { started: true, ..self });
        }
        let escape = std::mem::replace(&mut self.escape, Escape::None);
        let is_hex = byte.is_ascii_hexdigit();
        match escape {
            Escape::None => return self.plain(byte),
            Escape::Percent if is_hex => {
                self.escape = match byte {
                    b'2' => Escape::Two,
                    b'a'..=b'f' => Escape::Lower,
                    _ => Escape::Upper,
                };
                return Some(self);
            }
            Escape::Two | Escape::Upper | Escape::Lower if is_hex => {
                if escape == Escape::Lower || byte.is_ascii_lowercase() {
                    return None;
                }
                self.segment = if escape == Escape::Two && byte == b'E' { self.after_dot() } else { Segment::Other };
                return Some(self);
            }
            _ => {}
        }
        // A `%` that begins no escape.
        self.segment = Segment::Other;
        self.plain(byte)
    }

    /// Reads a byte that continues no escape.
    fn plain(mut self, byte: u8) -> Option<Self> {
        match byte {
            b'%' => self.escape = Escape::Percent,
            _ if !is_in_urls(byte) => return None,
            b'\'' if self.in_query => return None,
            _ if self.in_query => {}
            b'/' | b'?' => {
                if self.is_dots() {
                    return None;
                }
                self.segment = Segment::Empty;
                self.in_query = byte == b'?';
            }
            b'.' => self.segment = self.after_dot(),
            b'\\' | b'`' | b'{' | b'}' => return None,
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
    pub(super) fn is_whole(self) -> bool {
        // A `%` after the dots makes them another segment.
        self.started && (self.in_query || !self.is_dots() || self.escape != Escape::None)
    }

    /// Returns a number for this state, below 2^8.
    pub(super) const fn number(self) -> u64 {
        self.started as u64 | (self.in_query as u64) << 1 | (self.segment as u64) << 2 | (self.escape as u64) << 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_compiler::Dialect;

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
