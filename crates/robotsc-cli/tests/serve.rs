//! `robotsc serve` as a person starts and stops it: the address on standard output, an answer, an end in good order.

#![cfg(all(unix, feature = "serve"))]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// Starts the command, and returns it with its address.
fn start() -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
    let command = command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.env_remove("ROBOTSC_TOKEN").spawn().expect("the command starts");
    let mut line = String::new();
    BufReader::new(running.stdout.take().expect("standard output")).read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("http://").and_then(|line| line.strip_suffix('/'));
    (running, address.expect("an address").to_owned())
}

#[test]
fn it_says_where_it_listens_and_stops_when_asked() {
    let (running, address) = start();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    write!(stream, "GET /v1/about HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains(r#""pack":false,"fetch":false"#), "{answer}");

    let stopped = Command::new("kill").arg(running.id().to_string()).status().expect("kill");
    assert!(stopped.success());
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("robotsc: stopping"));
}

/// A stream whose server is killed breaks off: no client can take it for complete.
#[test]
fn a_stream_is_not_complete_if_the_server_is_killed() {
    let (mut running, address) = start();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    write!(
        stream,
        "POST /v1/check HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/x-ndjson\r\n\
         Content-Length: 100000\r\n\r\n\
         {{\"robots\":{{\"text\":\"User-agent: *\\nDisallow: /cart\"}},\"agents\":[\"FooBot\"]}}\n/cart\n"
    )
    .expect("it reads");
    let mut reader = BufReader::new(stream);
    let mut seen = String::new();
    while !seen.contains("disallowed") {
        assert!(reader.read_line(&mut seen).expect("it answers") > 0, "{seen}");
    }
    running.kill().expect("it runs");
    running.wait().expect("it ends");
    // The connection can be reset, too.
    let _ = reader.read_to_string(&mut seen);
    assert!(seen.starts_with("HTTP/1.1 200 OK") && !seen.contains("\r\n0\r\n"), "{seen}");
}
