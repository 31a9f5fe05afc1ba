//! Checks as streams: answers while URLs still come, mistakes in the middle, a server that stops.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::{Response, pack, start};

const HEAD: &str = r#"{"robots":{"text":"User-agent: *\nDisallow: /cart"},"agents":["FooBot","BarBot"]}"#;
const NDJSON: (&str, &str) = ("Content-Type", "application/x-ndjson");

fn lines(response: &Response) -> Vec<Value> {
    response.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_stream_answers_as_a_request_does() {
    let server = start(|_| ());
    let urls: Vec<String> = (0..3000)
        .map(|number| match number % 5 {
            0 => format!("/cart/{number}"),
            1 => format!("https://shop.example/\u{e4}/{number}"),
            2 => "no url".to_owned(),
            3 => format!("/a\"b\\{number}"),
            _ => format!("/x/../cart?{number}"),
        })
        .collect();
    let mut request: Value = serde_json::from_str(HEAD).unwrap();
    request["urls"] = json!(urls);
    let whole = server.post("/v1/check", &request).json();
    let stream = |line: &dyn Fn(&String) -> String| {
        let body = format!("{HEAD}\n{}", urls.iter().map(line).collect::<Vec<_>>().join("\n"));
        let response = server.send("POST", "/v1/check", &[NDJSON], body.as_bytes());
        assert_eq!((response.status, response.is_complete), (200, true));
        lines(&response)
    };
    assert_eq!(json!(stream(&|url| url.clone())), whole["answers"]);
    assert_eq!(json!(stream(&|url| format!(" {} \r", json!(url)))), whole["answers"]);
    assert_eq!(json!(stream(&|url| json!({ "url": url }).to_string())), whole["answers"]);
    // A CR ends a line, too.
    let body = format!("{HEAD}\n/a\n/s\n").replace('\n', "\r");
    let found = lines(&server.send("POST", "/v1/check", &[NDJSON], body.as_bytes()));
    assert_eq!(
        found.iter().map(|answer| answer["url"].as_str()).collect::<Vec<_>>(),
        [Some("/a"), Some("/a"), Some("/s"), Some("/s")]
    );
    let accepts = [("Content-Type", "application/json"), ("Accept", "application/x-ndjson")];
    let response = server.send("POST", "/v1/check", &accepts, request.to_string().as_bytes());
    assert_eq!(json!(lines(&response)), whole["answers"]);
}

#[test]
fn mistakes_have_a_place_and_end_the_stream() {
    let server = start(|_| ());
    let long = format!("{HEAD}\n/{}\n", "x".repeat(70_000));
    for (body, status, problem) in [
        ("", 400, "bad-json"),
        ("{\n", 400, "bad-json"),
        (r#"{"robots":{"text":""},"agents":["Foo Bot"]}"#, 400, "bad-agent"),
        (r#"{"robots":{"text":"","base64":""},"agents":["FooBot"]}"#, 400, "bad-robots"),
    ] {
        let response = server.send("POST", "/v1/check", &[NDJSON], body.as_bytes());
        assert_eq!((response.status, response.problem().0.as_str()), (status, problem), "{body}");
    }
    for (body, answered, problem) in [
        (format!("{HEAD}\n/a\n\"/b\n/c\n"), 2, "bad-json"),
        (format!("{HEAD}\n/a\n{{\"u\":1}}\n"), 2, "bad-json"),
        (format!("{HEAD}\r\n/a\r\n{{\"u\":1}}\r\n"), 2, "bad-json"),
        (format!("{HEAD}\r/a\r{{\"u\":1}}\r"), 2, "bad-json"),
        (long, 0, "too-large"),
    ] {
        let response = server.send("POST", "/v1/check", &[NDJSON], body.as_bytes());
        let lines = lines(&response);
        assert_eq!((response.status, response.is_complete, lines.len()), (200, false, answered + 1));
        assert_eq!(lines[answered]["type"], format!("urn:robotsc:problem:{problem}"));
        let detail = lines[answered]["detail"].as_str().unwrap();
        assert!(answered == 0 || detail.starts_with("line 3 of the stream: "), "{detail}");
        assert!(!detail.contains("at line"), "{detail}");
    }
}

#[test]
fn answers_come_while_urls_still_come_and_a_stop_ends_the_stream() {
    let mut server = start(|config| config.limits.stop_time = Duration::from_secs(5));
    let mut stream = server.connect();
    let head = format!(
        "POST /v1/check HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-ndjson\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    stream.write_all(format!("{head}{}", chunk(&format!("{HEAD}\n/cart\n"))).as_bytes()).unwrap();
    let mut from = BufReader::new(stream.try_clone().unwrap());
    let mut until = |wanted: &str| {
        let mut line = String::new();
        while !line.contains(wanted) {
            line.clear();
            assert!(from.read_line(&mut line).unwrap() > 0, "the connection ended before {wanted}");
        }
    };
    until(r#""agent":"BarBot""#);
    stream.write_all(chunk("/again\n").as_bytes()).unwrap();
    until(r#""url":"/again","agent":"BarBot""#);
    let start = Instant::now();
    server.stop();
    until("urn:robotsc:problem:stopping");
    let mut rest = String::new();
    let _ = from.read_to_string(&mut rest);
    assert!(!rest.contains("0\r\n\r\n"), "the response ended as if it were complete: {rest}");
    drop(stream);
    server.join();
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}

#[test]
fn a_long_url_with_many_agents_is_answered_in_chunks() {
    let server = start(|_| ());
    let agents: Vec<String> = (0..40).map(|number| format!("Bot{number}")).collect();
    let head = json!({"robots": {"text": "User-agent: *\nDisallow: /cart"}, "agents": agents});
    let url = format!("/cart{}", "x".repeat(20_000));
    let response = server.send("POST", "/v1/check", &[NDJSON], format!("{head}\n{url}\n/help\n").as_bytes());
    let lines = lines(&response);
    assert_eq!((response.is_complete, lines.len()), (true, 80));
    for (number, line) in lines.iter().enumerate() {
        let expected = if number < 40 { (url.as_str(), "disallowed") } else { ("/help", "allowed") };
        assert_eq!((line["url"].as_str().unwrap(), line["verdict"].as_str().unwrap()), expected);
        assert_eq!(line["agent"], agents[number % 40]);
    }
    assert!(response.largest_chunk < 256 << 10, "{}", response.largest_chunk);
}

#[test]
fn a_first_line_that_drips_is_too_slow() {
    let server = start(|config| config.limits.body_time = Duration::from_millis(300));
    let mut stream = server.connect();
    let head = format!(
        "POST /v1/check HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 99\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..30 {
        let _ = stream.write_all(b" ");
        std::thread::sleep(Duration::from_millis(20));
    }
    let response = Response::read(&mut BufReader::new(stream)).unwrap();
    assert_eq!((response.status, response.problem().0.as_str()), (408, "too-slow"));
}

#[test]
fn a_pack_answers_for_its_origins() {
    let server = start(|config| config.pack = Some(pack()));
    let answer = server.post(
        "/v1/check",
        &json!({
            "robots": {"pack_origin": "https://shop.example/any"}, "agents": ["FooBot"],
            "urls": ["https://shop.example/cart/1", "/help", "https://other.example/"],
        }),
    );
    let answers = answer.json();
    let words: Vec<&Value> = answers["answers"].as_array().unwrap().iter().map(|answer| &answer["verdict"]).collect();
    assert_eq!(words, [&json!("disallowed"), &json!("allowed"), &Value::Null], "{answers}");
    for (dialect, status) in [("google", 200), ("yandex", 400)] {
        let body = json!({"robots": {"pack_origin": "https://shop.example"}, "dialect": dialect, "agents": ["FooBot"],
            "urls": ["/"]});
        assert_eq!(server.post("/v1/check", &body).status, status, "{dialect}");
    }
    let list = server.get("/v1/pack?q=SHOP").json();
    assert_eq!((&list["matching"], &list["origins"]), (&json!(1), &json!(["https://shop.example"])));
    assert_eq!(server.get("/v1/pack?q=nothing").json()["matching"], 0);
    let entry = |at: &str| server.post("/v1/pack/origin", &json!({"origin": "https://shop.example", "at": at})).json();
    assert_eq!(server.post("/v1/pack/origin", &json!({"origin": "https://shop.example"})).json()["policy"], "rules");
    assert_eq!(entry("2100-01-01")["policy"], "unknown");
    for (body, problem) in [
        (json!({"origin": "nothing"}), ("bad-origin", "/origin")),
        (json!({"origin": "https://other.example"}), ("no-origin", "/origin")),
        (json!({"origin": "https://shop.example", "at": "noon"}), ("bad-time", "/at")),
    ] {
        let (name, place) = server.post("/v1/pack/origin", &body).problem();
        assert_eq!((name.as_str(), place.as_str()), problem);
    }
}
