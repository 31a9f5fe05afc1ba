//! Any bytes are refused as a URL, or give an origin and a path that every reader finds.

use robotsc::Dialect;
use robotsc::origin::{self, Origin};
use robotsc_runtime::url::PlainUrl;
use url::Url;

/// See the crate.
///
/// # Panics
/// Where something is not true.
pub fn origin(data: &[u8]) {
    let found = Origin::of_url(data);
    let plain = PlainUrl::split(data);
    if let Some(plain) = plain {
        let found = found.as_ref().expect("what is plain has an origin");
        assert_eq!(found.as_bytes(), plain.origin);
    }
    for dialect in Dialect::ALL {
        match (&found, origin::split(dialect, data)) {
            (Ok(found), Ok(split)) => {
                assert_eq!(found.as_bytes(), &*split.origin);
                assert_eq!(split.path, dialect.url_path(data).expect("it has a path"));
                assert!(split.path.as_bytes().starts_with(b"/"));
            }
            (Err(_), Ok(split)) => panic!("{:?} without an origin", split),
            (_, Err(_)) => assert!(plain.is_none()),
        }
    }
    let Ok(found) = found else { return };
    assert_eq!(Origin::parse(found.as_bytes()).as_ref(), Ok(&found), "canonical origins stay as they are");
    // Where the url crate takes the URL too, it is of the same origin, but for the dot at the end of a name.
    if let Some(url) = str::from_utf8(data).ok().and_then(|text| Url::parse(text).ok()) {
        let other = url.origin().ascii_serialization();
        let host = found.host();
        assert!(
            other == found.as_str() || other.replacen(&format!("{host}."), host, 1) == found.as_str(),
            "{other} and {found}"
        );
    }
}
