//! Random faults under load, for a time: nothing leaks, and no fault allows a page.
//!
//! ```text
//! round   load: checks of a cache and a bulk run, faults of every kind, waiters that go away
//! rest    all has ended: no task is alive, the files that were open before are open, memory is measured
//! round   ...
//! ```
//! Half of the origins have TLS, and two thirds of these HTTP/2. Takes ten seconds, or `ROBOTSC_SOAK_MINUTES`:
//! `ROBOTSC_SOAK_MINUTES=60 cargo test -p robotsc-fetch --test soak -- --nocapture`.
#![cfg(target_os = "linux")]

mod support;

use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;
use std::panic;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use http::Version;
use robotsc_compiler::Crawler;
use robotsc_fetch::{
    BoxFuture, Bulk, BulkLimits, CachedResolver, Connect, FetchLimits, Fetcher, Resolve, RobotsCache, Stream,
};
use robotsc_frontier::frontier::{Check, Frontier};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{FetchEnd, Time};
use support::http2::{Act, act};
use support::tls::{Authority, start};
use support::{PUBLIC, Server, Step, response, send, user_agent};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio_rustls::server::TlsStream;

/// Every file disallows everything, so that an allow is always wrong.
const RULES: &str = "User-agent: *\nDisallow: /\n";

/// What the panics say that the network makes on purpose.
const PLANNED: &str = "a planned panic";

/// Tasks that check at the same time.
const WORKERS: u32 = 48;

/// The seconds of the cache's clock in a second: files of five minutes expire after 2.5 s.
const SPEED: f64 = 120.0;

/// Bytes by which memory may differ between two rests. An hour has some 200,000 fetches: 200 bytes of each are more.
const SLACK: u64 = 16 << 20;

/// A network in which names, connections and servers fail at random.
#[derive(Clone, Debug)]
struct Faulty {
    /// Speaks HTTP/1.1.
    plain: SocketAddr,
    /// Speaks HTTP/1.1 in TLS.
    tls: SocketAddr,
    /// Speaks HTTP/2 in TLS.
    http2: SocketAddr,
    /// What vouches for the servers with TLS.
    authority: Arc<Authority>,
}

impl Faulty {
    /// Starts the servers. Those with TLS answer for every name in `tls.example`.
    async fn start(plain: SocketAddr) -> Self {
        let authority = Arc::new(Authority::new());
        let serve = |mut stream: TlsStream<TcpStream>| async move {
            let Some(head) = support::read_head(&mut stream).await else { return };
            if support::play(&mut stream, script(&head), &AtomicUsize::new(0)).await {
                let _ = stream.get_ref().0.set_zero_linger();
            } else {
                let _ = stream.shutdown().await;
            }
        };
        let answer = |stream| act(Act::random(), stream);
        let tls = start(authority.acceptor("*.tls.example", 2090, &["http/1.1"]), serve).await;
        let http2 = start(authority.acceptor("*.tls.example", 2090, &["h2"]), answer).await;
        Self { plain, tls, http2, authority }
    }

    fn fetcher(&self) -> Fetcher {
        let limits = FetchLimits {
            connect: Duration::from_millis(300),
            first_byte: Duration::from_millis(600),
            total: Duration::from_millis(1_000),
            ..FetchLimits::default()
        };
        Fetcher::builder(user_agent()).limits(limits).build_http(|client| {
            client.with_resolver(self.clone()).with_connector(self.clone()).with_roots(self.authority.roots())
        })
    }
}

impl Resolve for Faulty {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            match fastrand::u32(0..100) {
                0..3 => Err(io::Error::other("no such name")),
                3 => Ok(Vec::new()),
                4 => Ok(vec![[10, 0, 0, 1].into()]),
                5 => panic!("{PLANNED}"),
                6 => std::future::pending().await,
                _ => Ok(vec![PUBLIC, [93, 184, 216, 35].into()]),
            }
        })
    }
}

impl Connect for Faulty {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move {
            match fastrand::u32(0..100) {
                0..5 => Err(io::ErrorKind::ConnectionRefused.into()),
                5 => std::future::pending().await,
                other => {
                    let server = match address.port() {
                        443 if other % 3 == 0 => self.tls,
                        443 => self.http2,
                        _ => self.plain,
                    };
                    Ok(Box::new(TcpStream::connect(server).await?) as Box<dyn Stream>)
                }
            }
        })
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// 4 MiB that begin with the rules.
static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| gzip(format!("{RULES}{}", "#".repeat(4 << 20)).as_bytes()));

