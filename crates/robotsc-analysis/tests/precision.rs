//! What a reading of real findings led to: files of a few lines, a check, and whether it reports a warning or an error.
//!
//! `data/precision.tsv` is that reading: 100 files at random and some findings of each check, judged by eye before
//! these changes.

use robotsc_analysis::Diff;
use robotsc_analysis::lint::Lint;
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

/// Reports whether a check finds a warning or an error in a file, of which `|` separates the lines.
fn warns(code: &str, file: &str) -> bool {
    let body = file.replace('|', "\n");
    let found = Lint::new().run(&RobotsTxt::parse(body.as_bytes()));
    found.iter().any(|finding| finding.check.code() == code && finding.severity >= Severity::Warning)
}

#[test]
fn findings_are_worth_telling() {
    for (code, file, is_found) in [
        ("agent-list", "User-agent: GPTBot, CCBot|Disallow: /", true),
        ("agent-list", "User-agent: FrontPage [NC,OR]|Disallow: /", false),
        ("agent-list", "User-agent: Check&amp;Get|Disallow: /", false),
        ("agent-names-nobody", "User-agent: 008|Disallow: /", false),
        ("agent-names-nobody", "User-agent: ^x|Disallow: /", true),
        ("render-blocked", "User-agent: *|Disallow: /scripts/|Disallow: /CHANGELOG.txt", false),
        ("render-blocked", "User-agent: *|Disallow: /scripts/", true),
        ("render-blocked", "User-agent: *|Disallow: */themes/", false),
        ("render-blocked", "User-agent: *|Disallow: /shop/js/", true),
        // No URL has a raw blank, or a dot segment.
        ("render-blocked", "User-agent: *|Disallow: /a b/js/", false),
        ("render-blocked", "User-agent: *|Disallow: /x/../js/", false),
        // Whoever opens scripts has no modules.
        ("render-blocked", "User-agent: *|Disallow: /js/|Allow: /js/*.js", false),
        ("render-blocked", "User-agent: *|Disallow: /js/*.mjs", true),
        ("render-blocked", "User-agent: *|Disallow: /js/|Allow: /js/x.js$", true),
        // Fonts of each kind.
        ("render-blocked", "User-agent: *|Disallow: /static/fonts/", true),
        ("render-blocked", "User-agent: *|Disallow: /static/fonts/|Allow: /static/fonts/*.woff", true),
        ("render-blocked", "User-agent: *|Disallow: /f/fonts/|Allow: /f/fonts/*", false),
        ("rule-never-decides", "User-agent: *|Disallow: /search|Disallow: /search*", false),
        ("rule-never-decides", "User-agent: *|Allow: /search|Disallow: /search*", true),
        ("rule-duplicate", "User-agent: *|Disallow: /a%2b|Disallow: /a%2B", false),
        ("rule-duplicate", "User-agent: *|Disallow: /a|Disallow: /a", true),
        ("group-empty", "User-agent: GPTBot", false),
        ("group-empty", "User-agent: *|Disallow: /a||User-agent: GPTBot", true),
        ("group-merge", "User-agent: a|Crawl-delay: 1|User-agent: b|Crawl-delay: 2", false),
        ("group-merge", "User-agent: a|Crawl-delay: 1|User-agent: b|Disallow: /", true),
        ("group-merge", "User-agent: a||User-agent: *|Disallow: /", true),
        ("group-merge", "User-agent: a|#Disallow: /||User-agent: b|Disallow: /x", true),
        ("group-merge", "User-agent: a|User-agent: *||Disallow: /", false),
        ("group-merge", "User-agent: a||User-agent: *|Disallow:", false),
        ("group-merge", "User-agent: a||User-agent: A|Disallow: /", false),
        ("param-first-only", "User-agent: *|Disallow: /*?q=", true),
        ("param-first-only", "User-agent: *|Disallow: /*?q=|Disallow: /*&q=", false),
        ("trailing-star", "User-agent: *|Allow: /|Disallow: /*", true),
        ("trailing-star", "User-agent: *|Allow: /.js|Disallow: /peep*", false),
        ("site-closed", "User-agent: *|Disallow: /", true),
        ("site-closed", "User-agent: *|Disallow: /||User-agent: Googlebot|User-agent: bingbot|Disallow:", false),
        ("specific-group-drops-star", "User-agent: *|Disallow: /a||User-agent: b|Disallow: /c", true),
        ("specific-group-drops-star", "User-agent: *|Disallow: /||User-agent: b|Disallow: /c", false),
        ("escape-form", "User-agent: *|Disallow: /itm/*/%", false),
        ("escape-form", "User-agent: *|Disallow: /%zz", true),
        ("dollar-inside", "User-agent: *|Disallow: /$price", false),
        ("dollar-inside", "User-agent: *|Disallow: /a$*", true),
        ("unescaped-byte", "User-agent: *|Disallow: /a\\?b", false),
        ("regex-syntax", "User-agent: *|Disallow: /a\\?b", true),
        ("unknown-key", "User-agent: *|Dsallow: /", true),
        ("unknown-key", "User-agent: *|- Disallow: /", true),
        ("invisible-character", "User-agent: *|\u{a0}Disallow: /", true),
        ("unknown-key", "User-agent: *|\"Disallow: /b\"", true),
        ("unknown-key", "User-agent: *|Forbid: /", true),
        ("unknown-key", "User-agent: *|Block: 5", false),
        ("unknown-key", "User-agent: *|Allowance: 5", false),
        ("not-robots-txt", "404 page not found: /robots.txt", true),
        ("not-robots-txt", "# nothing yet", false),
        ("not-robots-txt", "Disallow: /", false),
    ] {
        assert_eq!(warns(code, file), is_found, "{code} {file}");
    }
}

