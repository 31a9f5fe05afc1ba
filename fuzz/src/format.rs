use robotsc::analysis::format::{formatted, minified};
use robotsc::internal::reference;
use robotsc::program::DecidingRule;
use robotsc::{Crawler, Dialect, RobotsTxt};

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
        let named = ["a", "foo-bar", "MJ12bot"].map(|name| Crawler::new(name).expect("a name"));
        for crawler in named.iter().chain([&Crawler::others()]) {
            let facts = |robots: &RobotsTxt<'_>| {
                let selection = robots.select(crawler);
                let rules = robots.rule_set_of(&selection);
                let verdict = reference::deciding_rule(&rules, path.as_path()).map(DecidingRule::verdict_of);
                let delays: std::collections::BTreeSet<_> = robots.crawl_delays(&selection).collect();
                let mut sitemaps: Vec<Vec<u8>> = robots.sitemaps().into_iter().map(<[u8]>::to_vec).collect();
                sitemaps.sort();
                (verdict, delays, sitemaps)
            };
            let wanted = facts(&old);
            assert_eq!(facts(&readable), wanted, "formatted, {} {crawler:?}", dialect.name);
            assert_eq!(facts(&small), wanted, "minified, {} {crawler:?}", dialect.name);
        }
    }
}
