//! Origins that people give.

use robotsc::origin::OriginError;

/// Says why a text is no origin: other than elsewhere, a path is no way out.
pub(crate) fn no_origin(text: &[u8], error: OriginError) -> String {
    match memchr::memmem::find(text, b"//") {
        None if !text.is_empty() && !text.starts_with(b"/") => {
            "no scheme: write 'https://' or 'http://' before the host".to_owned()
        }
        _ => error.to_string(),
    }
}
