//! Slips that close a site, or open what its owner closes: each is found by default, and its neighbours are not.

use robotsc_analysis::lint::{Finding, KnownName, Lint, LintCheck, fixed};
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

fn lint() -> Lint {
    let known = ["GPTBot", "CCBot", "ClaudeBot", "Googlebot", "bingbot", "Sogou"].map(KnownName::new);
    let known = known.map(|known| match known.token.as_str() {
        "GPTBot" => KnownName { operator: "OpenAI".to_owned(), ..known },
        "Sogou" => KnownName { operator: "Sogou".to_owned(), ..known },
        _ => known,
    });
    let gone =
        KnownName { is_retired: true, successors: vec!["ClaudeBot".to_owned()], ..KnownName::new("anthropic-ai") };
    Lint::new().known_names(known).known_names([gone])
}

fn body(file: &str) -> Vec<u8> {
    file.replace('|', "\n").into_bytes()
}

/// Returns the warnings and errors of a check.
fn warnings(code: &str, file: &str) -> Vec<Finding> {
    let found = lint().run(&RobotsTxt::parse(&body(file)));
    found.into_iter().filter(|one| one.check.code() == code && one.severity >= Severity::Warning).collect()
}

#[test]
fn slips_are_found_and_neighbours_are_not() {
    for (code, file, is_found) in [
        // Most of a site.
        ("site-closed", "User-agent: *|Disallow: /*/", true),
        ("site-closed", "User-agent: *|Disallow: */", true),
        ("site-closed", "User-agent: *|Disallow: /*/*", true),
        ("site-closed", "User-agent: *|Disallow: /*o", true),
        ("site-closed", "User-agent: *|Disallow: /*.html$", true),
        ("site-closed", "User-agent: *|Disallow: *.htm", true),
        ("site-closed", "User-agent: bingbot|Disallow: /*/||User-agent: *|Disallow: /x/", true),
        ("site-closed", "User-agent: *|Disallow: /*.html|Allow: /index.html", true),
        ("site-closed", "User-agent: *|Disallow: /*/|Allow: /en/", false),
        ("site-closed", "User-agent: *|Disallow: /*|Allow: /$", false),
        ("site-closed", "User-agent: *|Disallow: /*/feed/", false),
        ("site-closed", "User-agent: *|Disallow: /*?|Disallow: /*.pdf$|Disallow: /*-", false),
        ("site-closed", "User-agent: foobot|Disallow: /*/", false),
        ("site-closed", "User-agent: *|Disallow: /*/||User-agent: Googlebot|User-agent: bingbot|Disallow: /x/", false),
        // Names that nobody has.
        ("agent-retired", "User-agent: anthropic-ai|Disallow: /", true),
        ("agent-retired", "User-agent: anthropic-ai|Disallow: /a/||User-agent: *|Disallow: /b/", true),
        ("agent-retired", "User-agent: anthropic-ai|User-agent: ClaudeBot|Disallow: /", false),
        ("agent-retired", "User-agent: anthropic-ai|Disallow: /||User-agent: *|Disallow: /", false),
        ("agent-retired", "User-agent: anthropic-ai|Allow: /||User-agent: *|Disallow: /a/", false),
        ("agent-unknown", "User-agent: AI bots|Disallow: /", true),
        ("agent-unknown", "User-agent: AI-crawlers|Disallow: /", true),
        ("agent-unknown", "User-agent: LLM|Disallow: /", true),
        ("agent-unknown", "User-agent: search engines|Disallow: /x/", true),
        ("agent-unknown", "User-agent: all other bots|Disallow: /x/", true),
        ("agent-unknown", "User-agent: https://openai.com/gptbot|Disallow: /", true),
        ("agent-unknown", "User-agent: www.h.example|Disallow: /", true),
        ("agent-unknown", "User-agent: openai.com|Disallow: /", true),
        ("agent-unknown", "User-agent: OpenAI.URL.Control|Disallow: /", false),
        ("agent-list", "User-agent: AI bots (GPTBot, CCBot)|Disallow: /", true),
        ("agent-list", "User-agent: GPTBot\u{2013}CCBot|Disallow: /", true),
        ("invisible-character", "User-agent: GPTBot\u{2013}CCBot|Disallow: /", false),
        ("agent-list", "User-agent: GPTBot=CCBot|Disallow: /", true),
        ("path-list", "User-agent: *|Disallow: /,/a", true),
        ("path-list", "User-agent: *|Disallow: /,a", false),
        ("agent-unknown", "User-agent: BadBot|Disallow: /", false),
        ("agent-unknown", "User-agent: search|Disallow: /", false),
        ("agent-unknown", "User-agent: GPTBot/1.0 (+https://openai.com/gptbot)|Disallow: /", false),
        // Words after a name.
        ("agent-not-token", "User-agent: Googlebot Images|Disallow: /x", true),
        ("agent-not-token", "User-agent: Googlebot (images)|Disallow: /x", true),
        ("agent-not-token", "User-agent: Googlebot for images|Disallow: /x", true),
        ("agent-not-token", "User-agent: Googlebot/Image|Disallow: /x", true),
        ("agent-not-token", "User-agent: Googlebot Bilder|Disallow: /x", true),
        ("agent-not-token", "User-agent: Googlebot/Bingbot|Disallow: /x", true),
        ("agent-not-token", "User-agent: GPTBot but not for search pages|Disallow: /x", true),
        ("agent-not-token", "User-agent: Googlebot/2.1|Disallow: /x", false),
        ("agent-not-token", "User-agent: Googlebot/2.1 (+http://h.example/bot.html)|Disallow: /x", false),
        ("agent-not-token", "User-agent: Googlebot v2.1b|Disallow: /x", false),
        ("agent-not-token", "User-agent: Googlebot/3~bl|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot (OpenAI)|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot crawler|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot # OpenAI|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot; bot@h.example|Disallow: /x", false),
        ("agent-not-token", "User-agent: BadBot Images|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot Test|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot beta test|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot test pages|Disallow: /x", true),
        ("agent-not-token", "User-agent: Sogou inst spider|Disallow: /x", false),
        ("agent-not-token", "User-agent: GPTBot/1.01 (compatible; Win16; I)|Disallow: /x", false),
        ("agent-names-nobody", "User-agent: 66.249.66.1|Disallow: /", true),
        ("agent-names-nobody", "User-agent: 66.249.64.0/19|Disallow: /", true),
        ("agent-names-nobody", "User-agent: 2001:4860::1|Disallow: /", true),
        ("agent-names-nobody", "User-agent: 360Spider|Disallow: /", false),
        // Parameters of the start page.
        ("param-first-only", "User-agent: *|Disallow: /?sort=", true),
        ("param-first-only", "User-agent: *|Disallow: /?utm_source=", true),
        ("param-first-only", "User-agent: *|Disallow: /?orderby", true),
        ("param-first-only", "User-agent: *|Disallow: /?sort=|Disallow: /*?sort=|Disallow: /*&sort=", false),
        (
            "param-first-only",
            "User-agent: *|Disallow: /?s=|Disallow: /?p=|Disallow: /?replytocom|Disallow: /?filters",
            false,
        ),
        ("param-first-only", "User-agent: *|Disallow: /?sorted=", false),
        // All queries of the start page.
        ("param-first-only", "User-agent: *|Disallow: /?", true),
        ("param-first-only", "User-agent: *|Disallow: /x/|Disallow: /?*", true),
        ("param-first-only", "User-agent: *|Disallow: /?|Disallow: /*?", false),
        ("param-first-only", "User-agent: *|Disallow: /?|Disallow: /*/?", false),
        ("param-first-only", "User-agent: *|Disallow: /?|Disallow: /index.html?", false),
        ("param-first-only", "User-agent: *|Disallow: /?|Allow: /?hl=", false),
        ("param-first-only", "User-agent: *|Disallow: /?|Disallow: /", false),
        ("param-first-only", "User-agent: *|Allow: /?|Disallow: /x/", false),
        ("regex-syntax", "User-agent: *|Disallow: /.*.pdf$", true),
        ("regex-syntax", "User-agent: *|Disallow: /.*sort=", true),
        ("regex-syntax", "User-agent: *|Disallow: /.*.swp", false),
        ("regex-syntax", "User-agent: *|Disallow: /.*~", false),
        // Typography within a path.
        ("invisible-character", "User-agent: *|Disallow: /wp\u{2013}admin/", true),
        ("invisible-character", "User-agent: *|Disallow: /cart\u{2026}", true),
        ("invisible-character", "User-agent: *|Disallow: /path\u{2032}s", true),
        ("invisible-character", "User-agent: *|Disallow: /l\u{2019}\u{e9}t\u{e9}", false),
        ("invisible-character", "User-agent: *|Disallow: /budget-2013-\u{2013}-2014", false),
        ("invisible-character", "User-agent: *|Disallow: /Children\u{2019}s", false),
        ("invisible-character", "User-agent: *|Disallow: /x # \u{2013}", false),
        // Addresses within a path.
        ("url-pattern", "User-agent: *|Disallow: /https://www.h.example/cart", true),
        ("url-pattern", "User-agent: *|Disallow: /www.h.example/cart", true),
        ("url-pattern", "User-agent: *|Disallow: /www.h.example/cart|Sitemap: https://h.example/s.xml", true),
        ("url-pattern", "User-agent: *|Disallow: /www.o.example/cart|Sitemap: https://h.example/s.xml", false),
        ("url-pattern", "User-agent: *|Disallow: /http://|Disallow: /https:/|Disallow: /www.h.example", false),
        ("url-pattern", "User-agent: *|Disallow: /go?to=https://h.example/cart", false),
        // The line that ends a group before a block is not its owner's.
        (
            "group-empty",
            "User-agent: *|Disallow: /a/||User-agent: GPTBot||# robotsc: begin|# So that it ends:|Disallow:||\
             User-agent: CCBot|Disallow: /|# robotsc: end 1b2c3d4e",
            true,
        ),
        (
            "group-empty",
            "User-agent: *|Disallow: /a/||User-agent: GPTBot|Disallow:||# robotsc: begin||\
             User-agent: CCBot|Disallow: /|# robotsc: end 1b2c3d4e",
            false,
        ),
        // Keys and line ends.
        ("unknown-key", "User-agent: *|Content_Signal: search=yes|Disallow: /x/", true),
        ("unknown-key", "User-agent: *|Content-Useage: train-ai=n|Disallow: /x/", true),
        ("unknown-key", "User-agent: *|Licence: https://h.example/l|Disallow: /x/", true),
        ("unknown-key", "User-agent: *|ai-train: no|Disallow: /x/", true),
        ("unknown-key", "User-agent: *|Train-AI: n|Disallow: /x/", true),
        ("unknown-key", "User-agent: *|search: https://h.example/|Disallow: /x/", false),
        ("unknown-key", "User-agent: *|Content: x|Disallow: /x/", false),
        // Names where a directive stands.
        ("unknown-key", "User-agent: *|Disallow: /x/|bingbot: Disallow:", true),
        ("unknown-key", "User-agent: *|Disallow: /x/|Googlebot: Disallow: /y/", true),
        ("unknown-key", "User-agent: *|Disallow: /x/|Googlebot: disallow /y/", true),
        ("unknown-key", "User-agent: *|Disallow: /x/|GPTBot: /", true),
        ("unknown-key", "User-agent: *|Disallow: /x/|GPTBot Disallow: /", true),
        ("unknown-key", "User-agent: *|Disallow: /x/|GPTBot, CCBot: Disallow: /", true),
        ("unknown-key", "User-agent: *|Disallow: /x/|BadBot: Disallow: /", false),
        ("unknown-key", "User-agent: *|Disallow: /x/|GPTBot: https://h.example/", false),
        ("unknown-key", "User-agent: *|Disallow: /x/|GPTBot: 10", false),
        ("noindex-record", "User-agent: *|Noai: /|Disallow: /x/", true),
        ("noindex-record", "User-agent: *|No-image-AI: /|Disallow: /x/", true),
        ("crawl-delay-ignored", "Crawl-delay: 10|User-agent: *|Disallow: /x/", true),
        ("crawl-delay-ignored", "User-agent: *|Crawl-delay: 10|Disallow: /x/", false),
        ("joined-lines", "User-agent: *\x0CDisallow: /x/\x0C", true),
    ] {
        assert_eq!(!warnings(code, file).is_empty(), is_found, "{code}: {file}");
    }
}

