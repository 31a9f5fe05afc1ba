use super::*;

/// What a file is after formatting.
const FORMATTED: &[(&str, &str)] = &[
    ("", ""),
    ("\n\n", ""),
    ("# only a comment", "# only a comment\n"),
    // Without the empty line, it would be the mark of the file.
    ("\n\n\u{feff}", "\n\u{feff}\n"),
    ("\nUser-agent: *\nDisallow: /\n", "User-agent: *\nDisallow: /\n"),
    ("user-agent:*\nDISALLOW:/a\nallow : /b  \n", "User-agent: *\nDisallow: /a\nAllow: /b\n"),
    (
        "User-agent: *\n crawl-DELAY:\t5\nsitemap:https://a/s.xml",
        "User-agent: *\nCrawl-delay: 5\n\nSitemap: https://a/s.xml\n",
    ),
    // Comments: where they are, and their text.
    ("User-agent: * # all\nDisallow:/a#b\n  #  c  \n", "User-agent: * # all\nDisallow: /a #b\n#  c\n"),
    ("Disallow: #nothing\n", "Disallow: #nothing\n"),
    ("User-agent: *\nDisallow: #nothing\n", "User-agent: *\nDisallow: #nothing\n"),
    ("User-agent: *\nDisallow:   \n", "User-agent: *\nDisallow:\n"),
    // Empty lines.
    (
        "User-agent: a\n\nDisallow: /\nUser-agent: b\nDisallow: /\n",
        "User-agent: a\nDisallow: /\n\nUser-agent: b\nDisallow: /\n",
    ),
    (
        "\n# top\n\n\n# a\nUser-agent: a\n# in\n\nDisallow: /\n# end of a\n\n\n# b\nUser-agent: b\n\
         Disallow: /\n\n\n# end\n\n",
        "# top\n\n# a\nUser-agent: a\n# in\nDisallow: /\n# end of a\n\n# b\nUser-agent: b\nDisallow: /\n\n# end\n",
    ),
    (
        "User-agent: a\nDisallow: /\n# b\nUser-agent: b\nUser-agent: c\n\nUser-agent: d\nDisallow: /x\n",
        "User-agent: a\nDisallow: /\n\n# b\nUser-agent: b\nUser-agent: c\nUser-agent: d\nDisallow: /x\n",
    ),
    // One group to google, two to others: an empty line is neither inserted nor removed.
    (
        "user-agent:a\nCrawl-delay:5\nUser-agent:b\nDisallow:/\n",
        "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /\n",
    ),
    (
        "user-agent:a\nCrawl-delay:5\n\n\nUser-agent:b\nDisallow:/\n",
        "User-agent: a\nCrawl-delay: 5\n\nUser-agent: b\nDisallow: /\n",
    ),
    (
        "user-agent:a\nSitemap:https://a/1\nUser-agent:b\nDisallow:/\n",
        "User-agent: a\nSitemap: https://a/1\nUser-agent: b\nDisallow: /\n",
    ),
    // Sitemaps are apart, unless the group goes on.
    (
        "Sitemap: https://a/1\nUser-agent: *\nSitemap: https://a/2\n\nDisallow: /\nSitemap: https://a/3\n\
         Sitemap: https://a/4\n",
        "Sitemap: https://a/1\n\nUser-agent: *\nSitemap: https://a/2\nDisallow: /\n\nSitemap: https://a/3\n\
         Sitemap: https://a/4\n",
    ),
    (
        "User-agent: *\nHost: a.b\n\nClean-param: s /\nDisallow: /\n",
        "User-agent: *\nHost: a.b\nClean-param: s /\nDisallow: /\n",
    ),
    // What dialects read in several ways stays as it is.
    ("user-agent:*\nDisalow :/a\n", "User-agent: *\nDisalow: /a\n"),
    ("user-agent:*\ndisallow   /a\n", "User-agent: *\ndisallow   /a\n"),
    ("user-agent:*\ndisallow /a:b\n", "User-agent: *\ndisallow /a:b\n"),
    ("useragent:*\nUser Agent : a\ndisallowed:/\n", "useragent: *\nUser Agent: a\ndisallowed: /\n"),
    ("user-agent:*\nDisallow:/a\u{b}\n", "User-agent: *\nDisallow: /a\u{b}\n"),
    // What no dialect knows, other systems may.
    (
        "user-agent:*\nLicense :https://a/l.xml\nhttp://a/sitemap.xml\n  text : x\nno record\n",
        "User-agent: *\nLicense :https://a/l.xml\nhttp://a/sitemap.xml\n  text : x\nno record\n",
    ),
    ("disallow:/outside\nuser-agent:*\n", "disallow:/outside\nUser-agent: *\n"),
    // Bytes.
    ("user-agent:*\r\ndisallow:/a\r\n", "User-agent: *\r\nDisallow: /a\r\n"),
    ("user-agent:*\rdisallow:/a\r", "User-agent: *\nDisallow: /a\n"),
    ("user-agent:*\ndisallow:/a\r\n", "User-agent: *\nDisallow: /a\n"),
    ("\u{feff}user-agent:*\n", "User-agent: *\n"),
    ("\u{feff}\u{feff}user-agent:*\n", "\u{feff}\u{feff}user-agent:*\n"),
    ("\u{feff}# c\n", "# c\n"),
    ("\u{feff}RP\u{1}\0\nuser-agent:*\n", "\u{feff}RP\u{1}\0\nUser-agent: *\n"),
    ("\u{feff}BZh:1\nuser-agent:*\n", "\u{feff}BZh:1\n\nUser-agent: *\n"),
    ("user-agent:b\u{f6}t\ndisallow:/\u{e4}\n", "User-agent: b\u{f6}t\nDisallow: /\u{e4}\n"),
    ("user-agent:*\ndisallow:/a\0b # c\n", "User-agent: *\nDisallow: /a\0b # c\n"),
];

