use robotsc::{Dialect, path::google_path};

/// Takes any octets as a URL, and as a path, under every dialect.
///
/// # Panics
/// Where what is taken is no path: it starts with `/`, holds no fragment and only ASCII, and no control, space or wildcard where the dialect's form has none.
pub fn url_intake(data: &[u8]) {
    assert!(google_path(data).starts_with(b"/"));
    for dialect in Dialect::ALL {
        let _ = dialect.normalise_path(data);
        let _ = dialect.normalise_pattern(data);
        let Ok(path) = dialect.intake(data) else { continue };
        let path = path.as_bytes();
        let shown = path.escape_ascii();
        assert!(path.starts_with(b"/"), "{}: {shown}", dialect.name);
        assert!(path.is_ascii(), "{}: {shown}", dialect.name);
        assert!(!path.contains(&b'#'), "{}: {shown}", dialect.name);
        let escapes = path.windows(3).filter(|escape| escape[0] == b'%');
        for escape in escapes.filter(|escape| escape[1].is_ascii_hexdigit() && escape[2].is_ascii_hexdigit()) {
            assert!(!escape.iter().any(u8::is_ascii_lowercase), "{}: {shown}", dialect.name);
        }
        if dialect.escapes == robotsc::dialect::Escapes::Canonical {
            assert!(
                !path.iter().any(|octet| matches!(octet, 0..=b' ' | 0x7F | b'*' | b'$' | b'"' | b'<' | b'>')),
                "{shown}"
            );
        }
    }
}
