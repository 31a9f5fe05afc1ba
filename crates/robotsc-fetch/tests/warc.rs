//! What is written as WARC is read back with the same outcome.

mod support;

use std::io::Write as _;

use robotsc_compiler::Dialect;
use robotsc_fetch::{Fetched, WarcWriter};
use robotsc_frontier::outcome::{Capture, NetworkError, Outcome, Response, Time};
use robotsc_sources::{BodyEnd, Captures, SourceAnswer, SourceLimits};
use support::{Net, PUBLIC, Server, Step, response, send, short_limits};

const RULES: &str = "d\r\nUser-agent: *\nDisallow: /cart\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An outcome, when it expires, and the body that counts.
type Kept = (Outcome, Time, Option<Vec<u8>>);

/// Returns what each dialect keeps of a response.
fn outcomes(response: &Response<'_>) -> Vec<Kept> {
    let now = Time(1_790_000_000);
    let capture = |dialect| Capture::after(None, response, now, dialect);
    let captures = Dialect::ALL.iter().map(|dialect| capture(dialect));
    captures.map(|one| (one.record().outcome, one.record().expires_at, one.body().map(<[u8]>::to_vec))).collect()
}

/// Reads a file as the command `pack build` does.
fn read_back(path: &std::path::Path) -> Vec<(String, Vec<Kept>)> {
    let captures = Captures::new(vec![path.to_owned()], &SourceLimits::default());
    captures
        .map(|capture| {
            let capture = capture.unwrap();
            let response = match &capture.answer {
                SourceAnswer::Response(response) => match response.end {
                    _ if matches!(response.status, 301 | 302 | 303 | 307 | 308) => Response::lost_redirect(),
                    BodyEnd::Incomplete => Response::incomplete(response.status),
                    _ => Response::new(response.status, &response.body),
                }
                .with_redirects(response.hops)
                .with_headers(response.headers.iter()),
                SourceAnswer::TooManyRedirects => Response::redirect_loop(),
                _ => Response::failed(NetworkError::Connect),
            };
            (String::from_utf8(capture.url.clone()).unwrap(), outcomes(&response))
        })
        .collect()
}

async fn fetch(script: Vec<Step>) -> Fetched {
    let server = Server::start(move |head| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        if path == "/real.txt?x=1" { vec![send(response("200 OK", "ETag: \"v1\"\r\n", RULES))] } else { script.clone() }
    })
    .await;
    let net = Net::default();
    net.name("shop.example", &[PUBLIC]);
    net.route(PUBLIC, 80, server.address);
    net.fetcher(short_limits()).fetch(&"http://shop.example".parse().unwrap(), None).await
}

