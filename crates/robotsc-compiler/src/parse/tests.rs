//! Every decision of the parser, as tables: a body, and what each dialect reads in it.

use std::path::PathBuf;

use super::{Parser, parse};
use crate::dialect::{
    AgentValue, Bom, Colon, Dialect, KeyMatch, MAX_BODY_BYTES, MAX_BYTES_PAST_LIMIT, Nul, Star, Trim, Typos,
};
use crate::robots_txt::{RobotsTxt, RuleKind};

const G: &Dialect = &Dialect::GOOGLE;
const R: &Dialect = &Dialect::RFC9309;
const L: &Dialect = &Dialect::GOOGLE_2017;
const D19: &Dialect = &Dialect::GOOGLE_2019;
const Y: &Dialect = &Dialect::YANDEX;
const ALL: [&Dialect; 5] = Dialect::ALL;
const STRICT: [&Dialect; 4] = [R, L, D19, Y];
/// The dialects in which only a rule ends a list of agents, and an agent's name ends at the first byte that is none of
/// a token.
const OPEN: &[&Dialect] = &[G, R, D19, Y];

/// Groups as `agents{rules|records}`, then diagnostics as `!code:line`. An agent is its token, `*` or, where it names
/// nobody, `?`; a rule is `line`, `+` or `-`, value; a record is `line`, kind.
fn shown(robots: &RobotsTxt<'_>) -> String {
    let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let groups = robots.groups().iter().map(|group| {
        let agents = robots.agents_of(group).iter().map(|agent| match agent.token.of(robots.body()) {
            _ if agent.is_star => "*".into(),
            b"" => "?".into(),
            token => text(token),
        });
        let rules = robots.rules_of(group).iter().map(|rule| {
            let sign = if rule.kind == RuleKind::Allow { '+' } else { '-' };
            format!("{}{sign}{}", rule.line, text(rule.value.of(robots.body())))
        });
        let records = robots.records_of(group).iter().map(|record| format!("|{}{:?}", record.line, record.kind));
        format!(
            "{}{{{}{}}}",
            agents.collect::<Vec<_>>().join(","),
            rules.collect::<Vec<_>>().join(" "),
            records.collect::<String>()
        )
    });
    let noticed = robots.diagnostics().iter().map(|noticed| format!("!{}:{}", noticed.code, noticed.line));
    groups.chain(noticed).collect::<Vec<_>>().join(" ")
}

/// Checks a table of dialects, body, and what [`shown`] makes of it.
fn check(cases: &[(&[&Dialect], &[u8], &str)]) {
    for (dialects, body, want) in cases {
        for dialect in *dialects {
            let robots = parse(body, dialect);
            assert_eq!(shown(&robots), *want, "{} reads {}", dialect.name, body.escape_ascii());
        }
    }
}

#[test]
fn line_ends() {
    check(&[
        (&ALL, b"User-agent: a\nDisallow: /x\n", "a{2-/x}"),
        (&ALL, b"User-agent: a\r\n\r\nDisallow: /x\r\n", "a{3-/x}"),
        (&ALL, b"User-agent: a\rDisallow: /x\r\rAllow: /y", "a{2-/x 4+/y}"),
        (&ALL, b"User-agent: a\r\r\nDisallow: /x", "a{3-/x}"),
        (&ALL, b"User-agent: a\n\rDisallow: /x", "a{3-/x}"),
        (&ALL, b"User-agent: a\r\n\nDisallow: /x", "a{3-/x}"),
        (&ALL, b"User-agent: a\n# c\r# d\r\nDisallow: /x # e\rAllow: /y", "a{4-/x 5+/y}"),
        (&ALL, b"User-agent: a\nDisallow: /\xC2\x85\xE2\x80\xA8x", r"a{2-/\xc2\x85\xe2\x80\xa8x}"),
        (&ALL, b"", ""),
        (&ALL, b"\r", ""),
    ]);
}

