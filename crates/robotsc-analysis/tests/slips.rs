//! What findings say of some slips, and what their fixes write.

use robotsc_analysis::lint::{Finding, KnownName, Lint, fixed};
use robotsc_compiler::{Dialect, RobotsTxt};

fn body(file: &str) -> Vec<u8> {
    file.replace('|', "\n").into_bytes()
}

fn found(body: &[u8]) -> Vec<Finding> {
    let names = ["GPTBot", "Googlebot", "bingbot"];
    Lint::new().known_names(names.map(KnownName::new)).run(&RobotsTxt::parse(body))
}

fn codes(body: &[u8]) -> Vec<&'static str> {
    found(body).iter().map(|finding| finding.check.code()).collect()
}

/// Returns a file after all fixes.
fn mended(body: &[u8]) -> Vec<u8> {
    fixed(body, &Dialect::GOOGLE, &Lint::new(), true).body
}

/// Only what is plausible in windows-1252 is read so; of other encodings, names that fit the bytes are told.
#[test]
fn another_encoding_than_windows_1252_is_not_hidden() {
    for (path, wanted) in [
        (&b"/\xEA\xEE\xF0\xE7\xE8\xED\xE0/"[..], "windows-1251"),
        (b"/\x83J\x81[\x83g/", "Shift-JIS"),
        (b"/\xB9\xBA\xCE\xEF\xB3\xB5/", "GBK"),
        (b"/caf\x82/", "cp850"),
        (b"/caf\x8E/", "Mac OS Roman"),
    ] {
        let file = [b"User-agent: *\nDisallow: ", path, b"\n"].concat();
        let found = found(&file);
        let [finding] = &found[..] else { panic!("{found:?}") };
        assert_eq!((finding.check.code(), &finding.fix), ("not-utf8", &None), "{finding:?}");
        assert!(finding.message.contains(wanted), "{}", finding.message);
        assert_eq!(mended(&file), file);
    }
    // Quotes and a blank of windows-1252 around a path of ASCII.
    for value in [&b"\x93/x/\x94"[..], b"\xA0/x/", b"/x/\xA0", b"\x91/x/\x92"] {
        let file = [b"User-agent: *\nDisallow: ", value, b"\n"].concat();
        assert_eq!(codes(&file), ["invisible-character"], "{}", value.escape_ascii());
        assert_eq!(mended(&file), body("User-agent: *|Disallow: /x/|"), "{}", value.escape_ascii());
    }
}

#[test]
fn who_is_closed_out_is_named() {
    let messages = |file: &str| found(&body(file)).into_iter().map(|finding| finding.message);
    let both = "User-agent: Googlebot|User-agent: bingbot|Disallow: /||User-agent: *|Disallow: /x";
    assert_eq!(messages(both).collect::<Vec<_>>(), ["`Disallow: /` closes the whole site to Googlebot and bingbot"]);
    let of_all = "User-agent: Googlebot|User-agent: *|Disallow: /";
    let wanted = "`Disallow: /` closes the whole site to Googlebot and all crawlers that are not named";
    assert_eq!(messages(of_all).collect::<Vec<_>>(), [wanted]);
    let apart = "User-agent: bingbot|Disallow: /||User-agent: a|User-agent: b|User-agent: c|User-agent: d|\
                 User-agent: *|Disallow: /";
    let wanted = [
        "`Disallow: /` closes the whole site to bingbot",
        "`Disallow: /` closes the whole site to a, b, c, 1 more and all crawlers that are not named",
    ];
    assert_eq!(messages(apart).collect::<Vec<_>>(), wanted);
    let files = "User-agent: *|Disallow: /|Allow: /*.css";
    let wanted = "`Disallow: /` closes the whole site to all crawlers that are not named: what is allowed beside it is \
                  no page";
    assert_eq!(messages(files).collect::<Vec<_>>(), [wanted]);
}

