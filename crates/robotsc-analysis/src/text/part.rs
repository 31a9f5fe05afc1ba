//! Parts of texts that are no UTF-8.

/// The pages of folders. The URL of the folder mostly answers with the same page.
pub(crate) const INDEX_FILES: [&[u8]; 6] =
    [b"/index.php", b"/index.html", b"/index.htm", b"/index.asp", b"/index.aspx", b"/index.jsp"];

/// Returns where a text first has a part, which is not empty.
pub(crate) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let (first, rest) = part.split_first()?;
    let mut from = 0;
    loop {
        from += text.get(from..)?.iter().position(|byte| byte == first)?;
        if text[from + 1..].starts_with(rest) {
            return Some(from);
        }
        from += 1;
    }
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