/// A dash between names is left to the check of lists, if that runs.
#[test]
fn a_dash_between_names_is_reported_by_one_check() {
    let file = body("User-agent: GPTBot\u{2013}CCBot|Disallow: /");
    let codes = |lint: Lint| -> Vec<&str> {
        let found = lint.run(&RobotsTxt::parse(&file));
        let codes = found.iter().map(|one| one.check.code());
        codes.filter(|code| ["agent-list", "invisible-character"].contains(code)).collect()
    };
    assert_eq!(codes(lint()), ["agent-list"]);
    assert_eq!(codes(lint().ignore(LintCheck::AgentList)), ["invisible-character"]);
}

/// An escape that ends a pattern is one that is cut short, or stands for all that begin so, which is a note.
#[test]
fn escapes_that_are_cut_short_are_notes() {
    for (value, wanted) in [
        ("/a%", true),
        ("/a%2", true),
        ("/a%*", true),
        ("/a%C3%", true),
        ("/*?page%", true),
        ("/a%$", true),
        // Any escape.
        ("/%", false),
        ("/%E", false),
        ("/*%", false),
        ("/itm/*/%", false),
        ("/a%*b", false),
        ("/a%20", false),
    ] {
        let found = lint().with_info().run(&RobotsTxt::parse(&body(&format!("User-agent: *|Disallow: {value}"))));
        let found: Vec<_> = found.iter().filter(|one| one.check.code() == "escape-form").collect();
        let is_note = matches!(&found[..], [one] if one.severity == Severity::Info && one.fix.is_none());
        assert_eq!(is_note, wanted, "{value}: {found:?}");
    }
}

