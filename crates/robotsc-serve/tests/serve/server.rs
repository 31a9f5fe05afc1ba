//! A server on a free port, and a client that sends what it is given, byte by byte if need be.

use std::io::{BufRead, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use robotsc::Dialect;
use robotsc::outcome::{Capture, Response as CaptureResponse};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions};
use robotsc_answers::time;
use robotsc_serve::{Config, Server};
use serde_json::Value;
use tokio::sync::oneshot;

/// A server that stops when it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Starts a server.
pub(crate) fn start(change: impl FnOnce(&mut Config)) -> Running {
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    change(&mut config);
    let (stop, stops) = oneshot::channel::<()>();
    let (address, bound) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::bind(config).await.unwrap();
            address.send(server.address()).unwrap();
            server.run(async { drop(stops.await) }).await;
        });
    });
    Running { address: bound.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
}

impl Running {
    /// Asks the server to stop.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until it has stopped.
    pub(crate) fn join(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes and reads a response.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server can refuse, and close, before it has read all.
        let _ = stream.write_all(bytes);
        Response::read(&mut BufReader::new(stream)).expect("a response")
    }

    /// Sends a request. `Host` and `Content-Length` are added.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n").into_bytes();
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.extend_from_slice(format!("Host: {}\r\n", self.address).as_bytes());
        }
        for (name, value) in headers {
            request.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        request.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        request.extend_from_slice(body);
        self.raw(&request)
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        self.send("POST", path, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Returns a pack with the rules of `https://shop.example`.
pub(crate) fn pack() -> Pack {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("pack");
    let mut options = PackOptions::new(&Dialect::GOOGLE);
    options.agents = PackAgents::All;
    let mut builder = PackBuilder::new(options, &target).unwrap();
    let body = b"User-agent: *\nDisallow: /cart\nSitemap: https://shop.example/map.xml\n";
    let fetched = Capture::after(None, &CaptureResponse::new(200, body), time::now().unwrap(), &Dialect::GOOGLE);
    builder.push(&"https://shop.example".parse().unwrap(), &fetched).unwrap();
    builder.finish().unwrap();
    Pack::from_bytes(std::fs::read(target).unwrap()).unwrap()
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether the body came to its end.
    pub(crate) is_complete: bool,
    /// The size of its largest chunk.
    pub(crate) largest_chunk: usize,
}

impl Response {
    /// Reads a response; `None` if the connection is closed before it begins.
    pub(crate) fn read(from: &mut impl BufRead) -> Option<Self> {
        let mut line = String::new();
        if !from.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            return None;
        }
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            line.clear();
            from.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let mut response = Self { status, headers, body: Vec::new(), is_complete: false, largest_chunk: 0 };
        match response.header("content-length").map(|length| length.parse::<usize>().unwrap()) {
            Some(length) => {
                response.body = vec![0; length];
                response.is_complete = from.read_exact(&mut response.body).is_ok();
            }
            None => loop {
                line.clear();
                if !from.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
                    break;
                }
                let size = usize::from_str_radix(line.trim(), 16).unwrap();
                response.largest_chunk = response.largest_chunk.max(size);
                let mut chunk = vec![0; size + 2];
                if from.read_exact(&mut chunk).is_err() {
                    break;
                }
                response.body.extend_from_slice(&chunk[..size]);
                if size == 0 {
                    response.is_complete = true;
                    break;
                }
            },
        }
        Some(response)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Returns the type of a problem without its prefix, and where it is.
    pub(crate) fn problem(&self) -> (String, String) {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.text());
        let json = self.json();
        assert_eq!(json["status"], self.status, "{json}");
        assert!(json["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{json}");
        let name = json["type"].as_str().unwrap().strip_prefix("urn:robotsc:problem:").unwrap();
        (name.to_owned(), json["where"].as_str().unwrap_or("-").to_owned())
    }
}
