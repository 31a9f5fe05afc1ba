//! Patterns that match every path.

/// Reports whether a normal pattern matches every path, each of which starts with `/`.
pub(super) fn matches_all(pattern: &[u8]) -> bool {
    let text = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let is_open = text.len() == pattern.len() || text.ends_with(b"*");
    let slashes = text.iter().filter(|byte| **byte == b'/').count();
    is_open && slashes <= 1 && text.iter().all(|byte| matches!(byte, b'/' | b'*'))
}
