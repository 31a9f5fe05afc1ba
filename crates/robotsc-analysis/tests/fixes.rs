//! What fixes of lint do, and what they leave alone: a fix must not hide what it does not mend.

use robotsc_analysis::lint::{Finding, KnownName, Lint, fixed};
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

fn lint() -> Lint {
    Lint::new().known_names(["GPTBot", "CCBot", "ClaudeBot", "Googlebot", "bingbot"].map(KnownName::new))
}

fn body(file: &str) -> Vec<u8> {
    file.replace('|', "\n").into_bytes()
}

fn found(file: &str) -> Vec<Finding> {
    lint().run(&RobotsTxt::parse(&body(file)))
}

/// Returns a file after its safe fixes, or after all.
fn mended(file: &str, with_unsafe: bool) -> String {
    let after = fixed(&body(file), &Dialect::GOOGLE, &lint(), with_unsafe);
    String::from_utf8_lossy(&after.body).replace('\n', "|")
}

/// Asserts that no fix changes a file, and that a warning or an error says of it what is wanted.
fn is_left(file: &str, wanted: &str) {
    assert_eq!(mended(file, true), String::from_utf8_lossy(&body(file)).replace('\n', "|"));
    let found = found(file);
    let is_said = |finding: &Finding| finding.severity >= Severity::Warning && finding.message.contains(wanted);
    assert!(found.iter().any(is_said), "{file}: {found:#?}");
}

/// Asserts what all fixes make of files.
fn are_mended(files: &[(&str, &str)]) {
    for (file, wanted) in files {
        assert_eq!(mended(file, true), *wanted, "{file}: {:#?}", found(file));
    }
}

/// A list of agents keeps its meaning: whoever is named in it stays closed out.
#[test]
fn blank_lines_within_a_list_of_agents_are_removed() {
    are_mended(&[
        ("User-agent: GPTBot||User-agent: CCBot||Disallow: /|", "User-agent: GPTBot|User-agent: CCBot||Disallow: /|"),
        (
            "User-agent: GPTBot|||User-agent: CCBot||User-agent: ClaudeBot|Disallow: /a|",
            "User-agent: GPTBot|User-agent: CCBot|User-agent: ClaudeBot|Disallow: /a|",
        ),
        (
            "User-agent: GPTBot|# both|\t|User-agent: CCBot|Disallow: /|",
            "User-agent: GPTBot|# both|User-agent: CCBot|Disallow: /|",
        ),
    ]);
    // It is not known what is meant.
    is_left("User-agent: *||User-agent: CCBot|Disallow: /a|", "a blank line ends no group");
    is_left("User-agent: GPTBot|Sitemap: https://h/s.xml|User-agent: CCBot|Disallow: /|", "joins the group");
    assert_eq!(mended("User-agent: GPTBot||User-agent: CCBot|Disallow: /|", false).matches("||").count(), 1);
}

/// A rule that loses to one of the other verdict is probably what was meant.
#[test]
fn a_beaten_rule_stays() {
    for file in [
        "User-agent: *|Allow: /*|Disallow: /x|",
        "User-agent: *|Allow: /shop/*|Disallow: /shop/a|",
        "User-agent: *|Disallow: /shop/*|Allow: /shop/|",
        "User-agent: *|Allow: /secret|Disallow: /secret|",
        "User-agent: *|Allow: /$|Disallow: /**|",
        "User-agent: *|Disallow: /*shop|Allow: /shop|",
        "User-agent: *|Allow: /**/a|Disallow: /b/a|Disallow: /x|",
    ] {
        assert_eq!(mended(file, false), file);
        assert!(!found(file).is_empty(), "{file}");
    }
    are_mended(&[
        ("User-agent: *|Allow: /*|Disallow: /x|", "User-agent: *|Allow: /|Disallow: /x|"),
        ("User-agent: *|Allow: /shop/*|Disallow: /shop/a|", "User-agent: *|Allow: /shop/|Disallow: /shop/a|"),
        ("User-agent: *|Disallow: /shop/*|Allow: /shop/|", "User-agent: *|Disallow: /shop/*|Allow: /shop/|"),
        ("User-agent: *|Allow: /secret|Disallow: /secret|", "User-agent: *|Allow: /secret|Disallow: /secret|"),
    ]);
    // The same verdict: only the line is in vain.
    assert_eq!(mended("User-agent: *|Disallow: /x|Disallow: /x|", false), "User-agent: *|Disallow: /x|");
}

/// One rule has one fix at a time, and what it blocked stays blocked.
#[test]
fn a_rule_is_replaced_once() {
    let with = |file: &str, urls: &[&str]| {
        let lint = lint().urls(urls.iter().map(|url| url.as_bytes().to_vec()));
        let after = fixed(&body(file), &Dialect::GOOGLE, &lint, true);
        String::from_utf8_lossy(&after.body).replace('\n', "|")
    };
    for (file, urls, wanted) in [
        (
            "User-agent: *|Disallow: /*?sort=|",
            &["https://e.example/x?a=1&sort=1"][..],
            "User-agent: *|Disallow: /*?sort=|Disallow: /*&sort=|",
        ),
        (
            "User-agent: *|Disallow: /x?b=1&a=2|",
            &["/x?a=2&b=1"],
            "User-agent: *|Disallow: /x?b=1&a=2|Disallow: /x?a=2&b=1|",
        ),
        ("User-agent: *|Disallow: /?b=9|", &["/shop/?b=9"], "User-agent: *|Disallow: /*?b=9|"),
    ] {
        let after = with(file, urls);
        assert!(after.starts_with(wanted) || wanted.contains("a=2&b=1") && after.contains("/x?b=1&a=2"), "{after}");
        assert!(!after.contains("?*&"), "{after}");
    }
    let lint = lint().urls([b"/img/a.png".to_vec()]);
    let found = lint.run(&RobotsTxt::parse(b"User-agent: *\nDisallow: /Img/\n"));
    let titles: Vec<&str> = found.iter().filter_map(|one| Some(one.fix.as_ref()?.title.as_str())).collect();
    assert_eq!(titles, ["write `/img/`, which does not match all that `/Img/` does"]);
}
