//! What preferences mean: the cases of the drafts and of files in use, and what holds for all files.

use proptest::prelude::*;
use robotsc_analysis::lint::Lint;
use robotsc_analysis::preferences::{EffectivePreferences, Preferences, Reading, Source, StatedPreference, Vocabulary};
use robotsc_compiler::{Crawler, DecidingRule, Dialect, RobotsTxt, RuleKind, RuleSet, UrlPath, reference};

/// What is asked of a file.
struct Case {
    name: &'static str,
    /// The file: one record a `|`; a file without `User-agent` is one group for `*`.
    robots: &'static str,
    /// The agent, and the path.
    asked: (&'static str, &'static str),
    reading: Reading,
    header: Option<&'static str>,
    /// What is not unknown, as `label=value:line,line`, with `H` for the header; `disallowed` if nothing is said.
    usage: &'static str,
    signals: &'static str,
}

const READING: Reading = Reading { vocabulary: Vocabulary::NEWEST, signal_paths: true };
const WITHOUT_PATHS: Reading = Reading { signal_paths: false, ..READING };

const fn case(
    name: &'static str,
    robots: &'static str,
    asked: (&'static str, &'static str),
    usage: &'static str,
    signals: &'static str,
) -> Case {
    Case { name, robots, asked, reading: READING, header: None, usage, signals }
}

/// A `Content-Usage` without a path.
const fn dictionary(name: &'static str, robots: &'static str, usage: &'static str) -> Case {
    case(name, robots, ("Foo", "/"), usage, "")
}

/// A `Content-Usage` in a group for all agents.
const fn usage(name: &'static str, robots: &'static str, path: &'static str, usage: &'static str) -> Case {
    case(name, robots, ("Foo", path), usage, "")
}

/// A `Content-Signal` in a group for all agents.
const fn signal(name: &'static str, robots: &'static str, path: &'static str, signals: &'static str) -> Case {
    case(name, robots, ("Foo", path), "", signals)
}

/// The example of draft-ietf-aipref-attach-05.
const DRAFT: &str = "User-agent: *|Allow: /|Disallow: /never/|Content-Usage: train-ai=n|\
    Content-Usage: /ai-ok/ train-ai=y|User-agent: ExampleBot|Allow: /|Content-Usage: train-ai=y";

