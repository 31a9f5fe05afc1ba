//! Measures the server under load, beside the least that axum can answer, in turns, by `wrk` (Debian: `apt-get install
//! wrk`): single checks, and batches as streams.
//!
//! Servers and `wrk` share the processors. Each cell is the median over the rounds.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::mpsc;
use std::thread;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use robotsc_serve::{Config, Server};
use serde_json::json;

use crate::arguments::Arguments;

/// The connections that are open at a time.
const CONNECTIONS: [u32; 3] = [1, 64, 1000];

/// The URLs of a batch.
const BATCH: usize = 20_000;

/// Runs `serve-load`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let rounds = arguments.number("rounds", 3)?.max(1);
    let seconds = arguments.number("seconds", 4)?.max(1);
    let folder = tempfile::tempdir()?;
    let robots = "User-agent: *\nDisallow: /cart\nDisallow: /*?sort=\nAllow: /cart/help\n\nUser-agent: FooBot\n\
                  Disallow: /private/\nDisallow: /*.pdf$\nDisallow: /search\nAllow: /search/about\n";
    let head = json!({"robots": {"text": robots}, "agents": ["FooBot"]});
    let mut single = head.clone();
    single["urls"] = json!(["https://shop.example/search/shoes?colour=red"]);
    let mut batch = format!("{head}\n");
    for number in 0..BATCH {
        let _ =
            writeln!(batch, "https://shop.example/{}/{number}", ["search", "shoes", "private", "a/b/c"][number % 4]);
    }
    let loads = [
        Load::new(folder.path(), "single", "application/json", &single.to_string())?,
        Load::new(folder.path(), "batch", "application/x-ndjson", &batch)?,
    ];
    let answer = answer(ours()?, &single.to_string())?;
    let (ours, bare) = (ours()?, bare(answer)?);

    println!("| single checks | bare route, /s | p50, us | p99, us | robotsc, /s | p50, us | p99, us | ratio |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for connections in CONNECTIONS {
        let mut runs = [Vec::new(), Vec::new()];
        for round in 0..rounds {
            for side in [round % 2, 1 - round % 2] {
                runs[side].push(loads[0].run([bare, ours][side], connections, seconds)?);
            }
        }
        let [bare, ours] = runs.map(LoadRun::median);
        println!(
            "| {connections} connections | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.2} |",
            bare.rate,
            bare.p50,
            bare.p99,
            ours.rate,
            ours.p50,
            ours.p99,
            ours.rate / bare.rate
        );
    }
    println!("\n| batches of {BATCH} URLs | verdicts/s | p50, ms | p99, ms |\n| --- | --- | --- | --- |");
    for connections in [1, 4, 64] {
        let runs: Result<Vec<_>, _> = (0..rounds).map(|_| loads[1].run(ours, connections, seconds)).collect();
        let run = LoadRun::median(runs?);
        let verdicts = run.rate * BATCH as f64;
        println!("| {connections} connections | {verdicts:.0} | {:.1} | {:.1} |", run.p50 / 1e3, run.p99 / 1e3);
    }
    Ok(())
}

/// A request that is sent again and again.
struct Load {
    script: std::path::PathBuf,
}

/// What a run gave: answers a second, and percentiles of microseconds.
struct LoadRun {
    rate: f64,
    p50: f64,
    p99: f64,
}

impl Load {
    fn new(folder: &std::path::Path, name: &str, media_type: &str, body: &str) -> Result<Self, Box<dyn Error>> {
        let body_file = folder.join(format!("{name}.body"));
        fs::write(&body_file, body)?;
        let script = folder.join(format!("{name}.lua"));
        let text = format!(
            "local file = io.open({body_file:?}, 'rb')\nwrk.method = 'POST'\nwrk.body = file:read('*a')\n\
             wrk.headers['Content-Type'] = '{media_type}'\n\
             function done(summary, latency)\n\
             local e = summary.errors\n\
             io.write(string.format('RESULT %f %d %d %d\\n', summary.requests / summary.duration * 1e6,\
             latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))\n\
             end\n"
        );
        fs::write(&script, text)?;
        Ok(Self { script })
    }

    fn run(&self, address: SocketAddr, connections: u32, seconds: usize) -> Result<LoadRun, Box<dyn Error>> {
        let output = Command::new("wrk")
            .args(["-t1", &format!("-c{connections}"), &format!("-d{seconds}s"), "--timeout", "20s", "-s"])
            .arg(&self.script)
            .arg(format!("http://{address}/v1/check"))
            .output()
            .map_err(|error| format!("wrk: {error}: install it (Debian: apt-get install wrk)"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|line| line.strip_prefix("RESULT ")).ok_or_else(|| text.clone())?;
        let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let [rate, p50, p99, errors] = numbers[..] else { return Err(text.into()) };
        if errors > 0.0 {
            return Err(format!("{errors} requests failed: {text}").into());
        }
        Ok(LoadRun { rate, p50, p99 })
    }
}

impl LoadRun {
    fn median(runs: Vec<Self>) -> Self {
        let of = |value: fn(&Self) -> f64| {
            let mut values: Vec<f64> = runs.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        Self { rate: of(|run| run.rate), p50: of(|run| run.p50), p99: of(|run| run.p99) }
    }
}

/// Starts the server.
fn ours() -> Result<SocketAddr, Box<dyn Error>> {
    start(async || {
        let server = Server::bind(Config::new("127.0.0.1:0".parse()?)).await?;
        Ok((server.address(), server.run(std::future::pending())))
    })
}

/// Starts the bare route: it reads the body, and answers what the server would.
fn bare(answer: Vec<u8>) -> Result<SocketAddr, Box<dyn Error>> {
    start(async move || {
        let answer = Bytes::from(answer);
        let route = post(async move |_: Bytes| ([(CONTENT_TYPE, "application/json")], answer));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        Ok((address, async move {
            let _ = axum::serve(listener, Router::new().route("/v1/check", route)).await;
        }))
    })
}

/// Runs a server on a thread of its own, with a runtime as the command has it, until the process ends.
fn start<S: Future<Output = ()>>(
    bind: impl AsyncFnOnce() -> Result<(SocketAddr, S), Box<dyn Error>> + Send + 'static,
) -> Result<SocketAddr, Box<dyn Error>> {
    let (sender, bound) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return drop(sender.send(Err(error.to_string()))),
        };
        runtime.block_on(async {
            match bind().await {
                Ok((address, server)) => {
                    let _ = sender.send(Ok(address));
                    server.await;
                }
                Err(error) => drop(sender.send(Err(error.to_string()))),
            }
        });
    });
    Ok(bound.recv()??)
}

/// Asks a server once.
fn answer(address: SocketAddr, body: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(address)?;
    write!(
        stream,
        "POST /v1/check HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    let text = String::from_utf8(response)?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(text.into());
    }
    Ok(body.as_bytes().to_vec())
}
