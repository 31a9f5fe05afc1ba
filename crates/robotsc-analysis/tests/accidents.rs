//! Accidents of owners of sites: the finding of each, and the file after all fixes.

use robotsc_analysis::lint::{Finding, KnownName, Lint, fixed};
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

fn lint() -> Lint {
    Lint::new().known_names(["GPTBot", "CCBot", "ClaudeBot", "Googlebot", "bingbot"].map(KnownName::new))
}

/// `|` separates lines.
fn body(file: &str) -> Vec<u8> {
    file.replace('|', "\n").into_bytes()
}

/// Returns the warnings and errors of a file.
fn warnings(body: &[u8]) -> Vec<Finding> {
    let found = lint().run(&RobotsTxt::parse(body));
    found.into_iter().filter(|finding| finding.severity >= Severity::Warning).collect()
}

fn codes(body: &[u8]) -> Vec<&'static str> {
    warnings(body).iter().map(|finding| finding.check.code()).collect()
}

/// Returns a file after all fixes.
fn mended(body: &[u8]) -> String {
    let after = fixed(body, &Dialect::GOOGLE, &lint(), true);
    String::from_utf8_lossy(&after.body).replace('\n', "|")
}

/// A sign between two blanks begins a comment, or is within the name of a file.
#[test]
fn signs_between_blanks() {
    for (value, wanted) in [
        ("/annual - report.pdf", "/annual%20-%20report.pdf"),
        ("/robots - Prod.txt", "/robots%20-%20Prod.txt"),
        ("/salt & pepper/", "/salt%20&%20pepper/"),
        ("/salt + pepper.html$", "/salt%20+%20pepper.html$"),
        ("/a -- b/c.pdf", "/a%20--%20b/c.pdf"),
        ("/x - old pages", "/x # - old pages"),
        ("/x -- old", "/x # -- old"),
        ("/x // see y.html", "/x # // see y.html"),
        ("/x - see /y.html", "/x # - see /y.html"),
        ("/x (the old shop/)", "/x # (the old shop/)"),
        ("/x - all of it.", "/x # - all of it."),
        ("/x /* old */", "/x # /* old */"),
        ("/x: old pages", "/x # old pages"),
        ("/x !old.pdf", "/x%20!old.pdf"),
    ] {
        let file = |value: &str| body(&format!("User-agent: *|Disallow: {value}|"));
        assert_eq!(codes(&file(value)), ["space-in-pattern"], "{value}");
        assert_eq!(mended(&file(value)), format!("User-agent: *|Disallow: {wanted}|"), "{value}");
    }
}

/// Rules for the files of a system in a folder of its own.
#[test]
fn files_of_a_system_in_a_folder() {
    for (value, is_found) in [
        ("/blog/wp-includes/", true),
        ("/wp/wp-includes", true),
        ("/wp/wp-content/plugins*", true),
        ("/a/b/wp-content/", true),
        ("/blog/wp-content/themes/", true),
        ("/blog/wp-includes/wlwmanifest.xml", false),
        ("/blog/wp-includes/*.xml", false),
        ("/blog/wp-content/uploads/", false),
        ("/blog/wp-admin/", false),
        ("/wp-content/plugins/name/", false),
        ("/a//wp-includes/", false),
        ("/go-wp-includes/", false),
    ] {
        let file = body(&format!("User-agent: *|Disallow: {value}|"));
        assert_eq!(codes(&file).contains(&"render-blocked"), is_found, "{value}: {:?}", warnings(&file));
    }
}