const CASES: &[Case] = &[
    case("the draft's own: other agents", DRAFT, ("Foo", "/test"), "train-ai=n:4", ""),
    case("the draft's own: a path that is not crawled", DRAFT, ("Foo", "/never/test"), "disallowed", "disallowed"),
    case("the draft's own: a longer path", DRAFT, ("Foo", "/ai-ok/test"), "train-ai=y:5", ""),
    case("the draft's own: a named agent", DRAFT, ("ExampleBot", "/test"), "train-ai=y:8", ""),
    case("the draft's own: a named agent, other path", DRAFT, ("ExampleBot", "/ai-ok/x"), "train-ai=y:8", ""),
    case("the draft's own: not for the named agent", DRAFT, ("ExampleBot", "/never/x"), "train-ai=y:8", ""),
    // Dictionaries.
    dictionary("1 plain", "Content-Usage: train-ai=y, search=n", "train-ai=y:2 search=n:2"),
    dictionary("2 the last of two keys", "Content-Usage: train-ai=y, train-ai, search=n, search=\"n\"", ""),
    dictionary("2 the last is a list", "Content-Usage: train-ai=n, train-ai=(y)", ""),
    dictionary("3 parameters of the first go", "Content-Usage: train-ai;allow=n, train-ai=y", "train-ai=y:2"),
    dictionary("4 a parameter without a key", "Content-Usage: train-ai;has;parameters=\"?\";", ""),
    dictionary("5 an upper-case key", "Content-Usage: Train-AI=n", ""),
    dictionary("6 one bad key spoils all", "Content-Usage: train-ai=n, SEARCH=y", ""),
    dictionary("7 an upper-case token", "Content-Usage: train-ai=N", ""),
    dictionary("8 the word of the other vocabulary", "Content-Usage: train-ai=no", ""),
    dictionary("9 a boolean", "Content-Usage: train-ai=?0", ""),
    dictionary("10 a blank for a comma", "Content-Usage: train-ai=n search=y", ""),
    dictionary("11 an empty member", "Content-Usage: train-ai=n,,search=y", ""),
    dictionary("11 a comma at the end", "Content-Usage: train-ai=n, search=y,", ""),
    dictionary("12 a retired label", "Content-Usage: bots=n, train-ai=y", "train-ai=y:2"),
    dictionary(
        "13 the newest revision",
        "Content-Usage: train-ai=n, ai-use=n, search=y",
        "train-ai=n:2 ai-use=n:2 search=y:2",
    ),
    Case {
        reading: Reading { vocabulary: &Vocabulary::REVISIONS[7], ..READING },
        ..dictionary("13 as -07 has it", "Content-Usage: train-ai=n, ai-use=n, search=y", "train-ai=n:2 search=y:2")
    },
    dictionary("14 an unknown parameter", "Content-Usage: train-ai=n;x=1, search=y", "train-ai=n:2 search=y:2"),
    dictionary("15 an inner list", "Content-Usage: train-ai=(n)", ""),
    dictionary("16 empty", "Content-Usage:", ""),
    // Paths.
    usage("17 the longer path", "Content-Usage: train-ai=n|Content-Usage: /a train-ai=y", "/ab", "train-ai=y:3"),
    usage("18 equal paths", "Content-Usage: /a train-ai=y|Content-Usage: /a search=n", "/a", "train-ai=y:2 search=n:3"),
    usage("19 the most restrictive", "Content-Usage: /a train-ai=y|Content-Usage: /a train-ai=n", "/a", "train-ai=n:3"),
    usage(
        "20 nothing is filled in",
        "Content-Usage: train-ai=n, search=y|Content-Usage: /a train-ai=y",
        "/a",
        "train-ai=y:3",
    ),
    case(
        "21 not crawlable",
        "Disallow: /a|Content-Usage: /a/b train-ai=y",
        ("Foo", "/a/b"),
        "disallowed",
        "disallowed",
    ),
    usage("22 an escaped slash is none", "Content-Usage: /a%2Fb train-ai=n", "/a/b", ""),
    usage(
        "23 bytes are escaped, and count so",
        "Content-Usage: /ä train-ai=n|Content-Usage: /*%A4 train-ai=y",
        "/%C3%A4",
        "train-ai=n:2",
    ),
    usage("24 wildcards", "Content-Usage: /*.png$ train-ai=n", "/x.png", "train-ai=n:2"),
    usage("24 the anchor", "Content-Usage: /*.png$ train-ai=n", "/x.png?1", ""),
    usage("25 a star is no path", "Content-Usage: *.png train-ai=n", "/x.png", ""),
    usage("26 a path alone", "Content-Usage: search=y|Content-Usage: /a", "/a", ""),
    usage("27 a tab, a comment", "Content-Usage: /a\ttrain-ai=n # x", "/a", "train-ai=n:2"),
    case(
        "28 no group ends at it",
        "User-agent: Foo|Content-Usage: train-ai=n|User-agent: *|Disallow: /",
        ("Foo", "/"),
        "disallowed",
        "disallowed",
    ),
    case(
        "29 nothing comes from the group for all",
        "User-agent: *|Content-Usage: train-ai=n|Allow: /|User-agent: Foo|Disallow: /x",
        ("Foo", "/"),
        "",
        "",
    ),
    case(
        "30 two groups of one agent",
        "User-agent: Foo|Content-Usage: /a train-ai=n|Allow: /|User-agent: Foo|Content-Usage: /b search=y|Allow: /",
        ("Foo", "/b"),
        "search=y:5",
        "",
    ),
    Case {
        header: Some("train-ai=n"),
        ..usage("31 the header", "Content-Usage: train-ai=y, search=y", "/", "train-ai=n:H search=y:2")
    },
    Case {
        header: Some("train-ai=y, search=n, ai-use=y"),
        ..usage(
            "31 line and header",
            "Content-Usage: train-ai=y, search=n",
            "/",
            "train-ai=y:2,H ai-use=y:H search=n:2,H",
        )
    },
    Case {
        header: Some("train-ai=n,"),
        ..usage("31 an unreadable header", "Content-Usage: train-ai=y", "/", "train-ai=y:2")
    },
    usage(
        "32 other paths of one length",
        "Content-Usage: /a* train-ai=y|Content-Usage: /ab train-ai=n",
        "/abc",
        "train-ai=n:3",
    ),
    // Content signals.
    signal(
        "33 plain",
        "Content-Signal: search=yes,ai-train=no,use=reference",
        "/",
        "ai-train=no:2 search=yes:2 use=reference:2",
    ),
    case(
        "34 the stricter level",
        "User-agent: Foo|Content-Signal: use=full|Allow: /|User-agent: Foo|Content-Signal: use=reference|Allow: /",
        ("Foo", "/"),
        "",
        "use=reference:5",
    ),
    signal("35 no signal", "Content-Signal: search=yes, search-ai=yes", "/", "search=yes:2"),
    signal("36 no value", "Content-Signal: ai-train=conditional", "/", ""),
    signal("37 a path", "Content-Signal: /blog/ ai-train=no, search=yes", "/blog/x", "ai-train=no:2 search=yes:2"),
    signal("37 a path, another page", "Content-Signal: /blog/ ai-train=no, search=yes", "/about", ""),
    Case {
        reading: WITHOUT_PATHS,
        ..signal("37 without paths", "Content-Signal: /blog/ ai-train=no, search=yes", "/blog/x", "")
    },
    Case {
        reading: WITHOUT_PATHS,
        ..signal("37 without paths, another page", "Content-Signal: /blog/ ai-train=no, search=yes", "/about", "")
    },
    signal("37 a star is no path", "Content-Signal: *.png ai-train=no, search=yes", "/about", ""),
    signal("37 nor is a word", "Content-Signal: blog/ ai-train=no, search=yes", "/about", ""),
    signal("37 nor is one after a path", "Content-Signal: /a blog/ ai-train=no, search=yes", "/a", ""),
    signal("38 a semicolon", "Content-Signal: ai-train=no; search=yes", "/", ""),
    case(
        "39 a group of its own",
        "User-agent: *|Content-Signal: ai-train=no|Allow: /|User-agent: GPTBot|Allow: /",
        ("GPTBot", "/"),
        "",
        "",
    ),
    // Both vocabularies, and unknown.
    case(
        "both vocabularies stay apart",
        "Content-Signal: ai-train=no|Content-Usage: search=y",
        ("Foo", "/"),
        "search=y:3",
        "ai-train=no:2",
    ),
    signal("a lone level", "Content-Signal: use=Immediate", "/", "use=immediate:2"),
    signal(
        "a path overrides the file-wide signal",
        "Content-Signal: ai-train=no, use=immediate|Content-Signal: /blog/ search=yes",
        "/blog/x",
        "search=yes:3",
    ),
    signal(
        "several lines say no",
        "Content-Signal: ai-train=no|Content-Signal: ai-train=yes|Content-Signal: ai-train=no",
        "/",
        "ai-train=no:2,4",
    ),
    case("no group", "User-agent: Bar|Content-Usage: train-ai=n|Allow: /", ("Foo", "/"), "", ""),
    usage("an index page opens no folder here", "Content-Usage: /a/index.html train-ai=n", "/a/", ""),
];

