//! Lone surrogates in JSON: half of a character beyond the Basic Multilingual Plane.
//!
//! ```text
//! "\ud83d\ude00"   a character        "\ud83d"   a lone surrogate, which no UTF-8 has
//! ```
//! An editor that keeps text as UTF-16 can send one, for example while a character is typed in two halves. A lone
//! surrogate becomes U+FFFD, which is one UTF-16 code unit as well, so that no position moves.

use std::borrow::Cow;

/// Returns JSON whose lone surrogates are U+FFFD. Cost: linear; JSON without escapes of surrogates is not copied.
pub(crate) fn without_lone(json: &[u8]) -> Cow<'_, [u8]> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(length) = json[at..].iter().position(|byte| *byte == b'\\') {
        at += length;
        let step = match (unit(json, at), unit(json, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                let out = out.get_or_insert_with(|| json.to_vec());
                out[at..at + 6].copy_from_slice(b"\\ufffd");
                6
            }
            (Some(_), _) => 6,
            // Another escape, of which `\\` must not be read twice.
            (None, _) => 2,
        };
        at = (at + step).min(json.len());
    }
    out.map_or(Cow::Borrowed(json), Cow::Owned)
}

/// Returns the code unit of an escape such as `\ud83d`, if one starts here.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at.checked_add(6)?)?.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced() {
        for (json, wanted) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00x""#, r#""\ufffdx""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\u00e9\n\ud83d\u0041""#, r#""\u00e9\n\ufffd\u0041""#),
            ("\\", "\\"),
            ("\\ud83", "\\ud83"),
            ("\\u+123", "\\u+123"),
        ] {
            assert_eq!(String::from_utf8_lossy(&without_lone(json.as_bytes())), wanted);
        }
    }
}
