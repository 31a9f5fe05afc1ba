use robotsc::dialect::Escapes;
use robotsc::{Dialect, UrlPath};

/// Takes any bytes as a URL, and as a path, under every dialect.
///
/// # Panics
/// Where what is taken is no path: it starts with `/`, holds no fragment and only ASCII, and no control, space or
/// wildcard where the dialect's form has none.
pub fn url_intake(data: &[u8]) {
    for dialect in Dialect::ALL {
        assert!(dialect.raw_url_path(data).as_bytes().starts_with(b"/"));
        let _ = dialect.raw_path(data);
        let _ = dialect.normalize_pattern(data);
        let _ = UrlPath::new(data, dialect.path_form());
        let Ok(path) = dialect.url_path(data) else { continue };
        let path = path.as_bytes();
        // What is normalized stays as it is, unless it begins as a host would, or digits that were escaped now stand
        // after a `%` that began no escape: `/%%66f` becomes `/%ff`.
        let may_differ = dialect.escapes == Escapes::Canonical && has_bare_percent(data);
        if !path.starts_with(b"//") && !may_differ {
            assert_eq!(dialect.url_path(path).map(|path| path.as_bytes().to_vec()).as_deref(), Ok(path));
        }
        let shown = path.escape_ascii();
        assert!(path.starts_with(b"/"), "{}: {shown}", dialect.name);
        assert!(path.is_ascii(), "{}: {shown}", dialect.name);
        assert!(!path.contains(&b'#'), "{}: {shown}", dialect.name);
        if dialect.escapes == Escapes::Canonical {
            let kept = |byte: u8| !matches!(byte, 0..=b' ' | 0x7F | b'*' | b'$' | b'"' | b'<' | b'>');
            assert!(path.iter().all(|byte| kept(*byte)), "{shown}");
            continue;
        }
        let lower = |hex: &[u8]| hex.iter().all(u8::is_ascii_hexdigit) && hex.iter().any(u8::is_ascii_lowercase);
        assert!(!path.windows(3).any(|escape| escape[0] == b'%' && lower(&escape[1..])), "{}: {shown}", dialect.name);
    }
}

/// Reports whether a URL has a `%` that begins no escape, once tabs and line ends are removed from it.
fn has_bare_percent(url: &[u8]) -> bool {
    let read: Vec<u8> = url.iter().copied().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')).collect();
    let is_escape = |rest: &[u8]| rest.get(1..3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    (0..read.len()).any(|at| read[at] == b'%' && !is_escape(&read[at..]))
}
