//! Finding the path in a URL that is as most are, such as `https://shop.example/cart`.
//!
//! In such a URL every reader agrees where the path starts: nothing before it has to be decoded, trimmed or refused. So
//! [`plain_origin`] looks at each byte before the path once, eight at a time, and at none after it.

use robotsc_runtime::url::MAX_HOST;

const LOW: u64 = u64::MAX / 255;
const HIGH: u64 = LOW << 7;

/// Returns where the path starts in a URL that is as most are: `http` or `https`, a host of letters, digits, dots and
/// hyphens, no port, and a path. The host needs no check: it has no empty label, and its last label begins with a
/// letter, so that it is no number. `None` means nothing.
#[inline]
pub(crate) fn plain_origin(url: &[u8]) -> Option<usize> {
    // Compared as words, not byte by byte.
    let start = match url.first_chunk() {
        Some(b"https://") => 8,
        _ if url.first_chunk() == Some(b"http://") => 7,
        _ => return None,
    };
    Some(start + plain_host(&url[start..])?)
}

/// Returns the length of a plain host that a path follows.
#[inline]
fn plain_host(text: &[u8]) -> Option<usize> {
    let mut labels = Labels { dot_before: 0x80, empty: 0, last: (0, 0) };
    let (words, rest) = text.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let others = not_in_names(word);
        if others != 0 {
            return labels.end(text, word, others, at);
        }
        labels.read(dots(word), at);
        at += 8;
    }
    let mut word = [0; 8];
    word[..rest.len()].copy_from_slice(rest);
    let word = u64::from_le_bytes(word);
    // A zero ends each name.
    labels.end(text, word, not_in_names(word), at)
}

/// What was read of the labels of a host, eight bytes at a time.
struct Labels {
    /// The high bit of the lowest byte, if the byte before the word is a dot. A host begins as a label does.
    dot_before: u64,
    /// Not zero if a label is empty.
    empty: u64,
    /// The last word with a dot, as its place and its dots.
    last: (usize, u64),
}

impl Labels {
    /// Reads the dots of the word at a place.
    #[inline]
    fn read(&mut self, dots: u64, at: usize) {
        self.empty |= dots & (dots << 8 | self.dot_before);
        self.dot_before = dots >> 56;
        if dots != 0 {
            self.last = (at, dots);
        }
    }

    /// Reads the word that the host ends in, and returns the length of the host if it is plain.
    #[inline]
    fn end(mut self, text: &[u8], word: u64, others: u64, at: usize) -> Option<usize> {
        let first = others & others.wrapping_neg();
        // All bits below the high bit of the first other byte: those of bytes before it, and no dot.
        self.read(dots(word) & first.wrapping_sub(1) & HIGH, at);
        let length = at + others.trailing_zeros() as usize / 8;
        let (at, dots) = self.last;
        let label = if dots == 0 { 0 } else { at + 8 - dots.leading_zeros() as usize / 8 };
        let is_plain = self.empty == 0
            && text.get(length) == Some(&b'/')
            // Of an empty label, this is the slash.
            && text.get(label).is_some_and(u8::is_ascii_alphabetic)
            && length <= MAX_HOST;
        is_plain.then_some(length)
    }
}

/// Returns the high bit of each byte of a word that is a dot, up to the first byte above 0x7F.
const fn dots(word: u64) -> u64 {
    // Sums of 7-bit numbers stay in their bytes.
    !(word ^ (LOW * b'.' as u64)).wrapping_add(HIGH - LOW) & HIGH
}

/// Returns the high bit of each byte of a word that is no letter, digit, dot or hyphen.
const fn not_in_names(word: u64) -> u64 {
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
    fn hosts_end_before_any_other_byte() {
        let mut text = [b'a'; 22];
        for end in 0..text.len() {
            text[end] = b'/';
            for at in 0..=end {
                for byte in 0..=u8::MAX {
                    let old = std::mem::replace(&mut text[at], byte);
                    // The host that a look at each byte finds.
                    let length = text.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b".-".contains(byte));
                    let host = length.map_or(&text[..], |length| &text[..length]);
                    let last = host.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
                    let is_plain = length.is_some_and(|length| text[length] == b'/')
                        && !host.split(|byte| *byte == b'.').any(<[u8]>::is_empty)
                        && last.first().is_some_and(u8::is_ascii_alphabetic);
                    assert_eq!(plain_host(&text), length.filter(|_| is_plain), "{}", text.escape_ascii());
                    text[at] = old;
                }
            }
            text[end] = b'a';
        }
    }

    /// A dot at each two places, in one word and in two.
    #[test]
    fn empty_labels_are_found_at_all_places() {
        for length in 1..20 {
            for first in 0..length {
                for second in first..length {
                    let mut text = vec![b'a'; length];
                    (text[first], text[second]) = (b'.', b'.');
                    text.extend_from_slice(b"/x");
                    let is_plain = first > 0 && second < length - 1 && first + 1 != second;
                    assert_eq!(plain_host(&text), is_plain.then_some(length), "{}", text.escape_ascii());
                }
            }
        }
    }
}