/// A rule for all URLs with a query is shown by one that it blocks.
#[test]
fn queries_are_shown_by_what_is_blocked() {
    for (rules, wanted) in [
        ("Disallow: /*?", "`/*?` blocks every URL with a query, such as `/app.js?v=2`"),
        ("Disallow: /*?*|Allow: /*.css|Allow: /*.js", "`/*?*` blocks URLs with a query, such as `/x/x.woff?ver=1`"),
        (
            "Disallow: /*?|Allow: /*.css|Allow: /*.js|Allow: /*.woff",
            "`/*?` blocks URLs with a query, such as `/shop?page=2`",
        ),
        ("Disallow: /*?|Allow: /*?", "`/*?` blocks URLs with a query"),
    ] {
        let lint = Lint::new().with_info();
        let found = lint.run(&RobotsTxt::parse(&body(&format!("User-agent: *|{rules}"))));
        let found = found.iter().find(|finding| finding.check.code() == "query-swallowed");
        assert_eq!(found.map(|finding| finding.message.as_str()), Some(wanted), "{rules}");
    }
}

/// The group for `*` never counts for some crawlers, so that their own loses nothing of it.
#[test]
fn crawlers_that_obey_no_group_for_all_drop_nothing() {
    let ads = KnownName { is_named_only: true, ..KnownName::new("AdsBot-Google") };
    let lint = Lint::new().known_names([ads]);
    for (agents, wanted) in [
        ("User-agent: AdsBot-Google", None),
        ("User-agent: GPTBot", Some("GPTBot may fetch what a rule of `*` disallows: their own group replaces it")),
        (
            "User-agent: AdsBot-Google|User-agent: GPTBot",
            Some("GPTBot may fetch what a rule of `*` disallows: their own group replaces it"),
        ),
    ] {
        let file = body(&format!("User-agent: *|Disallow: /a/||{agents}|Disallow: /b/"));
        let found = lint.run(&RobotsTxt::parse(&file));
        let found = found.iter().find(|finding| finding.check.code() == "specific-group-drops-star");
        assert_eq!(found.map(|finding| finding.message.as_str()), wanted, "{agents}");
    }
}

/// Between bars, as between commas, names count that no known crawler has.
#[test]
fn names_between_bars_are_a_list() {
    for (value, wanted) in [
        ("Foobot|Barbot", Some("Foobot\nUser-agent: Barbot")),
        ("Foobot|Barbot|GPTBot", Some("Foobot\nUser-agent: Barbot\nUser-agent: GPTBot")),
        ("Foobot|", None),
        ("Foobot=Barbot", None),
        ("WeSEE:Search", None),
    ] {
        let file = format!("User-agent: {value}\nDisallow: /\n");
        let found = found(file.as_bytes());
        let found = found.iter().find(|finding| finding.check.code() == "agent-list");
        let with = found.map(|finding| String::from_utf8_lossy(&finding.fix.as_ref().unwrap().edits[0].with));
        assert_eq!(with.as_deref(), wanted, "{value}");
    }
}