/// A fix that opens files by their ending also opens queries with that ending.
#[test]
fn queries_that_a_fix_opens_are_said() {
    for (rules, wanted) in [
        ("Disallow: /|Allow: /$|Allow: /en/", Some("queries with that ending, such as `/admin/users.php?file=x.css`")),
        ("Disallow: /css/|Disallow: /js/*.js|Allow: /css/*.png", None),
        ("Disallow: /*.*", None),
        (
            "Disallow: /x/js/|Allow: /x/js/*.css|Allow: /x/js/*.png|Allow: /x/js/*.jp*g|Allow: /x/js/*.gif|\
          Allow: /x/js/*.svg|Allow: /x/js/*.ico|Allow: /x/js/*.avif|Allow: /x/js/*.webp|Allow: /x/js/*tf|\
             Allow: /x/js/*.woff",
            Some("the fix opens queries with that ending, such as `/x/js/x.php?file=x.js`"),
        ),
    ] {
        let found = warnings(&body(&format!("User-agent: *|{rules}|")));
        assert!(!found.is_empty(), "{rules}");
        let said = found.iter().find(|finding| finding.message.contains("queries with that ending"));
        assert_eq!(said.is_some(), wanted.is_some(), "{rules}: {found:?}");
        let is_wanted = |finding: &Finding| wanted.is_none_or(|wanted| finding.message.contains(wanted));
        assert!(said.is_none_or(is_wanted), "{rules}: {found:?}");
    }
}

/// Line ends that are entities, tags of HTML, or letters.
#[test]
fn line_ends_of_other_notations() {
    for line in [
        "User-agent: *&#10;Disallow: /a",
        "User-agent: *&#13;&#10;Disallow: /a",
        "User-agent: *&#xA;Disallow: /a",
        "User-agent: *&#x0d;&#x0a;Disallow: /a",
        "User-agent: *&NewLine;Disallow: /a",
        "User-agent: *<br>Disallow: /a",
        "User-agent: *<BR />Disallow: /a<br/>",
        "User-agent: *</p><p>Disallow: /a</p>",
        "User-agent: *</li><li class=\"x\">Disallow: /a",
        "User-agent: *&lt;br&gt;Disallow: /a",
        "User-agent: *&lt;br /&gt;Disallow: /a",
        "User-agent: *`r`nDisallow: /a`r`n",
        "User-agent: *[CR][LF]Disallow: /a[CR][LF]",
        "User-agent: *Disallow: /a",
    ] {
        // Alone, and beside lines that are read.
        for (before, after) in [("", ""), ("User-agent: GPTBot|Disallow: /|", "Disallow: /c|")] {
            let file = body(&format!("{before}{line}|{after}"));
            assert_eq!(codes(&file), ["joined-lines"], "{line}: {:?}", warnings(&file));
            assert_eq!(mended(&file), format!("{before}User-agent: *|Disallow: /a|{after}"), "{line}");
        }
    }
    for line in ["Disallow: /x<br>", "Disallow: /x&#10;", "Disallow: /x</p>"] {
        assert_eq!(mended(&body(&format!("User-agent: *|{line}|"))), "User-agent: *|Disallow: /x|", "{line}");
    }
    // Nothing closes the whole site, and what an `Allow` opens is not widened.
    for line in
        ["Disallow: /[LF]", "Disallow: /`n", "Disallow: /&#10;", r"Disallow: /\n", "Disallow: /</td>", "Allow: /x<br>"]
    {
        let file = body(&format!("User-agent: *|Disallow: /a|{line}|"));
        assert_eq!((codes(&file), body(&mended(&file))), (vec!["joined-lines"], file), "{line}");
    }
    // The sign of a value that changes.
    for line in
        ["Disallow: /<td>", "Disallow: /go/<code>", "Disallow: /p&lt;td&gt;", "Disallow: /x?file=<p>", "Allow: /l/<li>"]
    {
        let file = body(&format!("User-agent: *|Disallow: /a|{line}|"));
        assert!(!codes(&file).contains(&"joined-lines"), "{line}");
    }
    for (line, wanted) in [
        ("User-agent: *&#10;Disallow: /a # old&#10;Disallow: /b", "User-agent: *|Disallow: /a # old|Disallow: /b"),
        ("User-agent: *|Disallow: /a # old<br>Disallow: /b", "User-agent: *|Disallow: /a # old|Disallow: /b"),
        (r"User-agent: *|Disallow: /a # old\nDisallow: /b", "User-agent: *|Disallow: /a # old|Disallow: /b"),
        // Nothing closes the whole site.
        ("User-agent: *|Disallow: /a # x&#10;Disallow: /", "User-agent: *|Disallow: /a # x&#10;Disallow: /"),
        ("User-agent: *|Disallow: /a # x Disallow: /", "User-agent: *|Disallow: /a # x Disallow: /"),
        ("User-agent: *|Disallow: /a # x&#13;&#10;Disallow: /b", "User-agent: *|Disallow: /a # x|Disallow: /b"),
        (
            "User-agent: *|Disallow: /a # of AI&#10;User-agent: GPTBot|Disallow: /b",
            "User-agent: *|Disallow: /a # of AI|User-agent: GPTBot|Disallow: /b|Disallow: /a",
        ),
    ] {
        assert_eq!(mended(&body(&format!("{line}|"))), format!("{wanted}|"), "{line}");
    }
    for line in ["Disallow: /users/<id>", "Disallow: /x # see &#10; Disallow: /y", "Disallow: /x #10;Disallow: /y"] {
        assert!(!codes(&body(&format!("User-agent: *|{line}|"))).contains(&"joined-lines"), "{line}");
    }
}