#[test]
fn byte_order_marks() {
    check(&[
        (&ALL, b"\xEF\xBB\xBFUser-agent: a\nDisallow: /x", "a{2-/x}"),
        (&[G], b"\xEF\xBBUser-agent: a\nDisallow: /x", "a{2-/x}"),
        (&[G], b"\xEFUser-agent: a\nDisallow: /x", "a{2-/x}"),
        (&STRICT, b"\xEFUser-agent: a\nDisallow: /x", "a{2-/x} !partial-bom:1"),
        (&[G], b"\xEF\x11\xBFUser-agent: a\nDisallow: /x", " !unknown-key:1 !rule-outside-group:2".trim_start()),
        // only at the start of the body
        (&[G], b"User-agent: a\n\xEF\xBB\xBFDisallow: /x", "a{|2Unknown} !unknown-key:2"),
        (&[G], b"\xFF\xFEa", "!utf16-bom:1 !no-colon:1"),
        (
            &[&Dialect { max_file: Some(1), ..Dialect::GOOGLE }],
            b"\xEF\xBB\xBFa: b\nc: d\n",
            "!unknown-key:1 !file-cut:2",
        ),
        (&[&Dialect { bom: Bom::AnyPrefix, ..Dialect::RFC9309 }], b"\xEFAllow:/", "!rule-outside-group:1"),
    ]);
}

#[test]
fn utf16_bodies() {
    let decoding = Dialect { decode_utf16: true, ..Dialect::GOOGLE };
    let mut body = vec![0xFF, 0xFE];
    body.extend("User-agent: a\r\nDisallow: /é".encode_utf16().flat_map(u16::to_le_bytes));
    let robots = parse(&body, &decoding);
    assert_eq!(shown(&robots), r"a{2-/\xc3\xa9}");
    assert_eq!(robots.body(), "User-agent: a\r\nDisallow: /é".as_bytes());
    body.push(b'x');
    assert_eq!(shown(&parse(&body, &decoding)), r"a{2-/\xc3\xa9\xef\xbf\xbd} !utf16-invalid:1");
    assert!(shown(&parse(&body, G)).starts_with("!utf16-bom:1"));
    check(&[(&[&decoding], b"User-agent: a\nDisallow: /x", "a{2-/x}")]);
}

#[test]
fn nul_bytes() {
    let kept = &Dialect { nul: Nul::IsKept, ..Dialect::GOOGLE };
    check(&[
        (&ALL, b"User-agent: a\nDisallow: /x\0/y # z\nAllow: /z", "a{2-/x 3+/z} !nul-byte:2"),
        (&ALL, b"User-agent: a\nDisallow: /x\0\r\nAllow: /z", "a{2-/x 3+/z} !nul-byte:2"),
        (
            &ALL,
            b"User-agent: a\nX: y\0z\nAllow\0: /z",
            "a{|2Unknown} !nul-byte:2 !unknown-key:2 !nul-byte:3 !no-colon:3",
        ),
        (&ALL, b"User-agent: a # \0\nAllow: /z", "a{2+/z}"),
        (&[kept], b"User-agent: a\nDisallow: /x\0/y\0 # z\0", r"a{2-/x\x00/y\x00} !nul-byte:2"),
    ]);
}