#[test]
fn formatted_files() {
    for (body, wanted) in FORMATTED {
        let Formatted { body: after, left } = formatted(body.as_bytes());
        assert_eq!(String::from_utf8_lossy(&after), *wanted, "{body:?}");
        assert_eq!(left, None, "{body:?}");
        assert_eq!(formatted(&after).body, after, "{body:?}: a second run changes nothing");
    }
}

/// What a file is after minifying.
const MINIFIED: &[(&str, &str)] = &[
    ("", ""),
    ("# comment\n\n", ""),
    ("\u{feff}User-agent: *  # all\r\n\r\nDisallow: /a b # c\r\n", "User-agent:*\nDisallow:/a b\n"),
    ("no such record\n: no key\nUser-agent: *\nfoo bar\nDisallow: /\n", "User-agent:*\nfoo bar\nDisallow:/\n"),
    // Rules that are not needed.
    ("User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /a/b\nAllow: /c\n", "User-agent:*\nDisallow:/a\n"),
    ("User-agent: *\nAllow: /a\nDisallow: /a\nDisallow: /b\n", "User-agent:*\nDisallow:/b\n"),
    (
        "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n",
        "User-agent:*\nDisallow:/a\nAllow:/a/b\nDisallow:/a/b/c\n",
    ),
    ("Disallow: /x\nUser-agent: *\nDisallow: /a\n", "User-agent:*\nDisallow:/a\n"),
    // Clients write the `'` of a query as `%27`, which rfc9309 reads as `'`.
    ("User-agent: *\nDisallow: /*?*'\nDisallow: /b\n", "User-agent:*\nDisallow:/*?*'\nDisallow:/b\n"),
    // A group keeps a rule.
    (
        "User-agent: a\nAllow: /f\nAllow: /b\nUser-agent: *\nDisallow: /\n",
        "User-agent:a\nAllow:/f\nUser-agent:*\nDisallow:/\n",
    ),
    (
        "User-agent: a\nAllow: /foo/bar\nUser-agent: *\nDisallow: /\n",
        "User-agent:a\nDisallow:\nUser-agent:*\nDisallow:/\n",
    ),
    // Under yandex `Disallow:` is `Allow: /`, which would win a tie in the other group of a.
    (
        "User-agent: a\nUser-agent: b\nAllow: /foo/bar\nUser-agent: a\nDisallow: /\nUser-agent: c\nDisallow: /c\n",
        "User-agent:a\nUser-agent:b\nAllow:/foo/bar\nUser-agent:a\nDisallow:/\nUser-agent:c\nDisallow:/c\n",
    ),
    // Stars at the end, where they decide nothing under any dialect.
    (
        "User-agent: *\nDisallow: /a*\nDisallow: /b**c\nDisallow: /d*$\n",
        "User-agent:*\nDisallow:/a\nDisallow:/b*c\nDisallow:/d\n",
    ),
    ("User-agent: *\nAllow: /\nDisallow: /*\n", "User-agent:*\nAllow:/\nDisallow:/*\n"),
    // Rules that only some dialects read stay, and so does what they hang on.
    ("User-agent: *\nDisalow : /a # x\nDisallow: /a/b\n", "User-agent:*\nDisalow:/a\nDisallow:/a/b\n"),
    ("User-agent: *\ndisallow /a\nDisallow: /a/b\n", "User-agent:*\ndisallow /a\nDisallow:/a/b\n"),
    ("User-agent: *\nDisallow: a\nDisallow: /b\n", "User-agent:*\nDisallow:a\nDisallow:/b\n"),
    // Groups.
    (
        "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n\n\
         User-agent: *\nDisallow: /z\n",
        "User-agent:a\nUser-agent:b\nDisallow:/x\nUser-agent:*\nDisallow:/y\nDisallow:/z\n",
    ),
    ("User-agent: a\nUser-agent: A\nUser-agent: a/2.1\nUser-agent:\nDisallow: /\n", "User-agent:a\nDisallow:/\n"),
    (
        "User-agent: a\nDisallow: /\nUser-agent:\nDisallow: /x\nSitemap: https://a/s\n",
        "User-agent:a\nDisallow:/\nSitemap:https://a/s\n",
    ),
    // Names stay, since a crawler with fallbacks looks for them.
    ("User-agent: a\nDisallow: /x\nUser-agent: *\nDisallow: /x\n", "User-agent:a\nUser-agent:*\nDisallow:/x\n"),
    ("User-agent: a\nDisallow: /x\nUser-agent: *\nDisallow:\n", "User-agent:a\nDisallow:/x\n"),
    ("User-agent: *\nDisallow:\n", "User-agent:*\nDisallow:\n"),
    // `* x` is the star under google alone: its line is no other spelling of `*`.
    ("User-agent: * x\nDisallow: /\nUser-agent: *\nDisallow: /\n", "User-agent:* x\nUser-agent:*\nDisallow:/\n"),
    ("User-agent: * x\nDisallow: /\n", "User-agent:* x\nDisallow:/\n"),
    // A record between User-agent lines: google joins them, google-2017 does not.
    (
        "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /\nDisallow: /x\n",
        "User-agent:a\nCrawl-delay:5\nUser-agent:b\nDisallow:/\n",
    ),
    // Other records.
    (
        "Sitemap: https://a/1\nUser-agent: *\nDisallow: /a\nCrawl-delay: 5\nCrawl-delay: 5\nCrawl-delay: 6\n\
         Crawl-delay: 5\n\
         Content-Signal: search=yes\nLicense: https://a/l\nLicense: https://a/l\nHost: a.b\nSitemap: https://a/1\n",
        "Sitemap:https://a/1\nUser-agent:*\nDisallow:/a\nCrawl-delay:5\nCrawl-delay:6\nCrawl-delay:5\n\
         Content-Signal:search=yes\nLicense: https://a/l\nLicense: https://a/l\nHost:a.b\n",
    ),
    // The order of delays stays for those who obey the first.
    (
        "User-agent: a\nUser-agent: b\nDisallow: /1\nCrawl-delay: 1\nUser-agent: a\nDisallow: /2\nCrawl-delay: 2\n\
         User-agent: a\nUser-agent: b\nDisallow: /3\nCrawl-delay: 3\n",
        "User-agent:a\nUser-agent:b\nDisallow:/1\nCrawl-delay:1\nUser-agent:a\nDisallow:/2\nCrawl-delay:2\n\
         User-agent:a\nUser-agent:b\nDisallow:/3\nCrawl-delay:3\n",
    ),
    (
        "User-agent: a\nDisallow: /1\nCrawl-delay: 1\nSitemap: https://a/1\nUser-agent: b\nDisallow: /2\n\
         User-agent: a\nDisallow: /3\n\
         Crawl-delay: 3\n",
        "User-agent:a\nDisallow:/1\nCrawl-delay:1\nDisallow:/3\nCrawl-delay:3\nUser-agent:b\nDisallow:/2\n\
         Sitemap:https://a/1\n",
    ),
    // Two spellings of one agent, and two agents that are one under google.
    (
        "User-agent: foobot\nDisallow: /x\nCrawl-delay: 1\nUser-agent: foobot/2.1 x\nDisallow: /y\nCrawl-delay: 2\n\
         User-agent: foobot\nDisallow: /z\nCrawl-delay: 3\n",
        "User-agent:foobot\nDisallow:/x\nCrawl-delay:1\nDisallow:/y\nCrawl-delay:2\nDisallow:/z\nCrawl-delay:3\n",
    ),
    (
        "User-agent: MJ\nDisallow: /x\nCrawl-delay: 1\nUser-agent: MJ12bot\nDisallow: /y\nCrawl-delay: 2\n\
         User-agent: MJ\nDisallow: /z\nCrawl-delay: 3\n",
        "User-agent:MJ\nDisallow:/x\nCrawl-delay:1\nUser-agent:MJ12bot\nDisallow:/y\nCrawl-delay:2\n\
         User-agent:MJ\nDisallow:/z\nCrawl-delay:3\n",
    ),
    // The order of hosts stays for those who obey the first. One host can stand anywhere.
    (
        "User-agent: a\nDisallow: /x\nHost: one\nUser-agent: b\nDisallow: /y\nHost: two\nUser-agent: a\n\
         Disallow: /z\n",
        "User-agent:a\nDisallow:/x\nHost:one\nUser-agent:b\nDisallow:/y\nHost:two\nUser-agent:a\nDisallow:/z\n",
    ),
    (
        "User-agent: a\nDisallow: /x\nHost: one\nUser-agent: b\nDisallow: /y\nHost: one\nUser-agent: a\n\
         Disallow: /z\n",
        "User-agent:a\nDisallow:/x\nDisallow:/z\nUser-agent:b\nDisallow:/y\nHost:one\nHost:one\n",
    ),
    // Agents with the same rules and other delays.
    (
        "User-agent: a\nDisallow: /1\nCrawl-delay: 1\nUser-agent: b\nDisallow: /1\nCrawl-delay: 2\n",
        "User-agent:a\nDisallow:/1\nCrawl-delay:1\nUser-agent:b\nDisallow:/1\nCrawl-delay:2\n",
    ),
];

