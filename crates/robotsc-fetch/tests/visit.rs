//! Sites that are asked under several names: what is sent, in which order and at which pace, and what is never sent.

mod support;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use robotsc_fetch::{Bulk, BulkLimits, Target, UserAgent, Visit, Visited};
use robotsc_frontier::outcome::{BodyEnd, FetchEnd, NetworkError};
use support::{Net, PUBLIC, Server, Step, response, send, short_limits};
use tokio::sync::mpsc;

const RULES: &str = "User-agent: *\nDisallow: /cart\n";
const OWN: &str = "TestBot/1.0 (+https://bot.example/)";
const PAUSE: Duration = Duration::from_millis(40);

fn limits() -> BulkLimits {
    BulkLimits { domain_interval: PAUSE, address_interval: Duration::ZERO, ..BulkLimits::default() }
}

fn name(name: &str) -> UserAgent {
    UserAgent::of_known_crawler(name).unwrap()
}

fn net(server: &Server) -> Net {
    let net = Net::default();
    net.name("shop.example", &[PUBLIC]);
    net.name("www.shop.example", &[PUBLIC]);
    net.name("intranet.example", &["10.0.0.7".parse().unwrap()]);
    net.route(PUBLIC, 80, server.address);
    net
}

/// Asks sites under their own name, and as Googlebot and GPTBot.
async fn visit(net: &Net, origins: &[&str], page: &str, limits: BulkLimits) -> Vec<Vec<Visited>> {
    let bulk = Bulk::new(net.fetcher(short_limits()), net.clone(), limits);
    let (sender, targets) = mpsc::channel(8);
    for origin in origins {
        sender.send(Target::from(origin.parse::<robotsc_frontier::origin::Origin>().unwrap())).await.unwrap();
    }
    drop(sender);
    let mut all = Vec::new();
    let each = |visited| {
        all.push(visited);
        ControlFlow::Continue(())
    };
    let visit = Visit { names: vec![name("Googlebot/2.1"), name("GPTBot/1.0")], page: page.to_owned() };
    let note = |number, own: &Visited, visited: &Visited| {
        assert!(number > 0 || own.robots.at == visited.robots.at);
        visited.clone()
    };
    bulk.visit(targets, visit, note, each, |_| true).await;
    all
}

/// Returns the path of a request and its User-Agent.
fn asked(head: &str) -> (String, String) {
    let path = head.split(' ').nth(1).unwrap().to_owned();
    let agent = head.lines().find_map(|line| line.to_lowercase().starts_with("user-agent: ").then(|| &line[12..]));
    (path, agent.unwrap().to_owned())
}

#[tokio::test]
async fn requests_follow_each_other_under_each_name() {
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&times);
    let server = Server::start(move |head| {
        let (path, agent) = asked(head);
        seen.lock().unwrap().push(Instant::now());
        match (path.as_str(), agent.as_str()) {
            ("/robots.txt", _) => vec![send(response("200 OK", "", RULES))],
            (_, "GPTBot/1.0") => vec![send(response("403 Forbidden", "", "no"))],
            ("/about?a=b", OWN) => vec![send(response("302 Found", "Location: /other\r\n", ""))],
            _ => vec![send(response("200 OK", "", "a page"))],
        }
    })
    .await;
    let net = net(&server);
    let all = visit(&net, &["http://shop.example", "http://www.shop.example"], "/about?a=b#c", limits()).await;
    let ends: Vec<_> =
        all.iter().flatten().map(|visited| (visited.robots.end, visited.page.end, visited.page.redirects)).collect();
    let (ok, refused) = (FetchEnd::Status(200), FetchEnd::Status(403));
    assert_eq!(ends, [(ok, ok, 1), (ok, ok, 0), (ok, refused, 0)].repeat(2));
    assert!(all.iter().flatten().all(|visited| visited.robots.body == RULES.as_bytes()));
    // The two sites are of one domain: what was begun is ended before the next one begins.
    let requests: Vec<_> = server.requests.lock().unwrap().iter().map(|head| asked(head)).collect();
    let one = [
        ("/robots.txt", OWN),
        ("/about?a=b", OWN),
        ("/other", OWN),
        ("/robots.txt", "Googlebot/2.1"),
        ("/about?a=b", "Googlebot/2.1"),
        ("/robots.txt", "GPTBot/1.0"),
        ("/about?a=b", "GPTBot/1.0"),
    ];
    let expected = one.repeat(2).into_iter().map(|(path, agent)| (path.to_owned(), agent.to_owned()));
    assert_eq!(requests, expected.collect::<Vec<_>>());
    let times = times.lock().unwrap();
    let gaps: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // The start is what is spaced: what a server sees can be a few milliseconds off.
    assert!(gaps.iter().all(|gap| *gap > PAUSE / 2), "{gaps:?}");
    let heads = server.requests.lock().unwrap();
    assert!(heads[1].to_lowercase().contains("accept: text/html, */*;q=0.5"), "{}", heads[1]);
    assert!(heads.iter().all(|head| !head.to_lowercase().contains("cookie")));
}