/// A crawler that obeys the groups of another one where none names it loses those, and nothing of `*`.
#[test]
fn a_crawler_is_compared_with_what_it_would_obey() {
    let image = KnownName { fallback: vec!["Googlebot".to_owned()], ..KnownName::new("Googlebot-Image") };
    let lint = Lint::new().with_info().known_names([image, KnownName::new("Googlebot"), KnownName::new("GPTBot")]);
    let drops = |title: &str, of: &str| {
        format!("{title} may fetch what a rule of `{of}` disallows: their own group replaces it")
    };
    let googlebot = drops("Googlebot", "*");
    let is_equal = "the group of Googlebot-Image means the same as that of `Googlebot`".to_owned();
    let star = "User-agent: *|Disallow: /a||";
    for (groups, wanted) in [
        ("User-agent: Googlebot|Disallow: /b||User-agent: Googlebot-Image|Disallow: /b", vec![&googlebot, &is_equal]),
        ("User-agent: Googlebot|Disallow: /b||User-agent: Googlebot-Image|Disallow: /b|Disallow: /c", vec![&googlebot]),
        (
            "User-agent: Googlebot|Disallow: /b||User-agent: Googlebot-Image|Disallow: /a",
            vec![&googlebot, &drops("Googlebot-Image", "Googlebot")],
        ),
        ("User-agent: Googlebot-Image|Disallow: /c", vec![&drops("Googlebot-Image", "*")]),
        (
            "User-agent: Googlebot|User-agent: Googlebot-Image|Disallow: /b",
            vec![&drops("Googlebot and Googlebot-Image", "*")],
        ),
        // A line of a group has one such finding.
        (
            "User-agent: Googlebot|Disallow: /b||User-agent: GPTBot|User-agent: googlebot-image|Disallow: /c",
            vec![&googlebot, &drops("GPTBot", "*")],
        ),
    ] {
        let file = body(&format!("{star}{groups}|"));
        let found = lint.run(&RobotsTxt::parse(&file));
        let codes = ["specific-group-drops-star", "group-equals-star"];
        let found: Vec<&String> =
            found.iter().filter(|found| codes.contains(&found.check.code())).map(|found| &found.message).collect();
        assert_eq!(found, wanted, "{groups}");
    }
    // Without a group for `*`, too; and what is copied is of Googlebot.
    let file = body("User-agent: Googlebot|Disallow: /b||User-agent: Googlebot-Image|Disallow: /c|");
    let found = lint.run(&RobotsTxt::parse(&file));
    let found = found.iter().find(|finding| finding.check.code() == "specific-group-drops-star").unwrap();
    let fix = found.fix.as_ref().unwrap();
    assert_eq!(fix.title, "copy the rules of `Googlebot`");
    assert_eq!(String::from_utf8_lossy(&fix.edits[0].with), "Disallow: /b\n");
}

/// What `*` allows is copied with what it disallows.
#[test]
fn a_list_is_copied_whole() {
    let file = body("User-agent: *|Disallow: /|Allow: /pub/||User-agent: GPTBot|Disallow: /pub/x|");
    let found = found(&file);
    let found = found.iter().find(|finding| finding.check.code() == "specific-group-drops-star").unwrap();
    let edits = &found.fix.as_ref().unwrap().edits;
    assert_eq!(String::from_utf8_lossy(&edits[0].with), "Disallow: /\nAllow: /pub/\n");
}

#[test]
fn words_for_crawlers_lead_to_their_names() {
    let known = |token: &str, operator: &str| KnownName { operator: operator.to_owned(), ..KnownName::new(token) };
    let lint = Lint::new().known_names([
        known("GPTBot", "OpenAI"),
        known("CCBot", "Common Crawl"),
        known("ClaudeBot", "Anthropic"),
        known("Claude-User", "Anthropic"),
        known("Google-Extended", "Google"),
        known("bingbot", "Microsoft"),
        known("MistralAI-User", "Mistral AI"),
        known("archive.org_bot", "Internet Archive"),
        known("Mozilla-Tabstack", "Mozilla"),
        known("YouBot", "You.com"),
        known("SemrushBot-BA", "Semrush"),
        known("FacebookBot", "Meta"),
        known("facebookexternalhit", "Meta"),
        known("Pinterestbot", "Pinterest"),
        known("Googlebot", "Google"),
        known("Googlebot-Image", "Google"),
    ]);
    for (value, wanted) in [
        ("Common Crawl", Some((Some("CCBot"), "CCBot"))),
        ("CommonCrawl", Some((Some("CCBot"), "CCBot"))),
        ("Internet Archive", Some((Some("archive.org_bot"), "archive.org_bot"))),
        ("Anthropic AI", Some((None, "ClaudeBot"))),
        ("Gemini", Some((Some("Google-Extended"), "Google-Extended"))),
        ("Bard", Some((Some("Google-Extended"), "Google-Extended"))),
        ("GPT", Some((Some("GPTBot"), "GPTBot"))),
        ("Mistral", Some((Some("MistralAI-User"), "MistralAI-User"))),
        ("Copilot", Some((None, "bingbot"))),
        ("Mozilla", Some((None, "headers of browsers"))),
        ("!GPTBot", Some((None, "excepts nobody"))),
        ("\"GPTBot\"", Some((Some("GPTBot"), "GPTBot"))),
        ("<GPTBot>", Some((Some("GPTBot"), "GPTBot"))),
        ("'*'", Some((Some("*"), "`*`"))),
        ("GPTBot;", Some((Some("GPTBot"), "GPTBot"))),
        ("Facebook", Some((None, "`facebookexternalhit` and `FacebookBot`"))),
        ("Pinterest", None),
        ("Pinterest/0.2", None),
        ("Pinterest/0.2 (+http://h.example/)", None),
        ("Googlebot Image", Some((Some("Googlebot-Image"), "Googlebot-Image"))),
        ("YOUR_BOT", None),
        ("SemrushBot-SA", None),
        ("Tiny Tool", None),
    ] {
        let file = body(&format!("User-agent: {value}|Disallow: /|"));
        let found = lint.run(&RobotsTxt::parse(&file));
        let found = found.iter().find(|finding| finding.check.code() == "agent-unknown");
        let fix = |finding: &Finding| {
            let edit = finding.fix.as_ref()?.edits.first()?;
            Some(String::from_utf8_lossy(&edit.with).into_owned())
        };
        let told = found.map(|finding| (fix(finding), wanted.is_some_and(|(_, text)| finding.message.contains(text))));
        assert_eq!(told, wanted.map(|(fix, _)| (fix.map(str::to_owned), true)), "{value}: {found:?}");
    }
}

