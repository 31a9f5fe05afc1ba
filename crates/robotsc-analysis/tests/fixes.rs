//! What fixes of lint do, and what they leave alone: a fix must not hide what it does not mend.

use std::collections::BTreeSet;

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
        ("?sort=", "/*?sort=|Disallow: /*&sort="),
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

/// The named agents are closed out of what `*` closes, and of nothing that both groups leave open.
#[test]
fn rules_of_star_are_copied_with_their_exceptions() {
    for (star, named, wanted) in [
        ("Disallow: /a/|Allow: /a/b|", "Disallow: /c|", Some("Disallow: /a/|Allow: /a/b|")),
        ("Disallow: /q/*?|Allow: /q/*?p=|", "Disallow: /c|", Some("Disallow: /q/*?|Allow: /q/*?p=|")),
        ("Allow: /a/x$|Disallow: /a/|Disallow: /d|", "Disallow: /d|", Some("Allow: /a/x$|Disallow: /a/|")),
        ("Disallow: /|Allow: /pub/|", "Disallow: /pub/x|", Some("Disallow: /|Allow: /pub/|")),
        ("Disallow: /a/|", "Allow: /|", Some("Disallow: /a/|")),
        // An exception that the rules of its own close already is not copied, or it would open that.
        ("Disallow: /a/|Allow: /a/b|", "Disallow: /a/b|", Some("Disallow: /a/|")),
        // Others change nothing.
        ("Disallow: /a/|Allow: /z/|", "Disallow: /c|", Some("Disallow: /a/|")),
        // A rule of its own outranks what would be copied, or the other way round.
        ("Disallow: /a/|", "Allow: /*/b/c/d|Disallow: /c|", None),
        ("Disallow: /a/|Allow: /*/b/c/d|", "Disallow: /z|", None),
    ] {
        let file = format!("User-agent: *|{star}|User-agent: GPTBot|{named}");
        // The rules of `*` can have fixes of their own.
        let after = mended(&file, true);
        let (_, group) = after.split_once("User-agent: GPTBot|").expect("its group");
        assert_eq!(group, format!("{named}{}", wanted.unwrap_or_default()), "{star} {named}");
        let is_found = found(&file).iter().any(|finding| finding.check.code() == "specific-group-drops-star");
        assert!(is_found, "{star} {named}");
    }
    // Lines of a group that others obey, too, or agents for which `*` never counted.
    is_left(
        "User-agent: *|Disallow: /a/||User-agent: GPTBot|User-agent: CCBot|Disallow: /b||User-agent: CCBot|\
         Disallow: /a/|",
        "may fetch what a rule of `*` disallows",
    );
}

