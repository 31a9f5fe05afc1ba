//! The name of a known crawler with another word or a version, or with the name of who runs it.
//!
//! ```text
//! GPTBot-1.0, GPTBot-User      GPTBot
//! OpenAI-GPTBot                GPTBot
//! Anthropic-Claude             ClaudeBot
//! Baidubot                     Baiduspider
//! ```

use robotsc_compiler::near_name::Plain;

use super::known_name::KnownName;

/// Words for what a crawler is.
const KINDS: [&str; 3] = ["bot", "spider", "crawler"];

/// Words after a name that has such a word already. `Googlebot-Mobile` was the name of a crawler.
const MORE: [&str; 8] = ["bot", "spider", "crawler", "agent", "user", "web", "smartphone", "desktop"];

/// Who runs one crawler that is mostly meant, whatever word for it is written. Small ones have several.
const WITH_ONE: [&str; 8] = ["ahrefs", "amazon", "apple", "baidu", "petal", "semrush", "twitter", "yandex"];

/// Returns the known crawler that a name was meant for.
pub(super) fn meant<'k>(name: &str, known: &[(&'k KnownName, Plain)]) -> Option<&'k KnownName> {
    let find = |name: &str| {
        let is = |known: &KnownName| known.token.eq_ignore_ascii_case(name) && !known.is_retired;
        known.iter().map(|(known, _)| *known).find(|known| is(known))
    };
    let of_more = || {
        let (head, tail) = name.rsplit_once(['-', '_'])?;
        let is_more = MORE.iter().any(|word| word.eq_ignore_ascii_case(tail)) && stem(head).is_some();
        find(head).filter(|_| is_more || is_version(tail))
    };
    let of_operator = || {
        let (operator, rest) = name.split_once(['-', '_'])?;
        let is_its = |known: &KnownName| known.operator.eq_ignore_ascii_case(operator);
        let names = KINDS.map(|kind| format!("{rest}{kind}"));
        [rest]
            .into_iter()
            .chain(names.iter().map(String::as_str))
            .find_map(|name| find(name).filter(|known| is_its(known)))
    };
    of_more().or_else(of_operator).or_else(|| {
        let own = stem(name).filter(|own| WITH_ONE.iter().any(|one| one.eq_ignore_ascii_case(own)))?;
        let is_same = |known: &KnownName| {
            !known.is_retired && stem(&known.token).is_some_and(|its| its.eq_ignore_ascii_case(own))
        };
        known.iter().map(|(known, _)| *known).find(|known| is_same(known))
    })
}

/// Returns what precedes a word for a crawler at the end of a name.
fn stem(name: &str) -> Option<&str> {
    let end = |kind: &&str| {
        let at = name.len().checked_sub(kind.len())?;
        name.get(at..).filter(|end| end.eq_ignore_ascii_case(kind)).map(|_| &name[..at])
    };
    KINDS.iter().find_map(end)
}

/// Reports whether a word is a version: `1.0`, `v2`.
fn is_version(word: &str) -> bool {
    let digits = word.strip_prefix(['v', 'V']).unwrap_or(word);
    digits.starts_with(|char: char| char.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
