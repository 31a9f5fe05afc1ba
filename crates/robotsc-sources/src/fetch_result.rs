//! Words for fetches that ended without a whole response: in the status column of manifests, and in WARC files as the
//! field `fetch-result` of a `metadata` record about the URL of a robots.txt.
//!
//! ```text
//! WARC-Type: metadata
//! WARC-Target-URI: https://shop.example/robots.txt
//! Content-Type: application/warc-fields
//!
//! fetch-result: timeout
//! ```

use robotsc_frontier::outcome::BodyEnd;

use crate::capture::{SourceAnswer, SourceResponse};

/// Returns the answer that a word stands for.
pub(crate) fn of_word(word: &str) -> Option<SourceAnswer> {
    let response = |status, end| SourceAnswer::Response(SourceResponse { status, end, ..SourceResponse::default() });
    Some(match word {
        "redirects" => SourceAnswer::TooManyRedirects,
        "unreachable" | "dns" | "connect" | "tls" | "timeout" | "reset" | "protocol" | "refused" => {
            SourceAnswer::Unreachable
        }
        "incomplete" => response(200, BodyEnd::Incomplete),
        // A redirect that names no place to go on.
        "lost-redirect" => response(301, BodyEnd::Whole),
        // An FTP server that has no such file.
        "missing" => response(404, BodyEnd::Whole),
        _ => return None,
    })
}

/// The type of a content that consists of fields.
const FIELDS: &[u8] = b"application/warc-fields";

/// Returns the answer that the content of a `metadata` record states; `None` if it states none, or if its type is not
/// that of fields: a text can hold a line that looks like one.
///
/// # Errors
/// In words, if it states one by an unknown word.
pub(crate) fn of_fields(content_type: &[u8], content: &[u8]) -> Result<Option<SourceAnswer>, String> {
    let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
    if !essence.trim_ascii().eq_ignore_ascii_case(FIELDS) {
        return Ok(None);
    }
    for line in content.split(|byte| *byte == b'\n') {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = line.split_at(colon);
        if !name.trim_ascii().eq_ignore_ascii_case(b"fetch-result") {
            continue;
        }
        let word = value.get(1..).unwrap_or_default().trim_ascii();
        let known = str::from_utf8(word).ok().and_then(|word| of_word(&word.to_ascii_lowercase()));
        let shown = word.get(..word.len().min(40)).unwrap_or_default().escape_ascii();
        return known.map(Some).ok_or_else(|| format!("'{shown}' is no fetch-result such as timeout: skipped"));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_states_how_a_fetch_ended() {
        for (content, answer) in [
            ("fetch-result: timeout\r\n", Ok(Some(SourceAnswer::Unreachable))),
            ("fetchTimeMs: 12\r\nFetch-Result:  Redirects \r\n", Ok(Some(SourceAnswer::TooManyRedirects))),
            ("fetchTimeMs: 12\r\n", Ok(None)),
            ("", Ok(None)),
            ("no colon\n\u{ff}", Ok(None)),
            ("fetch-result: wonderful\r\n", Err("'wonderful' is no fetch-result such as timeout: skipped".to_owned())),
            ("fetch-result:", Err("'' is no fetch-result such as timeout: skipped".to_owned())),
        ] {
            assert_eq!(of_fields(FIELDS, content.as_bytes()), answer, "{content:?}");
        }
    }

    #[test]
    fn only_fields_state_it() {
        for (content_type, is_stated) in [
            ("application/warc-fields", true),
            (" Application/WARC-Fields ; charset=utf-8", true),
            ("text/plain", false),
            ("application/warc-fields-2", false),
            ("", false),
        ] {
            let stated = of_fields(content_type.as_bytes(), b"fetch-result: redirects\r\n");
            assert_eq!(stated, Ok(is_stated.then_some(SourceAnswer::TooManyRedirects)), "{content_type:?}");
        }
    }
}