/// Without what cannot be seen, the line would close the site: nobody knows whether that was meant, and both are told.
#[test]
fn a_line_that_would_close_the_site_is_not_mended() {
    for (line, reading) in [
        ("Disallow: /\u{a0}", "it closes only URLs that begin with `/%C2%A0`"),
        ("Disallow: /\u{200b}", "it closes only URLs that begin with `/%E2%80%8B`"),
        ("Disallow: /\u{feff}", "it closes only URLs that begin with `/%EF%BB%BF`"),
        ("Disallow: *\u{200b}", "it closes only URLs that contain `%E2%80%8B`"),
        ("Disallow: \u{200b}/", "it closes nothing"),
        ("Disallow: \u{a0}/\u{a0}", "it closes nothing"),
        ("Disallow: \u{201c}/\u{201d}", "it closes nothing"),
        ("Disallow: \u{ff0f}", "it closes nothing"),
    ] {
        let of = |agent: &str| warnings("invisible-character", &format!("User-agent: {agent}|{line}|"));
        for agent in ["*", "Googlebot"] {
            let found = of(agent);
            let [finding] = &found[..] else { panic!("{line}: {found:?}") };
            let message = &finding.message;
            assert!(finding.severity == Severity::Error && finding.fix.is_none(), "{line}: {finding:?}");
            assert!(message.contains(reading) && message.ends_with("would close the whole site"), "{message}");
            let file = body(&format!("User-agent: {agent}|{line}|"));
            assert_eq!(fixed(&file, &Dialect::GOOGLE, &lint(), true).body, file);
        }
        // It closes the site to those alone that the group names.
        assert!(of("GPTBot")[0].fix.is_some(), "{line}");
    }
    assert!(warnings("invisible-character", "User-agent: *|Disallow: /x/\u{a0}|")[0].fix.is_some());
    assert!(warnings("invisible-character", "User-agent: *|Allow: /\u{a0}|")[0].fix.is_some());
    // It is read as a rule for the whole site already.
    assert!(warnings("invisible-character", "User-agent: *|Disallow\u{ff1a} /|")[0].fix.is_some());
}

