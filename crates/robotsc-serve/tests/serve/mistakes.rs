//! A mistake in a request is an error that names the value; no request makes the server fail.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::server::{pack, start};

#[test]
fn mistakes_name_the_value() {
    let server = start(|_| ());
    let robots = json!({"text": "User-agent: *\nDisallow: /cart\n"});
    for (path, body, problem) in [
        ("/v1/check", json!({}), ("bad-json", "")),
        ("/v1/check", json!([]), ("bad-json", "")),
        ("/v1/check", json!({"robots": robots, "agents": ["a"], "urls": ["/"], "x": 1}), ("bad-json", "/x")),
        ("/v1/check", json!({"robots": robots, "agents": "a", "urls": ["/"]}), ("bad-json", "/agents")),
        ("/v1/check", json!({"robots": robots, "agents": ["a"], "urls": ["/", 1]}), ("bad-json", "/urls/1")),
        ("/v1/check", json!({"robots": {}, "agents": ["a"], "urls": ["/"]}), ("bad-robots", "/robots")),
        (
            "/v1/check",
            json!({"robots": {"base64": "?"}, "agents": ["a"], "urls": ["/"]}),
            ("bad-base64", "/robots/base64"),
        ),
        ("/v1/check", json!({"robots": robots, "agents": [], "urls": ["/"]}), ("no-agent", "/agents")),
        (
            "/v1/check",
            json!({"robots": robots, "agents": ["a", "purpose:x"], "urls": ["/"]}),
            ("bad-purpose", "/agents/1"),
        ),
        ("/v1/check", json!({"robots": robots, "agents": ["a"], "urls": []}), ("no-url", "/urls")),
        (
            "/v1/check",
            json!({"robots": robots, "agents": ["a"], "urls": ["/"], "dialect": "bing"}),
            ("bad-dialect", "/dialect"),
        ),
        ("/v1/explain", json!({"robots": robots, "agent": "Foo/1 (x y)", "url": "/"}), ("bad-agent", "/agent")),
        ("/v1/explain", json!({"robots": robots, "agent": "a", "url": "mailto:x"}), ("bad-url", "/url")),
        (
            "/v1/explain",
            json!({"robots": {"pack_origin": "http://a"}, "agent": "a", "url": "/"}),
            ("no-lines", "/robots/pack_origin"),
        ),
        ("/v1/diff", json!({"old": robots, "new": {"base64": "?"}}), ("bad-base64", "/new/base64")),
        (
            "/v1/diff",
            json!({"old": robots, "new": robots, "dialects": ["google", "x"]}),
            ("bad-dialect", "/dialects/1"),
        ),
        ("/v1/diff", json!({"old": robots, "new": robots, "urls": ["/", "x"]}), ("bad-url", "/urls/1")),
        ("/v1/automaton", json!({"robots": robots, "agent": "purpose:search", "url": "/"}), ("bad-agent", "/agent")),
        ("/v1/automaton", json!({"robots": robots, "agent": "operator:Google", "url": "/"}), ("bad-agent", "/agent")),
        ("/v1/explain", json!({"robots": robots, "agent": "operator:OpenAI", "url": "/"}), ("bad-agent", "/agent")),
    ] {
        let response = server.post(path, &body);
        assert!(matches!(response.status, 400 | 404), "{path} {body}: {}", response.text());
        let (name, place) = response.problem();
        assert_eq!((name.as_str(), place.as_str()), problem, "{path} {body}");
    }
}

