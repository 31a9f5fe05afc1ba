//! Byte classes of paths: hexadecimal digits of escapes, unreserved bytes, and those that can be data in a query.

/// An escape that was read.
#[derive(Clone, Copy, Debug)]
pub struct Escaped {
    /// The byte that it stands for.
    pub value: u8,
    /// Whether neither of its digits is a letter in lower case.
    pub is_upper: bool,
}

/// Reads the two digits of an escape; `None` if they are not hexadecimal.
#[must_use]
#[inline(always)]
pub const fn escaped_byte(digits: &[u8; 2]) -> Option<Escaped> {
    let (high, low) = (DIGITS[digits[0] as usize], DIGITS[digits[1] as usize]);
    let both = high | low;
    if both & NO_DIGIT != 0 {
        return None;
    }
    Some(Escaped { value: high << 4 | low & 0x0F, is_upper: both & LOWER == 0 })
}

/// The bit of a byte in [`DIGITS`] that is no hexadecimal digit.
const NO_DIGIT: u8 = 0x80;
/// The bit of a letter in lower case.
const LOWER: u8 = 0x10;

/// The value of each hexadecimal digit.
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut byte = 0;
    while byte < 256 {
        digits[byte] = match byte as u8 {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'A'..=b'F' => digit - b'A' + 10,
            digit @ b'a'..=b'f' => (digit - b'a' + 10) | LOWER,
            _ => NO_DIGIT,
        };
        byte += 1;
    }
    digits
};

/// Reports whether RFC 3986 section 2.3 lists a byte as unreserved: an escape of it means the byte itself.
#[must_use]
pub const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Reports whether a byte is reserved and can be data in a query: it equals its escape there, in a dialect with
/// `query_reserved`. `&` and `=` never are: they structure the query.
#[must_use]
pub const fn is_query_data(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'?' | b'@' | b'[' | b']' | b'!' | b'\'' | b'(' | b')' | b'+' | b',' | b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read() {
        for (digits, value) in [(b"00", Some((0, true))), (b"aF", Some((0xAF, false))), (b"9A", Some((0x9A, true)))] {
            assert_eq!(escaped_byte(digits).map(|escaped| (escaped.value, escaped.is_upper)), value);
        }
        for digits in [b"g0", b"0g", b"/0", b"0:", b"@A", b"A`"] {
            assert!(escaped_byte(digits).is_none());
        }
    }
}