#[test]
fn long_lines() {
    let short = &Dialect { max_line: Some(12), ..Dialect::GOOGLE };
    check(&[
        (&[short], b"User-agent: a\nAllow: /aaaaa", "?{2+/aaaa} !line-cut:1 !agent-names-nobody:1 !line-cut:2"),
        (&[short], b"User-agent:b\nAllow: /aaaaaaaa\nAllow:/b  ", "b{2+/aaaa 3+/b} !line-cut:2"),
        (&[short], b"User-agent:b\nAllow: /a # aaaaaaa", "b{2+/a}"),
        (&[short], b"User-agent:b\nAllow: /aaaa #", "b{2+/aaaa} !line-cut:2"),
        (&[short], b"User-agent:b\n             Allow: /\nAllow:/", "b{3+/} !line-cut:2"),
        (
            &[short],
            b"User-agent:b\nnonsense-nonsense\nx:12345678901\n",
            "b{|3Unknown} !line-cut:2 !no-colon:2 !line-cut:3 !unknown-key:3",
        ),
        // the mark is no part of the line
        (&[short], b"\xEF\xBB\xBFUser-agent:b\nAllow:/", "b{2+/}"),
    ]);
    let mut body = b"User-agent: a\nDisallow: /".to_vec();
    body.resize(body.len() + 20_000, b'x');
    body.extend(b"\nAllow: /y");
    let lengths = |dialect| {
        let robots = parse(&body, dialect);
        robots.rules().iter().map(|rule| rule.value.len()).collect::<Vec<_>>()
    };
    assert_eq!(lengths(G), [16_663 - "Disallow: ".len(), 2]);
    for dialect in STRICT {
        assert_eq!(lengths(dialect), [20_001, 2]);
    }
}

#[test]
fn long_files() {
    let limit = |bytes| Dialect { max_file: Some(bytes), ..Dialect::GOOGLE };
    let body = b"User-agent: a\nAllow: /x\r\nDisallow: /y\nAllow: /z";
    for (bytes, want) in [
        (0, "!file-cut:1"),
        // the line that crosses the limit is read
        (1, "a{} !file-cut:2"),
        (13, "a{} !file-cut:2"),
        (14, "a{} !file-cut:2"),
        (22, "a{2+/x} !file-cut:3"),
        // between CR and LF
        (24, "a{2+/x} !file-cut:3"),
        (25, "a{2+/x} !file-cut:3"),
        (26, "a{2+/x 3-/y} !file-cut:4"),
        (38, "a{2+/x 3-/y} !file-cut:4"),
        (39, "a{2+/x 3-/y 4+/z}"),
        (46, "a{2+/x 3-/y 4+/z}"),
        (47, "a{2+/x 3-/y 4+/z}"),
        (48, "a{2+/x 3-/y 4+/z}"),
    ] {
        let dialect = limit(bytes);
        let robots = parse(body, &dialect);
        assert_eq!(shown(&robots), want, "{bytes}");
        let lost = 3 - robots.rules().len();
        for cut in robots.diagnostics() {
            assert_eq!(cut.span.end as usize, body.len());
            assert!(cut.span.start as usize <= bytes as usize + MAX_BYTES_PAST_LIMIT);
            assert!(cut.message(body).contains(&format!("with {lost} rules")), "{bytes}: {}", cut.message(body));
        }
    }
    // A line that goes on where nothing is kept any more: dropped, unless the dialect reads no more of it.
    let mut long = b"User-agent: a\nAllow: /x".to_vec();
    long.resize(20 + MAX_BYTES_PAST_LIMIT, b' ');
    for (end, dialect, want) in [
        (&b""[..], Dialect { max_line: None, ..limit(20) }, "a{2+/x}"),
        (b"\n", Dialect { max_line: None, ..limit(20) }, "a{} !file-cut:2"),
        (b" ", Dialect { max_line: None, ..limit(20) }, "a{} !file-cut:2"),
        (b" ", Dialect { max_line: Some(16_671), ..limit(20) }, "a{} !file-cut:2"),
        (b" ", Dialect { max_line: Some(16_669), ..limit(20) }, "a{2+/x} !line-cut:2 !file-cut:2"),
        (b" ", limit(20), "a{2+/x} !line-cut:2 !file-cut:2"),
    ] {
        let body = [&long, end].concat();
        assert_eq!(shown(&parse(&body, &dialect)), want, "{:?} {}", dialect.max_line, end.escape_ascii());
    }
    // What a fetch kept of a longer body does not show how much is lost.
    for (dialect, length, counts) in [
        (G, MAX_BODY_BYTES, true),
        (G, MAX_BODY_BYTES + 1, false),
        (G, MAX_BODY_BYTES + 2, true),
        (Y, 500_000 + MAX_BYTES_PAST_LIMIT, true),
        (Y, 500_000 + MAX_BYTES_PAST_LIMIT + 1, false),
        (Y, MAX_BODY_BYTES + 1, false),
    ] {
        let body = b"Allow: /x\n".repeat(60_000)[..length].to_vec();
        let robots = parse(&body, dialect);
        let [.., cut] = robots.diagnostics() else { panic!("{length}") };
        let message = cut.message(&body);
        assert_eq!(message.contains(" rules "), counts, "{length}: {message}");
        let first = dialect.max_file.expect("a limit");
        assert!(counts || message.ends_with(&format!("what follows its first {first} bytes is not read")), "{message}");
    }
    let limits: Vec<_> = ALL.iter().map(|dialect| dialect.max_file).collect();
    assert_eq!(limits, [Some(512_000), Some(512_000), Some(500_000), Some(512_000), Some(500_000)]);
    let longest = limits.into_iter().flatten().max().expect("five limits");
    assert_eq!(longest as usize + MAX_BYTES_PAST_LIMIT, MAX_BODY_BYTES);
}