#[test]
fn minified_files() {
    for (body, wanted) in MINIFIED {
        let small = minified(body.as_bytes());
        assert_eq!(String::from_utf8_lossy(&small.body), *wanted, "{body:?}");
        assert!(small.is_decided && small.left.is_none(), "{body:?}");
        assert_eq!(minified(&small.body).body, small.body, "{body:?}: a second run changes nothing");
    }
}

#[test]
fn a_mark_stays_before_what_is_no_text() {
    for (body, formatted_as, minified_as) in [
        (
            &b"\xEF\xBB\xBF\x1F\x8B\nuser-agent:*\n"[..],
            &b"\xEF\xBB\xBF\x1F\x8B\nUser-agent: *\n"[..],
            &b"User-agent:*\n"[..],
        ),
        (
            b"\xEF\xBB\xBF\x1F\x8B:x\nUser-agent: *\nDisallow: /\nDisallow: /a\n",
            b"\xEF\xBB\xBF\x1F\x8B:x\n\nUser-agent: *\nDisallow: /\nDisallow: /a\n",
            b"\xEF\xBB\xBF\x1F\x8B:x\nUser-agent:*\nDisallow:/\n",
        ),
    ] {
        assert_eq!(formatted(body).body.escape_ascii().to_string(), formatted_as.escape_ascii().to_string());
        assert_eq!(minified(body).body.escape_ascii().to_string(), minified_as.escape_ascii().to_string());
    }
}

