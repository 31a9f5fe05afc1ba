//! Resolving and escaping the path of a URL as the WHATWG URL standard does.
//!
//! [`resolve`] does all of it: `/a/../b c` becomes `/b%20c`. Most paths that change have nothing to resolve, only bytes
//! to escape and escapes to bring to upper case: [`escaped_once`] does that in one pass from [sign](Signs) to sign, and
//! leaves all others to [`resolve`].

use robotsc_runtime::{Escaped, Signs, escaped_byte, starts_with_dot_segment};

use crate::rules::escape::push_escape;

/// Brings a path that starts with `/` to the escaped form in one pass, given the position of the first byte that
/// changes.
///
/// `None` if something in it has to be resolved or removed: a backslash, a dot segment, a tab, a line end, a fragment.
pub(crate) fn escaped_once(path: &[u8], change: usize) -> Option<Vec<u8>> {
    let query = memchr::memchr(b'?', path).unwrap_or(path.len());
    let mut out = Vec::with_capacity(path.len() + path.len() / 4 + 16);
    let mut copied = 0;
    for at in Signs::<false>::after(path, change.saturating_sub(1)) {
        let in_query = at > query;
        match path[at] {
            b'\t' | b'\n' | b'\r' | b'#' => return None,
            b'\\' if !in_query => return None,
            b'.' | b'%' if !in_query && path[at - 1] == b'/' && starts_with_dot_segment(&path[at..]) => return None,
            b'%' => {
                if let Some(digits) = path[at + 1..].first_chunk()
                    && let Some(Escaped { value, is_upper: false }) = escaped_byte(digits)
                {
                    out.extend_from_slice(&path[copied..at]);
                    push_escape(value, &mut out);
                    copied = at + 3;
                }
            }
            byte if if in_query { is_escaped_in_query(byte) } else { is_escaped_in_path(byte) } => {
                out.extend_from_slice(&path[copied..at]);
                push_escape(byte, &mut out);
                copied = at + 1;
            }
            _ => {}
        }
    }
    out.extend_from_slice(&path[copied..]);
    Some(out)
}

/// Resolves a path and its query as the WHATWG URL standard does (path state and query state, special schemes).
///
/// `path` is what follows the authority, without a fragment. The result starts with `/`.
pub(crate) fn resolve(path: &[u8]) -> Vec<u8> {
    let (path, query) = match memchr::memchr(b'?', path) {
        Some(at) => (&path[..at], Some(&path[at + 1..])),
        None => (path, None),
    };
    let mut out = Vec::with_capacity(path.len() + query.map_or(0, <[u8]>::len) + 32);
    out.push(b'/');
    let path = match path {
        [b'/' | b'\\', path @ ..] => path,
        _ => path,
    };
    let mut segments = path.split(|byte| matches!(byte, b'/' | b'\\')).peekable();
    while let Some(segment) = segments.next() {
        match dots(segment) {
            Some(1) => {}
            Some(_) => {
                // Without its last slash the path ends in the segment to remove; the first slash stays.
                out.pop();
                out.truncate(memchr::memrchr(b'/', &out).map_or(0, |at| at + 1));
                if out.is_empty() {
                    out.push(b'/');
                }
            }
            None => {
                escape(segment, is_escaped_in_path, &mut out);
                if segments.peek().is_some() {
                    out.push(b'/');
                }
            }
        }
    }
    if let Some(query) = query {
        out.push(b'?');
        escape(query, is_escaped_in_query, &mut out);
    }
    out
}

/// Returns 1 for a segment that is a dot, 2 for one that is two dots, escaped or not.
fn dots(segment: &[u8]) -> Option<usize> {
    let mut rest = segment;
    let mut count = 0;
    while !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return None,
        };
        count += 1;
    }
    (1..=2).contains(&count).then_some(count)
}

/// Reports whether a client escapes a byte in a path (WHATWG path percent-encode set).
const fn is_escaped_in_path(byte: u8) -> bool {
    matches!(byte, 0..=0x20 | 0x7F.. | b'"' | b'#' | b'<' | b'>' | b'?' | b'`' | b'{' | b'}')
}

/// Reports whether a client escapes a byte in a query (WHATWG special-query percent-encode set).
const fn is_escaped_in_query(byte: u8) -> bool {
    matches!(byte, 0..=0x20 | 0x7F.. | b'"' | b'#' | b'<' | b'>' | b'\'')
}

fn escape(text: &[u8], is_escaped: impl Fn(u8) -> bool, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| is_escaped(*byte)) {
        out.extend_from_slice(&rest[..at]);
        push_escape(rest[at], out);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use robotsc_runtime::PathForm;

    use super::*;
    use crate::url::path::normalize_form;

    /// The one pass is compared with the two that it stands for.
    #[test]
    fn a_path_escaped_once_is_the_resolved_path() {
        let alphabet: [&[u8]; 18] = [
            b"/", b"?", b"a", b"%61", b"%aa", b"%Aa", b"%a", b"%", b"*", b" ", b"\\", b"\xE4", b"'", b"`", b".",
            b"%2e", b"\"", b"|",
        ];
        let mut once = 0;
        for number in 0..alphabet.len().pow(4) {
            let part = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            let path = (0..4).fold(b"/".to_vec(), |path, place| [&path, part(place)].concat());
            let Some(change) = PathForm::Escaped.first_change(&path, 0) else { continue };
            let Some(escaped) = escaped_once(&path, change) else { continue };
            once += 1;
            let resolved = resolve(&path);
            assert_eq!(escaped, *normalize_form(&resolved, PathForm::Escaped), "{}", path.escape_ascii());
        }
        assert!(once > 10_000, "{once} paths have nothing to resolve");
    }
}
