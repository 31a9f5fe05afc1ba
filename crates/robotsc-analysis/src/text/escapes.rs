//! The escapes of bytes that are no ASCII: `%C3%A9`. A sign of ASCII that is escaped stays so: `%2F` is no `/`.

/// Returns a path or a pattern with the bytes that are no ASCII escaped.
pub(crate) fn escape_letters(text: &[u8]) -> Vec<u8> {
    let escape = |byte: &u8| if byte.is_ascii() { vec![*byte] } else { format!("%{byte:02X}").into_bytes() };
    text.iter().flat_map(escape).collect()
}

/// Returns a path or a pattern with the bytes that are no ASCII in place of their escapes.
pub(crate) fn unescape_letters(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let byte = match rest {
            [b'%', high, low, ..] => byte_of_digits(*high, *low).filter(|byte| !byte.is_ascii()),
            _ => None,
        };
        out.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &rest[3..] } else { after };
    }
    out
}

/// Returns the byte of two hexadecimal digits.
pub(crate) fn byte_of_digits(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_alone_are_escaped_and_read() {
        for (escapes, bytes) in
            [(&b"/caf%C3%A9"[..], "/caf\u{e9}".as_bytes()), (b"/%2F%25%41", b"/%2F%25%41"), (b"/%C3%", b"/\xC3%")]
        {
            assert_eq!(unescape_letters(escapes), bytes, "{}", escapes.escape_ascii());
            assert_eq!(escape_letters(bytes), escapes, "{}", escapes.escape_ascii());
        }
        assert_eq!(unescape_letters(b"%c3%a9%zz%C"), b"\xC3\xA9%zz%C");
    }
}