fn body(robots: &str) -> String {
    let text = robots.replace('|', "\n") + "\n";
    if text.starts_with("User-agent") { text } else { format!("User-agent: *\n{text}") }
}

fn sources(stated: &StatedPreference) -> String {
    let shown = stated.sources.iter().map(|source| match source {
        Source::Line(line) => line.to_string(),
        _ => "H".to_owned(),
    });
    shown.collect::<Vec<_>>().join(",")
}

/// Returns what is said, as in [`Case`]: of usage and of signals.
fn shown(effective: Option<EffectivePreferences>) -> (String, String) {
    let Some(EffectivePreferences { usage, signals }) = effective else {
        return ("disallowed".to_owned(), "disallowed".to_owned());
    };
    let list = |stated: &[StatedPreference], words: [&str; 2]| -> Vec<String> {
        let said = stated.iter().filter_map(|stated| Some((stated, stated.preference.as_bool()?)));
        said.map(|(stated, yes)| format!("{}={}:{}", stated.label.name, words[usize::from(yes)], sources(stated)))
            .collect()
    };
    let mut of_signals = list(&signals.stated, ["no", "yes"]);
    let lines: Vec<String> = signals.use_lines.iter().map(ToString::to_string).collect();
    of_signals.extend(signals.use_level.map(|level| format!("use={level}:{}", lines.join(","))));
    (list(&usage.stated, ["n", "y"]).join(" "), of_signals.join(" "))
}

