//! A pattern in words.
//!
//! ```text
//! /cart         paths that start with `/cart`
//! /*.pdf$       paths that end with `.pdf`
//! /a*b*c        paths that start with `/a`, and then contain `b`, then `c`
//! ```
//! "Then" means further on: `/a*a` needs two letters `a`.

use super::markdown::code;

/// Returns the paths that a normal pattern matches, in words.
pub(super) fn in_words(pattern: &[u8]) -> String {
    let (text, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(text) => (text, true),
        None => (pattern, false),
    };
    let mut pieces = text.split(|byte| *byte == b'*');
    let head = pieces.next().unwrap_or_default();
    let mut rest: Vec<&[u8]> = pieces.collect();
    if rest.is_empty() && is_anchored {
        return format!("the path {} and no other", code(head));
    }
    let end = if is_anchored { rest.pop().filter(|piece| !piece.is_empty()) } else { None };
    rest.retain(|piece| !piece.is_empty());
    let mut parts = Vec::new();
    // Every path starts with `/`, so that this is worth no words. The piece after it cannot be that `/`.
    let is_root = head == b"/";
    if !is_root && !head.is_empty() {
        parts.push(format!("start with {}", code(head)));
    }
    let after = |piece: &[u8]| if is_root && piece.starts_with(b"/") { " after the first `/`" } else { "" };
    if let Some((first, others)) = rest.split_first() {
        let mut part = format!("contain {}{}", code(first), after(first));
        for other in others {
            part.push_str(", then ");
            part.push_str(&code(other));
        }
        parts.push(part);
    }
    if let Some(end) = end {
        let after = if rest.is_empty() { after(end) } else { "" };
        parts.push(format!("end with {}{after}", code(end)));
    }
    match parts.split_last() {
        None => "all paths".to_owned(),
        Some((last, [])) => format!("paths that {last}"),
        Some((last, before)) => format!("paths that {}, and then {last}", before.join(", then ")),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn patterns_in_words() {
        for (pattern, wanted) in [
            ("/", "all paths"),
            ("/*", "all paths"),
            ("*", "all paths"),
            ("/*$", "all paths"),
            ("/cart", "paths that start with `/cart`"),
            ("/cart*", "paths that start with `/cart`"),
            ("/cart$", "the path `/cart` and no other"),
            ("/$", "the path `/` and no other"),
            ("/*.pdf$", "paths that end with `.pdf`"),
            ("/*?sort=", "paths that contain `?sort=`"),
            ("*foo", "paths that contain `foo`"),
            ("/*/b", "paths that contain `/b` after the first `/`"),
            ("/a*b", "paths that start with `/a`, and then contain `b`"),
            ("/a*b*c", "paths that start with `/a`, and then contain `b`, then `c`"),
            ("/a*b$", "paths that start with `/a`, and then end with `b`"),
            ("/*a*b$", "paths that contain `a`, and then end with `b`"),
            ("/*/$", "paths that end with `/` after the first `/`"),
            ("/a*b*c$", "paths that start with `/a`, then contain `b`, and then end with `c`"),
            ("/a**b*", "paths that start with `/a`, and then contain `b`"),
            ("/%C3%A9/%2F", "paths that start with `/é/%2F`"),
            ("", "all paths"),
            ("/a$b", "paths that start with `/a$b`"),
        ] {
            assert_eq!(in_words(pattern.as_bytes()), wanted, "{pattern}");
        }
    }
}
