//! Parts of texts that are no UTF-8.

/// Returns where a text first has a part, which is not empty.
pub(crate) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// Returns a text with something else in the place of each part.
pub(crate) fn replaced(text: &[u8], part: &[u8], with: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = find(rest, part) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(with);
        rest = &rest[at + part.len()..];
    }
    out.extend_from_slice(rest);
    out
}
