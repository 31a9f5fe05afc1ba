//! `Crawl-delay`: a number of seconds.

use std::time::Duration;

/// Reads decimal seconds: digits, with a fraction after a `.` or without. No sign, no exponent, no unit, no `nan` or
/// `inf`.
///
/// Digits after the nanoseconds are dropped; a number of seconds beyond `u64` is `u64::MAX` seconds.
pub(super) fn seconds(text: &[u8]) -> Option<Duration> {
    let (whole, fraction) = match text.iter().position(|&byte| byte == b'.') {
        Some(point) => (&text[..point], &text[point + 1..]),
        None => (text, &[][..]),
    };
    let is_number = whole.iter().chain(fraction).all(u8::is_ascii_digit) && !(whole.is_empty() && fraction.is_empty());
    let value = |digit: &u8| digit - b'0';
    is_number.then(|| {
        let seconds = whole.iter().fold(0u64, |sum, digit| sum.saturating_mul(10).saturating_add(value(digit).into()));
        let digits = fraction.iter().chain(std::iter::repeat(&b'0')).take(9);
        Duration::new(seconds, digits.fold(0u32, |sum, digit| sum * 10 + u32::from(value(digit))))
    })
}

#[cfg(test)]
mod tests {
    use super::seconds;
    use std::time::Duration;

    #[test]
    fn decimal_seconds() {
        let cases = [
            ("10", 10_000),
            ("0", 0),
            ("0.5", 500),
            (".5", 500),
            ("5.", 5_000),
            ("007", 7_000),
            ("1.2349999999999", 1_234),
        ];
        for (text, milliseconds) in cases {
            let read = seconds(text.as_bytes()).map(|delay| delay.as_millis());
            assert_eq!(read, Some(milliseconds), "{text}");
        }
        assert_eq!(seconds(b"0.0000000019"), Some(Duration::from_nanos(1)));
        assert_eq!(seconds(&[b'9'; 400]), Some(Duration::from_secs(u64::MAX)));
    }

    #[test]
    fn no_seconds() {
        for text in ["", ".", "-1", "+1", "1e3", "nan", "inf", "10s", "1 0", "1,5", "1.2.3", "0x10", "[5]", "١"] {
            assert_eq!(seconds(text.as_bytes()), None, "{text}");
        }
    }
}
