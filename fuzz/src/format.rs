use robotsc::analysis::format::{formatted, minified};
use robotsc::{Dialect, RobotsTxt};

/// Formats and minifies the body of `data`, and asks the reference matcher for its path before and after.
///
/// # Panics
/// Where a verdict, a crawl delay or a sitemap changes, or a second run changes the file again.
pub fn format(data: &[u8]) {
    let (body, path) = crate::split(data);
    let (readable, small) = (formatted(body).body, minified(body));
    assert_eq!(formatted(&readable).body, readable);
    assert!(small.body.len() <= body.len());
    if small.is_decided {
        assert_eq!(minified(&small.body).body, small.body);
    }
    for dialect in Dialect::ALL {
        let Ok(path) = dialect.url_path(path) else { continue };
        let [old, readable, small] = [body, &readable, &small.body].map(|body| RobotsTxt::parse_with(body, dialect));
        for crawler in crate::meaning::crawlers() {
            let facts = |robots| crate::meaning::facts(robots, &crawler, path.as_path());
            let wanted = facts(&old);
            assert_eq!(facts(&readable), wanted, "formatted, {} {crawler:?}", dialect.name);
            assert_eq!(facts(&small), wanted, "minified, {} {crawler:?}", dialect.name);
        }
    }
}
