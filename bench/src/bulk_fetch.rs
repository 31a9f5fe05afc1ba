//! Measures `Bulk` beside programs on the bare hyper client and on reqwest alone, against a server on loopback.
//!
//! With `--python COMMAND`, if that Python has aiohttp and protego, `aiohttp_fetch.py` runs in the same run. It needs
//! `ulimit -n 8192`.
//!
//! Each client is a process of its own, and so is the server, which waits before each answer as a distant one does.
//! Every origin is another address of 127.0.0.0/8.

use std::collections::BTreeMap;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Empty};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use robotsc::fetch::{Bulk, BulkLimits, CachedResolver, FetchLimits, Fetched, Fetcher, SystemResolver, UserAgent};
use robotsc::origin::Origin;
use robotsc::outcome::FetchEnd;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::arguments::Arguments;

const AGENT: &str = "FooBot/1.0 (+https://foo.example/bot)";
const DELAY: Duration = Duration::from_millis(300);
const ORIGINS: u32 = 20_000;
const CLIENTS: [&str; 3] = ["bare hyper", "reqwest", "bulk"];

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Runs `bulk-fetch`: starts the server and each client, one after the other.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let program = std::env::current_exe()?;
    let mut server = Command::new(&program).arg("bulk-fetch-server").stdout(Stdio::piped()).spawn()?;
    let mut port = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().ok_or("no output")?), &mut port)?;
    println!("{ORIGINS} origins, {} ms before each answer", DELAY.as_millis());
    println!("in flight  client       per second  processor s  peak KB  KB an origin in flight");
    for in_flight in ["1000", "2000"] {
        for client in CLIENTS {
            let ran = Command::new(&program).args(["bulk-fetch-one", client, port.trim(), in_flight]).status()?;
            if !ran.success() {
                server.kill()?;
                return Err(format!("{client} failed: see whether 'ulimit -n' is over 4096").into());
            }
        }
        let python = arguments.text("python", "");
        if !python.is_empty() {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/aiohttp_fetch.py");
            let origins = ORIGINS.to_string();
            Command::new(python).args([script, port.trim(), in_flight, &origins]).status()?;
        }
    }
    Ok(server.kill()?)
}

/// Runs `bulk-fetch-server`.
pub(crate) fn run_server() -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(serve())
}

/// Runs `bulk-fetch-one CLIENT PORT IN_FLIGHT`.
pub(crate) fn run_one(arguments: &Arguments) -> Result<()> {
    let [_, client, port, in_flight] = arguments.words.as_slice() else {
        return Err("bulk-fetch-one CLIENT PORT IN_FLIGHT".into());
    };
    tokio::runtime::Runtime::new()?.block_on(measure(client, port.parse()?, in_flight.parse()?))
}

/// Answers every request with a robots.txt of 2 KB.
async fn serve() -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await?;
    println!("{}", listener.local_addr()?.port());
    let body = format!("User-agent: *\n{}", "Disallow: /some/path/of/a/shop\n".repeat(66));
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    let answer: Arc<str> = (head + &body).into();
    loop {
        let Ok((mut stream, peer)) = listener.accept().await else { continue };
        if !peer.ip().is_loopback() {
            continue;
        }
        let answer = Arc::clone(&answer);
        tokio::spawn(async move {
            let mut request = [0; 2048];
            let _ = stream.read(&mut request).await;
            tokio::time::sleep(DELAY).await;
            let _ = stream.write_all(answer.as_bytes()).await;
        });
    }
}

/// Returns the address of an origin.
fn address(number: u32, port: u16) -> SocketAddr {
    let [_, a, b, c] = (number + 256).to_be_bytes();
    SocketAddr::from(([127, a + 1, b, c], port))
}

/// Runs one client and prints its figures.
async fn measure(client: &str, port: u16, in_flight: usize) -> Result<()> {
    let at_rest = memory()?;
    let started = Instant::now();
    let count = match client {
        "bulk" => bulk(port, in_flight).await,
        "reqwest" => {
            let client = reqwest::Client::builder().user_agent(AGENT).pool_max_idle_per_host(0).build()?;
            let fetch = move |address| {
                let client = client.clone();
                async move { Ok(client.get(format!("http://{address}/robots.txt")).send().await?.bytes().await?.len()) }
            };
            each(port, in_flight, fetch).await?
        }
        _ => each(port, in_flight, bare).await?,
    };
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(count, ORIGINS, "{client}");
    let peak = memory()?;
    println!(
        "{in_flight:>9}  {client:<11}  {:>10.0}  {:>11.2}  {peak:>7}  {:>22.1}",
        f64::from(count) / seconds,
        processor_seconds()?,
        (peak - at_rest) as f64 / in_flight as f64
    );
    Ok(())
}

/// Fetches all origins with a function, a number of them at a time, and returns how many had a body.
async fn each<F: Future<Output = Result<usize>> + Send + 'static>(
    port: u16,
    in_flight: usize,
    fetch: impl Fn(SocketAddr) -> F,
) -> Result<u32> {
    let permits = Arc::new(Semaphore::new(in_flight));
    let (mut tasks, mut count) = (JoinSet::new(), 0);
    for number in 0..ORIGINS {
        let permit = Arc::clone(&permits).acquire_owned().await?;
        let fetching = fetch(address(number, port));
        tasks.spawn(async move {
            let length = fetching.await;
            drop(permit);
            length
        });
        while let Some(ended) = tasks.try_join_next() {
            count += u32::from(ended?? > 2_000);
        }
    }
    while let Some(ended) = tasks.join_next().await {
        count += u32::from(ended?? > 2_000);
    }
    Ok(count)
}

/// Fetches one origin with hyper and nothing around it.
async fn bare(address: SocketAddr) -> Result<usize> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let request = http::Request::get("/robots.txt").header("host", address.to_string()).header("user-agent", AGENT);
    let response = sender.send_request(request.body(Empty::<Bytes>::new())?).await?;
    Ok(response.into_body().collect().await?.to_bytes().len())
}

async fn bulk(port: u16, in_flight: usize) -> u32 {
    let resolver = CachedResolver::new(SystemResolver);
    let user_agent = UserAgent::new(AGENT).expect("it has a contact");
    let loopback = "127.0.0.0/8".parse().expect("a network");
    let fetcher = Fetcher::builder(user_agent).allow_net(loopback).limits(FetchLimits::default()).build();
    let bulk = Bulk::new(fetcher, resolver, BulkLimits { in_flight, ..BulkLimits::default() });
    let origins = (0..ORIGINS)
        .map(|number| -> Origin { format!("http://{}", address(number, port)).parse().expect("an origin") });
    let (mut count, mut problems) = (0, BTreeMap::<String, u32>::new());
    let take = |fetched: Fetched| {
        count += u32::from(fetched.end == FetchEnd::Status(200) && fetched.body.len() > 2_000);
        if let Some(problem) = fetched.problem {
            *problems.entry(problem).or_default() += 1;
        }
        ControlFlow::Continue(())
    };
    bulk.run(origins, take, |_| true).await;
    for (problem, count) in problems {
        eprintln!("{count}: {problem}");
    }
    count
}

/// Returns the peak of this process's memory, in KB.
fn memory() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// Returns the processor time of this process, in seconds: a hundred ticks each.
fn processor_seconds() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().ok_or("no fields")?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<u64>().ok()).ok_or("no ticks");
    Ok((ticks(11)? + ticks(12)?) as f64 / 100.0)
}
