//! Requests that come slowly hold no other up: neither by the room that they ask for nor by the room that they take.

use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::server::{Response, Running, start};

/// The bytes of a slow body.
const SLOW_BYTES: usize = 1 << 20;

/// Starts a server with room for two slow bodies, in which a request can wait for some time.
fn small_server(wait_time: Duration) -> Running {
    start(|config| {
        config.limits.memory_bytes = 2 << 20;
        config.limits.body_bytes = 2 << 20;
        config.limits.wait_time = wait_time;
    })
}

/// Returns a request for a verdict whose body has some bytes, in a robots.txt that is mostly a comment.
fn request(server: &Running, bytes: usize) -> Vec<u8> {
    let body = |comment: &str| {
        let text = format!("User-agent: *\nDisallow: /cart\n#{comment}");
        json!({"robots": {"text": text}, "agents": ["FooBot"], "urls": ["/cart"]}).to_string()
    };
    let body = body(&"x".repeat(bytes.saturating_sub(body("").len())));
    let head = format!(
        "POST /v1/check HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        server.address,
        body.len()
    );
    (head + &body).into_bytes()
}

/// Opens connections that send a part of a slow body and then nothing. Each comes with what it did not send.
fn slow(server: &Running, connections: usize, sent: usize) -> Vec<(TcpStream, Vec<u8>)> {
    let bytes = request(server, SLOW_BYTES);
    let open = |_| {
        let mut stream = server.connect();
        stream.write_all(&bytes[..sent]).unwrap();
        (stream, bytes[sent..].to_vec())
    };
    let all = (0..connections).map(open).collect();
    // The server reads what was sent.
    std::thread::sleep(Duration::from_millis(200));
    all
}

/// Sends the rest of slow bodies, and returns the status of each response.
fn finish(connections: Vec<(TcpStream, Vec<u8>)>) -> Vec<u16> {
    let send = |(mut stream, rest): (TcpStream, Vec<u8>)| {
        std::thread::spawn(move || {
            let _ = stream.write_all(&rest);
            Response::read(&mut BufReader::new(stream)).map_or(0, |response| response.status)
        })
    };
    let threads: Vec<_> = connections.into_iter().map(send).collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

#[test]
fn bodies_that_only_promise_bytes_take_no_room() {
    let server = small_server(Duration::from_millis(500));
    let waiting = slow(&server, 50, 2000);
    for bytes in [300, 10_000, 100_000, 1_000_000] {
        assert_eq!(server.raw(&request(&server, bytes)).status, 200, "{bytes} bytes");
    }
    // None of the slow ones was answered or let go meanwhile.
    assert_eq!(finish(waiting.into_iter().take(2).collect()), [200, 200]);
}

#[test]
fn small_requests_are_answered_while_slow_ones_take_all_room() {
    let server = small_server(Duration::from_millis(500));
    let waiting = slow(&server, 8, 900_000);
    for bytes in [300, 10_000, 100_000] {
        assert_eq!(server.raw(&request(&server, bytes)).status, 200, "{bytes} bytes");
    }
    let text = format!("User-agent: *\nDisallow: /cart\n#{}", "x".repeat(100_000));
    for (path, body) in [
        ("/v1/lint", json!({"robots": {"text": text}})),
        ("/v1/matrix", json!({"robots": {"text": text}, "agents": ["FooBot"], "urls": ["/cart"]})),
        ("/v1/explain", json!({"robots": {"text": text}, "agent": "FooBot", "url": "/cart"})),
    ] {
        assert_eq!(server.post(path, &body).status, 200, "{path}");
    }
    drop(waiting);
    // What they held is free again.
    assert_eq!(server.raw(&request(&server, 1_900_000)).status, 200);
}

/// If all had room for a part of their bodies and none for the rest, all would be refused.
#[test]
fn bodies_that_fill_the_room_together_are_read_one_after_the_other() {
    let server = small_server(Duration::from_secs(20));
    let waiting = slow(&server, 8, 300_000);
    assert_eq!(finish(waiting), [200; 8]);
}