#[tokio::test]
async fn every_fetch_comes_back_with_its_outcome() {
    let chunked =
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{RULES}\r\n0\r\n\r\n", RULES.len());
    let encoded = gzip(RULES.as_bytes());
    let long = format!("User-agent: *\nDisallow: /a\n{}", "# filler\n".repeat(100_000));
    let twice = gzip(&encoded);
    let twice = [
        format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: x-gzip, chunked\r\n\r\n{:x}\r\n",
            twice.len()
        )
        .as_bytes(),
        &twice,
        b"\r\n0\r\n\r\n",
    ]
    .concat();
    // A body that is nearly as long as one can be before decoding, and short after it; and such a head.
    let empty = gzip(b"");
    let padded = [encoded.clone(), empty.repeat((4 << 20) / empty.len() - 10)].concat();
    let filler = format!("Content-Encoding: gzip\r\nX-Filler: {}\r\n", "x".repeat(60_000));
    let many: String = (0..254).map(|number| format!("X-{number}: 1\r\n")).collect();
    let far = format!("Location: http://shop.example/{}\r\n", "x".repeat(9_000));
    let folder = tempfile::tempdir().unwrap();
    for (name, script) in [
        ("a long head and a long body", vec![send(response("200 OK", &filler, &padded))]),
        ("many fields", vec![send(response("200 OK", &format!("{many}Cache-Control: max-age=4000\r\n"), RULES))]),
        ("a redirect to a very long URL", vec![send(response("301 Moved", &far, ""))]),
        ("plain", vec![send(response("200 OK", "Cache-Control: max-age=4000\r\n", RULES))]),
        ("chunks", vec![send(chunked)]),
        ("gzip", vec![send(response("200 OK", "Content-Encoding: gzip\r\n", &encoded))]),
        (
            "gzip by the transfer",
            vec![send([&b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"[..], &encoded].concat())],
        ),
        ("gzip twice", vec![send(twice)]),
        ("text that calls itself gzip", vec![send(response("200 OK", "Content-Encoding: gzip\r\n", RULES))]),
        ("an empty file", vec![send(response("200 OK", "", ""))]),
        ("cut at the limit", vec![send(response("200 OK", "", &long))]),
        ("gzip, cut at the limit", vec![send(response("200 OK", "Content-Encoding: gzip\r\n", gzip(long.as_bytes())))]),
        ("redirected", vec![send(response("301 Moved", "Location: /real.txt?x=1\r\n", ""))]),
        ("a loop", vec![send(response("301 Moved", "Location: /robots.txt\r\n", ""))]),
        ("a lost redirect", vec![send(response("301 Moved", "", ""))]),
        ("a redirect to no URL", vec![send(response("301 Moved", "Location: http://[::\r\n", ""))]),
        ("a refused redirect", vec![send(response("301 Moved", "Location: http://10.0.0.1/\r\n", ""))]),
        ("a redirect to a file", vec![send(response("301 Moved", "Location: file:///etc/passwd\r\n", ""))]),
        ("204", vec![send("HTTP/1.1 204 No Content\r\n\r\n")]),
        ("206", vec![send(response("206 Part", "", RULES))]),
        ("304", vec![send("HTTP/1.1 304 Not Modified\r\n\r\n")]),
        ("404", vec![send(response("404 Not Found", "", "Disallow: /"))]),
        ("429", vec![send(response("429 Slow", "Retry-After: 600\r\n", ""))]),
        ("503", vec![send(response("503 Busy", "Retry-After: 900\r\n", "x"))]),
        ("700", vec![send(response("700 Odd", "", RULES))]),
        ("broken off", vec![send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *\n")]),
        ("bad gzip", vec![send(response("200 OK", "Content-Encoding: gzip\r\n", &encoded[..20]))]),
        ("closed", vec![]),
        ("silence", vec![Step::Wait(std::time::Duration::from_secs(5))]),
    ] {
        let fetched = fetch(script).await;
        let path = folder.path().join("one.warc.gz");
        let mut writer =
            WarcWriter::new(std::fs::File::create(&path).unwrap(), "TestBot/1.0\r\nInjected: yes").unwrap();
        writer.write(&fetched).unwrap();
        writer.flush().unwrap();
        let mut before = outcomes(&fetched.response());
        let mut back = read_back(&path);
        assert_eq!(back.len(), 1, "{name}");
        let (url, mut after) = back.remove(0);
        // A body that was cut is longer than every dialect reads, in both; where it was cut can differ.
        let limit = 512_000;
        for (_, _, body) in before.iter_mut().chain(&mut after) {
            body.iter_mut().for_each(|body| body.truncate(limit));
        }
        assert_eq!(url, "http://shop.example/robots.txt", "{name}");
        assert!(after == before, "{name}: {:?}\n{after:?}\n{before:?}", fetched.end);
    }
}

#[tokio::test]
async fn records_have_the_form_of_the_standard() {
    let fetched =
        fetch(vec![send(response("301 Moved", "Location: http://me:secret@shop.example/real.txt?x=1\r\n", ""))]);
    let mut bytes = Vec::new();
    let mut writer = WarcWriter::new(&mut bytes, "TestBot/1.0").unwrap();
    writer.write(&fetched.await).unwrap();
    writer.flush().unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(bytes.as_slice()), &mut text).unwrap();
    let kinds: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("WARC-Type: ")).collect();
    assert_eq!(kinds, ["warcinfo", "request", "response", "request", "response"]);
    assert!(
        text.contains("\r\n\r\nGET /real.txt?x=1 HTTP/1.1\r\nHost: shop.example\r\nuser-agent: TestBot/1.0 (+https")
    );
    assert!(text.contains("\r\nlocation: http://shop.example/real.txt?x=1\r\n") && !text.contains("secret"));
    assert!(text.contains("WARC-IP-Address: 93.184.216.34\r\n"));
    let mut ids: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("WARC-Record-ID: <urn:uuid:")).collect();
    assert!(ids.iter().all(|id| id.len() == 37 && id.as_bytes()[14] == b'4' && b"89ab".contains(&id.as_bytes()[19])));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), kinds.len());
}