/// Keys with brackets, blanks or another word.
#[test]
fn keys_with_other_signs_and_words() {
    let map = "https://h.example/s.xml";
    for (line, wanted) in [
        ("<Disallow>: /x".to_owned(), Some("Disallow: /x".to_owned())),
        (format!("XML-Sitemap: {map}"), Some(format!("Sitemap: {map}"))),
        (format!("Google Sitemap: {map}"), Some(format!("Sitemap: {map}"))),
        ("Crawl delay: 10".to_owned(), Some("Crawl-delay: 10".to_owned())),
        ("Request rate: 1/10".to_owned(), Some("Request-rate: 1/10".to_owned())),
        ("Clean param: a /b".to_owned(), Some("Clean-param: a /b".to_owned())),
        // A page for visitors.
        (format!("HTML-Sitemap: {map}"), None),
        ("XML-Sitemap: none".to_owned(), None),
        ("Robots: index".to_owned(), None),
        // Switched off.
        (format!("No-Sitemap: {map}"), None),
        (format!("Old-Sitemap: {map}"), None),
        (format!("Sitemap-Disabled: {map}"), None),
        ("User-agent-off: GPTBot|Disallow: /a".to_owned(), None),
        ("User_agent_old: GPTBot|Disallow: /q".to_owned(), None),
    ] {
        let file = |line: &str| body(&format!("User-agent: *|Disallow: /a|{line}|"));
        assert_eq!(body(&mended(&file(&line))), file(wanted.as_ref().unwrap_or(&line)), "{line}");
        if wanted.is_some() {
            assert_eq!(codes(&file(&line)), ["unknown-key"], "{line}");
        }
    }
    for line in ["Robots: noindex, nofollow", "robots: index,follow", "Meta robots: noindex"] {
        let file = body(&format!("User-agent: *|Disallow: /a|{line}|"));
        assert_eq!(codes(&file), ["noindex-record"], "{line}");
        assert_eq!(body(&mended(&file)), file, "{line}");
    }
}

