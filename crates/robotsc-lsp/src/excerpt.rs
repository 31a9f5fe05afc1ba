//! A text of a file as it is quoted outside of its place: short, however long the text is.
//!
//! An answer quotes many lines, and one line many times. Whole, a file of 40 KB would make a message of 30 MB.

/// The maximum number of bytes of a text that are shown.
const MAX_BYTES: usize = 80;

/// Returns the text, or its first 80 bytes and `…` if it is longer.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let Some(start) = text.get(..MAX_BYTES).filter(|start| start.len() < text.len()) else {
        return String::from_utf8_lossy(text).into_owned();
    };
    // Not within a character: the last chunk ends with what is incomplete.
    let end = match std::str::from_utf8(start) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => start.len(),
    };
    format!("{}…", String::from_utf8_lossy(&start[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        for (text, wanted) in [
            (String::new(), String::new()),
            ("x".repeat(80), "x".repeat(80)),
            ("x".repeat(81), "x".repeat(80) + "…"),
            ("é".repeat(41), "é".repeat(40) + "…"),
            ("x".to_owned() + &"é".repeat(40), "x".to_owned() + &"é".repeat(39) + "…"),
        ] {
            assert_eq!(excerpt(text.as_bytes()), wanted);
        }
        assert_eq!(excerpt(b"a\xFF"), "a\u{FFFD}");
    }
}
