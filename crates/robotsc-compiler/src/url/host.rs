//! Which hosts a URL can have.
//!
//! A host that no resolver knows is an error, as it is for the reader of origins in `robotsc-frontier`: an empty label,
//! a byte that no host holds, a number that is no IPv4 address, too many bytes. Names beyond ASCII take tables to
//! check, which that reader has; here they are accepted if they are UTF-8.

use std::borrow::Cow;

use robotsc_runtime::escaped_byte;
use robotsc_runtime::url::MAX_HOST;

/// Why a text is no host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostProblem {
    EmptyLabel,
    TooLong,
    NotUtf8,
    /// The last label is a number, and the host is no IPv4 address.
    NotAnAddress,
    Byte(u8),
}

/// The longest host that is read, in bytes as written: no name of [`MAX_HOST`] bytes needs more, with every byte
/// escaped.
const MAX_WRITTEN: usize = 4096;

/// Checks a host as written that is no address in brackets.
pub(super) fn check(host: &[u8]) -> Result<(), HostProblem> {
    if host.len() > MAX_WRITTEN {
        return Err(HostProblem::TooLong);
    }
    let decoded = decoded(host);
    let name = std::str::from_utf8(&decoded).map_err(|_| HostProblem::NotUtf8)?;
    // What the URL standard calls a forbidden domain code point; and `;`, at which robots.cc starts the path.
    let is_forbidden = |byte: &&u8| {
        matches!(
            byte,
            0..=0x20
                | b'#'
                | b'%'
                | b'/'
                | b':'
                | b';'
                | b'<'
                | b'>'
                | b'?'
                | b'@'
                | b'['
                | b'\\'
                | b']'
                | b'^'
                | b'|'
                | 0x7F
        )
    };
    if let Some(byte) = decoded.iter().find(is_forbidden) {
        return Err(HostProblem::Byte(*byte));
    }
    // These end labels, too (UTS 46).
    let is_dot = |char| matches!(char, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}');
    let name = name.strip_suffix(is_dot).unwrap_or(name);
    if name.split(is_dot).any(str::is_empty) {
        return Err(HostProblem::EmptyLabel);
    }
    if name.is_ascii() && name.len() > MAX_HOST {
        return Err(HostProblem::TooLong);
    }
    let last = name.rsplit(is_dot).next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || number(last).is_some();
    if is_number && !is_ipv4(name) { Err(HostProblem::NotAnAddress) } else { Ok(()) }
}

/// Returns a host with its escapes decoded. What is no escape stays.
fn decoded(host: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', host).is_none() {
        return Cow::Borrowed(host);
    }
    let mut decoded = Vec::with_capacity(host.len());
    let mut rest = host;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match tail.first_chunk().and_then(escaped_byte) {
            Some(escaped) if *byte == b'%' => {
                decoded.push(escaped.value);
                rest = &tail[2..];
            }
            _ => decoded.push(*byte),
        }
    }
    Cow::Owned(decoded)
}

/// Reports whether a name is an IPv4 address as the URL standard reads one: up to four numbers, of which the last fills
/// the rest of the address.
fn is_ipv4(name: &str) -> bool {
    let mut parts: Vec<Option<u64>> = name.split('.').map(number).collect();
    let last = parts.pop().flatten();
    let rest_bytes = 4_u32.saturating_sub(parts.len() as u32);
    parts.len() < 4
        && parts.iter().all(|part| part.is_some_and(|value| value < 256))
        && last.is_some_and(|value| value < 1 << (8 * rest_bytes))
}

/// Reads a decimal, octal (`0`) or hexadecimal (`0x`) number.
fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        [] => return None,
        _ => (text, 10),
    };
    // A number that is too large is one all the same.
    digits.chars().try_fold(0_u64, |value, digit| {
        let digit = digit.to_digit(radix)?;
        Some(value.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::plain_origin::plain_origin;

    fn is_plain(host: &str) -> bool {
        plain_origin(format!("http://{host}/").as_bytes()) == Some(7 + host.len())
    }

    #[test]
    fn hosts_are_checked() {
        for (host, problem) in [
            ("a.b", None),
            ("a.b.", None),
            ("localhost", None),
            ("a_b.example", None),
            ("xn--mller-kva.example", None),
            ("ex%61mple.com", None),
            ("caf\u{e9}.example", None),
            ("a\u{3002}b", None),
            ("1.2.3.4", None),
            ("127.1", None),
            ("0x7f.1", None),
            ("0x", None),
            ("010.0.0.1.", None),
            ("4294967295", None),
            ("1.a", None),
            ("a..b", Some(HostProblem::EmptyLabel)),
            (".a", Some(HostProblem::EmptyLabel)),
            ("a..", Some(HostProblem::EmptyLabel)),
            (".", Some(HostProblem::EmptyLabel)),
            ("a%2E%2eb", Some(HostProblem::EmptyLabel)),
            ("a\u{3002}.b", Some(HostProblem::EmptyLabel)),
            ("a%2Fb", Some(HostProblem::Byte(b'/'))),
            ("a%00", Some(HostProblem::Byte(0))),
            ("a%3Bb", Some(HostProblem::Byte(b';'))),
            ("a%", Some(HostProblem::Byte(b'%'))),
            ("%FF", Some(HostProblem::NotUtf8)),
            ("1.2.3.256", Some(HostProblem::NotAnAddress)),
            ("1.2.3.4.5", Some(HostProblem::NotAnAddress)),
            ("a.1", Some(HostProblem::NotAnAddress)),
            ("a.0x1", Some(HostProblem::NotAnAddress)),
            ("1.2.3.09", Some(HostProblem::NotAnAddress)),
            ("4294967296", Some(HostProblem::NotAnAddress)),
        ] {
            assert_eq!(check(host.as_bytes()).err(), problem, "{host}");
        }
        let longest = format!("{}.example", "a".repeat(MAX_HOST - 8));
        assert_eq!(check(longest.as_bytes()), Ok(()));
        assert_eq!(check(format!("a{longest}").as_bytes()), Err(HostProblem::TooLong));
        assert!(is_plain(&longest) && !is_plain(&format!("a{longest}")));
    }

    /// The quick look accepts no host that the check refuses, and the check agrees with the `url` crate on all hosts of
    /// these parts.
    #[test]
    fn the_check_agrees_with_the_url_crate() {
        let parts = ["a", ".", "-", "1", "0x", "256", "%2e", "%41", "_", "..", "c.d", "%2f", "0", "aaaaaaa", "9"];
        for number in 0..parts.len().pow(4) {
            let part = |place| parts[number / parts.len().pow(place) % parts.len()];
            let host: String = (0..4).map(part).collect();
            let is_ok = check(host.as_bytes()).is_ok();
            assert!(!is_plain(&host) || is_ok, "{host}");
            let Ok(url) = url::Url::parse(&format!("http://{host}/")) else {
                assert!(!is_ok, "{host}");
                continue;
            };
            let parsed = url.host_str().unwrap_or_default();
            let has_empty_label = parsed.strip_suffix('.').unwrap_or(parsed).split('.').any(str::is_empty);
            assert_eq!(is_ok, !has_empty_label, "{host}");
        }
    }
}
