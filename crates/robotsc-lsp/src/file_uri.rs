//! The path of a file that a URI names.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;

/// Returns the path of a `file:` URI on this machine, or `None` if it is another URI.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // A host before the path is another machine, but for its own name.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(rest.split(['?', '#']).next()?).decode_utf8().ok()?;
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => Some(PathBuf::from(&path[1..])),
        [b'/', ..] => Some(PathBuf::from(&*path)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_uris() {
        for (uri, wanted) in [
            ("file:///srv/a%20b/robots.txt", Some("/srv/a b/robots.txt")),
            ("file:///c%3A/site/robots.txt", Some("c:/site/robots.txt")),
            ("file://localhost/x", Some("/x")),
            ("file://other/x", None),
            ("file:///%FF", None),
            ("untitled:Untitled-1", None),
            ("", None),
        ] {
            assert_eq!(path(uri), wanted.map(PathBuf::from), "{uri}");
        }
    }
}