/// A name with a version, another word, or who runs it.
#[test]
fn names_with_other_words_lead_to_the_known_one() {
    let known = |token: &str, operator: &str| KnownName { operator: operator.to_owned(), ..KnownName::new(token) };
    let gone = |token: &str| KnownName { is_retired: true, ..KnownName::new(token) };
    let lint = Lint::new().known_names([
        known("GPTBot", "OpenAI"),
        known("OAI-SearchBot", "OpenAI"),
        known("ClaudeBot", "Anthropic"),
        known("Googlebot", "Google"),
        known("Google-Extended", "Google"),
        known("Mediapartners-Google", "Google"),
        known("meta-externalagent", "Meta"),
        known("Bytespider", "ByteDance"),
        known("Baiduspider", "Baidu"),
        known("YandexBot", "Yandex"),
        known("CCBot", "Common Crawl"),
        known("iAskBot", "iAsk"),
        known("KunatoCrawler", "Kunato"),
        known("DuckDuckBot", "DuckDuckGo"),
        known("Slurp", "Yahoo"),
        gone("msnbot"),
        gone("anthropic-ai"),
    ]);
    let mut wrong = Vec::new();
    for (value, wanted) in [
        ("GPTBot-1.0", Some("GPTBot")),
        ("GPTBot_v2", Some("GPTBot")),
        ("GPTBot-User", Some("GPTBot")),
        ("GPTBot-Crawler", Some("GPTBot")),
        ("Googlebot-Smartphone", Some("Googlebot")),
        ("OpenAI-GPTBot", Some("GPTBot")),
        ("OAI-Search", Some("OAI-SearchBot")),
        ("Anthropic-Claude", Some("ClaudeBot")),
        ("Baidubot", Some("Baiduspider")),
        ("YandexSpider", Some("YandexBot")),
        ("Google-Bard", Some("Google-Extended")),
        ("GoogleBard", Some("Google-Extended")),
        ("Google-Extend", Some("Google-Extended")),
        ("Mediapartners", Some("Mediapartners-Google")),
        ("FacebookExternalAgent", Some("meta-externalagent")),
        ("BytedanceSpider", Some("Bytespider")),
        ("ByteDance-Spider", Some("Bytespider")),
        ("DuckDuckGoBot", Some("DuckDuckBot")),
        ("anthropicai", Some("ClaudeBot")),
        // Other crawlers, be they gone or real.
        ("YahooBot", None),
        ("Googlebot-Mobile", None),
        ("iaskspider", None),
        ("CCSpider", None),
        ("KunatoBot", None),
        ("Yahoo-Blogs", None),
        ("Diffbot-Web", None),
        ("OpenAI-Tools", None),
        ("MetaBot", None),
        ("Openbot", None),
    ] {
        let file = body(&format!("User-agent: {value}|Disallow: /|"));
        let found = lint.run(&RobotsTxt::parse(&file));
        let found = found.iter().find(|finding| finding.check.code() == "agent-unknown");
        let is_told = match wanted {
            Some(name) => found.is_some_and(|finding| finding.message.contains(&format!("`{name}`"))),
            None => found.is_none(),
        };
        if !is_told {
            wrong.push(format!("{value}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The marks of a list are removed, unless the rule closes all and can be switched off by its mark.
#[test]
fn marks_and_comments_around_one_line() {
    let mut wrong = Vec::new();
    for (line, wanted) in [
        ("- Disallow: /x", "Disallow: /x"),
        ("* Disallow: /x", "Disallow: /x"),
        ("1. Disallow: /x", "Disallow: /x"),
        ("2) Allow: /z/x", "Allow: /z/x"),
        ("**Disallow:** /x", "Disallow: /x"),
        ("- **Disallow**: /x", "Disallow: /x"),
        ("- Disallow: /", "- Disallow: /"),
        ("- Disallow: /**", "- Disallow: /**"),
        ("- Disallow: /*$", "- Disallow: /*$"),
        ("- User-agent: b", "- User-agent: b"),
        ("-Disallow: /x", "-Disallow: /x"),
        ("X-Disallow: /x", "X-Disallow: /x"),
        ("~ Disallow: /x", "~ Disallow: /x"),
        ("{# Disallow: / #}", "# Disallow: /"),
        ("<%# Disallow: / %>", "# Disallow: /"),
        ("{{!-- Disallow: / --}}", "# Disallow: /"),
        ("<?php // Disallow: / ?>", "# php // Disallow: /"),
        // Keys of other files.
        ("Include: /z/x", "Include: /z/x"),
        ("Accept: */*", "Accept: */*"),
        ("Robots: noindex", "Robots: noindex"),
        ("Permit: /z/x", "Allow: /z/x"),
        // A name with a `(`, and a comment in it.
        ("Allow: /z/gst (1).html", "Allow: /z/gst%20(1).html"),
        ("Allow: /z/x (old)", "Allow: /z/x (old)"),
        ("Allow: /z/x // old", "Allow: /z/x // old"),
        ("Disallow: /x (old)", "Disallow: /x # (old)"),
        ("Disallow: /x (old),", "Disallow: /x # (old),"),
        ("Disallow: /x (old)/y.pdf", "Disallow: /x%20(old)/y.pdf"),
        ("Disallow: /x (1)", "Disallow: /x%20(1)"),
        ("Ignore: /x", "Disallow: /x"),
        ("Ignore: case", "Ignore: case"),
        ("Delay: 5", "Crawl-delay: 5"),
        ("Delay: long", "Delay: long"),
        ("Disallow: /%C3%83%C2%A9%2F/", "Disallow: /%C3%83%C2%A9%2F/"),
        ("Disallow: /gr%C3%83%C2%B6%C3%83%C5%B8e/", "Disallow: /gr%C3%B6%C3%9Fe/"),
        ("Disallow: /gr%F6%DFe/", "Disallow: /gr%C3%B6%C3%9Fe/"),
        ("Disallow: /a%E2%82", "Disallow: /a%E2%82"),
    ] {
        let file = body(&format!("User-agent: *|Disallow: /z/|{line}|"));
        let after = mended(&file);
        if after != body(&format!("User-agent: *|Disallow: /z/|{wanted}|")) {
            wrong.push(format!("{line}: {} {:?}", String::from_utf8_lossy(&after), found(&file)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Letters of windows-1252, alone and in pairs.
    for (path, wanted) in [(&b"/gr\xF6\xDFe/"[..], "/größe/"), (b"/informa\xE7\xE3o/", "/informação/")] {
        let file = [b"User-agent: *\nDisallow: ", path, b"\n"].concat();
        assert_eq!(mended(&file), body(&format!("User-agent: *|Disallow: {wanted}|")));
    }
}

/// A byte order mark that was encoded twice is one fault of its line.
#[test]
fn a_mark_that_was_encoded_twice_is_said_once() {
    let file = "\u{EF}\u{BB}\u{BF}User-agent: *|Disallow: /x||User-agent: b|Disallow: /x|";
    let codes: Vec<_> =
        found(&body(file)).iter().filter(|finding| finding.line == 1).map(|finding| finding.check.code()).collect();
    assert_eq!(codes, ["not-utf8"]);
    // What is meant is a slash of a name.
    let escaped = found(&body("User-agent: *|Disallow: /%C3%83%C2%A9%2F/|"));
    assert!(escaped.iter().any(|finding| finding.message.contains("`/é%2F/` was meant")), "{escaped:?}");
}

/// No message shows a value that is not there.
#[test]
fn empty_values_are_named() {
    let keys = ["User-agent", "Sitemap", "Crawl-delay", "Host", "Clean-param", "Content-Signal", "Content-Usage"];
    for key in keys.into_iter().chain(["Request-rate", "Visit-time", "License"]) {
        let file = body(&format!("User-agent: *|Disallow: /x|{key}:|"));
        let lint = Lint::new().with_info();
        let found = lint.run(&RobotsTxt::parse(&file));
        assert!(found.iter().all(|finding| !finding.message.contains("``")), "{key}: {found:?}");
    }
}

/// A short name that differs in a letter is another word.
#[test]
fn short_names_are_near_if_letters_are_swapped_or_missing() {
    let lint = Lint::new().known_names(["Devin", "AI2Bot", "Google", "PetalBot"].map(KnownName::new));
    for (name, meant) in [
        ("Devil", None),
        ("AIBOT", None),
        ("Devni", Some("`Devin`")),
        ("Gogle", Some("`Google`")),
        ("PetelBot", Some("`PetalBot`")),
    ] {
        let found = lint
            .run(&RobotsTxt::parse(&body(&format!("User-agent: *|Disallow: /x||User-agent: {name}|Disallow: /y|"))));
        let found = found.iter().find(|finding| finding.check.code() == "agent-unknown");
        assert_eq!(found.is_some(), meant.is_some(), "{name}: {found:?}");
        assert!(
            meant.is_none_or(|meant| found.is_some_and(|found| found.message.contains(meant))),
            "{name}: {found:?}"
        );
    }
}

/// What a value has in it is quoted as it is.
#[test]
fn two_quotes_within_a_value_are_no_empty_value() {
    let found = found(&body("User-agent: *|Disallow: /x|Disallow: a``b|"));
    assert!(found.iter().any(|finding| finding.message.contains("a``b")), "{found:?}");
    assert!(!found.iter().any(|finding| finding.message.contains("an empty value")), "{found:?}");
}

/// Rules for the files that build systems make, and folders of well-known systems.
#[test]
fn built_files_are_needed() {
    for (rule, wanted) in [
        ("/*.min.js", true),
        ("/*.bundle.js", true),
        ("/*.chunk.css", true),
        ("/wp-content/et-cache/", true),
        ("/wp-content/litespeed/", true),
        ("/wp-content/cache/autoptimize/", true),
        ("/skin/frontend/", true),
        ("/static/frontend/", true),
        ("/livewire/", true),
        ("/catalog/view/", true),
        ("/*.min.html", false),
        ("/wp-content/uploads/private/", false),
        ("/shop/styles/", true),
        // Images, and a path that no URL of a page has.
        ("/sites/default/files/styles/", false),
        ("/shop//styles/", false),
        ("/catalog/", false),
        ("/user/", false),
    ] {
        let found = found(&body(&format!("User-agent: *|Disallow: {rule}|")));
        let is_found = found.iter().any(|finding| finding.check.code() == "render-blocked");
        assert_eq!(is_found, wanted, "{rule}: {found:?}");
    }
}