/// Whatever the rules are, the named agents may fetch afterwards what both groups allowed, or nothing is copied.
#[test]
fn copies_of_rules_allow_what_both_groups_allow() {
    const PATTERNS: [&str; 10] = ["/", "/a", "/a/", "/a/b", "/*b", "/a$", "/*a/", "/ab", "/b*a", "/*"];
    let paths: Vec<String> = (0..5u32)
        .flat_map(|length| (0..3u32.pow(length)).map(move |at| (length, at)))
        .map(|(length, at)| {
            let letters = (0..length).map(|place| ["a", "b", "/"][(at / 3u32.pow(place) % 3) as usize]);
            format!("/{}", letters.collect::<String>())
        })
        // A host would be read there.
        .filter(|path| !path.starts_with("//"))
        .collect();
    let mut seed = 7u32;
    let mut copies = 0;
    for _ in 0..1500 {
        let mut rules = || {
            let rule = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let kind = if seed >> 30 == 0 { "Allow" } else { "Disallow" };
                format!("{kind}: {}\n", PATTERNS[(seed >> 16) as usize % PATTERNS.len()])
            };
            std::iter::repeat_with(rule).take(3).collect::<String>()
        };
        let file = format!("User-agent: *\n{}\nUser-agent: GPTBot\n{}", rules(), rules());
        let old = RobotsTxt::parse(file.as_bytes());
        let found = lint().run(&old);
        let found = found.iter().find(|finding| finding.check.code() == "specific-group-drops-star");
        let Some(fix) = found.and_then(|finding| finding.fix.as_ref()) else { continue };
        copies += 1;
        let mut after = file.clone().into_bytes();
        let edit = &fix.edits[0];
        after.splice(edit.range.clone(), edit.with.iter().copied());
        let new = RobotsTxt::parse(&after);
        let [star, own, joined] = [(&old, "others"), (&old, "GPTBot"), (&new, "GPTBot")]
            .map(|(robots, name)| robots.rule_set(&robotsc_compiler::Crawler::new(name).expect("a name")));
        for path in &paths {
            let is_allowed = |set: &robotsc_compiler::RuleSet| {
                let path = Dialect::GOOGLE.url_path(path.as_bytes()).expect("a path");
                set.verdict(path.as_path()).expect("a verdict").is_allow()
            };
            let both = is_allowed(&star) && is_allowed(&own);
            assert_eq!(is_allowed(&joined), both, "{path}\n{}", String::from_utf8_lossy(&after));
        }
    }
    assert!(copies > 200, "{copies}");
}

/// A second call changes nothing, and a second lint finds nothing that was not there.
#[test]
fn fixes_reach_a_fixed_point() {
    for file in [
        "User-agent: bingbot|Disallow: /private/||User-agent: *|Disallow: /assets/|",
        "User-agent: bingbot|Disallow: /private/||User-agent: *|Disallow: /assets/|Allow: /assets/x|Disallow: /js/|",
        // Removed from one group, the rule would be copied from the other again.
        "User-agent: Googlebot|Disallow: /a|Disallow: /*.js$||User-agent: bingbot|Disallow: /b||\
         User-agent: *|Disallow: /*.js$|Disallow: /a|",
        "User-agent: Googlebot|Disallow: /css/||User-agent: bingbot|Disallow: /css/|Disallow: /b||User-agent: *|\
         Disallow: /css/|Disallow: /c|",
        "User-agent: *|Disallow: /x.html),|Disallow: /y|Disallow: /x.html|",
        "User-agent: *|Disallow: \"/*?a=\"|Disallow: /*&a=|",
    ] {
        let once = fixed(&body(file), &Dialect::GOOGLE, &lint(), true);
        let twice = fixed(&once.body, &Dialect::GOOGLE, &lint(), true);
        assert_eq!(String::from_utf8_lossy(&twice.body), String::from_utf8_lossy(&once.body), "{file}");
        let [before, after] = [&body(file), &once.body].map(|body| lint().run(&RobotsTxt::parse(body)));
        for finding in &after {
            let count = |found: &[Finding]| found.iter().filter(|other| other.check == finding.check).count();
            assert!(count(&after) <= count(&before), "{file}: {finding:?}");
        }
    }
}