/// A file in another encoding has one finding, which names it, and no fix that leaves what matches nothing.
#[test]
fn files_in_encodings_of_asia() {
    for (rules, wanted) in [
        (&b"Disallow: /\xB2\xFA\xC6\xB7/\nDisallow: /\xB9\xD8\xD3\xDA/\n"[..], "GBK or EUC-KR or EUC-JP"),
        (b"# \x83N\x83\x8D\x81[\x83\x8B\nDisallow: /\x90\xBB\x95i/\n", "Shift-JIS"),
        (b"Disallow: /\xC1\xA6\xC7\xB0/\nDisallow: /\xC8\xB8\xBB\xE7\xBC\xD2\xB0\xB3/\n", "EUC-KR or GBK or EUC-JP"),
        (b"Disallow: /\xB2\xA3\xAB~/\nDisallow: /\xC3\xF6\xA9\xF3\xA7\xDA\xAD\xCC/\n", "Big5 or GBK"),
        (b"Disallow: /\x1B$B@=IJ\x1B(B/\n", "ISO-2022-JP"),
    ] {
        let file = [b"User-agent: *\n", rules].concat();
        let found = warnings(&file);
        let [finding] = found.as_slice() else { panic!("{wanted}: {found:?}") };
        assert_eq!((finding.check.code(), &finding.fix), ("not-utf8", &None), "{wanted}");
        assert!(finding.message.ends_with(&format!("it seems to be {wanted}")), "{}", finding.message);
    }
}

/// What is pasted from other files does nothing, and is named.
#[test]
fn lines_of_other_files() {
    for (line, code, wanted) in [
        ("<meta name=\"robots\" content=\"noindex\">", "no-colon", "is a meta tag of pages"),
        ("<meta name=\"robots\" content=\"noindex, max-snippet: 5\">", "unknown-key", "is a meta tag of pages"),
        ("<loc>https://h.example/sitemap.xml</loc>", "unknown-key", "is of a sitemap in XML"),
        ("<link rel=\"sitemap\" href=\"/sitemap.xml\">", "no-colon", "is of HTML or XML"),
        ("<br />", "missing-colon", "is of HTML or XML"),
        ("<b>Warning</b>:  \"continue\" is equivalent to \"break\"", "unknown-key", "is of HTML or XML"),
        ("</urlset>", "no-colon", "is of HTML or XML"),
        ("Header set X-Robots-Tag \"noindex\"", "no-colon", "sets a header in the configuration of a server"),
        ("add_header X-Robots-Tag \"googlebot: noindex\";", "unknown-key", "sets a header in the configuration"),
        ("X-Robots-Tag: noindex", "noindex-record", "is a header of answers"),
        ("<p>Disallow: /x</p>", "unknown-key", "write `Disallow`"),
    ] {
        let found = warnings(&body(&format!("User-agent: *|Disallow: /a|{line}|")));
        let [finding] = found.as_slice() else { panic!("{line}: {found:?}") };
        assert_eq!(finding.check.code(), code, "{line}: {finding:?}");
        assert!(finding.message.contains(wanted), "{line}: {finding:?}");
    }
}

/// A value of a meta tag after a path is no part of it.
#[test]
fn values_of_meta_tags_after_a_path() {
    for (rule, wanted) in [
        ("Disallow: /b noindex", "Disallow: /b # noindex"),
        ("Disallow: /b, noindex, nofollow", "Disallow: /b # noindex, nofollow"),
        ("Disallow: /b/ NOINDEX", "Disallow: /b/ # NOINDEX"),
        // What an `Allow` opens is not widened.
        ("Allow: /b noindex", "Allow: /b noindex"),
        ("Disallow: /b index", "Disallow: /b%20index"),
    ] {
        let file = body(&format!("User-agent: *|Disallow: /a|{rule}|"));
        assert_eq!(codes(&file), ["space-in-pattern"], "{rule}: {:?}", warnings(&file));
        assert_eq!(mended(&file), format!("User-agent: *|Disallow: /a|{wanted}|"), "{rule}");
    }
}

/// Signs around a path have one finding.
#[test]
fn signs_around_a_path_are_said_once() {
    for (value, wanted) in [
        ("\"/x\"", &["dead-pattern"][..]),
        ("`/x`", &["dead-pattern"]),
        ("</x>", &["dead-pattern"]),
        ("{/x}", &["dead-pattern"]),
        (": /x", &["dead-pattern"]),
        ("./x", &["dead-pattern"]),
        ("\"/a b\"", &["dead-pattern", "space-in-pattern"]),
        ("^/x", &["dead-pattern", "regex-syntax"]),
    ] {
        let file = body(&format!("User-agent: *|Disallow: {value}|"));
        assert_eq!(codes(&file), wanted, "{value}: {:?}", warnings(&file));
    }
}

