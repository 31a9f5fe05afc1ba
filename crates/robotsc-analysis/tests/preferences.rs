//! What preferences mean: the cases of the drafts and of files in use, and what holds for all files.

mod preference_cases;

use preference_cases::{CASES, body};
use proptest::prelude::*;
use robotsc_analysis::lint::Lint;
use robotsc_analysis::preferences::{
    EffectivePreferences, PathPreferences, Preference, PreferenceProgram, Preferences, Reading, Source,
    StatedPreference, Vocabulary,
};
use robotsc_compiler::{Compiler, Crawler, DecidingRule, Dialect, RobotsTxt, RuleKind, RuleSet, UrlPath, reference};

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

/// Returns what is said of a path, in the compiled form.
fn compiled_form(effective: &EffectivePreferences) -> PathPreferences {
    let usage = |category| effective.usage.of(category).map_or(Preference::Unknown, |stated| stated.preference);
    let signal = |category| effective.signals.of(category).map_or(Preference::Unknown, |stated| stated.preference);
    PathPreferences::of_usage(usage).and(PathPreferences::of_signals(signal, effective.signals.use_level))
}

#[test]
fn cases() {
    for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
        for case in CASES {
            let body = body(case.robots);
            let robots = RobotsTxt::parse_with(body.as_bytes(), dialect);
            let read = Preferences::read(&robots, case.asked.0, case.reading).unwrap();
            let effective = read.at(case.asked.1).unwrap();
            if let Some(effective) = &effective {
                let compiled = read.compile(&Compiler::new()).unwrap();
                let program = PreferenceProgram::from_bytes(compiled.as_bytes()).unwrap();
                let path = robots.url_path(case.asked.1).unwrap();
                assert_eq!(program.at(path.as_path()).unwrap(), compiled_form(effective), "compiled: {}", case.name);
            }
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