/// A fix of a line that names several keeps each of them.
#[test]
fn names_of_a_list_are_kept() {
    for (value, wanted) in [
        ("*, GPTBot, CCBot", Some("*|User-agent: GPTBot|User-agent: CCBot")),
        ("GPTBot, *", Some("GPTBot|User-agent: *")),
        ("*; GPTBot", Some("*|User-agent: GPTBot")),
        ("CCBot, `GPTBot`", Some("CCBot|User-agent: GPTBot")),
        ("GPTBot, CCBot:", Some("GPTBot|User-agent: CCBot")),
        ("@GPTBot and CCBot", Some("GPTBot|User-agent: CCBot")),
        ("GPT_Bot and CCBot", Some("GPTBot|User-agent: CCBot")),
        ("GPTBot and CCBot\u{2122}", Some("GPTBot|User-agent: CCBot")),
        ("GPTBot (OpenAI), CCBot (Common Crawl)", Some("GPTBot|User-agent: CCBot")),
        ("GPTBot/1.0, CCBot/2.0", Some("GPTBot/1.0|User-agent: CCBot/2.0")),
        ("GPTBot, CCBot, and so on", None),
        ("*,GPTBot", Some("*|User-agent: GPTBot")),
        ("GPTBot Foobot CCBot", None),
        ("GPTBot and all other AI bots", None),
        ("GPTBot, AI bots", None),
        ("GPTBot, etc.", None),
        ("CCBot, Brightbot 1.0", None),
        ("WebCopier v4.6, GPTBot", None),
        ("Google AI, GPTBot", None),
        ("GPTBot, Google*", None),
        ("GPTBot: CCBot", Some("GPTBot|User-agent: CCBot")),
        ("GPTBot (incl. ClaudeBot), CCBot", None),
        ("GPTBot, ClaudeBot (Anthropic, CCBot", None),
        ("CCBot/2.0 GPTBot/1.0", Some("CCBot/2.0|User-agent: GPTBot/1.0")),
        ("GPTBot<br>CCBot", Some("GPTBot|User-agent: CCBot")),
        ("GPTBot - CCBot", Some("GPTBot|User-agent: CCBot")),
        // What seems to except a crawler.
        ("all except GPTBot", None),
        ("any but GPTBot", None),
        ("everyone but GPTBot", None),
        ("every bot other than GPTBot", None),
        ("tous sauf GPTBot", None),
        ("no GPTBot", None),
        ("*, except GPTBot", None),
        ("*-GPTBot", None),
        ("any (except CCBot)", None),
        ("*, !GPTBot", None),
        ("Mozilla/5.0 (compatible; FooBot/1.0; like Googlebot)", None),
        ("Mozilla/5.0 (compatible; FooBot; +http://foo.example/bingbot)", None),
        ("GPT_Bot CCBot", None),
        ("Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)", Some("GPTBot")),
        ("Mozilla/5.0 (compatible; GPTBot/1.2) CCBot", None),
    ] {
        let file = format!("User-agent: {value}|Disallow: /z|");
        let wanted = format!("User-agent: {}|Disallow: /z|", wanted.unwrap_or(value));
        assert_eq!(mended(&file, true), wanted, "{value}: {:#?}", found(&file));
        assert!(found(&file).iter().any(|finding| finding.severity >= Severity::Warning), "{value}");
    }
}

