//! Rule sets that are made in code: what is not in normal form is normalized, and what could never match is refused.

use robotsc_build::CompiledSet;
use robotsc_build::model::{DeclaredRule, DeclaredSet, Test};
use robotsc_compiler::{AgentName, Dialect, RuleKind, RuleSet, Verdict};
use robotsc_runtime::embed::{HostPattern, OriginPattern, PortPattern};

fn declared(dialect: &Dialect) -> DeclaredSet {
    DeclaredSet {
        name: "own".to_owned(),
        description: String::new(),
        dialect: dialect.clone(),
        origins: Vec::new(),
        agents: Vec::new(),
        star: None,
        rules: Vec::new(),
        places: Vec::new(),
    }
}

fn deny(dialect: &Dialect, test: Test) -> DeclaredSet {
    let rule = DeclaredRule { verdict: Verdict::Disallow, test, name: None, place: 0 };
    DeclaredSet { rules: vec![rule], ..declared(dialect) }
}

#[track_caller]
fn is_allowed(declared: &DeclaredSet, agent: &str, url: &str) -> bool {
    let compiled = CompiledSet::of(declared).unwrap_or_else(|error| panic!("{error}"));
    let tables = compiled.tables().unwrap();
    let path = declared.dialect.url_path(url).unwrap();
    tables.set().is_allowed(AgentName::new(agent).unwrap(), path.as_path()).unwrap()
}

fn path(pattern: &str) -> Test {
    Test::Path(pattern.as_bytes().to_vec())
}

#[test]
fn patterns_and_names_are_normalized() {
    for dialect in &Dialect::ALL {
        for (test, url) in [
            (path("/caf\u{e9}"), "/caf\u{e9}"),
            (path("/caf%c3%a9"), "/caf%C3%A9/x"),
            (path("/caf%C3%A9"), "/caf\u{e9}"),
            (Test::Path(b"/caf\xc3\xa9".to_vec()), "/caf%c3%a9"),
            (Test::Query("n\u{e9}".as_bytes().to_vec()), "/?a=1&n\u{e9}=2"),
            (Test::Query(b"sid".to_vec()), "/?sid=1"),
        ] {
            let set = deny(dialect, test.clone());
            assert!(!is_allowed(&set, "FooBot", url), "{} {test:?} {url}", dialect.name);
            assert!(is_allowed(&set, "FooBot", "/other"), "{} {test:?}", dialect.name);
        }
    }
    // A dialect that assumes the slash takes what others refuse.
    assert!(!is_allowed(&deny(&Dialect::GOOGLE_2017, path("cart")), "FooBot", "/cart"));
}

#[test]
fn agents_are_found_in_any_case() {
    for dialect in &Dialect::ALL {
        for (agent, asked) in
            [("FooBot", "foobot"), ("foobot", "FOOBOT"), ("MJ12bot", "MJ12bot"), ("/mj12bot", "MJ12bot")]
        {
            let rules = RuleSet::from_rules(dialect, [(RuleKind::Disallow, "/", 1)]);
            let set = DeclaredSet { agents: vec![(agent.to_owned(), rules)], ..declared(dialect) };
            assert!(!is_allowed(&set, asked, "/a"), "{} {agent}", dialect.name);
            assert!(is_allowed(&set, "Other", "/a"), "{} {agent}", dialect.name);
        }
    }
}

#[test]
fn origins_are_canonical() {
    let origin = OriginPattern {
        scheme: None,
        host: HostPattern::Exact("Shop.Example.".to_owned()),
        port: PortPattern::Default,
    };
    let set = DeclaredSet { origins: vec![origin], ..deny(&Dialect::GOOGLE, path("/cart")) };
    let compiled = CompiledSet::of(&set).unwrap();
    let tables = compiled.tables().unwrap();
    let (set, agent) = (tables.set(), AgentName::new("FooBot").unwrap());
    let answer = set.verdict_url(agent, b"https://shop.example/cart").unwrap();
    assert_eq!(answer.map(|answer| answer.verdict), Some(Verdict::Disallow));
}

