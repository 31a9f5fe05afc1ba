//! Wrong URLs and bodies, as messages show them.

use std::fmt::Write as _;

/// The maximum number of bytes of a wrong URL that a message shows.
const SHOWN: usize = 80;

/// Returns the beginning of a URL for a message, in quotes.
pub(crate) fn shown(url: &[u8]) -> String {
    let text = shown_url(url, SHOWN);
    if url.len() > SHOWN { format!("'{text}…'") } else { format!("'{text}'") }
}

/// Returns the first bytes of a URL with escapes.
pub(crate) fn shown_url(url: &[u8], limit: usize) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write!(text, "{}", url[..url.len().min(limit)].escape_ascii());
    text
}