/// A mistake in the JSON is named in its words: the field, what it holds, what it should hold.
#[test]
fn json_errors_name_fields_and_no_types_of_rust() {
    let server = start(|_| ());
    let robots = json!({"text": "User-agent: *\nDisallow: /cart\n"});
    for (path, body, detail) in [
        ("/v1/check", json!([]), "the request: invalid type: array, expected an object"),
        ("/v1/check", json!("x"), "the request: invalid type: string \"x\", expected an object"),
        ("/v1/check", json!({}), "the request: missing field `robots`"),
        ("/v1/check", json!({"robots": robots, "urls": ["/"]}), "the request: missing field `agents`"),
        (
            "/v1/check",
            json!({"robots": robots, "agents": {"a": 1}, "urls": ["/"]}),
            "`/agents`: invalid type: object, expected an array",
        ),
        (
            "/v1/check",
            json!({"robots": robots, "agents": ["a", 1.5], "urls": ["/"]}),
            "`/agents/1`: invalid type: number `1.5`, expected a string",
        ),
        // The fields of an object in an array are no object.
        (
            "/v1/check",
            json!([robots, "google", ["FooBot"], false, ["/"]]),
            "the request: invalid type: array, expected an object",
        ),
        (
            "/v1/check",
            json!({"robots": ["User-agent: *", null, null, null, true], "agents": ["a"], "urls": ["/"]}),
            "`/robots`: invalid type: array, expected an object",
        ),
        (
            "/v1/lint",
            json!({"robots": "Disallow: /"}),
            "`/robots`: invalid type: string \"Disallow: /\", expected an object",
        ),
        ("/v1/diff", json!({"old": robots, "new": 7}), "`/new`: invalid type: number `7`, expected an object"),
        (
            "/v1/explain",
            json!({"robots": robots, "agent": null, "url": "/"}),
            "`/agent`: invalid type: null, expected a string",
        ),
        ("/v1/format", json!({"robots": {"txt": ""}}), "`/robots/txt`: unknown field `txt`, expected one of `text`"),
        ("/v1/pack/origin", json!({"at": "x"}), "the request: missing field `origin`"),
    ] {
        let response = server.post(path, &body);
        let found = response.json()["detail"].as_str().unwrap().to_owned();
        assert_eq!(response.problem().0, "bad-json");
        assert!(found.starts_with(detail), "{path} {body}: {found}");
        assert!(!["struct", "Form", "sequence", "line "].iter().any(|word| found.contains(word)), "{found}");
    }
    let sent = server.send("POST", "/v1/check", &[("Content-Type", "application/json")], b"{\"robots\": ");
    assert!(sent.json()["detail"].as_str().unwrap().starts_with("the request is no JSON: EOF"), "{}", sent.text());
    let stream = server.send("POST", "/v1/check", &[("Content-Type", "application/x-ndjson")], b"[]\n/a\n");
    assert_eq!(stream.json()["detail"], "the request: invalid type: array, expected an object");
}

/// What is over a limit says what this path can do about it: only check takes a stream, and a file has no URLs.
#[test]
fn limits_say_what_the_path_can_do() {
    let server = start(|_| ());
    let large = json!({"text": "#".repeat(3 << 20)});
    let small = json!({"text": "User-agent: *\nDisallow: /cart\n"});
    let urls = vec!["/"; 10_001];
    for (path, body, has_urls, has_stream) in [
        ("/v1/lint", json!({"robots": large}), false, false),
        ("/v1/format", json!({"robots": large}), false, false),
        ("/v1/explain", json!({"robots": large, "agent": "a", "url": "/"}), false, false),
        ("/v1/check", json!({"robots": large, "agents": ["a"], "urls": ["/"]}), true, true),
        ("/v1/check", json!({"robots": small, "agents": ["a"], "urls": urls}), true, true),
        ("/v1/matrix", json!({"robots": small, "agents": ["a"], "urls": urls}), true, false),
        ("/v1/diff", json!({"old": small, "new": small, "urls": urls}), true, false),
    ] {
        let response = server.post(path, &body);
        let detail = response.json()["detail"].as_str().unwrap().to_owned();
        assert_eq!((response.status, response.problem().0.as_str()), (413, "too-large"), "{path}");
        assert_eq!((detail.contains("URL"), detail.contains("stream")), (has_urls, has_stream), "{path}: {detail}");
    }
}

