//! Brings a path to the form that patterns are compared in, byte by byte.
//!
//! Patterns of `rfc9309` see the URL path `/%7Ea` as `/~a`. A [`Reader`] reads the bytes of the path and writes those
//! that patterns see. An escape is written once it is whole, so a [`Reading`] holds up to two bytes back; at the end of
//! the path [`Reader::finish`] writes them.
//!
//! A test compares this with the forms of `robotsc_compiler`.

use robotsc_compiler::Dialect;
use robotsc_compiler::dialect::Escapes;

use super::Paths;

/// How patterns of a dialect see the bytes of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reader {
    /// As they are.
    Unchanged,
    /// With bytes from 0x80 escaped, and the hex digits of escapes in upper case.
    Escaped,
    /// In the canonical form of RFC 9309.
    Canonical { query_reserved: bool },
}

/// What a [`Reader`] remembers of the bytes before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    in_query: bool,
    /// 0: none; 1: a `%`; else a `%` and this byte.
    held: u8,
}

/// The bytes that a step writes: at most `%`, a digit, and an escape.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    bytes: [u8; 6],
    len: u8,
}

impl Written {
    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
    }

    fn push_escape(&mut self, byte: u8) {
        const HEX: &[u8; 16] = b"0123456789ABCDEF";
        self.push(b'%');
        self.push(HEX[usize::from(byte >> 4)]);
        self.push(HEX[usize::from(byte & 15)]);
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl Reading {
    /// Returns a number for this state, below 2^9.
    pub(super) const fn number(self) -> u64 {
        (self.held as u64) << 1 | self.in_query as u64
    }
}

fn hex_value(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|value| value as u8)
}

impl Reader {
    /// Returns how patterns of a dialect see the paths of a space.
    pub(crate) const fn of(dialect: &Dialect, paths: Paths) -> Self {
        match (dialect.escapes, paths) {
            (Escapes::Canonical, _) => Self::Canonical { query_reserved: dialect.query_reserved },
            // URL normalization has escaped the path already.
            (Escapes::HexAndNonAscii, Paths::Urls | Paths::Plain) | (Escapes::PatternOnly, _) => Self::Unchanged,
            (Escapes::HexAndNonAscii, Paths::Raw) => Self::Escaped,
        }
    }

    /// Reads one byte.
    pub(crate) fn step(self, reading: &mut Reading, byte: u8) -> Written {
        let mut written = Written::default();
        if self == Self::Unchanged {
            written.push(byte);
            return written;
        }
        match (std::mem::take(&mut reading.held), hex_value(byte)) {
            (0, _) => self.plain(reading, byte, &mut written),
            (1, Some(_)) => reading.held = byte,
            (1, None) => {
                written.push(b'%');
                self.plain(reading, byte, &mut written);
            }
            (first, Some(low)) => {
                let value = hex_value(first).unwrap_or(0) << 4 | low;
                if self.decodes(*reading, value) { written.push(value) } else { written.push_escape(value) }
            }
            (first, None) => {
                written.push(b'%');
                written.push(first);
                self.plain(reading, byte, &mut written);
            }
        }
        written
    }

    /// Reads the end of the path.
    pub(crate) fn finish(self, reading: Reading) -> Written {
        let mut written = Written::default();
        match reading.held {
            0 => {}
            1 => written.push(b'%'),
            first => {
                written.push(b'%');
                written.push(first);
            }
        }
        written
    }

    /// Reports whether a path is seen as it is.
    pub(crate) fn keeps(self, path: &[u8]) -> bool {
        let mut reading = Reading::default();
        let mut seen = Vec::with_capacity(path.len());
        for byte in path {
            seen.extend_from_slice(self.step(&mut reading, *byte).as_bytes());
        }
        seen.extend_from_slice(self.finish(reading).as_bytes());
        seen == path
    }

    /// Reads a byte that continues no escape.
    fn plain(self, reading: &mut Reading, byte: u8, written: &mut Written) {
        match (self, byte) {
            (_, b'%') => reading.held = 1,
            (_, 0x80..) => written.push_escape(byte),
            (Self::Canonical { .. }, b'?') => {
                reading.in_query = true;
                written.push(byte);
            }
            (Self::Canonical { .. }, _) if Self::escapes_plain(byte) => written.push_escape(byte),
            _ => written.push(byte),
        }
    }

    /// Reports whether the canonical form escapes a byte below 0x80.
    pub(crate) const fn escapes_plain(byte: u8) -> bool {
        matches!(byte, 0..=0x20 | 0x7F | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' | b'*' | b'$')
    }

    /// Reports whether an escape of `value` means the byte itself.
    const fn decodes(self, reading: Reading, value: u8) -> bool {
        let Self::Canonical { query_reserved } = self else { return false };
        let is_unreserved = value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~');
        let is_query_data =
            matches!(value, b'?' | b':' | b'/' | b'@' | b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b'+' | b',' | b';');
        is_unreserved || (query_reserved && reading.in_query && is_query_data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reader: Reader, path: &[u8]) -> Vec<u8> {
        let mut reading = Reading::default();
        let mut out = Vec::new();
        for byte in path {
            out.extend_from_slice(reader.step(&mut reading, *byte).as_bytes());
        }
        out.extend_from_slice(reader.finish(reading).as_bytes());
        out
    }

    #[test]
    fn forms_are_those_of_the_compiler() {
        let alphabet = b"/?%2fFeE4:$\x80a";
        for dialect in Dialect::ALL {
            let reader = Reader::of(dialect, Paths::Raw);
            for number in 0..alphabet.len().pow(5) {
                let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
                let path: Vec<u8> = [b'/'].into_iter().chain((0..5).map(digit)).collect();
                let (is, wanted) = (read(reader, &path), dialect.raw_url_path(&path).as_bytes().to_vec());
                // A second slash at the start is one of an authority.
                if path[1] != b'/' {
                    assert_eq!(is, wanted, "{} {}", dialect.name, path.escape_ascii());
                }
            }
            for byte in 1..=u8::MAX {
                for path in [[b'/', byte, b'a', byte], [b'/', b'?', byte, b'a']] {
                    if byte != b'#' && byte != b'/' {
                        let wanted = dialect.raw_url_path(&path).as_bytes().to_vec();
                        assert_eq!(read(reader, &path), wanted, "{} {}", dialect.name, path.escape_ascii());
                    }
                }
            }
        }
    }
}
