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

/// A rule whose line of agents is not read is not meant for all.
#[test]
fn no_group_for_all_is_put_after_a_line_that_names_an_agent() {
    for (line, wanted) in [
        ("User\u{2013}agent: GPTBot", "User-agent: GPTBot"),
        ("User\u{2011}agent: GPTBot", "User-agent: GPTBot"),
        ("UserAgent - GPTBot", "User-agent: GPTBot"),
        ("UserAgent = GPTBot", "User-agent: GPTBot"),
        ("User-agent=GPTBot", "User-agent: GPTBot"),
        ("UA: GPTBot", "User-agent: GPTBot"),
        ("GPTBot:", "User-agent: GPTBot"),
        ("GPTBot", "User-agent: GPTBot"),
        ("Agent-name: GPTBot", "User-agent: GPTBot"),
        ("Userr-agentt: GPTBot", "User-agent: GPTBot"),
        ("Robot: GPTBot", "User-agent: GPTBot"),
        ("Sitemap: https://shop-a.com/s.xmlUser-agent: GPTBot", "Sitemap: https://shop-a.com/s.xml|User-agent: GPTBot"),
        // What is meant is not known.
        ("User-agent GPTBot OpenAI", "User-agent GPTBot OpenAI"),
        ("for GPTBot alone", "for GPTBot alone"),
        ("X-User-agent: GPTBot", "X-User-agent: GPTBot"),
        ("# User-agent: GPTBot", "# User-agent: GPTBot"),
        ("# GPTBot", "# GPTBot"),
        ("// User-agent: GPTBot", "# User-agent: GPTBot"),
    ] {
        are_mended(&[(&format!("{line}|Disallow: /private/|"), &format!("{wanted}|Disallow: /private/|"))]);
        let two = format!("{line}|Disallow: /private/||User-agent: *|Disallow:|");
        are_mended(&[(&two, &format!("{wanted}|Disallow: /private/||User-agent: *|Disallow:|"))]);
    }
    let bytes = [&b"User\x96agent: GPTBot\n"[..], b"Disallow: /private/\n"].concat();
    let after = fixed(&bytes, &Dialect::GOOGLE, &lint(), true);
    assert!(!after.body.windows(13).any(|window| window == b"User-agent: *"));
    // Nothing names an agent.
    are_mended(&[
        ("Disallow: /a|", "User-agent: *|Disallow: /a|"),
        (
            "# the shop|Sitemap: https://shop-a.com/s.xml|Disallow: /a|",
            "# the shop|Sitemap: https://shop-a.com/s.xml|User-agent: *|Disallow: /a|",
        ),
    ]);
}

/// The colon is missing, or within the value.
#[test]
fn colons_are_written_where_the_key_ends() {
    for (line, wanted) in [
        ("Disallow /wiki/Special:Search", "Disallow: /wiki/Special:Search"),
        ("Allow /a:b", "Allow: /a:b"),
        ("Disallow https://shop-a.com/x", "Disallow: /x"),
        ("Disallow:: /x", "Disallow: /x"),
        ("Disallow: = /x", "Disallow: /x"),
        ("Disallow/x", "Disallow: /x"),
        ("Disallow=/x", "Disallow: /x"),
        ("Disallow => /x", "Disallow: /x"),
        ("Disallow /x /y", "Disallow: /x|Disallow: /y"),
        ("Dsallow /x", "Disallow: /x"),
        (":Disallow: /x", "Disallow: /x"),
        ("DisAllowed: /x", "Disallow: /x"),
        ("Sitemap https://shop-a.com/s.xml", "Sitemap: https://shop-a.com/s.xml"),
        ("Sitemap = https://shop-a.com/s.xml", "Sitemap: https://shop-a.com/s.xml"),
        // Sentences.
        ("Disallow all of it", "Disallow all of it"),
        ("Allow us: please", "Allow us: please"),
    ] {
        are_mended(&[(
            &format!("User-agent: *|{line}|Disallow: /z|"),
            &format!("User-agent: *|{wanted}|Disallow: /z|"),
        )]);
    }
}

