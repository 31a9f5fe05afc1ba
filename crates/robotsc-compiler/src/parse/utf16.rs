//! From UTF-16 to UTF-8, if the dialect asks for it (RFC 9309 section 2.3 lets a crawler bridge encoding
//! mismatches).

/// A decoded body.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The text, without the byte order mark.
    pub(crate) text: Vec<u8>,
    /// Lone surrogates, and an odd last byte; each became U+FFFD.
    pub(crate) invalid: u32,
}

/// Decodes a body that starts with a UTF-16 byte order mark; `None` for any other body.
///
/// Cost: linear; the text is at most one and a half times as long as the body.
pub(crate) fn decode(body: &[u8]) -> Option<Decoded> {
    let (unit, bytes): (fn([u8; 2]) -> u16, _) = match body {
        [0xFF, 0xFE, rest @ ..] => (u16::from_le_bytes, rest),
        [0xFE, 0xFF, rest @ ..] => (u16::from_be_bytes, rest),
        _ => return None,
    };
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(pairs.len());
    let mut invalid = 0;
    for decoded in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        text.push(decoded.unwrap_or_else(|_| {
            invalid += 1;
            char::REPLACEMENT_CHARACTER
        }));
    }
    if !odd.is_empty() {
        invalid += 1;
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Some(Decoded { text: text.into_bytes(), invalid })
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn both_orders() {
        let little = decode(b"\xFF\xFEa\0\x0A\0\xE9\0\x3D\xD8\0\xDE").map(|decoded| (decoded.text, decoded.invalid));
        assert_eq!(little, Some(("a\né😀".as_bytes().to_vec(), 0)));
        let big = decode(b"\xFE\xFF\0a\0\x0A\0\xE9").map(|decoded| (decoded.text, decoded.invalid));
        assert_eq!(big, Some(("a\né".as_bytes().to_vec(), 0)));
    }

    #[test]
    fn what_is_no_text() {
        let lone = decode(b"\xFF\xFE\x3D\xD8a\0b").map(|decoded| (decoded.text, decoded.invalid));
        assert_eq!(lone, Some(("\u{FFFD}a\u{FFFD}".as_bytes().to_vec(), 2)));
        assert!(decode(b"").is_none() && decode(b"\xFF").is_none() && decode(b"\xEF\xBB\xBFa").is_none());
        assert!(decode(b"\xFF\xFE").is_some_and(|decoded| decoded.text.is_empty()));
    }
}