/// Keys that are a word for what rules do, and lead to none of the two.
#[test]
fn words_of_rules() {
    for (line, is_found) in [
        ("Except: /a/b", true),
        ("Include: /x", true),
        ("Accept: /x", true),
        ("Accept: text/html", false),
        ("Include: https://h.example/", false),
        ("Excluded: /x", true),
        // Pages.
        ("Acceptable-use: /policy", false),
        ("Accept-Policy: /terms", false),
        ("Exclusive-offers: /x", false),
        ("Inclusive: /x", false),
        ("Includes: /footer", false),
    ] {
        let file = body(&format!("User-agent: *|Disallow: /a|{line}|"));
        assert_eq!(codes(&file).contains(&"unknown-key"), is_found, "{line}: {:?}", warnings(&file));
        assert_eq!(body(&mended(&file)), file, "{line}");
    }
}

/// The scheme of a sitemap, and its signs.
#[test]
fn schemes_of_sitemaps() {
    for (value, wanted) in [
        ("//h.example/s.xml", Some("https://h.example/s.xml")),
        ("://h.example/s.xml", Some("https://h.example/s.xml")),
        ("www.h.example/s.xml", Some("https://www.h.example/s.xml")),
        ("h.example/b/s.xml", Some("https://h.example/b/s.xml")),
        ("https//h.example/s.xml", Some("https://h.example/s.xml")),
        ("http:/h.example/s.xml", Some("http://h.example/s.xml")),
        ("https: //h.example/s.xml", Some("https://h.example/s.xml")),
        (r"https:\\h.example\b\s.xml", Some("https://h.example/b/s.xml")),
        ("<https:/h.example/s.xml>", Some("https://h.example/s.xml")),
        // A path, and a file.
        ("/sitemaps/s.xml", None),
        ("sitemap.xml", None),
        ("maps/s.xml", None),
        ("sitemap.xml/a", None),
        ("me@h.example/s.xml", None),
        ("./sitemap.xml", None),
        ("../sitemap.xml", None),
        ("https:./sitemap.xml", None),
        (".h.example/sitemap.xml", None),
        ("v1.0/sitemap.xml", None),
        ("1.2.3.4/sitemap.xml", None),
        ("http:/192.0.2.1/s.xml", Some("http://192.0.2.1/s.xml")),
        ("h.example:8080/s.xml", Some("https://h.example:8080/s.xml")),
    ] {
        let file = |value: &str| body(&format!("User-agent: *|Disallow: /a|Sitemap: {value}|"));
        assert_eq!(body(&mended(&file(value))), file(wanted.unwrap_or(value)), "{value}");
        assert_eq!(codes(&file(value)), ["invalid-sitemap"], "{value}");
    }
}

/// Paths alone after a rule, as in a list or in YAML.
#[test]
fn paths_alone_on_a_line() {
    for (file, wanted, count) in [
        ("Disallow: /b|  /c|  /d", "Disallow: /b|  Disallow: /c|  Disallow: /d", 2),
        ("Disallow:|  - /b|  - /c", "Disallow:|  Disallow: /b|  Disallow: /c", 2),
        ("Disallow: /b|/", "Disallow: /b|/", 1),
        ("Allow: /b|/c", "Allow: /b|/c", 1),
        ("Disallow: /b|// c", "Disallow: /b|# c", 1),
        // Files that nobody closes.
        ("Disallow: /b|/sitemap.xml", "Disallow: /b|/sitemap.xml", 1),
        ("Disallow: /b|/maps/Sitemap_index.xml", "Disallow: /b|/maps/Sitemap_index.xml", 1),
        ("Disallow: /b|/robots.txt", "Disallow: /b|/robots.txt", 1),
    ] {
        let file = body(&format!("User-agent: *|Disallow: /a|{file}|"));
        assert_eq!(mended(&file), format!("User-agent: *|Disallow: /a|{wanted}|"));
        assert_eq!(codes(&file).len(), count, "{wanted}: {:?}", warnings(&file));
    }
    let found = warnings(&body("User-agent: *|Disallow: /a|/b|"));
    assert!(
        found[0].message.contains("`/b` is a path alone, and no record: a line has its own `Disallow:`"),
        "{found:?}"
    );
}