/// What is written in place of a value matches what was meant, or nothing is: a dead rule stays one that is reported.
#[test]
fn values_are_mended_or_left() {
    for (value, wanted) in [
        ("utm_source=", Some("/*?utm_source=|Disallow: /*&utm_source=")),
        ("&utm_medium", Some("/*?utm_medium|Disallow: /*&utm_medium")),
        ("sort=asc&dir=", Some("/*?sort=asc&dir=|Disallow: /*&sort=asc&dir=")),
        ("search?q=", Some("/search?q=")),
        ("index.html", Some("/index.html")),
        ("Special:Search", Some("/Special:Search")),
        (".git/", Some("/.git/")),
        (".env", Some("/.env")),
        ("-> /x/", Some("/x/")),
        ("=> \"/x/\"", Some("/x/")),
        ("- /x/", Some("/x/")),
        ("\u{2022} /x/", Some("/x/")),
        ("\u{2192}/x/", Some("/x/")),
        ("1. /x/", Some("/x/")),
        ("a) /x/", Some("/x/")),
        ("[/x/]", Some("/x/")),
        ("Foo_(bar)", Some("/Foo_(bar)")),
        ("/d/\"", Some("/d/")),
        ("/d/\"'", Some("/d/")),
        ("/d/ ->", Some("/d/")),
        ("/d/>", Some("/d/")),
        ("*.pdf\"", Some("*.pdf")),
        ("/*?q=\"", Some("/*?q=%22")),
        ("https://h.example/x/", Some("/x/")),
        ("//h.example/x/", Some("/x/")),
        ("www.h.example/x", Some("/x")),
        // A host or an address; `/` would be for all paths.
        ("ex.example", None),
        ("ex.example/cart", None),
        ("ex.example:8080/cart", None),
        ("192.168.0.1", None),
        ("user@ex.example", None),
        ("mailto:user@ex.example", None),
        ("https://h.example", None),
        ("https://h.example/", None),
        ("//h.example/", None),
        ("www.h.example/", None),
        ("* /x/", None),
        ("/ /x/", None),
        ("~/x", None),
        ("path=/x/", None),
        ("url(/x/)", None),
        ("<a href=\"/x/\">", None),
        ("\"/x/\", \"/y/\"", None),
        ("%2Fx", None),
        ("/\"x/", None),
        // What is left of another notation.
        ("/shop/(.*)", Some("/shop/*")),
        ("/shop/(.*)\\d", None),
        ("/shop/\\*", Some("/shop/*")),
        ("/x/\\", Some("/x/")),
        ("\\x\\", Some("/x/")),
        ("//shop//", Some("/shop/")),
        ("/shop//", Some("/shop/")),
        // Words after a path, and blanks within one.
        ("/x/ old stuff", Some("/x/ # old stuff")),
        ("/x/ index.php", None),
        ("/x/.* <!-- old -->", None),
        ("/ <!-- x -->", None),
        ("https://h.example/x/ and /y/", None),
        ("#/admin", None),
        ("/x \u{2014} private", Some("/x # \u{2014} private")),
        ("/x = private", Some("/x # = private")),
        ("/x bar baz qux is private", None),
        ("/*.pdf$ no pdfs", Some("/*.pdf$ # no pdfs")),
        ("/ all", None),
        ("/ everything", None),
        ("/caf&eacute;", None),
        ("/*%3Fsort=", None),
        ("/search%3F", None),
        ("/x[/]?$", None),
        ("/a/*.php\\", Some("/a/*.php")),
        ("/x/ noindex", Some("/x/ # noindex")),
        ("/x/ [nofollow]", Some("/x/ # [nofollow]")),
        ("/ x/", Some("/x/")),
        ("/x/ <!-- old -->", Some("/x/ # <!-- old -->")),
        ("/x/\tyy", Some("/x/ # yy")),
        ("/x\tyy/", None),
        ("/x/ https://h.example/y/", None),
        ("/x and /y", Some("/x|Disallow: /y")),
        ("/my files/", Some("/my%20files/")),
        ("/caf&eacute;/", None),
        ("/,", None),
        ("/search%3Fq=", None),
        ("/x/%20", None),
        ("/*[?&]sort=", None),
        ("/*?a=,/*?b=", Some("/*?a=|Disallow: /*&a=|Disallow: /*?b=|Disallow: /*&b=")),
    ] {
        let file = format!("User-agent: *|Disallow: {value}|Disallow: /z|");
        let after = mended(&file, true);
        let wanted = format!("User-agent: *|Disallow: {}|", wanted.unwrap_or(value));
        assert!(after.starts_with(&wanted), "{value}: {after}");
        assert!(found(&file).iter().any(|finding| finding.line == 2), "{value}");
    }
    // A sign that the rule is for is no accident.
    for value in ["/*,", "/*;", "/*'", "*\"", "/*.jsp;", "/x.php;", "/*/page,", "/caf&eacute;"] {
        let file = format!("User-agent: *|Disallow: {value}|");
        assert!(found(&file).iter().all(|finding| finding.check.code() != "stray-sign"), "{value}");
    }
}