#[test]
fn cases() {
    for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
        for case in CASES {
            let body = body(case.robots);
            let robots = RobotsTxt::parse_with(body.as_bytes(), dialect);
            let read = Preferences::read(&robots, case.asked.0, case.reading).unwrap();
            let effective = read.at(case.asked.1).unwrap();
            let effective = match case.header {
                Some(header) => effective.map(|effective| effective.combine(header)),
                None => effective,
            };
            let wanted = (case.usage.to_owned(), case.signals.to_owned());
            assert_eq!(shown(effective), wanted, "{} {}", dialect.name, case.name);
        }
    }
}

/// More `*` before an escape than a rule set has exact patterns for: an Allow matches less, a Disallow more.
const MANY_STARS: &str = "/*a*b*c*d*e*f*g*h*i%2Fp";

/// A no is not lost to a pattern that is not decided exactly, and no yes comes from it.
#[test]
fn patterns_that_are_not_decided_exactly_only_restrict() {
    for (lines, path, wanted) in [
        ("Content-Usage: train-ai=y|Content-Usage: @ train-ai=n", "/x?abcdefghi/p", "train-ai=n:3"),
        ("Content-Usage: @ train-ai=n", "/x?abcdefghi/p", "train-ai=n:2"),
        // It overrides no other: what it matches in addition must not hide a no.
        ("Content-Usage: train-ai=n|Content-Usage: @ train-ai=y", "/x?abcdefghi/p", "train-ai=n:2"),
        ("Content-Usage: train-ai=n|Content-Usage: @", "/x?abcdefghi/p", "train-ai=n:2"),
        // The yes of one of them is none; that of both is.
        ("Content-Usage: @ train-ai=y", "/x?abcdefghi/p", ""),
        ("Content-Usage: train-ai=y|Content-Usage: @ search=y", "/x?abcdefghi/p", ""),
        ("Content-Usage: train-ai=y|Content-Usage: @ train-ai=y", "/x?abcdefghi/p", "train-ai=y:2"),
        // A longer pattern that is decided exactly hides it, as any other.
        (
            "Content-Usage: @ train-ai=n|Content-Usage: /x?abcdefghi/pabcdefghij train-ai=y",
            "/x?abcdefghi/pabcdefghij",
            "train-ai=y:3",
        ),
        // Outside the query it is decided exactly.
        ("Content-Usage: train-ai=n|Content-Usage: @ train-ai=y", "/abcdefghi%2Fp", "train-ai=y:3"),
        ("Content-Usage: train-ai=y|Content-Usage: @ train-ai=n", "/x?abcdefgh/p", "train-ai=y:2"),
    ] {
        let body = body(&lines.replace('@', MANY_STARS));
        let robots = RobotsTxt::parse_with(body.as_bytes(), &Dialect::RFC9309);
        let effective = Preferences::of(&robots, "Foo").unwrap().at(path).unwrap();
        assert_eq!(shown(effective).0, wanted, "{lines} {path}");
    }
    let robots = body(&format!("Content-Signal: use=full|Content-Signal: {MANY_STARS} use=immediate"));
    let robots = RobotsTxt::parse_with(robots.as_bytes(), &Dialect::RFC9309);
    let effective = Preferences::of(&robots, "Foo").unwrap().at("/x?abcdefghi/p").unwrap();
    assert_eq!(shown(effective).1, "use=immediate:3");
}

/// `License` of RSL is of the whole file, and no part of any group.
#[test]
fn licenses() {
    let findings = |body: &str| -> Vec<(u32, &'static str)> {
        let found = Lint::new().run(&RobotsTxt::parse(body.as_bytes()));
        found.iter().filter(|one| one.check.code() == "license-form").map(|one| (one.line, one.check.code())).collect()
    };
    let rules = "User-agent: *\nDisallow: /cart/\n";
    for (name, body, wanted) in [
        ("40 before the groups", format!("License: https://e.example/l.xml\n{rules}"), &[][..]),
        ("40 in a group", format!("{rules}License: https://e.example/l.xml\n"), &[]),
        ("41 two", format!("License: https://e.example/l.xml\nLicense: https://e.example/m.xml\n{rules}"), &[]),
        ("42 no absolute URL", format!("{rules}License: /l.xml\n"), &[(3, "license-form")]),
    ] {
        assert_eq!(findings(&body), wanted, "{name}");
    }
    for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
        let body = "User-agent: a\nLicense: https://e.example/l.xml\nUser-agent: b\nDisallow: /\n";
        assert_eq!(RobotsTxt::parse_with(body.as_bytes(), dialect).groups().len(), 1, "43 {}", dialect.name);
    }
}