/// A record of a line in lower case follows the name of all crawlers.
#[test]
fn records_after_the_star() {
    let file = body("user-agent:*disallow:/a|");
    assert_eq!((codes(&file), mended(&file)), (vec!["joined-lines"], "user-agent:*|disallow:/a|".to_owned()));
}

/// A rule in a comment was of the name before it, so that the names after it are no list with it.
#[test]
fn a_group_whose_rule_is_in_a_comment() {
    for (between, is_fixed) in [("# Disallow: /|", false), ("#Disallow: /x|", false), ("# both|", true)] {
        let file = body(&format!("User-agent: GPTBot|{between}|User-agent: CCBot|Disallow: /|"));
        assert_eq!(codes(&file), ["group-merge"], "{between}");
        assert_eq!(body(&mended(&file)) != file, is_fixed, "{between}");
    }
}

/// A delay in seconds with its unit.
#[test]
fn delays_with_a_unit() {
    for (value, wanted) in [
        ("10s", "10"),
        ("10 seconds", "10"),
        ("0,5", "0.5"),
        // Of a thousand, or of nothing.
        ("1,000", "1,000"),
        ("1.000s", "1.000s"),
        ("10,", "10,"),
        ("10. s", "10. s"),
        ("10m", "10m"),
        ("1/10", "1/10"),
        ("1.000.0", "1.000.0"),
        ("ten", "ten"),
        ("-1", "-1"),
    ] {
        let file = |value: &str| body(&format!("User-agent: *|Disallow: /a|Crawl-delay: {value}|"));
        assert_eq!(body(&mended(&file(value))), file(wanted), "{value}");
        assert_eq!(codes(&file(value)), ["invalid-crawl-delay"], "{value}");
    }
}

/// A key that only begins as a directive does is rewritten without `--unsafe` if it is a form of its word.
#[test]
fn safe_fixes_of_longer_keys() {
    for (line, wanted) in [
        ("User-agent-off: GPTBot|Disallow: /q", None),
        ("User-agent-name: GPTBot|Disallow: /q", None),
        ("Sitemap-Disabled: https://h.example/s.xml", None),
        ("Sitemap-XML: https://h.example/s.xml", None),
        ("Sitemaps: https://h.example/s.xml", Some("Sitemap: https://h.example/s.xml")),
        ("Allowed: /q", Some("Allow: /q")),
        ("User-agents: GPTBot|Disallow: /q", Some("User-agent: GPTBot|Disallow: /q")),
    ] {
        let file = |line: &str| body(&format!("User-agent: *|Disallow: /a|{line}|"));
        let after = fixed(&file(line), &Dialect::GOOGLE, &lint(), false);
        let after = String::from_utf8_lossy(&after.body).into_owned();
        assert_eq!(after.into_bytes(), file(wanted.unwrap_or(line)), "{line}");
    }
}