#[test]
fn files_that_are_left() {
    let long = "Disallow: /x\n".repeat(40_000);
    for (body, left) in [
        (format!("user-agent: *\n{long}").into_bytes(), WhyUnchanged::TooLong),
        (b"\xFF\xFEu\0s\0e\0r\0\n\0".to_vec(), WhyUnchanged::Utf16),
    ] {
        let after = formatted(&body);
        assert_eq!((&after.body, after.left), (&body, Some(left)));
        let small = minified(&body);
        assert_eq!((&small.body, small.left, small.rules), (&body, Some(left), small.rules_before));
    }
}

#[test]
fn lines_at_the_limit_of_google() {
    // With a blank after the colon, google would read a byte less of the value.
    let value = "x".repeat(16_663 - "Disallow:/".len());
    let body = format!("user-agent:*\nDisallow:/{value}\n");
    let wanted = format!("User-agent: *\nDisallow:/{value}\n");
    assert_eq!(formatted(body.as_bytes()).body, wanted.as_bytes());
    // Without it, google would read a byte more.
    let body = format!("User-agent:*\nDisallow: /{value}\n");
    assert_eq!(minified(body.as_bytes()).body, body.as_bytes());
}

#[test]
fn files_at_the_limit_of_a_dialect() {
    // Yandex reads 500,000 bytes. With a blank on each line, there would be more.
    let mut body = b"User-agent: *\n".to_vec();
    while body.len() < 499_980 {
        body.extend_from_slice(b"Disallow:/x\n");
    }
    let after = formatted(&body);
    assert_eq!((after.body, after.left), (body, Some(WhyUnchanged::TooLongAfter)));
}
