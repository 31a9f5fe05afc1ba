//! The canonical spelling of a file, which is proved to mean the same.

use gen_lsp_types::TextEdit;
use lsp_server::{ErrorCode, ResponseError};
use robotsc::analysis::format::formatted;

use crate::document::Document;
use crate::edits;
use crate::worker::error;

/// Returns the edits that format a document; none if it is formatted.
///
/// # Errors
/// If it has to be left as it is, and why.
pub(crate) fn format(document: &Document) -> Result<Vec<TextEdit>, ResponseError> {
    let after = formatted(document.text.as_bytes());
    if let Some(left) = after.left {
        return Err(error(ErrorCode::RequestFailed, &format!("not formatted: {left}")));
    }
    let text = String::from_utf8(after.body)
        .map_err(|_| error(ErrorCode::RequestFailed, "not formatted: the result is no UTF-8"))?;
    Ok(edits::between(&text, &document.positions()))
}