#[test]
fn what_could_never_match_is_refused() {
    let google = &Dialect::GOOGLE;
    let rules = |dialect| RuleSet::from_rules(dialect, [(RuleKind::Disallow, "/a", 1)]);
    let other_rules = RuleSet::from_rules(google, [(RuleKind::Disallow, "/b", 2)]);
    let agents = |agents: &[(&str, &RuleSet)]| DeclaredSet {
        agents: agents.iter().map(|(agent, rules)| ((*agent).to_owned(), (*rules).clone())).collect(),
        ..declared(google)
    };
    let host = |host: &str| OriginPattern {
        scheme: None,
        host: HostPattern::Exact(host.to_owned()),
        port: PortPattern::Default,
    };
    let mut out_of_place = deny(google, path("/cart"));
    out_of_place.rules[0].place = 7;
    for (set, part) in [
        (deny(google, path("cart")), "starts with neither `/` nor `*`"),
        (deny(google, path("https://shop.example/cart")), "starts with neither"),
        (deny(google, path("")), "is empty"),
        (deny(google, path("/cart ")), "white space"),
        (deny(google, path("/cart#top")), "a `#` is in none"),
        (deny(google, path("/a/../b")), "no URL has a path"),
        (deny(&Dialect::RFC9309, path("/*%2Fprint")), "one thing before a `?`"),
        (deny(google, Test::Regex("/caf%c3%a9".to_owned())), "it can match no path"),
        (deny(google, Test::Regex("cart".to_owned())), "can match no path"),
        (deny(google, Test::Regex("/(".to_owned())), "unclosed group"),
        (deny(google, Test::Query(b"a=b".to_vec())), "ends before a `=`"),
        (deny(google, Test::Query(b"".to_vec())), "it is empty"),
        (deny(google, Test::Query(b"a*".to_vec())), "a name holds no `*`"),
        (deny(google, Test::Query(b"\xff".to_vec())), "not UTF-8"),
        (agents(&[("*", &other_rules)]), "is no agent name"),
        (agents(&[("FooBot/2.1", &other_rules)]), "is no agent name"),
        (agents(&[("Foo Bot", &other_rules)]), "is no agent name"),
        (agents(&[("FooBot", &other_rules), ("foobot", &rules(google))]), "has rules twice"),
        (agents(&[("FooBot", &rules(&Dialect::RFC9309))]), "in another form"),
        (DeclaredSet { star: Some(rules(&Dialect::RFC9309)), ..declared(google) }, "in another form"),
        (DeclaredSet { origins: vec![host("a..b")], ..declared(google) }, "is no origin"),
        (DeclaredSet { origins: vec![host("shop.example/cart")], ..declared(google) }, "is no origin"),
        (out_of_place, "is at place 7 of 0"),
    ] {
        let error = CompiledSet::of(&set).expect_err(part);
        assert!(error.to_string().contains(part) && !error.is_limit_exceeded(), "{error}\nnot: {part}");
    }
}

#[test]
fn rules_in_order_are_normalized_or_refused() {
    for dialect in &Dialect::ALL {
        for pattern in ["/caf\u{e9}", "/caf%c3%a9", "/caf%C3%A9"] {
            let rules = RuleSet::in_order(dialect.path_form(), [(Verdict::Disallow, pattern, 1)]).unwrap();
            let path = dialect.url_path("https://shop.example/caf\u{e9}").unwrap();
            assert_eq!(rules.verdict(path.as_path()), Ok(Verdict::Disallow), "{} {pattern}", dialect.name);
        }
        for pattern in ["cart", "https://shop.example/", "\u{e9}"] {
            let error = RuleSet::in_order(dialect.path_form(), [(Verdict::Disallow, pattern, 1)]).unwrap_err();
            assert!(error.to_string().contains("starts with neither"), "{error}");
        }
    }
}