/// After the fix of a closed folder nothing that a page needs there is blocked, of whatever kind.
#[test]
fn folders_are_opened_for_all_that_pages_need() {
    for (folder, inner) in [
        ("/wp-content/", "plugins/a/"),
        ("/core/", "misc/assets/"),
        ("/typo3temp/", "assets/"),
        ("/_next/", "static/"),
        ("/etc/", "designs/a/"),
        ("/templates/", "a/css/"),
    ] {
        let after = mended(&format!("User-agent: *|Disallow: {folder}|Disallow: /z|"), true);
        let robots = after.replace('|', "\n");
        let robots = RobotsTxt::parse(robots.as_bytes());
        let set = robots.rule_set(&robotsc_compiler::Crawler::new("Googlebot").expect("a name"));
        for ending in ["css", "js", "mjs", "woff", "woff2", "ttf", "png", "jpg", "svg", "webp", "gif", "ico"] {
            for path in ["x.", "x/y.", "x/y/z."].map(|file| format!("{folder}{inner}{file}{ending}")) {
                for path in [path.clone(), format!("{path}?v=1")] {
                    let path = Dialect::GOOGLE.url_path(path.as_bytes()).expect("a path");
                    assert!(set.verdict(path.as_path()).expect("a verdict").is_allow(), "{folder} {ending}: {after}");
                }
            }
        }
        let path = format!("{folder}x.php");
        let path = Dialect::GOOGLE.url_path(path.as_bytes()).expect("a path");
        assert!(!set.verdict(path.as_path()).expect("a verdict").is_allow(), "{after}");
    }
}

/// What a crawler obeys together with the next group stays closed to it.
#[test]
fn a_group_without_rules_is_not_opened() {
    are_mended(&[
        (
            "User-agent: Googlebot|Crawl-delay: 30||User-agent: *|Disallow: /cart|Allow: /cart/help|",
            "User-agent: Googlebot|Crawl-delay: 30|Disallow: /cart|Allow: /cart/help||\
             User-agent: *|Disallow: /cart|Allow: /cart/help|",
        ),
        (
            "User-agent: bingbot|Crawl-delay: 9|User-agent: Googlebot|Crawl-delay: 30|User-agent: *|Disallow: /cart|",
            "User-agent: bingbot|Crawl-delay: 9|Disallow: /cart|User-agent: Googlebot|Crawl-delay: 30|\
             Disallow: /cart|User-agent: *|Disallow: /cart|",
        ),
        (
            "User-agent: GPTBot|Disallow: /a||User-agent: bingbot|Crawl-delay: 9||User-agent: *|Disallow: /cart|",
            "User-agent: GPTBot|Disallow: /a|Disallow: /cart||User-agent: bingbot|Crawl-delay: 9|Disallow: /cart||\
             User-agent: *|Disallow: /cart|",
        ),
    ]);
    for file in [
        "User-agent: bingbot|Crawl-delay: 9||User-agent: GPTBot|Disallow: /a||User-agent: *|Disallow: /cart|",
        "User-agent: *|Crawl-delay: 9||User-agent: GPTBot|Disallow: /a|",
        "User-agent: bingbot|Crawl-delay: 9||User-agent: *|Disallow: /cart|Content-Signal: search=no|",
    ] {
        let found = found(file);
        let merge = found.iter().find(|finding| finding.check.code() == "group-merge").expect(file);
        assert_eq!(merge.fix, None, "{file}");
    }
}

