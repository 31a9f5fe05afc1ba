//! Probes of what a hostile page or caller could try. `docs/serve.md` has the table.

use std::io::{BufReader, Read as _, Write as _};
use std::time::{Duration, Instant};

use robotsc_serve::ApiAccess;
use serde_json::{Value, json};

use crate::server::{Response, start};

const JSON: (&str, &str) = ("Content-Type", "application/json");
const CHECK: &str = r#"{"robots":{"text":"User-agent: *\nDisallow: /cart"},"agents":["FooBot"],"urls":["/cart"]}"#;

/// A probe: its name, the method, the path, the headers, the body, and the problem that it gets.
type Probe<'p> = (&'p str, &'p str, &'p str, &'p [(&'p str, &'p str)], &'p [u8], (u16, &'p str));

#[test]
fn probes_are_refused() {
    let server = start(|_| ());
    let own = format!("http://{}", server.address);
    let port = server.address.port();
    let (local, other_port) = (format!("localhost:{port}"), format!("localhost:{}", port ^ 1));
    let local_origin = format!("http://localhost:{port}");
    let deep = format!(r#"{{"robots":{}1{},"agents":[],"urls":[]}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let large = format!(r#"{{"robots":{{"text":"{}"}},"agents":["a"],"urls":["/"]}}"#, "x".repeat(3 << 20));
    let bomb = zstd::bulk::compress(&vec![b' '; 1 << 30], 1).unwrap();
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let agents = json!({"robots": {"text": ""}, "agents": vec!["a"; 301], "urls": ["/"]}).to_string();
    let urls = json!({"robots": {"text": ""}, "agents": ["a"], "urls": vec!["/"; 10_001]}).to_string();
    let many: Vec<String> = (0..100).map(|number| format!("Bot{number}")).collect();
    let answers = json!({"robots": {"text": ""}, "agents": many, "urls": vec!["/"; 1001]}).to_string();
    let long_urls = vec![format!("/{}", "x".repeat(60_000)); 30];
    let amplified = json!({"robots": {"text": ""}, "agents": many, "urls": long_urls}).to_string();
    let url = json!({"robots": {"text": ""}, "agents": ["a"], "urls": ["/".repeat(65_537)]}).to_string();
    let check = CHECK.as_bytes();
    let probes: &[Probe<'_>] = &[
        ("a name that was rebound", "GET", "/v1/about", &[("Host", "evil.example")], b"", (421, "wrong-host")),
        ("the name with our port", "GET", "/", &[("Host", "evil.example:7070")], b"", (421, "wrong-host")),
        ("another port", "GET", "/", &[("Host", &other_port)], b"", (421, "wrong-host")),
        ("two hosts", "GET", "/", &[("Host", &local), ("Host", "evil.example")], b"", (421, "wrong-host")),
        ("a request line for another host", "GET", "http://evil.example/", &[], b"", (421, "wrong-host")),
        (
            "a page of another site",
            "POST",
            "/v1/check",
            &[JSON, ("Origin", "http://evil.example")],
            check,
            (403, "cross-site"),
        ),
        (
            "a page of another port",
            "POST",
            "/v1/check",
            &[JSON, ("Origin", "http://127.0.0.1:1")],
            check,
            (403, "cross-site"),
        ),
        ("a sandboxed page", "POST", "/v1/check", &[JSON, ("Origin", "null")], check, (403, "cross-site")),
        (
            "our page under another name",
            "POST",
            "/v1/check",
            &[JSON, ("Origin", &local_origin)],
            check,
            (403, "cross-site"),
        ),
        (
            "a script of another site",
            "GET",
            "/v1/agents",
            &[("Origin", "http://evil.example")],
            b"",
            (403, "cross-site"),
        ),
        (
            "a browser that says so",
            "POST",
            "/v1/check",
            &[JSON, ("Sec-Fetch-Site", "cross-site")],
            check,
            (403, "cross-site"),
        ),
        ("an image", "GET", "/v1/pack?q=a", &[("Sec-Fetch-Site", "same-site")], b"", (403, "cross-site")),
        ("a counted image", "GET", "/metrics", &[("Sec-Fetch-Site", "cross-site")], b"", (403, "cross-site")),
        ("a form", "POST", "/v1/check", &[("Content-Type", "text/plain")], check, (415, "no-json")),
        (
            "a form with files",
            "POST",
            "/v1/check",
            &[("Content-Type", "multipart/form-data; boundary=x")],
            check,
            (415, "no-json"),
        ),
        ("no type", "POST", "/v1/check", &[], check, (415, "no-json")),
        ("two types", "POST", "/v1/check", &[("Content-Type", "text/plain"), JSON], check, (415, "no-json")),
        ("a preflight request", "OPTIONS", "/v1/check", &[("Origin", &own)], b"", (405, "wrong-method")),
        ("deep JSON", "POST", "/v1/check", &[JSON], deep.as_bytes(), (400, "bad-json")),
        ("a large body", "POST", "/v1/check", &[JSON], large.as_bytes(), (413, "too-large")),
        ("a compressed bomb", "POST", "/v1/check", &[JSON, ("Content-Encoding", "zstd")], &bomb, (413, "too-large")),
        ("an unknown coding", "POST", "/v1/check", &[JSON, ("Content-Encoding", "br")], check, (415, "wrong-coding")),
        (
            "a stream whose decoder needs much memory",
            "POST",
            "/v1/check",
            &[("Content-Type", "application/x-ndjson"), ("Content-Encoding", "zstd")],
            &bomb,
            (415, "wrong-coding"),
        ),
        ("broken gzip", "POST", "/v1/check", &[JSON, ("Content-Encoding", "gzip")], check, (400, "broken-body")),
        ("no UTF-8", "POST", "/v1/check", &[JSON], b"{\"robots\":\"\xff\"}", (400, "bad-json")),
        ("too many agents", "POST", "/v1/check", &[JSON], agents.as_bytes(), (413, "too-large")),
        ("too many URLs", "POST", "/v1/check", &[JSON], urls.as_bytes(), (413, "too-large")),
        ("too many answers", "POST", "/v1/check", &[JSON], answers.as_bytes(), (413, "too-large")),
        ("answers that are too long", "POST", "/v1/check", &[JSON], amplified.as_bytes(), (413, "too-large")),
        ("the same in a matrix", "POST", "/v1/matrix", &[JSON], amplified.as_bytes(), (413, "too-large")),
        ("a long URL", "POST", "/v1/check", &[JSON], url.as_bytes(), (413, "too-large")),
        ("a path out of the files", "GET", "/assets/../Cargo.toml", &[], b"", (404, "not-found")),
        ("the same, escaped", "GET", "/assets/..%2f..%2fetc%2fpasswd", &[], b"", (404, "not-found")),
        ("the same, with NUL", "GET", "/assets/page.js%00", &[], b"", (404, "not-found")),
        ("the page under another path", "GET", "//evil.example/", &[], b"", (404, "not-found")),
        ("a check with markup", "GET", "/v1/lint/%3Cscript%3E", &[], b"", (404, "no-check")),
        ("a fetch that is off", "POST", "/v1/fetch", &[JSON], br#"{"site":"http://127.0.0.1"}"#, (403, "no-fetching")),
        ("a pack that is not there", "GET", "/v1/pack?q=a", &[], b"", (404, "no-pack")),
    ];
    for (name, method, path, headers, body, (status, problem)) in probes {
        let start = Instant::now();
        let response = server.send(method, path, headers, body);
        assert_eq!(response.status, *status, "{name}: {}", response.text());
        assert_eq!(response.problem().0, *problem, "{name}");
        assert_is_protected(&response, name);
        assert!(start.elapsed() < Duration::from_secs(10), "{name}: {:?}", start.elapsed());
    }
    // What is right passes, also from the page itself.
    for headers in [&[JSON][..], &[JSON, ("Origin", &own), ("Sec-Fetch-Site", "same-origin")]] {
        let response = server.send("POST", "/v1/check", headers, check);
        assert_eq!(response.json()["answers"][0]["verdict"], "disallowed");
        assert_is_protected(&response, "a check");
    }
    assert_eq!(server.send("GET", "/", &[("Host", &local)], b"").status, 200);
    // A link of another site opens the page.
    assert_eq!(server.send("GET", "/", &[("Sec-Fetch-Site", "cross-site")], b"").status, 200);
    // A body can be compressed, and so can an answer.
    let gzip = zstd::bulk::compress(check, 3).unwrap();
    let coded = [JSON, ("Content-Encoding", "zstd")];
    assert_eq!(server.send("POST", "/v1/check", &coded, &gzip).status, 200);
    assert_eq!(
        server.send("GET", "/v1/agents", &[("Accept-Encoding", "zstd")], b"").header("content-encoding"),
        Some("zstd")
    );
}

/// Asserts that a response has the headers that keep a browser from misusing it.
fn assert_is_protected(response: &Response, name: &str) {
    for (header, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(response.header(header), Some(value), "{name}");
    }
    assert!(response.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'")));
    assert!(!response.headers.iter().any(|(header, _)| header.starts_with("access-control") || header == "set-cookie"));
}

#[test]
fn a_client_that_writes_first_sees_the_refusal() {
    let server = start(|_| ());
    let body = vec![b' '; 20 << 20];
    let length = format!("Content-Length: {}", body.len());
    let chunked = format!("Transfer-Encoding: chunked\r\n\r\n{:x}", body.len());
    for (name, head, end) in [("a length", length + "\r\n", ""), ("chunks", chunked, "\r\n0\r\n\r\n")] {
        let mut stream = server.connect();
        let address = server.address;
        let head =
            format!("POST /v1/check HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{head}\r\n");
        for part in [head.as_bytes(), &body, end.as_bytes()] {
            stream.write_all(part).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let response = Response::read(&mut BufReader::new(stream)).expect(name);
        assert_eq!((response.status, &*response.problem().0), (413, "too-large"), "{name}");
    }
    // A client that asks before it sends is answered at once, and what is compressed is not decoded to its end.
    let bomb = zstd::bulk::compress(&vec![b' '; 4 << 20], 1).unwrap();
    for (name, field, sent) in [("it asks", "Expect: 100-continue", &[][..]), ("zstd", "Content-Encoding: zstd", &bomb)]
    {
        let mut stream = server.connect();
        let head = format!("{field}\r\nContent-Type: application/json\r\nContent-Length: 20000000");
        let start = Instant::now();
        stream
            .write_all(format!("POST /v1/check HTTP/1.1\r\nHost: {}\r\n{head}\r\n\r\n", server.address).as_bytes())
            .unwrap();
        stream.write_all(sent).unwrap();
        assert_eq!(Response::read(&mut BufReader::new(stream)).expect(name).status, 413, "{name}");
        assert!(start.elapsed() < Duration::from_secs(10), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn the_page_has_a_new_nonce_each_time_and_files_that_are_kept() {
    let server = start(|_| ());
    let nonce = |page: &Response| {
        let policy = page.header("content-security-policy").unwrap();
        assert!(!policy.contains("unsafe-"), "{policy}");
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        assert!(page.text().contains(&nonce) && !page.text().contains("__NONCE__"));
        nonce
    };
    let (one, other) = (server.get("/"), server.get("/"));
    assert_ne!(nonce(&one), nonce(&other));
    let text = one.text();
    let names: Vec<&str> = text.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert_eq!(names.len(), 2, "{text}");
    for name in names {
        let plain = server.get(name);
        assert_eq!(plain.header("cache-control"), Some("public, max-age=31536000, immutable"), "{name}");
        assert!(!plain.body.is_empty());
        let gzip = server.send("GET", name, &[("Accept-Encoding", "gzip, br")], b"");
        assert_eq!((gzip.status, gzip.header("content-encoding")), (200, Some("gzip")));
        assert_eq!(server.send("GET", name, &[("Accept-Encoding", "gzip;q=0")], b"").body, plain.body);
    }
}

#[test]
fn a_token_is_needed_for_all_but_the_page() {
    let server = start(|config| config.access = ApiAccess::Token("0123456789abcdef".to_owned()));
    for path in ["/", "/healthz", "/openapi.json"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    for (header, status) in [
        ("", 401),
        ("Bearer", 401),
        ("Bearer ", 401),
        ("Bearer 0123456789abcde", 401),
        ("Bearer 0123456789abcdef0", 401),
        ("Basic 0123456789abcdef", 401),
        ("0123456789abcdef", 401),
        ("Bearer 0123456789abcdef", 200),
        ("bearer 0123456789abcdef", 200),
    ] {
        for path in ["/v1/about", "/metrics", "/v1/agents"] {
            let response = server.send("GET", path, &[("Authorization", header)], b"");
            assert_eq!(response.status, status, "{path} {header}");
        }
    }
    assert_eq!(server.get("/v1/about").header("www-authenticate"), Some("Bearer"));
    assert_eq!(server.get("/nothing").status, 401);
}

#[test]
fn names_that_were_given_are_hosts() {
    let server = start(|config| config.hosts = vec!["robots.example".to_owned()]);
    let origin = ("Origin", "https://robots.example");
    let sent = |headers: &[(&str, &str)]| server.send("GET", "/v1/about", headers, b"").status;
    assert_eq!(sent(&[("Host", "robots.example"), origin]), 200);
    assert_eq!(sent(&[("Host", "Robots.Example")]), 200);
    assert_eq!(sent(&[("Host", "other.example")]), 421);
    assert_eq!(sent(&[("Host", "robots.example"), ("Origin", "https://other.example")]), 403);
}

#[test]
fn slow_clients_are_let_go() {
    let server = start(|config| {
        config.limits.head_time = Duration::from_millis(300);
        config.limits.body_time = Duration::from_millis(300);
    });
    // A head that never ends, byte by byte: the time is that of the whole head.
    let start = Instant::now();
    let mut stream = server.connect();
    let mut is_open = true;
    for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".iter().chain(std::iter::repeat_n(&b'x', 200)) {
        is_open = stream.write_all(&[*byte]).is_ok();
        if !is_open {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(!is_open && !rest.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&rest));
    assert!(start.elapsed() < Duration::from_secs(5));
    // A body that never ends.
    let head = |media_type: &str| {
        format!(
            "POST /v1/check HTTP/1.1\r\nHost: {}\r\nContent-Type: {media_type}\r\nContent-Length: 99\r\n\r\n{{",
            server.address
        )
    };
    for media_type in ["application/json", "application/x-ndjson"] {
        let start = Instant::now();
        let response = server.raw(head(media_type).as_bytes());
        assert_eq!((response.status, response.problem().0.as_str()), (408, "too-slow"));
        assert!(start.elapsed() < Duration::from_secs(5));
    }
    // Others are answered meanwhile.
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_client_that_does_not_read_is_let_go() {
    let mut server = start(|config| config.limits.write_time = Duration::from_millis(500));
    let mut stream = server.connect();
    stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let line = CHECK.replace(r#","urls":["/cart"]"#, "");
    let head = format!(
        "POST /v1/check HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-ndjson\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    stream.write_all(format!("{head}{:x}\r\n{line}\n\r\n", line.len() + 1).as_bytes()).unwrap();
    let urls = "/cart/some/path\n".repeat(1024);
    let chunk = format!("{:x}\r\n{urls}\r\n", urls.len());
    let start = Instant::now();
    // The client writes and never reads: first all buffers fill, then the server gives up.
    let mut sent = 0_u64;
    let broken = loop {
        match stream.write(chunk.as_bytes()) {
            Ok(bytes) => sent += bytes as u64,
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
            Err(error) => break error,
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{sent}");
    };
    assert!(sent < 64 << 20, "{sent} bytes, {broken}");
    assert_eq!(server.get("/healthz").status, 200);
    server.join();
}

#[test]
fn large_answers_have_a_size_a_room_and_a_time() {
    let urls: Vec<String> = (0..10_000).map(|number| format!("/cart/{number}")).collect();
    let agents = ["FooBot", "BarBot", "BazBot", "QuxBot", "QuuxBot"];
    let body = json!({"robots": {"text": "User-agent: *\nDisallow: /cart"}, "agents": agents, "urls": urls});
    let lint = json!({"robots": {"text": "Dissalow: /cart\n".repeat(1000)}});
    let server = start(|config| config.limits.answer_bytes = 70_000);
    assert_eq!(server.post("/v1/lint", &lint).problem().0, "too-large");

    // A client that does not read its answer: it takes the room that there is, and then its time is over.
    let server = start(|config| {
        config.limits.memory_bytes = 2 << 20;
        config.limits.answer_bytes = 12 << 20;
        config.limits.read_time = Duration::from_secs(2);
    });
    let mut stream = server.connect();
    let text = body.to_string();
    let head = format!(
        "POST /v1/check HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.address,
        text.len()
    );
    stream.write_all(format!("{head}{text}").as_bytes()).unwrap();
    let mut first = [0; 1];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(server.post("/v1/check", &body).problem().0, "too-busy");
    // What the system has buffered still comes, and then no more.
    std::thread::sleep(Duration::from_millis(2500));
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    let length = String::from_utf8_lossy(&rest[..500]).to_ascii_lowercase();
    let length: usize = length.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap().parse().unwrap();
    assert!(length > 9_000_000 && rest.len() < length, "{} of {length} bytes", rest.len());
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn hostile_files_stay_data() {
    let server = start(|_| ());
    let agent = "<script>alert(1)</script>";
    let text = format!(
        "User-agent: {agent}\nDisallow: /</script><img src=x onerror=alert(1)>\nUser-agent: *\nDisallow: /\u{1b}[31m\n\
         Disallow: /\u{202e}evil\nSitemap: javascript:alert(1)\nDisallow: /a\0b\n"
    );
    let robots = json!({ "text": text });
    for (path, body) in [
        ("/v1/check", json!({"robots": robots, "agents": ["FooBot"], "urls": ["/<script>", "/\u{1b}[31m"]})),
        ("/v1/explain", json!({"robots": robots, "agent": "FooBot", "url": "/<script>"})),
        ("/v1/lint", json!({"robots": robots})),
        ("/v1/format", json!({"robots": robots, "minify": true})),
        ("/v1/diff", json!({"old": robots, "new": {"text": ""}})),
        ("/v1/matrix", json!({"robots": robots, "agents": ["FooBot"], "urls": ["/<script>"]})),
        ("/v1/automaton", json!({"robots": robots, "agent": "FooBot", "url": "/<script>"})),
    ] {
        let response = server.post(path, &body);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        // A browser takes it for nothing but JSON, whatever the file says.
        assert_eq!(response.header("content-type"), Some("application/json"), "{path}");
        assert!(!response.text().contains('\u{1b}'), "{path}");
        let answer: Value = response.json();
        if let Some(svg) = answer["svg"].as_str() {
            assert!(!svg.contains("<script") && !svg.contains("<img"), "{svg}");
        }
    }
}

#[test]
fn a_hostile_file_takes_bounded_time() {
    let server = start(|_| ());
    let stars: String = (0..1500).map(|number| format!("Disallow: /*a{number}*b*c{}*\n", number % 77)).collect();
    let agents: String = (0..1500).map(|number| format!("User-agent: Bot{number}\nDisallow: /{number}\n")).collect();
    for (name, lines) in [("stars", stars), ("agents", agents)] {
        let robots = json!({ "text": format!("User-agent: *\n{lines}") });
        for (path, body) in [
            (
                "/v1/check",
                json!({"robots": robots, "agents": ["FooBot", "purpose:search"], "urls": vec!["/a1xbxc"; 100]}),
            ),
            ("/v1/explain", json!({"robots": robots, "agent": "FooBot", "url": "/a1xbxc"})),
            ("/v1/lint", json!({"robots": robots})),
            ("/v1/diff", json!({"old": robots, "new": {"text": "User-agent: *\nDisallow: /*x\n"}})),
            ("/v1/automaton", json!({"robots": robots, "agent": "FooBot", "url": "/a1xbxc"})),
        ] {
            let start = Instant::now();
            let response = server.post(path, &body);
            assert_eq!(response.status, 200, "{name} {path}");
            assert!(start.elapsed() < Duration::from_secs(30), "{name} {path}: {:?}", start.elapsed());
        }
    }
}

#[test]
fn a_second_request_on_a_connection_is_guarded_too() {
    let server = start(|_| ());
    let mut stream = server.connect();
    let own = server.address.to_string();
    for (host, status) in [(own.as_str(), 200), ("evil.example", 421), (own.as_str(), 200)] {
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
        let response = Response::read(&mut BufReader::new(&stream)).unwrap();
        assert_eq!(response.status, status);
    }
}