/// What can be of a name or of a comment has no fix.
#[test]
fn blanks_whose_meaning_is_not_plain() {
    for (value, wanted) in [
        // Titles with a colon.
        ("/wiki/Alien: Covenant", "/wiki/Alien: Covenant"),
        ("/wiki/Dune: Part Two", "/wiki/Dune: Part Two"),
        ("/wiki/Special: Search", "/wiki/Special: Search"),
        ("/books/Dune: Messiah.pdf", "/books/Dune:%20Messiah.pdf"),
        ("/x: all old pages", "/x # all old pages"),
        // The last word can be that of a file.
        ("/admin -- do not index admin.php", "/admin -- do not index admin.php"),
        ("/x - see README.md", "/x - see README.md"),
        ("/x - see y.php", "/x - see y.php"),
        ("/shop - moved to shop.com", "/shop - moved to shop.com"),
        ("/login - per ticket WEB-12.3", "/login - per ticket WEB-12.3"),
        ("/x - members only v2.0", "/x - members only v2.0"),
        ("/old - e.g", "/old - e.g"),
        ("/a - blocked by ops/", "/a - blocked by ops/"),
        ("/annual - report.PDF$", "/annual%20-%20report.PDF$"),
        ("/a & b/", "/a%20&%20b/"),
    ] {
        let file = |value: &str| body(&format!("User-agent: *|Disallow: {value}|"));
        assert_eq!(codes(&file(value)), ["space-in-pattern"], "{value}");
        assert_eq!(body(&mended(&file(value))), file(wanted), "{value}");
    }
}

/// Several values of a meta tag after a path, whatever separates them.
#[test]
fn lists_of_meta_values_after_a_path() {
    for (value, wanted) in [
        ("/private noindex nofollow", "/private # noindex nofollow"),
        ("/x noindex,follow", "/x # noindex,follow"),
        ("/x index, nofollow", "/x # index, nofollow"),
        ("/x no index", "/x # no index"),
        ("/x index follow", "/x%20index%20follow"),
    ] {
        let file = |value: &str| body(&format!("User-agent: *|Disallow: {value}|"));
        assert_eq!(codes(&file(value)), ["space-in-pattern"], "{value}");
        assert_eq!(body(&mended(&file(value))), file(wanted), "{value}");
    }
}

/// Files and folders in the folder of all themes are no themes, and one theme need not be in use.
#[test]
fn rules_within_the_folder_of_themes() {
    for value in ["style.css", "index.php", "readme.txt", ".git/", "old-theme", "twentyten/"] {
        for folder in ["/wp-content/themes", "/blog/wp-content/themes", "/bitrix/templates", "/sites/all/themes"] {
            let file = body(&format!("User-agent: *|Disallow: {folder}/{value}|"));
            assert_eq!(codes(&file), [""; 0], "{folder}/{value}: {:?}", warnings(&file));
        }
    }
}

/// Text in angle brackets, or about a header, is of another file only if it can be.
#[test]
fn lines_that_resemble_other_files() {
    for (line, wanted, is_of_another) in [
        ("<meta name=\"robots\" content=\"noai, noimageai\">", "is a meta tag of pages", true),
        ("Header always set X-Robots-Tag \"noindex\"", "sets a header", true),
        ("<Lastmod>2026-01-01</Lastmod>", "is of HTML or XML", true),
        ("<https://h.example/sitemap.xml>", "is of HTML or XML", false),
        ("<GPTBot>", "is of HTML or XML", false),
        ("see x-robots-tag for more", "sets a header", false),
        ("X-Robots-Tag noindex", "sets a header", false),
    ] {
        let found = warnings(&body(&format!("User-agent: *|Disallow: /a|{line}|")));
        assert!(found.len() < 2, "{line}: {found:?}");
        assert_eq!(found.iter().any(|finding| finding.message.contains(wanted)), is_of_another, "{line}: {found:?}");
    }
}

/// Japanese words can have the bytes of Korean ones.
#[test]
fn words_of_japanese_with_leads_of_korean() {
    let file = b"User-agent: *\nDisallow: /\xB8\xA1\xBA\xF7/\nDisallow: /\xB2\xF1\xB0\xF7/\n";
    let found = warnings(file);
    assert!(found[0].message.ends_with("it seems to be EUC-KR or GBK or EUC-JP"), "{found:?}");
}