#[test]
fn keys() {
    check(&[
        (&ALL, b"user-AGENT : a\n DISALLOW\t:\t/x\t\naLLow:/y", "a{2-/x 3+/y}"),
        // robots.cc takes a key that only begins with a name
        (
            &[G],
            b"User-agents: a\nDisallow-all: /x\nallowed: /y\nsitemaps: http://s/",
            "a{2-/x 3+/y|4Sitemap} !prefix-key:1 !prefix-key:2 !prefix-key:3 !prefix-key:4",
        ),
        (
            &STRICT,
            b"User-agent: a\nDisallow-all: /x\nallowed: /y",
            "a{|2Unknown|3Unknown} !refused-key:2 !refused-key:3",
        ),
        (&STRICT, b"User-agents: a", "!refused-key:1"),
        (
            &[G, L],
            b"useragent: a\ndissallow: /1\nDissalow: /2\ndisalow: /3\ndiasllow: /4\ndisallaw: /5\nsite-map: http://s/",
            "a{2-/1 3-/2 4-/3 5-/4 6-/5|7Sitemap} !typo-key:1 !typo-key:2 \
             !typo-key:3 !typo-key:4 !typo-key:5 !typo-key:6 !typo-key:7",
        ),
        (&[G, L], b"User Agent: a\nDisallow: /x", "a{2-/x} !typo-key:1"),
        (&[G], b"useragents: a\ndisalowed: /x", "a{2-/x} !typo-key:1 !typo-key:2"),
        (&[L], b"useragents: a\ndisalowed: /x", "!refused-key:1 !refused-key:2"),
        (
            &[R, D19, Y],
            b"User-agent: a\ndisalow: /3\nuseragent: b\nsite-map: http://s/",
            "a{|2Unknown|3Unknown|4Unknown} !refused-key:2 !refused-key:3 !refused-key:4",
        ),
        (&ALL, b"User-agent: a\ndisalllow: /x\nalow: /y", "a{|2Unknown|3Unknown} !unknown-key:2 !unknown-key:3"),
        // 0x1A, 0x0D and 0x0E differ from `:`, `-` and `.` in the bit in which upper and lower case differ
        (&ALL, b"User-agent: a\nAllow\x1A /x y\nSitemap\x1A /x y", "a{} !no-colon:2 !no-colon:3"),
        (&ALL, b"User-agent: a\n: /x\n :\nx:", "a{|4Unknown} !empty-key:2 !empty-key:3 !unknown-key:4"),
    ]);
    let typos = &Dialect { typos: Typos::Accepted, ..Dialect::RFC9309 };
    let prefix = &Dialect { key_match: KeyMatch::Prefix, ..Dialect::RFC9309 };
    check(&[
        (&[typos], b"useragent: a\nallowed: /x", "a{|2Unknown} !typo-key:1 !refused-key:2"),
        (&[prefix], b"useragent: a\nallowed: /x", "!refused-key:1 !prefix-key:2 !rule-outside-group:2"),
    ]);
}