/// The rules of a site say nothing about another one.
#[test]
fn urls_of_other_sites_are_errors_if_the_site_is_given() {
    let server = start(|_| ());
    let robots = |site: &str| json!({"text": "User-agent: *\nDisallow: /cart\n", "site": site});
    let urls =
        ["https://a.example/cart", "/cart", "https://b.example/x", "http://a.example/x", "https://a.example:8443/x"];
    for site in ["https://a.example", "https://A.example:443/some/page?x#y"] {
        let asked = json!({"robots": robots(site), "agents": ["FooBot"], "urls": urls});
        let head = json!({"robots": robots(site), "agents": ["FooBot"]});
        let stream = format!("{head}\n{}\n", urls.join("\n"));
        let stream = server.send("POST", "/v1/check", &[("Content-Type", "application/x-ndjson")], stream.as_bytes());
        let lines: Vec<Value> = stream.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for answers in [
            server.post("/v1/check", &asked).json()["answers"].clone(),
            server.post("/v1/matrix", &asked).json()["verdicts"].clone(),
            lines.into(),
        ] {
            let found: Vec<&str> =
                answers.as_array().unwrap().iter().map(|row| row["type"].as_str().unwrap()).collect();
            assert_eq!(found, ["verdict", "verdict", "error", "error", "error"], "{answers}");
            assert_eq!(
                answers[2]["reason"],
                "it is of another origin than https://a.example: https://b.example/robots.txt counts for it"
            );
        }
        let one = |url: &str| json!({"robots": robots(site), "agent": "FooBot", "url": url});
        let diff = |url: &str| json!({"old": robots(site), "new": {"text": ""}, "urls": [url]});
        for path in ["/v1/explain", "/v1/automaton", "/v1/diff"] {
            let asked = |url| if path == "/v1/diff" { diff(url) } else { one(url) };
            assert_eq!(server.post(path, &asked("https://a.example/cart")).status, 200, "{path}");
            assert_eq!(server.post(path, &asked("https://b.example/cart")).problem().0, "bad-url", "{path}");
        }
        // The URLs are checked first: a comparison takes time, and finds that no crawler has such a name.
        let mut asked = diff("https://b.example/cart");
        asked["agents"] = json!(["two names"]);
        assert_eq!(server.post("/v1/diff", &asked).problem(), ("bad-url".to_owned(), "/urls/0".to_owned()));
    }
    for site in ["a.example", "", "mailto:x", "https://"] {
        let asked = json!({"robots": robots(site), "agents": ["FooBot"], "urls": ["/"]});
        assert_eq!(server.post("/v1/check", &asked).problem(), ("bad-site".to_owned(), "/robots/site".to_owned()));
    }
}

/// An error page allows nothing: it has no rules, so that everything would be allowed.
#[test]
fn what_is_no_robots_txt_is_no_answer() {
    let server = start(|_| ());
    for text in ["<!doctype html><h1>503: busy</h1>", "{\"error\": \"busy\"}", "\0\u{1}PNG"] {
        let forms = |force: bool| {
            let robots = json!({"text": text, "force": force});
            let rules = json!({"text": "User-agent: *\nDisallow: /a\n"});
            [
                ("/v1/check", json!({"robots": robots, "agents": ["a"], "urls": ["/"]}), "/robots"),
                ("/v1/matrix", json!({"robots": robots, "agents": ["a"], "urls": ["/"]}), "/robots"),
                ("/v1/explain", json!({"robots": robots, "agent": "a", "url": "/"}), "/robots"),
                ("/v1/diff", json!({"old": rules, "new": robots}), "/new"),
            ]
        };
        for (path, body, place) in forms(false) {
            let response = server.post(path, &body);
            assert_eq!(response.status, 400, "{path} {body}");
            assert_eq!(response.problem(), ("not-a-robots.txt".to_owned(), place.to_owned()), "{path} {body}");
        }
        for (path, body, _) in forms(true) {
            assert_eq!(server.post(path, &body).status, 200, "{path} {body}");
        }
    }
    // A file that is empty, or says nothing yet, is one.
    for text in ["", "# nothing yet\n", "Sitemap: https://a.example/sitemap.xml\n"] {
        let body = json!({"robots": {"text": text}, "agents": ["a"], "urls": ["/"]});
        assert_eq!(server.post("/v1/check", &body).status, 200, "{text}");
    }
}

