//! What checks of lint report, and what they do not.

use robotsc_analysis::lint::{Finding, Lint};
use robotsc_compiler::{Dialect, RobotsTxt};

fn lint(body: &[u8], dialect: &Dialect) -> Vec<Finding> {
    Lint::new().with_info().run(&RobotsTxt::parse_with(body, dialect))
}

fn codes(body: &[u8], dialect: &Dialect) -> Vec<&'static str> {
    lint(body, dialect).iter().map(|finding| finding.check.code).collect()
}

fn rules(rules: &str, dialect: &Dialect) -> Vec<&'static str> {
    codes(format!("User-agent: *\n{rules}").as_bytes(), dialect)
}

#[test]
fn utf16_has_one_finding() {
    for body in [&b"\xFF\xFEU\0s\0e\0r\0\n\0"[..], b"\xFE\xFF\0U\0s\0e\0r\0\n"] {
        assert_eq!(codes(body, &Dialect::GOOGLE), ["utf16-bom"]);
    }
    let decoding = Dialect { decode_utf16: true, ..Dialect::GOOGLE };
    assert_eq!(codes(b"\xFF\xFE#\0\n\0", &decoding), ["no-rules"]);
}

#[test]
fn dialects_that_differ_on_what_no_client_sends_agree() {
    // `/car%74/`, and `/robots.txt`.
    assert!(rules("Disallow: /cart/\n", &Dialect::GOOGLE).is_empty());
    assert_eq!(rules("Disallow: /\n", &Dialect::GOOGLE), ["site-closed"]);
    assert_eq!(rules("Disallow: /\n", &Dialect::RFC9309), ["site-closed"]);
    assert_eq!(rules("Disalow: /cart/\nDisallow: /x/\n", &Dialect::GOOGLE), ["dialects-disagree", "typo-key"]);
}

#[test]
fn a_query_of_the_start_page_is_not_each_query() {
    assert!(rules("Disallow: /?\n", &Dialect::GOOGLE).is_empty());
    assert!(rules("Disallow: /*?\n", &Dialect::GOOGLE).contains(&"query-swallowed"));
}

#[test]
fn a_dollar_inside_is_not_rewritten() {
    let found = lint(b"User-agent: *\nDisallow: /a$b\n", &Dialect::GOOGLE);
    let found = found.iter().find(|finding| finding.check.code == "dollar-inside").unwrap();
    assert_eq!(found.fix, None);
}

#[test]
fn a_line_has_one_finding_for_one_reason() {
    for (record, wanted) in [
        ("Noindex: /x", &["noindex-record"][..]),
        ("Host: shop.example", &["retired-record"]),
        ("License: https://shop.example/license.xml", &[]),
        ("Nofollow: /x", &["unused-key"]),
        ("Content-Signal: search=yes,ai-train=no,use=reference", &[]),
        ("Content-Signal: use=full", &[]),
        ("Content-Signal: search=maybe", &["content-signal-syntax"]),
        ("Content-Signal: ,", &["invalid-content-signal"]),
        ("Content-Signal: /blog/ ai-train=no", &["invalid-content-signal"]),
    ] {
        assert_eq!(rules(&format!("Disallow: /cart/\n{record}\n"), &Dialect::GOOGLE), wanted, "{record}");
    }
}

#[test]
fn a_rule_is_not_redundant_for_its_copy() {
    let found = lint(b"User-agent: *\nDisallow: /cart/\nDisallow: /x/\nDisallow: /cart/\n", &Dialect::GOOGLE);
    let found: Vec<_> = found.iter().map(|finding| (finding.line, finding.check.code)).collect();
    assert_eq!(found, [(4, "rule-duplicate")]);
}

#[test]
fn the_folder_of_an_index_page_is_no_duplicate() {
    let text = "Disallow: /shop/\nAllow: /shop/index.html\nAllow: /shop/$\n";
    assert!(rules(text, &Dialect::GOOGLE).is_empty());
}

#[test]
fn what_wins_is_named_for_patterns_with_escapes_and_ties() {
    let message = |text: &str, dialect| {
        let found = lint(format!("User-agent: *\n{text}").as_bytes(), dialect);
        let found = found.into_iter().find(|finding| finding.check.code.starts_with("rule-"));
        found.map(|finding| finding.message).unwrap_or_default()
    };
    assert_eq!(
        message("Disallow: /a%20b\nDisallow: /a%20b\n", &Dialect::RFC9309),
        "`Disallow: /a%20b` is there twice: line 2 says the same"
    );
    assert_eq!(
        message("Disallow: /a%20b\nAllow: *a%20b/\nAllow: *a%20b\n", &Dialect::RFC9309),
        "`Disallow: /a%20b` never decides: line 4 `Allow: *a%20b` has priority and matches all that it matches"
    );
    assert_eq!(
        message("Disallow: /shop\nAllow: /*shop\n", &Dialect::GOOGLE),
        "`Disallow: /shop` never decides: line 3 `Allow: /*shop` is longer and matches all that it matches"
    );
    assert_eq!(message("Disallow: /x/../y\n", &Dialect::YANDEX), "", "`dot-segment` says why");
}
