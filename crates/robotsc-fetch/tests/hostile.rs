//! What a fetch makes of servers that fail, lie or attack: for each fault how it ends, and what the dialects make of
//! it, beside the table of `robotsc_frontier::outcome`.

mod support;

use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use robotsc_compiler::{BodyKind, Crawler, Dialect};
use robotsc_fetch::BodyEnd;
use robotsc_fetch::{Client, ClientAnswer, Fault, FetchLimits, Fetched, Fetcher, Request, Timings};
use robotsc_frontier::frontier::{Check, Frontier};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{Access, Capture, FetchEnd, NetworkError};
use support::{Net, PUBLIC, Server, Step, policies, response, send, short_limits, user_agent};

/// A file that disallows everything, in its last line.
const RULES: &str = "# a comment that comes first\nUser-agent: *\nCrawl-delay: 1\nDisallow: /\n";

/// 64 MiB of `a` in brotli.
const BROTLI_BOMB: &[u8] =
    b"\xcf\xff\xff\x7f\xf8\x25\xc2\xe2\xb1\x40\x20\xf7\xfe\x9f\xff\xff\xff\xf0\x4b\x00\xc4\x61\x01\x80\xee\xfd\
      \x3f\xff\xff\xff\xe1\x97\x00\x88\xc3\x22\x00\xdd\xfb\x7f\xfe\xff\xff\xc3\x2f\x01\x10\x87\x05\x00\xba\xf7\
      \xff\x03";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(bytes, 3).unwrap()
}

fn origin() -> Origin {
    "http://shop.example".parse().unwrap()
}

/// Reports whether any dialect allows a page, for a crawler that knew nothing before.
fn is_allowed(fetched: &Fetched) -> bool {
    Dialect::ALL.iter().any(|dialect| {
        let frontier = Frontier::builder(Crawler::new("TestBot").unwrap()).dialect(dialect).build().unwrap();
        frontier.record(&fetched.origin, &fetched.response(), fetched.at);
        let url = format!("{}/page", fetched.origin);
        frontier.check(url, fetched.at).unwrap() == Check::Allowed
    })
}

async fn fetch_from(server: &Server) -> Fetched {
    let net = Net::default();
    net.name("shop.example", &[PUBLIC]);
    net.route(PUBLIC, 80, server.address);
    let fetched = net.fetcher(short_limits()).fetch(&origin(), None).await;
    assert_eq!(net.strays(), []);
    fetched
}

#[test]
fn the_dialects_are_in_the_order_of_the_tables() {
    let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
    assert_eq!(names, ["google", "rfc9309", "google-2017", "google-2019", "yandex"]);
}