#[test]
fn colons() {
    check(&[
        (&[G], b"user-agent a\ndisallow  \t /x", "a{2-/x} !missing-colon:1 !missing-colon:2"),
        (&STRICT, b"User-agent: a\ndisallow /x", "a{} !no-colon:2"),
        (&ALL, b"User-agent: a\ndisallow /x /y\ndisallow\n", "a{} !no-colon:2 !no-colon:3"),
        (&[G], b"User-agent: a\nuser agent b\nx y # z w", "a{|3Unknown} !no-colon:2 !missing-colon:3 !unknown-key:3"),
        // any colon is the one that counts
        (
            &[G],
            b"User-agent: a\nDisallow http://h/x\nDisallow /a:b",
            "a{2-//h/x 3-b} !prefix-key:2 !prefix-key:3 !dead-pattern:3",
        ),
        (&STRICT, b"User-agent: a\nDisallow http://h/x\n", "a{|2Unknown} !refused-key:2"),
        (&ALL, b"User-agent: a\nDisallow: /a:b:c", "a{2-/a:b:c}"),
        // VT and FF are no gap, though google trims them
        (&[G], b"User-agent: a\ndisallow\x0B/x\ndisallow \x0B/x", "a{3-/x} !no-colon:2 !missing-colon:3"),
    ]);
    let lenient = &Dialect { colon: Colon::OptionalBeforeTwoTokens, ..Dialect::RFC9309 };
    check(&[(&[lenient], b"User-agent a\nDisallow /x", "a{2-/x} !missing-colon:1 !missing-colon:2")]);
}

#[test]
fn white_space() {
    check(&[
        (&ALL, b"\t User-agent:\ta \t\nDisallow:   /x y \t\nAllow: /!\"z\" ", "a{2-/x y 3+/!\\\"z\\\"}"),
        (&[G], b"User-agent: a\nDisallow:\x0B/x\x0C\n\x0BAllow\x0C: /y", "a{2-/x 3+/y}"),
        (&STRICT, b"User-agent: a\nDisallow: */\x0Bx\x0C\n\x0BAllow: /y", r"a{2-*/\x0bx\x0c|3Unknown} !unknown-key:3"),
        (&ALL, b"User-agent: a\nDisallow: /\xC2\xA0", r"a{2-/\xc2\xa0}"),
    ]);
    let plain = &Dialect { trim: Trim::SpaceTab, ..Dialect::GOOGLE };
    check(&[(&[plain], b"User-agent: a\nDisallow: /x\x0C", r"a{2-/x\x0c}")]);
}

#[test]
fn comments() {
    check(&[
        (
            &ALL,
            b"#User-agent: b\nUser-agent: a # b\n # c\nDisallow: /x#y\nAllow: #z\nDisallow # : /z\n",
            "a{4-/x 5+} !empty-allow:5 !no-colon:6",
        ),
        (&ALL, b"User-agent: a\nSitemap: http://s/#f\n#", "a{|2Sitemap}"),
        (&ALL, b"User-agent: a\nDisallow: /x%23y\nAllow:/ #\n", "a{2-/x%23y 3+/}"),
    ]);
}