#[test]
fn a_comment_sign_closes_the_site_only_if_nothing_opens_it() {
    let severity = |file: &str| {
        let body = file.replace('|', "\n");
        let found = Lint::new().run(&RobotsTxt::parse(body.as_bytes()));
        found.iter().find(|finding| finding.check.code() == "hash-cuts-rule").map(|finding| finding.severity)
    };
    assert_eq!(severity("User-agent: *|Disallow: /#/cart"), Some(Severity::Error));
    assert_eq!(severity("User-agent: *|Allow: /|Disallow: /#/cart"), Some(Severity::Warning));
}

/// A `$` before a `*` at the end is a byte, not an anchor: two rules that look alike differ.
#[test]
fn a_dollar_that_is_a_byte_is_no_anchor() {
    let old = RobotsTxt::parse(b"User-agent: *\nDisallow: /q\n");
    let new = b"User-agent: *\nDisallow: /q\nAllow: /x****b$$\nAllow: /x*****b$\nDisallow: /x*b$*$\n";
    let diff = Diff::new(&old, &RobotsTxt::parse(new));
    assert!(!diff.is_same(), "/xb$z is blocked");
}

/// Escapes that are written with escapes: `%%361` is read as `%61`.
#[test]
fn a_rule_that_only_odd_escapes_match_decides() {
    let found = Lint::new().run(&RobotsTxt::parse_with(b"User-agent: *\nDisallow: /%%361\n", &Dialect::RFC9309));
    assert!(found.iter().all(|finding| finding.check.code() != "rule-never-decides"));
}

#[test]
fn a_start_page_that_is_closed_needs_no_parameter() {
    let message = |rules: &str| {
        let body = format!("User-agent: *\nDisallow: /\n{rules}\n");
        let found = Lint::new().run(&RobotsTxt::parse(body.as_bytes()));
        found.into_iter().find(|finding| finding.check.code() == "allow-list-hides").expect("a finding").message
    };
    assert!(message("Allow: /$").contains("`/?utm_source=x`"));
    assert!(!message("Allow: /en/").contains("`/?utm_source=x`"));
}
