//! Finding the path in a URL that is as most are, such as `https://shop.example/cart`.
//!
//! In such a URL every reader agrees where the path starts: nothing before it has to be decoded, trimmed or refused. So
//! [`plain_origin`] looks at each byte before the path once, eight at a time, and at none after it.

use crate::url::host;

/// Returns where the path starts in a URL that is as most are: `http` or `https`, a host of letters, digits, dots and
/// hyphens, no port, and a path. The host is one that needs no check. `None` means nothing.
#[inline]
pub(crate) fn plain_origin(url: &[u8]) -> Option<usize> {
    // Compared as words, not byte by byte.
    let start = match url.first_chunk() {
        Some(b"https://") => 8,
        _ if url.first_chunk() == Some(b"http://") => 7,
        _ => return None,
    };
    let slash = start + name_length(&url[start..]);
    (url.get(slash) == Some(&b'/') && host::is_plain(&url[start..slash])).then_some(slash)
}

/// Returns the number of bytes at the start of `text` that are letters, digits, dots and hyphens.
#[inline]
fn name_length(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let others = not_in_names(u64::from_le_bytes(*word));
        if others != 0 {
            return 8 * number + others.trailing_zeros() as usize / 8;
        }
    }
    let in_names = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    text.len() - rest.len() + rest.iter().take_while(in_names).count()
}

/// Returns the high bit of each byte of a word that is no letter, digit, dot or hyphen.
const fn not_in_names(word: u64) -> u64 {
    const LOW: u64 = u64::MAX / 255;
    const HIGH: u64 = LOW << 7;
    // Sums of 7-bit numbers stay in their bytes: the high bit says whether a byte is `least` or more.
    const fn from(seven_bits: u64, least: u8) -> u64 {
        seven_bits + LOW * (0x80 - least as u64)
    }
    let seven_bits = word & !HIGH;
    let letter = seven_bits | (LOW * 0x20);
    let letters = from(letter, b'a') & !from(letter, b'z' + 1);
    // A slash is between the dot and the digits.
    let others = from(seven_bits, b'-') & !from(seven_bits, b'9' + 1) & from(seven_bits ^ (LOW * b'/' as u64), 1);
    !(letters | others) & HIGH | word & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_origins_end_at_the_path() {
        for (url, slash) in [
            ("https://shop.example/", Some(20)),
            ("http://A-1.b//x", Some(12)),
            ("http://h/", Some(8)),
            ("http://1.2.3.4.5.6.7.8.a/", Some(24)),
            ("http://1.2.3.4.5.6.7.8.9/", None),
            ("http://1.2.3.4/", None),
            ("http://a..b/", None),
            ("http://.b/", None),
            ("http://b./", None),
            ("http://aaaaaaa..b/", None),
            ("http://aaaaaaaa..b/", None),
            ("http://h", None),
            ("http:///", None),
            ("https:///x", None),
            ("http:/", None),
            ("", None),
            ("HTTP://h/", None),
            (" http://h/", None),
            ("ftp://h/", None),
            ("http://h:80/", None),
            ("http://u@h/", None),
            ("http://h?q/", None),
            ("http://h\\/", None),
            ("http://caf\u{e9}.example/", None),
        ] {
            assert_eq!(plain_origin(url.as_bytes()), slash, "{url}");
        }
    }

    #[test]
    fn names_end_before_any_other_byte() {
        let mut text = [b'a'; 21];
        for byte in 0..=u8::MAX {
            for at in 0..text.len() {
                text[at] = byte;
                let in_names = byte.is_ascii_alphanumeric() || b".-".contains(&byte);
                assert_eq!(name_length(&text), if in_names { text.len() } else { at }, "{byte:#x} {at}");
                text[at] = b'a';
            }
        }
    }
}
