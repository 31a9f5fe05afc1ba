//! Sets of borrowed parts: agents, origins, places. `robotsc-build`, which compiles rules, tests their verdicts.

use robotsc_runtime::embed::{
    AgentGroup, Declared, DeclaredQuery, HostPattern, NamedAgent, NotPlain, OriginPattern, Parts, Places, PortPattern,
    Set, Sets,
};
use robotsc_runtime::url::Scheme;
use robotsc_runtime::{AgentMatch, AgentName, PathForm, Program, UrlPath, Verdict};

fn at(path: &(impl AsRef<[u8]> + ?Sized)) -> UrlPath<'_> {
    UrlPath::assume(path.as_ref(), PathForm::Escaped)
}

fn name(name: &str) -> AgentName<'_> {
    AgentName::new(name).unwrap()
}

/// Disallow everything that starts with `/a`, everything that starts with `/b`, and everything.
const ONLY_A: &[u8] = b"RP\x03\0\0\0\0\0\x01\0\0\0\x01\x02/a\x08";
const ONLY_B: &[u8] = b"RP\x03\0\0\0\0\0\x01\0\0\0\x01\x02/b\x08";
const NOTHING: &[u8] = b"RP\x03\0\0\0\0\0\x01\0\0\0\x08";

const fn group(verdicts: &'static [u8]) -> AgentGroup<'static> {
    AgentGroup { verdict: Some(robotsc_runtime::embed::program(verdicts)), deciding_rule: None, rules_before: 0 }
}

const GROUPS: &[AgentGroup<'static>] = &[group(ONLY_A), group(ONLY_B), group(NOTHING)];

const fn parts(name: &'static str, origins: &'static [OriginPattern<&'static str>]) -> Parts<'static> {
    Parts {
        name,
        description: "",
        dialect: "google",
        form: PathForm::Escaped,
        agent_match: AgentMatch::Exact,
        origins,
        agents: &[
            NamedAgent { token: "bot", group: 1 },
            NamedAgent { token: "foobot", group: 0 },
            NamedAgent { token: "foobot-image", group: 1 },
        ],
        groups: GROUPS,
        star: Some(2),
        declared: Declared::NONE,
        places: Places::NONE,
    }
}

const ANYWHERE: OriginPattern<&str> = OriginPattern::ANY;

#[test]
fn agents_are_found_as_the_dialect_says() {
    for (agent_match, agent, path_a, path_b) in [
        (AgentMatch::Exact, "FooBot", false, true),
        (AgentMatch::Exact, "FOOBOT-IMAGE", true, false),
        (AgentMatch::Exact, "FooBot-Images", false, false),
        (AgentMatch::LongestPrefixAtHyphen, "foobot-news", false, true),
        (AgentMatch::LongestPrefixAtHyphen, "foobot-image-x", true, false),
        (AgentMatch::LongestPrefixAtHyphen, "foobots", false, false),
        (AgentMatch::LongestPrefix, "FooBots", false, true),
        (AgentMatch::LongestPrefix, "bottle", true, false),
        (AgentMatch::LongestPrefix, "bo", false, false),
        (AgentMatch::LongestPrefix, "\u{e4}", false, false),
    ] {
        let set = Set::from_parts(Parts { agent_match, ..parts("a", &[]) });
        let answers =
            (set.is_allowed(name(agent), at(b"/a")).unwrap(), set.is_allowed(name(agent), at(b"/b")).unwrap());
        assert_eq!(answers, (path_a, path_b), "{agent_match:?} {agent}");
    }
    let set = Set::from_parts(Parts { star: None, ..parts("a", &[]) });
    assert!(set.is_allowed(name("other"), at(b"/a")).unwrap());
    assert!(set.agents().eq(["bot", "foobot", "foobot-image"]));
}

#[test]
fn numbers_that_lead_nowhere_allow_nothing() {
    let broken = Parts { agents: &[NamedAgent { token: "a", group: 9 }], star: Some(7), ..parts("a", &[]) };
    let set = Set::from_parts(broken);
    assert!(
        !set.is_allowed(name("a"), at(b"/")).unwrap() && !set.verdict(name("b"), at(b"/")).unwrap().verdict.is_allow()
    );
}

const fn origin(
    scheme: Option<Scheme>,
    host: HostPattern<&'static str>,
    port: PortPattern,
) -> OriginPattern<&'static str> {
    OriginPattern { scheme, host, port }
}

#[test]
fn origins_cover() {
    use HostPattern::{Any, Below, Exact};
    use Scheme::{Ftp, Http, Https};
    let named = PortPattern::Exact;
    for (pattern, scheme, host, port, covers) in [
        (origin(None, Exact("a.b"), PortPattern::Default), Http, "a.b", None, true),
        (origin(None, Exact("a.b"), PortPattern::Default), Http, "a.b", Some(80), true),
        (origin(None, Exact("a.b"), PortPattern::Default), Https, "a.b", Some(80), false),
        (origin(None, Exact("a.b"), PortPattern::Default), Http, "x.a.b", None, false),
        (origin(Some(Https), Exact("a.b"), PortPattern::Any), Https, "a.b", Some(8443), true),
        (origin(Some(Https), Exact("a.b"), PortPattern::Any), Http, "a.b", None, false),
        (origin(None, Below("a.b"), PortPattern::Any), Ftp, "x.a.b", None, true),
        (origin(None, Below("a.b"), PortPattern::Any), Ftp, "y.x.a.b", None, true),
        (origin(None, Below("a.b"), PortPattern::Any), Ftp, "a.b", None, false),
        (origin(None, Below("a.b"), PortPattern::Any), Ftp, "xa.b", None, false),
        (origin(None, Any, named(8080)), Http, "x", Some(8080), true),
        (origin(None, Any, named(443)), Https, "x", None, true),
        (origin(None, Any, named(8080)), Http, "x", None, false),
    ] {
        assert_eq!(pattern.covers(scheme, host, port), covers, "{pattern:?} {scheme:?} {host} {port:?}");
    }
}

#[test]
fn the_closest_set_comes_first() {
    use HostPattern::{Below, Exact};
    const NAMES: [&str; 8] = ["any", "below", "longer", "exact", "exact-https", "port", "elsewhere", "any-again"];
    static ORIGINS: [&[OriginPattern<&'static str>]; 8] = [
        &[ANYWHERE],
        &[origin(None, Below("b"), PortPattern::Any), ANYWHERE],
        &[origin(None, Below("a.b"), PortPattern::Any)],
        &[origin(None, Exact("x.a.b"), PortPattern::Default)],
        &[origin(Some(Scheme::Https), Exact("x.a.b"), PortPattern::Default)],
        &[origin(None, Exact("x.a.b"), PortPattern::Exact(443))],
        &[origin(None, Exact("y.a.b"), PortPattern::Any)],
        &[ANYWHERE],
    ];
    let sets: [Set<'static>; 8] = core::array::from_fn(|number| Set::from_parts(parts(NAMES[number], ORIGINS[number])));
    let all: Vec<&Set<'_>> = sets.iter().collect();
    let sets = Sets::new(&all);
    let names = |scheme, host, port| {
        let names: Vec<_> = sets.for_origin(scheme, host, port).map(Set::name).collect();
        names
    };
    assert_eq!(
        names(Scheme::Https, "x.a.b", None),
        ["port", "exact-https", "exact", "longer", "below", "any", "any-again"]
    );
    assert_eq!(names(Scheme::Http, "x.a.b", None), ["exact", "longer", "below", "any", "any-again"]);
    assert_eq!(names(Scheme::Http, "c", Some(81)), ["any", "below", "any-again"]);
    assert_eq!(sets.by_name("exact").map(Set::name), Some("exact"));
    assert!(sets.by_name("none").is_none());
    let of_url: Vec<_> = sets.for_url(b"https://x.a.b:443/p#x").unwrap().map(Set::name).collect();
    assert_eq!(of_url, names(Scheme::Https, "x.a.b", None));
    assert!(sets.for_url(b"https://X.a.b/p").is_err());
    assert_eq!((sets.len(), sets.is_empty()), (8, false));
}

#[test]
fn urls() {
    static HERE: &[OriginPattern<&'static str>] = &[origin(None, HostPattern::Exact("a.b"), PortPattern::Default)];
    let set = Set::from_parts(parts("a", HERE));
    let verdict =
        |url: &str| set.verdict_url(name("FooBot"), url.as_bytes()).map(|answer| answer.map(|answer| answer.verdict));
    for (url, expected) in [
        ("http://a.b/a", Ok(Some(Verdict::Disallow))),
        ("https://a.b/b?a", Ok(Some(Verdict::Allow))),
        ("http://c.b/a", Ok(None)),
        ("http://a.b:81/a", Ok(None)),
        ("http://a.b/a#x", Ok(Some(Verdict::Disallow))),
        ("http://a.b/#/a", Ok(Some(Verdict::Allow))),
        ("http://a.b#/a", Ok(Some(Verdict::Allow))),
        ("http://a.b:80/a", Ok(Some(Verdict::Disallow))),
        ("https://a.b:443/a#x:", Ok(Some(Verdict::Disallow))),
        ("https://a.b:443", Ok(Some(Verdict::Allow))),
        ("https://a.b:80/a", Ok(None)),
        ("http://a.b:80:80/a", Err(NotPlain)),
        ("http://a.b:080/a", Err(NotPlain)),
        ("http://x@a.b:80/a", Err(NotPlain)),
        ("http://a.b:80?a", Err(NotPlain)),
        // The form keeps escapes as they are written: this is not `/a`.
        ("http://a.b/%61", Ok(Some(Verdict::Allow))),
        ("http://a.b/%2e%2e/a", Err(NotPlain)),
        ("http://a.b/\u{e9}", Err(NotPlain)),
        ("http://A.b:80/a", Err(NotPlain)),
        ("a.b/a", Err(NotPlain)),
        ("", Err(NotPlain)),
    ] {
        assert_eq!(verdict(url), expected, "{url}");
    }
    assert!(NotPlain.to_string().contains("`robotsc::url::url_path(url, set.path_form())`"), "{NotPlain}");
}

#[test]
fn sets_outlive_the_url_that_they_were_found_by() {
    static EVERYWHERE: &[OriginPattern<&'static str>] = &[ANYWHERE];
    let set = Set::from_parts(parts("a", EVERYWHERE));
    let sets = [&set];
    let found = {
        let url = String::from("https://a.b:443/x");
        Sets::new(&sets).for_url(url.as_bytes()).unwrap().next().map(Set::name)
    };
    assert_eq!(found, Some("a"));
}

#[test]
fn query_names() {
    let queries = &[DeclaredQuery { name: b"a", rule: 1 }, DeclaredQuery { name: b"bc", rule: 0 }];
    // The second rule, for `a`, allows; the first, for `bc`, disallows.
    let rules = &[1, 0, 0, 0, 2, 0, 0, 0x80];
    let declared = Declared { queries, rules, ..Declared::NONE };
    let set = Set::from_parts(Parts { declared, ..parts("a", &[]) });
    for (path, allowed) in [
        ("/a?a", true),
        ("/a?a=1", true),
        ("/a?x&a=1", true),
        ("/a?x;a", true),
        ("/a?a&bc", false),
        ("/?bc=a", false),
        ("/a?x=a", false),
        ("/a?aa", false),
        ("/a?A", false),
        ("/a?b=c?a", false),
        ("/a&a", false),
        ("/a", false),
    ] {
        assert_eq!(set.is_allowed(name("FooBot"), at(path.as_bytes())).unwrap(), allowed, "{path}");
    }
    // A number beyond the rules disallows.
    let declared = Declared { queries: &[DeclaredQuery { name: b"a", rule: 9 }], ..declared };
    let set = Set::from_parts(Parts { declared, ..parts("a", &[]) });
    let allowed = |path: &str| set.is_allowed(name("FooBot"), at(path)).unwrap();
    assert!(!allowed("/b?a") && allowed("/b?b"));
}

/// A block: where its records start, a line, a file, and for each place its bytes of line and length.
fn block(start: u8, line: u8, file: u8, places: &[(u8, u8)]) -> Vec<u8> {
    let mut block = vec![start, 0, 0, 0, line, 0, 0, 0, file, 0];
    let column = |of: fn(&(u8, u8)) -> u8| (0..16).map(move |at| places.get(at).map_or(0, of));
    block.extend(column(|place| place.0));
    block.extend(column(|place| place.1));
    block
}

/// A table of 18 places in two files.
fn table() -> Vec<u8> {
    let mut table = vec![18, 0, 0, 0, 3, 0, 0, 0];
    // The fourth says its file, line and name itself, the fifth its length.
    let mut first = vec![(0, 2), (3, 1), (1, 0), (255, 11), (254, 255)];
    first.resize(16, (9, 1));
    table.extend(block(0, 7, 0, &first));
    table.extend(block(34, 8, 1, &[(0, 1), (0, 1)]));
    table.extend([18, 0, 4]);
    table.extend_from_slice(b"abc");
    table.extend_from_slice(b"\x01\x00\x00\x01\x00\x00\x02\x00nmd");
    table.extend_from_slice(b"\x05\x00\x00\x00fghij");
    table.extend_from_slice(b"0123456789aYZ");
    table
}

const FILES: &[&str] = &["a.ron", "b.ron"];

#[test]
fn places() {
    let table = table();
    let places = Places::new(FILES, &table);
    let shown = |places: Places<'_>| -> Vec<String> {
        places.iter().map(|rule| format!("{}:{} {:?} {}", rule.file, rule.line, rule.name, rule.text)).collect()
    };
    let all = shown(places);
    let expected =
        ["a.ron:7 None ab", "a.ron:10 None c", "a.ron:8 None ", "b.ron:256 Some(\"nm\") d", "a.ron:261 None fghij"];
    assert_eq!(all[..5], expected);
    assert_eq!((all[5].as_str(), all[15].as_str()), ("a.ron:16 None 0", "a.ron:16 None a"));
    assert_eq!(all[16..], ["b.ron:8 None Y", "b.ron:8 None Z"]);
    assert_eq!((places.get(0), places.get(19), places.len()), (None, None, 18));
}

#[test]
fn altered_places_do_no_harm() {
    let table = table();
    for bit in 0..table.len() * 8 {
        let mut altered = table.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        let altered = Places::new(FILES, &altered);
        let _ = (0..20).filter_map(|number| altered.get(number)).count();
        let _ = altered.iter().count();
    }
    for length in 0..table.len() {
        let _ = Places::new(FILES, &table[..length]).iter().count();
    }
}

/// A program that reaches its rule 1, which disallows, after `/`, and its rule 2, which allows, after `/a`.
const NUMBERED: &[u8] = b"RP\x03\x01\0\0\0\0\x01\0\0\0\x01\x01/\x09\x02\x01a\x08\x05";

#[test]
fn programs_reach_rules_by_number() {
    let program = Program::from_trusted(NUMBERED).unwrap();
    let mut table = vec![3, 0, 0, 0, 5, 0, 0, 0];
    table.extend(block(0, 1, 0, &[(0, 1), (1, 1), (2, 1)]));
    table.extend([0, 0, 3, 1, 0]);
    table.extend_from_slice(b"abc");
    let places = Places::new(&["x"], &table);
    for (rules_before, slash, letter) in [(2, Some("c"), Some("a")), (3, Some("a"), None), (4, None, None)] {
        let groups = &[AgentGroup { verdict: None, deciding_rule: Some(program), rules_before }];
        let set = Set::from_parts(Parts { groups, agents: &[], star: Some(0), places, ..parts("a", &[]) });
        for (path, allowed, text) in [("/", false, slash), ("/a", true, letter), ("x", true, None)] {
            let answer = set.verdict(name("FooBot"), at(path.as_bytes())).unwrap();
            assert_eq!(answer.rule.map(|rule| rule.text), text, "{rules_before} {path}");
            let verdicts = (answer.verdict.is_allow(), set.is_allowed(name("FooBot"), at(path.as_bytes())).unwrap());
            assert_eq!(verdicts, (allowed, allowed), "{rules_before} {path}");
        }
    }
    // Nothing is allowed by mistake.
    let groups = &[AgentGroup { verdict: None, deciding_rule: None, rules_before: 0 }];
    let set = Set::from_parts(Parts { groups, star: Some(0), agents: &[], ..parts("a", &[]) });
    assert!(
        !set.is_allowed(name("a"), at(b"/")).unwrap() && !set.verdict(name("a"), at(b"/")).unwrap().verdict.is_allow()
    );
}

#[test]
fn a_set_can_be_a_static() {
    static SET: Set<'static> = Set::from_parts(Parts {
        groups: &[AgentGroup { verdict: Some(PROGRAM), deciding_rule: Some(PROGRAM), rules_before: 0 }],
        agents: &[],
        star: Some(0),
        ..parts("a", &[ANYWHERE])
    });
    const PROGRAM: Program<'static> = robotsc_runtime::embed::program(Program::allow_all(PathForm::Escaped).as_bytes());
    assert!(
        SET.is_allowed(name("a"), at(b"/")).unwrap() && SET.verdict(name("a"), at(b"/")).unwrap().verdict.is_allow()
    );
}