#[tokio::test]
async fn what_servers_do_to_a_page() {
    let late = FetchEnd::Network(NetworkError::Timeout);
    let body = |end| FetchEnd::BodyBroken(end);
    for (what, steps, end) in [
        (
            "a huge page",
            vec![send("HTTP/1.1 200 OK\r\n\r\n"), Step::SendForever(vec![b'x'; 64 << 10])],
            FetchEnd::Status(200),
        ),
        ("no answer", vec![Step::Wait(Duration::from_secs(60))], late),
        (
            "a page that hangs",
            vec![send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), Step::Wait(Duration::from_secs(60))],
            late,
        ),
        ("a page that breaks off", vec![send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")], body(200)),
        ("a reset", vec![Step::Reset], FetchEnd::Network(NetworkError::Reset)),
        (
            "no body that counts",
            vec![send(response("200 OK", "Content-Encoding: gzip\r\n", "no gzip"))],
            FetchEnd::Status(200),
        ),
        (
            "into the own network",
            vec![send(response("302 Found", "Location: http://intranet.example/\r\n", ""))],
            FetchEnd::Network(NetworkError::Refused),
        ),
        (
            "to another scheme",
            vec![send(response("302 Found", "Location: file:///etc/passwd\r\n", ""))],
            FetchEnd::Network(NetworkError::Refused),
        ),
        ("in a circle", vec![send(response("302 Found", "Location: /\r\n", ""))], FetchEnd::RedirectLoop),
    ] {
        let steps = Mutex::new(steps);
        let server = Server::start(move |head| match asked(head).0.as_str() {
            "/robots.txt" => vec![send(response("200 OK", "", RULES))],
            _ => steps.lock().unwrap().clone(),
        })
        .await;
        let net = net(&server);
        let all = visit(&net, &["http://shop.example"], "/", limits()).await;
        let ends: Vec<_> = all[0].iter().map(|visited| visited.page.end).collect();
        assert_eq!(ends, [end; 3], "{what}");
        // What was sent is what fits in the buffers on the way, and not a gibibyte.
        let sent = server.sent.load(std::sync::atomic::Ordering::Relaxed);
        assert!(sent < 64 << 20, "{what}: {sent}");
        assert!(net.strays().is_empty(), "{what}");
        assert!(all[0].iter().all(|visited| visited.robots.body_end == BodyEnd::Whole), "{what}");
    }
}

/// What cannot be reached is not asked again and again, and what is no page of the site is not asked at all.
#[tokio::test]
async fn what_is_not_asked() {
    let server = Server::always(vec![send(response("200 OK", "", RULES))]).await;
    let net = net(&server);
    let refused = FetchEnd::Network(NetworkError::Refused);
    for (origin, page, names, ends) in [
        ("http://none.example", "/", 1, [FetchEnd::Network(NetworkError::Dns); 2]),
        ("http://intranet.example", "/", 1, [refused; 2]),
        ("http://10.0.0.7", "/", 1, [refused; 2]),
        ("ftp://shop.example", "/", 1, [refused; 2]),
        ("http://shop.example", "http://other.example/", 3, [FetchEnd::Status(200), refused]),
        ("http://shop.example", "@other.example/", 3, [FetchEnd::Status(200), refused]),
        ("http://shop.example", "//other.example/", 3, [FetchEnd::Status(200); 2]),
        ("http://shop.example", "/\\other.example/", 3, [FetchEnd::Status(200); 2]),
    ] {
        let all = visit(&net, &[origin], page, limits()).await;
        assert_eq!(all[0].len(), names, "{origin}{page}");
        for visited in &all[0] {
            assert_eq!([visited.robots.end, visited.page.end], ends, "{origin}{page}");
        }
    }
    let heads = server.requests.lock().unwrap();
    assert!(heads.iter().all(|head| head.contains("shop.example") && !head.contains("ost: other.example")));
    assert!(net.strays().is_empty());
}

/// If the site cannot be reached under the own name, or asks to come back later, no other name is sent.
#[tokio::test]
async fn who_is_not_asked_after_the_own_name() {
    let reply = |status: &str, fields: &str| vec![send(response(status, fields, RULES))];
    let ok = || reply("200 OK", "");
    let late = || vec![Step::Wait(Duration::from_secs(60))];
    let busy = || reply("503 Busy", "Retry-After: 60\r\n");
    for (what, robots, page, names) in [
        ("a page later", ok(), reply("429 Too Many Requests", ""), 1),
        ("a page later, 503", ok(), busy(), 1),
        ("robots.txt later", reply("429 Too Many Requests", ""), ok(), 1),
        ("robots.txt later, 503", busy(), ok(), 1),
        ("503 alone", reply("503 Busy", ""), reply("503 Busy", ""), 3),
        ("resets", vec![Step::Reset], vec![Step::Reset], 1),
        ("silence", late(), late(), 1),
        ("no HTTP", vec![send("hello\r\n\r\n")], vec![send("hello\r\n\r\n")], 1),
        ("a reset, and a page", vec![Step::Reset], ok(), 3),
        ("a reset of the page", ok(), vec![Step::Reset], 3),
    ] {
        let server = Server::start(move |head| match asked(head).0.as_str() {
            "/robots.txt" => robots.clone(),
            _ => page.clone(),
        })
        .await;
        let all = visit(&net(&server), &["http://shop.example"], "/", limits()).await;
        assert_eq!(all[0].len(), names, "{what}");
        assert!(server.requests.lock().unwrap().iter().all(|head| names > 1 || asked(head).1 == OWN), "{what}");
    }
    // A closed port.
    let net = net(&Server::always(ok()).await);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    net.route(PUBLIC, 81, closed);
    let all = visit(&net, &["http://shop.example:81"], "/", limits()).await;
    let refused = FetchEnd::Network(NetworkError::Connect);
    assert_eq!(all[0].iter().map(|visited| visited.page.end).collect::<Vec<_>>(), [refused]);
}

/// Requests of a site wait as long as the intervals ask for. What limits a wait is for redirects, and begins after the
/// intervals.
#[tokio::test]
async fn a_long_interval_makes_nothing_fail() {
    let server = Server::start(|head| match asked(head).0.as_str() {
        "/" => vec![send(response("302 Found", "Location: http://www.shop.example/home\r\n", ""))],
        _ => vec![send(response("200 OK", "", RULES))],
    })
    .await;
    let wait = PAUSE / 4;
    for (limits, what) in [
        (BulkLimits { redirect_wait: wait, ..limits() }, "by domain"),
        (
            BulkLimits {
                redirect_wait: wait,
                domain_interval: Duration::ZERO,
                address_interval: PAUSE,
                ..BulkLimits::default()
            },
            "by address",
        ),
    ] {
        let origins = ["http://shop.example", "http://www.shop.example"];
        let all = visit(&net(&server), &origins, "/", limits).await;
        let ends: Vec<_> = all.iter().flatten().flat_map(|visited| [visited.robots.end, visited.page.end]).collect();
        assert_eq!(ends, [FetchEnd::Status(200); 12], "{what}");
    }
}

#[tokio::test]
async fn a_stop_leaves_no_half_of_a_site() {
    let server = Server::always(vec![send(response("200 OK", "", RULES))]).await;
    let net = net(&server);
    let bulk = Bulk::new(net.fetcher(short_limits()), net.clone(), limits());
    let (sender, targets) = mpsc::channel(8);
    sender
        .send(Target::from("http://shop.example".parse::<robotsc_frontier::origin::Origin>().unwrap()))
        .await
        .unwrap();
    let visit = Visit { names: vec![name("GPTBot/1.0"); 1_000], page: "/".to_owned() };
    let started = Instant::now();
    let each = |_| panic!("no result");
    bulk.visit(targets, visit, |_, _, _| (), each, |_| started.elapsed() < PAUSE * 5).await;
    assert!(started.elapsed() < PAUSE * 50);
    drop(sender);
}