/// Returns what the server does next.
fn script(head: &str) -> Vec<Step> {
    let encoded = |body: &[u8]| response("200 OK", "Content-Encoding: gzip\r\n", body);
    let whole = response("200 OK", "ETag: \"v1\"\r\nCache-Control: max-age=300\r\n", RULES);
    let pause = Step::Wait(Duration::from_millis(fastrand::u64(0..400)));
    // A second redirect could become the sixth, which stands for a missing file.
    let is_first = head.starts_with("GET /robots.txt ");
    match fastrand::u32(0..24) {
        0 if head.contains("if-none-match") => vec![send("HTTP/1.1 304 Not Modified\r\n\r\n")],
        1 => vec![],
        2 => vec![Step::Reset],
        3 => vec![Step::Wait(Duration::from_secs(2))],
        4 => whole.iter().flat_map(|byte| [send([*byte]), Step::Wait(Duration::from_millis(20))]).collect(),
        5 => vec![send(&whole[..fastrand::usize(1..whole.len())]), pause],
        6 => vec![send(&whole[..fastrand::usize(1..whole.len())]), pause, Step::Reset],
        7 => vec![send((0..200).map(|_| fastrand::u8(..)).collect::<Vec<u8>>())],
        8 => vec![send("HTTP/1.1 200 OK\r\n"), Step::SendForever(b"X: y\r\n".repeat(500))],
        9 => vec![Step::SendForever(b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100))],
        10 => vec![send(format!("HTTP/1.1 200 OK\r\n\r\n{RULES}")), Step::SendForever(b"# filler\n".repeat(500))],
        11 => vec![send(encoded(&BOMB))],
        12 => vec![send(encoded(&gzip(RULES.as_bytes())[..20]))],
        13 => vec![send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nUser-agent: *\n")],
        14 => vec![send(response("503 Busy", "Retry-After: 300\r\n", ""))],
        15 => vec![send(response("500 Error", "", "User-agent: *\nAllow: /\n"))],
        16 if is_first => vec![send(response("301 Moved", "Location: http://hub.example/moved.txt\r\n", ""))],
        17 if is_first => vec![send(response("302 Found", "Location: http://10.0.0.1/robots.txt\r\n", ""))],
        18 if is_first => vec![send(response("302 Found", "Location: file:///etc/passwd\r\n", ""))],
        19 => vec![pause, send(encoded(&gzip(RULES.as_bytes())))],
        _ => vec![pause, send(whole)],
    }
}

#[derive(Debug, Default)]
struct Counts {
    checks: AtomicU64,
    dropped: AtomicU64,
    bulk: AtomicU64,
}

/// Checks pages until a time: of few origins, which expire, and of ever new ones, which are dropped.
async fn crawl(cache: RobotsCache, until: Instant, counts: &Counts) {
    while Instant::now() < until {
        let host = match fastrand::u32(0..3) {
            0 => format!("new{}", fastrand::u64(..)),
            _ => format!("known{}", fastrand::u32(0..200)),
        };
        let scheme = if host.ends_with(['1', '3', '5', '7', '9']) { "https" } else { "http" };
        let url = format!("{scheme}://{host}.tls.example/page");
        let patience = Duration::from_millis(if fastrand::bool() { 60_000 } else { fastrand::u64(0..50) });
        match tokio::time::timeout(patience, cache.check(&url)).await {
            Ok(check) => assert_ne!(check.unwrap(), Check::Allowed, "{url}"),
            Err(_) => drop(counts.dropped.fetch_add(1, Ordering::Relaxed)),
        }
        counts.checks.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(fastrand::u64(0..60))).await;
    }
}

