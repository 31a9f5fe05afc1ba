//! Patterns in another notation than that of robots.txt: regular expressions, and lists of paths.
//!
//! ```text
//! Disallow: /item/[0-9]+     only `*` and a `$` at the end have a meaning: the rule is for no URL that was meant
//! Disallow: /a,/b            one rule, for URLs that contain `,/b`
//! ```

use memchr::memmem::find;

/// Reports whether a pattern is likely meant as a regular expression: by its signs, or by a `.*` after a slash, which
/// can be for names that begin with a dot, too.
///
/// Cost: some passes over the pattern. Never panics.
#[must_use]
pub fn is_like_regex(pattern: &[u8]) -> bool {
    is_regex(pattern) || find(pattern, b"/.*/").is_some() || pattern.ends_with(b"/.*") || pattern.ends_with(b"/.*$")
}

/// Reports whether a pattern has signs that only make sense in a regular expression.
///
/// Cost: some passes over the pattern. Never panics.
#[must_use]
pub fn is_regex(pattern: &[u8]) -> bool {
    const RANGES: [&[u8]; 11] =
        [b"[a-z", b"[A-Z", b"[0-9", b"[^", b"[?&", b"[&?", b"[?]", b"[/]", b"(?i)", b"\\d", b"\\w"];
    let ends_in_optional_slash = pattern.ends_with(b"/?$") && pattern.len() > 3;
    // Nearly no pattern has any of the others.
    if !pattern.iter().any(|byte| matches!(byte, b'[' | b'(' | b'\\' | b'^' | b'+' | b'{')) {
        return ends_in_optional_slash;
    }
    let has = |part: &[u8]| find(pattern, part).is_some();
    pattern.first() == Some(&b'^')
        || RANGES.iter().any(|range| has(range))
        || has_alternatives(pattern)
        || has(b"\\.")
        || has(b"\\?")
        || has(b"/^")
        || has(b"(.*)")
        || find(pattern, b".+").is_some_and(|at| matches!(&pattern[at + 2..], [] | [b'$', ..]))
        || ends_in_optional_slash
        || find(pattern, b"{").is_some_and(|at| pattern[at..].contains(&b',') && pattern[at..].contains(&b'}'))
}

/// Reports whether a pattern has alternatives, as in `/(a|b)/`.
fn has_alternatives(pattern: &[u8]) -> bool {
    [b'(', b'|', b')'].iter().all(|sign| pattern.contains(sign))
}

/// Returns the sign that separates the paths of a list in the place of a pattern: `,` of `/a,/b`. In a query they are
/// parts of values, unless each part is for a parameter anywhere: `/*?a=,/*?b=`.
///
/// Cost: a pass over the pattern for each of three signs. Never panics.
#[must_use]
pub fn list_sign(pattern: &[u8]) -> Option<u8> {
    // `/,/a` is a list of the whole site and a part of it.
    let is_path = |part: &[u8]| part.starts_with(b"/");
    let is_parameter = |part: &[u8]| part.starts_with(b"/*?") || part.starts_with(b"/*&");
    if !pattern.iter().any(|byte| matches!(byte, b',' | b';' | b'|')) {
        return None;
    }
    separator(pattern, |part| is_path(part) && !part.contains(&b'?'))
        .filter(|sign| pattern.split(|byte| byte == sign).any(|part| part.len() > 1))
        .or_else(|| separator(pattern, |part| is_parameter(part) && part.len() > 3))
}

/// Returns the sign that separates a text into parts that are all of a kind.
#[must_use]
pub fn separator(text: &[u8], is_part: impl Fn(&[u8]) -> bool) -> Option<u8> {
    let separates = |sign: &u8| text.contains(sign) && text.split(|byte| byte == sign).all(&is_part);
    [b',', b';', b'|'].into_iter().find(separates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_notations() {
        for (pattern, regex, list) in [
            ("/item/[0-9]+", true, None),
            ("/(a|b)/x", true, None),
            ("^/a", true, None),
            ("/x/.*", true, None),
            ("/x/.*\\.pdf", true, None),
            ("/a/?$", true, None),
            ("/x.{2,3}", true, None),
            ("/a,/b", false, Some(b',')),
            ("/a|/b", false, Some(b'|')),
            ("/a;/b;/c", false, Some(b';')),
            ("/*?a=,/*?b=", false, Some(b',')),
            ("/*?sort=|/*&sort=", false, Some(b'|')),
            ("/*[?&]sort=", true, None),
            ("/*?to=,/b", false, None),
            ("/", false, None),
            ("/*.pdf$", false, None),
            ("/a,b", false, None),
            ("/go?to=/a,/b", false, None),
            ("/,/a", false, Some(b',')),
            ("/a|/", false, Some(b'|')),
            ("/,/", false, None),
            ("/.well-known/", false, None),
        ] {
            let found = (is_like_regex(pattern.as_bytes()), list_sign(pattern.as_bytes()));
            assert_eq!(found, (regex, list), "{pattern}");
        }
        // Files that a server hides begin so.
        assert!(!is_regex(b"/.*") && !is_regex(b"/*/.*") && !is_regex(b"/.*/config"));
    }
}