#[test]
fn groups() {
    check(&[
        (
            &ALL,
            b"User-agent: a\nUser-agent: b\nDisallow: /x\nUser-agent: c\nAllow: /y\nUser-agent: d",
            "a,b{3-/x} c{5+/y} d{}",
        ),
        // blank lines and comments close nothing
        (&ALL, b"User-agent: a\n\n# c\n\nUser-agent: b\n\nDisallow: /x\n\nAllow: /y", "a,b{7-/x 9+/y}"),
        // a rule without a value is a rule
        (&ALL, b"User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /", "a{2-} b{4-/}"),
        (&ALL, b"User-agent: a\nAllow: \nUser-agent: b\nDisallow: /", "a{2+} b{4-/} !empty-allow:2"),
        // other records close nothing, which is worth a word; google-2017 closes at any record
        (OPEN, b"User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /", "a,b{4-/|2CrawlDelay} !group-merge:3"),
        (OPEN, b"User-agent: a\nSitemap: http://s/\n\nUser-agent: b\nDisallow: /", "a,b{5-/|2Sitemap} !group-merge:4"),
        (&[L], b"User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /", "a{|2CrawlDelay} b{4-/}"),
        (&[L], b"User-agent: a\nSitemap: http://s/\n\nUser-agent: b\nDisallow: /", "a{|2Sitemap} b{5-/}"),
        (
            &ALL,
            b"Sitemap: http://s/\nUser-agent: b\nDisallow: /\nHost: h\nUser-agent: c\nSitemap: http://t/",
            "b{3-/|4Host} c{|6Sitemap} !unused-key:4",
        ),
        (
            &ALL,
            b"Disallow: /\nAllow:\nCrawl-delay: 1\nUser-agent: a\nDisallow: /x",
            "a{5-/x} !rule-outside-group:1 !rule-outside-group:2",
        ),
    ]);
    let blank = &Dialect { blank_line_closes: true, ..Dialect::YANDEX };
    let record = &Dialect { any_record_closes: true, ..Dialect::GOOGLE };
    check(&[
        (
            &[blank],
            b"\nUser-agent: a\nDisallow: /x\n \t\nAllow: /y\nCrawl-delay: 2\n\
            User-agent: b\r\n#\r\nAllow: /z\r\n\r\nUser-agent: c",
            "a{3-/x} b{9+/z} c{} !rule-outside-group:5",
        ),
        (
            &[record],
            b"User-agent: a\nCrawl-delay: 5\nUser-agent: b\nUser-agent: c\nX: y\nDisallow: /\nUser-agent: d",
            "a{|2CrawlDelay} b,c{6-/|5Unknown} d{} !unknown-key:5",
        ),
        // what is no record closes nothing
        (&[record], b"User-agent: a\nnonsense\n: x\nUser-agent: b", "a,b{} !no-colon:2 !empty-key:3"),
    ]);
}

#[test]
fn agents() {
    let whole = &Dialect { agent_value: AgentValue::WholeToken, ..Dialect::RFC9309 };
    let star = &Dialect { star: Star::BeforeText, ..Dialect::RFC9309 };
    check(&[
        (&ALL, b"User-agent: *\nUser-agent: Foo_Bar-Z", "*,Foo_Bar-Z{}"),
        (
            &ALL,
            b"User-agent: Foo/2.1\nUser-agent: foo*\nUser-agent: Foo Bar",
            "Foo,foo,Foo{} !agent-not-token:1 !agent-not-token:2 !agent-not-token:3",
        ),
        (
            OPEN,
            b"User-agent: 3bot\nUser-agent: *foo\nUser-agent:\nUser-agent: **",
            "?,?,?,?{} !agent-names-nobody:1 !agent-names-nobody:2 !agent-names-nobody:3 !agent-names-nobody:4",
        ),
        (
            &[L],
            b"User-agent: 3bot\nUser-agent: *foo\nUser-agent:\nUser-agent: **\nUser-agent: /x",
            "3bot,?,?,?,?{} !agent-names-nobody:2 !agent-names-nobody:3 !agent-names-nobody:4 !agent-names-nobody:5",
        ),
        (OPEN, "User-agent: bôt".as_bytes(), "b{} !agent-not-token:1"),
        (&[L], "User-agent: bôt\nUser-agent: a.b_2\tc".as_bytes(), r"b\xc3\xb4t,a.b_2{} !agent-not-token:2"),
        (&[G, star], b"User-agent: * foo\nUser-agent: *\tx", "*,*{} !agent-not-token:1 !agent-not-token:2"),
        (&[G], b"User-agent: *\x0Cx", "*{} !agent-not-token:1"),
        (&[R, L, Y], b"User-agent: * foo\nUser-agent: *", "?,*{} !agent-names-nobody:1"),
        (&[whole], b"User-agent: Foo/2.1\nUser-agent: foo\nUser-agent: *", "?,foo,*{} !agent-names-nobody:1"),
    ]);
}