/// What is no path is not made one.
#[test]
fn words_are_not_made_paths() {
    for value in [
        ".",
        "?",
        "-",
        "&",
        "None",
        "null",
        "undefined/admin",
        "[object Object]",
        "(none)",
        "all",
        "NaN",
        "\\",
        "0",
        "the whole site",
        "!/x",
        "/a\\xdf/",
    ] {
        let file = format!("User-agent: *|Disallow: {value}|Disallow: /z|");
        assert_eq!(mended(&file, true), file, "{:#?}", found(&file));
        let found = found(&file);
        assert!(found.iter().any(|finding| finding.line == 2), "{value}: {found:?}");
    }
    for (value, wanted) in [
        ("cart", "/cart"),
        (".pdf$", "/*.pdf$"),
        ("?sort=", "/*?sort="),
        ("www.shop-a.com/a", "/a"),
        ("/stra\\u00dfe/", "/stra%C3%9Fe/"),
        ("/a\\/b", "/a/b"),
        ("/a\\b", "/a/b"),
        ("/x&nbsp;y", "/x%20y"),
        ("&quot;/x&quot;", "/x"),
        ("/x&quot;y", "/x%22y"),
    ] {
        let file = format!("User-agent: *|Disallow: {value}|Disallow: /z|");
        let after = mended(&file, true);
        assert!(
            after.starts_with(&format!("User-agent: *|Disallow: {wanted}|")),
            "{value}: {after} {:#?}",
            found(&file)
        );
    }
}

/// What is switched off is not revived, and what version control left is named.
#[test]
fn lines_that_are_switched_off_stay_off() {
    for (line, wanted) in [
        ("X-Disallow: /", "is no directive"),
        ("XDisallow: /", "is no directive"),
        ("_Disallow: /", "is no directive"),
        ("* Disallow: /", "is no directive"),
        ("- Disallow: /", "is no directive"),
        ("... Disallow: /", "is no directive"),
        ("~~Disallow: /~~", "is no directive"),
        ("-Disallow: /", "a diff removes"),
        ("+Disallow: /", "a diff adds"),
        ("<!--", "the lines after it are read"),
        ("-->", "the lines before it are read"),
        ("---", "has no colon"),
        ("<<<<<<< HEAD", "a merge conflict"),
        (">>>>>>> feature: x", "a merge conflict"),
        ("<<<<<<< HEAD|Disallow: /a|=======|Disallow: /b|>>>>>>> x", "a merge conflict"),
        ("@@ -1,2 +1,3 @@", "of a diff"),
    ] {
        is_left(&format!("User-agent: *|Disallow: /z|{line}|"), wanted);
    }
    for (line, wanted) in [
        ("! Disallow: /", "# Disallow: /"),
        ("' Disallow: /", "# Disallow: /"),
        ("// Disallow: /", "# Disallow: /"),
        ("<!-- Disallow: / -->", "# Disallow: /"),
    ] {
        let after = mended(&format!("User-agent: *|Disallow: /z|{line}|"), true);
        assert!(after.starts_with(&format!("User-agent: *|Disallow: /z|{wanted}")), "{line}: {after}");
    }
    // Of a diff all lines are named.
    let found = found("User-agent: *|@@ -1,2 +1,2 @@|-Disallow: /a|+Disallow: /b|");
    assert_eq!(found.iter().filter(|finding| finding.message.contains("diff")).count(), 3, "{found:#?}");
}

/// Nobody knows what a template was to say.
#[test]
fn leftovers_of_templates_are_named() {
    for line in [
        "Disallow: {{ path }}",
        "Disallow: /{{ path }}/a",
        "Disallow: <%= p %>",
        "Disallow: ${BASE_PATH}/admin",
        "{% if production %}",
        "Disallow: %BASE%/a",
        "Disallow: /__ADMIN__/",
        "Disallow: /@@admin@@/",
        "Disallow: /$ADMIN/",
        "Disallow: /your-path-here/",
        "Disallow: <path>",
        "Sitemap: https://example.com/sitemap.xml",
        "Sitemap: https://{domain}/sitemap.xml",
        "Sitemap: {{ site.url }}/sitemap.xml",
        "Disallow {{ path }}",
    ] {
        is_left(&format!("User-agent: *|Disallow: /z|{line}|"), "is left of a template or a manual");
    }
    // Rules for what such a slip made elsewhere, and real paths.
    for line in
        ["Disallow: /*{{url}}", "Disallow: /$FILE/x", "Sitemap: https://shop-a.com/s.xml", "Disallow: /your-profile"]
    {
        let found = found(&format!("User-agent: *|Disallow: /z|{line}|"));
        assert!(found.iter().all(|finding| finding.check.code() != "placeholder"), "{line}");
    }
}
