//! `POST /v1/set` writes what the library writes, and refuses what it refuses.

use robotsc_answers::set::{Declaration, Options, set};
use serde_json::{Value, json};

use crate::server::start;

const SHOP: &str = "User-agent: *\nDisallow: /cart\nCrawl-delay: 2\n";

#[test]
fn a_policy_is_written_renewed_and_taken_out() {
    let mut server = start(|_| ());
    let deny = vec!["ai-training".to_owned(), "Googlebot".to_owned()];
    let policy = json!({"deny": deny, "disallow": ["/members/"], "content_usage": "train-ai=n"});
    let ask = |body: Value| {
        let response = server.post("/v1/set", &body);
        assert_eq!(response.status, 200, "{body}: {}", response.text());
        response.json()
    };
    let written = ask(json!({"robots": {"text": SHOP}, "policy": policy}));
    let content_usage = Some("train-ai=n".to_owned());
    let asked = Declaration { deny, disallow: vec!["/members/".to_owned()], content_usage, ..Declaration::default() };
    let after = set(SHOP.as_bytes(), &asked, Options::default()).expect("a block");
    assert_eq!(written["text"], String::from_utf8(after.body).expect("text"));
    assert_eq!(written["kept"], json!(after.kept));
    assert_eq!(written["block"]["first"], 5);
    let proved: Vec<&str> = written["proved"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(proved.contains(&"nobody may fetch /members/"), "{proved:?}");
    assert!(proved.last().is_some_and(|last| last.starts_with("nothing else changes but for")), "{proved:?}");
    let notes = written["notes"].to_string();
    assert!(notes.contains("leave its results"), "{notes}");
    // The block says what it is of: written again, it is the same, and without it the file is as it was.
    let again = ask(json!({"robots": {"text": written["text"]}}));
    assert_eq!((&again["changed"], &again["text"]), (&json!(false), &written["text"]));
    assert_eq!(again["policy"], written["policy"]);
    let without = ask(json!({"robots": {"text": written["text"]}, "remove": true}));
    assert_eq!((&without["text"], &without["policy"], &without["block"]), (&json!(SHOP), &json!(null), &json!(null)));
    server.join();
}

#[test]
fn bytes_that_are_no_text_stay_as_they_are() {
    let mut server = start(|_| ());
    let robots = json!({"base64": "VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2L8cm8K"});
    let written = server.post("/v1/set", &json!({"robots": robots, "policy": {"deny": ["GPTBot"]}})).json();
    let encoded = written["text_b64"].as_str().expect("bytes");
    assert!(encoded.starts_with("VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2L8cm8K"), "{encoded}");
    server.join();
}

#[test]
fn what_cannot_be_is_an_error_and_nothing_is_written() {
    let mut server = start(|_| ());
    let robots = json!({"text": SHOP});
    let many: Vec<String> = (0..301).map(|number| format!("Bot{number}")).collect();
    let edited = "User-agent: *\nDisallow: /a\n\n# robotsc: begin\n# deny: GPTBot\nDisallow: /x\n# robotsc: end 0\n";
    let open = "User-agent: *\nAllow: /members/open\n";
    for (body, status, problem) in [
        (json!({"robots": robots}), 400, ("no-policy", "/policy")),
        (json!({"robots": robots, "policy": {}}), 400, ("bad-policy", "/policy")),
        (json!({"robots": robots, "policy": {"deny": ["*"]}}), 400, ("bad-policy", "/policy")),
        (json!({"robots": robots, "policy": {"deny": ["training"]}}), 400, ("bad-policy", "/policy")),
        (json!({"robots": robots, "policy": {"deny": ["a\nAllow: /"]}}), 400, ("bad-policy", "/policy")),
        (json!({"robots": robots, "policy": {"deny": ["a, b"]}}), 400, ("bad-policy", "/policy")),
        (
            json!({"robots": robots, "policy": {"deny": ["GPTBot"], "allow": ["gptbot"]}}),
            400,
            ("bad-policy", "/policy"),
        ),
        (json!({"robots": robots, "policy": {"disallow": ["/a\r\nAllow: /"]}}), 400, ("bad-policy", "/policy")),
        (json!({"robots": robots, "policy": {"content_usage": "train-ai=n\n"}}), 400, ("bad-policy", "/policy")),
        (json!({"robots": robots, "policy": {"content_signal": "x"}}), 400, ("bad-policy", "/policy")),
        (json!({"robots": robots, "policy": {"deny": "a"}}), 400, ("bad-json", "/policy/deny")),
        (json!({"robots": robots, "policy": {"deny": many}}), 413, ("too-large", "/policy/deny")),
        (
            json!({"robots": robots, "policy": {"disallow": ["/".repeat(70_000)]}}),
            413,
            ("too-large", "/policy/disallow/0"),
        ),
        (json!({"robots": robots, "policy": {"deny": ["a"]}, "remove": true}), 400, ("bad-policy", "/policy")),
        (
            json!({"robots": {"text": "<!doctype html>"}, "policy": {"deny": ["a"]}}),
            400,
            ("not-a-robots.txt", "/robots"),
        ),
        (json!({"robots": {"text": edited}}), 400, ("edited-block", "/robots")),
        (
            json!({"robots": {"text": "# robotsc: begin\nUser-agent: a\nDisallow: /\n"}, "remove": true}),
            400,
            ("bad-block", "/robots"),
        ),
        (json!({"robots": {"text": open}, "policy": {"disallow": ["/members/"]}}), 400, ("conflict", "/robots")),
    ] {
        let response = server.post("/v1/set", &body);
        let (name, place) = response.problem();
        let shown = body.to_string().chars().take(200).collect::<String>();
        assert_eq!(
            (response.status, name.as_str(), place.as_str()),
            (status, problem.0, problem.1),
            "{shown}: {}",
            response.text()
        );
    }
    let replaced = server.post("/v1/set", &json!({"robots": {"text": edited}, "replace_edited": true}));
    assert_eq!(replaced.status, 200, "{}", replaced.text());
    server.join();
}
