//! What crawlers compare of a `User-agent` value: its product token, or what is written.

use crate::dialect::AgentValue;

/// Returns the length of the name that a `User-agent` value starts with, or is.
pub(crate) fn token_length(value: &[u8], rule: AgentValue) -> usize {
    let until = |ends: fn(u8) -> bool| value.iter().position(|&byte| ends(byte)).unwrap_or(value.len());
    let token = || until(|byte| !(byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_'));
    match rule {
        AgentValue::UpToNonToken => token(),
        AgentValue::UpToBlankSlashOrStar => until(|byte| matches!(byte, b' ' | b'\t' | b'/' | b'*')),
        AgentValue::WholeToken if token() == value.len() => value.len(),
        AgentValue::WholeToken => 0,
    }
}

/// Returns a value as written, up to a `/` or the first blank.
pub(crate) fn written(value: &[u8]) -> &[u8] {
    let end = value.iter().position(|byte| matches!(byte, b'/' | b' ' | b'\t' | 0x0B | 0x0C));
    &value[..end.unwrap_or(value.len())]
}