/// The path of a URL is one of this site only if its host is.
#[test]
fn paths_of_other_hosts_are_not_written() {
    const MAP: &str = "Sitemap: https://www.h.example/map.xml|";
    for (map, rules, wanted) in [
        (MAP, "Disallow: https://s.h.example/shop/|", None),
        (MAP, "Disallow: https://h.example/shop/|", Some("Disallow: /shop/|")),
        (MAP, "Disallow: http://WWW.h.example/shop/|", Some("Disallow: /shop/|")),
        (MAP, "Disallow: https://*.h.example/shop/|", None),
        (MAP, "Disallow: www.o.example/shop/|", None),
        (MAP, "Disallow: www.h.example/shop/|", Some("Disallow: /shop/|")),
        (MAP, "Disallow: //s.h.example/shop/|", None),
        (MAP, "Disallow: //h.example/shop/|", Some("Disallow: /shop/|")),
        ("", "Disallow: https://h.example/shop/|", Some("Disallow: /shop/|")),
        ("", "Disallow: https://*.h.example/shop/|", None),
        ("", "Disallow: https://h.example/a/|Disallow: https://s.h.example/b/|", None),
        (
            "",
            "Disallow: https://h.example/a/|Disallow: https://www.h.example/b/|",
            Some("Disallow: /a/|Disallow: /b/|"),
        ),
    ] {
        let file = |rules: &str| format!("User-agent: *|{rules}{map}");
        assert_eq!(mended(&file(rules), true), file(wanted.unwrap_or(rules)), "{rules}");
    }
    is_left(&format!("User-agent: *|Disallow: https://s.h.example/a/|{MAP}"), "a robots.txt is for one host");
    is_left("User-agent: *|Disallow: https://*.h.example/a/|", "a robots.txt is for one host");
}

/// Yandex reads `Clean-param` wherever it is.
#[test]
fn records_that_are_read_stay() {
    let lint = Lint::new().with_info();
    for agent in ["*", "Yandex", "Googlebot"] {
        let file = body(&format!("User-agent: {agent}|Disallow: /cart|Clean-param: ref /shop/|"));
        assert_eq!(fixed(&file, &Dialect::GOOGLE, &lint, true).body, file, "{agent}");
    }
    let file = body("User-agent: *|Disallow: /cart|Host: h.example|");
    assert_eq!(fixed(&file, &Dialect::GOOGLE, &lint, true).body, body("User-agent: *|Disallow: /cart|"));
}

/// What a page needs is opened by its folders or its kinds, in a few lines; where that takes more, the message says so.
#[test]
fn what_a_page_needs_is_opened_by_a_few_lines() {
    for (rule, wanted) in [
        ("/_next/", &["/_next/static/", "/_next/image?"][..]),
        ("/wp-includes/", &["/wp-includes/css/", "/wp-includes/js/"]),
        ("/wp-content/", &["/wp-content/cache/", "/wp-content/plugins/", "/wp-content/themes/"]),
        ("/bitrix/", &["/bitrix/js/", "/bitrix/templates/"]),
        ("/templates/", &["/templates/*/css/", "/templates/*/js/"]),
        ("/core/", &["/core/misc/", "/core/themes/*/css/"]),
        ("/*.js", &[]),
    ] {
        let file = format!("User-agent: *|Disallow: /x/|Disallow: {rule}|");
        let after = mended(&file, true);
        let allows: Vec<&str> = after.split('|').filter_map(|line| line.strip_prefix("Allow: ")).collect();
        assert_eq!(allows.iter().collect::<BTreeSet<_>>(), wanted.iter().collect(), "{rule}: {after}");
        let left = found(&after.replace('|', "\n"));
        assert!(left.iter().all(|finding| finding.check.code() != "render-blocked"), "{rule}: {left:?}");
    }
    let whole = ["/assets/", "/css/", "/shop/js/", "/wp-content/plugins/", "/modules/", "/etc/designs/", "/*/static/"];
    for rule in whole {
        is_left(
            &format!("User-agent: *|Disallow: /x/|Disallow: {rule}|"),
            ": remove the line, or allow each kind of file",
        );
    }
    // A few kinds are left.
    let allows = [".css", ".js", ".mjs", ".woff", ".ttf", ".otf", ".png", ".jpg", ".jpeg", ".gif"];
    let allows: String = allows.iter().map(|ending| format!("Allow: /assets/*{ending}|")).collect();
    let after = mended(&format!("User-agent: *|Disallow: /assets/|{allows}"), true);
    assert_eq!(after.matches("Allow").count(), 18, "{after}");
}
