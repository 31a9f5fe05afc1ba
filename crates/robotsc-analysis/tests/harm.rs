//! What site owners meet in public reports: each slip is found by default, with its neighbours, and mended.

use robotsc_analysis::lint::{Finding, KnownName, Lint, fixed};
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

fn lint() -> Lint {
    let names = ["GPTBot", "CCBot", "ClaudeBot", "Googlebot", "Googlebot-Image", "bingbot", "PerplexityBot"];
    Lint::new().known_names(names.map(KnownName::new))
}

fn body(file: &str) -> Vec<u8> {
    file.replace('|', "\n").into_bytes()
}

fn found(body: &[u8], dialect: &Dialect) -> Vec<Finding> {
    lint().run(&RobotsTxt::parse_with(body, dialect))
}

fn codes(body: &[u8]) -> Vec<&'static str> {
    let found = found(body, &Dialect::GOOGLE);
    found.iter().filter(|finding| finding.severity >= Severity::Warning).map(|finding| finding.check.code()).collect()
}

/// `|` separates lines.
#[test]
fn slips_are_found_by_default() {
    for (code, files) in [
        (
            "site-closed",
            &[
                // An empty value opens nothing.
                "User-agent: *|Disallow: /||User-agent: *|Disallow:",
                "User-agent: *|Disallow: /||User-agent: *|Allow:",
                "User-agent: *|Disallow: /|Allow: /robots.txt|Allow: /sitemap.xml",
                "User-agent: *|Disallow: /|Allow: images/",
                "User-agent: *|Disallow: *",
                "User-agent: bingbot|Disallow: /||User-agent: *|Disallow: /tmp/",
                // What is allowed is no page.
                "User-agent: *|Disallow: /|Allow: /*.css|Allow: /*.js",
                "User-agent: *|Disallow: /|Allow: /images/",
                "User-agent: *|Disallow: /*|Allow: /wp-content/uploads/",
                "User-agent: *|Disallow: /|Allow: /?|Allow: /index.php",
                "User-agent: *|Disallow: /|Allow: /llms.txt|Allow: /*.png$",
            ][..],
        ),
        (
            "invisible-character",
            &[
                "User-agent: *|Disallow: \u{200B}/x/",
                "User-agent: *|Disallow: \u{A0}/x/",
                "User-agent: *|Disallow: \u{FF0F}x/",
                "User-agent: *|Disallow: /x/\u{200B}",
                "User-agent: *|Disallow\u{FF1A} /x/",
                "User\u{2011}agent: *|Disallow: /x/",
                "User-agent: \u{FEFF}GPTBot|Disallow: /x/",
                "User-agent: *|Disallow: \u{201C}/x/\u{201D}",
                "User-agent: *|Disallow: /x/\u{A0}",
                "\u{FF35}ser-agent: *|Disallow: /x/",
                "\u{FEFF}\u{FEFF}User-agent: *|Disallow: /x/",
                "User-agent: GPTBot\u{FF0C} CCBot|Disallow: /x/",
                "User-agent: *|Disallow: /\u{441}art/",
                "User-agent: GPTB\u{43E}t|Disallow: /x/",
                "User-agent: *|Dis\u{430}llow: /x/",
                "User-agent: *|Disallow: /\u{410}dmin/",
            ],
        ),
        (
            "render-blocked",
            &[
                "User-agent: *|Disallow: /_next/",
                "User-agent: *|Disallow: /wp-",
                "User-agent: *|Disallow: /wp-*",
                "User-agent: *|Disallow: /*.*",
                "User-agent: *|Disallow: /bitrix/",
                "User-agent: *|Disallow: /_next/|Allow: /_next/*.js",
                "User-agent: *|Disallow: /_next/|Allow: /_next/*.js$|Allow: /_next/*.css|Allow: /_next/*.woff",
                "User-agent: *|Disallow: /static/|Allow: /static/*.css|Allow: /static/*.js",
                "User-agent: *|Disallow: /*.js",
                "User-agent: *|Disallow: /wp-content/themes/",
                "User-agent: *|Disallow: /wp-content/plugins/",
                "User-agent: *|Disallow: /templates/",
                "User-agent: *|Disallow: /media/",
                "User-agent: *|Disallow: /core/",
                "User-agent: *|Disallow: /modules/",
                "User-agent: *|Disallow: /sites/default/files/",
                "User-agent: *|Disallow: /_next/static/chunks/",
                "User-agent: *|Disallow: /_next/static/media/",
                "User-agent: *|Disallow: /_next/image",
                "User-agent: *|Disallow: /_app/",
                "User-agent: *|Disallow: /_astro/",
                "User-agent: *|Disallow: /build/",
                "User-agent: *|Disallow: /packs/",
                "User-agent: *|Disallow: /cdn/",
                "User-agent: *|Disallow: /typo3conf/",
                "User-agent: *|Disallow: /etc.clientlibs/",
                "User-agent: *|Disallow: /bundles/",
                "User-agent: *|Disallow: /fonts/",
                "User-agent: *|Disallow: /_",
                "User-agent: *|Disallow: /*/static/",
                "User-agent: *|Disallow: /*_next",
                "User-agent: *|Disallow: /*.mjs",
                "User-agent: *|Disallow: /Assets/",
                "User-agent: *|Disallow: /Scripts/",
                "User-agent: *|Disallow: /*?ver=",
                "User-agent: *|Disallow: /*?v=",
                "User-agent: *|Disallow: /*.woff2",
            ],
        ),
        ("query-swallowed", &["User-agent: *|Disallow: /*?", "User-agent: Googlebot|Disallow: *?*"]),
        (
            "not-utf8",
            &[
                "User-agent: *|Disallow: /stra\u{FFFD}e/",
                "User-agent: *|Disallow: /caf\u{C3}\u{A9}/",
                "User-agent: *|Disallow: /stra\u{C3}\u{178}e/",
                "User-agent: *|Disallow: /\u{D0}\u{BA}\u{D0}\u{BE}\u{D1}\u{201A}/",
                "User-agent: *|Disallow: /caf\u{EF}\u{BF}\u{BD}/",
                "\u{EF}\u{BB}\u{BF}User-agent: *|Disallow: /x/",
            ],
        ),
        (
            "specific-group-drops-star",
            &[
                "User-agent: *|Disallow: /admin|Disallow: /fhir|Disallow: /auth||User-agent: GPTBot|Disallow: /admin",
                "User-agent: GPTBot|Disallow: /admin|Disallow: /x||User-agent: *|Disallow: /admin|Disallow: /fhir",
                "User-agent: *|Disallow: /admin|Disallow: /fhir||User-agent: GPTBot|Disallow: /admin/|Disallow: /fhir",
                "User-agent: *|Disallow: /a|Disallow: /b||User-agent: bingbot|Crawl-delay: 5|Disallow: /a",
                "User-agent: *|Disallow: /a/b/||User-agent: GPTBot|Disallow: /|Allow: /a/",
                "User-agent: *|Disallow: /*.pdf$||User-agent: GPTBot|Disallow: /|Allow: /a/",
                // The rules are slacker than those of `*`.
                "User-agent: *|Disallow: /admin/||User-agent: GPTBot|Disallow: /admin/$",
                "User-agent: *|Disallow: /*.pdf||User-agent: GPTBot|Disallow: /*.pdf$",
                "User-agent: *|Disallow: /*?s=||User-agent: GPTBot|Disallow: /?s=",
                "User-agent: *|Disallow: /search||User-agent: GPTBot|Disallow: /search$|Disallow: /search/",
                "User-agent: *|Disallow: /a||User-agent: GPTBot|Allow: /|Disallow: /a$",
                "User-agent: *|Disallow: /|Allow: /pub/||User-agent: GPTBot|Disallow: /pub/x",
            ],
        ),
        (
            "agent-unknown",
            &[
                "User-agent: GPT Bot|Disallow: /",
                "User-agent: Claude Bot|Disallow: /",
                "User-agent: OpenAI GPTBot|Disallow: /",
                "User-agent: CC Bot|Disallow: /",
                "User-agent: GTPBot|Disallow: /",
                "User-agent: GPT\tBot|Disallow: /",
                "User-agent: Googlebot\tImage|Disallow: /",
                "User-agent: \"GPTBot\"|Disallow: /",
                "User-agent: '*'|Disallow: /x",
                "User-agent: <GPTBot>|Disallow: /",
                "User-agent: GPTBot,|Disallow: /",
                "User-agent: !Googlebot|Disallow: /x",
                "User-agent: GPT|Disallow: /",
                "User-agent: Copilot|Disallow: /",
                "User-agent: Mozilla|Disallow: /x",
            ],
        ),
        (
            "joined-lines",
            &[
                "User-agent: * Disallow: /",
                r"User-agent: *\nDisallow: /\n",
                "User-agent: *; Disallow: /admin; Allow: /",
                "User-agent: *<br>Disallow: /admin",
                "User-agent: *|Disallow: /wp-adminUser-agent: GPTBot|Disallow: /",
                "User-agent: *|Disallow: /a Disallow: /b",
                "User-agent: *|Disallow: /a # secret Disallow: /b",
                "User-agent: * # all Disallow: /b",
            ],
        ),
        (
            "allow-list-hides",
            &[
                "User-agent: *|Disallow: /|Allow: /$|Allow: /en/",
                "User-agent: *|Disallow: /*|Allow: /$",
                "User-agent: *|Allow: /$|Allow: /blog|Disallow: /",
                "User-agent: *|Disallow: /|Allow: /$|Allow: /*.css",
                "User-agent: *|Disallow: /|Allow: /en/|Allow: /de/",
                "User-agent: *|Disallow: /*|Allow: /en/",
                "User-agent: *|Disallow: /|Allow: /blog",
                "User-agent: *|Disallow: /|Allow: /$|Allow: /blog|Allow: /*.css|Allow: /*.js|Allow: /*.woff|Allow: /?",
            ],
        ),
        (
            "path-list",
            &[
                "User-agent: *|Disallow: /a/,/b/",
                "User-agent: *|Disallow: /a;/b",
                "User-agent: *|Disallow: /a|Allow: /b,/c",
            ],
        ),
        (
            "placeholder",
            &[
                "User-agent: *|Disallow: /u/:id/edit",
                "User-agent: *|Disallow: /u/{id}/",
                "User-agent: *|Disallow: /u/[id]/",
                "User-agent: *|Disallow: /u/...",
            ],
        ),
        (
            "stray-sign",
            &["User-agent: *|Disallow: /a/,", "User-agent: *|Disallow: /a;", "User-agent: *|Disallow: /a/)"],
        ),
        (
            "double-slash",
            &[
                "User-agent: *|Disallow: //a/",
                "User-agent: *|Disallow: /a//b/",
                "User-agent: *|Disallow: //www.shop.example/a/",
            ],
        ),
        (
            "ending-as-path",
            &["User-agent: *|Disallow: /.pdf", "User-agent: *|Disallow: /.PDF$", "User-agent: *|Disallow: /.php*"],
        ),
        ("star-dollar", &["User-agent: *|Disallow: /a*$"]),
        ("html-entity", &["User-agent: *|Disallow: /a/&lt;b&gt;/", "User-agent: *|Disallow: &quot;/a&quot;"]),
        (
            "agent-list",
            &[
                "User-agent: GPTBot CCBot|Disallow: /",
                "User-agent: GPTBot and CCBot|Disallow: /",
                "User-agent: [GPTBot, CCBot]|Disallow: /",
                "User-agent: GPTBot / CCBot|Disallow: /",
            ],
        ),
        (
            "agent-unknown",
            &[
                "User-agent: all|Disallow: /x",
                "User-agent: GPT*|Disallow: /",
                "User-agent: Google|Disallow: /x",
                "User-agent: Claude|Disallow: /",
                "User-agent: ClaudeAI|Disallow: /",
                "User-agent: Claude-AI|Disallow: /",
                "User-agent: ChatGPTBot|Disallow: /",
                "User-agent: AI|Disallow: /",
                "User-agent: AIBots|Disallow: /",
                "User-agent: Google Images|Disallow: /",
                "User-agent: * except Googlebot|Disallow: /x",
                "User-agent: * (but not bingbot)|Disallow: /x",
            ],
        ),
        (
            "unknown-key",
            &[
                "User-agent: *|Deny: /x/",
                "User-agent: *|Interdire: /x/",
                "User-agent: *|Desautorizar: /x/",
                "User-agent: *|\u{417}\u{430}\u{43F}\u{440}\u{435}\u{442}\u{438}\u{442}\u{44C}: /x/",
                "User-agent: *|Not allow: /x/",
                "User-agent: *|Alow: /x/",
                "Agent: *|Disallow: /x/",
                "User-agent: *|Disallow: /x|https://h/sitemap.xml",
                "User-agent: *|<p>Disallow: /x</p>",
            ],
        ),
        (
            "escape-form",
            &[
                "User-agent: *|Disallow: /a%2Fb",
                "User-agent: *|Disallow: /a%2520b",
                "User-agent: *|Disallow: /a%2A/b",
                "User-agent: *|Disallow: /stra%DFe/",
                "User-agent: *|Disallow: /caf%C3%83%C2%A9/",
                "User-agent: *|Disallow: /stra%EF%BF%BDe/",
            ],
        ),
        (
            "regex-syntax",
            &[
                "User-agent: *|Disallow: /a/.*/b",
                "User-agent: *|Disallow: /a/?$",
                "User-agent: *|Disallow: /*.{jpg,png}",
            ],
        ),
        (
            "sitemap-form",
            &[
                "User-agent: *|Disallow: /x|Sitemap: htps://h/s.xml",
                "User-agent: *|Disallow: /x|Sitemap: https://https://h.example/s.xml",
                "User-agent: *|Disallow: /x|Sitemap: https://https//h.example/s.xml",
                "User-agent: *|Disallow: /x|Sitemap: http://localhost/s.xml",
                "User-agent: *|Disallow: /x|Sitemap: http://127.0.0.1:8080/s.xml",
                "User-agent: *|Disallow: /x|Sitemap: http://192.168.1.4/s.xml",
                "User-agent: *|Disallow: /x|Sitemap: https://undefined/s.xml",
                "User-agent: *|Disallow: /x|Sitemap: https://h.example/s.xml?a=1&amp;b=2",
                "User-agent: *|Disallow: /x|Sitemap: https://h.example/s.xml,",
                "User-agent: *|Disallow: /x|Sitemap: https://h.example/s.xml.",
                "User-agent: *|Disallow: /x|Sitemap: https://h.example/site map.xml",
                "User-agent: *|Disallow: /x|Sitemap: https://h.example/#/s.xml",
            ],
        ),
        ("site-closed", &["User-agent: *|Disallow: /$"]),
        ("specific-group-drops-star", &["User-agent: *|Disallow: /x/||User-agent: Googlebot|Allow: /"]),
        ("param-first-only", &["User-agent: *|Disallow: /*&sid="]),
        (
            "invalid-sitemap",
            &[
                "User-agent: *|Disallow: /x|Sitemap: https://h/a.xml https://h/b.xml",
                "User-agent: *|Disallow: /x|Sitemap: https://h/a.xml, https://h/b.xml",
                "User-agent: *|Disallow: /x|Sitemap: /a.xml",
                "User-agent: *|Disallow: /x|Sitemap: https://h.example/a.xmlhttps://h.example/b.xml",
            ],
        ),
        (
            "sitemap-blocked",
            &[
                "User-agent: Baiduspider|Disallow: /sitemap||User-agent: *|Disallow: /x|Sitemap: https://h/sitemap.xml",
                "User-agent: Yandex|Disallow: /*.xml||User-agent: *|Disallow: /x|Sitemap: https://h/sitemap.xml",
                "User-agent: *|Disallow: /sitemap|Sitemap: https://h/sitemap.xml",
                "User-agent: Slurp|Disallow: /*.xml$||User-agent: *|Disallow: /x|Sitemap: https://h/sitemap.xml",
            ],
        ),
        (
            "noindex-record",
            &[
                "User-agent: *|Disallow: /x|No-index: /a",
                "User-agent: *|Disallow: /x|No index: /a",
                "User-agent: *|Disallow: /x|No-follow: /a",
            ],
        ),
        (
            "managed-block",
            &["# BEGIN managed|User-agent: GPTBot|Disallow: /|# END managed||User-agent: GPTBot|Allow: /"],
        ),
        (
            "unknown-key",
            &[
                "User-agent: *|// Disallow: /|Disallow: /x",
                "User-agent: *|; Disallow: /|Disallow: /x",
                "User-agent: *|<!-- Disallow: / -->|Disallow: /x",
                "User-agent: *|-- Disallow: /|Disallow: /x",
                "User-agent: *|Dsallow: /x",
            ],
        ),
        ("missing-colon", &["User-agent: *|Disallow *", "User-agent: *|Disallow /x", "User-agent *|Disallow: /x"]),
        ("typo-key", &["User agent: X|Disallow: /", "Useragent: X|Disallow: /", "User-agent: *|Disalow: /x"]),
    ] {
        for file in files {
            assert!(codes(&body(file)).contains(&code), "{code}: {file}: {:?}", codes(&body(file)));
        }
    }
}