/// A name where a directive stands gets a group, if no other group gains or loses a rule.
#[test]
fn names_in_place_of_a_directive_are_mended() {
    let start = "User-agent: *|Disallow: /x/|";
    for (lines, wanted) in [
        ("GPTBot: Disallow:|", "User-agent: GPTBot|Disallow:|"),
        ("GPTBot: Disallow: /|", "User-agent: GPTBot|Disallow: /|"),
        ("GPTBot Disallow: /|", "User-agent: GPTBot|Disallow: /|"),
        ("|GPTBot: disallow /|", "|User-agent: GPTBot|Disallow: /|"),
        ("GPTBot: Disallow: /|CCBot: Disallow: /|", "User-agent: GPTBot|Disallow: /|User-agent: CCBot|Disallow: /|"),
        // What is after it would be of the new group.
        ("GPTBot: Disallow:|Disallow: /y/|", "GPTBot: Disallow:|Disallow: /y/|"),
        ("GPTBot: /|", "GPTBot: /|"),
        ("GPTBot, CCBot: Disallow: /|", "GPTBot, CCBot: Disallow: /|"),
        (
            "GPTBot: Disallow: /||User-agent: GPTBot|Allow: /a|",
            "GPTBot: Disallow: /||User-agent: GPTBot|Allow: /a|Disallow: /x/|",
        ),
    ] {
        let after = fixed(&body(&format!("{start}{lines}")), &Dialect::GOOGLE, &lint(), true).body;
        assert_eq!(String::from_utf8_lossy(&after), String::from_utf8_lossy(&body(&format!("{start}{wanted}"))));
    }
    // The group would be one with that above.
    let file = body("User-agent: *|GPTBot: Disallow: /|");
    assert_eq!(fixed(&file, &Dialect::GOOGLE, &lint(), true).body, file);
}