#[test]
fn patterns() {
    check(&[
        (
            &[G, R, D19, Y],
            b"User-agent: *\nDisallow: fish\nDisallow: http://h/x\nDisallow: *.php\nAllow:",
            "*{2-fish 3-http://h/x 4-*.php 5+} !dead-pattern:2 !url-pattern:3 !empty-allow:5",
        ),
        (&[L], b"User-agent: *\nDisallow: fish", "*{2-fish} !assumed-slash:2"),
    ]);
}

#[test]
fn records() {
    check(&[(
        &ALL,
        b"User-agent: *\nDisallow:\nCrawl-Delay: x\nRequest-rate: 10\nVisit-time: 1\nHost: a b\nClean-param: &\n\
          Content-signal:\n\
          Content-usage: /\nSitemap: /s.xml\nNoindex: /\nNofollow: /\nACAP-crawler: *\n\
          crawl-delays: 1\ncontent-signals: search=no",
        "*{2-|3CrawlDelay|4RequestRate|5VisitTime|6Host|7CleanParam|8ContentSignal\
         |9ContentUsage|10Sitemap|11Noindex|12Unused|13Unused\
         |14Unknown|15ContentSignal} !invalid-crawl-delay:3 !invalid-request-rate:4 \
         !invalid-visit-time:5 !unused-key:6 !invalid-host:6 \
         !invalid-clean-param:7 !invalid-content-signal:8 !invalid-content-usage:9 !invalid-sitemap:10 !unused-key:11 \
         !unused-key:12 \
         !unused-key:13 !unknown-key:14",
    )]);
}

#[test]
fn messages_are_short_and_plain() {
    let mut body = b"\xEFUser-agent: Foo/1\nX\x01: y\nHost: a b\nUser-agent: Bar\nAllow:\nDisallow: ".to_vec();
    body.resize(100_000, b'a');
    body.extend(b"\n\0\nnonsense\n: x\nCrawl-delay: \xFF\nFoo: \n");
    body.resize(600_000, b'\n');
    for dialect in ALL {
        let robots = parse(&body, dialect);
        assert!(robots.diagnostics().len() > 8);
        for noticed in robots.diagnostics() {
            let message = noticed.message(robots.body());
            assert!(message.len() < 300 && !message.ends_with('.') && !message.contains(char::is_control), "{message}");
            assert_eq!(noticed.severity, noticed.code.severity());
        }
    }
}

/// google/robotstxt's reporting tests: how many directives are understood, and where the last one stands.
#[test]
fn line_counts_of_the_reporting_parser() {
    let cases: [(&[u8], usize, u32, usize); 9] = [
        (b"User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n", 4, 6, 0),
        (b"User-Agent: foo\r\nAllow: /some/path\r\nUser-Agent: bar\r\n\r\n\r\nDisallow: /\r\n", 4, 6, 0),
        (b"User-Agent: foo\rAllow: /some/path\rUser-Agent: bar\r\r\rDisallow: /\r", 4, 6, 0),
        (b"User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /", 4, 6, 0),
        (b"User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /", 4, 6, 0),
        (b"\xEF\xBB\xBFUser-Agent: foo\nAllow: /AnyValue\n", 2, 2, 0),
        (b"\xEF\xBBUser-Agent: foo\nAllow: /AnyValue\n", 2, 2, 0),
        (b"\xEF\x11\xBFUser-Agent: foo\nAllow: /AnyValue\n", 1, 2, 1),
        (b"User-Agent: foo\n\xEF\xBB\xBFAllow: /AnyValue\n", 1, 1, 1),
    ];
    for (body, valid, last_line, unknown) in cases {
        let robots = parse(body, G);
        let outside = robots.diagnostics().iter().filter(|noticed| noticed.code.as_str() == "rule-outside-group");
        let lines = robots.agents().iter().map(|agent| agent.line).chain(robots.rules().iter().map(|rule| rule.line));
        let lines: Vec<_> = lines.chain(outside.map(|noticed| noticed.line)).collect();
        let found = (lines.len(), lines.iter().max().copied(), robots.records().len());
        assert_eq!(found, (valid, Some(last_line), unknown), "{}", body.escape_ascii());
    }
}