#[test]
fn what_is_meant_is_not_reported() {
    for (code, file) in [
        ("site-closed", "User-agent: *|Disallow: /|Allow: /blog"),
        ("site-closed", "User-agent: *|Disallow:"),
        ("invisible-character", "User-agent: *|Disallow: /caf\u{E9}/l\u{2019}\u{E9}t\u{E9}"),
        ("invisible-character", "User-agent: *|Disallow: /x # \u{200B}"),
        ("invisible-character", "\u{FEFF}User-agent: *|Disallow: /x"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /a||User-agent: GPTBot|Allow: /a|Disallow: /b"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /a||User-agent: GPTBot|Disallow:"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /a||User-agent: GPTBot|Disallow:|Allow: /"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /a/b||User-agent: GPTBot|Disallow: /a"),
        ("agent-unknown", "User-agent: Offline Explorer|Disallow: /"),
        ("agent-unknown", "User-agent: GPTBot crawler|Disallow: /"),
        ("joined-lines", "User-agent: *|Disallow: /a?allow:x"),
        ("joined-lines", "# User-agent: * Disallow: /|User-agent: *|Disallow: /x"),
        ("joined-lines", "User-agent: *|Disallow: /x # Disallow: /y|Disallow: /z # see Disallow: the page"),
        ("allow-list-hides", "User-agent: *|Disallow: /|Allow: /*.css"),
        ("not-utf8", "User-agent: *|Disallow: /stra\u{DF}e/"),
        ("escape-form", "User-agent: *|Disallow: /stra%C3%9Fe/|Disallow: /%D0%BA%D0%BE%D1%82/"),
        ("not-utf8", "User-agent: *|Disallow: /S\u{E3}o/|Disallow: /\u{43A}\u{43E}\u{442}/"),
        ("invisible-character", "User-agent: *|Disallow: /\u{441}\u{43E}\u{440}/|Disallow: /pdf-\u{441}"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /a/||User-agent: GPTBot|Disallow: /a/|Allow: /*.css$"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /|Allow: /a||User-agent: GPTBot|Disallow: /b"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /|Allow: /a||User-agent: GPTBot|Disallow: /"),
        ("render-blocked", "User-agent: *|Disallow: /c|Disallow: /core|Disallow: /x/|Disallow: /mediathek/"),
        ("render-blocked", "User-agent: *|Disallow: /sites/"),
        ("render-blocked", "User-agent: *|Disallow: /*?page=|Disallow: /*.pdf|Disallow: /images/"),
        ("render-blocked", "User-agent: *|Disallow: /wp-includes/css/|Allow: /wp-includes/css/*.css"),
        ("query-swallowed", "User-agent: *|Disallow: /*?|Allow: /*.css?|Allow: /*.js?|Allow: /*.woff"),
        ("specific-group-drops-star", "User-agent: *|Disallow: /a||User-agent: GPTBot|Disallow: /|Allow: /a/b"),
        ("unknown-key", "User-agent: *|ACAP-disallow-crawl: /x/|Disallow: /y"),
        ("unknown-key", "User-agent: *|Policy: /privacy|Contact: /contact|LLMs-txt: /llms.txt|Humans: /humans.txt"),
        ("agent-unknown", "User-agent: coccocbot|User-agent: Slackbot|User-agent: Alexabot|Disallow: /"),
        ("agent-list", "User-agent: GPTBot/1.0;+http://h.example/bot.html|Disallow: /"),
        ("escape-form", "User-agent: *|Disallow: /?%3Fa=b"),
        ("agent-unknown", "User-agent: * except GPTBot|Disallow: /x||User-agent: GPTBot/1.0|Disallow: /y"),
        ("escape-form", "User-agent: *|Disallow: /*?sort=|Disallow: /*%3Fsort="),
        ("agent-unknown", "User-agent: SiteBot|User-agent: MailBot|User-agent: OpenBot|Disallow: /"),
        ("agent-unknown", "User-agent: * # but not Googlebot|Disallow: /x"),
        ("agent-unknown", "User-agent: * except Googlebot|Disallow: /x||User-agent: Googlebot|Disallow:"),
        ("agent-list", "User-agent: Foo/1.0 (compatible; GPTBot; x)|Disallow: /"),
        ("double-slash", "User-agent: *|Disallow: /*//|Disallow: //|Disallow: /go/https://h.example/x"),
        ("escape-form", "User-agent: *|Disallow: /a%20b/"),
        ("html-entity", "User-agent: *|Disallow: /*?a&b=1;c"),
        ("agent-unknown", "User-agent: SemrushBot-SA|User-agent: YOUR_BOT|Disallow: /"),
        ("sitemap-form", "User-agent: *|Disallow: /x|Sitemap: https://web.archive.example/1/https://h.example/s.xml"),
        ("invalid-sitemap", "User-agent: *|Disallow: /x|Sitemap: https://h.example/s?u=https://h.example/a.xml"),
        (
            "managed-block",
            "# BEGIN X managed content|User-agent: *|Allow: /|# END X managed content||User-agent: *|Disallow: /a",
        ),
    ] {
        assert!(!codes(&body(file)).contains(&code), "{code}: {file}");
    }
}

#[test]
fn a_file_in_another_encoding_has_one_finding() {
    let found = found(b"User-agent: *\nDisallow: /stra\xDFe/\nDisallow: /\xFCber/\n", &Dialect::GOOGLE);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!((finding.check.code(), finding.severity, finding.line), ("not-utf8", Severity::Error, 2));
    assert_eq!(finding.related, [3]);
    assert!(finding.message.contains("`/stra%C3%9Fe/`"), "{}", finding.message);
}

/// What a message quotes is printable, on one line and not long, and is what URLs contain.
#[test]
fn what_urls_contain_is_quoted() {
    for (value, wanted) in [
        (b"/m\xE9n/".to_vec(), "contain `/m%C3%A9n/`,".to_owned()),
        (b"/m\xE9n\x1B[31m/".to_vec(), "contain `/m%C3%A9n%1B[31m/`,".to_owned()),
        (b"/m\xE9n\0\x7F\x08".to_vec(), "contain `/m%C3%A9n%00%7F%08`,".to_owned()),
        (b"/m\xE9 \"n\"<".to_vec(), "contain `/m%C3%A9%20%22n%22%3C`,".to_owned()),
        ([&b"/m\xE9"[..], &[b'n'; 200]].concat(), format!("contain `/m%C3%A9{}…`,", "n".repeat(72))),
    ] {
        let file = [b"User-agent: *\nDisallow: ", value.as_slice(), b"\n"].concat();
        let found = found(&file, &Dialect::GOOGLE);
        let finding = found.iter().find(|finding| finding.check.code() == "not-utf8").expect("a finding");
        assert!(finding.message.contains(&wanted), "{wanted} {}", finding.message);
    }
}

#[test]
fn a_merge_that_closes_the_site_is_one_finding() {
    let file = body("User-agent: *|Crawl-delay: 10|User-agent: BadBot|Disallow: /");
    let found = found(&file, &Dialect::GOOGLE);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!((finding.check.code(), finding.line), ("group-merge", 3));
    assert_eq!(finding.related, [4]);
    assert!(finding.message.contains("closes the whole site"), "{}", finding.message);
    let after = fixed(&file, &Dialect::GOOGLE, &lint(), true);
    assert_eq!(after.body, file);
}

/// A second lint finds nothing of what was mended, and nothing new.
#[test]
fn fixes_leave_nothing() {
    for (before, after) in [
        ("User-agent: *|Disallow: \u{200B}/x/|", "User-agent: *|Disallow: /x/|"),
        ("User-agent: *|Disallow: \u{FF0F}x/|", "User-agent: *|Disallow: /x/|"),
        ("User-agent: *|Disallow: \u{A0}/x/|", "User-agent: *|Disallow: /x/|"),
        ("User-agent: GPT Bot|Disallow: /|", "User-agent: GPTBot|Disallow: /|"),
        ("User-agent: * Disallow: /x/|", "User-agent: *|Disallow: /x/|"),
        ("\u{FF35}ser-agent: *|Disallow: /x/|", "User-agent: *|Disallow: /x/|"),
        ("\u{FEFF}\u{FEFF}User-agent: *|Disallow: /x/|", "\u{FEFF}User-agent: *|Disallow: /x/|"),
        ("User-agent: GPTBot\u{FF0C} CCBot|Disallow: /x/|", "User-agent: GPTBot|User-agent: CCBot|Disallow: /x/|"),
        ("User-agent: *|Disallow: /\u{441}art/|", "User-agent: *|Disallow: /cart/|"),
        ("User-agent: *|Disallow: /caf\u{C3}\u{A9}/|", "User-agent: *|Disallow: /caf\u{E9}/|"),
        ("\u{EF}\u{BB}\u{BF}User-agent: *|Disallow: /x/|", "User-agent: *|Disallow: /x/|"),
        ("User-agent: *|Disallow: /x|Disallow: /*.js|", "User-agent: *|Disallow: /x|"),
        (
            "User-agent: *|Disallow: /*?ver=|",
            "User-agent: *|Disallow: /*?ver=|Allow: /*.css?ver=|Allow: /*.js?ver=|Allow: /*.woff?ver=|\
             Allow: /*.woff2?ver=|",
        ),
        (r"User-agent: *\nDisallow: /x/\n", "User-agent: *|Disallow: /x/"),
        ("User-agent: *|Disallow: \"/x/\"|", "User-agent: *|Disallow: /x/|"),
        ("User-agent: *|Disallow: ./x/|", "User-agent: *|Disallow: /x/|"),
        ("User-agent: *|Disallow: .pdf$|", "User-agent: *|Disallow: /*.pdf$|"),
        ("User-agent: *|Dsallow: /x/|", "User-agent: *|Disallow: /x/|"),
        ("User-agent: *|// Disallow: /|Disallow: /x/|", "User-agent: *|# Disallow: /|Disallow: /x/|"),
        ("User-agent: *|<!-- Disallow: / -->|Disallow: /x/|", "User-agent: *|# Disallow: /|Disallow: /x/|"),
        (
            "User-agent: *|Disallow: /x/|Sitemap: https://h/a.xml https://h/b.xml|",
            "User-agent: *|Disallow: /x/|Sitemap: https://h/a.xml|Sitemap: https://h/b.xml|",
        ),
        (
            "User-agent: *|Disallow: /admin|Disallow: /fhir||User-agent: GPTBot|Disallow: /admin|",
            "User-agent: *|Disallow: /admin|Disallow: /fhir||User-agent: GPTBot|Disallow: /admin|Disallow: /fhir|",
        ),
    ] {
        let mended = fixed(&body(before), &Dialect::GOOGLE, &lint(), true);
        assert_eq!(String::from_utf8_lossy(&mended.body), String::from_utf8_lossy(&body(after)), "{before}");
        assert_eq!(codes(&mended.body), Vec::<&str>::new(), "{before}");
    }
    // All kinds of files are let in, and nothing is left.
    for file in [
        "User-agent: *|Disallow: /_next/|",
        "User-agent: *|Disallow: /_|",
        "User-agent: *|Disallow: /_next/image|Disallow: /x|",
        "User-agent: *|Disallow: /wp-content/|",
        "User-agent: *|Disallow: /*?|",
        "User-agent: *|Disallow: /|Allow: /$|Allow: /en/|",
        "User-agent: *|Disallow: /|Allow: /en/|",
    ] {
        let mended = fixed(&body(file), &Dialect::GOOGLE, &lint(), true);
        assert_ne!(mended.body, body(file));
        assert_eq!(codes(&mended.body), Vec::<&str>::new(), "{}", String::from_utf8_lossy(&mended.body));
    }
}

/// What google reads already is a safe fix for it, and an unsafe one where the line is not read.
#[test]
fn fixes_of_keys_are_safe_where_they_are_read_so() {
    for (before, after) in [
        ("User-agent: *|Disallow /x|", "User-agent: *|Disallow: /x|"),
        ("User-agent: *|Disallow *|", "User-agent: *|Disallow: *|"),
        ("User agent: X|Disallow: /|", "User-agent: X|Disallow: /|"),
        ("User-agent: *|Disalow: /x|", "User-agent: *|Disallow: /x|"),
    ] {
        let google = fixed(&body(before), &Dialect::GOOGLE, &lint(), false);
        assert_eq!(String::from_utf8_lossy(&google.body), String::from_utf8_lossy(&body(after)));
        let of_rfc = |with_unsafe| fixed(&body(before), &Dialect::RFC9309, &lint(), with_unsafe).body;
        assert_eq!(of_rfc(false), body(before), "{before}");
        assert_eq!(String::from_utf8_lossy(&of_rfc(true)), String::from_utf8_lossy(&body(after)));
    }
}

/// A group that keeps one rule stays a group.
#[test]
fn a_safe_fix_leaves_no_group_empty() {
    let all = lint().with_info();
    for file in [
        "User-agent: GPTBot|Allow: /||User-agent: *|Disallow: /x|",
        "User-agent: GPTBot|Allow: /|Allow: /a||User-agent: *|Disallow: /x|",
    ] {
        let mended = fixed(&body(file), &Dialect::GOOGLE, &all, false);
        let found = all.run(&RobotsTxt::parse(&mended.body));
        assert!(found.iter().all(|finding| finding.check.code() != "group-empty"), "{found:?}");
    }
}