/// Any JSON, with the names that requests have.
fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just("/cart".to_owned()),
        Just("FooBot".to_owned()),
        Just("purpose:search".to_owned()),
        Just("google".to_owned()),
        Just("User-agent: *\nDisallow: /*a$\nAllow: /\n".to_owned()),
        Just("VXNlci1hZ2VudDogKg==".to_owned()),
        ".{0,20}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let name = prop::sample::select(vec![
            "robots",
            "text",
            "base64",
            "pack_origin",
            "dialect",
            "dialects",
            "agents",
            "agent",
            "urls",
            "url",
            "old",
            "new",
            "minify",
            "origin",
            "at",
            "site",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name.prop_map(str::to_owned), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A request that is right but for one value.
fn nearly_right() -> impl Strategy<Value = Value> {
    let fields = ["robots", "dialect", "agents", "agent", "urls", "url", "old", "new", "dialects", "minify"];
    let sets = [&[0, 1, 2, 4][..], &[0, 1, 3, 5], &[0, 1], &[6, 7, 8, 2, 4], &[0, 9]];
    (prop::sample::select(sets.to_vec()), any::<prop::sample::Index>(), value(), any::<bool>()).prop_map(
        move |(set, at, value, spoil)| {
            let mut object = serde_json::Map::new();
            let robots = json!({"text": "User-agent: *\nDisallow: /*a$\nAllow: /b\n"});
            for (number, field) in set.iter().map(|field| fields[*field]).enumerate() {
                let right = match field {
                    "robots" | "old" | "new" => robots.clone(),
                    "dialect" => json!("yandex"),
                    "dialects" => json!(["google", "rfc9309"]),
                    "agents" => json!(["FooBot", "*"]),
                    "agent" => json!("FooBot"),
                    "urls" => json!(["/a", "https://a.example/b"]),
                    "url" => json!("/a"),
                    _ => json!(true),
                };
                let is_spoilt = spoil && number == at.index(set.len());
                object.insert(field.to_owned(), if is_spoilt { value.clone() } else { right });
            }
            Value::Object(object)
        },
    )
}

#[test]
fn no_request_makes_the_server_fail() {
    let server = start(|config| config.pack = Some(pack()));
    let paths = ["check", "explain", "lint", "format", "diff", "matrix", "set", "automaton", "pack/origin", "fetch"];
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(body in prop_oneof![value(), nearly_right()])| {
        for path in paths {
            let response = server.post(&format!("/v1/{path}"), &body);
            prop_assert!(response.status < 500, "{path} {body}: {}", response.text());
            prop_assert!(response.is_complete);
            if response.status != 200 {
                response.problem();
            }
        }
        let first = [("Content-Type", "application/x-ndjson")];
        let response = server.send("POST", "/v1/check", &first, format!("{body}\n/a\n").as_bytes());
        prop_assert!(response.status < 500, "{body}: {}", response.text());
    });
}

/// A name that no group has, and that nearly is a known crawler's, is doubted where files are compared, too.
#[test]
fn a_misspelt_agent_is_doubted() {
    let server = start(|_| ());
    let diff = |agent: &str| {
        let old = json!({"text": "User-agent: GPTBot\nDisallow: /\n"});
        server.post("/v1/diff", &json!({"old": old, "new": {"text": ""}, "agents": [agent]})).json()
    };
    assert_eq!(diff("GTPBot")["notes"], json!(["GTPBot: is GPTBot meant?"]));
    assert!(diff("GPTBot").get("notes").is_none());
}
