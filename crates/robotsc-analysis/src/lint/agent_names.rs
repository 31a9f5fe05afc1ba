//! Names of crawlers in the text of a `User-agent` line.

use std::collections::HashSet;

use robotsc_compiler::near_name::Plain;

use super::known_name::KnownName;

/// Reports whether a text is a name, perhaps with a version.
pub(super) fn is_name(text: &[u8]) -> bool {
    let name = text.split(|byte| *byte == b'/').next().unwrap_or(text);
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

/// Reports whether a text has each known name that a value has, as words of their own: a fix of the value loses none.
pub(super) fn keeps_names(value: &[u8], with: &[u8], known: &[(&KnownName, Plain)]) -> bool {
    let words = |text: &[u8]| -> HashSet<Vec<u8>> {
        let words = text.split(|byte| !byte.is_ascii_alphanumeric() && !b"-_".contains(byte));
        words.filter(|word| word.len() > 2).map(<[u8]>::to_ascii_lowercase).collect()
    };
    let kept = words(with);
    let lost: Vec<Vec<u8>> = words(value).into_iter().filter(|word| !kept.contains(word)).collect();
    !lost.iter().any(|word| known.iter().any(|(known, _)| known.token.as_bytes().eq_ignore_ascii_case(word)))
}