#[tokio::test]
async fn faults_of_a_server() {
    use FetchEnd::{BodyBroken, LostRedirect, Network, Status};
    use NetworkError::{Protocol, Refused, Reset, Timeout};

    let whole = response("200 OK", "", RULES);
    let chunked = |chunks: &str| format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}");
    let encoded = |coding: &str, body: &[u8]| response("200 OK", &format!("Content-Encoding: {coding}\r\n"), body);
    let tick = || Step::Wait(Duration::from_millis(200));
    let slowly = |bytes: &[u8]| {
        let steps = bytes.iter().flat_map(|byte| [send([*byte]), tick()]);
        steps.collect::<Vec<_>>()
    };
    let two_megabytes = format!("User-agent: *\nDisallow: /\n{}", "# filler\n".repeat(230_000));
    let utf16: Vec<u8> = format!("\u{feff}{RULES}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let long_field = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "a".repeat(200 << 10));

    // The name, the script, how the fetch ends, what each dialect makes of it, whether a page is allowed by any.
    let html = "Content-Type: text/html\r\n";
    let page = "<!doctype html><title>One moment</title>";
    let transfer = |codings: &str| format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {codings}\r\n\r\n");
    let chunk = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n0\r\n\r\n"].concat();
    let table: Vec<(&str, Vec<Step>, FetchEnd, &str, bool)> = vec![
        ("a whole file", vec![send(&whole)], Status(200), "RRRRR", false),
        ("closed after the request", vec![], Network(Reset), "DDDDD", false),
        ("reset after the request", vec![Step::Reset], Network(Reset), "DDDDD", false),
        ("silence", vec![Step::Wait(Duration::from_secs(5))], Network(Timeout), "DDDDD", false),
        ("a slow head", slowly(&whole), Network(Timeout), "DDDDD", false),
        (
            "a slow body",
            [vec![send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")], slowly(&[b'#'; 99])].concat(),
            Network(Timeout),
            "DDDDD",
            false,
        ),
        ("closed within the head", vec![send("HTTP/1.1 200 OK\r\nContent-")], Network(Reset), "DDDDD", false),
        (
            "reset within the head",
            vec![send("HTTP/1.1 200 OK\r\n"), tick(), Step::Reset],
            Network(Reset),
            "DDDDD",
            false,
        ),
        ("closed within the body", vec![send(&whole[..whole.len() - 12])], BodyBroken(200), "DDDDD", false),
        (
            "reset within the body",
            vec![send(&whole[..whole.len() - 12]), tick(), Step::Reset],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        ("no HTTP", vec![send("SSH-2.0-OpenSSH_9.2\r\n")], Network(Protocol), "DDDDD", false),
        ("a status that is no number", vec![send("HTTP/1.1 abc OK\r\n\r\n")], Network(Protocol), "DDDDD", false),
        (
            "one endless field",
            vec![send("HTTP/1.1 200 OK\r\nX: "), Step::SendForever(vec![b'a'; 4096])],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "endless fields",
            vec![send("HTTP/1.1 200 OK\r\n"), Step::SendForever(b"X: y\r\n".repeat(500))],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        ("a field over the limit", vec![send(&long_field)], Network(Protocol), "DDDDD", false),
        (
            "too many fields",
            vec![send(format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(300)))],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "a flood of interim responses",
            vec![Step::SendForever(b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100))],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "an interim response first",
            vec![send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"), send(&whole)],
            Status(200),
            "RRRRR",
            false,
        ),
        ("an interim response alone", vec![send("HTTP/1.1 100 Continue\r\n\r\n")], Network(Reset), "DDDDD", false),
        (
            "an endless body",
            vec![
                send("HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /\n"),
                Step::SendForever(b"# filler\n".repeat(500)),
            ],
            Status(200),
            "RRRRR",
            false,
        ),
        (
            "an endless encoded body",
            vec![
                send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
                send(&gzip(RULES.as_bytes())[..20]),
                Step::SendForever(vec![7; 4096]),
            ],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        (
            "two lengths that differ",
            vec![send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "a negative length",
            vec![send("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "chunks",
            vec![send(chunked(&format!("{:x}\r\n{RULES}\r\n0\r\n\r\n", RULES.len())))],
            Status(200),
            "RRRRR",
            false,
        ),
        (
            "no last chunk",
            vec![send(chunked(&format!("{:x}\r\n{RULES}\r\n", RULES.len())))],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        ("a chunk that breaks off", vec![send(chunked("ff\r\nUser-agent: *\n"))], BodyBroken(200), "DDDDD", false),
        (
            "a chunk longer than it says",
            vec![send(chunked("4\r\nUser-agent: *\n\r\n0\r\n\r\n"))],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        (
            "a chunk size that is no number",
            vec![send(chunked("zz\r\nUser-agent: *\n\r\n0\r\n\r\n"))],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        (
            "a chunk size over all limits",
            vec![send(chunked("fffffffffffffffff\r\nab\r\n"))],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        ("gzip", vec![send(encoded("gzip", &gzip(RULES.as_bytes())))], Status(200), "RRRRR", false),
        ("zstd", vec![send(encoded("zstd", &zstd(RULES.as_bytes())))], Status(200), "RRRRR", false),
        (
            "gzip in gzip",
            vec![send(encoded("gzip, gzip", &gzip(&gzip(RULES.as_bytes()))))],
            Status(200),
            "RRRRR",
            false,
        ),
        ("four encodings", vec![send(encoded("gzip, gzip, gzip, gzip", b"x"))], BodyBroken(200), "DDDDD", false),
        ("an unknown encoding", vec![send(encoded("odd", b"\x01\x02\x03\x04"))], BodyBroken(200), "DDDDD", false),
        (
            "gzip that breaks off",
            vec![send(encoded("gzip", &gzip(RULES.as_bytes())[..40]))],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        (
            "zstd that breaks off",
            vec![send(encoded("zstd", &zstd(RULES.as_bytes())[..30]))],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        ("gzip that is not", vec![send(encoded("gzip", b"\x00\x01\x02\x03\x04\x05"))], BodyBroken(200), "DDDDD", false),
        ("text that calls itself gzip", vec![send(encoded("gzip", RULES.as_bytes()))], BodyBroken(200), "DDDDD", false),
        (
            "gzip until the end of the connection, which comes at once",
            vec![send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        // A file of many MiB without a rule is a file without a rule, however it is encoded.
        ("a bomb of gzip", vec![send(encoded("gzip", &gzip(&vec![b'a'; 16 << 20])))], Status(200), "RRRRR", true),
        ("a bomb of zstd", vec![send(encoded("zstd", &zstd(&vec![b'a'; 16 << 20])))], Status(200), "RRRRR", true),
        ("a bomb of brotli", vec![send(encoded("br", BROTLI_BOMB))], Status(200), "RRRRR", true),
        (
            "a bomb in a bomb",
            vec![send(encoded("gzip, gzip", &gzip(&gzip(&vec![b'a'; 16 << 20]))))],
            Status(200),
            "RRRRR",
            true,
        ),
        ("two megabytes", vec![send(response("200 OK", "", two_megabytes))], Status(200), "RRRRR", false),
        (
            "HTML",
            vec![send(response("200 OK", "Content-Type: text/html\r\n", "<html><p>Disallow: /</p>"))],
            Status(200),
            "RRRRR",
            true,
        ),
        ("UTF-16", vec![send(response("200 OK", "", utf16))], Status(200), "RRRRR", true),
        ("an empty file", vec![send(response("200 OK", "", ""))], Status(200), "RRRRR", true),
        ("a part of the file", vec![send(response("206 Partial Content", "", RULES))], Status(206), "DDRRD", false),
        ("a redirect that leads nowhere", vec![send(response("301 Moved", "", RULES))], LostRedirect, "DDAAD", true),
        (
            "a redirect to nothing",
            vec![send(response("301 Moved", "Location:\r\n", ""))],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "a redirect to no URL",
            vec![send(response("302 Found", "Location: http://[::\r\n", ""))],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "304 that nobody asked for",
            vec![send("HTTP/1.1 304 Not Modified\r\n\r\n")],
            Network(Protocol),
            "DDDDD",
            false,
        ),
        (
            "404 with a body that breaks off",
            vec![send("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\na")],
            Status(404),
            "AAAAA",
            true,
        ),
        (
            "503 with rules",
            vec![send(response("503 Busy", "", "User-agent: *\nAllow: /\n"))],
            Status(503),
            "DDDDD",
            false,
        ),
        (
            "429 with rules",
            vec![send(response("429 Slow Down", "", "User-agent: *\nAllow: /\n"))],
            Status(429),
            "DAAAA",
            true,
        ),
        ("a status over 599", vec![send(response("700 Odd", "", RULES))], Status(700), "DDDDD", false),
        (
            "another protocol",
            vec![send("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")],
            Status(101),
            "DDDDD",
            false,
        ),
        ("202 with a challenge", vec![send(response("202 Accepted", html, page))], Status(202), "DDRRD", true),
        ("202 with rules", vec![send(response("202 Accepted", "", RULES))], Status(202), "DDRRD", false),
        ("203", vec![send(response("203 Changed", "", RULES))], Status(203), "RRRRR", false),
        ("204", vec![send("HTTP/1.1 204 No Content\r\n\r\n")], Status(204), "RRRRR", true),
        ("401", vec![send(response("401 Unauthorized", html, page))], Status(401), "AAAAA", true),
        ("403", vec![send(response("403 Forbidden", html, page))], Status(403), "AAAAA", true),
        (
            "403 with a challenge (cf-mitigated)",
            vec![send(response("403 Forbidden", "cf-mitigated: challenge\r\n", page))],
            Status(403),
            "AAAAA",
            true,
        ),
        (
            "200 with a challenge (cf-mitigated)",
            vec![send(response("200 OK", "cf-mitigated: challenge\r\n", page))],
            Status(200),
            "RRRRR",
            true,
        ),
        ("404", vec![send(response("404 Not Found", html, page))], Status(404), "AAAAA", true),
        ("410", vec![send(response("410 Gone", "", ""))], Status(410), "AAAAA", true),
        ("451", vec![send(response("451 Legal", "", ""))], Status(451), "AAAAA", true),
        ("500 with rules", vec![send(response("500 Error", "", RULES))], Status(500), "DDDDD", false),
        ("300", vec![send(response("300 Choices", "Location: /a.txt\r\n", RULES))], Status(300), "DDDDD", false),
        ("305", vec![send(response("305 Proxy", "Location: /a.txt\r\n", RULES))], Status(305), "DDDDD", false),
        ("399", vec![send(response("399 Odd", "Location: /a.txt\r\n", RULES))], Status(399), "DDDDD", false),
        (
            "301 to mailto:",
            vec![send(response("301 Moved", "Location: mailto:me@shop.example\r\n", ""))],
            Network(Refused),
            "DDDDD",
            false,
        ),
        (
            "301 to itself",
            vec![send(response("301 Moved", "Location: /robots.txt\r\n", ""))],
            FetchEnd::RedirectLoop,
            "AAAAA",
            true,
        ),
        (
            "301 to a private address",
            vec![send(response("301 Moved", "Location: http://10.0.0.1/robots.txt\r\n", ""))],
            Network(Refused),
            "DDDDD",
            false,
        ),
        (
            "transfer in gzip and chunks",
            vec![send([transfer("gzip, chunked").as_bytes(), &chunk(&gzip(RULES.as_bytes()))].concat())],
            Status(200),
            "RRRRR",
            false,
        ),
        (
            "transfer in gzip alone",
            vec![send([transfer("gzip").as_bytes(), &gzip(RULES.as_bytes())].concat())],
            Status(200),
            "RRRRR",
            false,
        ),
        (
            "transfer in deflate and chunks",
            vec![send([transfer("deflate, chunked").as_bytes(), &chunk(&zlib(RULES.as_bytes()))].concat())],
            Status(200),
            "RRRRR",
            false,
        ),
        (
            "transfer in gzip and chunks, and is not",
            vec![send([transfer("gzip, chunked").as_bytes(), &chunk(RULES.as_bytes())].concat())],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        (
            "transfer in an unknown encoding",
            vec![send([transfer("odd, chunked").as_bytes(), &chunk(RULES.as_bytes())].concat())],
            BodyBroken(200),
            "DDDDD",
            false,
        ),
        ("text that calls itself brotli", vec![send(encoded("br", RULES.as_bytes()))], BodyBroken(200), "DDDDD", false),
        ("text that calls itself zstd", vec![send(encoded("zstd", RULES.as_bytes()))], BodyBroken(200), "DDDDD", false),
        (
            "gzip that nobody names",
            vec![send(response("200 OK", "", gzip(RULES.as_bytes())))],
            Status(200),
            "RRRRR",
            true,
        ),
        (
            "gzip in gzip under one name",
            vec![send(encoded("gzip", &gzip(&gzip(RULES.as_bytes()))))],
            Status(200),
            "RRRRR",
            true,
        ),
        ("JSON", vec![send(response("200 OK", "", "{\"error\": \"not found\"}"))], Status(200), "RRRRR", true),
        ("XML", vec![send(response("200 OK", "", "<?xml version=\"1.0\"?><Error/>"))], Status(200), "RRRRR", true),
        ("a PDF document", vec![send(response("200 OK", "", "%PDF-1.7\n"))], Status(200), "RRRRR", true),
        ("an image", vec![send(response("200 OK", "", b"\x89PNG\r\n\x1a\n"))], Status(200), "RRRRR", true),
        ("text without a directive", vec![send(response("200 OK", "", "Not found"))], Status(200), "RRRRR", true),
        (
            "all directives on one line",
            vec![send(response("200 OK", "", "User-agent: * Disallow: /"))],
            Status(200),
            "RRRRR",
            true,
        ),
    ];
    let mut shown = String::from("| server | end | google | rfc9309 | 2017 | 2019 | yandex | cautious | named |\n");
    shown.push_str("|---|---|---|---|---|---|---|---|---|\n");
    for (name, script, end, expected, allowed) in table {
        let server = Server::always(script).await;
        let started = Instant::now();
        let fetched = fetch_from(&server).await;
        let (took, problem) = (started.elapsed(), &fetched.problem);
        assert_eq!((fetched.end, policies(&fetched).as_str()), (end, expected), "{name}: {problem:?}");
        assert_eq!(is_allowed(&fetched), allowed, "{name}");
        assert!(took < Duration::from_secs(4), "{name}: {took:?}");
        // What a socket holds on both sides comes on top of the limits.
        let sent = server.sent.load(Ordering::Relaxed);
        assert!(sent < 24 << 20, "{name}: the server could send {sent} bytes");
        assert!(fetched.body.len() <= short_limits().body + 1, "{name}");
        shown.push_str(&row(name, &fetched));
    }
    assert_documented(&shown);
}

/// Returns the row of a behaviour in the table of docs/fetch.md.
fn row(name: &str, fetched: &Fetched) -> String {
    let end = match fetched.end {
        FetchEnd::Status(status) => status.to_string(),
        FetchEnd::BodyBroken(status) => format!("{status}, broken"),
        FetchEnd::RedirectLoop => "a loop".to_owned(),
        FetchEnd::LostRedirect => "no `Location`".to_owned(),
        FetchEnd::Network(error) => format!("`{}`", error.as_str()),
    };
    let cautious = Dialect { fetch: Dialect::GOOGLE.fetch.cautious(), ..Dialect::GOOGLE };
    let capture = Capture::after(None, &fetched.response(), fetched.at, &cautious);
    let cautious = match capture.record().effective(&cautious, fetched.at).access {
        Access::Rules => 'R',
        Access::AllowAll => 'A',
        Access::DisallowAll => 'D',
        Access::Unknown => 'U',
    };
    let word = |letter| match letter {
        'R' => "rules",
        'A' => "all",
        'D' => "none",
        _ => "unknown",
    };
    let words: Vec<&str> = policies(fetched).chars().chain([cautious]).map(word).collect();
    let named = fetched.body_kind.filter(|kind| !kind.is_robots()).map_or("", BodyKind::name);
    format!("| {name} | {end} | {} | {named} |\n", words.join(" | "))
}

/// Compares the table of docs/fetch.md with what was seen; writes it with `UPDATE_GOLDEN=1`.
fn assert_documented(table: &str) {
    const BEGIN: &str = "<!-- behaviours -->\n";
    const END: &str = "<!-- /behaviours -->\n";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fetch.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("docs/fetch.md has the mark before the table");
    let (held, after) = rest.split_once(END).expect("docs/fetch.md has the mark after the table");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(held, table, "docs/fetch.md: run this test with UPDATE_GOLDEN=1");
    assert!(table.lines().count() >= 62, "at least 60 behaviours");
}

/// The table of dialects.md 1.21, for each status without a `Location`.
#[tokio::test]
async fn every_status() {
    for status in 100..=599_u16 {
        let server = Server::always(vec![send(response(&format!("{status} X"), "", RULES))]).await;
        let fetched = fetch_from(&server).await;
        let expected = match status {
            202 | 206 => "DDRRD",
            200..=299 => "RRRRR",
            301 | 302 | 303 | 307 | 308 => "DDAAD",
            429 => "DAAAA",
            400..=499 => "AAAAA",
            _ => "DDDDD",
        };
        assert_eq!(policies(&fetched), expected, "{status}: {:?}", fetched.end);
        let is_empty = status == 204;
        let may_allow = expected.contains('A') || is_empty;
        assert_eq!(is_allowed(&fetched), may_allow, "{status}");
    }
}

/// No limit that a caller sets makes an allow of a file that disallows all: not one that would be none, nor one that
/// cuts the file before its rules.
#[tokio::test]
async fn limits_never_open_a_site() {
    let long = format!("{}User-agent: *\nDisallow: /\n", "# a line before the rules\n".repeat(4_000));
    let gzip_field = "Content-Encoding: gzip\r\n";
    let max = usize::MAX;
    let no_limits = FetchLimits {
        connect: Duration::MAX,
        first_byte: Duration::MAX,
        total: Duration::MAX,
        body: max,
        encoded: max,
        head: max,
        fields: max,
        redirects: u8::MAX,
        addresses: max,
    };
    let small = FetchLimits { encoded: 64 << 10, ..short_limits() };
    let two_members = [gzip(&long.as_bytes()[..100]), gzip(long.as_bytes())].concat();
    let first_member = FetchLimits { encoded: gzip(&long.as_bytes()[..100]).len(), ..short_limits() };
    let (whole, broken) = (FetchEnd::Status(200), FetchEnd::BodyBroken(200));
    for (name, limits, fields, body, end) in [
        ("no limits", no_limits, "", long.clone().into_bytes(), whole),
        ("no limits, gzip", no_limits, gzip_field, gzip(long.as_bytes()), whole),
        ("no limit of the body", FetchLimits { body: max, ..short_limits() }, "", long.clone().into_bytes(), whole),
        ("no limit of the head", FetchLimits { head: max, ..short_limits() }, "", long.clone().into_bytes(), whole),
        ("no body", FetchLimits { body: 0, ..short_limits() }, "", long.clone().into_bytes(), broken),
        ("nothing encoded", FetchLimits { encoded: 0, ..short_limits() }, gzip_field, gzip(long.as_bytes()), broken),
        ("text that calls itself gzip", small, gzip_field, long.clone().into_bytes(), broken),
        ("text in one gzip of two", small, "Content-Encoding: gzip, gzip\r\n", gzip(long.as_bytes()), broken),
        ("gzip that ends where it is cut", first_member, gzip_field, two_members, broken),
    ] {
        let server = Server::always(vec![send(response("200 OK", fields, body))]).await;
        let net = Net::default();
        net.name("shop.example", &[PUBLIC]);
        net.route(PUBLIC, 80, server.address);
        let fetched = net.fetcher(limits).fetch(&origin(), None).await;
        assert_eq!(fetched.end, end, "{name}: {:?}", fetched.problem);
        assert!(!is_allowed(&fetched), "{name}");
    }
}

/// What a client of the caller cut before the dialects do is no file.
#[tokio::test]
async fn a_client_that_cuts_early_opens_no_site() {
    struct Cuts(usize);

    impl Client for Cuts {
        async fn get(&self, _: Request<'_>) -> Result<ClientAnswer, Fault> {
            let headers = http::HeaderMap::new();
            let (body, end) = (vec![b'#'; self.0], BodyEnd::CutAtLimit);
            Ok(ClientAnswer {
                status: 200,
                protocol: http::Version::HTTP_11.into(),
                headers,
                body,
                end,
                timings: Timings::default(),
            })
        }
    }

    let limit = FetchLimits::default().body;
    for (length, end) in [
        (0, BodyEnd::Incomplete),
        (limit - 1, BodyEnd::Incomplete),
        (limit, BodyEnd::Incomplete),
        (limit + 1, BodyEnd::CutAtLimit),
    ] {
        let fetched = Fetcher::builder(user_agent()).build_with(Cuts(length)).fetch(&origin(), None).await;
        assert_eq!(fetched.body_end, end, "{length}");
        assert_eq!(is_allowed(&fetched), end == BodyEnd::CutAtLimit, "{length}");
    }
}

/// How a body is sent, so that a fetch can notice that a part is missing.
#[derive(Clone, Copy, Debug)]
enum Framing {
    Length,
    Chunks,
    GzipLength,
    GzipChunks,
    GzipToTheEnd,
    ZstdLength,
}

fn framed(framing: Framing, status: u16, body: &[u8]) -> Vec<u8> {
    let (coding, body) = match framing {
        Framing::Length | Framing::Chunks => ("", body.to_vec()),
        Framing::GzipLength | Framing::GzipChunks | Framing::GzipToTheEnd => ("Content-Encoding: gzip\r\n", gzip(body)),
        Framing::ZstdLength => ("Content-Encoding: zstd\r\n", zstd(body)),
    };
    match framing {
        Framing::Length | Framing::GzipLength | Framing::ZstdLength => response(&format!("{status} X"), coding, body),
        Framing::GzipToTheEnd => [format!("HTTP/1.1 {status} X\r\n{coding}\r\n").as_bytes(), &body].concat(),
        Framing::Chunks | Framing::GzipChunks => {
            let mut bytes = format!("HTTP/1.1 {status} X\r\n{coding}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
            for chunk in body.chunks(17) {
                bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                bytes.extend_from_slice(chunk);
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(b"0\r\n\r\n");
            bytes
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing that breaks a response off opens a site, at whatever byte: the rules are in the last line.
    #[test]
    fn no_fault_opens_a_site(
        framing in prop::sample::select(vec![
            Framing::Length, Framing::Chunks, Framing::GzipLength, Framing::GzipChunks, Framing::GzipToTheEnd,
            Framing::ZstdLength,
        ]),
        status in prop::sample::select(vec![200_u16, 200, 200, 200, 203, 206, 226, 300, 306, 500, 502, 503, 599]),
        lines in 0..40_usize,
        kept in 0.0..=1.0_f64,
        stall in prop::bool::weighted(0.05),
        reset in any::<bool>(),
    ) {
        let body = format!("{}User-agent: *\nDisallow: /\n", "# a line before the rules\n".repeat(lines));
        let bytes = framed(framing, status, body.as_bytes());
        let kept = (bytes.len() as f64 * kept) as usize;
        let mut script = vec![send(&bytes[..kept])];
        if stall {
            script.push(Step::Wait(Duration::from_secs(3)));
        }
        if reset {
            script.push(Step::Reset);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let fetched = runtime.block_on(async { fetch_from(&Server::always(script).await).await });
        prop_assert!(!is_allowed(&fetched), "{:?} {:?}", fetched.end, String::from_utf8_lossy(&fetched.body));
    }
}
