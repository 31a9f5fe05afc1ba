//! robots.cc's splitting of URLs, written a second time from its definition, so that the crate's own is tested by every
//! recorded verdict.

/// The path of a URL as robots.cc takes it.
pub(crate) fn google_path(url: &[u8]) -> Vec<u8> {
    let find = |bytes: &[u8], from: usize| {
        url.get(from..)?.iter().position(|byte| bytes.contains(byte)).map(|position| from + position)
    };
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let early = find(b"/?;", start);
    let scheme = url[start..].windows(3).position(|window| window == b"://").map(|position| start + position);
    let authority = match (early, scheme) {
        (Some(early), Some(scheme)) if early < scheme => start,
        (_, Some(scheme)) => scheme + 3,
        (_, None) => start,
    };
    let Some(path) = find(b"/?;", authority) else { return b"/".to_vec() };
    let end = find(b"#", start).unwrap_or(url.len());
    if end < path {
        return b"/".to_vec();
    }
    if url[path] == b'/' { url[path..end].to_vec() } else { [b"/", &url[path..end]].concat() }
}
