//! Fixes that open or close no more than was meant, and slips of which nothing was said: what they were perhaps meant
//! to be is in the rows, and so are neighbours that are right as they are.

use robotsc_analysis::lint::{Finding, KnownName, Lint, fixed};
use robotsc_compiler::{Crawler, Dialect, RobotsTxt, Severity};

fn lint() -> Lint {
    let known = ["GPTBot", "CCBot", "ClaudeBot", "Googlebot", "bingbot", "Sogou"].map(KnownName::new);
    let gone = ["anthropic-ai", "Claude-Web"].map(|token| KnownName {
        is_retired: true,
        successors: vec!["ClaudeBot".to_owned()],
        ..KnownName::new(token)
    });
    Lint::new().known_names(known).known_names(gone)
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

/// Returns a file after its safe fixes, or after all.
fn mended(file: &[u8], with_unsafe: bool) -> Vec<u8> {
    fixed(file, &Dialect::GOOGLE, &lint(), with_unsafe).body
}

fn shown(body: &[u8]) -> String {
    String::from_utf8_lossy(body).replace('\n', "|")
}

fn is_allowed(body: &[u8], path: &str) -> bool {
    let set = RobotsTxt::parse(body).rule_set(&Crawler::new("Googlebot").expect("a name"));
    let path = Dialect::GOOGLE.url_path(path.as_bytes()).expect("a path");
    set.verdict(path.as_path()).expect("a verdict").is_allow()
}

/// What pages need is opened, and no page of a program whose ending begins so.
#[test]
fn files_of_pages_are_opened_and_no_others() {
    for (file, opened, closed) in [
        (
            "User-agent: *|Disallow: /|Allow: /$|Allow: /en/|",
            &["/x/a.js", "/a.js?v=1", "/a.css", "/a.mjs", "/a.woff2?v=1", "/i/a.jpg", "/a.webp", "/?fbclid=1"][..],
            &["/admin/users.jsp", "/login.jsf", "/api/users.json", "/x.css.map", "/photo.jpg/edit", "/x.pngs"][..],
        ),
        ("User-agent: *|Disallow: /|Allow: /public/|", &["/a.js", "/a.css"], &["/", "/?utm_source=x", "/a.json"]),
        (
            "User-agent: *|Disallow: /|Allow: /$|Allow: /p/1$|Allow: /p/2|",
            &["/p/1?utm_source=x", "/p/1?gclid=x", "/p/1?fbclid=x", "/p/1"],
            &["/p/1?x=1", "/p/11", "/p/1/a"],
        ),
        (
            "User-agent: *|Disallow: /|Allow: /blog|Sitemap: https://h.example/sitemap.xml|",
            &["/a.js", "/blog"],
            &["/a.jsp", "/"],
        ),
        ("User-agent: *|Disallow: /_next/|", &["/_next/image?url=x", "/_next/static/a.js"], &["/_next/images"]),
    ] {
        let after = mended(&body(file), true);
        for path in opened {
            assert!(is_allowed(&after, path), "{path}: {}", shown(&after));
        }
        for path in closed {
            assert!(!is_allowed(&after, path), "{path}: {}", shown(&after));
        }
        assert!(after.split(|byte| *byte == b'\n').count() < 30, "{}", shown(&after));
        let left: Vec<&str> = codes(&after).into_iter().filter(|code| *code != "sitemap-blocked").collect();
        assert!(left.is_empty(), "{left:?}: {}", shown(&after));
    }
}

/// A fix that opens more than files of pages says so.
#[test]
fn what_a_fix_opens_besides_is_named() {
    for (file, wanted) in [
        ("User-agent: *|Disallow: /|Allow: /$|Allow: /en/|", Some("`/account/scan.jpg`")),
        ("User-agent: *|Disallow: /|Allow: /$|Allow: /en/|", Some("`/admin/users.php?file=x.css`")),
        ("User-agent: *|Disallow: /|Allow: /$|Allow: /en/|Allow: /*.jpg|", Some("opens queries with that ending")),
        ("User-agent: *|Disallow: /|Allow: /$|Allow: /en/|Allow: /*.*|", None),
        ("User-agent: *|Disallow: /x/|Disallow: /_next/|", Some("`/_next/static/x.json`")),
        ("User-agent: *|Disallow: /x/|Disallow: /*.js|", Some("`/x/x.json`")),
        ("User-agent: *|Disallow: /x/|Disallow: /*.js$|", None),
        ("User-agent: *|Disallow: /x/|Disallow: /*.css|", None),
    ] {
        let found = warnings(&body(file));
        let [finding] = found.as_slice() else { panic!("{file}: {found:?}") };
        assert!(finding.fix.is_some(), "{file}: {finding:?}");
        let (_, named) = finding.message.split_once("; the fix opens").unzip();
        assert_eq!(named.is_some(), wanted.is_some(), "{file}: {}", finding.message);
        assert!(wanted.is_none_or(|path| finding.message.contains(path)), "{file}: {}", finding.message);
    }
    // Where no fix is offered, the message has rules that are as exact.
    for (rule, wanted) in [
        ("/scripts/", "as `Allow: /scripts/*.js$` and `Allow: /scripts/*.js?` do"),
        ("/css/", "as `Allow: /css/*.css$` and `Allow: /css/*.css?` do"),
        ("/*.*", "as `Allow: /*.css$` and `Allow: /*.css?` do"),
        ("/*/assets/", "as `Allow: /*/assets/*.css$` and `Allow: /*/assets/*.css?` do"),
    ] {
        let found = warnings(&body(&format!("User-agent: *|Disallow: /x/|Disallow: {rule}|")));
        assert!(found.iter().any(|finding| finding.message.contains(wanted)), "{rule}: {found:?}");
    }
}

/// An engine that may fetch a page of a list reads sitemaps, also if the start page is closed.
#[test]
fn sitemaps_of_a_list_are_looked_at() {
    for (file, is_found) in [
        ("User-agent: *|Allow: /blog|Disallow: /|Sitemap: https://h.example/sitemap.xml|", true),
        ("User-agent: *|Allow: /blog|Allow: /sitemap.xml|Disallow: /|Sitemap: https://h.example/sitemap.xml|", false),
        ("User-agent: *|Disallow: /|Sitemap: https://h.example/sitemap.xml|", false),
        ("User-agent: *|Allow: /sitemap|Disallow: /|Sitemap: https://h.example/map.xml|", false),
    ] {
        assert_eq!(codes(&body(file)).contains(&"sitemap-blocked"), is_found, "{file}");
    }
}

/// A comment of another language becomes no rule.
#[test]
fn comments_of_other_languages_stay_closed() {
    for line in [
        "\" Disallow: /",
        "\"\"\" Disallow: /",
        "''' Disallow: /",
        "C Disallow: /",
        "c Disallow: /x",
        "\" User-agent: GPTBot",
        "C User-agent: GPTBot",
        ":: Disallow: /x",
        "dnl Disallow: /x:y",
        "@rem Disallow: /x",
    ] {
        let file = body(&format!("User-agent: *|Disallow: /a|{line}|"));
        let found = warnings(&file);
        let [finding] = found.as_slice() else { panic!("{line}: {found:?}") };
        assert!(finding.message.contains("a comment begins with `#`"), "{line}: {}", finding.message);
        let after = mended(&file, true);
        assert!(is_allowed(&after, "/x"), "{line}: {}", shown(&after));
    }
    // A quote that was copied with the line.
    for line in ["\"Disallow: /x", "\u{201C}Disallow: /x"] {
        let after = mended(&body(&format!("User-agent: *|Disallow: /a|{line}|")), true);
        assert_eq!(shown(&after), "User-agent: *|Disallow: /a|Disallow: /x|", "{line}");
    }
}

/// Groups whose names are read as one token have one finding, and a safe fix leaves no group without rules.
#[test]
fn groups_of_one_token_stay() {
    let sogou = "User-agent: Sogou web spider|Disallow: /a|Disallow: /b||User-agent: Sogou inst spider|Disallow: /a|\
                 Disallow: /b||User-agent: ChinasoSpider|Disallow: /a|Disallow: /b||User-agent: *|Disallow: /|";
    let versions = "User-agent: GPTBot/1.0|Disallow: /a|Disallow: /b||User-agent: GPTBot/1.1|Disallow: /a|\
                    Disallow: /b||User-agent: GPTBot/1.2|Disallow: /b|Disallow: /a|";
    for (file, count, wanted) in [
        (sogou, 1, "`Sogou web spider` and `Sogou inst spider` are both read as `Sogou`"),
        (versions, 1, "`GPTBot/1.0`, `GPTBot/1.1` and `GPTBot/1.2` are all read as `GPTBot`"),
        // The same name twice is a slip.
        (
            "User-agent: GPTBot|Disallow: /a|Disallow: /b||User-agent: gptbot|Disallow: /a|Disallow: /c|",
            1,
            "`Disallow: /a` is there twice",
        ),
        ("User-agent: Sogou web spider|Disallow: /a||User-agent: Sogou inst spider|Disallow: /b|", 0, ""),
    ] {
        let found = warnings(&body(file));
        let duplicates: Vec<&Finding> =
            found.iter().filter(|finding| finding.check.code() == "rule-duplicate").collect();
        assert_eq!(duplicates.len(), count, "{file}: {found:?}");
        assert!(duplicates.iter().all(|finding| finding.message.contains(wanted)), "{file}: {duplicates:?}");
        if duplicates.iter().any(|finding| finding.message.contains(" read as ")) {
            assert_eq!(shown(&mended(&body(file), false)), file);
        }
    }
    // All rules of the second group are there already.
    let file = "User-agent: GPTBot|Disallow: /a|Disallow: /b||User-agent: GPTBot|Disallow: /b|Disallow: /a||\
                User-agent: CCBot|Disallow: /c|";
    assert_eq!(shown(&mended(&body(file), false)), file);
}

/// The escape of a character that nobody sees was copied with the path, at its start or end.
#[test]
fn escapes_of_what_nobody_sees() {
    for (value, wanted) in [
        ("%E2%80%8B/y/", Some("/y/")),
        ("/z/%C2%A0", Some("/z/")),
        ("/x/%EF%BB%BF", Some("/x/")),
        ("/x/%EF%BB%BF$", Some("/x/$")),
        ("/d%0D%0A", Some("/d")),
        ("/d%0d%0a", Some("/d")),
        ("/u/%0D", Some("/u/")),
        ("/t%09", Some("/t")),
        ("/s%C2%AD", Some("/s")),
        ("/s%c2%ad%e2%80%8b", Some("/s")),
        ("/e%F3%A0%81%81", Some("/e")),
        // Of titles, and rules for URLs that have it.
        ("/a%C2%A0b", None),
        ("/*%E2%80%8B", None),
        ("/*%0A", None),
        ("/%C2%A0", None),
        ("/s?q=%C2%A0", None),
        ("/caf%C3%A9", None),
    ] {
        let file = body(&format!("User-agent: *|Disallow: {value}|"));
        let after = shown(&mended(&file, true));
        assert_eq!(after, format!("User-agent: *|Disallow: {}|", wanted.unwrap_or(value)), "{value}");
        assert_eq!(codes(&file).is_empty(), wanted.is_none(), "{value}");
        assert_eq!(codes(&body(&after)), Vec::<&str>::new(), "{value}");
    }
}

/// What is left of line ends at the end of a rule.
#[test]
fn letters_of_line_ends_are_no_part_of_a_rule() {
    for (value, wanted) in [
        ("/a_x000D_", "/a"),
        ("/b^M", "/b"),
        ("/e\u{B6}", "/e"),
        ("/f\u{21B5}", "/f"),
        ("/g\u{23CE}", "/g"),
        ("/x\u{1A}", "/x"),
        ("/y/\u{8}", "/y/"),
        ("/z\u{7F}", "/z"),
        ("/x_", "/x_"),
        ("/section\u{B6}2", "/section\u{B6}2"),
    ] {
        let file = body(&format!("User-agent: *|Disallow: {value}|"));
        assert_eq!(shown(&mended(&file, true)), format!("User-agent: *|Disallow: {wanted}|"), "{value:?}");
        assert_eq!(codes(&file).is_empty(), value == wanted, "{value:?}");
    }
}

/// Several sitemaps on a line stay several, and what is said of one is a comment.
#[test]
fn sitemaps_on_one_line() {
    let two = "https://a.example/1.xml|Sitemap: https://a.example/2.xml";
    for (value, wanted) in [
        ("https://a.example/1.xml /2.xml", Some(two)),
        ("https://a.example/1.xml 2.xml", Some(two)),
        ("https://a.example/1.xml, /2.xml", Some(two)),
        ("https://a.example/1.xml and https://a.example/2.xml", Some(two)),
        ("https://a.example/1.xml (main)", Some("https://a.example/1.xml # (main)")),
        ("https://a.example/1.xml // main", Some("https://a.example/1.xml # // main")),
        ("https://a.example/1.xml <!-- x -->", Some("https://a.example/1.xml # <!-- x -->")),
        ("https://a.example/1.xml main map", Some("https://a.example/1.xml # main map")),
        ("https://a.example/my map.xml", Some("https://a.example/my%20map.xml")),
        ("Sitemap: https://a.example/1.xml", Some("https://a.example/1.xml")),
        ("https://a.example/1.xml", None),
    ] {
        let file = |value: &str| body(&format!("User-agent: *|Disallow: /x|Sitemap: {value}|"));
        assert_eq!(shown(&mended(&file(value), true)), shown(&file(wanted.unwrap_or(value))), "{value}");
        assert_eq!(codes(&file(value)).is_empty(), wanted.is_none(), "{value}");
    }
}

/// A fix does not write the opposite of what is likely, nor a rule that is as dead.
#[test]
fn fixes_that_were_wrong() {
    for (line, wanted) in [
        ("Dallow: /x", "Disallow: /x"),
        ("sallow: /x", "Disallow: /x"),
        ("Allw: /x", "Allow: /x"),
        ("Disallow: GPTBot", "Disallow: GPTBot"),
        ("Allow: Googlebot", "Allow: Googlebot"),
        ("Disallow: cart", "Disallow: /cart"),
        ("Disallow: /x: /y", "Disallow: /x|Disallow: /y"),
        ("Disallow: /[object Object]", "Disallow: /[object Object]"),
        (r"Disallow: /a\", "Disallow: /a"),
        (r"Disallow: /a \", "Disallow: /a"),
        (r"Disallow: /a\b", "Disallow: /a/b"),
        ("Disallow: User-agent: GPTBot", "Disallow: User-agent: GPTBot"),
        ("Disallow: \"\"", "Disallow:"),
    ] {
        let file = body(&format!("User-agent: *|Disallow: /b|{line}|"));
        assert_eq!(
            shown(&mended(&file, true)).replace(": |", ":|"),
            format!("User-agent: *|Disallow: /b|{wanted}|"),
            "{line}"
        );
        assert_eq!(warnings(&file).len(), 1, "{line}: {:?}", warnings(&file));
    }
    let found = warnings(b"User-agent: *\nDisallow: /a\nDisallow: GPTBot\n");
    assert!(found[0].message.contains("write a `User-agent` line"), "{found:?}");
    // Two names that are gone have one successor.
    let file = body("User-agent: anthropic-ai|User-agent: Claude-Web|Disallow: /||User-agent: *|Disallow: /x|");
    let after = shown(&mended(&file, true));
    assert_eq!(after.matches("User-agent: ClaudeBot").count(), 1, "{after}");
}

/// Records that a comment holds by accident.
#[test]
fn records_in_a_comment() {
    for (file, wanted) in [
        ("User-agent: *|Disallow: /a||# AI crawlersUser-agent: GPTBot|Disallow: /b/|", true),
        ("User-agent: *|Disallow: /a||# AI crawlers User-agent: GPTBot|Disallow: /b/|", true),
        ("User-agent: *|Disallow: /a # tmpUser-agent: GPTBot|Disallow: /b/|", true),
        ("# robots User-agent: * Disallow: /admin Sitemap: https://a.example/s.xml|", true),
        (r"# robots.txt\nUser-agent: *\nDisallow: /admin\n|", true),
        // Taken out on purpose, or said.
        ("User-agent: *|Disallow: /a||# User-agent: GPTBot|Disallow: /b/|", false),
        ("User-agent: *|Disallow: /a||# rules for User-agent: GPTBot|Disallow: /b/|", false),
        ("User-agent: *|Disallow: /a||# Removed User-agent: BadBot|Disallow: /b/|", false),
        ("User-agent: *|Disallow: /a||# see the docs Useragent: GPTBot|Disallow: /b/|", false),
        ("User-agent: *|Disallow: /a||# was (e.g.) User-agent: GPTBot|Disallow: /b/|", false),
        ("# format: User-agent: name Disallow: /path|", false),
        ("# old robots.txt: User-agent: * Disallow: /|", false),
        ("# crawlers User-agent: GPTBot|User-agent: *|Disallow: /b/|", false),
        ("User-agent: *|Disallow: /a|# see User-agent: GPTBot|", false),
        (
            "User-agent: *|Disallow: /a||# so that all the rules of this site come below User-agent: *|Disallow: /b|",
            false,
        ),
        ("# all may come|", false),
    ] {
        assert_eq!(codes(&body(file)).contains(&"joined-lines"), wanted, "{file}: {:?}", warnings(&body(file)));
    }
    // One answer: `check` refuses what lint calls an error.
    let file = body(r"# robots.txt\nUser-agent: *\nDisallow: /admin\n|");
    assert_eq!(shown(&mended(&file, true)), "# robots.txt|User-agent: *|Disallow: /admin|");
    let file = body("# robots User-agent: * Disallow: /admin|");
    assert_eq!(shown(&mended(&file, true)), "# robots|User-agent: *|Disallow: /admin|");
    assert!(!RobotsTxt::parse(&file).body_kind().is_robots());
    // It is not known whether a file that closes all was commented out on purpose.
    let file = body("# robots User-agent: * Disallow: /|");
    assert_eq!((codes(&file).contains(&"joined-lines"), mended(&file, true)), (true, file.clone()));
}

/// Names that nobody has.
#[test]
fn names_of_nobody() {
    for (name, is_found) in [
        ("* GPTBot", true),
        ("* bots", true),
        ("* Yandex", true),
        ("undefined", true),
        ("null", true),
        ("None", true),
        ("Array", true),
        ("bot.name", true),
        ("site.agents.name", true),
        ("[object Object]", true),
        ("*", false),
        ("GPTBot", false),
        ("Nutch", false),
        ("Microsoft.URL.Control", false),
        ("archive.org_bot", false),
        ("NerdByNature.Bot", false),
        ("K.s.bot", false),
    ] {
        let found = warnings(&body(&format!("User-agent: {name}|Disallow: /x|")));
        assert_eq!(!found.is_empty(), is_found, "{name}: {found:?}");
    }
}