/// A finding that closes most of a site shows a page of it.
#[test]
fn what_is_closed_is_shown() {
    for (rule, wanted) in [
        ("/*/", "closes all pages in folders, such as `/blog/first-post`, to all crawlers that are not named"),
        ("/*.html$", "closes all pages that end in `.html`, such as `/blog/first-post.html`, to all crawlers that"),
    ] {
        let found = warnings("site-closed", &format!("User-agent: *|Disallow: {rule}"));
        assert!(found.len() == 1 && found[0].message.contains(wanted), "{found:?}");
        assert!(found[0].witness.is_some());
    }
}

/// Keys that are misspelt are written as they are read, or as they are meant.
#[test]
fn misspelt_keys_are_mended() {
    for (line, wanted, is_safe) in [
        ("Dissalow: /x/", "Disallow: /x/", true),
        ("Dissallow: /x/", "Disallow: /x/", true),
        ("Site-map: https://h.example/s.xml", "Sitemap: https://h.example/s.xml", true),
        ("Disalllow: /x/", "Disallow: /x/", false),
        ("Content_Signal: search=yes", "Content-Signal: search=yes", false),
        ("ContentSignal: search=yes", "Content-Signal: search=yes", false),
        ("ai-train: no", "Content-Signal: ai-train=no", false),
        ("train-ai: no", "Content-Usage: train-ai=n", false),
    ] {
        let file = body(&format!("User-agent: *|{line}|Disallow: /z/|"));
        let wanted = body(&format!("User-agent: *|{wanted}|Disallow: /z/|"));
        let of = |with_unsafe| fixed(&file, &Dialect::GOOGLE, &lint(), with_unsafe).body;
        assert_eq!(of(false) == wanted, is_safe, "{line}");
        assert_eq!(of(true), wanted, "{line}");
    }
    // Nobody knows whether it is meant for search engines.
    let file = body("User-agent: *|Disallow-AI: /|");
    assert_eq!(fixed(&file, &Dialect::GOOGLE, &lint(), true).body, file);
    let file = body("User-agent: *|Dissalow: /x/|Disallow: /z/|");
    let of_rfc = fixed(&file, &Dialect::RFC9309, &lint(), true).body;
    assert_eq!(of_rfc, body("User-agent: *|Disallow: /x/|Disallow: /z/|"));
}

/// URLs of another host say nothing of the rules, which is said.
#[test]
fn urls_of_other_hosts_are_named() {
    let found = |sitemap: &str, urls: &[&str]| {
        let file = body(&format!("User-agent: *|Disallow: /x/|{sitemap}"));
        let lint = lint().urls(urls.iter().map(|url| url.as_bytes().to_vec()));
        let found = lint.run(&RobotsTxt::parse(&file));
        let of_file = found.into_iter().filter(|one| one.check.code() == "rule-unmatched" && one.line == 0);
        of_file.map(|one| (one.severity, one.message)).collect::<Vec<_>>()
    };
    let sitemap = "Sitemap: https://h.example/s.xml|";
    let [(severity, message)] = &found(sitemap, &["https://o.example/x/1", "http://o.example/y"])[..] else { panic!() };
    assert!(*severity == Severity::Warning && message.contains("are of `o.example`"), "{message}");
    let [(severity, message)] = &found(sitemap, &["https://o.example/x/1", "https://www.h.example/x/y"])[..] else {
        panic!()
    };
    assert!(*severity == Severity::Info && message.contains("1 of the 2 URLs"), "{message}");
    assert_eq!(found("", &["https://a.example/x/1", "https://b.example/x/1"]).len(), 1);
    for urls in [&["https://h.example:443/x/1", "/x/2"][..], &["/x/2"]] {
        assert_eq!(found(sitemap, urls), []);
    }
    assert_eq!(found("", &["https://a.example/x/1"]), []);
}