/// Fetches 50 origins at a pace. The client panics at times, which ends a run.
async fn bulk(net: Faulty, counts: &'static Counts) {
    let pace = BulkLimits {
        in_flight: 20,
        per_address: 20,
        address_interval: Duration::from_millis(5),
        domain_interval: Duration::ZERO,
        redirect_wait: Duration::from_millis(500),
        ..BulkLimits::default()
    };
    let bulk = Bulk::new(net.fetcher(), CachedResolver::new(net), pace);
    let origins = (0..50).map(|number| -> Origin {
        let scheme = if number % 2 == 0 { "http" } else { "https" };
        format!("{scheme}://bulk{number}.tls.example").parse().unwrap()
    });
    let stops = fastrand::bool();
    let each = |_| {
        let count = counts.bulk.fetch_add(1, Ordering::Relaxed);
        if stops && count.is_multiple_of(40) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    bulk.run(origins, each, |_| true).await;
}

/// Fetches with TLS until a whole file comes in a version of HTTP: what always fails would prove nothing.
async fn reaches(net: &Faulty, version: Version) {
    for _ in 0..200 {
        let fetcher = net.fetcher();
        let origin = "https://any.tls.example".parse().unwrap();
        // In a task, which can end by a planned panic.
        let Ok(fetched) = tokio::spawn(async move { fetcher.fetch(&origin, None).await }).await else { continue };
        let status = fetched.hops.last().and_then(|hop| hop.status);
        if fetched.end == FetchEnd::Status(200) && status == Some((200, version.into())) {
            return;
        }
    }
    panic!("no file came in {version:?}");
}

/// Waits until a number is small enough.
fn settle(what: &str, most: usize, count: impl Fn() -> usize) {
    let since = Instant::now();
    while count() > most {
        assert!(since.elapsed() < Duration::from_secs(20), "{} {what} are left, and {most} are expected", count());
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Returns the memory that the process has now, in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[test]
fn nothing_leaks() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.payload_as_str() != Some(PLANNED) {
            before(info);
        }
    }));
    let minutes = std::env::var("ROBOTSC_SOAK_MINUTES").ok().map(|minutes| minutes.parse::<f64>().unwrap());
    let time = minutes.map_or(Duration::from_secs(10), |minutes| Duration::from_secs_f64(minutes * 60.0));
    let length = (time / 40).clamp(Duration::from_millis(1_500), Duration::from_secs(60));
    let least_rounds = 4;

    // The server's tasks are not counted: it has a runtime of its own.
    let servers = Runtime::new().unwrap();
    let server = servers.block_on(Server::start(script));
    let net = servers.block_on(Faulty::start(server.address));
    for version in [Version::HTTP_2, Version::HTTP_11] {
        servers.block_on(reaches(&net, version));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let started = Instant::now();
    let clock = move || Time(1_790_000_000 + (started.elapsed().as_secs_f64() * SPEED) as u32);
    let frontier = Frontier::builder(Crawler::new("TestBot").unwrap()).memory(2 << 20);
    let builder = RobotsCache::builder(frontier, net.fetcher()).clock(clock).max_fetches(40);
    let cache = builder.attempts(2, Duration::from_millis(50)).stale_for(Duration::from_secs(120)).build().unwrap();
    let counts: &'static Counts = Box::leak(Box::default());

    let metrics = runtime.metrics();
    let files_before = open_files();
    let mut rests: Vec<u64> = Vec::new();
    println!("seconds   checks  dropped  fetches  failures   bulk  MiB  files  tasks");
    while started.elapsed() < time || rests.len() < least_rounds {
        let until = Instant::now() + length;
        runtime.block_on(async {
            let mut tasks = JoinSet::new();
            for _ in 0..WORKERS {
                tasks.spawn(crawl(cache.clone(), until, counts));
            }
            while Instant::now() < until {
                // It panics with its client, which is planned.
                let _ = tokio::spawn(bulk(net.clone(), counts)).await;
            }
            while let Some(ended) = tasks.join_next().await {
                ended.unwrap();
            }
        });
        let busiest = open_files();
        settle("fetches", 0, || cache.counters().in_flight as usize);
        settle("tasks", 0, || metrics.num_alive_tasks());
        settle("files", files_before, open_files);
        server.requests.lock().unwrap().clear();
        rests.push(memory());
        let counters = cache.counters();
        println!(
            "{:>7}  {:>7}  {:>7}  {:>7}  {:>8}  {:>5}  {:>3}  {:>5}  {:>5}   {busiest} files before the rest",
            started.elapsed().as_secs(),
            counts.checks.load(Ordering::Relaxed),
            counts.dropped.load(Ordering::Relaxed),
            counters.fetches,
            counters.failures,
            counts.bulk.load(Ordering::Relaxed),
            rests[rests.len() - 1] >> 20,
            open_files(),
            metrics.num_alive_tasks(),
        );
    }
    // The first rounds fill the cache and the allocator.
    let (first, second) = rests.split_at(rests.len() / 2);
    let highest = |rests: &[u64]| rests.iter().copied().max().unwrap();
    let (first, second) = (highest(first), highest(second));
    assert!(second <= first + SLACK, "memory grows: {first} bytes in the first half, {second} in the second");
}
