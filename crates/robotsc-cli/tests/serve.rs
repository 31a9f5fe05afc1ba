//! `robotsc serve` as a person starts and stops it: the address on standard output, an answer, an end in good order.

#![cfg(all(unix, feature = "serve"))]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn it_says_where_it_listens_and_stops_when_asked() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
    let command = command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.env_remove("ROBOTSC_TOKEN").spawn().expect("the command starts");
    let mut line = String::new();
    BufReader::new(running.stdout.take().expect("standard output")).read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("http://").and_then(|line| line.strip_suffix('/')).expect("an address");

    let mut stream = TcpStream::connect(address).expect("it listens");
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