/// Parses with every line read step by step.
fn parse_slowly<'a>(body: &'a [u8], dialect: &Dialect) -> RobotsTxt<'a> {
    let mut parser = Parser::new(body, dialect);
    parser.read_lines(Parser::read_any_line);
    parser.into_robots_txt()
}

#[track_caller]
fn check_both_ways(body: &[u8], dialect: &Dialect) {
    let (quick, slow) = (parse(body, dialect), parse_slowly(body, dialect));
    let parts = |robots: &RobotsTxt<'_>| {
        (
            robots.groups.clone(),
            robots.agents.clone(),
            robots.rules.clone(),
            robots.records.clone(),
            robots.diagnostics.clone(),
        )
    };
    assert!(parts(&quick) == parts(&slow), "{} reads {} in two ways", dialect.name, body.escape_ascii());
    for noticed in &quick.diagnostics {
        assert!(noticed.span.start <= noticed.span.end && noticed.span.end as usize <= body.len());
        let _ = noticed.message(body);
    }
}

/// Returns the dialects, and some that close groups or cut lines otherwise.
fn dialects() -> Vec<Dialect> {
    let mut all: Vec<Dialect> = ALL.into_iter().cloned().collect();
    all.push(Dialect { blank_line_closes: true, any_record_closes: true, ..Dialect::GOOGLE });
    all.push(Dialect { max_line: Some(14), nul: Nul::IsKept, ..Dialect::GOOGLE });
    all.push(Dialect { max_line: Some(0), max_file: Some(40), ..Dialect::RFC9309 });
    all
}

#[test]
fn quick_and_slow_reading_agree() {
    const PIECES: [&[u8]; 40] = [
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r\n",
        b"\r",
        b" ",
        b" ",
        b"\t",
        b"\x0B",
        b"\0",
        b"#",
        b":",
        b":",
        b": ",
        b"!",
        b"\"",
        b"/",
        b"*",
        b"$",
        b"a",
        b"x-y/z",
        b"\xC3\xA9",
        b"User-agent: ",
        b"User-agent:",
        b"user-agent",
        b"useragent:",
        b"Disallow: ",
        b"Disallow:",
        b"disallow",
        b"disallowed:",
        b"disalow: ",
        b"Allow: ",
        b"allow:",
        b"Sitemap: ",
        b"sitemap:",
        b"http://s/",
        b"Crawl-delay: 1",
        b"\xEF\xBB\xBF",
        b"abcdefghijklmnopq",
    ];
    let dialects = dialects();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..40_000 {
        let body: Vec<u8> = (0..random(24)).flat_map(|_| PIECES[random(PIECES.len())]).copied().collect();
        for dialect in &dialects {
            check_both_ways(&body, dialect);
        }
    }
}

#[test]
fn quick_and_slow_reading_agree_on_real_files() {
    let shared = std::env::var_os("ROBOTSC_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    for folder in ["corpus/robots", "corpus/robots-modern", "corpus/junk"] {
        let Ok(files) = std::fs::read_dir(shared.join(folder)) else {
            eprintln!("skipped: no {folder} in {}", shared.display());
            continue;
        };
        for file in files.filter_map(Result::ok).step_by(if cfg!(debug_assertions) { 8 } else { 1 }) {
            if let Ok(body) = std::fs::read(file.path()) {
                for dialect in [G, R, L] {
                    check_both_ways(&body, dialect);
                }
            }
        }
    }
}