#[test]
fn wrong_questions_are_errors() {
    let robots = RobotsTxt::for_origin("https://shop.example", b"User-agent: *\nContent-Usage: train-ai=n\n").unwrap();
    assert!(Preferences::of(&robots, "FooBot/1.2").is_err());
    let preferences = Preferences::of(&robots, "FooBot").unwrap();
    for url in ["", "mailto:me@shop.example", "https://other.example/", "shop.example/x"] {
        assert!(preferences.at(url).is_err(), "{url}");
    }
    let other = Dialect::RFC9309.path_form();
    assert_ne!(other, Dialect::GOOGLE.path_form());
    assert!(preferences.at_path(UrlPath::assume(b"/", other)).is_err());
}

/// Reports whether the reference matcher finds that a pattern matches a path.
fn matches(dialect: &Dialect, pattern: &str, path: UrlPath<'_>) -> bool {
    let rules = RuleSet::from_rules(dialect, [(RuleKind::Disallow, pattern, 1)]);
    !DecidingRule::verdict_of(reference::deciding_rule(&rules, path).unwrap()).is_allow()
}

fn length(dialect: &Dialect, pattern: &str) -> u32 {
    RuleSet::from_rules(dialect, [(RuleKind::Allow, pattern, 1)]).rules()[0].length
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic(
        body in any::<Vec<u8>>(),
        value in "\\PC{0,40}",
        header in any::<Vec<u8>>(),
        tail in any::<Vec<u8>>(),
    ) {
        let start = format!("User-agent: *\nContent-Usage: {value}\nContent-Signal: {value}\n");
        let body = [start.as_bytes(), b"content-usage: /", &tail, b"\ncontent-signal:", &tail, b"\n", &body].concat();
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(&body, dialect);
            for vocabulary in &Vocabulary::REVISIONS {
                let read = Preferences::read(&robots, Crawler::others(), Reading { vocabulary, ..Reading::default() });
                if let Some(effective) = read.unwrap().at("/a").unwrap() {
                    let _ = effective.combine(&header);
                }
            }
        }
    }

    #[test]
    fn the_longest_patterns_that_match_hold_and_no_other(
        patterns in prop::collection::vec("(/([ab/?]|[*]|%2F|%61){0,4}[$]?)?", 1..6),
        path in "/([ab?]([ab/?]|%2F){0,5})?",
        key in prop::sample::select(&["Content-Usage", "Content-Signal"][..]),
    ) {
        let records: Vec<String> = patterns.iter().map(|pattern| format!("{key}: {pattern} search=y")).collect();
        let body = format!("User-agent: *\n{}\n", records.join("\n"));
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(body.as_bytes(), dialect);
            let asked = robots.url_path(&path).unwrap();
            let effective = Preferences::of(&robots, "Foo").unwrap().at_path(asked.as_path()).unwrap().unwrap();
            let lines = if key == "Content-Usage" { effective.usage.lines } else { effective.signals.lines };
            // No pattern is shorter than any; its records hold if none matches.
            let fitting = (2..).zip(&patterns).filter_map(|(line, pattern)| {
                if pattern.is_empty() {
                    return Some((line, None));
                }
                matches(dialect, pattern, asked.as_path()).then(|| (line, Some(length(dialect, pattern))))
            });
            let fitting: Vec<(u32, Option<u32>)> = fitting.collect();
            let longest = fitting.iter().map(|(_, length)| *length).max();
            let wanted = fitting.iter().filter(|(_, length)| Some(*length) == longest).map(|(line, _)| *line);
            prop_assert_eq!(lines, wanted.collect::<Vec<_>>(), "{} {}", dialect.name, body);
        }
    }
}
